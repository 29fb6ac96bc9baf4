// What the driver tells of a compiled kernel: VK_KHR_pipeline_executable_properties.
#include <fmt/format.h>

#include "gpu/device_impl.h"

namespace gpu {
namespace {

core::PipelineStatistic read(const vk::PipelineExecutableStatisticKHR& from) {
  core::PipelineStatistic to;
  to.name = from.name.data();
  to.description = from.description.data();
  switch (from.format) {
    case vk::PipelineExecutableStatisticFormatKHR::eBool32:
      to.number = from.value.b32 == VK_TRUE ? 1.0 : 0.0;
      to.value = from.value.b32 == VK_TRUE ? "yes" : "no";
      break;
    case vk::PipelineExecutableStatisticFormatKHR::eInt64:
      to.number = static_cast<double>(from.value.i64);
      to.value = std::to_string(from.value.i64);
      break;
    case vk::PipelineExecutableStatisticFormatKHR::eUint64:
      to.number = static_cast<double>(from.value.u64);
      to.value = std::to_string(from.value.u64);
      break;
    case vk::PipelineExecutableStatisticFormatKHR::eFloat64:
      to.number = from.value.f64;
      to.value = fmt::format("{:.4g}", from.value.f64);
      break;
  }
  return to;
}

core::PipelineStatistics read(const vk::raii::Device& device, vk::Pipeline pipeline) {
  core::PipelineStatistics statistics;
  const auto executables = device.getPipelineExecutablePropertiesKHR(vk::PipelineInfoKHR{pipeline});
  for (std::uint32_t i = 0; i < executables.size(); ++i) {
    statistics.subgroup_size = executables[i].subgroupSize;
    for (const auto& found : device.getPipelineExecutableStatisticsKHR({pipeline, i})) {
      statistics.all.push_back(read(found));
    }
  }
  core::pick_known(statistics);
  return statistics;
}

}  // namespace

core::Expected<core::PipelineStatistics> Device::statistics(KernelSpec spec) {
  if (!impl_->info.executable_statistics) {
    return core::device_error("not reported by this device");
  }
  const auto words = TRY(impl_->module_of(spec));
  return guard(fmt::format("to compile {} and read its statistics", spec.name), [&] {
    const auto kernel =
        impl_->make_kernel(spec, words, vk::PipelineCreateFlagBits::eCaptureStatisticsKHR);
    return read(impl_->device, *kernel->pipeline);
  });
}

}  // namespace gpu
