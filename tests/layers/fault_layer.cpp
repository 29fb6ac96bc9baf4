// A Vulkan layer of the tests: a call of its choosing fails as a driver's would, without being
// made.
//
//   VK_LAYER_PATH=build/tests/layers VK_INSTANCE_LAYERS=VK_LAYER_TILESCOPE_fault
//   TILESCOPE_FAULT=FUNCTION:N:lost|host|device|crash   the N-th call of it, from 1; "lost" stays
//                                                 so for that device, "crash" ends the process
//   TILESCOPE_FAULT_TEXT=NAME                     a shader module that has it ends the process
//   TILESCOPE_FAULT_COUNTS=FILE                   how often each was called, a line each, at the
//   end
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

namespace {

// Calls that may fail; those that may lose the device first.
// clang-format off
#define TILESCOPE_LOSING(X) \
  X(vkQueueSubmit) X(vkQueueWaitIdle) X(vkDeviceWaitIdle) X(vkWaitForFences) \
  X(vkGetFenceStatus) X(vkGetQueryPoolResults) X(vkWaitSemaphores) \
  X(vkGetSemaphoreCounterValue)
#define TILESCOPE_OTHERS(X) \
  X(vkAllocateMemory) X(vkMapMemory) X(vkCreateBuffer) X(vkBindBufferMemory) X(vkCreateImage) \
  X(vkBindImageMemory) X(vkCreateImageView) X(vkCreateSampler) X(vkCreateShaderModule) \
  X(vkCreateComputePipelines) X(vkCreateGraphicsPipelines) X(vkCreatePipelineLayout) \
  X(vkCreatePipelineCache) X(vkCreateDescriptorSetLayout) X(vkCreateDescriptorPool) \
  X(vkAllocateDescriptorSets) X(vkCreateCommandPool) X(vkAllocateCommandBuffers) \
  X(vkResetCommandPool) X(vkResetCommandBuffer) X(vkBeginCommandBuffer) X(vkEndCommandBuffer) \
  X(vkCreateFence) X(vkResetFences) X(vkCreateSemaphore) X(vkCreateEvent) X(vkCreateQueryPool) \
  X(vkCreateRenderPass) X(vkCreateFramebuffer) X(vkFlushMappedMemoryRanges) \
  X(vkInvalidateMappedMemoryRanges)
// clang-format on

enum Function : int {
#define X(name) at_##name,
  TILESCOPE_LOSING(X) TILESCOPE_OTHERS(X)
#undef X
      at_vkCreateDevice,
  function_count
};

constexpr std::array<const char*, function_count> kNames = [] {
  std::array<const char*, function_count> names{};
#define X(name) names[at_##name] = #name;
  TILESCOPE_LOSING(X)
  TILESCOPE_OTHERS(X)
#undef X
  names[at_vkCreateDevice] = "vkCreateDevice";
  return names;
}();

constexpr Function first_other = at_vkAllocateMemory;

// Loaders give each device's handles the same first word.
void* key_of(const void* handle) {
  void* key = nullptr;
  std::memcpy(&key, handle, sizeof key);
  return key;
}

struct State {
  std::mutex mutex;
  std::array<unsigned, function_count> counts{};
  std::string asked;
  std::string function;
  unsigned number = 0;
  VkResult result = VK_SUCCESS;
  bool crashes = false;
  std::set<void*> lost;
  std::map<void*, PFN_vkGetInstanceProcAddr> instances;
  std::map<void*, PFN_vkGetDeviceProcAddr> devices;
  VkInstance last_instance = VK_NULL_HANDLE;

