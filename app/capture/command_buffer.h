// The state of a command buffer while it is recorded, and the launches that it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/launch.h"
#include "capture/objects.h"
#include "capture/snapshot.h"

namespace capture {

struct Device;

struct BoundSet {
  std::shared_ptr<DescriptorSet> set;
  std::vector<std::uint32_t> dynamic_offsets;
};

struct CommandBuffer {
  VkCommandBuffer handle = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  std::shared_ptr<const Pipeline> pipeline;  ///< of compute
  std::map<std::uint32_t, BoundSet> sets;    ///< of compute
  std::vector<std::byte> push;
  std::vector<std::string> labels;
  bool paused = false;  ///< the folder had a file `pause` when the recording began
  /// In the order of their execution, with those of secondary command buffers.
  std::vector<std::shared_ptr<Launch>> launches;
  ChunkAllocator chunks;

  void reset();
};

/// Fills a launch with what is bound, and chooses the ranges that are copied. Launch::refused says
/// why it can't be captured.
void resolve_resources(const CommandBuffer& commands, Launch& launch);

/// Memory for the copies. False, with the reason in Launch::refused, if there is not enough.
[[nodiscard]] bool allocate_copies(Device& device, CommandBuffer& commands, Launch& launch,
                                   bool indirect);

/// Records the copies before a dispatch, and those after it. `indirect` holds the counts of an
/// indirect dispatch, else it is null.
void record_before(Device& device, CommandBuffer& commands, Launch& launch, VkBuffer indirect,
                   VkDeviceSize offset);
void record_after(Device& device, CommandBuffer& commands, Launch& launch);

}  // namespace capture
