// Copies of what a launch works on: host-visible memory that the command buffer copies into before
// and after the dispatch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <vulkan/vulkan.h>

namespace capture {

struct Device;

/// A buffer that the host reads.
struct Chunk {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* mapped = nullptr;
  VkDeviceSize size = 0;
};

/// A part of a chunk. Holds the chunk.
struct ChunkPart {
  std::shared_ptr<Chunk> chunk;
  VkDeviceSize offset = 0;
  VkDeviceSize size = 0;

  [[nodiscard]] explicit operator bool() const { return chunk != nullptr; }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return chunk ? std::span<const std::byte>(chunk->mapped + offset, size)
                 : std::span<const std::byte>();
  }
};

/// All chunks of a device. A chunk that no launch holds any more is used again.
class ChunkPool {
 public:
  explicit ChunkPool(Device& device) : device_(device) {}

  /// Null if there is no memory.
  [[nodiscard]] std::shared_ptr<Chunk> get(VkDeviceSize size);
  /// Frees the unused chunks. At the end of the device, when no launch holds any.
  void free_unused();

 private:
  [[nodiscard]] std::unique_ptr<Chunk> make(VkDeviceSize size);
  void give_back(Chunk* chunk);

  Device& device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Chunk>> unused_;
  VkDeviceSize unused_bytes_ = 0;
};

/// Parts of chunks for one command buffer.
class ChunkAllocator {
 public:
  /// Empty if there is no memory. Parts begin at multiples of 64 bytes, which suits all texels.
  [[nodiscard]] ChunkPart allocate(ChunkPool& pool, VkDeviceSize size);
  void clear() { chunk_.reset(); }

 private:
  std::shared_ptr<Chunk> chunk_;
  VkDeviceSize used_ = 0;
  VkDeviceSize next_size_ = VkDeviceSize{1} << 20U;
};

}  // namespace capture
