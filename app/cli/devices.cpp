#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/json/occupancy_json.h"
#include "core/model/multiprocessor.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

Json device_json(const core::DeviceInfo& d) {
  const auto three = [](glm::uvec3 v) { return Json{v.x, v.y, v.z}; };
  return {{"index", d.index},
          {"name", d.name},
          {"type", core::to_string(d.type)},
          {"emulated", d.emulated()},
          {"driver", d.driver},
          {"vulkan", d.vulkan_version},
          {"limits",
           {{"memory_bytes", d.memory_bytes},
            {"buffer_bytes", d.max_buffer_bytes},
            {"shared_memory_bytes", d.shared_memory_bytes},
            {"workgroup_invocations", d.max_workgroup_invocations},
            {"workgroup_size", three(d.max_workgroup_size)},
            {"workgroup_count", three(d.max_workgroup_count)},
            {"subgroup_size", d.subgroup_size},
            {"timestamp_period_ns", d.timestamp_period_ns}}},
          {"features",
           {{"clock", d.shader_clock},
            {"sm_builtins", d.sm_builtins},
            {"executable_statistics", d.executable_statistics},
            {"cooperative_matrix", d.cooperative_matrix},
            {"bfloat16_matrix", d.bfloat16_matrix},
            {"int64_atomics", d.int64_atomics}}},
          {"multiprocessors", d.multiprocessors > 0 ? Json(d.multiprocessors) : Json()},
          {"multiprocessor", multiprocessor_json(d)}};
}

const char* yes(bool value) {
  return value ? "yes" : "no";
}

void print_multiprocessor(const core::DeviceInfo& d) {
  const std::string count = d.multiprocessors > 0
                                ? fmt::format("{} on this device", d.multiprocessors)
                                : std::string("their number is not reported");
  const auto m = core::multiprocessor_of(d);
  if (!m) {
    fmt::print("  multiprocessor limits are not known for this device; {}\n", count);
    return;
  }
  fmt::print("  multiprocessor {}; {}\n", m->architecture, count);
  fmt::print("            {} warps, {} workgroups, {} registers, {} bytes of shared memory{}\n",
             m->warps, m->workgroups, m->registers, m->shared_bytes,
             m->shared_reserved > 0
                 ? fmt::format(" ({} more reserved for each workgroup)", m->shared_reserved)
                 : std::string());
}

void print_text(const core::DeviceInfo& d) {
  constexpr double kGiB = 1U << 30U;
  fmt::print("{} {}\n", d.index, d.name);
  fmt::print("  type      {}{}\n", core::to_string(d.type),
             d.emulated() ? ", emulated: results are correct, but these are not GPU times" : "");
  fmt::print("  driver    {}, Vulkan {}\n", d.driver, d.vulkan_version);
  fmt::print("  memory    {:.1f} GiB, at most {:.2f} GiB in one buffer\n",
             static_cast<double>(d.memory_bytes) / kGiB,
             static_cast<double>(d.max_buffer_bytes) / kGiB);
  fmt::print("  workgroup {} bytes of shared memory, {} invocations ({}×{}×{} at most)\n",
             d.shared_memory_bytes, d.max_workgroup_invocations, d.max_workgroup_size.x,
             d.max_workgroup_size.y, d.max_workgroup_size.z);
  fmt::print("  subgroup  {} invocations\n", d.subgroup_size);
  fmt::print(
      "  features  shader clock {}, multiprocessor ids {}, compiler statistics {}, cooperative "
      "matrices {}\n",
      yes(d.shader_clock), yes(d.sm_builtins), yes(d.executable_statistics),
      !d.cooperative_matrix ? "no"
      : d.bfloat16_matrix   ? "16×16×16 fp16, bf16"
                            : "16×16×16 fp16");
  print_multiprocessor(d);
}

Outcome devices(const Common& common) {
  const auto driver = TRY(open_driver(common));
  Json all = Json::array();
  for (const core::DeviceInfo& device : driver->devices()) {
    if (common.json) {
      all.push_back(device_json(device));
    } else {
      print_text(device);
    }
  }
  if (common.json) {
    print({{"devices", all}});
  }
  return ok;
}

}  // namespace

void add_devices(CLI::App& app) {
  auto common = std::make_shared<Common>();
  add_command(app, "devices", "List the Vulkan devices, real GPUs first", common,
              [common] { return devices(*common); });
}

}  // namespace cli
