#include <cmath>
#include <mutex>
#include <vector>

#include "core/comparison.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/workloads/workloads.h"

namespace core {
namespace {

constexpr double kCompleteLimit = 4e8;  // multiply-adds in double that a check may cost
constexpr std::uint64_t kSamples = 4096;

struct Shape {
  std::uint64_t m, n, w;
  explicit Shape(const Sizes& s) : m(s[0]), n(s[1]), w(s[2]) {}
  [[nodiscard]] double products() const {
    return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(w);
  }
};

// One row of |A||B| and of A·B in double.
void reference_row(const Shape& s, const float* a, const float* b, std::vector<double>& sum,
                   std::vector<double>& magnitude) {
  sum.assign(s.n, 0.0);
  magnitude.assign(s.n, 0.0);
  for (std::uint64_t k = 0; k < s.w; ++k) {
    const double x = static_cast<double>(a[k]);
    const double ax = std::abs(x);
    const float* row = b + k * s.n;
    for (std::uint64_t j = 0; j < s.n; ++j) {
      const double y = static_cast<double>(row[j]);
      sum[j] += x * y;
      magnitude[j] += ax * std::abs(y);
    }
  }
}

Comparison compare_all(const Shape& s, const HostBuffers& before, const std::vector<float>& c) {
  Comparison all;
  std::mutex mutex;
  const std::size_t grain = 1 + static_cast<std::size_t>(1e6 / static_cast<double>(s.n * s.w));
  parallel_for(s.m, grain, [&](std::size_t first, std::size_t last) {
    Comparison mine;
    std::vector<double> sum;
    std::vector<double> magnitude;
    for (std::size_t i = first; i < last; ++i) {
      reference_row(s, before[0].data() + i * s.w, before[1].data(), sum, magnitude);
      for (std::uint64_t j = 0; j < s.n; ++j) {
        mine.add(2, i * s.n + j, static_cast<double>(c[i * s.n + j]), sum[j], magnitude[j]);
      }
    }
    const std::scoped_lock lock(mutex);
    all.merge(mine);
  });
  return all;
}

Comparison compare_samples(const Shape& s, const HostBuffers& before, const std::vector<float>& c,
                           std::uint64_t seed) {
  Comparison all;
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    std::uint64_t i = mix(mix(seed) + 2 * sample) % s.m;
    std::uint64_t j = mix(mix(seed) + 2 * sample + 1) % s.n;
    // The first samples lie on the last row and column, where range checks go wrong.
    if (sample < kSamples / 4) {
      (sample % 2 == 0 ? i : j) = sample % 2 == 0 ? s.m - 1 : s.n - 1;
    }
    double sum = 0.0;
    double magnitude = 0.0;
    for (std::uint64_t k = 0; k < s.w; ++k) {
      const double product =
          static_cast<double>(before[0][i * s.w + k]) * static_cast<double>(before[1][k * s.n + j]);
      sum += product;
      magnitude += std::abs(product);
    }
    all.add(2, i * s.n + j, static_cast<double>(c[i * s.n + j]), sum, magnitude);
  }
  return all;
}

// y = matrix · x and y' = |matrix| · x', rows in parallel.
void multiply(const float* matrix, std::uint64_t rows, std::uint64_t columns,
              const std::vector<double>& x, const std::vector<double>& magnitude_x,
              std::vector<double>& y, std::vector<double>& magnitude_y) {
  y.assign(rows, 0.0);
  magnitude_y.assign(rows, 0.0);
  parallel_for(rows, 1 + (1U << 16U) / columns, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const float* row = matrix + i * columns;
      for (std::uint64_t j = 0; j < columns; ++j) {
        const double value = static_cast<double>(row[j]);
        y[i] += value * x[j];
        magnitude_y[i] += std::abs(value) * magnitude_x[j];
      }
    }
  });
}

