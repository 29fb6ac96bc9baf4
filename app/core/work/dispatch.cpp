#include "core/work/dispatch.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/field.h"
#include "core/base/random.h"

namespace core {
namespace {

std::vector<std::uint32_t> words_of(std::span<const std::byte> bytes, std::size_t count) {
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), bytes.data(), std::min(bytes.size(), count * 4));
  return words;
}

// Of a component that holds no more than so many numbers.
std::uint32_t iota_word(std::size_t i, const ImageFormat* format, bool floats) {
  const bool normalized =
      format != nullptr && (format->numeric == Numeric::unorm || format->numeric == Numeric::snorm);
  if (normalized) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(i % 256) / 255.0F);
  }
  return floats ? std::bit_cast<std::uint32_t>(static_cast<float>(i))
                : static_cast<std::uint32_t>(i);
}

// Random numbers of a range that the content names.
std::uint32_t random_word(std::size_t i, const ImageFormat* format, bool floats,
                          const Content& content, std::uint64_t seed, std::uint64_t stream) {
  if (!floats) {
    const auto bits = static_cast<std::uint32_t>(mix(mix(seed + stream) + i));
    return content.fill == Fill::negative ? bits | 0x80000000U
           : content.fill == Fill::large  ? bits & 0x7FFFFFFFU
           : content.number != 0          ? bits % content.number
                                          : bits;
  }
  const double value = uniform(seed, stream, i);
  const bool unit = format != nullptr && format->numeric == Numeric::unorm;
  const double number = content.fill == Fill::negative ? value - 1.0
                        : content.fill == Fill::large  ? value * 1e30
                        : content.number != 0          ? value * content.number
                        : unit                         ? value
                                                       : 2.0 * value - 1.0;
  return std::bit_cast<std::uint32_t>(static_cast<float>(number));
}

}  // namespace

std::string Resource::place() const {
  if (!is_bound()) {
    return name;
  }
  std::string text = std::to_string(set) + "." + std::to_string(binding);
  return name.ends_with(']') ? text + "[" + std::to_string(element) + "]" : text;
}

bool shares_memory(std::span<const Resource> resources, std::size_t number) {
  return !resources[number].has_own_memory() ||
         std::ranges::find(resources, number, &Resource::memory_of) != resources.end();
}

std::vector<std::uint32_t> initial_words(const Resource& resource, std::uint64_t seed,
                                         std::uint64_t stream) {
  const ImageFormat* format = resource.has_texels() ? image_format(resource.image.format) : nullptr;
  const auto count = static_cast<std::size_t>(
      format != nullptr ? resource.image.texels() * format->components : (resource.bytes + 3) / 4);
  if (!resource.content.bytes.empty()) {
    if (format == nullptr) {
      return words_of(resource.content.bytes, count);
    }
    auto words = decode_texels(*format, resource.content.bytes);
    words.resize(count);
    return words;
  }
  const bool floats = format != nullptr ? !format->whole() && format->numeric != Numeric::packed
                                        : resource.words == Words::floating;
  std::vector<std::uint32_t> words(count);
  const Content& content = resource.content;
  const std::uint32_t equal =
      floats ? std::bit_cast<std::uint32_t>(static_cast<float>(content.number)) : content.number;
  for (std::size_t i = 0; i < count && content.fill != Fill::zero; ++i) {
    words[i] = content.fill == Fill::poison  ? kUnwritten
               : content.fill == Fill::equal ? equal
               : content.fill == Fill::iota  ? iota_word(i, format, floats)
                                            : random_word(i, format, floats, content, seed, stream);
  }
  return words;
}

std::vector<std::byte> initial_bytes(const Resource& resource, std::uint64_t seed,
                                     std::uint64_t stream) {
  std::vector<std::byte> bytes;
  if (!resource.content.bytes.empty()) {
    bytes.assign(resource.content.bytes.begin(), resource.content.bytes.end());
  } else {
    const auto words = initial_words(resource, seed, stream);
    const ImageFormat* format =
        resource.has_texels() ? image_format(resource.image.format) : nullptr;
    if (format != nullptr) {
      bytes = encode_texels(*format, words);
    } else {
      const auto raw = std::as_bytes(std::span(words));
      bytes.assign(raw.begin(), raw.end());
    }
  }
  bytes.resize(resource.bytes);
  return bytes;
}

}  // namespace core