  // A fault that is asked for anew starts anew, so that a test can have several, one after the
  // other; the calls of a program's instances, of which a picture takes two, are counted together.
  void read_environment() {
    const std::scoped_lock lock(mutex);
    lost.clear();
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else changes it
    const char* given = std::getenv("TILESCOPE_FAULT");
    const std::string text = given != nullptr ? given : "";
    if (text == asked) {
      return;
    }
    asked = text;
    counts = {};
    function.clear();
    const auto first = text.find(':');
    const auto second = text.find(':', first + 1);
    if (second == std::string::npos) {
      return;
    }
    function = text.substr(0, first);
    number = static_cast<unsigned>(std::strtoul(text.c_str() + first + 1, nullptr, 10));
    const std::string kind = text.substr(second + 1);
    crashes = kind == "crash";
    result = kind == "lost"   ? VK_ERROR_DEVICE_LOST
             : kind == "host" ? VK_ERROR_OUT_OF_HOST_MEMORY
                              : VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  void write_counts() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else changes it
    if (const char* file = std::getenv("TILESCOPE_FAULT_COUNTS"); file != nullptr) {
      std::ofstream stream(file);
      for (int i = 0; i < function_count; ++i) {
        if (counts[static_cast<std::size_t>(i)] > 0) {
          stream << kNames[static_cast<std::size_t>(i)] << " "
                 << counts[static_cast<std::size_t>(i)] << "\n";
        }
      }
    }
  }
};

State& state() {
  static State one;
  return one;
}

// What the call shall say instead; VK_SUCCESS: make it.
VkResult fault_of(Function which, const void* handle) {
  State& s = state();
  const std::scoped_lock lock(s.mutex);
  const auto index = static_cast<std::size_t>(which);
  const unsigned number = ++s.counts[index];
  void* const key = key_of(handle);
  if (which < first_other && s.lost.contains(key)) {
    return VK_ERROR_DEVICE_LOST;
  }
  if (s.function != kNames[index] || s.number != number) {
    return VK_SUCCESS;
  }
  if (s.crashes) {
    static_cast<void>(std::raise(SIGSEGV));
  }
  // Whoever makes its instance again is not disturbed twice.
  ::unsetenv("TILESCOPE_FAULT");  // NOLINT(concurrency-mt-unsafe): under the layer's mutex
  if (s.result == VK_ERROR_DEVICE_LOST) {
    s.lost.insert(key);
  }
  return s.result;
}

struct DeviceCalls {
  VkDevice device = VK_NULL_HANDLE;
  std::map<std::string, PFN_vkVoidFunction> next;
};
std::map<void*, DeviceCalls>& device_calls() {
  static std::map<void*, DeviceCalls> all;
  return all;
}

// A device that is lost does nothing any more; one that only says so would go on writing to what is
// freed meanwhile.
void come_to_rest(const void* handle) {
  DeviceCalls calls;
  {
    const std::scoped_lock lock(state().mutex);
    calls = device_calls()[key_of(handle)];
  }
  if (calls.device != VK_NULL_HANDLE) {
    reinterpret_cast<PFN_vkDeviceWaitIdle>(calls.next[kNames[at_vkDeviceWaitIdle]])(calls.device);
  }
}

// A driver's compiler that can't stand a kernel.
void crash_of(const VkShaderModuleCreateInfo* info) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes it
  const char* text = std::getenv("TILESCOPE_FAULT_TEXT");
  const std::string_view code(reinterpret_cast<const char*>(info->pCode), info->codeSize);
  if (text != nullptr && code.find(text) != std::string_view::npos) {
    static_cast<void>(std::raise(SIGSEGV));
  }
}

template <Function which, class Call>
struct Hook;
template <Function which, class First, class... Rest>
struct Hook<which, VkResult(VKAPI_PTR*)(First, Rest...)> {
  static VKAPI_ATTR VkResult VKAPI_CALL call(First handle, Rest... rest) {
    if constexpr (which == at_vkCreateShaderModule) {
      [](const VkShaderModuleCreateInfo* info, auto...) { crash_of(info); }(rest...);
    }
    if (const VkResult fault = fault_of(which, handle); fault != VK_SUCCESS) {
      if (fault == VK_ERROR_DEVICE_LOST) {
        come_to_rest(handle);
      }
      return fault;
    }
    PFN_vkVoidFunction next = nullptr;
    {
      const std::scoped_lock lock(state().mutex);
      next = device_calls()[key_of(handle)].next[kNames[which]];
    }
    return reinterpret_cast<VkResult(VKAPI_PTR*)(First, Rest...)>(next)(handle, rest...);
  }
};

