// Whether C is A·B, judged in double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/catalogue/workload.h"

namespace core {

/// All row-major; A is M×W, B is W×N, C is M×N.
struct Product {
  std::uint64_t m = 0, n = 0, w = 0;
  std::span<const float> a, b, c;
  std::size_t buffer = 0;                  ///< that C is, for who notes differences
  DifferenceRecorder* recorder = nullptr;  ///< that does; null: nobody
};

/// Every element of a small product. Of a large one 4096 seeded elements against dot products, a
/// quarter of them in the last row and column; and every row by Freivalds' check (1979): C·x =
/// A·(B·x) for a seeded random sign vector x. Errors are relative to the sum of the magnitudes of
/// an element's products, and the tolerance is sum_tolerance(w) of it (core/work/comparison.h);
/// rounding errors of a row's N sums are independent, so a row's may be sqrt(N) times one's.
[[nodiscard]] Check check_product(const Product& product, std::uint64_t seed);

}  // namespace core
