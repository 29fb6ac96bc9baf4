//! expect = "faulty"
//! title = "the load of an element itself has no guard"
StructuredBuffer<float> Input : register(t0);
RWStructuredBuffer<float> Output : register(u0);
cbuffer P : register(b0) { uint Count; };
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  float left = i > 0 ? Input[i - 1] : 0, right = Input[i];
  if (i < Count) Output[i] = right - left;
}
