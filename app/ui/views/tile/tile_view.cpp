#include "ui/views/tile/tile_view.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "ui/edits.h"
#include "ui/looked_into.h"
#include "ui/picking.h"
#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

constexpr float kDragged = 16.0F;  // pixels squared: less is a click
// Lines of text:
constexpr float kLow = 11.0F;  // a lower view has no room for maps
constexpr float kMostDetails = 11.0F;
constexpr float kMap = 6.4F;   // the width of a map
constexpr float kSlot = 8.0F;  // and of a block with its caption
constexpr float kLeastSlot = 3.0F;
constexpr float kCell = 3.0F;      // the largest
constexpr float kReadable = 0.3F;  // of an invocation: what it does is seen

// Shares out the view. Where it is low the maps of global memory give way to the figure.
void share_out(TileScene& scene, const Rect& area) {
  const float line = scene.canvas.line_height();
  const Gaps& gap = scene.theme().gap;
  scene.head = title_line(scene.frame, scene.canvas, area);
  Rect rest{{area.low.x, scene.head.high.y + gap.medium}, area.high};
  scene.scrubber = rest.cut_bottom(2.5F * line + gap.huge + gap.small);
  rest = rest.inset(gap.large, 0.0F);
  scene.legend = rest.cut_bottom(line + gap.small);
  rest.cut_bottom(gap.small);
  const bool low = rest.height() < kLow * line;
  const float few_words = 2.0F * line + gap.large;
  if (!scene.story.has_shared()) {  // the maps beside the invocations
    scene.details = rest.cut_bottom(low ? few_words : 5.0F * line);
    scene.figure = rest.cut_left(0.32F * rest.width());
    rest.cut_left(gap.huge);
    scene.global = rest;
    return;
  }
  scene.details = rest.cut_bottom(
      low ? few_words : std::clamp(0.32F * rest.height(), 5.0F * line, kMostDetails * line));
  scene.figure = rest;
  if (!low) {
    const auto maps = static_cast<float>(std::ranges::count(
        scene.trace().variables, core::MemoryKind::global, &core::TracedVariable::memory));
    const float width = scene.details.width();
    scene.global = scene.details.cut_left(
        std::clamp(maps * kMap * line, 0.2F * width, (maps > 3.0F ? 0.68F : 0.6F) * width));
    scene.global.high.x -= gap.huge;
  }
}

void zoom_block(const TileState& view, const Rect& room, CellBlock& block) {
  const glm::vec2 centre = room.low + view.centre * room.size();
  const auto move = [&](const Rect& r) {
    return Rect{room.centre() + (r.low - centre) * view.zoom,
                room.centre() + (r.high - centre) * view.zoom};
  };
  const float above = block.area.low.y - block.slot.low.y;
  const float below = block.slot.high.y - block.area.high.y;
  block.area = move(block.area);
  block.slot = move(block.slot);
  block.slot.low.y = block.area.low.y - above;
  block.slot.high.y = block.area.high.y + below;
}

// The view's middle, so that a block that is larger than the view leaves none of it empty.
float within(float centre, float low, float high, float room) {
  const float most = high - 0.5F * room;
  const float least = low + 0.5F * room;
  return least < most ? std::clamp(centre, least, most) : 0.5F * (low + high);
}

// A bit above the middle and to its left: more is seen of the cells further on.
void find_cell(const TileScene& scene) {
  constexpr float kSeen = 1.4F;  // lines of text
  constexpr float kFurther = 0.1F;
  TileState& state = scene.state();
  auto& sought = state.sought;
  if (sought && sought->found && *sought->found != state) {
    sought.reset();
  }
  const auto block = std::ranges::find_if(scene.blocks, [&](const CellBlock& b) {
    return sought && !b.invocations && sought->cell < b.count &&
           scene.trace().variables[b.variable].name == sought->variable;
  });
  if (block == scene.blocks.end()) {
    return;
  }
  const Rect cell = block->cell(sought->cell);
  const float zoom = kSeen * scene.canvas.line_height() / std::min(cell.width(), cell.height());
  if (zoom > 1.0F) {
    const Rect& room = scene.figure;
    state.zoom = std::min(zoom, tile_zoom);
    const glm::vec2 seen = room.size() / state.zoom;
    const glm::vec2 wanted = cell.centre() + kFurther * seen;
    const float above = (block->area.low.y - block->slot.low.y) / state.zoom;
    const float below = (block->slot.high.y - block->area.high.y) / state.zoom;
    state.centre = (glm::vec2(within(wanted.x, block->area.low.x, block->area.high.x, seen.x),
                              within(wanted.y, block->area.low.y - above,
                                     block->area.high.y + below, seen.y)) -
                    room.low) /
                   room.size();
    sought->found = state;
  }
}

