// Out[y][x] is the sum of Weights[j][i] · Image[y + j - K/2][x + i - K/2]; outside the image is 0.
layout(binding = 0) restrict readonly buffer InputImage { float image[]; };
layout(binding = 1) restrict readonly buffer InputWeights { float weights[]; };
layout(binding = 2) restrict writeonly buffer OutputOut { float result[]; };
layout(push_constant) uniform Sizes { uint ROWS, COLUMNS, SIDE; };

// Returns a pixel, 0 outside the image.
float pixel(int row, int column) {
  const bool inside = row >= 0 && row < ROWS && column >= 0 && column < COLUMNS;
  return inside ? image[row * COLUMNS + column] : 0.0;
}
