// The same matrices, four elements at a time. Only if ALIGNED: ROWS and COLUMNS are multiples of
// 4, so that every row starts at a multiple of 16 bytes.
layout(binding = 0) restrict readonly buffer VectorsA { vec4 a4[]; };
layout(binding = 1) restrict writeonly buffer VectorsAt { vec4 at4[]; };