void place_figure(TileScene& scene) {
  const Gaps& gap = scene.theme().gap;
  const float line = scene.canvas.line_height();
  const float between = 2.0F * gap.large;
  scene.blocks = cell_blocks(scene.trace());
  const auto blocks = static_cast<float>(scene.blocks.size());
  const float fair = (scene.figure.width() + between) / blocks - between;
  place_blocks(scene.blocks, scene.figure,
               {.above = line + gap.small,
                .below = line + gap.medium,
                .between = between,
                .least_slot = std::clamp(fair, kLeastSlot * line, kSlot * line),
                .largest_cell = kCell * line,
                .readable = kReadable * line});
  find_cell(scene);
  for (CellBlock& block : scene.blocks) {
    zoom_block(scene.state(), scene.figure, block);
  }
}

std::optional<TileFocus> focus_at(const TileScene& scene, glm::vec2 at) {
  for (const CellBlock& block : scene.blocks) {
    const auto cell = block.cell_at(at);
    if (cell && block.invocations) {
      return TileFocus{.what = TileFocus::What::invocation,
                       .invocation = static_cast<std::uint32_t>(*cell)};
    }
    if (cell) {
      return TileFocus{.what = TileFocus::What::cell,
                       .variable = block.variable,
                       .element = *cell,
                       .race = race_at(scene, block.variable, *cell)};
    }
  }
  for (const GlobalPlate& plate : scene.plates) {
    const auto cell = plate.block.cell_at(at);
    if (cell && *cell < scene.story.shapes()[plate.variable].count) {
      return TileFocus{
          .what = TileFocus::What::element, .variable = plate.variable, .element = *cell};
    }
  }
  return std::nullopt;
}

void choose(const TileScene& scene, const std::optional<TileFocus>& focus) {
  TileState& state = scene.state();
  if (focus && focus->what == TileFocus::What::element) {
    const std::string name = element_name(scene.trace().variables[focus->variable], focus->element);
    return name == state.element ? state.choose_nobody() : state.ask_why(name);
  }
  const auto now = [&state] { return std::tuple(state.invocation, state.variable, state.cell); };
  const auto before = now();
  state.choose_nobody();
  if (focus && focus->what == TileFocus::What::invocation) {
    state.choose(focus->invocation, {}, -1);
  } else if (focus) {
    state.choose(TileState::kNobody, scene.trace().variables[focus->variable].name,
                 static_cast<std::int64_t>(focus->element));
  }
  if (now() == before) {  // a second click lets go
    state.choose_nobody();
  }
}

// A click that is an answer.
bool pick(const TileScene& scene, glm::vec2 at) {
  const auto focus = focus_at(scene, at);
  Picking& picking = scene.frame.state.of<Picking>();
  if (!focus) {
    return picking.wanted.has_value();
  }
  const bool invocation = focus->what == TileFocus::What::invocation;
  return picking.take(
      invocation ? core::ClickedOn::What::invocations : core::ClickedOn::What::cells,
      invocation ? "" : scene.trace().variables[focus->variable].name,
      invocation ? focus->invocation : focus->element);
}

void take_mouse(TileScene& scene) {
  const Hit mouse = hit("cells", scene.figure);
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec2 at = vec(io.MousePos);
  scene.state().take_mouse(mouse, scene.figure.centre(), scene.figure.size() * scene.state().zoom,
                           tile_zoom);
  const Hit maps = hit("maps", scene.global);
  if ((mouse.hovered && !mouse.held) || maps.hovered) {
    scene.pointed = focus_at(scene, at);
  }
  if (maps.clicked && !scene.frame.state.of<Picking>().wanted) {
    choose(scene, focus_at(scene, at));
  }
  if (mouse.clicked && io.MouseDragMaxDistanceSqr[0] < kDragged && !pick(scene, at)) {
    choose(scene, focus_at(scene, at));
  }
  if (scene.frame.state.of<Picking>().wanted) {  // whoever is asked is told the name alone
    scene.named = std::exchange(scene.pointed, std::nullopt);
  }
}

