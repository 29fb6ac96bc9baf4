#include "capture/formats.h"

#include <algorithm>
#include <array>

namespace capture {
namespace {

constexpr std::array kFormats{
    Format{VK_FORMAT_R32G32B32A32_SFLOAT, "rgba32f", 16},
    Format{VK_FORMAT_R16G16B16A16_SFLOAT, "rgba16f", 8},
    Format{VK_FORMAT_R32_SFLOAT, "r32f", 4},
    Format{VK_FORMAT_R8G8B8A8_UNORM, "rgba8", 4},
    Format{VK_FORMAT_B8G8R8A8_UNORM, "rgba8", 4, true},
    Format{VK_FORMAT_R8G8B8A8_SNORM, "rgba8_snorm", 4},
    Format{VK_FORMAT_R32G32_SFLOAT, "rg32f", 8},
    Format{VK_FORMAT_R16G16_SFLOAT, "rg16f", 4},
    Format{VK_FORMAT_B10G11R11_UFLOAT_PACK32, "r11f_g11f_b10f", 4},
    Format{VK_FORMAT_R16_SFLOAT, "r16f", 2},
    Format{VK_FORMAT_R16G16B16A16_UNORM, "rgba16", 8},
    Format{VK_FORMAT_A2B10G10R10_UNORM_PACK32, "rgb10_a2", 4},
    Format{VK_FORMAT_R16G16_UNORM, "rg16", 4},
    Format{VK_FORMAT_R8G8_UNORM, "rg8", 2},
    Format{VK_FORMAT_R16_UNORM, "r16", 2},
    Format{VK_FORMAT_R8_UNORM, "r8", 1},
    Format{VK_FORMAT_R16G16B16A16_SNORM, "rgba16_snorm", 8},
    Format{VK_FORMAT_R16G16_SNORM, "rg16_snorm", 4},
    Format{VK_FORMAT_R8G8_SNORM, "rg8_snorm", 2},
    Format{VK_FORMAT_R16_SNORM, "r16_snorm", 2},
    Format{VK_FORMAT_R8_SNORM, "r8_snorm", 1},
    Format{VK_FORMAT_R32G32B32A32_SINT, "rgba32i", 16},
    Format{VK_FORMAT_R16G16B16A16_SINT, "rgba16i", 8},
    Format{VK_FORMAT_R8G8B8A8_SINT, "rgba8i", 4},
    Format{VK_FORMAT_R32_SINT, "r32i", 4},
    Format{VK_FORMAT_R32G32_SINT, "rg32i", 8},
    Format{VK_FORMAT_R16G16_SINT, "rg16i", 4},
    Format{VK_FORMAT_R8G8_SINT, "rg8i", 2},
    Format{VK_FORMAT_R16_SINT, "r16i", 2},
    Format{VK_FORMAT_R8_SINT, "r8i", 1},
    Format{VK_FORMAT_R32G32B32A32_UINT, "rgba32ui", 16},
    Format{VK_FORMAT_R16G16B16A16_UINT, "rgba16ui", 8},
    Format{VK_FORMAT_R8G8B8A8_UINT, "rgba8ui", 4},
    Format{VK_FORMAT_R32_UINT, "r32ui", 4},
    Format{VK_FORMAT_A2B10G10R10_UINT_PACK32, "rgb10_a2ui", 4},
    Format{VK_FORMAT_R32G32_UINT, "rg32ui", 8},
    Format{VK_FORMAT_R16G16_UINT, "rg16ui", 4},
    Format{VK_FORMAT_R8G8_UINT, "rg8ui", 2},
    Format{VK_FORMAT_R16_UINT, "r16ui", 2},
    Format{VK_FORMAT_R8_UINT, "r8ui", 1},
    Format{VK_FORMAT_R64_UINT, "r64ui", 8},
    Format{VK_FORMAT_R64_SINT, "r64i", 8},
    Format{VK_FORMAT_D32_SFLOAT, "d32f", 4},
};

}  // namespace

const Format* find_format(VkFormat format) {
  const auto* const found = std::ranges::find(kFormats, format, &Format::format);
  return found == kFormats.end() ? nullptr : found;
}

VkImageAspectFlags aspect_of(VkFormat format) {
  return format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

}  // namespace capture
