#include "lab/run/following.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/limits.h"
#include "lab/ready/memory.h"

namespace lab {
namespace {

constexpr std::uint64_t kShareOfMemory = 4;  // one part in so many

std::uint64_t shadow_bytes(const core::DeviceInfo& device) {
  return std::min(
      {device.emulated() ? core::limits::emulated_shadow_bytes : core::limits::buffer_shadow_bytes,
       device.max_buffer_bytes, device.memory_bytes / kShareOfMemory});
}

}  // namespace

spirv::OrderProbeOptions Following::options(const core::DeviceInfo& device,
                                            const core::Dispatch& dispatch,
                                            const core::Box& launched,
                                            std::vector<std::uint32_t> push_constants,
                                            std::uint64_t end) const {
  spirv::OrderProbeOptions options;
  options.wanted = true;
  options.longs = device.int64_atomics;
  options.subgroup = device.subgroup_size;
  const glm::uvec3 size = launched.size();
  options.launch = {{launched.last.x, launched.last.y, launched.last.z},
                    {size.x, size.y, size.z},
                    std::move(push_constants)};
  options.groups = end;
  for (const core::Resource& resource : dispatch.resources) {
    const bool followed = resource.kind == core::ResourceKind::storage_buffer ||
                          resource.kind == core::ResourceKind::uniform_buffer ||
                          !resource.is_bound();
    options.bytes.push_back(followed ? bound_bytes(resource) : 0);
  }
  options.shadow_bytes = shadow_bytes(device);
  options.ledger_binding = static_cast<std::uint32_t>(dispatch.resources.size()) + 2;
  options.cells_binding = options.ledger_binding + 1;
  return options;
}

core::Expected<void> Following::make(gpu::Device& device, const spirv::OrderPlan& plan) {
  any_ = plan.any;
  if (!any_) {
    return {};
  }
  words_ = plan.layout.words();
  auto ledger = TRY(device.buffer(words_ * 4, "the access history of the check"));
  std::uint64_t rooms = 0;
  if (plan.room_words > 0) {
    const std::uint64_t most = shadow_bytes(device.info()) / 8;
    const std::uint64_t left = most - std::min(most, plan.cell_words);
    at_once_ = std::clamp<std::uint64_t>(left / plan.room_words, 1, plan.layout.groups);
    rooms = at_once_ * plan.room_words;
  }
  const std::uint64_t cell_words = std::max<std::uint64_t>(plan.cell_words + rooms, 1);
  auto cells = TRY(device.buffer(cell_words * 8, "the shadow memory of the access history"));
  ledger_ = std::move(ledger);
  cells_ = std::move(cells);
  return {};
}

void Following::add_to(std::vector<const gpu::Buffer*>& buffers) const {
  if (any_) {
    buffers.push_back(&ledger_);
    buffers.push_back(&cells_);
  }
}

void Following::clear(gpu::Commands& commands) const {
  if (any_) {
    commands.fill(ledger_, 0);
    commands.fill(cells_, 0);
  }
}

core::Expected<std::vector<std::uint32_t>> Following::read(gpu::Device& device) const {
  std::vector<std::uint32_t> words(words_);
  if (any_) {
    TRY(device.download(ledger_, std::as_writable_bytes(std::span(words))));
  }
  return words;
}

}  // namespace lab
