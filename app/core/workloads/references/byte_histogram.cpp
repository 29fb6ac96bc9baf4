#include <array>
#include <bit>
#include <mutex>

#include "core/base/parallel.h"
#include "core/workloads/references/references.h"

namespace core {
namespace {

constexpr std::size_t kBins = 256;

std::string histogram_misfit(std::span<const BufferSpec> buffers,
                             std::span<const std::int64_t> arguments) {
  if (!buffers[0].whole || !buffers[1].whole || buffers[1].words() != kBins) {
    return "the bytes must be in words of type uint, and the counts must be 256 of type uint";
  }
  return arguments[0] >= 0 && static_cast<std::uint64_t>(arguments[0]) <= 4 * buffers[0].words()
             ? ""
             : "the number of bytes is larger than the words can hold";
}

std::array<std::uint64_t, kBins> counts_of(std::span<const float> words, std::size_t bytes) {
  std::array<std::uint64_t, kBins> counts{};
  std::mutex mutex;
  parallel_for(bytes, std::size_t{1} << 20U, [&](std::size_t first, std::size_t last) {
    std::array<std::uint64_t, kBins> mine{};
    for (std::size_t i = first; i < last; ++i) {
      ++mine[std::bit_cast<std::uint32_t>(words[i / 4]) >> (8 * (i % 4)) & 0xFFU];
    }
    const std::scoped_lock lock(mutex);
    for (std::size_t b = 0; b < kBins; ++b) {
      counts[b] += mine[b];
    }
  });
  return counts;
}

Check verify_histogram(const Question& q) {
  const auto counts = counts_of(q.before[0], static_cast<std::size_t>(q.arguments[0]));
  Comparison all(q.recorder);
  for (std::size_t b = 0; b < kBins; ++b) {
    all.add(1, b, static_cast<double>(std::bit_cast<std::uint32_t>(q.after[1][b])),
            static_cast<double>(counts[b]), 1.0);
  }
  Check check = all.finish({q.buffers.begin(), q.buffers.end()}, 0.0);
  check.elements = kBins;
  check.scale = "one";
  check.method = "every count";
  return check;
}

}  // namespace

Reference byte_histogram_reference() {
  return {"byte_histogram",
          "bytes in words of type uint, 256 counts of type uint; argument: the number of bytes",
          {Role::input, Role::output},
          1,
          histogram_misfit,
          verify_histogram};
}

}  // namespace core
