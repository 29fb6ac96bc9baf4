// Updates of descriptor sets, also of those that are pushed.
#pragma once

#include <cstdint>
#include <memory>

#include <vulkan/vulkan.h>

#include "capture/objects.h"

namespace capture {

struct Device;

void write_descriptors(Device& device, DescriptorSet& set, const VkWriteDescriptorSet& write);
void write_template(Device& device, DescriptorSet& set, const UpdateTemplate& update,
                    const void* data);

/// The immutable sampler of a slot. Null if the layout has none there.
[[nodiscard]] std::shared_ptr<Sampler> immutable_sampler(const SetLayout& layout,
                                                         std::uint32_t slot);

}  // namespace capture
