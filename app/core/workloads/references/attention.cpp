#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "core/base/random.h"
#include "core/workloads/references/references.h"

namespace core {
namespace {

constexpr double kAttentionLimit = 2e8;  // multiply-adds in double that a check may cost

struct Shape {
  std::size_t heads, length, dim;
};

Shape shape_of(const Question& q) {
  const auto heads = static_cast<std::size_t>(q.arguments[0]);
  return {heads, q.buffers[0].rows / heads, q.buffers[0].columns};
}

std::string attention_misfit(std::span<const BufferSpec> buffers,
                             std::span<const std::int64_t> arguments) {
  for (const BufferSpec& buffer : buffers) {
    if (buffer.rows != buffers[0].rows || buffer.columns != buffers[0].columns) {
      return "queries, keys, values and the output must have the same shape";
    }
  }
  return arguments[0] >= 1 && buffers[0].rows % arguments[0] == 0
             ? ""
             : "the number of rows must be a multiple of the number of heads";
}

// One query of one head: its answer compared; returns the sum of magnitudes of its largest score.
double compare_query(const Question& q, const Shape& s, std::size_t row, Comparison& all) {
  const std::size_t first = row / s.length * s.length;
  const float* query = q.before[0].data() + row * s.dim;
  std::vector<double> weights(s.length);
  double most = -INFINITY;
  double largest = 0.0;
  const double scale = 1.0 / std::sqrt(static_cast<double>(s.dim));
  for (std::size_t k = 0; k < s.length; ++k) {
    const float* key = q.before[1].data() + (first + k) * s.dim;
    double score = 0.0;
    double magnitude = 0.0;
    for (std::size_t d = 0; d < s.dim; ++d) {
      const double product = static_cast<double>(query[d]) * static_cast<double>(key[d]);
      score += product;
      magnitude += std::abs(product);
    }
    weights[k] = score * scale;
    most = std::max(most, weights[k]);
    largest = std::max(largest, magnitude * scale);
  }
  double total = 0.0;
  for (double& weight : weights) {
    weight = std::exp(weight - most);
    total += weight;
  }
  std::vector<double> sum(s.dim, 0.0);
  std::vector<double> magnitude(s.dim, 0.0);
  for (std::size_t k = 0; k < s.length; ++k) {
    const float* value = q.before[2].data() + (first + k) * s.dim;
    for (std::size_t d = 0; d < s.dim; ++d) {
      const double part = weights[k] / total * static_cast<double>(value[d]);
      sum[d] += part;
      magnitude[d] += std::abs(part);
    }
  }
  for (std::size_t d = 0; d < s.dim; ++d) {
    const std::size_t at = row * s.dim + d;
    all.add(3, at, static_cast<double>(q.after[3][at]), sum[d], std::max(magnitude[d], 1e-30));
  }
  return largest;
}

std::vector<std::size_t> queries_to_compare(const Question& q, const Shape& s) {
  const std::size_t rows = s.heads * s.length;
  const double cost = 2.0 * static_cast<double>(s.length) * static_cast<double>(s.dim);
  const auto affordable = static_cast<std::size_t>(kAttentionLimit / cost) + 4;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min(rows, affordable); ++i) {
    // The first and last of the first and last head, then any.
    const std::size_t corner = (i & 1U ? s.length - 1 : 0) + (i & 2U ? rows - s.length : 0);
    chosen.push_back(rows <= affordable ? i : i < 4 ? corner : mix(mix(q.seed) + i) % rows);
  }
  return chosen;
}

Check verify_attention(const Question& q) {
  const Shape s = shape_of(q);
  const auto rows = queries_to_compare(q, s);
  double largest = 0.0;
  std::mutex mutex;
  const auto part = [&](std::size_t first, std::size_t last, Comparison& mine) {
    double score = 0.0;
    for (std::size_t r = first; r < last; ++r) {
      score = std::max(score, compare_query(q, s, rows[r], mine));
    }
    const std::scoped_lock lock(mutex);
    largest = std::max(largest, score);
  };
  const Comparison all = compare_parts(q.recorder, rows.size(), 8, part);
  // An error of a score is a relative error of its weight: that of a sum of `dim` products, and of
  // the exponential, 3 + 2·|x| units in the last place (Vulkan, "Precision of GLSL.std.450").
  const double weights = largest * sum_tolerance(s.dim) + (3.0 + 4.0 * largest) * 0x1.0p-23;
  Check check = all.finish({q.buffers.begin(), q.buffers.end()},
                           2.0 * sum_tolerance(s.length) + 2.0 * weights);
  check.elements = q.buffers[3].elements();
  check.scale = "the weighted sum of the magnitudes of the values";
  check.method = rows.size() == s.heads * s.length
                     ? "every element"
                     : std::to_string(rows.size()) +
                           " queries, including the corners of the first and last head";
  return check;
}

}  // namespace

Reference attention_reference() {
  return {"attention",
          "queries, keys, values and an output, each with heads·length rows and one column per "
          "component of a head; argument: the number of heads",
          {Role::input, Role::input, Role::input, Role::output},
          1,
          attention_misfit,
          verify_attention};
}

}  // namespace core
