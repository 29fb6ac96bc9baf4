// A small Vulkan program's device, for the program that tests/cli/capture_test.cpp captures. It
// uses the loader as any program does, and nothing of Tilescope.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

namespace capture_test {

/// Ends the program if a call fails.
void require(VkResult result, const char* what);

struct Memory {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::uint8_t* bytes = nullptr;
  VkDeviceSize size = 0;
  /// Byte i is 7 i + seed.
  void fill(std::uint32_t seed) const;
};

struct Kernel {
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

struct KernelInfo {
  std::string name;  ///< debug name
  std::string glsl;
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  std::uint32_t push_bytes = 0;
  const VkSpecializationInfo* constants = nullptr;
  VkDescriptorSetLayoutCreateFlags flags = 0;
};

class Device {
 public:
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] Memory memory(VkDeviceSize size, VkBufferUsageFlags usage, std::uint32_t seed);
  [[nodiscard]] Kernel kernel(const KernelInfo& info);
  [[nodiscard]] VkDescriptorSet set(const Kernel& kernel) const;
  void write(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type,
             const Memory& memory, VkDeviceSize offset, VkDeviceSize range) const;
  [[nodiscard]] VkCommandBuffer commands(
      VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  void submit(VkCommandBuffer commands) const;
  [[nodiscard]] std::uint32_t memory_type(std::uint32_t allowed, VkMemoryPropertyFlags flags) const;
  /// Destroyed with the device.
  void at_end(std::function<void()> destroy) { ends_.push_back(std::move(destroy)); }

  template <class Function>
  [[nodiscard]] Function function(const char* name) const {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return reinterpret_cast<Function>(vkGetDeviceProcAddr(device, name));
  }

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool command_pool = VK_NULL_HANDLE;
  VkDescriptorPool pool = VK_NULL_HANDLE;

 private:
  std::vector<std::function<void()>> ends_;
};

[[nodiscard]] VkDescriptorSetLayoutBinding binding(std::uint32_t number, VkDescriptorType type,
                                                   std::uint32_t count = 1);
void begin(VkCommandBuffer commands, const VkCommandBufferInheritanceInfo* inherited = nullptr);

}  // namespace capture_test
