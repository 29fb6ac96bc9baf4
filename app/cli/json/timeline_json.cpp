#include "cli/json/timeline_json.h"

#include "cli/json/result_json.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

// What the device does not tell is null, never 0.
Json told(bool tells, std::uint64_t value) {
  return tells ? Json(value) : Json();
}

Json slowest(const core::Timeline& t, const core::TileMap& tiles) {
  Json list = Json::array();
  for (const std::uint32_t tile : t.figures.slowest) {
    const glm::uvec3 at = tiles.group_at(tile);
    list.push_back({{"workgroup", {at.x, at.y, at.z}}, {"ms", t.duration_ms(tile)}});
  }
  return list;
}

Json workgroups(const core::Timeline& t) {
  Json json{{"start_ms", Json::array()}, {"end_ms", Json::array()}};
  json["multiprocessor"] = t.tells_multiprocessor ? Json::array() : Json();
  json["warp"] = json["multiprocessor"];
  for (const core::TimelineTile& tile : t.tiles) {
    json["start_ms"].push_back(t.ms(tile.start));
    json["end_ms"].push_back(t.ms(tile.end));
    if (t.tells_multiprocessor) {
      json["multiprocessor"].push_back(tile.multiprocessor);
      json["warp"].push_back(tile.warp);
    }
  }
  return json;
}

}  // namespace

Json to_json(const core::Timeline& t, const core::TileMap& tiles) {
  const core::TimelineFigures& f = t.figures;
  const bool told_where = t.tells_multiprocessor;
  Json json{{"label", "instrumented"},
            {"clock",
             {{"tick_ns", t.tick_ms * 1e6},
              {"source", t.tick_source},
              {"step_ns", t.ms(t.clock_steps) * 1e6},
              {"zero", t.zero_is_launch ? "the launch's start" : "the first tile's start"}}},
            {"launch_ms", f.launch_ms},
            {"device_ms", t.device_ms},
            {"launches", t.launches},
            {"slices_ms", Json::array()},
            {"multiprocessors",
             {{"total", told(t.multiprocessors > 0, t.multiprocessors)},
              {"used", told(told_where, f.multiprocessors_used)},
              {"warp_slots", told(t.warps_per_multiprocessor > 0, t.warps_per_multiprocessor)}}},
            {"subgroups", t.subgroups},
            {"subgroup_size", t.subgroup_size},
            {"resident",
             {{"tiles", f.resident},
              {"per_multiprocessor", told(told_where, f.resident_multiprocessor)},
              {"warps_per_multiprocessor", told(told_where, t.resident_warps)}}},
            {"slot_overlaps", told(told_where, t.slot_overlaps)},
            {"lanes", t.lanes.lanes()},
            {"waves",
             {{"count", f.waves},
              {"last_tiles", f.last_wave},
              {"last_multiprocessors", told(told_where, f.last_wave_multiprocessors)}}},
            {"tail", {{"ms", f.tail_ms}, {"filled", f.tail_filled}}},
            {"duration_ms", to_json(f.duration_ms)},
            {"slowest", slowest(t, tiles)},
            {"incomplete", t.incomplete},
            {"workgroups", workgroups(t)}};
  for (const std::uint64_t slice : t.slices) {
    json["slices_ms"].push_back(t.ms(slice));
  }
  return json;
}

}  // namespace cli
