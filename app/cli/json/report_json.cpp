#include "cli/json/report_json.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/findings/finding_kinds.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const core::RaceSide& side) {
  Json json{{"line", side.line},
            {"invocation", side.invocation},
            {"access", core::to_string(side.access)},
            {"file", side.file}};
  if (side.workgroup) {
    json["workgroup"] = *side.workgroup;
  }
  return json;
}

void add_place(Json& json, const core::Finding& f) {
  json["line"] = f.line;
  json["file"] = f.file;
  json["workgroup"] = f.workgroup;
  json["invocation"] = f.first.invocation;
}

// Adds the line that uses an undefined value, if it is not the line that reads it.
void add_use(Json& json, const core::Finding& f) {
  if (f.second.line != 0) {
    json["use_line"] = f.second.line;
    if (!f.second.file.empty()) {
      json["use_file"] = f.second.file;
    }
  }
}

}  // namespace

Json to_json(const core::Finding& f) {
  Json json{{"kind", core::to_string(f.kind)}, {"severity", core::to_string(f.severity())}};
  if (!f.chosen.empty()) {
    json["chosen"] = f.chosen;
  }
  if (f.launch > 0) {  // of a run of several
    json["launch"] = f.launch;
    json["kernel"] = f.kernel;
  }
  switch (f.kind) {
    case core::FindingKind::race:
      json["hazard"] = core::to_string(f.hazard);
      json["memory"] = core::to_string(f.memory);
      json["variable"] = f.variable;
      json["index"] = f.index;
      if (f.descriptor) {
        json["descriptor"] = *f.descriptor;
      }
      if (!f.extent.empty()) {
        json["extent"] = f.extent;
      }
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
      json["line"] = f.line;
      json["condition_line"] = f.condition_line;
      if (!f.file.empty()) {  // that it includes
        json["file"] = f.file;
      }
      if (!f.first.file.empty()) {
        json["condition_file"] = f.first.file;
      }
      json["entry_line"] = f.entry_line;
      json["observed"] = f.observed;
      if (f.other_sizes) {
        json["other_sizes"] = true;
      }
      break;
    case core::FindingKind::out_of_bounds:
      json["memory"] = core::to_string(f.memory);
      json["variable"] = f.variable;
      json["index"] = Json::array({f.outside});
      add_place(json, f);
      json["limit"] = f.limit;
      if (f.defined) {
        json["defined"] = true;
      }
      if (!f.extent.empty()) {
        json["coordinate"] = f.coordinate;
        json["extent"] = f.extent;
      }
      json["count"] = f.count;
      break;
    case core::FindingKind::unfinished_loop:
      json["line"] = f.line;
      json["limit"] = f.limit;
      json["count"] = f.count;
      if (!f.variable.empty()) {
        json["variable"] = f.variable;
        json["index"] = f.index;
      }
      if (f.second.line != 0) {
        json["holder"] = {{"line", f.second.line},
                          {"file", f.second.file},
                          {"workgroup", f.second.workgroup.value_or(f.workgroup)},
                          {"invocation", f.second.invocation}};
      }
      break;
    case core::FindingKind::uninitialized:
      json["memory"] = core::to_string(f.memory);
      json["variable"] = f.variable;
      json["index"] = f.index;
      json["count"] = f.count;
      add_place(json, f);
      add_use(json, f);
      break;
    case core::FindingKind::inactive_lane:
      json["operation"] = f.variable;
      json["count"] = f.count;
      add_place(json, f);
      add_use(json, f);
      break;
    case core::FindingKind::misaligned:
      json["variable"] = f.variable;
      json["alignment"] = f.limit;
      json["offset"] = f.outside;
      json["count"] = f.count;
      add_place(json, f);
      break;
    case core::FindingKind::arithmetic:
      json["what"] = core::to_string(f.arithmetic);
      json["variable"] = f.variable;
      json["count"] = f.count;
      add_place(json, f);
      if (f.arithmetic == core::Arithmetic::shift_past_width) {
        json["distance"] = f.outside;
        json["limit"] = f.limit;
      }
      break;
  }
  if (!f.when.empty()) {
    json["when"] = f.when;
    json["flags"] = f.flags;
  }
  if (!f.element.empty()) {
    json["element"] = f.element;
  }
  if (!f.between.empty()) {
    json["between"] = f.between;
  }
  for (const core::LineEdit& edit : f.repair) {
    json["repair"].push_back(
        {{"file", edit.file}, {"line", edit.line}, {"before", edit.before}, {"after", edit.after}});
  }
  json["sentence"] = f.sentence();
  if (!f.fingerprint.empty()) {
    json["fingerprint"] = f.fingerprint;
  }
  for (const core::Finding& consequence : f.consequences) {
    json["consequences"].push_back(to_json(consequence));
  }
  return json;
}

