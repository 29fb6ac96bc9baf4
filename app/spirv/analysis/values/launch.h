// What is known of a launch besides its module: how large it is and what it is given. What is
// worked out from it holds for that launch alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spirv {

/// 32-bit words, as far as they are known and nothing changes them.
using KnownWords = std::vector<std::optional<std::uint32_t>>;

/// A buffer or an image as it is bound.
struct BoundBuffer {
  std::uint64_t bytes = 0;  ///< of a buffer
  KnownWords words;
  /// Of an image: below which each of its coordinates is (columns, rows, slices, then layers; a
  /// cube's layers are its faces); 0: not known, or it has no such one.
  std::array<std::uint32_t, 3> lengths{};
  std::string name = {};  ///< of addressed memory
  /// Of the first of an array of descriptors: how many it has, one after the other in
  /// Launch::buffers.
  std::uint32_t descriptors = 1;
  /// If this is a range of another buffer's memory: the place of that buffer in Launch::buffers,
  /// and the byte at which the range begins there.
  std::optional<std::uint32_t> memory_of = {};
  std::uint64_t memory_offset = 0;
};

/// Where a kernel finds the address of a buffer, which nothing changes.
struct KnownAddress {
  static constexpr std::size_t push_constants = ~std::size_t{0};
  std::size_t holder = push_constants;  ///< else the place of what holds it in Launch::buffers
  std::uint64_t offset = 0;             ///< bytes
  std::uint32_t buffer = 0;             ///< where it leads: a place in Launch::buffers
};

/// What is not known is left empty.
struct Launch {
  std::array<std::uint32_t, 3> groups{};  ///< workgroups; 0: not known
  std::uint32_t subgroup = 0;             ///< invocations of a subgroup
  KnownWords push_constants;
  std::vector<BoundBuffer>
      buffers;  ///< by binding of set 0, images among them; addressed ones last
  std::vector<KnownAddress> addresses;
  /// False: no access is proven to be right, so that each is checked while the kernel runs.
  bool proofs = true;
};

}  // namespace spirv
