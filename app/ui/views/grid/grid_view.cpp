#include "ui/views/grid/grid_view.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/base/ceil_div.h"
#include "ui/picking.h"
#include "ui/views.h"
#include "ui/views/tile/tile_state.h"
#include "ui/widgets/heat_map.h"

namespace ui {
namespace {

// Where the pointer goes when the mouse points at nothing: to the chosen finding.
std::int64_t resting_tile(const GridScene& scene) {
  const core::Finding* finding = chosen_finding(scene.frame.state.view, scene.result());
  return finding != nullptr ? tile_of_finding(*finding, scene.result()) : -1;
}

// Opens the tile view on what led to the element of an output.
void ask_why(const GridScene& scene, glm::dvec2 world) {
  for (const Plate& plate : scene.layout.plates) {
    const glm::dvec2 at = (world - plate.area.low) / plate.area.size();
    if (plate.output && at.x >= 0.0 && at.y >= 0.0 && at.x < 1.0 && at.y < 1.0) {
      scene.frame.state.of<TileState>().ask_why(
          fmt::format("{}[{}][{}]", plate.name, static_cast<std::uint32_t>(at.y * plate.rows),
                      static_cast<std::uint32_t>(at.x * plate.columns)));
      scene.frame.state.view.name = "tile";
    }
  }
}

void take_mouse(const GridScene& scene, const Hit& mouse) {
  const ImGuiIO& io = ImGui::GetIO();
  core::View& view = scene.frame.state.view;
  const glm::vec2 at = vec(io.MousePos);
  scene.frame.state.of<GridState>().take_mouse(
      mouse, scene.camera.middle, scene.layout.bounds.size() * scene.camera.scale, grid_zoom);
  // Only a mouse that moves takes the pointer away from the keyboard, or from a scene.
  if (vec(io.MouseDelta) != glm::vec2(0.0F) && !mouse.held) {
    const auto tile = mouse.hovered && scene.room.contains(at)
                          ? tile_at(scene.layout, scene.result(), scene.camera.world(at))
                          : std::nullopt;
    view.tile = tile ? static_cast<std::int64_t>(*tile) : resting_tile(scene);
  }
  Picking& picking = scene.frame.state.of<Picking>();
  if (mouse.clicked && view.tile >= 0 &&
      picking.take(core::ClickedOn::What::tiles, "", static_cast<std::uint64_t>(view.tile))) {
    return;
  }
  if (mouse.hovered && view.tile >= 0 && ImGui::IsMouseDoubleClicked(0)) {
    view.name = "tile";
  }
  if (mouse.hovered && view.tile >= 0 && ImGui::IsMouseClicked(1)) {
    ask_why(scene, scene.camera.world(at));
  }
}

std::optional<std::uint64_t> pointed_tile(const Frame& frame) {
  const std::int64_t tile = frame.state.view.tile;
  const auto count = static_cast<std::int64_t>(frame.model.result.tiles.group_count());
  return tile >= 0 && tile < count ? std::optional(static_cast<std::uint64_t>(tile)) : std::nullopt;
}

std::vector<core::Region> regions_of(const core::Result& result, std::uint64_t tile) {
  const core::Box items = result.tiles.items(result.tiles.group_at(tile));
  const core::Workload& work = *result.items_work();
  std::vector<core::Region> all{work.writes(result.problem.sizes, items)};
  std::ranges::copy(work.reads(result.problem.sizes, items), std::back_inserter(all));
  return all;
}

// Of regions_of(), the one that tells tiles apart: what each writes, else what each reads. Nothing
// where all of them have the same, or are too many to be gone through in a frame.
std::optional<std::size_t> telling_region(const core::Result& result) {
  constexpr std::uint64_t kMostTiles = 65536;
  const std::uint64_t count = result.tiles.group_count();
  if (result.items_work() == nullptr || count == 0 || count > kMostTiles) {
    return std::nullopt;
  }
  const auto first = regions_of(result, 0);
  const auto last = regions_of(result, count - 1);
  for (std::size_t i = 0; i < std::min(first.size(), last.size()); ++i) {
    const bool apart = count == 1 || first[i] != last[i];
    if (apart && !result.buffers[first[i].buffer].whole) {
      return i;
    }
  }
  return std::nullopt;
}

core::Field means_of_tiles(const core::Result& result, const core::Field& field,
                           std::size_t telling, std::uint32_t across) {
  const std::uint64_t count = result.tiles.group_count();
  core::Field means{.name = fmt::format("mean of {} in a tile", field.name), .unit = field.unit};
  means.columns = means.texel_columns = across;
  means.rows = means.texel_rows = static_cast<std::uint32_t>(core::ceil_div(count, across));
  for (std::uint64_t tile = 0; tile < count; ++tile) {
    const auto regions = regions_of(result, tile);
    const bool there = telling < regions.size() &&
                       regions[telling].last_row > regions[telling].first_row &&
                       regions[telling].last_column > regions[telling].first_column;
    means.texels.push_back(there ? mean_of(field, regions[telling]) : 0.0F);
  }
  core::find_range(means);
  means.unwritten = field.unwritten;
  means.texels.resize(std::size_t{means.rows} * across, means.low);
  return means;
}

std::shared_ptr<const core::Field> means(const Frame& frame, const GridLayout& layout) {
  const core::Result& result = frame.model.result;
  if (layout.fold == 0) {
    return nullptr;
  }
  TileMeans& cache = frame.state.of<TileMeans>();
  const bool same_tiles = cache.means && cache.means->columns == layout.fold &&
                          cache.means->texels.size() >= result.tiles.group_count();
  if (result.bodies && !result.bodies->velocities.empty()) {
    if (cache.of != result.bodies || !same_tiles) {
      cache.of = result.bodies;
      cache.means = std::make_shared<const core::Field>(
          speeds_of_tiles(result.bodies->velocities, result.tiles.covers.x, layout.fold));
    }
    return cache.means;
  }
  const auto telling = telling_region(result);
  const std::size_t buffer = telling ? regions_of(result, 0)[*telling].buffer : 0;
  const auto difference = telling ? shown_difference(frame, buffer) : nullptr;
  const auto field = difference ? std::shared_ptr<const core::Field>(difference, &difference->field)
                     : telling && buffer < result.fields.size()
                         ? result.fields[buffer]
                         : std::shared_ptr<const core::Field>();
  if (!field || field->empty()) {
    return nullptr;
  }
  if (cache.of != field || !same_tiles) {
    cache.of = field;
    cache.means =
        std::make_shared<const core::Field>(means_of_tiles(result, *field, *telling, layout.fold));
    if (difference) {
      auto own = *cache.means;
      own.high = std::max(std::abs(own.low), std::abs(own.high));
      own.low = -own.high;
      own.name = fmt::format("mean difference of {} in a tile", field->name);
      own.unit = core::Difference::unit;
      cache.means = std::make_shared<const core::Field>(std::move(own));
    }
  }
  return cache.means;
}

// The area of a tile where it is written; for a folded launch its cell.
std::optional<Area> area_of_tile(const GridLayout& layout, const core::Result& result,
                                 std::uint64_t tile) {
  if (layout.fold > 0) {
    return folded_tile(layout, tile);
  }
  return tiles_on(layout.plates.front(), result, result.tiles.items(result.tiles.group_at(tile)));
}

// Brings the pointed-at tile into sight once, large enough to be recognized.
void find_tile(const Frame& frame, const GridLayout& layout, const Rect& room) {
  constexpr float kRecognized = 7.0F;
  constexpr float kComfortable = 18.0F;
  const auto tile = pointed_tile(frame);
  if (!frame.state.find_tile || !tile) {
    return;
  }
  frame.state.find_tile = false;
  GridState& view = frame.state.of<GridState>();
  const auto area = area_of_tile(layout, frame.model.result, *tile);
  if (!area) {
    return;
  }
  const Rect now = grid_camera(layout, room, view.centre, view.zoom).pixels(*area);
  const float side = std::min(now.width(), now.height());
  if (room.contains(now) && side >= frame.theme.px(kRecognized)) {
    return;
  }
  const glm::dvec2 centre =
      (0.5 * (area->low + area->high) - layout.bounds.low) / layout.bounds.size();
  view.centre = glm::clamp(glm::vec2(centre), 0.0F, 1.0F);
  if (side < frame.theme.px(kRecognized)) {
    view.enlarge(frame.theme.px(kComfortable) / std::max(side, 1e-3F), grid_zoom);
  }
}

Rect room_in(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Theme& theme = canvas.theme();
  const float caption = canvas.line_height(pen::title) + theme.gap.medium;
  Rect room = area.inset(theme.gap.huge, 0.0F);
  room.low.y = switch_area(frame, canvas, area).high.y + caption;
  room.high.y = area.high.y - legend_height(canvas) - caption;
  return room;
}

}  // namespace

const core::Field* GridScene::field(const Plate& plate) const {
  if (const auto shown = difference(plate)) {
    return &shown->field;  // the result keeps it
  }
  const auto& fields = result().fields;
  return plate.buffer < fields.size() ? fields[plate.buffer].get() : nullptr;
}

void draw_grid(const Frame& frame, const Canvas& canvas, const Rect& area) {
  GridLayout layout = grid_layout(frame.model.result);
  const Rect room = room_in(frame, canvas, area);
  find_tile(frame, layout, room);
  const GridState& view = frame.state.of<GridState>();
  const GridCamera camera = grid_camera(layout, room, view.centre, view.zoom);
  GridScene scene{.frame = frame,
                  .canvas = canvas,
                  .room = {area.low, {area.high.x, area.high.y - legend_height(canvas)}},
                  .layout = std::move(layout),
                  .camera = camera,
                  .tile = pointed_tile(frame),
                  .item = {}};
  if (const glm::vec2 mouse = vec(ImGui::GetIO().MousePos);
      scene.layout.fold == 0 && scene.room.contains(mouse)) {
    scene.item = item_at(scene.layout, camera.world(mouse));
  }
  scene.means = means(frame, scene.layout);
  scene.card = make_tile_card(scene);
  take_mouse(scene, hit("grid", scene.room));
  {
    const Clip clip(canvas, scene.room);
    if (scene.layout.fold > 0) {
      draw_folded_tiles(scene);
    } else {
      draw_plates(scene);
    }
    draw_launch(scene);
    draw_sections(scene);
    if (!shows_difference(scene)) {
      draw_race_marks(scene);
    }
    draw_pointed_tile(scene);
    draw_found_element(scene);
    draw_tile_card(scene);
  }
  draw_grid_legend(scene, {{area.low.x, scene.room.high.y}, area.high});
}

}  // namespace ui
