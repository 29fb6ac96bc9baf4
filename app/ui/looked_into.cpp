#include "ui/looked_into.h"

#include <fmt/format.h>

#include "core/report/trace.h"
#include "core/source/index_parts.h"

namespace ui {

std::uint64_t looked_into(const Frame& frame) {
  const std::int64_t tile = frame.state.view.tile;
  const auto count = static_cast<std::int64_t>(frame.model.result.tiles.group_count());
  return tile >= 0 && tile < count ? static_cast<std::uint64_t>(tile) : 0;
}

void ask_for_trace(const Frame& frame) {
  const core::Result& result = frame.model.result;
  if (result.tiles.group_count() > 0 && !result.refused()) {
    frame.requests.trace = looked_into(frame);
  }
}

std::optional<std::string> why_no_trace(const Frame& frame) {
  const core::Result& result = frame.model.result;
  if (result.refused()) {
    return "The kernel was refused and did not run: " + result.facts->divergent.front().sentence() +
           ".";
  }
  if (result.tiles.group_count() > 0 && result.trace && !result.trace->incomplete.empty()) {
    return fmt::format("Workgroup {} could not be traced: {}",
                       group_name(result, result.tiles.group_at(looked_into(frame))),
                       result.trace->incomplete.front());
  }
  return std::nullopt;
}

std::string index_text(const Frame& frame, const core::Finding& finding) {
  if (finding.kind != core::FindingKind::out_of_bounds) {
    return {};
  }
  const ShownKernel kernel = frame.kernel();
  std::vector<core::SourceFile> sources(kernel.files.begin(), kernel.files.end());
  if (sources.empty()) {
    sources.push_back({finding.file, kernel.source});
  }
  const glm::uvec3 size = frame.model.result.tiles.local_size;
  return core::index_parts(finding, sources, {size.x, size.y, size.z});
}

std::string way_out() {
  return "Invocations that reach the barrier wait for the rest of the workgroup, perhaps forever. "
         "Move the barrier to a place that all invocations reach, or use a condition that is the "
         "same for all of them, such as one on gl_WorkGroupID or a uniform value.";
}

std::string no_trace_yet(const Frame& frame, const std::string& what) {
  ask_for_trace(frame);
  if (frame.model.result.refused()) {
    return *why_no_trace(frame) + " " + way_out();
  }
  return why_no_trace(frame).value_or(what + " after a workgroup has been traced.");
}

std::string group_name(const core::Result& result, glm::uvec3 group) {
  const glm::uvec3 groups = result.tiles.groups();
  if (groups.z > 1) {
    return fmt::format("({}, {}, {})", group.x, group.y, group.z);
  }
  return groups.y > 1 ? fmt::format("({}, {})", group.x, group.y) : fmt::format("{}", group.x);
}

}  // namespace ui
