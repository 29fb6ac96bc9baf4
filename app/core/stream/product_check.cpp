#include "core/stream/product_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/work/comparison.h"

namespace core {
namespace {

constexpr double kCompleteLimit = 4e8;  // multiply-adds in double that a check may cost
constexpr std::uint64_t kSamples = 4096;

// Where all products are 0, so must the answer be.
double scale_of(double magnitude) {
  return std::max(magnitude, std::numeric_limits<double>::min());
}

// One row of |A||B| and of A·B in double.
void reference_row(const Product& p, const float* a, std::vector<double>& sum,
                   std::vector<double>& magnitude) {
  sum.assign(p.n, 0.0);
  magnitude.assign(p.n, 0.0);
  for (std::uint64_t k = 0; k < p.w; ++k) {
    const double x = static_cast<double>(a[k]);
    const double ax = std::abs(x);
    const float* row = p.b.data() + k * p.n;
    for (std::uint64_t j = 0; j < p.n; ++j) {
      const double y = static_cast<double>(row[j]);
      sum[j] += x * y;
      magnitude[j] += ax * std::abs(y);
    }
  }
}

Comparison compare_all(const Product& p) {
  const std::size_t grain = 1 + static_cast<std::size_t>(1e6 / static_cast<double>(p.n * p.w));
  const auto part = [&](std::size_t first, std::size_t last, Comparison& mine) {
    std::vector<double> sum;
    std::vector<double> magnitude;
    for (std::size_t i = first; i < last; ++i) {
      reference_row(p, p.a.data() + i * p.w, sum, magnitude);
      for (std::uint64_t j = 0; j < p.n; ++j) {
        mine.add(p.buffer, i * p.n + j, static_cast<double>(p.c[i * p.n + j]), sum[j],
                 scale_of(magnitude[j]));
      }
    }
  };
  return compare_parts(p.recorder, p.m, grain, part);
}

void compare_sample(const Product& p, std::uint64_t seed, std::uint64_t sample, Comparison& all) {
  std::uint64_t i = mix(mix(seed) + 2 * sample) % p.m;
  std::uint64_t j = mix(mix(seed) + 2 * sample + 1) % p.n;
  // The first samples lie on the last row and column, where range checks go wrong.
  if (sample < kSamples / 4) {
    (sample % 2 == 0 ? i : j) = sample % 2 == 0 ? p.m - 1 : p.n - 1;
  }
  double sum = 0.0;
  double magnitude = 0.0;
  for (std::uint64_t k = 0; k < p.w; ++k) {
    const double product =
        static_cast<double>(p.a[i * p.w + k]) * static_cast<double>(p.b[k * p.n + j]);
    sum += product;
    magnitude += std::abs(product);
  }
  all.add(p.buffer, i * p.n + j, static_cast<double>(p.c[i * p.n + j]), sum, scale_of(magnitude));
}

Comparison compare_samples(const Product& p, std::uint64_t seed) {
  const auto part = [&](std::size_t first, std::size_t last, Comparison& mine) {
    for (std::size_t sample = first; sample < last; ++sample) {
      compare_sample(p, seed, sample, mine);
    }
  };
  return compare_parts(p.recorder, kSamples, 64, part);
}

// y = matrix · x and y' = |matrix| · x', rows in parallel.
void multiply(std::span<const float> matrix, const std::vector<double>& x,
              const std::vector<double>& magnitude_x, std::vector<double>& y,
              std::vector<double>& magnitude_y) {
  const std::uint64_t columns = x.size();
  const std::uint64_t rows = matrix.size() / columns;
  y.assign(rows, 0.0);
  magnitude_y.assign(rows, 0.0);
  parallel_for(rows, 1 + (1U << 16U) / columns, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const float* row = matrix.data() + i * columns;
      double sum = 0.0;
      double magnitude = 0.0;
      for (std::uint64_t j = 0; j < columns; ++j) {
        const double value = static_cast<double>(row[j]);
        sum += value * x[j];
        magnitude += std::abs(value) * magnitude_x[j];
      }
      y[i] = sum;
      magnitude_y[i] = magnitude;
    }
  });
}

Comparison compare_rows(const Product& p, std::uint64_t seed) {
  std::vector<double> x(p.n);
  const std::vector<double> ones(p.n, 1.0);
  for (std::uint64_t j = 0; j < p.n; ++j) {
    x[j] = (mix(mix(seed) + j) & 1U) != 0 ? 1.0 : -1.0;
  }
  std::vector<double> bx, abs_bx, abx, abs_abx, cx, abs_cx;
  multiply(p.b, x, ones, bx, abs_bx);
  multiply(p.a, bx, abs_bx, abx, abs_abx);
  multiply(p.c, x, ones, cx, abs_cx);
  Comparison all;
  for (std::uint64_t i = 0; i < p.m; ++i) {
    // Infinities of a row with changed signs may be another infinity, or none.
    if (!std::isfinite(cx[i]) && !std::isfinite(abx[i])) {
      continue;
    }
    all.add_derived(p.buffer, i * p.n, cx[i], abx[i],
                    scale_of(abs_abx[i] / std::sqrt(static_cast<double>(p.n))));
  }
  return all;
}

}  // namespace

Check check_product(const Product& p, std::uint64_t seed) {
  const bool complete =
      static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.w) <=
      kCompleteLimit;
  Comparison comparison = complete ? compare_all(p) : compare_samples(p, seed);
  std::string method = "every element";
  if (!complete) {
    const Comparison rows = compare_rows(p, seed);
    if (rows.max_error() > comparison.max_error()) {
      comparison.merge(rows);
    }
    method = std::to_string(kSamples) + " elements, and every row with Freivalds' randomized check";
  }
  const BufferSpec c{"C", Role::output, static_cast<std::uint32_t>(p.m),
                     static_cast<std::uint32_t>(p.n)};
  Check check = comparison.finish(std::vector(p.buffer + 1, c), sum_tolerance(p.w));
  check.elements = p.m * p.n;
  check.scale = "the sum of the magnitudes of the products of the element";
  check.method = method;
  return check;
}

}  // namespace core
