// Formats of images that a dispatch folder can hold.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <vulkan/vulkan.h>

namespace capture {

struct Format {
  VkFormat format = VK_FORMAT_UNDEFINED;
  std::string_view name;  ///< in a dispatch folder: "rgba8"
  std::uint32_t texel_bytes = 0;
  bool reversed = false;  ///< the folder has red first, the image has blue first
};

/// Null if a dispatch folder has no name for it.
[[nodiscard]] const Format* find_format(VkFormat format);

/// The aspect that is copied.
[[nodiscard]] VkImageAspectFlags aspect_of(VkFormat format);

}  // namespace capture
