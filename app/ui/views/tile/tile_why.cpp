// Highlights the provenance of an element of memory in the tile view.
#include <algorithm>
#include <utility>

#include "core/model/instructions.h"
#include "core/provenance/likely_writers.h"
#include "ui/views/tile/tile_marks.h"
#include "ui/views/tile/tile_view.h"

namespace ui {
namespace {

std::shared_ptr<const Why> make_why(const core::Trace& trace, const core::Result& result,
                                    const std::string& name) {
  const auto element = core::parse_element(name);
  const auto scalar = element ? core::scalar_named(trace, result.buffers, *element)
                              : core::Expected<std::optional<core::TracedScalar>>(std::nullopt);
  if (!scalar || !*scalar) {
    return nullptr;
  }
  Why why{.scalar = **scalar};
  why.provenance = core::provenance_of(trace, why.scalar.variable, why.scalar.offset);
  if (why.provenance) {
    why.lines = core::in_words(trace, *why.provenance);
    why.strange = core::strange_words(trace, *why.provenance);
    for (const core::ProvenanceLine& line : why.lines) {
      why.accesses.insert(why.accesses.end(), line.accesses.begin(), line.accesses.end());
    }
    for (const core::ValueWrite& write : why.provenance->writes) {
      why.writers.push_back(trace.accesses[write.access].invocation);
    }
  }
  std::ranges::sort(why.accesses);
  sort_unique(why.writers);
  for (const std::size_t access : why.accesses) {
    const core::TracedAccess& a = trace.accesses[access];
    const std::uint32_t variable = trace.sites[a.site].variable;
    why.elements[variable].push_back(a.offset / core::element_bytes(trace.variables[variable]));
  }
  for (auto& [variable, elements] : why.elements) {
    sort_unique(elements);
  }
  return std::make_shared<const Why>(std::move(why));
}

// A scene may name an element and no workgroup: the one that the workload says is looked into. A
// picture has one trace and can't go on.
void go_to_writer(const Frame& frame, const core::Trace& trace, const Why* why) {
  const core::Result& result = frame.model.result;
  const bool open = frame.state.view.tile < 0 && result.variant.work != nullptr && !frame.settle;
  if (!open || why == nullptr || why->provenance ||
      trace.variables[why->scalar.variable].memory == core::MemoryKind::shared) {
    return;
  }
  const auto writers =
      core::likely_writers(result, trace.variables[why->scalar.variable], why->scalar.offset);
  frame.state.view.tile = writers.empty() ? -1 : static_cast<std::int64_t>(writers.front());
}

// Cells that lie apart are seen on any colour: a bright rim in a dark one.
void light_up(const TileScene& scene, const CellBlock& block,
              const std::vector<std::uint64_t>& cells) {
  const Theme& theme = scene.theme();
  for (const CellRun& run : runs_of(block, cells)) {
    const Rect area = area_of(block, run).at_least(theme.gap.small);
    scene.canvas.frame(area.inset(-theme.gap.thin, -theme.gap.thin), rgb(0x000000), theme.gap.thin);
    scene.canvas.frame(area, theme.colours.accent, 1.5F * theme.gap.thin);
  }
}

}  // namespace

std::shared_ptr<const Why> find_why(const Frame& frame, const TraceStory& story) {
  TileState& state = frame.state.of<TileState>();
  TileCache& cache = frame.state.of<TileCache>();
  if (state.element.empty()) {
    return nullptr;
  }
  if (std::pair now(story.number(), state.element); cache.why_of != now) {
    cache.why_of = std::move(now);
    cache.why = make_why(story.trace(), frame.model.result, state.element);
    go_to_writer(frame, story.trace(), cache.why.get());
  }
  if (cache.why && cache.why->provenance && state.phase == 0) {
    const std::size_t write = cache.why->provenance->writes.front().access;
    state.phase = story.trace().accesses[write].phase + 1;
  }
  return cache.why;
}

void draw_why(const TileScene& scene) {
  if (!scene.why || scene.focus.what != TileFocus::What::element) {
    return;
  }
  const auto cells_of = [&](std::uint32_t variable) {
    const auto known = scene.why->elements.find(variable);
    return known == scene.why->elements.end() ? std::vector<std::uint64_t>() : known->second;
  };
  {
    const Clip clip(scene.canvas, in_sight(scene));
    for (const CellBlock& block : scene.blocks) {
      light_up(scene, block, block.invocations ? scene.why->writers : cells_of(block.variable));
    }
    if (scene.why->provenance) {
      const std::size_t write = scene.why->provenance->writes.front().access;
      outline_cell(scene, scene.invocations().cell(scene.trace().accesses[write].invocation),
                   scene.theme().colours.text);
    }
  }
  for (const GlobalPlate& plate : scene.plates) {
    light_up(scene, plate.block, cells_of(plate.variable));
  }
}

}  // namespace ui
