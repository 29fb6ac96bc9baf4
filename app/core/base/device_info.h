// What a Vulkan device tells about itself, as plain data: what `tilescope devices` prints, what the
// window's device menu lists, and what sizes and tiles are checked against.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

namespace core {

enum class DeviceType { discrete, integrated, virtual_gpu, cpu, other };

struct DeviceInfo {
  std::uint32_t index = 0;  ///< position in the listing, real GPUs first; what `--device I` takes
  std::string name;
  DeviceType type = DeviceType::other;
  std::string driver;          ///< driver name and version as the driver words it
  std::string vulkan_version;  ///< "1.3.230"

  std::uint64_t memory_bytes = 0;               ///< the largest device-local heap
  std::uint64_t max_buffer_bytes = 0;           ///< the largest storage buffer a shader may see
  std::uint32_t shared_memory_bytes = 0;        ///< a workgroup's limit
  std::uint32_t max_workgroup_invocations = 0;  ///< a workgroup's limit
  glm::uvec3 max_workgroup_size{0};             ///< the same, a dimension
  glm::uvec3 max_workgroup_count{0};            ///< workgroups a launch, a dimension
  std::uint32_t subgroup_size = 0;              ///< invocations
  double timestamp_period_ns = 0.0;             ///< nanoseconds a tick; 0: no timestamps

  bool shader_clock = false;           ///< VK_KHR_shader_clock, device scope
  bool sm_builtins = false;            ///< VK_NV_shader_sm_builtins or VK_ARM_shader_core_builtins
  bool executable_statistics = false;  ///< VK_KHR_pipeline_executable_properties
  /// VK_NV_cooperative_matrix: 16×16×16, float16 times float16 into float32, a subgroup of 32.
  bool cooperative_matrix = false;
  /// VK_KHR_cooperative_matrix of VK_KHR_shader_bfloat16's numbers: the same with bfloat16. Not
  /// under the validation layers, which do not know them.
  bool bfloat16_matrix = false;
  bool int64_atomics = false;         ///< on storage buffers
  bool arm_core_builtins = false;     ///< of the two behind sm_builtins it is ARM's
  std::uint32_t multiprocessors = 0;  ///< as sm_builtins' extension counts them; 0: not reported
  std::uint32_t warps_per_multiprocessor = 0;  ///< warp slots; 0: not reported

  /// A CPU that plays a GPU (C++ AMP's is_emulated): results are right, times are not a GPU's.
  [[nodiscard]] bool emulated() const { return type == DeviceType::cpu; }
};

/// "discrete GPU", "integrated GPU", "virtual GPU", "CPU" or "other".
[[nodiscard]] std::string to_string(DeviceType type);

}  // namespace core
