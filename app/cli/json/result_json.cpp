#include "cli/json/result_json.h"

#include <cmath>

#include "cli/json/banks_json.h"
#include "cli/json/occupancy_json.h"
#include "cli/json/report_json.h"
#include "cli/json/stream_json.h"
#include "cli/json/timeline_json.h"
#include "cli/json/trace_json.h"
#include "core/catalogue/workload.h"
#include "core/model/wave_model.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

Json three(glm::uvec3 v) {
  return {v.x, v.y, v.z};
}

Json parameters(const core::Result& r) {
  Json json = Json::object();
  const auto names = r.work ? r.work->size_names() : std::vector<std::string>();
  for (std::size_t i = 0; i < names.size(); ++i) {
    json[names[i]] = r.experiment.size[i];
  }
  if (r.experiment.tile != 0) {
    json["tile"] = r.experiment.tile;
  }
  for (const auto& [name, value] : r.experiment.settings) {
    json[name] = value;
  }
  for (const auto& [name, value] : r.problem.options) {
    json[name] = value;
  }
  json["seed"] = r.experiment.seed;
  return json;
}

Json letters(std::span<const core::Section> sections) {
  Json json = Json::array();
  for (const core::Section section : sections) {
    json.push_back(core::to_string(section));
  }
  return json;
}

Json launch_json(const core::Result& r, std::size_t number) {
  const core::Launch& launch = r.launches[number];
  const auto& each = r.timing.each_ms;
  return {{"kernel", launch.kernel},
          {"sections", letters(launch.sections)},
          {"first", three(launch.groups.first)},
          {"count", three(launch.groups.size())},
          {"workgroups", launch.groups.count()},
          {"size", three(launch.tiles.local_size)},
          {"extent", three(launch.tiles.extent)},
          {"ms", number < each.size() ? cli::to_json(core::spread_of(each[number])) : Json()}};
}

// What whole tiles leave over, and who does it.
Json sections_json(const core::TileMap& tiles) {
  Json json = Json::array();
  for (const core::SectionFigures& s : core::sections_of(tiles)) {
    json.push_back({{"section", core::to_string(s.section)},
                    {"first", three(s.items.first)},
                    {"last", three(s.items.last)},
                    {"cells", s.cells},
                    {"workgroups", s.workgroups},
                    {"invocations", s.invocations},
                    {"in_addition", core::edge_worker(tiles, s.items.first).has_value()}});
  }
  return json;
}

Json to_json(const core::WavePlan& p, double fastest) {
  return {{"tile", p.tile},
          {"settings", p.settings},
          {"tiles", p.tiles},
          {"whole", p.whole},
          {"slices", p.slices},
          {"workgroups", p.workgroups},
          {"holds", p.holds},
          {"waves", p.waves},
          {"filled", p.filled},
          {"useful", p.useful},
          {"relative_time", p.cost / fastest}};
}

// How the launch fills the device: modelled.
Json waves_json(const core::Result& r) {
  const core::WaveReport& waves = *r.waves;
  Json json{{"label", "modelled"}, {"chosen_by", core::to_string(waves.by)}};
  if (waves.offers.empty()) {
    return json;
  }
  const double fastest = waves.offers.front().cost;
  json["multiprocessors"] = waves.offers.front().multiprocessors;
  json["sentence"] = waves.now ? Json(core::sentence(*waves.now)) : Json();
  json["now"] = waves.now ? to_json(*waves.now, fastest) : Json();
  json["offers"] = Json::array();
  for (const core::WavePlan& plan : core::best_of_each(waves.offers, r.variant)) {
    json["offers"].push_back(to_json(plan, fastest));
  }
  return json;
}

Json place_json(const core::SourcePlace& place) {
  return {{"line", place.line}, {"file", place.file}};
}

// The parts of the text that a run does not change: barriers, phases, accesses to shared memory.
Json structure_json(const core::KernelFacts& facts) {
  Json json{{"barriers", Json::array()}, {"phases", Json::array()}, {"shared", Json::array()}};
  for (const core::KernelBarrier& barrier : facts.barriers) {
    Json one = place_json(barrier.at);
    one["number"] = json["barriers"].size() + 1;
    one["kind"] = barrier.now ? Json(core::to_string(*barrier.now)) : Json();
    json["barriers"].push_back(one);
  }
  for (const core::KernelPhase& phase : facts.phases) {
    Json lines{{facts.file, phase.lines}};
    for (const auto& [file, included] : phase.included) {
      lines[file] = included;
    }
    json["phases"].push_back(
        {{"opened_by", phase.opened_by}, {"name", phase.name()}, {"lines", lines}});
  }
  for (const core::KernelAccess& access : facts.accesses) {
    Json one = place_json(access.at);
    one["variable"] = access.variable;
    one["access"] = core::to_string(access.access);
    one["proven"] = access.proven;
    json["shared"].push_back(one);
  }
  return json;
}

// JSON has no infinity: an answer that is not finite has no error that could be told.
Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

}  // namespace

Json to_json(const core::Spread& s) {
  return {{"samples", s.count}, {"median", s.median}, {"p5", s.p5},
          {"p95", s.p95},       {"min", s.low},       {"max", s.high}};
}

