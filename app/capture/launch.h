// A recorded dispatch: all that its folder will say, and where the copies of its memory are.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/objects.h"
#include "capture/snapshot.h"

namespace capture {

/// A range of a buffer, or a level of an image, that is copied once however often it is bound.
struct CopiedRange {
  std::shared_ptr<Buffer> buffer;
  VkDeviceSize begin = 0;  ///< of the buffer
  VkDeviceSize end = 0;
  std::shared_ptr<ImageView> view;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  bool written = false;
  ChunkPart before;
  ChunkPart after;  ///< empty if nothing writes it
};

/// The buffer, image or bytes that one descriptor is bound to.
struct BoundResource {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  std::uint32_t element = 0;
  bool array = false;  ///< the binding has several descriptors
  bool written = false;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  VkDeviceSize bytes = 0;
  std::string extent;  ///< of images and texels: "64x64"
  const struct Format* format = nullptr;
  std::shared_ptr<Sampler> sampler;
  std::size_t range = kNoRange;  ///< among Launch::ranges
  VkDeviceSize range_offset = 0;
  std::vector<std::byte> inline_bytes;
  MemoryPlace place;  ///< where the first byte lies

  static constexpr std::size_t kNoRange = ~std::size_t{0};
};

struct Launch {
  std::shared_ptr<const Pipeline> pipeline;
  std::array<std::uint32_t, 3> groups{};
  ChunkPart indirect;  ///< the counts of an indirect dispatch
  std::vector<std::byte> push;
  std::string label;  ///< the debug labels around it, "frame/blur"
  bool selected = false;
  std::string refused;  ///< why it can't be captured; empty: it can
  std::vector<std::string> notes;
  std::vector<BoundResource> resources;
  std::vector<CopiedRange> ranges;
  /// Sets whose descriptors may change until the submission, with the version that was copied.
  std::vector<std::pair<std::shared_ptr<DescriptorSet>, std::uint64_t>> watched;
  /// Submissions whose copies the writer has not read yet.
  std::atomic<std::uint32_t> pending{0};

  [[nodiscard]] bool has_copies() const { return !ranges.empty() || static_cast<bool>(indirect); }
  [[nodiscard]] VkDeviceSize copied_bytes() const {
    VkDeviceSize bytes = indirect.size;
    for (const CopiedRange& range : ranges) {
      bytes += range.before.size + range.after.size;
    }
    return bytes;
  }
};

}  // namespace capture
