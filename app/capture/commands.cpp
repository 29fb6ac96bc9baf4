// Command buffers: their state, and dispatches.
#include <algorithm>
#include <cstring>

#include <unistd.h>

#include "capture/descriptors.h"
#include "capture/hooks.h"
#include "capture/layer.h"

namespace capture::hook {
namespace {

// A file `pause` in the capture's folder stops it for command buffers that are begun from then on.
bool is_paused() {
  return ::access((layer().options.folder + "/pause").c_str(), F_OK) == 0;
}

std::string joined(const std::vector<std::string>& labels) {
  std::string all;
  for (const std::string& label : labels) {
    all += (all.empty() ? "" : "/") + label;
  }
  return all;
}

bool is_selected(const CommandBuffer& commands, const Launch& launch) {
  Layer& state = layer();
  const Options& options = state.options;
  if (commands.paused || !matches_glob(options.pipelines, launch.pipeline->name)) {
    return false;
  }
  const std::uint64_t number = state.recorded.fetch_add(1);
  if (number < options.skip || (number - options.skip) % options.every != 0) {
    return false;
  }
  return state.chosen.fetch_add(1) < options.count;
}

struct Dispatch {
  std::array<std::uint32_t, 3> base{};
  std::array<std::uint32_t, 3> groups{};
  VkBuffer indirect = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
};

std::shared_ptr<Launch> make_launch(Device& device, CommandBuffer& commands,
                                    const Dispatch& dispatch) {
  if (!commands.pipeline) {
    return nullptr;
  }
  auto launch = std::make_shared<Launch>();
  launch->pipeline = commands.pipeline;
  launch->groups = dispatch.groups;
  launch->label = joined(commands.labels);
  launch->selected = is_selected(commands, *launch);
  if (!launch->selected) {
    return launch;
  }
  launch->refused = launch->pipeline->refused;
  if (dispatch.base != std::array<std::uint32_t, 3>{}) {
    launch->refused = "the dispatch does not begin at workgroup 0,0,0";
  }
  if (dispatch.indirect != VK_NULL_HANDLE) {
    const auto buffer = device.buffers.find(dispatch.indirect);
    if (!buffer || !buffer->refused.empty()) {
      launch->refused = "the counts of an indirect dispatch can't be copied";
    }
  }
  if (!launch->refused.empty()) {
    return launch;
  }
  if (launch->pipeline->layout) {
    launch->push = commands.push;
    launch->push.resize(launch->pipeline->layout->push_bytes);
  }
  resolve_resources(commands, *launch);
  if (launch->refused.empty()) {
    static_cast<void>(
        allocate_copies(device, commands, *launch, dispatch.indirect != VK_NULL_HANDLE));
  }
  if (!launch->refused.empty()) {
    launch->ranges.clear();
    launch->resources.clear();
    launch->indirect = {};
  }
  return launch;
}

// Records a dispatch by `call`, with copies around it.
template <class Call>
void dispatch(VkCommandBuffer handle, const Dispatch& what, Call call) {
  Device& device = known_device(handle);
  std::shared_ptr<CommandBuffer> commands;
  std::shared_ptr<Launch> launch;
  guarded([&] {
    commands = device.commands.find(handle);
    launch = commands ? make_launch(device, *commands, what) : nullptr;
    if (launch) {
      commands->launches.push_back(launch);
    }
  });
  const bool copied = launch && launch->has_copies();
  if (copied) {
    guarded([&] { record_before(device, *commands, *launch, what.indirect, what.offset); });
  }
  call(device.next);
  if (copied) {
    guarded([&] { record_after(device, *commands, *launch); });
  }
}

void forget_commands(Device& device, VkCommandPool pool, bool destroyed) {
  device.commands.remove_if([&](CommandBuffer& commands) {
    if (commands.pool == pool) {
      commands.reset();
    }
    return destroyed && commands.pool == pool;
  });
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL DestroyCommandPool(VkDevice device, VkCommandPool pool,
                                              const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] { forget_commands(known, pool, true); });
  known.next.DestroyCommandPool(device, pool, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL ResetCommandPool(VkDevice device, VkCommandPool pool,
                                                VkCommandPoolResetFlags flags) {
  Device& known = known_device(device);
  guarded([&] { forget_commands(known, pool, false); });
  return known.next.ResetCommandPool(device, pool, flags);
}

VKAPI_ATTR VkResult VKAPI_CALL AllocateCommandBuffers(VkDevice device,
                                                      const VkCommandBufferAllocateInfo* info,
                                                      VkCommandBuffer* buffers) {
  Device& known = known_device(device);
  const VkResult result = known.next.AllocateCommandBuffers(device, info, buffers);
  if (result == VK_SUCCESS) {
    guarded([&] {
      for (std::uint32_t i = 0; i < info->commandBufferCount; ++i) {
        auto made = std::make_shared<CommandBuffer>();
        made->handle = buffers[i];
        made->pool = info->commandPool;
        known.commands.add(buffers[i], std::move(made));
      }
    });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL FreeCommandBuffers(VkDevice device, VkCommandPool pool,
                                              std::uint32_t count, const VkCommandBuffer* buffers) {
  Device& known = known_device(device);
  guarded([&] {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (buffers[i] != VK_NULL_HANDLE) {
        known.commands.take(buffers[i]);
      }
    }
  });
  known.next.FreeCommandBuffers(device, pool, count, buffers);
}

VKAPI_ATTR VkResult VKAPI_CALL BeginCommandBuffer(VkCommandBuffer handle,
                                                  const VkCommandBufferBeginInfo* info) {
  Device& device = known_device(handle);
  guarded([&] {
    if (const auto commands = device.commands.find(handle)) {
      commands->reset();
      commands->paused = is_paused();
    }
  });
  return device.next.BeginCommandBuffer(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL ResetCommandBuffer(VkCommandBuffer handle,
                                                  VkCommandBufferResetFlags flags) {
  Device& device = known_device(handle);
  guarded([&] {
    if (const auto commands = device.commands.find(handle)) {
      commands->reset();
    }
  });
  return device.next.ResetCommandBuffer(handle, flags);
}

VKAPI_ATTR void VKAPI_CALL CmdBindPipeline(VkCommandBuffer handle, VkPipelineBindPoint point,
                                           VkPipeline pipeline) {
  Device& device = known_device(handle);
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
    guarded([&] {
      if (const auto commands = device.commands.find(handle)) {
        commands->pipeline = device.pipelines.find(pipeline);
      }
    });
  }
  device.next.CmdBindPipeline(handle, point, pipeline);
}

VKAPI_ATTR void VKAPI_CALL CmdBindDescriptorSets(VkCommandBuffer handle, VkPipelineBindPoint point,
                                                 VkPipelineLayout layout, std::uint32_t first,
                                                 std::uint32_t count, const VkDescriptorSet* sets,
                                                 std::uint32_t offset_count,
                                                 const std::uint32_t* offsets) {
  Device& device = known_device(handle);
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
    guarded([&] {
      const auto commands = device.commands.find(handle);
      std::uint32_t used = 0;
      for (std::uint32_t i = 0; commands && i < count; ++i) {
        BoundSet bound;
        bound.set = sets[i] != VK_NULL_HANDLE ? device.sets.find(sets[i]) : nullptr;
        std::uint32_t dynamic = 0;
        if (bound.set) {
          for (const LayoutBinding& binding : bound.set->layout->bindings) {
            if (binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
                binding.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC) {
              dynamic += binding.count;
            }
          }
        }
        dynamic = std::min(dynamic, offset_count - used);
        if (dynamic > 0) {
          bound.dynamic_offsets.assign(offsets + used, offsets + used + dynamic);
        }
        used += dynamic;
        commands->sets[first + i] = std::move(bound);
      }
    });
  }
  device.next.CmdBindDescriptorSets(handle, point, layout, first, count, sets, offset_count,
                                    offsets);
}

VKAPI_ATTR void VKAPI_CALL CmdPushConstants(VkCommandBuffer handle, VkPipelineLayout layout,
                                            VkShaderStageFlags stages, std::uint32_t offset,
                                            std::uint32_t size, const void* values) {
  Device& device = known_device(handle);
  guarded([&] {
    const auto commands = device.commands.find(handle);
    if (commands && (stages & VK_SHADER_STAGE_COMPUTE_BIT) != 0) {
      commands->push.resize(std::max<std::size_t>(commands->push.size(), offset + size));
      std::memcpy(commands->push.data() + offset, values, size);
    }
  });
  device.next.CmdPushConstants(handle, layout, stages, offset, size, values);
}

namespace {

// The set that pushed descriptors go to. Each push makes a new one: recorded launches keep theirs.
std::shared_ptr<DescriptorSet> pushed_set(Device& device, CommandBuffer& commands,
                                          VkPipelineLayout layout, std::uint32_t number) {
  const auto known = device.layouts.find(layout);
  if (!known || number >= known->sets.size() || !known->sets[number]) {
    return nullptr;
  }
  auto set = std::make_shared<DescriptorSet>();
  set->layout = known->sets[number];
  if (const auto before = commands.sets.find(number); before != commands.sets.end() &&
                                                      before->second.set &&
                                                      before->second.set->pool == VK_NULL_HANDLE) {
    set->descriptors = before->second.set->descriptors;
  }
  commands.sets[number] = {set, {}};
  return set;
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL CmdPushDescriptorSetKHR(VkCommandBuffer handle,
                                                   VkPipelineBindPoint point,
                                                   VkPipelineLayout layout, std::uint32_t number,
                                                   std::uint32_t count,
                                                   const VkWriteDescriptorSet* writes) {
  Device& device = known_device(handle);
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
    guarded([&] {
      const auto commands = device.commands.find(handle);
      const auto set = commands ? pushed_set(device, *commands, layout, number) : nullptr;
      for (std::uint32_t i = 0; set && i < count; ++i) {
        write_descriptors(device, *set, writes[i]);
      }
    });
  }
  device.next.CmdPushDescriptorSetKHR(handle, point, layout, number, count, writes);
}

VKAPI_ATTR void VKAPI_CALL CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer handle,
                                                               VkDescriptorUpdateTemplate update,
                                                               VkPipelineLayout layout,
                                                               std::uint32_t number,
                                                               const void* data) {
  Device& device = known_device(handle);
  guarded([&] {
    const auto commands = device.commands.find(handle);
    const auto entries = device.templates.find(update);
    const auto set = commands && entries ? pushed_set(device, *commands, layout, number) : nullptr;
    if (set) {
      write_template(device, *set, *entries, data);
    }
  });
  device.next.CmdPushDescriptorSetWithTemplateKHR(handle, update, layout, number, data);
}

VKAPI_ATTR void VKAPI_CALL CmdDispatch(VkCommandBuffer handle, std::uint32_t x, std::uint32_t y,
                                       std::uint32_t z) {
  dispatch(handle, {.groups = {x, y, z}},
           [&](const NextDevice& next) { next.CmdDispatch(handle, x, y, z); });
}

VKAPI_ATTR void VKAPI_CALL CmdDispatchBase(VkCommandBuffer handle, std::uint32_t base_x,
                                           std::uint32_t base_y, std::uint32_t base_z,
                                           std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  dispatch(handle, {.base = {base_x, base_y, base_z}, .groups = {x, y, z}},
           [&](const NextDevice& next) {
             next.CmdDispatchBase(handle, base_x, base_y, base_z, x, y, z);
           });
}

VKAPI_ATTR void VKAPI_CALL CmdDispatchIndirect(VkCommandBuffer handle, VkBuffer buffer,
                                               VkDeviceSize offset) {
  dispatch(handle, {.indirect = buffer, .offset = offset},
           [&](const NextDevice& next) { next.CmdDispatchIndirect(handle, buffer, offset); });
}

VKAPI_ATTR void VKAPI_CALL CmdExecuteCommands(VkCommandBuffer handle, std::uint32_t count,
                                              const VkCommandBuffer* secondaries) {
  Device& device = known_device(handle);
  guarded([&] {
    const auto commands = device.commands.find(handle);
    for (std::uint32_t i = 0; commands && i < count; ++i) {
      if (const auto secondary = device.commands.find(secondaries[i])) {
        commands->launches.insert(commands->launches.end(), secondary->launches.begin(),
                                  secondary->launches.end());
      }
    }
    // The bound state is undefined behind it.
    if (commands) {
      commands->pipeline.reset();
      commands->sets.clear();
      commands->push.clear();
    }
  });
  device.next.CmdExecuteCommands(handle, count, secondaries);
}

VKAPI_ATTR void VKAPI_CALL CmdBeginDebugUtilsLabelEXT(VkCommandBuffer handle,
                                                      const VkDebugUtilsLabelEXT* info) {
  Device& device = known_device(handle);
  guarded([&] {
    if (const auto commands = device.commands.find(handle)) {
      commands->labels.emplace_back(info->pLabelName);
    }
  });
  if (device.next.CmdBeginDebugUtilsLabelEXT != nullptr) {
    device.next.CmdBeginDebugUtilsLabelEXT(handle, info);
  }
}

VKAPI_ATTR void VKAPI_CALL CmdEndDebugUtilsLabelEXT(VkCommandBuffer handle) {
  Device& device = known_device(handle);
  guarded([&] {
    const auto commands = device.commands.find(handle);
    if (commands && !commands->labels.empty()) {
      commands->labels.pop_back();
    }
  });
  if (device.next.CmdEndDebugUtilsLabelEXT != nullptr) {
    device.next.CmdEndDebugUtilsLabelEXT(handle);
  }
}

}  // namespace capture::hook
