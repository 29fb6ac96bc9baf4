#include "core/work/comparison.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <mutex>

#include "core/base/field.h"
#include "core/base/parallel.h"
#include "core/report/difference.h"

namespace core {
namespace {

std::string value_text(const BufferSpec& spec, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g", value);
  return spec.whole && value == kUnwritten ? "not written" : text.data();
}

// Inputs may hold infinities and NaN: what follows from them is right where it is the same.
double error_of(double got, double want, double scale) {
  if (std::isfinite(got) && std::isfinite(want)) {
    return std::abs(got - want) / scale;
  }
  const bool same = std::isnan(want) ? std::isnan(got) : got == want;
  return same ? 0.0 : std::numeric_limits<double>::infinity();
}

}  // namespace

void Comparison::add(std::size_t buffer, std::uint64_t index, double got, double want,
                     double scale) {
  if (recorder_ != nullptr) {
    recorder_->note(buffer, index, got, want);
  }
  add_derived(buffer, index, got, want, scale);
}

void Comparison::add_derived(std::size_t buffer, std::uint64_t index, double got, double want,
                             double scale) {
  ++compared_;
  const double error = error_of(got, want, scale);
  if (error > max_error_ || compared_ == 1) {
    max_error_ = error;
    buffer_ = buffer;
    index_ = index;
    got_ = got;
    want_ = want;
  }
}

void Comparison::merge(const Comparison& other) {
  const std::uint64_t total = compared_ + other.compared_;
  if (other.compared_ > 0 && (compared_ == 0 || other.max_error_ > max_error_)) {
    *this = other;
  }
  compared_ = total;
}

Check Comparison::finish(const std::vector<BufferSpec>& buffers, double tolerance) const {
  Check check{.done = true, .correct = compared_ > 0 && max_error_ <= tolerance};
  check.max_error = max_error_;
  check.tolerance = tolerance;
  check.compared = compared_;
  if (compared_ > 0) {
    const BufferSpec& spec = buffers[buffer_];
    const std::uint64_t element = index_ / spec.components;
    const std::size_t component = index_ % spec.components;
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "%s[%llu][%llu]%.*s is %s, should be %s",
                  spec.name.c_str(), static_cast<unsigned long long>(element / spec.columns),
                  static_cast<unsigned long long>(element % spec.columns),
                  spec.components > 1 ? 2 : 0, &".x.y.z.w"[2 * (component % 4)],
                  value_text(spec, got_).c_str(), value_text(spec, want_).c_str());
    check.worst = text.data();
  }
  return check;
}

Comparison compare_parts(
    DifferenceRecorder* recorder, std::size_t count, std::size_t grain,
    const std::function<void(std::size_t first, std::size_t last, Comparison& mine)>& part) {
  Comparison all(recorder);
  std::mutex mutex;
  parallel_for(count, grain, [&](std::size_t first, std::size_t last) {
    Comparison mine(recorder);
    part(first, last, mine);
    const std::scoped_lock lock(mutex);
    all.merge(mine);
  });
  return all;
}

Check compare_outputs(const std::vector<BufferSpec>& buffers, const HostBuffers& want,
                      const HostBuffers& after, double tolerance, DifferenceRecorder* recorder) {
  Comparison all(recorder);
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    double largest = 0.0;
    for (const float value : want[b]) {
      largest =
          std::isfinite(value) ? std::max(largest, std::abs(static_cast<double>(value))) : largest;
    }
    for (std::size_t i = 0; i < want[b].size(); ++i) {
      if (buffers[b].whole) {
        all.add(b, i, number_of(buffers[b], after[b][i]), number_of(buffers[b], want[b][i]), 1.0);
      } else {
        all.add(b, i, static_cast<double>(after[b][i]), static_cast<double>(want[b][i]),
                std::max(largest, std::numeric_limits<double>::min()));
      }
    }
  }
  Check check = all.finish(buffers, tolerance);
  check.elements = check.compared;
  check.scale = "the largest magnitude of the reference kernel's answer";
  check.method = "every element, with the reference kernel's";
  return check;
}

double sum_tolerance(std::uint64_t terms) {
  return 4.0 * (std::sqrt(static_cast<double>(terms)) + 4.0) * 0x1.0p-24;
}

}  // namespace core