PFN_vkVoidFunction hook_of(const std::string& name) {
#define X(function)                                                                          \
  if (name == #function) {                                                                   \
    return reinterpret_cast<PFN_vkVoidFunction>(&Hook<at_##function, PFN_##function>::call); \
  }
  TILESCOPE_LOSING(X)
  TILESCOPE_OTHERS(X)
#undef X
  return nullptr;
}

template <class Info>
Info* link_of(const void* chain, VkStructureType type) {
  for (auto* entry = static_cast<const VkBaseInStructure*>(chain); entry != nullptr;
       entry = entry->pNext) {
    auto* info = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(entry));
    if (entry->sType == type && info->function == VK_LAYER_LINK_INFO) {
      return info;
    }
  }
  return nullptr;
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
  const auto create =
      reinterpret_cast<PFN_vkCreateInstance>(next(VK_NULL_HANDLE, "vkCreateInstance"));
  const VkResult result = create(info, allocator, instance);
  if (result == VK_SUCCESS) {
    state().read_environment();
    const std::scoped_lock lock(state().mutex);
    state().instances[key_of(*instance)] = next;
    state().last_instance = *instance;
  }
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                             const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkDevice* device) {
  if (const VkResult fault = fault_of(at_vkCreateDevice, physical); fault != VK_SUCCESS) {
    return fault;
  }
  auto* link =
      link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (link == nullptr) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  const auto next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const auto next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(next_instance(state().last_instance, "vkCreateDevice"));
  const VkResult result = create(physical, info, allocator, device);
  if (result == VK_SUCCESS) {
    const std::scoped_lock lock(state().mutex);
    DeviceCalls& calls = device_calls()[key_of(*device)];
    calls.device = *device;
    calls.next.clear();
    for (const char* name : kNames) {
      calls.next[name] = next_device(*device, name);
    }
    state().devices[key_of(*device)] = next_device;
    state().lost.erase(key_of(*device));
  }
  return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char* name) {
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
    return reinterpret_cast<PFN_vkVoidFunction>(&device_proc);
  }
  State& s = state();
  PFN_vkGetDeviceProcAddr next = nullptr;
  {
    const std::scoped_lock lock(s.mutex);
    next = s.devices.at(key_of(device));
  }
  const PFN_vkVoidFunction real = next(device, name);
  const PFN_vkVoidFunction hook = hook_of(name);
  return real != nullptr && hook != nullptr ? hook : real;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char* name) {
  const std::string wanted = name;
  if (wanted == "vkCreateInstance") {
    return reinterpret_cast<PFN_vkVoidFunction>(&create_instance);
  }
  if (wanted == "vkCreateDevice") {
    return reinterpret_cast<PFN_vkVoidFunction>(&create_device);
  }
  if (wanted == "vkGetInstanceProcAddr") {
    return reinterpret_cast<PFN_vkVoidFunction>(&instance_proc);
  }
  if (wanted == "vkGetDeviceProcAddr") {
    return reinterpret_cast<PFN_vkVoidFunction>(&device_proc);
  }
  if (instance == VK_NULL_HANDLE) {
    return nullptr;
  }
  if (const PFN_vkVoidFunction hook = hook_of(wanted); hook != nullptr) {
    return hook;
  }
  State& s = state();
  PFN_vkGetInstanceProcAddr next = nullptr;
  {
    const std::scoped_lock lock(s.mutex);
    const auto found = s.instances.find(key_of(instance));
    next = found == s.instances.end() ? nullptr : found->second;
  }
  return next != nullptr ? next(instance, name) : nullptr;
}

// The loader would unload a layer with its instance, and what it has counted.
void stay() {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&stay), &here) != 0) {
    static_cast<void>(::dlopen(here.dli_fname, RTLD_NOW | RTLD_NODELETE));
  }
}

// Counts are written when the program ends, however many instances it had.
struct AtEnd {
  ~AtEnd() { state().write_counts(); }
};
const AtEnd at_end;

}  // namespace

extern "C" [[gnu::visibility("default")]] VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  stay();
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = &instance_proc;
  version->pfnGetDeviceProcAddr = &device_proc;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
