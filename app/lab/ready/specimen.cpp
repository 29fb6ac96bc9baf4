#include "lab/ready/specimen.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/base/random.h"
#include "spirv/module/canonical.h"
#include "spirv/module/reflect.h"

namespace lab {

using core::Expected;

namespace {

constexpr std::uint64_t kLargestDefaultBuffer = std::uint64_t{64} << 20U;
// Mesa's llvmpipe leaves any loop silently after 65535 iterations.
constexpr std::uint32_t kEmulatedLoopLimit = 65000;

}  // namespace

Expected<std::unique_ptr<Specimen>> Specimen::of(gpu::Device& device, const CheckRequest& request) {
  std::unique_ptr<Specimen> specimen(new Specimen(device, request));
  if (const auto ok = specimen->prepare(); !ok) {
    return std::unexpected(ok.error());
  }
  return specimen;
}

std::vector<const gpu::Buffer*> Specimen::buffers() const {
  std::vector<const gpu::Buffer*> all;
  for (const gpu::Buffer& buffer : buffers_) {
    all.push_back(&buffer);
  }
  return all;
}

Expected<void> Specimen::prepare() {
  if (const auto valid = spirv::validate(request_.spirv); !valid) {
    return std::unexpected(valid.error());
  }
  auto module = spirv::parse(request_.spirv);
  if (!module) {
    return std::unexpected(module.error());
  }
  const auto interface = spirv::reflect(*module, {});
  if (!interface) {
    return std::unexpected(interface.error());
  }
  choose_constants(*interface);
  auto flat = spirv::flatten_bindings(*module, constants_);
  if (!flat) {
    return std::unexpected(flat.error());
  }
  bindings_ = std::move(*flat);
  not_possible_ = bindings_.not_possible;
  words_ = spirv::write(*module);
  auto examination = spirv::Examination::of(words_, constants_, request_.barriers);
  if (!examination) {
    return std::unexpected(examination.error());
  }
  examination_ = std::move(*examination);
  const spirv::Interface& frozen = examination_->program.interface;
  if (const auto ok = find_buffers(); !ok) {
    return ok;
  }
  tiles_.local_size =
      tiles_.covers = {frozen.local_size[0], frozen.local_size[1], frozen.local_size[2]};
  choose_groups();
  choose_push_constants();
  const std::uint32_t invocations = examination_->program.invocations();
  if (invocations > device_.info().max_workgroup_invocations ||
      frozen.shared_bytes > device_.info().shared_memory_bytes) {
    not_possible_.push_back(fmt::format(
        "a workgroup of {} invocations and {} bytes of shared memory does not fit this device",
        invocations, frozen.shared_bytes));
  }
  return {};
}

Expected<void> Specimen::find_buffers() const {
  for (const auto& [place, buffer] : request_.buffers) {
    if (std::ranges::none_of(bindings_.buffers, [&](const spirv::Binding& b) {
          return std::pair(b.set, b.binding) == place;
        })) {
      return core::usage_error(
          fmt::format("the kernel has no buffer {}.{}", place.first, place.second));
    }
  }
  return {};
}

void Specimen::choose_constants(const spirv::Interface& interface) {
  // Nameless constants of `local_size_x_id` take the value of the named one that shares their id.
  for (const spirv::SpecConstant& c : interface.spec_constants) {
    if (c.width <= 32) {
      constants_[c.id] = static_cast<std::uint32_t>(c.default_value);
    }
  }
  for (const auto& [id, value] : request_.constants) {
    constants_[id] = value;
  }
}

void Specimen::choose_groups() {
  glm::uvec3 groups{request_.groups[0], request_.groups[1], request_.groups[2]};
  const glm::uvec3 local = tiles_.local_size;
  if (groups.x == 0) {
    groups = {4, local.y > 1 ? 4 : 1, local.z > 1 ? 2 : 1};
  }
  groups = glm::max(groups, glm::uvec3{1});
  tiles_.extent = groups * local;
}

void Specimen::choose_push_constants() {
  const spirv::Interface& interface = examination_->program.interface;
  push_constants_.assign((interface.push_constant_bytes + 3) / 4, tiles_.extent.x);
  for (const spirv::BlockMember& member : interface.push_constants) {
    const bool floating = !member.type.starts_with("int") && !member.type.starts_with("uint") &&
                          !member.type.starts_with("ivec") && !member.type.starts_with("uvec") &&
                          !member.type.starts_with("bool");
    for (std::uint32_t w = member.offset / 4; w < (member.offset + member.bytes) / 4; ++w) {
      push_constants_[w] = floating ? std::bit_cast<std::uint32_t>(1.0F) : push_constants_[w];
    }
  }
  for (std::size_t i = 0; i < std::min(push_constants_.size(), request_.push_constants.size());
       ++i) {
    push_constants_[i] = request_.push_constants[i];
  }
}

CheckBuffer Specimen::wanted(const spirv::Binding& binding) const {
  const auto found = request_.buffers.find({binding.set, binding.binding});
  return found != request_.buffers.end() ? found->second : CheckBuffer{};
}

std::uint64_t Specimen::buffer_bytes(const spirv::Binding& binding) const {
  const CheckBuffer buffer = wanted(binding);
  if (!buffer.content.empty()) {
    return (buffer.content.size() + 3) / 4 * 4;
  }
  if (buffer.bytes != 0) {
    return (buffer.bytes + 3) / 4 * 4;
  }
  // One element an invocation, and as many as a square matrix as wide as the launch.
  const std::uint64_t wide = tiles_.extent.x;
  const std::uint64_t elements = std::max({tiles_.invocations(), wide * wide, std::uint64_t{4096}});
  const std::uint64_t bytes = binding.bytes + elements * binding.runtime_stride;
  return std::max<std::uint64_t>(std::min(bytes, binding.bytes + kLargestDefaultBuffer), 16);
}

// What a buffer without a content of its own holds; nothing for zeros.
std::vector<std::uint32_t> Specimen::fill_of(const spirv::Binding& binding, std::uint64_t bytes,
                                             std::size_t number) const {
  const Fill kind = wanted(binding).fill;
  std::vector<std::uint32_t> fill(kind == Fill::zero ? 0 : bytes / 4);
  const bool floats = binding.runtime_type == "float" || binding.runtime_type.starts_with("vec") ||
                      binding.runtime_type.starts_with("mat");
  const std::uint64_t stream = core::mix(request_.seed + number);
  for (std::size_t i = 0; i < fill.size(); ++i) {
    if (kind == Fill::iota) {
      const auto whole = static_cast<std::uint32_t>(i);
      fill[i] = floats ? std::bit_cast<std::uint32_t>(static_cast<float>(i)) : whole;
    } else {
      const auto random = static_cast<std::uint32_t>(core::mix(stream + i));
      fill[i] = floats ? std::bit_cast<std::uint32_t>(static_cast<float>(random % 1024)) : random;
    }
  }
  return fill;
}

Expected<void> Specimen::make_buffers() {
  for (const spirv::Binding& binding : bindings_.buffers) {
    const std::uint64_t bytes = buffer_bytes(binding);
    auto buffer = device_.buffer(bytes, binding.name);
    if (!buffer) {
      return std::unexpected(buffer.error());
    }
    buffers_.push_back(std::move(*buffer));
    fills_.push_back(wanted(binding).content.empty() ? fill_of(binding, bytes, buffers_.size())
                                                     : std::vector<std::uint32_t>{});
  }
  return {};
}

Expected<void> Specimen::fill_buffers() {
  gpu::Commands zero;
  for (const gpu::Buffer& buffer : buffers_) {
    zero.fill(buffer, 0);
  }
  if (const auto done = device_.submit(zero); !done) {
    return std::unexpected(done.error());
  }
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const auto given = wanted(bindings_.buffers[i]).content;
    const auto content = given.empty() ? std::as_bytes(std::span(fills_[i])) : given;
    if (const auto ok = device_.upload(buffers_[i], content); !ok) {
      return ok;
    }
  }
  return {};
}

Expected<std::string> Specimen::bound_loops() {
  if (device_.info().emulated()) {
    loop_limits_.loop = kEmulatedLoopLimit;
  }
  auto bounded = spirv::bound_loops(*examination_, loop_limits_);
  if (!bounded) {
    return "its loops are not bounded: " + bounded.error().message;
  }
  if (bounded->loops.empty()) {
    return std::string();
  }
  auto examination = spirv::Examination::of_canonical(bounded->words);
  if (!examination) {
    return std::unexpected(examination.error());
  }
  examination_ = std::move(*examination);
  loops_ = std::move(bounded->loops);
  return std::string();
}

}  // namespace lab
