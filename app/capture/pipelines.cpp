// Shader modules, layouts, and compute pipelines.
#include <algorithm>
#include <cstring>
#include <string>

#include "capture/hooks.h"
#include "capture/layer.h"

namespace capture::hook {
namespace {

std::shared_ptr<ShaderModule> make_module(const std::uint32_t* code, std::size_t bytes) {
  auto made = std::make_shared<ShaderModule>();
  made->words.assign(code, code + bytes / 4);
  made->scan = scan_module(made->words);
  Hash hash;
  hash.add(std::as_bytes(std::span(made->words)));
  made->hash = hash.value().first;
  return made;
}

template <class Structure>
const Structure* in_chain(const void* chain, VkStructureType type) {
  const auto* entry = static_cast<const VkBaseInStructure*>(chain);
  while (entry != nullptr && entry->sType != type) {
    entry = entry->pNext;
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  return reinterpret_cast<const Structure*>(entry);
}

void read_constants(const VkSpecializationInfo* info, Pipeline& pipeline) {
  for (std::uint32_t i = 0; info != nullptr && i < info->mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = info->pMapEntries[i];
    if (entry.size == 0 || entry.offset > info->dataSize ||
        entry.size > info->dataSize - entry.offset) {
      continue;
    }
    const auto* begin = static_cast<const std::byte*>(info->pData) + entry.offset;
    pipeline.constants[entry.constantID].assign(begin, begin + entry.size);
  }
}

// The name of a pipeline without a debug name: its entry point and the start of the module's hash.
std::string default_name(const Pipeline& pipeline) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string name = pipeline.entry + "-";
  for (int digit = 15; digit >= 8; --digit) {
    name += kDigits[(pipeline.module->hash >> (4 * digit)) & 15U];
  }
  return name;
}

std::shared_ptr<Pipeline> make_pipeline(Device& device, const VkComputePipelineCreateInfo& info) {
  const VkPipelineShaderStageCreateInfo& stage = info.stage;
  auto made = std::make_shared<Pipeline>();
  std::shared_ptr<ShaderModule> module;
  if (stage.module != VK_NULL_HANDLE) {
    module = device.modules.find(stage.module);
  } else if (const auto* inside = in_chain<VkShaderModuleCreateInfo>(
                 stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)) {
    module = make_module(inside->pCode, inside->codeSize);
  }
  if (!module) {
    module = std::make_shared<ShaderModule>();
    made->refused = "the pipeline's module is not known";
  } else if (!module->scan.valid) {
    made->refused = "the module is not SPIR-V";
  } else if (module->scan.addresses) {
    made->refused = "the module uses buffer device addresses";
  }
  made->module = module;
  made->layout = device.layouts.find(info.layout);
  if (!made->layout && made->refused.empty()) {
    made->refused = "the pipeline's layout is not known";
  }
  made->entry = stage.pName;
  read_constants(stage.pSpecializationInfo, *made);
  if (const auto* size = in_chain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
          stage.pNext,
          VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO)) {
    made->subgroup_size = size->requiredSubgroupSize;
  }
  made->name = module->name.empty() ? default_name(*made) : module->name;
  Hash hash;
  hash.add(module->hash);
  hash.add(made->entry);
  hash.add(std::uint64_t{made->subgroup_size});
  for (const auto& [id, bytes] : made->constants) {
    hash.add(std::uint64_t{id});
    hash.add(bytes);
  }
  made->hash = hash.value().second;
  return made;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateShaderModule(VkDevice device,
                                                  const VkShaderModuleCreateInfo* info,
                                                  const VkAllocationCallbacks* allocator,
                                                  VkShaderModule* module) {
  Device& known = known_device(device);
  const VkResult result = known.next.CreateShaderModule(device, info, allocator, module);
  if (result == VK_SUCCESS) {
    guarded([&] { known.modules.add(*module, make_module(info->pCode, info->codeSize)); });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyShaderModule(VkDevice device, VkShaderModule module,
                                               const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] { known.modules.take(module); });
  known.next.DestroyShaderModule(device, module, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                      std::uint32_t count,
                                                      const VkComputePipelineCreateInfo* infos,
                                                      const VkAllocationCallbacks* allocator,
                                                      VkPipeline* pipelines) {
  Device& known = known_device(device);
  const VkResult result =
      known.next.CreateComputePipelines(device, cache, count, infos, allocator, pipelines);
  guarded([&] {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (pipelines[i] != VK_NULL_HANDLE) {
        known.pipelines.add(pipelines[i], make_pipeline(known, infos[i]));
      }
    }
  });
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                           const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] { known.pipelines.take(pipeline); });
  known.next.DestroyPipeline(device, pipeline, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL CreatePipelineLayout(VkDevice device,
                                                    const VkPipelineLayoutCreateInfo* info,
                                                    const VkAllocationCallbacks* allocator,
                                                    VkPipelineLayout* layout) {
  Device& known = known_device(device);
  const VkResult result = known.next.CreatePipelineLayout(device, info, allocator, layout);
  if (result == VK_SUCCESS) {
    guarded([&] {
      auto made = std::make_shared<PipelineLayout>();
      for (std::uint32_t i = 0; i < info->setLayoutCount; ++i) {
        made->sets.push_back(known.set_layouts.find(info->pSetLayouts[i]));
      }
      for (std::uint32_t i = 0; i < info->pushConstantRangeCount; ++i) {
        const VkPushConstantRange& range = info->pPushConstantRanges[i];
        if ((range.stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) != 0) {
          made->push_bytes = std::max(made->push_bytes, range.offset + range.size);
        }
      }
      known.layouts.add(*layout, std::move(made));
    });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipelineLayout(VkDevice device, VkPipelineLayout layout,
                                                 const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] { known.layouts.take(layout); });
  known.next.DestroyPipelineLayout(device, layout, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL
SetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
  Device& known = known_device(device);
  guarded([&] {
    if (info->pObjectName == nullptr) {
      return;
    }
    // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
    if (info->objectType == VK_OBJECT_TYPE_SHADER_MODULE) {
      if (const auto module =
              known.modules.find(reinterpret_cast<VkShaderModule>(info->objectHandle))) {
        module->name = info->pObjectName;
      }
    } else if (info->objectType == VK_OBJECT_TYPE_PIPELINE) {
      const auto handle = reinterpret_cast<VkPipeline>(info->objectHandle);
      if (const auto pipeline = known.pipelines.find(handle)) {
        // Recorded launches share the old one.
        auto named = std::make_shared<Pipeline>(*pipeline);
        named->name = info->pObjectName;
        known.pipelines.add(handle, std::move(named));
      }
    }
    // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  });
  return known.next.SetDebugUtilsObjectNameEXT != nullptr
             ? known.next.SetDebugUtilsObjectNameEXT(device, info)
             : VK_SUCCESS;
}

}  // namespace capture::hook
