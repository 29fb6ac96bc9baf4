// References in double that a described workload (core/workloads/described.h) names. One file each
// beside this one, and one row in references.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/catalogue/workload.h"
#include "core/work/comparison.h"

namespace core {

/// What a reference is asked: whether the outputs in `after` are what the inputs in `before` ask
/// for. Buffers are known by their place, as Reference::takes says.
struct Question {
  std::span<const BufferSpec> buffers;
  std::span<const std::int64_t> arguments;
  const HostBuffers& before;
  const HostBuffers& after;
  std::uint64_t seed = 1;                  ///< of samples, where not everything is compared
  DifferenceRecorder* recorder = nullptr;  ///< notes what is compared; null: nobody does
};

struct Reference {
  std::string name;         ///< "sum"
  std::string takes;        ///< its buffers and arguments, for those who write a description
  std::vector<Role> roles;  ///< of the buffers, in order
  std::size_t arguments = 0;
  /// Why the buffers' shapes do not fit together; empty: they do. Roles and the number of arguments
  /// are right already.
  std::string (*misfit)(std::span<const BufferSpec> buffers,
                        std::span<const std::int64_t> arguments);
  Check (*verify)(const Question& question);
};

[[nodiscard]] std::span<const Reference> references();
/// Null when there is none of that name.
[[nodiscard]] const Reference* reference_named(const std::string& name);

/// The sum of all elements. Exact where all of them are whole numbers and few enough: see sum.cpp.
[[nodiscard]] Reference sum_reference();
/// Each element becomes the sum of those up to and with it.
[[nodiscard]] Reference prefix_sum_reference();
/// How many bytes have each value from 0 to 255.
[[nodiscard]] Reference byte_histogram_reference();
/// An image convolved with weights around each pixel; outside of the image is 0.
[[nodiscard]] Reference convolution_reference();
/// softmax(Q·Kᵀ/√d)·V for each head.
[[nodiscard]] Reference attention_reference();

/// Sums of float32 whole numbers are exact in any order as long as all partial sums stay below
/// 2^24. In an order that does not depend on the values those of random signs are a random walk,
/// and one beyond eight times its standard deviation, the root of the sum of squares, does not
/// happen.
[[nodiscard]] bool sums_are_exact(std::span<const float> values);

}  // namespace core
