#include "cli/report_json.h"

#include <algorithm>

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const core::RaceSide& side) {
  return {{"line", side.line},
          {"invocation", side.invocation},
          {"access", core::to_string(side.access)},
          {"file", side.file}};
}

void add_place(Json& json, const core::Finding& f) {
  json["line"] = f.line;
  json["file"] = f.file;
  json["workgroup"] = f.workgroup;
  json["invocation"] = f.first.invocation;
}

Json to_json(const core::Finding& f) {
  Json json{{"kind", core::to_string(f.kind)}};
  switch (f.kind) {
    case core::FindingKind::race:
      json["hazard"] = core::to_string(f.hazard);
      json["severity"] = f.note ? "note" : "error";
      json["memory"] = core::to_string(f.memory);
      json["variable"] = f.variable;
      json["index"] = f.index;
      json["workgroup"] = f.workgroup;
      json["same_value"] = f.same_value;
      json["count"] = f.count;
      json["first"] = to_json(f.first);
      json["second"] = to_json(f.second);
      if (f.mended_before != 0) {
        json["mended_by_barrier_before"] = f.mended_before;
      }
      break;
    case core::FindingKind::divergent_barrier:
      json["severity"] = "error";
      json["line"] = f.line;
      json["condition_line"] = f.condition_line;
      json["entry_line"] = f.entry_line;
      json["observed"] = f.observed;
      break;
    case core::FindingKind::out_of_bounds:
      json["memory"] = core::to_string(f.memory);
      json["variable"] = f.variable;
      json["index"] = Json::array({f.outside});
      json["severity"] = "error";
      add_place(json, f);
      json["limit"] = f.limit;
      json["count"] = f.count;
      break;
    case core::FindingKind::unfinished_loop:
      json["severity"] = "error";
      json["line"] = f.line;
      json["limit"] = f.limit;
      json["count"] = f.count;
      break;
    case core::FindingKind::uninitialized:
      json["severity"] = f.note ? "note" : "error";
      json["memory"] = core::to_string(f.memory);
      json["variable"] = f.variable;
      json["index"] = f.index;
      json["count"] = f.count;
      add_place(json, f);
      break;
    case core::FindingKind::arithmetic:
      json["severity"] = f.note ? "note" : "error";
      json["what"] = core::to_string(f.arithmetic);
      json["variable"] = f.variable;
      json["count"] = f.count;
      add_place(json, f);
      break;
  }
  json["sentence"] = f.sentence();
  return json;
}

// Places that no invocation came to, by line: accesses to shared memory, branches, loops.
Json not_executed(const core::CheckReport& r) {
  Json places = Json::array();
  const auto lines = r.lines_not_executed();
  for (const core::AccessRun& site : r.sites) {
    if (std::ranges::find(lines, site.line) != lines.end()) {
      places.push_back({{"what", core::to_string(site.access)},
                        {"line", site.line},
                        {"file", site.file},
                        {"variable", site.variable}});
    }
  }
  for (const core::NeverTaken& never : r.never_taken) {
    places.push_back({{"what", never.loop ? "loop" : "branch"},
                      {"line", never.line},
                      {"file", never.file},
                      {"behind", never.behind}});
  }
  return places;
}

Json outputs(const core::CheckReport& r) {
  Json all = Json::array();
  for (const core::OutputCover& output : r.outputs) {
    all.push_back(
        {{"variable", output.variable},
         {"elements", output.elements},
         {"unwritten", output.unwritten},
         {"first_unwritten", output.unwritten > 0 ? Json(output.first_unwritten) : Json()}});
  }
  return all;
}

Json converged(const core::CheckReport& r) {
  Json barriers = Json::array();
  for (const core::ConvergedBarrier& barrier : r.converged) {
    barriers.push_back({{"line", barrier.line}, {"condition_line", barrier.condition_line}});
  }
  return barriers;
}

}  // namespace

Json to_json(const core::CheckReport& r) {
  Json json{
      {"kernel", r.kernel},
      {"device", r.device},
      {"verdict", core::to_string(r.verdict)},
      {"workgroups", {{"total", r.workgroups}, {"checked", r.workgroups_checked}}},
      {"accesses",
       {{"total", r.accesses}, {"checked", r.accesses_checked}, {"proven", r.accesses_proven}}},
      {"sites",
       {{"total", r.accesses},
        {"executed", r.accesses_executed},
        {"proven", r.accesses_proven},
        {"checked", r.accesses_checked}}},
      {"indices",
       {{"total", r.indices},
        {"proven", r.indices - r.indices_checked},
        {"checked", r.indices_checked}}},
      {"not_executed", not_executed(r)},
      {"converged", converged(r)},
      {"outputs", outputs(r)},
      {"incomplete", r.incomplete},
      {"not_looked_at", r.not_looked_at},
      {"allowed", r.allowed},
      {"findings", Json::array()}};
  for (const core::Finding& f : r.findings) {
    json["findings"].push_back(to_json(f));
  }
  if (r.plain_ms > 0.0) {
    json["timing"] = {{"unit", "ms"}, {"plain", r.plain_ms}, {"checked", r.checked_ms}};
  }
  return json;
}

}  // namespace cli
