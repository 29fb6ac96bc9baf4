// C = A·B, all row-major: A is M×W, B is W×N, C is M×N.
layout(binding = 0) restrict readonly buffer MatrixA { float a[]; };
layout(binding = 1) restrict readonly buffer MatrixB { float b[]; };
layout(binding = 2) restrict writeonly buffer MatrixC { float c[]; };
layout(push_constant) uniform Sizes { uint M, N, W; };
