// The frame: an offscreen image that the interface is drawn into, and that pictures and windows are
// copies of.
#pragma once

#include "studio/graphics.h"
#include "studio/studio.h"

struct ImDrawData;

namespace studio {

class ImGuiRenderer;

class FrameTarget {
 public:
  explicit FrameTarget(const Graphics& graphics);

  [[nodiscard]] const vk::raii::RenderPass& pass() const { return pass_; }
  [[nodiscard]] vk::Extent2D extent() const { return image_.extent; }
  /// After recording, in TRANSFER_SRC_OPTIMAL, its writes visible to transfers.
  [[nodiscard]] const vk::raii::Image& image() const { return image_.handle; }
  void resize(vk::Extent2D extent);

  /// Waits for the last frame, then records this one. More may be recorded into the commands before
  /// submit().
  const vk::raii::CommandBuffer& record(ImGuiRenderer& renderer, const ImDrawData& data);
  /// Semaphores to wait for and to signal may be null.
  void submit(vk::Semaphore wait, vk::Semaphore signal);
  void wait();

  /// The frame that was submitted last.
  [[nodiscard]] Picture read();

 private:
  const Graphics& graphics_;
  vk::raii::RenderPass pass_ = nullptr;
  Image image_;
  vk::raii::Framebuffer framebuffer_ = nullptr;
  vk::raii::CommandBuffer commands_ = nullptr;
  vk::raii::Fence done_ = nullptr;
  bool in_flight_ = false;
};

}  // namespace studio
