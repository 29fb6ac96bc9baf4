#include "capture/layer.h"

#include <cstring>
#include <string_view>

#include <pthread.h>
#include <vulkan/vk_layer.h>

#include "capture/hooks.h"

namespace capture {
namespace {

// A hook by one of the names of its function.
struct Entry {
  std::string_view name;
  PFN_vkVoidFunction hook;
};

template <class Function>
PFN_vkVoidFunction plain(Function* function) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as Vulkan hands out functions
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

constexpr std::string_view kSuffixes[] = {"KHR", "EXT"};

PFN_vkVoidFunction hook_named(std::string_view name) {
  static const Entry kHooks[] = {
#define X(function) {"vk" #function, plain(&hook::function)},
      TILESCOPE_HOOKS(X)
#undef X
  };
  const auto find = [](std::string_view wanted) -> PFN_vkVoidFunction {
    for (const Entry& entry : kHooks) {
      if (entry.name == wanted) {
        return entry.hook;
      }
    }
    return nullptr;
  };
  PFN_vkVoidFunction found = find(name);
  if (found == nullptr) {
    found = find(std::string(name) + "KHR");  // it became a core function
  }
  for (const std::string_view suffix : kSuffixes) {
    if (found == nullptr && name.ends_with(suffix)) {
      found = find(name.substr(0, name.size() - suffix.size()));
    }
  }
  return found;
}

// A layer has these even if nothing below it has: it announces VK_EXT_debug_utils.
bool is_debug_function(std::string_view name) {
  return name == "vkSetDebugUtilsObjectNameEXT" || name == "vkCmdBeginDebugUtilsLabelEXT" ||
         name == "vkCmdEndDebugUtilsLabelEXT";
}

template <class Info>
Info* link_of(const void* chain, VkStructureType type) {
  for (const auto* entry = static_cast<const VkBaseInStructure*>(chain); entry != nullptr;
       entry = entry->pNext) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,cppcoreguidelines-pro-type-const-cast)
    auto* info = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(entry));
    if (entry->sType == type && info->function == VK_LAYER_LINK_INFO) {
      return info;
    }
  }
  return nullptr;
}

// The writer's thread does not exist in a child, and its mutex may be locked there for ever.
void in_child() {
  layer().off.store(true);
}

// A program may end without destroying its device.
void at_exit() {
  constexpr double kSeconds = 20.0;
  if (!layer().off.load()) {
    hook::guarded([] { layer().writer.drain(nullptr, kSeconds); });
  }
}

