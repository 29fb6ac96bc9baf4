#include "studio/graphics.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include <spdlog/spdlog.h>

namespace studio {
namespace {

constexpr const char* kValidation = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  spdlog::error(std::string("validation (window): ") + data->pMessage);
  return VK_FALSE;
}

vk::raii::Instance make_instance(const vk::raii::Context& context, const GraphicsOptions& options) {
  const vk::ApplicationInfo application("tilescope", 1, "tilescope", 1, VK_API_VERSION_1_1);
  std::vector<const char*> extensions = options.instance_extensions;
  std::vector<const char*> layers;
  const std::array enabled{vk::ValidationFeatureEnableEXT::eSynchronizationValidation};
  const vk::ValidationFeaturesEXT features(enabled);
  vk::InstanceCreateInfo info({}, &application);
  if (options.validation) {
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    layers.push_back(kValidation);
    info.setPNext(&features);
  }
  info.setPEnabledExtensionNames(extensions).setPEnabledLayerNames(layers);
  return {context, info};
}

int rank(vk::PhysicalDeviceType type) {
  switch (type) {
    case vk::PhysicalDeviceType::eDiscreteGpu:
      return 0;
    case vk::PhysicalDeviceType::eIntegratedGpu:
      return 1;
    case vk::PhysicalDeviceType::eVirtualGpu:
      return 2;
    case vk::PhysicalDeviceType::eCpu:
      return 3;
    default:
      return 4;
  }
}

// A queue family that draws, and presents to the surface when there is one.
std::optional<std::uint32_t> find_family(const vk::raii::PhysicalDevice& device,
                                         const vk::raii::SurfaceKHR& surface) {
  const auto families = device.getQueueFamilyProperties();
  for (std::uint32_t i = 0; i < families.size(); ++i) {
    const bool draws = static_cast<bool>(families[i].queueFlags & vk::QueueFlagBits::eGraphics);
    if (draws && (!*surface || device.getSurfaceSupportKHR(i, *surface) != VK_FALSE)) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

core::Expected<void> guarded(const std::function<void()>& body) {
  try {
    body();
    return {};
  } catch (const vk::DeviceLostError&) {
    auto lost = core::device_error("the device that draws the window was lost");
    lost.error().device_lost = true;
    return lost;
  } catch (const vk::SystemError& e) {
    return core::device_error(std::string("drawing failed: ") + e.what());
  } catch (const std::exception& e) {
    return core::device_error(e.what());
  }
}

core::Expected<std::unique_ptr<Graphics>> Graphics::create(const GraphicsOptions& options) {
  std::unique_ptr<Graphics> graphics;
  const auto opened = guarded([&] {
    graphics.reset(new Graphics());
    graphics->open(options);
  });
  if (!opened) {
    return std::unexpected(opened.error());
  }
  return graphics;
}

void Graphics::open(const GraphicsOptions& options) {
  instance_ = make_instance(context_, options);
  if (options.validation) {
    using Severity = vk::DebugUtilsMessageSeverityFlagBitsEXT;
    using Type = vk::DebugUtilsMessageTypeFlagBitsEXT;
    VkDebugUtilsMessengerCreateInfoEXT info = vk::DebugUtilsMessengerCreateInfoEXT(
        {}, Severity::eWarning | Severity::eError, Type::eValidation);
    info.pfnUserCallback = on_message;
    messenger_ = {instance_, vk::DebugUtilsMessengerCreateInfoEXT(info)};
  }
  if (options.make_surface) {
    const auto made = options.make_surface(*instance_);
    if (!made) {
      throw std::runtime_error(made.error().message);
    }
    surface_ = {instance_, *made};
  }
  choose_device();
  make_device();
}

void Graphics::choose_device() {
  std::vector<vk::raii::PhysicalDevice> devices = instance_.enumeratePhysicalDevices();
  std::ranges::stable_sort(devices, {}, [](const vk::raii::PhysicalDevice& d) {
    return rank(d.getProperties().deviceType);
  });
  for (vk::raii::PhysicalDevice& device : devices) {
    if (const auto family = find_family(device, surface_)) {
      physical_ = std::move(device);
      family_ = *family;
      return;
    }
  }
  throw std::runtime_error(
      devices.empty()
          ? "no Vulkan driver found; install one, such as the Debian package mesa-vulkan-drivers"
          : "none of the Vulkan devices can draw a window");
}

void Graphics::make_device() {
  const float priority = 1.0F;
  const vk::DeviceQueueCreateInfo queue({}, family_, 1, &priority);
  std::vector<const char*> extensions;
  if (*surface_) {
    extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
  }
  vk::DeviceCreateInfo info({}, queue);
  info.setPEnabledExtensionNames(extensions);
  device_ = {physical_, info};
  queue_ = {device_, family_, 0};
  pool_ = {device_, {vk::CommandPoolCreateFlagBits::eResetCommandBuffer, family_}};
}

vk::raii::DeviceMemory Graphics::allocate(const vk::MemoryRequirements& needs,
                                          vk::MemoryPropertyFlags wanted) const {
  const auto memory = physical_.getMemoryProperties();
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const bool fits = (needs.memoryTypeBits >> i & 1U) != 0;
    if (fits && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
      return {device_, {needs.size, i}};
    }
  }
  throw std::runtime_error("the device that draws the window has no memory of the required type");
}

Buffer Graphics::make_buffer(vk::DeviceSize size, vk::BufferUsageFlags usage) const {
  Buffer buffer;
  buffer.size = size;
  buffer.handle = {device_, {{}, size, usage}};
  buffer.memory = allocate(
      buffer.handle.getMemoryRequirements(),
      vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent);
  buffer.handle.bindMemory(*buffer.memory, 0);
  buffer.mapped = buffer.memory.mapMemory(0, size);
  return buffer;
}

Image Graphics::make_image(vk::Extent2D extent, vk::ImageUsageFlags usage) const {
  Image image;
  image.extent = extent;
  const vk::ImageCreateInfo info({}, vk::ImageType::e2D, kFrameFormat,
                                 {extent.width, extent.height, 1}, 1, 1,
                                 vk::SampleCountFlagBits::e1, vk::ImageTiling::eOptimal, usage);
  image.handle = {device_, info};
  image.memory = allocate(image.handle.getMemoryRequirements(), {});
  image.handle.bindMemory(*image.memory, 0);
  image.view = {device_,
                {{}, *image.handle, vk::ImageViewType::e2D, kFrameFormat, {}, whole_image}};
  return image;
}

}  // namespace studio
