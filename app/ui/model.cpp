#include "ui/model.h"

#include <algorithm>

#include "ui/editor/editor.h"
#include "ui/lesson/lesson_panel.h"

namespace ui {

std::string ShownKernel::path() const {
  return file > 0 ? files[file].path : facts != nullptr ? facts->file : std::string();
}

bool ShownKernel::shows(const std::string& path_of_place) const {
  return path_of_place.empty() ? file == 0 : path_of_place == path();
}

namespace {

// The launch that the pointed-at tile belongs to, or the shown one; null: none is known.
const core::Launch* shown_launch(const State& state, const core::Result& result) {
  const std::int64_t tile = state.view.tile;
  const auto count = static_cast<std::int64_t>(result.tiles.group_count());
  const core::Launch* of =
      tile >= 0 && tile < count
          ? result.launch_of(result.tiles.group_at(static_cast<std::uint64_t>(tile)))
          : nullptr;
  return of != nullptr || result.launches.empty() ? of : &result.launches[result.launch];
}

}  // namespace

ShownKernel shown_kernel(State& state, const core::Result& result) {
  const core::Launch* launch = shown_launch(state, result);
  Editor& editor = state.of<Editor>();
  const bool back = state.of<LessonState>().sealed() && !state.wanted.barriers.empty();
  if (launch == nullptr) {
    static const std::string kNone;
    const std::string& text = result.variant.source;
    const bool binary = text.find('\0') != std::string::npos;  // a module is no text
    const std::string& source = binary ? kNone : text;
    const Sheet* sheet = editor.sheet_of(result.variant.id());
    return {.id = result.variant.id(),
            .source = sheet != nullptr ? sheet->buffer.text() : source,
            .facts = result.facts.get(),
            .runs = source,
            .keeps_phases_back = back};
  }
  const auto& launches = result.launches;
  const auto number = static_cast<std::size_t>(launch - launches.data()) + 1;
  const auto found = std::ranges::find(launch->sources, state.source_path, &core::SourceFile::path);
  const auto file = found == launch->sources.end()
                        ? std::size_t{0}
                        : static_cast<std::size_t>(found - launch->sources.begin());
  const std::string& runs = file > 0 ? launch->sources[file].text : launch->source;
  const Sheet* sheet = editor.sheet_of(file > 0 ? launch->sources[file].path : launch->kernel);
  return {.id = launch->kernel,
          .launch = launches.size() > 1 ? number : 0,
          .source = sheet != nullptr ? sheet->buffer.text() : runs,
          .facts = launch->facts.get(),
          .barriers_before = launch->barriers_before,
          .files = launch->sources,
          .file = file,
          .runs = runs,
          .keeps_phases_back = back};
}

std::uint32_t barrier_count(const core::Result& result) {
  const auto in = [](const auto& facts) {
    return facts ? static_cast<std::uint32_t>(facts->barriers.size()) : 0U;
  };
  std::uint32_t count = in(result.facts);
  for (const core::Launch& launch : result.launches) {
    count = std::max(count, launch.barriers_before + in(launch.facts));
  }
  return count;
}

const core::Finding* chosen_finding(const core::View& view, const core::Result& result) {
  const auto& races = result.races;
  const bool there = races && view.finding >= 0 &&
                     view.finding < static_cast<std::int64_t>(races->findings.size());
  return there ? &races->findings[static_cast<std::size_t>(view.finding)] : nullptr;
}

std::size_t launch_of_finding(const core::Finding& finding, const core::Result& result) {
  return finding.launch > 0 && finding.launch <= result.launches.size() ? finding.launch - 1
                                                                        : result.launch;
}

bool has_workgroup(const core::Finding& finding) {
  using Kind = core::FindingKind;
  return finding.kind != Kind::divergent_barrier && finding.kind != Kind::unfinished_loop;
}

std::int64_t tile_of_finding(const core::Finding& finding, const core::Result& result) {
  const std::size_t launch = launch_of_finding(finding, result);
  const glm::uvec3 groups = launch < result.launches.size() ? result.launches[launch].tiles.groups()
                                                            : result.tiles.groups();
  const auto& [x, y, z] = finding.workgroup;
  if (!has_workgroup(finding) || x >= groups.x || y >= groups.y || z >= groups.z) {
    return -1;
  }
  return (std::int64_t{z} * groups.y + y) * groups.x + x;
}

}  // namespace ui