void light_lines(const TileScene& scene) {
  auto& lines = scene.frame.state.lit_lines;
  std::vector<bool> seen(scene.trace().sites.size(), false);
  if (scene.shows_conflict()) {
    lines = {scene.trace().sites[scene.banks->instructions.list[*scene.conflict].site].at};
    return;
  }
  const auto light = [&](const Touch& t) {
    if (!seen[t.site] && scene.trace().sites[t.site].at.line > 0) {
      lines.push_back(scene.trace().sites[t.site].at);
    }
    seen[t.site] = true;
  };
  if (scene.focus.what == TileFocus::What::element && scene.why) {
    for (const core::ProvenanceLine& line : scene.why->lines) {
      if (line.at.line > 0 && std::ranges::find(lines, line.at) == lines.end()) {
        lines.push_back(line.at);
      }
    }
  } else if (scene.found) {
    lines.push_back({scene.finding->line, 0, scene.finding->file});
  } else if (scene.own.empty()) {
    std::ranges::for_each(scene.moment.touches, light);
  } else {
    std::ranges::for_each(scene.own, light);
  }
}

void draw_head(const TileScene& scene) {
  const core::Result& result = scene.frame.model.result;
  const core::Trace& trace = scene.trace();
  const glm::uvec3 group{trace.workgroup[0], trace.workgroup[1], trace.workgroup[2]};
  const glm::uvec3 wanted = result.tiles.group_at(looked_into(scene.frame));
  Strip line{scene.canvas, scene.head};
  const std::string name = group_name(result, group);
  // A number alone would say nothing.
  std::vector<std::string> names{"Workgroup " + name, "Tile " + name};
  if (name.starts_with('(')) {
    names.push_back(name);
  }
  names.emplace_back();
  line.left(scene.canvas.fitting(names, line.rest.width()));
  const bool warned = trace.lost > 0 || !trace.incomplete.empty();
  const std::string all = "instrumented: each access of this workgroup, recorded in a separate run";
  const Wordings state =
      group != wanted ? Wordings{fmt::format("tracing workgroup {} …", group_name(result, wanted))}
      : trace.lost > 0
          ? Wordings{fmt::format("instrumented; the trace had no room for {} accesses", trace.lost)}
      : warned ? Wordings{"instrumented; incomplete: " + trace.incomplete.front()}
               : Wordings{all, "instrumented", ""};
  line.fitting(state, warned ? pen::text.in(&Palette::race) : pen::dim);
}

void step_invocation(TileState& view, const TraceStory& story, int by) {
  const std::int64_t now = std::max<std::int64_t>(view.invocation, by > 0 ? -1 : 0);
  view.choose(static_cast<std::int64_t>(cycled(now, by, story.invocations())), {}, -1);
}

// To the next racing cell: its phase, and itself.
void step_race(TileState& view, const TraceStory& story, int by) {
  const auto& races = story.races();
  if (races.empty()) {
    return;
  }
  const auto found = std::ranges::find_if(races, [&](const RacingPair& r) {
    return r.phase == shown_phase(view, story) &&
           story.trace().variables[r.variable].name == view.variable &&
           static_cast<std::int64_t>(r.element) == view.cell;
  });
  const std::ptrdiff_t now = found == races.end() ? (by > 0 ? -1 : 0) : found - races.begin();
  const RacingPair& next = races[cycled(now, by, races.size())];
  view.phase = static_cast<std::uint32_t>(next.phase) + 1;
  view.moment = 0;
  view.choose(TileState::kExample, story.trace().variables[next.variable].name,
              static_cast<std::int64_t>(next.element));
}

TraceStory* story_now(const Frame& frame) {
  return frame.state.of<TileCache>().story_of(frame.model.result.trace, frame.settle);
}

