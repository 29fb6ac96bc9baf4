// At = A transposed, both row-major: A is ROWS×COLUMNS, At is COLUMNS×ROWS.
layout(binding = 0) restrict readonly buffer MatrixA { float a[]; };
layout(binding = 1) restrict writeonly buffer MatrixAt { float at[]; };
layout(push_constant) uniform Sizes { uint ROWS, COLUMNS; };
