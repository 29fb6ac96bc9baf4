// The same matrices, four elements at a time. Only if ALIGNED: N and W are multiples of 4, so that
// every row starts at a multiple of 16 bytes.
layout(binding = 0) restrict readonly buffer VectorsA { vec4 a4[]; };
layout(binding = 1) restrict readonly buffer VectorsB { vec4 b4[]; };
layout(binding = 2) restrict writeonly buffer VectorsC { vec4 c4[]; };