// A finding that was just chosen is shown, whatever was looked at before. What is no race has a
// place of its own, once its workgroup is traced.
void show_finding(const Frame& frame, TraceStory& story) {
  const core::Finding* finding = chosen_finding(frame.state.view, frame.model.result);
  story.follow(finding);
  const bool waits = finding != nullptr && finding->kind != core::FindingKind::race &&
                     has_workgroup(*finding) && story.trace().workgroup != finding->workgroup;
  if (waits || !std::exchange(frame.state.find_race, false)) {
    return;
  }
  TileState& state = frame.state.of<TileState>();
  state.forget_kernel();
  if (const auto place = finding != nullptr ? story.place_of(*finding) : std::nullopt) {
    state.phase = static_cast<std::uint32_t>(place->phase) + 1;
    state.moment = place->moment;
    state.choose(place->invocation, {}, -1);
  }
}

// What keys and buttons have asked for.
void take_steps(const Frame& frame, TraceStory& story) {
  TileState& state = frame.state.of<TileState>();
  StepState& asked = frame.state.of<StepState>();
  if (asked.steps != 0) {
    step_moment(state, story, asked.steps > 0 ? 1 : -1);
  }
  if (asked.leaps != 0) {
    step_phase(state, story, asked.leaps);
  }
  if (state.invocation_steps != 0) {
    step_invocation(state, story, state.invocation_steps);
  }
  if (state.race_steps != 0) {
    step_race(state, story, state.race_steps);
  }
  asked.steps = asked.leaps = state.invocation_steps = state.race_steps = 0;
  if (asked.due(ImGui::GetTime())) {
    asked.playing = step_moment(state, story, 1);
  }
}

}  // namespace

const CellBlock& TileScene::invocations() const {
  return *std::ranges::find(blocks, true, &CellBlock::invocations);
}

const CellBlock* TileScene::array(std::uint32_t variable) const {
  const auto block = std::ranges::find_if(
      blocks, [variable](const CellBlock& b) { return !b.invocations && b.variable == variable; });
  return block == blocks.end() ? nullptr : &*block;
}

bool TileScene::shared(std::uint32_t variable) const {
  return trace().variables[variable].memory == core::MemoryKind::shared;
}

Colour TileScene::colour_of(const Touch& touch) const {
  const Palette& c = theme().colours;
  return shared(touch.variable) ? c.shared_text : c.global_text;
}

std::string no_tile_yet(const Frame& frame) {
  const core::Result& result = frame.model.result;
  const std::string will_come =
      no_trace_yet(frame, "The memory accesses of a workgroup appear here");
  if (const TraceStory* story = story_now(frame); story != nullptr && !story->phases().empty()) {
    return {};
  }
  if (why_no_trace(frame) || result.tiles.group_count() == 0 ||
      result.stage == core::Stage::failed) {
    return will_come;
  }
  return fmt::format("Tracing all reads and writes of workgroup {} …",
                     group_name(result, result.tiles.group_at(looked_into(frame))));
}

void draw_tile(const Frame& frame, const Canvas& canvas, const Rect& area) {
  TraceStory* story = story_now(frame);
  show_finding(frame, *story);
  take_steps(frame, *story);
  const auto why = find_why(frame, *story);
  const TileState& view = frame.state.of<TileState>();
  TileScene scene{.frame = frame,
                  .canvas = canvas,
                  .story = *story,
                  .moment = story->at(shown_phase(view, *story), view.moment)};
  scene.why = why;
  share_out(scene, area);
  place_figure(scene);
  for (const RacingPair& race : story->races()) {
    if (race.phase == scene.moment.phase) {
      scene.races.push_back(&race);
    }
  }
  place_plates(scene);
  take_mouse(scene);
  scene.focus = scene.pointed ? *scene.pointed : chosen_focus(scene);
  scene.own = touches_of(scene, scene.focus);
  find_finding(scene);
  find_conflict(scene);
  place_words(scene);
  place_beams(scene);
  place_race(scene);
  light_lines(scene);
  draw_head(scene);
  {
    const Clip clip(canvas, {scene.head.low, {area.high.x, scene.legend.low.y}});
    draw_plates(scene);
    draw_blocks(scene);
    draw_links(scene);
    draw_why(scene);
    draw_block_words(scene);
  }
  draw_details(scene);
  draw_tile_legend(scene);
  draw_scrubber(scene);
  draw_tile_tooltip(scene);
}

}  // namespace ui
