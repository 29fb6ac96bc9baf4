//! expect = "clean"
//! title = "both sides of ?: are evaluated, but only one is used"
StructuredBuffer<float> Input : register(t0);
RWStructuredBuffer<float> Output : register(u0);
cbuffer P : register(b0) { uint Count; };
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  float left = i > 0 && i < Count ? Input[i - 1] : 0, right = i < Count ? Input[i] : 0;
  if (i < Count) Output[i] = right - left;
}
