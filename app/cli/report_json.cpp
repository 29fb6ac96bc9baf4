#include "cli/report_json.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const core::RaceSide& side) {
  return {{"line", side.line},
          {"invocation", side.invocation},
          {"access", core::to_string(side.access)},
          {"file", side.file}};
}

Json to_json(const core::Finding& f) {
  Json json{{"kind", core::to_string(f.kind)}};
  switch (f.kind) {
    case core::FindingKind::race:
      json["hazard"] = core::to_string(f.hazard);
      json["severity"] = f.note ? "note" : "error";
      json["memory"] = "shared";
      json["variable"] = f.variable;
      json["index"] = f.index;
      json["workgroup"] = f.workgroup;
      json["same_value"] = f.same_value;
      json["count"] = f.count;
      json["first"] = to_json(f.first);
      json["second"] = to_json(f.second);
      break;
    case core::FindingKind::divergent_barrier:
      json["severity"] = "error";
      json["line"] = f.line;
      json["condition_line"] = f.condition_line;
      json["entry_line"] = f.entry_line;
      break;
    case core::FindingKind::out_of_bounds:
      json["variable"] = f.variable;
      [[fallthrough]];
    case core::FindingKind::unfinished_loop:
      json["severity"] = "error";
      json["line"] = f.line;
      json["limit"] = f.limit;
      json["count"] = f.count;
      break;
  }
  json["sentence"] = f.sentence();
  return json;
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
      {"incomplete", r.incomplete},
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
