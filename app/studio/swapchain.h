// The images of a window: each shows a copy of the frame.
#pragma once

#include <optional>
#include <vector>

#include "studio/graphics.h"

namespace studio {

class Swapchain {
 public:
  explicit Swapchain(const Graphics& graphics) : graphics_(graphics) {}
  /// Waits until nothing of it is in use.
  ~Swapchain();
  Swapchain(const Swapchain&) = delete;
  Swapchain& operator=(const Swapchain&) = delete;

  /// Makes the images again for a window of that many pixels.
  void make(vk::Extent2D size);
  /// The next image to show; nothing when the window has changed and make() is due.
  [[nodiscard]] std::optional<std::uint32_t> acquire();
  /// Records the copy of a frame that is in TRANSFER_SRC_OPTIMAL.
  void record_copy(const vk::raii::CommandBuffer& commands, const vk::raii::Image& frame,
                   vk::Extent2D extent, std::uint32_t index) const;
  /// False: make() is due.
  [[nodiscard]] bool present(std::uint32_t index);

  [[nodiscard]] vk::Extent2D extent() const { return extent_; }
  [[nodiscard]] vk::Semaphore acquired() const { return *acquired_; }
  /// To be signalled by the work that copies to that image.
  [[nodiscard]] vk::Semaphore copied(std::uint32_t index) const { return *copied_[index]; }

 private:
  const Graphics& graphics_;
  vk::raii::SwapchainKHR chain_ = nullptr;
  std::vector<vk::Image> images_;
  vk::raii::Semaphore acquired_ = nullptr;
  std::vector<vk::raii::Semaphore> copied_;
  vk::Extent2D extent_;
};

}  // namespace studio
