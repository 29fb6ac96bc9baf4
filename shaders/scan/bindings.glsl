// S[i] is the sum of A[0] to A[i].
layout(binding = 0) restrict readonly buffer InputA { float a[]; };
layout(binding = 1) restrict writeonly buffer OutputS { float s[]; };
layout(push_constant) uniform Sizes { uint N; };
