// O = softmax(Q·Kᵀ/√DIM)·V for each of HEADS heads. A head has LENGTH rows of DIM elements.
layout(binding = 0) restrict readonly buffer InputQ { float q[]; };
layout(binding = 1) restrict readonly buffer InputK { float k[]; };
layout(binding = 2) restrict readonly buffer InputV { float v[]; };
layout(binding = 3) restrict writeonly buffer OutputO { float o[]; };
// SCALE is log2(e)/√DIM, so that kernels compute powers of two instead of exponentials.
layout(push_constant) uniform Sizes { uint HEADS, LENGTH; float SCALE; };
