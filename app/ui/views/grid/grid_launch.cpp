#include <algorithm>

#include <glm/common.hpp>

#include "core/base/ceil_div.h"
#include "ui/views/grid/grid_view.h"
#include "ui/views/timeline/playback.h"
#include "ui/views/timeline/timeline_cache.h"

namespace ui {
namespace {

constexpr std::uint32_t kMostTexels = 2048;  // a side

// What the texels of the tiles cover, over the plate's edge where the last tiles do.
std::optional<Area> area_of_tiles(const GridScene& scene, const Plate& plate,
                                  const LaunchPicture& picture) {
  const core::TileMap& tiles = scene.result().tiles;
  const glm::uvec3 groups = tiles.groups();
  const auto whole = [&](std::uint32_t count) { return core::round_up(count, picture.stride); };
  const core::Box items{
      {0, 0, 0},
      {whole(groups.x) * tiles.covers.x, whole(groups.y) * tiles.covers.y, tiles.covers.z}};
  return plate.output && plate.tiled() ? tiles_on(plate, scene.result(), items) : std::nullopt;
}

}  // namespace

void draw_launch(const GridScene& scene) {
  const core::Result& result = scene.result();
  const auto& timeline = result.timeline;
  if (!timeline || timeline->tiles.size() != result.tiles.group_count()) {
    return;
  }
  const LaunchState& launch = scene.frame.state.of<LaunchState>();
  const TileColours by = tile_colours(launch, result);
  const auto at = played_ticks(launch, *timeline);
  if (by == TileColours::output && !at) {
    return;
  }
  const glm::uvec3 groups = result.tiles.groups();
  const bool folded = scene.layout.fold > 0;
  const std::uint32_t across = folded ? scene.layout.fold : groups.x;
  const auto count = static_cast<std::uint32_t>(result.tiles.group_count());
  const std::uint32_t rows = folded ? core::ceil_div(count, across) : groups.y;
  const Palette& colours = scene.frame.theme.colours;
  const LaunchPicture picture{.of = timeline,
                              .by = by,
                              .at = at.value_or(-1.0),
                              .to_come = fade(colours.background, 0.88F),
                              .running = colours.accent,
                              .across = across,
                              .stride = (std::max(across, rows) + kMostTexels - 1) / kMostTexels};
  TimelineCache& cache = scene.frame.state.of<TimelineCache>();
  cache.paint_launch(picture);
  const auto texture = scene.frame.textures.image("launch", cache.launch_version,
                                                  cache.launch_image, cache.launch_changed);
  if (folded) {
    const glm::dvec2 texels{cache.launch_image.width, cache.launch_image.height};
    draw_texture(scene, texture, {{0.0, 0.0}, texels * static_cast<double>(picture.stride)});
    return;
  }
  for (const Plate& plate : scene.layout.plates) {
    if (const auto area = area_of_tiles(scene, plate, picture)) {
      const Clip clip(scene.canvas, scene.camera.pixels(plate.area));
      draw_texture(scene, texture, *area);
    }
  }
}

}  // namespace ui
