// The scalars of a buffer, by the layout of its block: where they are, and how they read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace core {

enum class NumberKind { boolean, whole, signed_whole, floating };

/// A scalar in a block.
struct ScalarPlace {
  std::string name;  ///< "n", "light.colour.x"; in an element of an array what follows it, ".x"
  std::uint64_t offset = 0;  ///< bytes
  NumberKind number = NumberKind::whole;
  std::uint32_t bits = 32;
};

/// The scalars of a block, in the order of their places. Empty if its type is not known.
struct BlockLayout {
  std::vector<ScalarPlace> fixed;    ///< before the runtime array
  std::string array;                 ///< name of the runtime array
  std::uint64_t array_offset = 0;    ///< bytes
  std::uint64_t stride = 0;          ///< bytes an element of it; 0: there is none
  std::vector<ScalarPlace> element;  ///< of one element
  [[nodiscard]] bool empty() const { return fixed.empty() && element.empty(); }
};

/// The memory of a buffer. All functions below read a scalar at an offset in bytes, of the type of
/// a place; its own offset does not count. The scalar must lie inside.
using BufferBytes = std::span<const std::byte>;

[[nodiscard]] std::uint64_t bits_at(BufferBytes bytes, std::uint64_t offset, std::uint32_t bits);
/// False if no invocation wrote the words that hold the scalar (core/base/field.h).
[[nodiscard]] bool is_written(BufferBytes bytes, std::uint64_t offset, std::uint32_t bits);
/// The number of such bits.
[[nodiscard]] double number_of(std::uint64_t bits, const ScalarPlace& type);
/// "-4", "0.25", "not written".
[[nodiscard]] std::string value_text(BufferBytes bytes, std::uint64_t offset,
                                     const ScalarPlace& type);

}  // namespace core
