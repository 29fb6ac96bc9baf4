#include "cli/json/occupancy_json.h"

#include <fmt/format.h>

#include "core/model/occupancy.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kNotKnown = "not known for this device";

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json to_json(const core::ResourceUse& r) {
  Json json{{"resource", core::to_string(r.resource)}, {"has", r.has}};
  json["each"] = r.known ? Json(r.each) : Json();
  json["fit"] = r.known && r.fit <= r.has ? Json(r.fit) : Json();
  json["limits"] = r.limits;
  return json;
}

// What a multiprocessor holds of a tile's workgroups; nothing where that is not known.
void add_residency(Json& json, const std::optional<core::Residency>& residency) {
  json["workgroups"] = residency ? Json(residency->workgroups) : Json();
  json["warps"] = residency ? Json(residency->warps) : Json();
  json["share"] = residency ? Json(residency->share()) : Json();
  json["limiter"] = residency ? Json(core::to_string(residency->limiter().resource)) : Json();
}

Json to_json(const core::TileOccupancy& t) {
  Json json{{"tile", t.tile == 0 ? Json() : Json(t.tile)},
            {"invocations", t.use.invocations},
            {"shared_bytes", t.use.shared_bytes},
            {"registers", or_null(t.use.registers)},
            {"registers_assumed", t.use.registers && !t.compiled},
            {"impossible", t.impossible.empty() ? Json() : Json(t.impossible)}};
  add_residency(json, t.residency);
  json["padding"] = Json::array();
  for (const core::PaddingCost& padding : t.paddings) {
    json["padding"].push_back(
        {{"constant", padding.constant},
         {"bytes", padding.bytes},
         {"workgroups_without", padding.workgroups > 0 ? Json(padding.workgroups) : Json()}});
  }
  return json;
}

Json to_json(const core::Multiprocessor& m) {
  return {{"architecture", m.architecture},
          {"partitions", m.partitions},
          {"warps", m.warps},
          {"workgroups", m.workgroups},
          {"registers", m.registers},
          {"register_unit", m.register_unit},
          {"shared_bytes", m.shared_bytes},
          {"shared_unit", m.shared_unit},
          {"shared_reserved", m.shared_reserved}};
}

}  // namespace

Json multiprocessor_json(const core::DeviceInfo& device) {
  const auto found = core::multiprocessor_of(device);
  return found ? to_json(*found) : Json();
}

Json occupancy_json(const core::Result& r) {
  const core::Occupancy& o = *r.occupancy;
  Json json{{"label", "modelled"}};
  json["kernel"] = o.kernel.empty() ? r.variant.id() : o.kernel;
  json["multiprocessor"] = o.multiprocessor ? to_json(*o.multiprocessor) : Json();
  add_residency(json, o.now().residency);
  if (o.now().residency) {
    for (const core::ResourceUse& resource : o.now().residency->resources) {
      json["resources"].push_back(to_json(resource));
    }
  } else {
    json["why_not"] = o.now().impossible.empty() ? kNotKnown : o.now().impossible;
  }
  json["observed_workgroups"] = or_null(core::observed_workgroups(r));
  json["registers"] = or_null(o.statistics.registers);
  json["spill_bytes"] = or_null(o.statistics.spill_bytes);
  json["tiles"] = Json::array();
  for (const core::TileOccupancy& tile : o.tiles) {
    json["tiles"].push_back(to_json(tile));
  }
  return json;
}

Json statistics_json(const core::Occupancy& occupancy) {
  Json json = Json::array();
  for (const core::PipelineStatistic& s : occupancy.statistics.all) {
    json.push_back({{"name", s.name}, {"value", s.value}, {"description", s.description}});
  }
  return json;
}

void print_occupancy(const core::Result& r) {
  const core::Occupancy& o = *r.occupancy;
  const core::TileOccupancy& now = o.now();
  if (now.residency) {
    fmt::print("  modelled: {}\n", core::headline(*now.residency));
    fmt::print("    {}{}\n", core::limit_sentence(*now.residency),
               now.use.registers
                   ? ""
                   : " The device does not report registers, so they are not considered.");
    const std::string small =
        core::launch_sentence(*now.residency, r.device, core::launched_groups(r));
    for (const std::string& line :
         {core::rounding_sentence(now), core::padding_sentence(now),
          core::neighbours_sentence(o, now.tile), small, core::scope_sentence(r)}) {
      if (!line.empty()) {
        fmt::print("    {}\n", line);
      }
    }
  } else {
    fmt::print("  modelled: occupancy is {}\n",
               now.impossible.empty() ? kNotKnown : now.impossible);
  }
  if (o.statistics.all.empty()) {
    fmt::print("  registers and spills: not reported by this device\n");
    return;
  }
  std::string line;
  for (const core::PipelineStatistic& s : o.statistics.all) {
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", s.name, s.value);
  }
  fmt::print("  reported by the driver: {}\n", line);
}

}  // namespace cli
