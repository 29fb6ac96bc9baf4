#include "lab/ready/specimen.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "lab/plan/plan.h"
#include "lab/ready/memory.h"
#include "spirv/analysis/values/facts.h"
#include "spirv/reflection/entry_points.h"
#include "spirv/reflection/reflect.h"

namespace lab {

using core::Expected;

namespace {

// Mesa's llvmpipe silently ends all loops of a subgroup after 65535 iterations together, the
// probe's own included. The smaller limits are for kernels that were seen to reach that: the last
// one allows for 16 lanes that each go through loops of their own.
constexpr std::uint32_t kEmulatedLoopLimit = 65000;
constexpr std::array<std::uint32_t, 2> kSmallerLoopLimits{20000, 3000};

constexpr std::size_t kMostKnownBytes = 65536;  // of a buffer whose content is read beforehand

// Content that is bytes, in words; what follows a file that is shorter is zeros.
spirv::KnownWords known_words(const core::Resource& resource, std::uint64_t bytes) {
  if (resource.written || resource.has_texels() || resource.content.bytes.empty() ||
      bytes > kMostKnownBytes) {
    return {};
  }
  std::vector<std::uint32_t> words(bytes / 4);
  const auto given = resource.content.bytes.first(
      std::min<std::size_t>(resource.content.bytes.size(), words.size() * 4));
  std::memcpy(words.data(), given.data(), given.size());
  return {words.begin(), words.end()};
}

// Columns, rows, slices as far as an image has them, then layers.
std::array<std::uint32_t, 3> coordinate_lengths(const core::Resource& resource) {
  std::array<std::uint32_t, 3> lengths{};
  if (!resource.has_texels()) {
    return lengths;
  }
  const core::ImageShape& image = resource.image;
  const bool flat = image.dimensions == core::ImageDimensions::two ||
                    image.dimensions == core::ImageDimensions::cube;
  const std::size_t count = image.dimensions == core::ImageDimensions::three ? 3 : flat ? 2 : 1;
  std::copy_n(image.extent.begin(), count, lengths.begin());
  if (count < 3 && (image.arrayed || image.dimensions == core::ImageDimensions::cube)) {
    lengths.at(count) = image.layers;
  }
  return lengths;
}

// Where addresses lie nothing is known before the launch.
spirv::Launch launch_of(const core::Dispatch& dispatch, const core::DeviceInfo& device) {
  spirv::Launch launch;
  launch.subgroup = device.subgroup_size;
  launch.groups = {dispatch.groups.x, dispatch.groups.y, dispatch.groups.z};
  launch.push_constants.assign(dispatch.push_constants.begin(), dispatch.push_constants.end());
  for (const core::Resource& resource : dispatch.resources) {
    const std::uint64_t bytes = bound_bytes(resource);
    launch.buffers.push_back({bytes, known_words(resource, bytes), coordinate_lengths(resource),
                              resource.is_bound() ? std::string() : resource.name});
    if (!resource.has_own_memory()) {
      launch.buffers.back().memory_of = static_cast<std::uint32_t>(resource.memory_of);
      launch.buffers.back().memory_offset = resource.memory_offset;
    }
    const std::size_t first = launch.buffers.size() - 1 - resource.element;
    launch.buffers[first].descriptors = resource.element + 1;
  }
  for (const core::Resource& resource : dispatch.resources) {
    if (resource.is_bound()) {
      continue;
    }
    // Where the holder may change, what an address leads to is found out as the kernel runs.
    const auto number = static_cast<std::uint32_t>(&resource - dispatch.resources.data());
    const std::size_t holder = resource.address_at.resource;
    if (holder == core::AddressPlace::kPushConstants) {
      launch.addresses.push_back({.offset = resource.address_at.offset, .buffer = number});
    } else if (!dispatch.resources[holder].written) {
      launch.addresses.push_back({holder, resource.address_at.offset, number});
    }
    auto& words = resource.address_at.resource == core::AddressPlace::kPushConstants
                      ? launch.push_constants
                      : launch.buffers[resource.address_at.resource].words;
    for (std::size_t at = resource.address_at.offset / 4;
         at < std::min<std::size_t>(words.size(), resource.address_at.offset / 4 + 2); ++at) {
      words[at].reset();
    }
  }
  return launch;
}

}  // namespace

Expected<std::shared_ptr<Specimen>> Specimen::of(core::Dispatch dispatch,
                                                 const core::DeviceInfo& device) {
  std::shared_ptr<Specimen> specimen(new Specimen(std::move(dispatch), device));
  TRY(specimen->examine());
  return specimen;
}

// What can't be examined still runs; it is only not known whether that is safe.
Expected<void> Specimen::examine() {
  auto flat = TRY(flat_module(dispatch_));
  not_possible_ = std::move(flat.not_possible);
  read_interface(flat.words);
  core::KernelFacts unknown;
  examination_ = spirv::Examination::of(flat.words, dispatch_.constants, dispatch_.barriers);
  if (!examination_) {
    unknown.not_examined = examination_.error().message;
    facts_ = std::make_shared<const core::KernelFacts>(std::move(unknown));
    return {};
  }
  auto facts = spirv::facts_of(flat.words, dispatch_.constants, dispatch_.barriers, **examination_);
  if (!facts) {
    unknown.not_examined = facts.error().message;
  }
  facts_ = std::make_shared<const core::KernelFacts>(facts ? std::move(*facts) : unknown);
  const std::uint32_t invocations = (*examination_)->program.invocations();
  const std::uint64_t shared = (*examination_)->program.interface.shared_bytes;
  if (invocations > device_.max_workgroup_invocations || shared > device_.shared_memory_bytes) {
    not_possible_.push_back(fmt::format(
        "a workgroup of {} invocations and {} bytes of shared memory does not fit this device",
        invocations, shared));
  }
  return {};
}

void Specimen::read_interface(const std::vector<std::uint32_t>& flat) {
  const auto kernel = spirv::parse(flat);
  const auto interface = kernel ? spirv::reflect(*kernel, dispatch_.constants)
                                : Expected<spirv::Interface>(std::unexpected(kernel.error()));
  const auto all = spirv::parse(dispatch_.module->words);
  if (!interface || !all) {
    return;
  }
  size_constants_ = interface->local_size_ids;
  bindings_ = interface->bindings;
  for (const std::string& entry : spirv::compute_entries(*all)) {
    if (entry != interface->entry_point) {
      other_entries_.push_back(entry);
    }
  }
}

Expected<spirv::Examination*> Specimen::examination() {
  if (!examination_) {
    return std::unexpected(examination_.error());
  }
  return examination_->get();
}

Expected<spirv::Examination*> Specimen::bounded() {
  if (!examination_ || std::exchange(tried_to_bound_, true)) {
    return bounded_ ? bounded_.get() : examination();
  }
  if (device_.emulated() && !loop_limits_.all) {
    loop_limits_.loop = loop_limits_.total = kEmulatedLoopLimit;
  }
  // What the launch tells (push constants) makes counted loops of more of them.
  auto launched = TRY(spirv::Examination::of_canonical(
      spirv::write((*examination_)->program.module), launch_of(dispatch_, device_)));
  auto bounded = spirv::bound_loops(*launched, loop_limits_);
  if (!bounded) {
    not_bounded_ = "its loops could not be limited: " + bounded.error().message;
  }
  if (!bounded || bounded->loops.empty()) {
    bounded_ = std::move(launched);
    bounded_->removed = (*examination_)->removed;
    return bounded_.get();
  }
  bounded_ = TRY(spirv::Examination::of_canonical(bounded->words, launch_of(dispatch_, device_)));
  bounded_->removed = (*examination_)->removed;
  loops_ = std::move(bounded->loops);
  return bounded_.get();
}

void Specimen::keep_divergent(std::vector<core::Finding> found) {
  core::KernelFacts facts = *facts_;
  facts.divergent = std::move(found);
  facts_ = std::make_shared<const core::KernelFacts>(std::move(facts));
  barriers_seen_ = true;
}

bool Specimen::bound_all_loops() {
  const auto next = std::ranges::find_if(kSmallerLoopLimits, [&](std::uint32_t limit) {
    return !loop_limits_.all || limit < loop_limits_.total;
  });
  if (next == kSmallerLoopLimits.end()) {
    return false;
  }
  loop_limits_ = {*next, *next, true};
  bounded_.reset();
  not_bounded_.clear();
  loops_.clear();
  tried_to_bound_ = false;
  return true;
}

Expected<bool> Specimen::device_may_end_loops() {
  const auto examined = TRY(bounded());
  const auto most = spirv::most_iterations(examined->program);
  return device_.emulated() && (!loops_.empty() || !most || *most >= kEmulatedLoopLimit);
}

Turns alone(std::shared_ptr<Specimen> specimen) {
  const core::Box all{{0, 0, 0}, specimen->dispatch().groups};
  return {{std::move(specimen), all}};
}

Expected<gpu::Kernel> Specimen::probe_kernel(gpu::Device& device,
                                             const std::vector<std::uint32_t>& words,
                                             const std::string& what, std::uint32_t extra,
                                             std::optional<std::uint32_t> address_table) const {
  return device.kernel(
      {.name = fmt::format("{} ({})", dispatch_.module->name, what),
       .spirv = words,
       .entry_point = (*examination_)->program.interface.entry_point,
       .constants = {},
       .bindings = bindings_of(dispatch_, extra),
       .push_constant_bytes = static_cast<std::uint32_t>(dispatch_.push_constants.size() * 4),
       .bfloat16 = dispatch_.module->bfloat16,
       .inside = !dispatch_.barriers.empty(),
       .addresses_kept = true,
       .address_table = address_table});
}

}  // namespace lab
