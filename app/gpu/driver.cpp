#include "gpu/driver.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>

#include <spdlog/spdlog.h>

#include "gpu/driver_impl.h"
#include "gpu/process_limits.h"

namespace gpu {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data,
                                          void* user) {
  auto& impl = *static_cast<Driver::Impl*>(user);
  spdlog::warn(std::string("validation: ") + data->pMessage);
  const std::scoped_lock lock(impl.mutex);
  impl.messages.emplace_back(data->pMessage);
  return VK_FALSE;
}

// The C structure: Vulkan-Hpp's has callbacks of another type from one release to the next.
vk::DebugUtilsMessengerCreateInfoEXT messenger_info(Driver::Impl& impl) {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = &on_message;
  info.pUserData = &impl;
  return {info};
}

void create_instance(Driver::Impl& impl, bool validation) {
  const vk::ApplicationInfo application{"tilescope", 1, "tilescope", 1, VK_API_VERSION_1_3};
  std::vector<const char*> layers;
  std::vector<const char*> extensions;
  if (validation) {
    layers.push_back(kValidationLayer);
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  }
  const std::array enabled{vk::ValidationFeatureEnableEXT::eSynchronizationValidation};
  const vk::ValidationFeaturesEXT features{enabled};
  vk::InstanceCreateInfo info{{}, &application, layers, extensions};
  if (validation) {
    info.pNext = &features;
  }
  impl.instance = vk::raii::Instance(impl.context, info);
  if (validation) {
    impl.messenger = vk::raii::DebugUtilsMessengerEXT(impl.instance, messenger_info(impl));
  }
}

int rank(core::DeviceType type) {
  switch (type) {
    case core::DeviceType::discrete:
      return 0;
    case core::DeviceType::integrated:
      return 1;
    case core::DeviceType::virtual_gpu:
      return 2;
    case core::DeviceType::other:
      return 3;
    case core::DeviceType::cpu:
      break;
  }
  return 4;
}

bool can_compute(const vk::raii::PhysicalDevice& device) {
  return device.getProperties().apiVersion >= VK_API_VERSION_1_2 &&
         std::ranges::any_of(device.getQueueFamilyProperties(), [](const auto& family) {
           return static_cast<bool>(family.queueFlags & vk::QueueFlagBits::eCompute);
         });
}

void list_devices(Driver::Impl& impl) {
  std::vector<std::pair<core::DeviceInfo, vk::raii::PhysicalDevice>> found;
  for (vk::raii::PhysicalDevice& device : vk::raii::PhysicalDevices(impl.instance)) {
    if (can_compute(device)) {
      core::DeviceInfo info = describe(impl.instance, device, impl.validated);
      found.emplace_back(std::move(info), std::move(device));
    }
  }
  // By rank; the loader's order within one.
  for (int wanted = 0; wanted <= rank(core::DeviceType::cpu); ++wanted) {
    for (auto& [info, device] : found) {
      if (rank(info.type) == wanted) {
        info.index = static_cast<std::uint32_t>(impl.infos.size());
        impl.infos.push_back(info);
        impl.physical.push_back(std::move(device));
      }
    }
  }
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

core::Expected<std::shared_ptr<Driver>> Driver::open(DriverOptions options) {
  TRY(check_process());
  try {
    auto impl = std::make_unique<Impl>();
    create_instance(*impl, options.validation);
    impl->validated = options.validation;
    list_devices(*impl);
    if (impl->infos.empty()) {
      return core::device_error(
          "no Vulkan 1.2 device found; install a GPU driver, or mesa-vulkan-drivers to use the "
          "CPU");
    }
    return std::shared_ptr<Driver>(new Driver(std::move(impl)));
  } catch (const vk::IncompatibleDriverError&) {
    return core::device_error(
        "no Vulkan driver found; install a GPU driver, or mesa-vulkan-drivers to use the CPU");
  } catch (const vk::LayerNotPresentError&) {
    return core::device_error(
        "the Vulkan validation layers are not installed; install the package "
        "vulkan-validationlayers");
  } catch (const vk::SystemError& error) {
    return std::unexpected(vulkan_error(error, "to start Vulkan"));
  } catch (const std::exception& error) {
    return core::device_error(std::string("the Vulkan loader failed: ") + error.what());
  }
}

Driver::Driver(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Driver::~Driver() = default;

std::span<const core::DeviceInfo> Driver::devices() const {
  return impl_->infos;
}

core::Expected<core::DeviceInfo> Driver::pick(const std::string& selector) const {
  if (selector.empty()) {
    return impl_->infos.front();
  }
  std::size_t index = 0;
  const char* end = selector.data() + selector.size();
  const auto [rest, status] = std::from_chars(selector.data(), end, index);
  if (status == std::errc{} && rest == end && index < impl_->infos.size()) {
    return impl_->infos[index];
  }
  std::string known;
  for (const core::DeviceInfo& info : impl_->infos) {
    if (lower(info.name).find(lower(selector)) != std::string::npos) {
      return info;
    }
    known += (known.empty() ? "" : ", ") + std::to_string(info.index) + " " + info.name;
  }
  return core::usage_error("unknown device \"" + selector + "\"; choose from " + known);
}

std::vector<std::string> Driver::validation_messages() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->messages;
}

}  // namespace gpu
