#include "core/work/dispatch.h"

#include <bit>
#include <cstring>

#include "core/base/random.h"

namespace core {
namespace {

// A quiet NaN with a payload that no kernel makes by accident.
constexpr std::uint32_t kPoison = 0x7FC0DEAD;

std::vector<std::uint32_t> words_of(std::span<const std::byte> bytes, std::size_t count) {
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), bytes.data(), std::min(bytes.size(), count * 4));
  return words;
}

}  // namespace

std::vector<std::uint32_t> initial_words(const Resource& resource, std::uint64_t seed,
                                         std::uint64_t stream) {
  const auto count = static_cast<std::size_t>((resource.bytes + 3) / 4);
  if (!resource.content.bytes.empty()) {
    return words_of(resource.content.bytes, count);
  }
  const bool floats = resource.words == Words::floating;
  switch (resource.content.fill) {
    case Fill::zero:
      return std::vector<std::uint32_t>(count);
    case Fill::poison:
      return std::vector<std::uint32_t>(count, kPoison);
    case Fill::iota: {
      std::vector<std::uint32_t> words(count);
      for (std::size_t i = 0; i < count; ++i) {
        words[i] = floats ? std::bit_cast<std::uint32_t>(static_cast<float>(i))
                          : static_cast<std::uint32_t>(i);
      }
      return words;
    }
    case Fill::random:
      break;
  }
  std::vector<std::uint32_t> words(count);
  for (std::size_t i = 0; i < count; ++i) {
    words[i] =
        floats
            ? std::bit_cast<std::uint32_t>(static_cast<float>(2.0 * uniform(seed, stream, i) - 1.0))
            : static_cast<std::uint32_t>(mix(mix(seed + stream) + i));
  }
  return words;
}

}  // namespace core
