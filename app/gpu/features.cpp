#include "gpu/features.h"

#include "gpu/driver_impl.h"

namespace gpu {
namespace {

template <class Structure>
vk::BaseOutStructure* base(Structure& structure) {
  return reinterpret_cast<vk::BaseOutStructure*>(&structure);
}

}  // namespace

Features::Features(const vk::raii::PhysicalDevice& device, bool robust, bool validated) {
  link(base(eleven_));
  link(base(twelve_));
  if (device.getProperties().apiVersion >= VK_API_VERSION_1_3) {
    link(base(thirteen_));
  }
  add_extension(device, VK_KHR_SHADER_CLOCK_EXTENSION_NAME, base(clock_));
  add_extension(device, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME, base(sm_));
  add_extension(device, VK_ARM_SHADER_CORE_BUILTINS_EXTENSION_NAME, base(core_));
  add_extension(device, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME, base(executable_));
  add_extension(device, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, base(atomic_float_));
  if (has_extension(device, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME)) {
    extensions_.push_back(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  }
  add_extension(device, VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME, base(cooperative_matrix_));
  if (!validated) {
    add_extension(device, "VK_KHR_cooperative_matrix", base(khr_matrices_));
    add_extension(device, "VK_KHR_shader_bfloat16", base(bfloat16_));
  }
  if (robust) {
    add_extension(device, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, base(robustness_));
  }
  (*device).getFeatures2(&features_, *device.getDispatcher());
  features_.features.robustBufferAccess = robust && features_.features.robustBufferAccess;
  khr_matrices_.robust_buffer_access = VK_FALSE;
  thirteen_.robustImageAccess = robust && thirteen_.robustImageAccess;
  robustness_.robustImageAccess2 = VK_FALSE;
  robustness_.nullDescriptor = VK_FALSE;
}

void Features::link(vk::BaseOutStructure* structure) {
  structure->pNext = static_cast<vk::BaseOutStructure*>(features_.pNext);
  features_.pNext = structure;
}

void Features::add_extension(const vk::raii::PhysicalDevice& device, const char* name,
                             vk::BaseOutStructure* features) {
  if (has_extension(device, name)) {
    extensions_.push_back(name);
    link(features);
  }
}

}  // namespace gpu
