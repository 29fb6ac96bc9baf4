// Device memory of a dispatch's resources. The plain launch has one; each probe makes its own of
// what launches change, so that the experiment's stay as they are.
#pragma once

#include <cstdint>
#include <vector>

#include "core/work/dispatch.h"
#include "gpu/device.h"

namespace lab {

/// By resource; null where there is none.
using Buffers = std::vector<const gpu::Buffer*>;

/// Bytes of the buffer that a resource is bound as: whole words, and 16 at least; of an image, its
/// own.
[[nodiscard]] std::uint64_t bound_bytes(const core::Resource& resource);

/// The resources that are found by their addresses, by where they lie: the rows of a launch's table
/// of addresses (spirv/probes/addresses.h).
[[nodiscard]] std::vector<std::uint32_t> by_address(const Buffers& buffers);

/// Moves; frees itself.
class Memory {
 public:
  /// What each resource asks for, but for those that no launch writes and that are lent: these stay
  /// the lender's, and must outlive this. Addressed memory, and what holds addresses, is not lent.
  /// `seed` is of random contents. Fault::device when there is no room.
  [[nodiscard]] static core::Expected<Memory> make(gpu::Device& device,
                                                   std::vector<core::Resource> resources,
                                                   std::uint64_t seed, Buffers lent = {});

  [[nodiscard]] Buffers buffers() const;
  /// With the addresses that lie in them.
  [[nodiscard]] std::vector<std::uint32_t> push_constants(std::vector<std::uint32_t> words) const;
  /// Makes all that is not lent as it is at the start; or only what launches change.
  [[nodiscard]] core::Expected<void> fill(bool all = true);

 private:
  [[nodiscard]] bool is_due(std::size_t resource, bool all) const {
    return own_[resource] && resources_[resource].has_own_memory() &&
           (all || resources_[resource].written);
  }
  [[nodiscard]] bool is_one_word(std::size_t resource) const;
  void find_addresses();
  [[nodiscard]] core::Expected<void> upload(std::size_t resource);

  gpu::Device* device_ = nullptr;
  std::vector<core::Resource> resources_;
  std::uint64_t seed_ = 1;
  std::vector<gpu::Buffer> own_;  // by resource; empty: lent
  Buffers lent_;
  std::vector<std::vector<std::byte>> made_;  // contents that are not given, once they were made
  struct Address {
    core::AddressPlace at;
    std::uint64_t value = 0;
  };
  std::vector<Address> addresses_;
};

/// What a buffer holds as 32-bit words, the texels of images as numbers (core::decode_texels);
/// whole numbers bit for bit.
[[nodiscard]] core::Expected<std::vector<float>> host_words(gpu::Device& device,
                                                            const gpu::Buffer& buffer);

}  // namespace lab
