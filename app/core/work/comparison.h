// Collects the comparison of an answer with its reference, element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/catalogue/workload.h"
#include "core/values/typed_values.h"

namespace core {

/// Keeps the largest error and where it was. Errors are |got − want| / scale; an answer that is not
/// finite counts as infinitely wrong, so poison that was never overwritten shows; but where the
/// reference says the same, of inputs that are not finite themselves, it is right.
class Comparison {
 public:
  /// `recorder` notes each word that is added; null: nobody does.
  explicit Comparison(DifferenceRecorder* recorder = nullptr) : recorder_(recorder) {}
  /// One word. `index` is its place in the buffer; `scale` is above 0.
  void add(std::size_t buffer, std::uint64_t index, double got, double want, double scale);
  /// What is no word, but follows from several: named by the first of them, and noted nowhere.
  void add_derived(std::size_t buffer, std::uint64_t index, double got, double want, double scale);
  void merge(const Comparison& other);
  /// The worst word is named by its buffer, row, column and component.
  [[nodiscard]] Check finish(const std::vector<BufferSpec>& buffers, double tolerance) const;
  [[nodiscard]] double max_error() const { return max_error_; }

 private:
  std::uint64_t compared_ = 0;
  double max_error_ = 0.0;
  std::size_t buffer_ = 0;
  std::uint64_t index_ = 0;
  double got_ = 0.0;
  double want_ = 0.0;
  DifferenceRecorder* recorder_ = nullptr;
};

/// Those of [0, count), made in parts on several threads (core/base/parallel.h) and put together.
[[nodiscard]] Comparison compare_parts(
    DifferenceRecorder* recorder, std::size_t count, std::size_t grain,
    const std::function<void(std::size_t first, std::size_t last, Comparison& mine)>& part);

/// Every word of every output against another kernel's answer, relative to the largest magnitude in
/// the same buffer; whole numbers must be the same.
[[nodiscard]] Check compare_outputs(const std::vector<BufferSpec>& buffers, const HostBuffers& want,
                                    const HostBuffers& after, double tolerance,
                                    DifferenceRecorder* recorder = nullptr);

/// Largest difference of two halves that counts as the same, relative to the largest magnitude of
/// their buffer: their unit roundoff is 2^-11.
inline constexpr double kHalfTolerance = 2e-3;

/// As compare_outputs(), where `layouts` has the types of a buffer: each scalar is named as the
/// kernel names it, and compared as what it is. Floats of 32 and 64 bits may differ by `tolerance`
/// of the largest magnitude in their buffer, halves by kHalfTolerance; integers must be the same.
[[nodiscard]] Check compare_typed(const std::vector<BufferSpec>& buffers,
                                  const std::vector<BlockLayout>& layouts, const HostBuffers& want,
                                  const HostBuffers& after, double tolerance,
                                  DifferenceRecorder* recorder = nullptr);

/// Rounding errors of a float32 sum of `terms` products grow like a random walk: their standard
/// deviation is about sqrt(terms) units of 2^-24 of the sum of magnitudes (Higham and Mary 2019, "A
/// New Approach to Probabilistic Rounding Error Analysis"). Four times that, with room for short
/// sums. One dropped term is 1/terms, which is far above it for every size that fits a device.
[[nodiscard]] double sum_tolerance(std::uint64_t terms);

}  // namespace core
