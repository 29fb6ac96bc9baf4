// The interface's own Vulkan device, apart from the lab's, so that a kernel never makes a frame
// wait in a queue. Only the studio's .cpp files that draw include this header.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <vulkan/vulkan_raii.hpp>

#include "core/base/error.h"

namespace studio {

/// All of an image without layers or levels.
inline constexpr vk::ImageSubresourceRange whole_image(vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1);

/// A buffer or image with memory of its own.
struct Buffer {
  vk::raii::Buffer handle = nullptr;
  vk::raii::DeviceMemory memory = nullptr;
  vk::DeviceSize size = 0;
  void* mapped = nullptr;  ///< of host-visible memory, as long as it lives
};

struct Image {
  vk::raii::Image handle = nullptr;
  vk::raii::DeviceMemory memory = nullptr;
  vk::raii::ImageView view = nullptr;
  vk::Extent2D extent;
};

struct GraphicsOptions {
  bool validation = false;
  std::vector<const char*> instance_extensions;
  /// Makes the surface to present to; empty: nothing is presented.
  std::function<core::Expected<VkSurfaceKHR>(VkInstance)> make_surface;
};

class Graphics {
 public:
  /// Takes the first device that can draw, and present when there is a surface; real GPUs first.
  [[nodiscard]] static core::Expected<std::unique_ptr<Graphics>> create(
      const GraphicsOptions& options);

  [[nodiscard]] const vk::raii::PhysicalDevice& physical() const { return physical_; }
  [[nodiscard]] const vk::raii::Device& device() const { return device_; }
  [[nodiscard]] const vk::raii::Queue& queue() const { return queue_; }
  [[nodiscard]] const vk::raii::SurfaceKHR& surface() const { return surface_; }
  [[nodiscard]] const vk::raii::CommandPool& pool() const { return pool_; }

  [[nodiscard]] Buffer make_buffer(vk::DeviceSize size, vk::BufferUsageFlags usage) const;
  [[nodiscard]] Image make_image(vk::Extent2D extent, vk::ImageUsageFlags usage) const;

 private:
  Graphics() = default;
  void open(const GraphicsOptions& options);
  void choose_device();
  void make_device();
  [[nodiscard]] vk::raii::DeviceMemory allocate(const vk::MemoryRequirements& needs,
                                                vk::MemoryPropertyFlags wanted) const;

  vk::raii::Context context_;
  vk::raii::Instance instance_ = nullptr;
  vk::raii::DebugUtilsMessengerEXT messenger_ = nullptr;
  vk::raii::SurfaceKHR surface_ = nullptr;
  vk::raii::PhysicalDevice physical_ = nullptr;
  std::uint32_t family_ = 0;
  vk::raii::Device device_ = nullptr;
  vk::raii::Queue queue_ = nullptr;
  vk::raii::CommandPool pool_ = nullptr;
};

/// Runs `body` and turns what Vulkan throws into an Error.
[[nodiscard]] core::Expected<void> guarded(const std::function<void()>& body);

inline constexpr vk::Format kFrameFormat = vk::Format::eR8G8B8A8Unorm;

}  // namespace studio