namespace {

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

Json unreached(const core::CheckReport& r) {
  Json lines = Json::array();
  for (const core::UnreachedLine& line : r.unreached) {
    lines.push_back({{"line", line.line}, {"file", line.file}});
  }
  return lines;
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

Json tried(const core::CheckReport& r) {
  Json launches = Json::array();
  for (const core::TriedLaunch& launch : r.tried) {
    launches.push_back({{"what", launch.what},
                        {"flags", launch.flags},
                        {"errors", launch.errors},
                        {"assumed", launch.assumed}});
  }
  return launches;
}

Json initialization(const core::CheckReport& r) {
  std::uint32_t checked = 0;
  Json lines = Json::array();
  for (const core::CheckedReads& reads : r.reads_checked) {
    checked += reads.count;
    lines.push_back({{"variable", reads.variable},
                     {"line", reads.line},
                     {"file", reads.file},
                     {"reads", reads.count}});
  }
  return {{"total", r.reads},
          {"proven", r.reads - checked},
          {"checked", checked},
          {"checked_at", std::move(lines)}};
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
      {"buffers", {{"total", r.buffer_accesses}, {"proven", r.buffers_proven}}},
      {"images", {{"total", r.image_accesses}, {"proven", r.images_proven}}},
      {"remarks", r.remarks},
      {"indices",
       {{"total", r.indices},
        {"proven", r.indices - r.indices_checked},
        {"checked", r.indices_checked}}},
      {"initialization", initialization(r)},
      {"not_executed", not_executed(r)},
      {"lines_not_executed", unreached(r)},
      {"converged", converged(r)},
      {"outputs", outputs(r)},
      {"incomplete", r.incomplete},
      {"not_looked_at", r.not_looked_at},
      {"tried", tried(r)},
      {"not_tried", r.not_tried},
      {"allowed", r.allowed},
      {"notes_hidden", r.hidden},
      {"findings", Json::array()}};
  for (const core::Finding& f : r.findings) {
    json["findings"].push_back(to_json(f));
  }
  if (r.known > 0) {
    json["in_baseline"] = r.known;
  }
  if (r.plain_ms > 0.0) {
    json["timing"] = {{"unit", "ms"}, {"plain", r.plain_ms}, {"checked", r.checked_ms}};
  }
  return json;
}

namespace {

// The value whose name it is; the first for none.
template <class T>
T named(const std::string& name, std::initializer_list<T> all) {
  const auto* found =
      std::ranges::find_if(all, [&](T value) { return core::to_string(value) == name; });
  return found == all.end() ? *all.begin() : *found;
}

core::Access access_of(const std::string& name) {
  return named(name, {core::Access::read, core::Access::write, core::Access::atomic});
}

core::RaceSide side_from(const Json& json) {
  core::RaceSide side;
  side.line = json.value("line", 0U);
  side.file = json.value("file", std::string());
  side.invocation = json.value("invocation", side.invocation);
  side.access = access_of(json.value("access", std::string()));
  return side;
}

core::Finding finding_from(const Json& json) {
  core::Finding f;
  for (const core::FindingRow& row : core::finding_kinds()) {
    f.kind = json.value("kind", std::string()) == row.name ? row.kind : f.kind;
  }
  f.chosen = json.value("chosen", f.chosen);
  f.defined = json.value("defined", false);
  f.other_sizes = json.value("other_sizes", false);
  f.hazard = named(json.value("hazard", std::string()),
                   {core::Hazard::read_after_write, core::Hazard::write_after_read,
                    core::Hazard::write_after_write});
  f.memory = named(json.value("memory", std::string()),
                   {core::Memory::shared, core::Memory::buffer, core::Memory::image,
                    core::Memory::push_constants, core::Memory::local});
  f.arithmetic = named(json.value("what", std::string()),
                       {core::Arithmetic::not_a_number, core::Arithmetic::infinity,
                        core::Arithmetic::division_by_zero, core::Arithmetic::shift_past_width});
  f.variable = json.value(f.kind == core::FindingKind::inactive_lane ? "operation" : "variable",
                          std::string());
  f.element = json.value("element", std::string());
  f.between = json.value("between", std::string());
  for (const Json& edit : json.value("repair", Json::array())) {
    f.repair.push_back({edit.value("file", std::string()), edit.value("line", 0U),
                        edit.value("before", std::string()), edit.value("after", std::string())});
  }
  f.second.line = json.value("use_line", 0U);
  f.second.file = json.value("use_file", std::string());
  if (f.kind == core::FindingKind::out_of_bounds) {
    f.outside = json.at("index").at(0).get<std::int64_t>();
  } else {
    f.index = json.value("index", f.index);
    f.outside =
        json.value(f.kind == core::FindingKind::misaligned ? "offset" : "distance", f.outside);
  }
  f.workgroup = json.value("workgroup", f.workgroup);
  f.same_value = json.value("same_value", false);
  f.count = json.value("count", f.count);
  f.limit = json.value(f.kind == core::FindingKind::misaligned ? "alignment" : "limit", f.limit);
  if (json.contains("descriptor")) {
    f.descriptor = json.at("descriptor").get<std::uint32_t>();
  }
  f.extent = json.value("extent", f.extent);
  f.coordinate = json.value("coordinate", f.coordinate);
  f.line = json.value("line", 0U);
  f.file = json.value("file", std::string());
  f.condition_line = json.value("condition_line", 0U);
  f.first.file = json.value("condition_file", std::string());
  f.entry_line = json.value("entry_line", 0U);
  f.observed = json.value("observed", false);
  f.mended_before = json.value("mended_by_barrier_before", 0U);
  f.launch = json.value("launch", std::size_t{0});
  f.when = json.value("when", std::string());
  f.flags = json.value("flags", f.flags);
  f.fingerprint = json.value("fingerprint", std::string());
  for (const Json& consequence : json.value("consequences", Json::array())) {
    f.consequences.push_back(finding_from(consequence));
  }
  if (json.contains("first")) {
    f.first = side_from(json.at("first"));
    f.second = side_from(json.at("second"));
  } else {
    f.first.invocation = json.value("invocation", f.first.invocation);
  }
  if (json.contains("holder")) {
    f.second = side_from(json.at("holder"));
    f.second.workgroup = json.at("holder").value("workgroup", f.workgroup);
  }
  return f;
}

core::CheckReport report_from(const Json& json) {
  using enum core::Verdict;
  core::CheckReport r;
  r.kernel = json.at("kernel").get<std::string>();
  r.device = json.at("device").get<std::string>();
  r.verdict =
      named(json.at("verdict").get<std::string>(), {incomplete, clean, racy, divergent, faulty});
  r.workgroups = json.at("workgroups").at("total").get<std::uint64_t>();
  r.workgroups_checked = json.at("workgroups").at("checked").get<std::uint64_t>();
  const Json& sites = json.at("sites");
  r.accesses = sites.at("total").get<std::uint32_t>();
  r.accesses_executed = sites.at("executed").get<std::uint32_t>();
  r.accesses_proven = sites.at("proven").get<std::uint32_t>();
  r.accesses_checked = sites.at("checked").get<std::uint32_t>();
  r.incomplete = json.at("incomplete").get<std::vector<std::string>>();
  r.not_looked_at = json.at("not_looked_at").get<std::vector<std::string>>();
  r.allowed = json.at("allowed").get<std::uint32_t>();
  r.hidden = json.value("notes_hidden", 0U);
  r.known = json.value("in_baseline", 0U);
  for (const Json& finding : json.at("findings")) {
    r.findings.push_back(finding_from(finding));
  }
  return r;
}

}  // namespace

core::Expected<core::CheckReport> report_from(const std::string& text) {
  try {
    return report_from(Json::parse(text));
  } catch (const Json::exception& error) {
    return core::device_error(std::string("cannot read a report: ") + error.what());
  }
}

}  // namespace cli
