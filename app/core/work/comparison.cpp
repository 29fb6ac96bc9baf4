#include "core/work/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <mutex>
#include <span>

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

// The scalar that differs most, in units of what it may differ by.
struct Worst {
  double margin = -1.0;
  double error = 0.0;
  double tolerance = 0.0;
  std::string text;
};

class TypedComparison {
 public:
  TypedComparison(std::size_t buffer, const BufferSpec& spec, const BlockLayout& layout,
                  BufferBytes got, BufferBytes want, double tolerance, DifferenceRecorder* recorder)
      : buffer_(buffer),
        spec_(spec),
        layout_(layout),
        got_(got.first(std::min(got.size(), want.size()))),
        want_(want.first(got_.size())),
        tolerance_(tolerance),
        recorder_(recorder) {}

  void run(Worst& worst, std::uint64_t& compared) {
    visit([&](const ScalarPlace& at, std::uint64_t offset, std::uint64_t /*index*/) {
      const double size = std::abs(number_of(bits_at(want_, offset, at.bits), at));
      // As doubles and halves, what stands in unwritten elements is a number.
      if (at.number == NumberKind::floating && std::isfinite(size) &&
          is_written(want_, offset, at.bits)) {
        largest_ = std::max(largest_, size);
      }
    });
    visit([&](const ScalarPlace& at, std::uint64_t offset, std::uint64_t index) {
      ++compared;
      compare(at, offset, index, worst);
    });
  }

 private:
  static constexpr std::uint64_t kNoElement = ~std::uint64_t{0};

  template <typename Visit>
  void visit(const Visit& each) const {
    const auto inside = [&](std::uint64_t offset, const ScalarPlace& at) {
      return offset + at.bits / 8 <= got_.size() && offset / 4 * 4 + 4 <= got_.size();
    };
    for (const ScalarPlace& at : layout_.fixed) {
      if (inside(at.offset, at)) {
        each(at, at.offset, kNoElement);
      }
    }
    if (layout_.stride == 0) {
      return;
    }
    for (std::uint64_t i = 0; layout_.array_offset + i * layout_.stride < got_.size(); ++i) {
      const std::uint64_t first = layout_.array_offset + i * layout_.stride;
      for (const ScalarPlace& at : layout_.element) {
        if (inside(first + at.offset, at)) {
          each(at, first + at.offset, i);
        }
      }
    }
  }

  void compare(const ScalarPlace& at, std::uint64_t offset, std::uint64_t index, Worst& worst) {
    const std::uint64_t got = bits_at(got_, offset, at.bits);
    const std::uint64_t want = bits_at(want_, offset, at.bits);
    const bool written = is_written(got_, offset, at.bits) == is_written(want_, offset, at.bits);
    const double error = got == want ? 0.0
                         : !written && at.number == NumberKind::floating
                             ? std::numeric_limits<double>::infinity()
                             : error_of(number_of(got, at), number_of(want, at), at);
    const double tolerance =
        at.number == NumberKind::floating && at.bits == 16 ? kHalfTolerance : tolerance_;
    if (recorder_ != nullptr) {
      recorder_->note(buffer_, offset / 4, number_of(got, at), number_of(want, at));
    }
    if (error / tolerance > worst.margin) {
      worst = {.margin = error / tolerance,
               .error = error,
               .tolerance = tolerance,
               .text = name(at, index) + " is " + value_text(got_, offset, at) + ", should be " +
                       value_text(want_, offset, at)};
    }
  }

  // Integers: at least 1 if they differ, also where a double holds no difference.
  [[nodiscard]] double error_of(double got, double want, const ScalarPlace& at) const {
    if (at.number != NumberKind::floating) {
      return std::max(std::abs(got - want), 1.0);
    }
    if (std::isfinite(got) && std::isfinite(want)) {
      return std::abs(got - want) / std::max(largest_, std::numeric_limits<double>::min());
    }
    const bool same = std::isnan(want) ? std::isnan(got) : got == want;
    return same ? 0.0 : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] std::string name(const ScalarPlace& at, std::uint64_t index) const {
    if (index == kNoElement) {
      return at.name.empty() ? spec_.name : at.name;
    }
    return (layout_.array.empty() ? spec_.name : layout_.array) + "[" + std::to_string(index) +
           "]" + at.name;
  }

  std::size_t buffer_;
  const BufferSpec& spec_;
  const BlockLayout& layout_;
  BufferBytes got_, want_;
  double tolerance_;
  DifferenceRecorder* recorder_;
  double largest_ = 0.0;
};

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
  check.scale = "the largest magnitude in the outputs of the reference kernel";
  check.method = "every element, compared with the reference kernel";
  return check;
}

Check compare_typed(const std::vector<BufferSpec>& buffers, const std::vector<BlockLayout>& layouts,
                    const HostBuffers& want, const HostBuffers& after, double tolerance,
                    DifferenceRecorder* recorder) {
  HostBuffers others(want.size());  // of unknown types: images, and memory behind addresses
  Worst worst;
  std::uint64_t compared = 0;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    if (b >= layouts.size() || layouts[b].empty() || want[b].empty()) {
      others[b] = want[b];
      continue;
    }
    TypedComparison(b, buffers[b], layouts[b], std::as_bytes(std::span(after[b])),
                    std::as_bytes(std::span(want[b])), tolerance, recorder)
        .run(worst, compared);
  }
  Check check = compare_outputs(buffers, others, after, tolerance, recorder);
  if (compared > 0) {
    const bool right = worst.margin <= 1.0 && (check.compared == 0 || check.correct);
    if (check.compared == 0 || worst.margin >= check.max_error / tolerance) {
      check.max_error = worst.error;
      check.tolerance = worst.tolerance;
      check.worst = worst.text;
    }
    check.correct = right;
    check.compared += compared;
  }
  check.elements = check.compared;
  return check;
}

double sum_tolerance(std::uint64_t terms) {
  return 4.0 * (std::sqrt(static_cast<double>(terms)) + 4.0) * 0x1.0p-24;
}

}  // namespace core
