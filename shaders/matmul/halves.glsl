// C = A·B as in bindings.glsl, but A and B are 16-bit floats, which are moved as bits here. They are
// moved eight at a time (C: four) if W and N are multiples of 8, so that every row starts at a
// multiple of 16 bytes.
layout(binding = 0) restrict readonly buffer MatrixA { float16_t a[]; };
layout(binding = 1) restrict readonly buffer MatrixB { float16_t b[]; };
layout(binding = 0) restrict readonly buffer VectorsA { uvec4 a8[]; };
layout(binding = 1) restrict readonly buffer VectorsB { uvec4 b8[]; };
layout(binding = 2) restrict writeonly buffer MatrixC { float c[]; };
layout(binding = 2) restrict writeonly buffer VectorsC { vec4 c4[]; };
layout(push_constant) uniform Sizes { uint M, N, W; };