// Freivalds 1979: C·x = A·(B·x) for a random sign vector x. Rounding errors of a row's N sums are
// independent, so they add up like sqrt(N) of one, which is what the residual is compared with.
Comparison compare_rows(const Shape& s, const HostBuffers& before, const std::vector<float>& c,
                        std::uint64_t seed) {
  std::vector<double> x(s.n);
  const std::vector<double> ones(s.n, 1.0);
  for (std::uint64_t j = 0; j < s.n; ++j) {
    x[j] = (mix(mix(seed) + j) & 1U) != 0 ? 1.0 : -1.0;
  }
  std::vector<double> bx, abs_bx, abx, abs_abx, cx, abs_cx;
  multiply(before[1].data(), s.w, s.n, x, ones, bx, abs_bx);
  multiply(before[0].data(), s.m, s.w, bx, abs_bx, abx, abs_abx);
  multiply(c.data(), s.m, s.n, x, ones, cx, abs_cx);
  Comparison all;
  for (std::uint64_t i = 0; i < s.m; ++i) {
    all.add(2, i * s.n, cx[i], abx[i], abs_abx[i] / std::sqrt(static_cast<double>(s.n)));
  }
  return all;
}

// The largest power of two that divides a size, at most 256.
std::uint32_t power_of_two_in(std::uint32_t size) {
  return std::min(size & (~size + 1), 256U);
}

class Matmul final : public Workload {
 public:
  std::string name() const override { return "matmul"; }
  std::string title() const override { return "Matrix multiplication"; }
  std::string about() const override {
    return "C = A·B; A is M×W, B is W×N, float32 where not marked fp16";
  }
  std::vector<std::string> size_names() const override { return {"M", "N", "W"}; }
  Sizes default_sizes() const override { return {512, 512, 512}; }

  std::vector<BufferSpec> buffers(const Sizes& s) const override {
    return {{"A", Role::input, s[0], s[2]},
            {"B", Role::input, s[2], s[1]},
            {"C", Role::output, s[0], s[1]}};
  }
  std::vector<std::uint32_t> push_constants(const Problem& p) const override { return p.sizes; }
  std::map<std::string, std::uint32_t> facts(const Sizes& s) const override {
    return {{"ALIGNED", s[1] % 4 == 0 && s[2] % 4 == 0 ? 1 : 0},
            {"N_MULTIPLE", power_of_two_in(s[1])},
            {"W_MULTIPLE", power_of_two_in(s[2])}};
  }
  glm::uvec3 extent(const Sizes& s) const override { return {s[1], s[0], 1}; }
  double flops(const Sizes& s) const override { return 2.0 * Shape(s).products(); }

  HostBuffers inputs(const Problem& p) const override {
    const Shape s(p.sizes);
    HostBuffers host{std::vector<float>(s.m * s.w), std::vector<float>(s.w * s.n), {}};
    fill_random(host[0], s.w, p.seed, 0);
    fill_random(host[1], s.n, p.seed, 1);
    return host;
  }

  Check verify(const Problem& p, const HostBuffers& before,
               const HostBuffers& after) const override {
    const Shape s(p.sizes);
    const bool complete = s.products() <= kCompleteLimit;
    Comparison comparison =
        complete ? compare_all(s, before, after[2]) : compare_samples(s, before, after[2], p.seed);
    std::string method = "every element";
    if (!complete) {
      const Comparison rows = compare_rows(s, before, after[2], p.seed);
      if (rows.max_error() > comparison.max_error()) {
        comparison.merge(rows);
      }
      method = std::to_string(kSamples) + " elements, and every row by Freivalds' check";
    }
    Check check = comparison.finish(buffers(p.sizes), sum_tolerance(s.w));
    check.elements = s.m * s.n;
    check.scale = "the sum of the magnitudes of the element's products";
    check.method = method;
    return check;
  }

  Region writes(const Sizes&, const Box& items) const override {
    return {2, items.first.y, items.last.y, items.first.x, items.last.x};
  }
  std::vector<Region> reads(const Sizes& s, const Box& items) const override {
    return {{0, items.first.y, items.last.y, 0, s[2]}, {1, 0, s[2], items.first.x, items.last.x}};
  }
};

}  // namespace

const Workload* matmul() {
  static const Matmul workload;
  return &workload;
}

}  // namespace core
