#include "capture/snapshot.h"

#include <algorithm>

#include "capture/layer.h"

namespace capture {
namespace {

constexpr VkDeviceSize kAlignment = 64;
constexpr VkDeviceSize kLargestShared = VkDeviceSize{64} << 20U;
constexpr VkDeviceSize kMostUnused = VkDeviceSize{256} << 20U;

// Cached memory is read many times faster.
std::uint32_t host_memory_type(const VkPhysicalDeviceMemoryProperties& memory,
                               std::uint32_t allowed) {
  constexpr VkMemoryPropertyFlags kNeeded =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (const VkMemoryPropertyFlags wanted :
       {kNeeded | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, kNeeded}) {
    for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
      if ((allowed & (1U << type)) != 0 &&
          (memory.memoryTypes[type].propertyFlags & wanted) == wanted) {
        return type;
      }
    }
  }
  return VK_MAX_MEMORY_TYPES;
}

}  // namespace

std::unique_ptr<Chunk> ChunkPool::make(VkDeviceSize size) {
  auto chunk = std::make_unique<Chunk>();
  chunk->size = size;
  const NextDevice& next = device_.next;
  VkBufferCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  create.size = size;
  create.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (next.CreateBuffer(device_.handle, &create, nullptr, &chunk->buffer) != VK_SUCCESS) {
    return nullptr;
  }
  VkMemoryRequirements needs{};
  next.GetBufferMemoryRequirements(device_.handle, chunk->buffer, &needs);
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = host_memory_type(device_.memory, needs.memoryTypeBits);
  void* mapped = nullptr;
  if (allocate.memoryTypeIndex == VK_MAX_MEMORY_TYPES ||
      next.AllocateMemory(device_.handle, &allocate, nullptr, &chunk->memory) != VK_SUCCESS ||
      next.BindBufferMemory(device_.handle, chunk->buffer, chunk->memory, 0) != VK_SUCCESS ||
      next.MapMemory(device_.handle, chunk->memory, 0, VK_WHOLE_SIZE, 0, &mapped) != VK_SUCCESS) {
    next.DestroyBuffer(device_.handle, chunk->buffer, nullptr);
    next.FreeMemory(device_.handle, chunk->memory, nullptr);
    return nullptr;
  }
  chunk->mapped = static_cast<std::byte*>(mapped);
  return chunk;
}

std::shared_ptr<Chunk> ChunkPool::get(VkDeviceSize size) {
  std::unique_ptr<Chunk> chunk;
  {
    const std::scoped_lock lock(mutex_);
    // The smallest unused chunk that fits, and at most about four times the size.
    auto best = unused_.end();
    for (auto at = unused_.begin(); at != unused_.end(); ++at) {
      if ((*at)->size >= size && (*at)->size / 4 <= size &&
          (best == unused_.end() || (*at)->size < (*best)->size)) {
        best = at;
      }
    }
    if (best != unused_.end()) {
      chunk = std::move(*best);
      unused_bytes_ -= chunk->size;
      unused_.erase(best);
    }
  }
  if (!chunk) {
    chunk = make(size);
  }
  return chunk ? std::shared_ptr<Chunk>(chunk.release(), [this](Chunk* back) { give_back(back); })
               : nullptr;
}

void ChunkPool::give_back(Chunk* chunk) {
  std::unique_ptr<Chunk> owned(chunk);
  const std::scoped_lock lock(mutex_);
  if (unused_bytes_ + owned->size > kMostUnused) {
    device_.next.DestroyBuffer(device_.handle, owned->buffer, nullptr);
    device_.next.FreeMemory(device_.handle, owned->memory, nullptr);
    return;
  }
  unused_bytes_ += owned->size;
  unused_.push_back(std::move(owned));
}

void ChunkPool::free_unused() {
  const std::scoped_lock lock(mutex_);
  for (const auto& chunk : unused_) {
    device_.next.DestroyBuffer(device_.handle, chunk->buffer, nullptr);
    device_.next.FreeMemory(device_.handle, chunk->memory, nullptr);
  }
  unused_.clear();
  unused_bytes_ = 0;
}

ChunkPart ChunkAllocator::allocate(ChunkPool& pool, VkDeviceSize size) {
  size = std::max<VkDeviceSize>(size, 1);
  if (size > kLargestShared / 4) {
    return {pool.get(size), 0, size};
  }
  used_ = (used_ + kAlignment - 1) / kAlignment * kAlignment;
  if (!chunk_ || used_ + size > chunk_->size) {
    chunk_ = pool.get(std::max(next_size_, size));
    used_ = 0;
    next_size_ = std::min(next_size_ * 2, kLargestShared);
    if (!chunk_) {
      return {};
    }
  }
  const ChunkPart part{chunk_, used_, size};
  used_ += size;
  return part;
}

}  // namespace capture
