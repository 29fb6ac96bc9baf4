#include "cli/json/trace_json.h"

#include <string>

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(core::ScalarKind kind) {
  switch (kind) {
    case core::ScalarKind::boolean:
      return "bool";
    case core::ScalarKind::signed_integer:
      return "int";
    case core::ScalarKind::unsigned_integer:
      return "uint";
    case core::ScalarKind::floating:
      break;
  }
  return "float";
}

Json to_json(const core::TracedVariable& v) {
  const bool shared = v.memory == core::MemoryKind::shared;
  Json json{{"name", v.name},
            {"memory", shared ? "shared" : "global"},
            {"type", v.type},
            {"dimensions", v.dimensions},
            {"scalar", name_of(v.scalar)},
            {"scalar_bytes", v.scalar_bytes},
            {"bytes", v.bytes},
            {"address", v.address}};
  if (!shared) {
    json["binding"] = v.binding;
    json["image"] = v.image;
  }
  return json;
}

Json to_json(const core::TracedSite& s) {
  return {{"line", s.at.line},
          {"column", s.at.column},
          {"file", s.at.file},
          {"variable", s.variable},
          {"access", core::to_string(s.access)},
          {"scalar", name_of(s.scalar)},
          {"scalar_bytes", s.scalar_bytes},
          {"scalars", s.scalars}};
}

Json to_json(const core::TracedAccess& a) {
  return Json::array({a.invocation, a.phase, a.subgroup_phase, a.moment, a.turn, a.site, a.scalar,
                      a.offset, a.value});
}

Json dimensions(const std::array<bool, 3>& invariant) {
  Json names = Json::array();
  for (std::size_t d = 0; d < 3; ++d) {
    if (invariant[d]) {
      names.push_back(std::string(1, "xyz"[d]));
    }
  }
  return names;
}

Json to_json(const core::ArrayRead& read) {
  return {{"line", read.at.line}, {"column", read.at.column},
          {"file", read.at.file}, {"invariant_to", dimensions(read.invariant)},
          {"turns", read.turns},  {"staged", read.staged}};
}

template <class Range>
Json list(const Range& range) {
  Json json = Json::array();
  for (const auto& entry : range) {
    json.push_back(to_json(entry));
  }
  return json;
}

}  // namespace

Json to_json(const core::Advice& advice) {
  Json json{{"headline", core::headline(advice)},
            {"workgroup", advice.workgroup},
            {"local_size", advice.local_size},
            {"bytes", "instrumented"},
            {"savings", "modelled"},
            {"lost", advice.lost},
            {"incomplete", advice.incomplete},
            {"arrays", Json::array()}};
  for (const core::ArrayAdvice& array : advice.arrays) {
    json["arrays"].push_back({{"variable", array.name},
                              {"tiling", core::to_string(array.tiling)},
                              {"invariant_to", dimensions(array.invariant())},
                              {"asked_bytes", array.asked},
                              {"distinct_bytes", array.distinct},
                              {"times", array.times()},
                              {"readers", array.readers},
                              {"saved_bytes", array.saved()},
                              {"saved_bytes_launch", array.saved() * advice.workgroups},
                              {"why", core::sentence(array, advice)},
                              {"reads", list(array.reads)}});
  }
  return json;
}

Json to_json(const core::Trace& t) {
  Json json{{"workgroup", t.workgroup},
            {"local_size", t.local_size},
            {"subgroup_size", t.subgroup_size},
            {"subgroup", t.subgroup},
            {"lane", t.lane},
            {"variables", list(t.variables)},
            {"sites", list(t.sites)},
            {"phases", Json::array()},
            {"columns",
             {"invocation", "phase", "subgroup_phase", "moment", "turn", "site", "scalar", "offset",
              "value"}},
            {"accesses", list(t.accesses)},
            {"lost", t.lost},
            {"incomplete", t.incomplete},
            {"device_ms", t.device_ms}};
  for (const core::TracedPhase& phase : t.phases) {
    json["phases"].push_back(
        {{"opened_by", phase.opened_by}, {"first", phase.first}, {"last", phase.last}});
  }
  return json;
}

}  // namespace cli
