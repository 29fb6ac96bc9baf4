#include "lab/probe/longer_buffers.h"

#include <algorithm>

namespace lab {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{64} << 20U;

// A buffer of a chosen length, and bytes an element.
struct Grown {
  const core::Resource* resource = nullptr;
  std::uint64_t stride = 0;
};

Grown bound_buffer(const Specimen& specimen, const core::Finding& f) {
  const core::Dispatch& dispatch = specimen.dispatch();
  const auto b = std::ranges::find_if(specimen.bindings(), [&](const spirv::Binding& binding) {
    return binding.runtime_stride != 0 && dispatch.chosen.lengths.contains(binding.binding) &&
           (binding.runtime_name == f.variable || binding.name == f.variable);
  });
  return b == specimen.bindings().end() ? Grown{}
                                        : Grown{&dispatch.resources[b->binding], b->runtime_stride};
}

// Memory behind an address: "node.data" is in "node", unless there is memory of that name.
Grown addressed_buffer(const Specimen& specimen, const core::Finding& f) {
  const core::Dispatch& dispatch = specimen.dispatch();
  Grown found;
  for (const std::size_t n : dispatch.chosen.lengths) {
    const core::Resource& resource = dispatch.resources[n];
    const bool named = f.variable == resource.name || f.variable.ends_with(" " + resource.name) ||
                       f.variable.starts_with(resource.name + ".") ||
                       f.variable.contains(" " + resource.name + ".");
    if (!resource.is_bound() && named && f.limit != 0 &&
        (found.resource == nullptr || resource.name.size() > found.resource->name.size())) {
      found = {&resource, (resource.bytes + f.limit - 1) / f.limit};
    }
  }
  return found;
}

}  // namespace

LongerBuffers longer_buffers(const Specimen& specimen, const core::CheckReport& report) {
  LongerBuffers longer;
  for (const core::Finding& f : report.findings) {
    if (f.kind != core::FindingKind::out_of_bounds || f.memory != core::Memory::buffer ||
        f.severity() != core::Severity::assumed || f.outside < 0) {
      continue;
    }
    Grown grown = bound_buffer(specimen, f);
    grown = grown.resource != nullptr ? grown : addressed_buffer(specimen, f);
    if (grown.resource == nullptr) {
      continue;
    }
    const auto index = static_cast<std::uint64_t>(f.outside);
    if (index >= kLargest / grown.stride) {
      return {};
    }
    // The first part of a block is not larger than the buffer is now.
    const std::uint64_t bytes =
        std::min(kLargest, grown.resource->bytes + grown.stride * 2 * (index + 1));
    if (bytes <= grown.resource->bytes) {
      return {};
    }
    std::uint64_t& most = longer[grown.resource->place()];
    most = std::max(most, bytes);
  }
  return longer;
}

}  // namespace lab
