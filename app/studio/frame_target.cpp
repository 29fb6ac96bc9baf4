#include "studio/frame_target.h"

#include <cstring>

#include "studio/imgui_renderer.h"

namespace studio {
namespace {

vk::raii::RenderPass make_pass(const vk::raii::Device& device) {
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  const vk::AttachmentDescription attachment(
      {}, kFrameFormat, vk::SampleCountFlagBits::e1, vk::AttachmentLoadOp::eClear,
      vk::AttachmentStoreOp::eStore, vk::AttachmentLoadOp::eDontCare,
      vk::AttachmentStoreOp::eDontCare, vk::ImageLayout::eUndefined,
      vk::ImageLayout::eTransferSrcOptimal);
  const vk::AttachmentReference colour(0, vk::ImageLayout::eColorAttachmentOptimal);
  const vk::SubpassDescription subpass({}, vk::PipelineBindPoint::eGraphics, {}, colour);
  // The last frame's copy must be over before this one draws; what this one draws is for copies.
  const std::array dependencies{
      vk::SubpassDependency(
          VK_SUBPASS_EXTERNAL, 0, Stage::eTransfer | Stage::eColorAttachmentOutput,
          Stage::eColorAttachmentOutput, Access::eTransferRead | Access::eColorAttachmentWrite,
          Access::eColorAttachmentWrite),
      vk::SubpassDependency(0, VK_SUBPASS_EXTERNAL, Stage::eColorAttachmentOutput, Stage::eTransfer,
                            Access::eColorAttachmentWrite, Access::eTransferRead)};
  return {device, vk::RenderPassCreateInfo({}, attachment, subpass, dependencies)};
}

}  // namespace

FrameTarget::FrameTarget(const Graphics& graphics)
    : graphics_(graphics),
      pass_(make_pass(graphics.device())),
      commands_(std::move(vk::raii::CommandBuffers(
          graphics.device(), {*graphics.pool(), vk::CommandBufferLevel::ePrimary, 1})[0])),
      done_(graphics.device(), vk::FenceCreateInfo()) {}

void FrameTarget::resize(vk::Extent2D extent) {
  if (extent == image_.extent) {
    return;
  }
  wait();
  framebuffer_ = nullptr;
  image_ = graphics_.make_image(
      extent, vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc);
  framebuffer_ = {graphics_.device(), vk::FramebufferCreateInfo({}, *pass_, *image_.view,
                                                                extent.width, extent.height, 1)};
}

const vk::raii::CommandBuffer& FrameTarget::record(ImGuiRenderer& renderer,
                                                   const ImDrawData& data) {
  wait();
  commands_.reset();
  commands_.begin({vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
  renderer.record_uploads(commands_);
  const vk::ClearValue clear(vk::ClearColorValue(std::array{0.0F, 0.0F, 0.0F, 1.0F}));
  commands_.beginRenderPass({*pass_, *framebuffer_, {{0, 0}, extent()}, clear},
                            vk::SubpassContents::eInline);
  renderer.record(commands_, data, extent());
  commands_.endRenderPass();
  return commands_;
}

void FrameTarget::submit(vk::Semaphore wait_for, vk::Semaphore signal) {
  commands_.end();
  const vk::PipelineStageFlags stage = vk::PipelineStageFlagBits::eTransfer;
  vk::SubmitInfo info;
  info.setCommandBuffers(*commands_);
  if (wait_for) {
    info.setWaitSemaphores(wait_for).setWaitDstStageMask(stage);
  }
  if (signal) {
    info.setSignalSemaphores(signal);
  }
  graphics_.queue().submit(info, *done_);
  in_flight_ = true;
}

void FrameTarget::wait() {
  if (in_flight_) {
    static_cast<void>(graphics_.device().waitForFences(*done_, VK_TRUE, UINT64_MAX));
    graphics_.device().resetFences(*done_);
    in_flight_ = false;
  }
}

Picture FrameTarget::read() {
  wait();
  const std::size_t texels = std::size_t{extent().width} * extent().height;
  const Buffer buffer =
      graphics_.make_buffer(texels * sizeof(std::uint32_t), vk::BufferUsageFlagBits::eTransferDst);
  commands_.reset();
  commands_.begin({vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
  const vk::BufferImageCopy region(0, 0, 0, {vk::ImageAspectFlagBits::eColor, 0, 0, 1}, {},
                                   {extent().width, extent().height, 1});
  commands_.copyImageToBuffer(*image_.handle, vk::ImageLayout::eTransferSrcOptimal, *buffer.handle,
                              region);
  const vk::MemoryBarrier to_host(vk::AccessFlagBits::eTransferWrite,
                                  vk::AccessFlagBits::eHostRead);
  commands_.pipelineBarrier(vk::PipelineStageFlagBits::eTransfer, vk::PipelineStageFlagBits::eHost,
                            {}, to_host, {}, {});
  submit({}, {});
  wait();
  Picture picture{extent().width, extent().height, std::vector<std::uint32_t>(texels)};
  std::memcpy(picture.rgba.data(), buffer.mapped, texels * sizeof(std::uint32_t));
  return picture;
}

}  // namespace studio
