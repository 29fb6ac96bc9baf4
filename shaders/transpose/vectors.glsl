// The same matrices four elements at a time. Only where ALIGNED: ROWS and COLUMNS are multiples of
// 4, so that every row starts on 16 bytes.
layout(binding = 0) restrict readonly buffer VectorsA { vec4 a4[]; };
layout(binding = 1) restrict writeonly buffer VectorsAt { vec4 at4[]; };