void prepare_process() {
  static std::once_flag once;
  std::call_once(once, [] {
    static_cast<void>(::pthread_atfork(nullptr, nullptr, &in_child));
    static_cast<void>(std::atexit(&at_exit));
  });
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator,
                                               VkInstance* instance) {
  auto* link = link_of<VkLayerInstanceCreateInfo>(info->pNext,
                                                  VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (link == nullptr) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  const auto next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  const auto create =
      reinterpret_cast<PFN_vkCreateInstance>(next(VK_NULL_HANDLE, "vkCreateInstance"));
  if (create == nullptr) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  const VkResult result = create(info, allocator, instance);
  if (result == VK_SUCCESS) {
    hook::guarded([&] {
      auto made = std::make_shared<Instance>();
      made->handle = *instance;
      made->next.GetInstanceProcAddr = next;
      made->next.load(*instance);
      layer().add_instance(std::move(made));
      prepare_process();  // after the driver's exit handlers, so that its own runs before them
    });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance,
                                            const VkAllocationCallbacks* allocator) {
  const auto known = instance != VK_NULL_HANDLE ? layer().instance_of(instance) : nullptr;
  if (known) {
    layer().remove_instance(instance);
    known->next.DestroyInstance(instance, allocator);
  }
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                             const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkDevice* device) {
  auto* link =
      link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  const auto instance = layer().instance_of(physical);
  if (link == nullptr || !instance) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  const auto next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const auto next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(next_instance(instance->handle, "vkCreateDevice"));
  if (create == nullptr) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  const VkResult result = create(physical, info, allocator, device);
  if (result == VK_SUCCESS) {
    hook::guarded([&] {
      auto made = std::make_unique<Device>();
      made->handle = *device;
      made->physical = physical;
      made->instance = instance;
      made->next.GetDeviceProcAddr = next_device;
      made->next.load(*device);
      instance->next.GetPhysicalDeviceMemoryProperties(physical, &made->memory);
      layer().add_device(std::move(made));
    });
    if (layer().device_of(*device) == nullptr) {
      // Hooks that the instance hands out would not find the device.
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
      const auto destroy =
          reinterpret_cast<PFN_vkDestroyDevice>(next_device(*device, "vkDestroyDevice"));
      destroy(*device, allocator);
      *device = VK_NULL_HANDLE;
      return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
  }
  return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
    return plain(&device_function);
  }
  const Device* known = layer().device_of(device);
  if (known == nullptr) {
    return nullptr;
  }
  const PFN_vkVoidFunction next = known->next.GetDeviceProcAddr(device, name);
  if (layer().off.load() && std::strcmp(name, "vkDestroyDevice") != 0) {
    return next;
  }
  const PFN_vkVoidFunction hook = hook_named(name);
  return hook != nullptr && (next != nullptr || is_debug_function(name)) ? hook : next;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
  const std::string_view wanted = name;
  if (wanted == "vkCreateInstance") {
    return plain(&create_instance);
  }
  if (wanted == "vkDestroyInstance") {
    return plain(&destroy_instance);
  }
  if (wanted == "vkCreateDevice") {
    return plain(&create_device);
  }
  if (wanted == "vkGetInstanceProcAddr") {
    return plain(&instance_function);
  }
  if (wanted == "vkGetDeviceProcAddr") {
    return plain(&device_function);
  }
  const auto known = instance != VK_NULL_HANDLE ? layer().instance_of(instance) : nullptr;
  if (!known) {
    return nullptr;
  }
  const PFN_vkVoidFunction next = known->next.GetInstanceProcAddr(instance, name);
  const PFN_vkVoidFunction hook = hook_named(wanted);
  const bool replaced = hook != nullptr && (next != nullptr || is_debug_function(wanted)) &&
                        (!layer().off.load() || wanted == "vkDestroyDevice");
  return replaced ? hook : next;
}

}  // namespace

const void* key_of(const void* handle) {
  const void* key = nullptr;
  std::memcpy(&key, handle, sizeof key);
  return key;
}

Layer& layer() {
  static Layer* const one = new Layer;  // never destroyed
  return *one;
}

void NextDevice::load(VkDevice device) {
  const auto find = [&](const char* name) {
    PFN_vkVoidFunction function = GetDeviceProcAddr(device, name);
    for (const std::string_view suffix : kSuffixes) {
      if (function == nullptr) {
        function = GetDeviceProcAddr(device, (std::string(name) + std::string(suffix)).c_str());
      }
    }
    const std::string_view whole = name;
    if (function == nullptr && whole.ends_with("KHR")) {
      function = GetDeviceProcAddr(device, std::string(whole.substr(0, whole.size() - 3)).c_str());
    }
    return function;
  };
// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast)
#define X(name) name = reinterpret_cast<PFN_vk##name>(find("vk" #name));
  TILESCOPE_HOOKS(X) TILESCOPE_CALLED(X)
#undef X
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
}

void NextInstance::load(VkInstance instance) {
// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast)
#define X(name) name = reinterpret_cast<PFN_vk##name>(GetInstanceProcAddr(instance, "vk" #name));
  TILESCOPE_INSTANCE_CALLED(X)
#undef X
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
}

void Layer::add_instance(std::shared_ptr<Instance> instance) {
  const std::scoped_lock lock(mutex_);
  instances_[key_of(instance->handle)] = std::move(instance);
}

void Layer::remove_instance(VkInstance instance) {
  const std::scoped_lock lock(mutex_);
  instances_.erase(key_of(instance));
}

std::shared_ptr<Instance> Layer::instance_of(const void* handle) {
  const std::scoped_lock lock(mutex_);
  const auto found = instances_.find(key_of(handle));
  return found == instances_.end() ? nullptr : found->second;
}

Device* Layer::add_device(std::unique_ptr<Device> device) {
  const std::scoped_lock lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.key.load() == nullptr) {
      slot.device.store(device.get());
      slot.key.store(key_of(device->handle));
      return device.release();
    }
  }
  return nullptr;
}

void Layer::remove_device(Device& device) {
  const std::scoped_lock lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.key.load() != nullptr && slot.device.load() == &device) {
      slot.key.store(nullptr);
    }
  }
}

Device* Layer::device_of(const void* handle) const {
  const void* const key = key_of(handle);
  for (const Slot& slot : slots_) {
    if (slot.key.load(std::memory_order_acquire) == key) {
      return slot.device.load(std::memory_order_relaxed);
    }
  }
  return nullptr;
}

VkFence Device::get_fence() {
  {
    const std::scoped_lock lock(fences_mutex);
    if (!fences.empty()) {
      const VkFence fence = fences.back();
      fences.pop_back();
      return fence;
    }
  }
  VkFenceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  return next.CreateFence(handle, &create, nullptr, &fence) == VK_SUCCESS ? fence : VK_NULL_HANDLE;
}

void Device::give_back_fence(VkFence fence) {
  next.ResetFences(handle, 1, &fence);
  const std::scoped_lock lock(fences_mutex);
  fences.push_back(fence);
}

namespace hook {

VKAPI_ATTR void VKAPI_CALL DestroyDevice(VkDevice handle, const VkAllocationCallbacks* allocator) {
  if (handle == VK_NULL_HANDLE) {
    return;
  }
  Device* const device = layer().device_of(handle);
  if (device == nullptr) {
    return;
  }
  if (!layer().off.load()) {
    guarded([&] {
      constexpr double kSeconds = 60.0;
      layer().writer.drain(device, kSeconds);
    });
  }
  guarded([&] {
    device->commands.clear();  // their launches hold chunks
    device->chunks.free_unused();
    for (const VkFence fence : device->fences) {
      device->next.DestroyFence(handle, fence, nullptr);
    }
  });
  layer().remove_device(*device);
  device->next.DestroyDevice(handle, allocator);
  delete device;
}

}  // namespace hook
}  // namespace capture

extern "C" [[gnu::visibility("default")]] VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  if (version == nullptr || version->loaderLayerInterfaceVersion < 2) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = &capture::instance_function;
  version->pfnGetDeviceProcAddr = &capture::device_function;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
