#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/random.h"
#include "core/workloads/references/references.h"

namespace core {
namespace {

constexpr double kConvolutionLimit = 4e8;  // multiply-adds in double that a check may cost
constexpr std::uint64_t kSampledRows = 64;

std::string convolution_misfit(std::span<const BufferSpec> buffers, std::span<const std::int64_t>) {
  return buffers[0].rows == buffers[2].rows && buffers[0].columns == buffers[2].columns
             ? ""
             : "the output must have the same shape as the image";
}

// One row of the answer, and the sums of magnitudes that its errors are measured by.
void compare_row(const Question& q, std::int64_t y, Comparison& all) {
  const auto rows = static_cast<std::int64_t>(q.buffers[0].rows);
  const auto columns = static_cast<std::int64_t>(q.buffers[0].columns);
  const auto high = static_cast<std::int64_t>(q.buffers[1].rows);
  const auto wide = static_cast<std::int64_t>(q.buffers[1].columns);
  for (std::int64_t x = 0; x < columns; ++x) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (std::int64_t j = std::max<std::int64_t>(0, high / 2 - y);
         j < std::min(high, rows + high / 2 - y); ++j) {
      const float* line = q.before[0].data() + (y + j - high / 2) * columns;
      const float* weights = q.before[1].data() + j * wide;
      for (std::int64_t i = std::max<std::int64_t>(0, wide / 2 - x);
           i < std::min(wide, columns + wide / 2 - x); ++i) {
        const double product =
            static_cast<double>(line[x + i - wide / 2]) * static_cast<double>(weights[i]);
        sum += product;
        magnitude += std::abs(product);
      }
    }
    const auto at = static_cast<std::size_t>(y * columns + x);
    all.add(2, at, static_cast<double>(q.after[2][at]), sum, std::max(magnitude, 1e-30));
  }
}

// All rows, or the first and last ones, whose windows reach over the edge, and some between.
std::vector<std::int64_t> rows_to_compare(const Question& q) {
  const std::uint64_t rows = q.buffers[0].rows;
  const double taps = static_cast<double>(q.buffers[1].elements());
  const double row_cost = taps * static_cast<double>(q.buffers[0].columns);
  std::vector<std::int64_t> chosen;
  const auto affordable = static_cast<std::uint64_t>(kConvolutionLimit / row_cost) + 1;
  if (rows <= affordable) {
    for (std::uint64_t y = 0; y < rows; ++y) {
      chosen.push_back(static_cast<std::int64_t>(y));
    }
    return chosen;
  }
  const std::uint64_t count = std::min(affordable, kSampledRows);
  for (std::uint64_t s = 0; s < count; ++s) {
    const std::uint64_t random = mix(mix(q.seed) + s) % rows;
    chosen.push_back(static_cast<std::int64_t>(s == 0 ? 0 : s == 1 ? rows - 1 : random));
  }
  return chosen;
}

Check verify_convolution(const Question& q) {
  const auto rows = rows_to_compare(q);
  const auto part = [&](std::size_t first, std::size_t last, Comparison& mine) {
    for (std::size_t r = first; r < last; ++r) {
      compare_row(q, rows[r], mine);
    }
  };
  const Comparison all = compare_parts(q.recorder, rows.size(), 1, part);
  // Three times the products' error: weights may be split into two factors, which are rounded too.
  Check check = all.finish({q.buffers.begin(), q.buffers.end()},
                           3.0 * sum_tolerance(q.buffers[1].elements()));
  check.elements = q.buffers[2].elements();
  check.scale = "the sum of magnitudes";
  check.method = rows.size() == q.buffers[0].rows
                     ? "every element"
                     : std::to_string(rows.size()) + " rows, including the first and the last";
  return check;
}

}  // namespace

Reference convolution_reference() {
  return {"convolution",
          "an image, weights (centred on the pixel: the centre is at row rows/2, column "
          "columns/2), and an output of the same shape as the image",
          {Role::input, Role::input, Role::output},
          0,
          convolution_misfit,
          verify_convolution};
}

}  // namespace core
