#include "studio/swapchain.h"

#include <algorithm>
#include <stdexcept>

namespace studio {
namespace {

// Not sRGB: the frame's colours are what the screen is to show.
vk::SurfaceFormatKHR choose_format(const std::vector<vk::SurfaceFormatKHR>& formats) {
  for (const vk::Format wanted : {vk::Format::eB8G8R8A8Unorm, vk::Format::eR8G8B8A8Unorm}) {
    const auto found = std::ranges::find(formats, wanted, &vk::SurfaceFormatKHR::format);
    if (found != formats.end()) {
      return *found;
    }
  }
  if (formats.empty()) {
    throw std::runtime_error("the surface of the window has no format for drawing");
  }
  return formats.front();
}

vk::Extent2D clamp(vk::Extent2D size, const vk::SurfaceCapabilitiesKHR& can) {
  return {std::clamp(size.width, can.minImageExtent.width, can.maxImageExtent.width),
          std::clamp(size.height, can.minImageExtent.height, can.maxImageExtent.height)};
}

vk::ImageMemoryBarrier barrier(vk::Image image, vk::AccessFlags before, vk::AccessFlags after,
                               vk::ImageLayout from, vk::ImageLayout to) {
  return {before, after,      from, to, VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED,
          image,  whole_image};
}

}  // namespace

Swapchain::~Swapchain() {
  try {
    graphics_.device().waitIdle();
  } catch (const std::exception&) {
    // A lost device has nothing left to wait for.
  }
}

void Swapchain::make(vk::Extent2D size) {
  const vk::raii::Device& device = graphics_.device();
  device.waitIdle();
  const auto can = graphics_.physical().getSurfaceCapabilitiesKHR(*graphics_.surface());
  const auto format =
      choose_format(graphics_.physical().getSurfaceFormatsKHR(*graphics_.surface()));
  const bool told = can.currentExtent.width != UINT32_MAX;
  extent_ = clamp(told ? can.currentExtent : size, can);
  std::uint32_t count = can.minImageCount + 1;
  if (can.maxImageCount > 0) {
    count = std::min(count, can.maxImageCount);
  }
  vk::SwapchainCreateInfoKHR info({}, *graphics_.surface(), count, format.format, format.colorSpace,
                                  extent_, 1, vk::ImageUsageFlagBits::eTransferDst);
  info.setPreTransform(can.currentTransform)
      .setCompositeAlpha(vk::CompositeAlphaFlagBitsKHR::eOpaque)
      .setPresentMode(vk::PresentModeKHR::eFifo)
      .setClipped(VK_TRUE)
      .setOldSwapchain(*chain_);
  if (!(can.supportedCompositeAlpha & vk::CompositeAlphaFlagBitsKHR::eOpaque)) {
    info.setCompositeAlpha(vk::CompositeAlphaFlagBitsKHR::eInherit);
  }
  chain_ = vk::raii::SwapchainKHR(device, info);
  images_.clear();
  for (const auto& image : chain_.getImages()) {
    images_.emplace_back(image);
  }
  acquired_ = {device, vk::SemaphoreCreateInfo()};
  copied_.clear();
  for (std::size_t i = 0; i < images_.size(); ++i) {
    copied_.emplace_back(device, vk::SemaphoreCreateInfo());
  }
}

std::optional<std::uint32_t> Swapchain::acquire() {
  try {
    const auto [result, index] = chain_.acquireNextImage(UINT64_MAX, *acquired_, nullptr);
    return index;
  } catch (const vk::OutOfDateKHRError&) {
    return std::nullopt;
  }
}

void Swapchain::record_copy(const vk::raii::CommandBuffer& commands, const vk::raii::Image& frame,
                            vk::Extent2D extent, std::uint32_t index) const {
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  using Layout = vk::ImageLayout;
  const vk::Image image = images_[index];
  commands.pipelineBarrier(
      Stage::eTransfer, Stage::eTransfer, {}, {}, {},
      barrier(image, {}, Access::eTransferWrite, Layout::eUndefined, Layout::eTransferDstOptimal));
  const vk::ImageSubresourceLayers layers(vk::ImageAspectFlagBits::eColor, 0, 0, 1);
  const auto corner = [](vk::Extent2D e) {
    return vk::Offset3D(static_cast<std::int32_t>(e.width), static_cast<std::int32_t>(e.height), 1);
  };
  const vk::ImageBlit region(layers, {vk::Offset3D(0, 0, 0), corner(extent)}, layers,
                             {vk::Offset3D(0, 0, 0), corner(extent_)});
  commands.blitImage(*frame, Layout::eTransferSrcOptimal, image, Layout::eTransferDstOptimal,
                     region, vk::Filter::eNearest);
  commands.pipelineBarrier(Stage::eTransfer, Stage::eBottomOfPipe, {}, {}, {},
                           barrier(image, Access::eTransferWrite, {}, Layout::eTransferDstOptimal,
                                   Layout::ePresentSrcKHR));
}

bool Swapchain::present(std::uint32_t index) {
  vk::PresentInfoKHR info;
  info.setWaitSemaphores(*copied_[index]).setSwapchains(*chain_).setImageIndices(index);
  try {
    return graphics_.queue().presentKHR(info) == vk::Result::eSuccess;
  } catch (const vk::OutOfDateKHRError&) {
    return false;
  }
}

}  // namespace studio
