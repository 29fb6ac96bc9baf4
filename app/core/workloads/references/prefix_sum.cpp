#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/parallel.h"
#include "core/workloads/references/references.h"

namespace core {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18U;

struct Running {
  double sum = 0.0, magnitude = 0.0;
  void add(float value) {
    sum += static_cast<double>(value);
    magnitude += std::abs(static_cast<double>(value));
  }
};

// What has come before each block.
std::vector<Running> starts_of(std::span<const float> values) {
  std::vector<Running> starts(values.size() / kBlock + 2);
  parallel_for(starts.size() - 1, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) {
      const std::size_t end = std::min(values.size(), (b + 1) * kBlock);
      for (std::size_t i = b * kBlock; i < end; ++i) {
        starts[b + 1].add(values[i]);
      }
    }
  });
  for (std::size_t b = 1; b < starts.size(); ++b) {
    starts[b].sum += starts[b - 1].sum;
    starts[b].magnitude += starts[b - 1].magnitude;
  }
  return starts;
}

std::string prefix_misfit(std::span<const BufferSpec> buffers, std::span<const std::int64_t>) {
  return buffers[0].words() == buffers[1].words()
             ? ""
             : "the output must have as many elements as the input";
}

Check verify_prefix(const Question& q) {
  const std::span<const float> values = q.before[0];
  const std::span<const float> got = q.after[1];
  const auto starts = starts_of(values);
  const auto part = [&](std::size_t first, std::size_t last, Comparison& mine) {
    for (std::size_t b = first; b < last; ++b) {
      Running running = starts[b];
      const std::size_t end = std::min(values.size(), (b + 1) * kBlock);
      for (std::size_t i = b * kBlock; i < end; ++i) {
        running.add(values[i]);
        mine.add(1, i, static_cast<double>(got[i]), running.sum,
                 std::max(running.magnitude, 1e-30));
      }
    }
  };
  const Comparison all = compare_parts(q.recorder, starts.size() - 1, 1, part);
  const bool exact = sums_are_exact(values);
  Check check =
      all.finish({q.buffers.begin(), q.buffers.end()}, exact ? 0.0 : sum_tolerance(values.size()));
  check.elements = values.size();
  check.scale = "the sum of the magnitudes up to the element";
  check.method =
      exact ? "every element; sums of whole numbers are exact in any order" : "every element";
  return check;
}

}  // namespace

Reference prefix_sum_reference() {
  return {"prefix_sum",
          "an input, and an output with as many elements",
          {Role::input, Role::output},
          0,
          prefix_misfit,
          verify_prefix};
}

}  // namespace core
