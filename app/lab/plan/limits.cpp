#include "lab/plan/limits.h"

#include <array>

#include <fmt/format.h>

#include "core/base/bytes.h"

namespace lab {
namespace {

constexpr std::array kAxes{"x", "y", "z"};

}  // namespace

core::Expected<void> check_workgroup(const core::TileMap& tiles, std::uint64_t shared_bytes,
                                     std::uint32_t tile, const core::DeviceInfo& device) {
  const std::string who = tile == 0 ? std::string("this kernel") : fmt::format("tile {}", tile);
  const char* const remedy = tile == 0 ? "choose a smaller workgroup" : "choose a smaller tile";
  const glm::uvec3 size = tiles.local_size;
  const std::uint64_t invocations = std::uint64_t{size.x} * size.y * size.z;
  if (invocations > device.max_workgroup_invocations) {
    return core::usage_error(
        fmt::format("{} needs {} invocations per workgroup; this device allows {}; {}", who,
                    invocations, device.max_workgroup_invocations, remedy));
  }
  const glm::uvec3 groups = tiles.groups();
  for (int d = 0; d < 3; ++d) {
    const char* axis = kAxes[static_cast<std::size_t>(d)];
    if (size[d] == 0 || tiles.covers[d] == 0) {
      return core::usage_error(
          fmt::format("{} gives a workgroup of size 0 in {}; choose a larger size", who, axis));
    }
    if (size[d] > device.max_workgroup_size[d]) {
      return core::usage_error(
          fmt::format("{} needs {} invocations in {}; this device allows {}; {}", who, size[d],
                      axis, device.max_workgroup_size[d], remedy));
    }
    if (groups[d] > device.max_workgroup_count[d]) {
      return core::usage_error(fmt::format(
          "{} needs {} workgroups in {}; this device allows {}; choose a {}", who, groups[d], axis,
          device.max_workgroup_count[d], tiles.covers[d] > 1 ? "larger tile" : "smaller size"));
    }
  }
  if (shared_bytes > device.shared_memory_bytes) {
    return core::usage_error(
        fmt::format("{} needs {} bytes of shared memory per workgroup; this device allows {}; {}",
                    who, shared_bytes, device.shared_memory_bytes, remedy));
  }
  return {};
}

core::Expected<void> check_memory(const std::vector<core::Resource>& resources,
                                  const core::DeviceInfo& device) {
  std::uint64_t total = 0;
  for (const core::Resource& resource : resources) {
    total += resource.bytes;
    if (resource.bytes > device.max_buffer_bytes) {
      const std::string size = core::bytes_in_words(resource.bytes);
      return core::usage_error(
          fmt::format("{} needs {}; a buffer on this device has at most {}; choose smaller sizes",
                      resource.name,
                      resource.shape.empty() ? size : fmt::format("{} ({})", resource.shape, size),
                      core::bytes_in_words(device.max_buffer_bytes)));
    }
  }
  if (total > device.memory_bytes) {
    return core::usage_error(
        fmt::format("the buffers need {}; this device has {}; choose smaller sizes",
                    core::bytes_in_words(total), core::bytes_in_words(device.memory_bytes)));
  }
  // Here too, once; twice where the device's memory is ours.
  const std::uint64_t there = core::available_memory();
  const std::uint64_t needed = device.emulated() ? 2 * total : total;
  if (there > 0 && needed > there) {
    return core::device_error(
        fmt::format("the buffers need {} of memory; {} are free; choose smaller sizes",
                    core::bytes_in_words(needed), core::bytes_in_words(there)));
  }
  return {};
}

}  // namespace lab