Json to_json(const core::Rung& rung) {
  Json json{{"variant", rung.variant},
            {"title", rung.title},
            {"tile", rung.tile},
            {"precision", core::to_string(rung.precision)}};
  json["ms"] = rung.measured ? to_json(rung.spread) : Json();
  json["warm_up"] = rung.warm_up;
  json["speedup"] = rung.speedup > 0.0 ? Json(rung.speedup) : Json();
  json["error"] = rung.error ? Json(rung.error->message) : Json();
  return json;
}

Json to_json(const core::Ceilings& c) {
  return {{"copy", {{"gbps", c.copy_gbps}, {"bytes", c.copy_bytes}, {"ms", to_json(c.copy_ms)}}},
          {"fma", {{"gflops", c.fma_gflops}, {"flops", c.fma_flops}, {"ms", to_json(c.fma_ms)}}},
          {"shared",
           {{"gbps", c.shared_gbps},
            {"bytes", c.shared_bytes},
            {"times_global", c.shared_over_global()},
            {"ms", to_json(c.shared_ms)}}}};
}

Json to_json(const core::Result& r, bool with_trace) {
  Json json{{"variant", r.variant.id()},
            {"parameters", parameters(r)},
            {"device", r.device.name},
            {"driver", r.device.driver},
            {"emulated", r.device.emulated()},
            {"correct", r.check.done ? Json(r.check.correct) : Json()},
            {"max_error", finite(r.check.max_error)},
            {"check",
             {{"tolerance", r.check.tolerance},
              {"compared", r.check.compared},
              {"elements", r.check.elements},
              {"relative_to", r.check.scale},
              {"method", r.check.method},
              {"worst", r.check.worst}}}};
  if (!r.chosen.empty()) {
    json["chosen"] = r.chosen;
  }
  json["barriers"] = Json::object();
  for (const auto& [number, kind] : r.experiment.barriers) {
    json["barriers"][std::to_string(number)] = core::to_string(kind);
  }
  if (!r.unfinished.empty()) {
    json["unfinished_loops"] = Json::array();
    for (const core::Finding& finding : r.unfinished) {
      json["unfinished_loops"].push_back(to_json(finding));
    }
  }
  if (r.races) {
    json["races"] = to_json(*r.races);
  }
  if (r.trace && with_trace) {
    json["trace"] = to_json(*r.trace);
  }
  if (r.advice) {
    json["advice"] = to_json(*r.advice);
  }
  if (r.trace && r.banks) {
    json["banks"] = to_json(*r.trace, *r.banks);
  }
  if (r.facts) {
    json["structure"] = structure_json(*r.facts);
  }
  if (r.stream) {
    json["stream"] = to_json(*r.stream);
  }
  if (r.timeline) {
    json["timeline"] = to_json(*r.timeline, r.tiles);
  }
  const core::Timing& t = r.timing;
  json["timing"] = {{"clock", "device timestamps"}, {"unit", "ms"},      {"samples", t.samples_ms},
                    {"median", t.spread.median},    {"p5", t.spread.p5}, {"p95", t.spread.p95},
                    {"warm_up", t.warm_up},         {"slices", t.slices}};
  json["wall_clock"] = {{"unit", "ms"}, {"compile", t.compile_ms}, {"upload", t.upload_ms}};
  json["flops"] = static_cast<std::uint64_t>(r.flops);
  json["flops_from"] = r.flops_traced  ? "the traced workgroup, times the workgroups"
                       : r.flops > 0.0 ? "the workload"
                                       : "nothing: trace a workgroup";
  json["gflops"] = r.gflops();
  json["bytes"] = static_cast<std::uint64_t>(r.bytes);
  json["precision"] = core::to_string(r.variant.precision);
  json["tuned"] = r.tuned;
  json["gbps"] = r.gbps();
  json["tiles"] = {{"count", three(r.tiles.groups())},
                   {"size", three(r.tiles.local_size)},
                   {"invocations", r.tiles.invocations()},
                   {"useful_invocations", r.tiles.useful_invocations()}};
  if (r.waves) {
    json["waves"] = waves_json(r);
  }
  if (r.traffic) {
    json["traffic"] = {{"label", "instrumented"},
                       {"flops", r.traffic->flops},
                       {"global_bytes", r.traffic->global_bytes},
                       {"shared_bytes", r.traffic->shared_bytes}};
  }
  if (r.ceilings && r.ceilings->failure.empty()) {
    json["ceilings"] = to_json(*r.ceilings);
  }
  if (!r.ladder.empty()) {
    json["ladder"] = Json::array();
    for (const core::Rung& rung : r.ladder) {
      json["ladder"].push_back(to_json(rung));
    }
  }
  json["tiles"]["cells"] = core::Box{{0, 0, 0}, r.tiles.extent}.count();
  json["tiles"]["extent"] = r.tiles.truncated ? "truncated" : "padded";
  json["tiles"]["sections"] = sections_json(r.tiles);
  json["launches"] = Json::array();
  for (std::size_t i = 0; i < r.launches.size(); ++i) {
    json["launches"].push_back(launch_json(r, i));
  }
  json["launch"] = r.launch + 1;
  const core::IdleTiles idle = r.tiles.idle_tiles();
  json["tiles"]["whole"] = idle.whole;
  json["tiles"]["partly_idle"] = idle.partly;
  json["tiles"]["wholly_idle"] = idle.wholly;
  if (r.occupancy) {
    json["occupancy"] = occupancy_json(r);
    json["statistics"] = statistics_json(*r.occupancy);
  }
  return json;
}

}  // namespace cli
