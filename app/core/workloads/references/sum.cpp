#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/base/parallel.h"
#include "core/workloads/references/references.h"

namespace core {
namespace {

constexpr std::size_t kGrain = std::size_t{1} << 20U;

struct Sum {
  double sum = 0.0, magnitude = 0.0;
};

Sum sum_of(std::span<const float> values) {
  Sum all;
  std::mutex mutex;
  parallel_for(values.size(), kGrain, [&](std::size_t first, std::size_t last) {
    Sum mine;
    for (const float value : values.subspan(first, last - first)) {
      mine.sum += static_cast<double>(value);
      mine.magnitude += std::abs(static_cast<double>(value));
    }
    const std::scoped_lock lock(mutex);
    all.sum += mine.sum;
    all.magnitude += mine.magnitude;
  });
  return all;
}

std::string sum_misfit(std::span<const BufferSpec> buffers, std::span<const std::int64_t>) {
  return buffers[1].words() == 1 ? "" : "the output must have one element";
}

Check verify_sum(const Question& q) {
  const std::span<const float> values = q.before[0];
  const Sum want = sum_of(values);
  const bool exact = sums_are_exact(values);
  Comparison all(q.recorder);
  all.add(1, 0, static_cast<double>(q.after[1][0]), want.sum, std::max(want.magnitude, 1e-30));
  Check check =
      all.finish({q.buffers.begin(), q.buffers.end()}, exact ? 0.0 : sum_tolerance(values.size()));
  check.elements = 1;
  check.scale = "the sum of the magnitudes";
  check.method = exact ? "the sum; a sum of whole numbers is exact in any order" : "the sum";
  return check;
}

}  // namespace

bool sums_are_exact(std::span<const float> values) {
  double squares = 0.0;
  bool whole = true;
  std::mutex mutex;
  parallel_for(values.size(), kGrain, [&](std::size_t first, std::size_t last) {
    double mine = 0.0;
    bool all = true;
    for (const float value : values.subspan(first, last - first)) {
      mine += static_cast<double>(value) * static_cast<double>(value);
      all = all && value == std::trunc(value);
    }
    const std::scoped_lock lock(mutex);
    squares += mine;
    whole = whole && all;
  });
  return whole && 8.0 * std::sqrt(squares) < 0x1.0p24;
}

Reference sum_reference() {
  return {"sum",
          "an input of any shape, and an output with one element",
          {Role::input, Role::output},
          0,
          sum_misfit,
          verify_sum};
}

}  // namespace core
