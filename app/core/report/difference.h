// Where an answer differs from its reference, and by how much: a heat map of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/field.h"
#include "core/catalogue/workload.h"

namespace core {

/// Of one output. Where a texel stands for several elements, it is the one of them that differs
/// most.
struct Difference {
  static constexpr const char* unit = "got − wanted";
  Field field;  ///< got − wanted; infinite where what was got is not finite; NaN: not compared
  std::vector<float> got, wanted;   ///< a texel each
  double largest = 0.0;             ///< finite magnitude in `wanted_words`
  std::vector<float> wanted_words;  ///< of each word of the output; NaN: not compared
  std::uint64_t compared = 0;       ///< elements
  std::uint64_t elements = 0;
};

/// A list of them, one a buffer; null: no output, or none of it was compared.
using Differences = std::vector<std::shared_ptr<const Difference>>;

/// Notes what the comparisons that are given it compare (core/work/comparison.h).
class DifferenceRecorder {
 public:
  /// Words of all outputs that are kept at most: of larger answers nothing is kept.
  static constexpr std::uint64_t kMostWords = std::uint64_t{1} << 23U;

  explicit DifferenceRecorder(const std::vector<BufferSpec>& buffers);
  /// Different words may be noted by different threads at once.
  void note(std::size_t buffer, std::uint64_t word, double got, double want);
  /// Reduced so that neither side has more than `limit` texels.
  [[nodiscard]] Differences differences(std::uint32_t limit = 1024) const;

 private:
  struct Output {
    std::vector<float> got, wanted;  // a word each; wanted is NaN where nothing was noted
  };
  std::vector<BufferSpec> buffers_;
  std::vector<Output> outputs_;
};

}  // namespace core
