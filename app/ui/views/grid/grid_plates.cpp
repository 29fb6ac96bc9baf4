#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "ui/canvas/format.h"
#include "ui/views.h"
#include "ui/views/grid/grid_view.h"
#include "ui/widgets/heat_map.h"

namespace ui {
namespace {

constexpr float kLeastTile = 6.0F;  // pixels: smaller tiles get no lines
constexpr float kPlainTile = 20.0F;
constexpr float kLeastRim = 3.0F;  // pixels, at scale 1

// The work items of the last tile, as far as its invocations reach.
core::Box last_tile(const GridScene& scene) {
  const core::TileMap& tiles = scene.result().tiles;
  return whole_tile(tiles, tiles.groups() - 1U);
}

// What a texel stands for, where it is more than one element.
std::string texel_note(const GridScene& scene, const Plate& plate) {
  const core::Field* field = scene.field(plate);
  if (field == nullptr ||
      (field->texel_rows >= plate.rows && field->texel_columns >= plate.columns)) {
    return {};
  }
  return fmt::format(", each pixel the {} of {:.3g} × {:.3g}",
                     scene.difference(plate) ? "worst" : "mean",
                     static_cast<double>(plate.rows) / field->texel_rows,
                     static_cast<double>(plate.columns) / field->texel_columns);
}

// The longest wording first.
Wordings size_words(const GridScene& scene, const Plate& plate) {
  const std::uint64_t all = scene.result().buffers[plate.buffer].elements();
  const std::uint64_t shown = std::uint64_t{plate.rows} * plate.columns;
  const std::string size =
      plate.strip
          ? (shown < all
                 ? fmt::format("the first {} of {} elements", count_text(shown), count_text(all))
                 : count_text(all) + (all == 1 ? " element" : " elements"))
          : fmt::format("{} × {}", plate.rows, plate.columns);
  const std::string shape = size + (plate.stretched ? ", not to scale" : "");
  return {shape + texel_note(scene, plate), shape, size,
          plate.strip ? count_text(shown) : fmt::format("{}×{}", plate.rows, plate.columns), ""};
}

// A plate's name, where nothing is in its way, and the plate as far as its tiles reach.
struct Caption {
  const Plate* plate = nullptr;
  Rect reach;
  Rect name;
};

// Nothing for a plate that is out of sight.
std::optional<Caption> caption_of(const GridScene& scene, const Plate& plate, bool below) {
  Rect reach = scene.camera.pixels(plate.area);
  if (const auto last = tiles_on(plate, scene.result(), last_tile(scene)); last) {
    reach.high.y = std::max(reach.high.y, scene.camera.pixels(*last).high.y);
  }
  const Gaps& gap = scene.frame.theme.gap;
  const float height = scene.canvas.line_height(pen::title);
  const glm::vec2 at{std::max(reach.low.x, scene.room.low.x + gap.medium),
                     below ? reach.high.y + gap.small : reach.low.y - gap.small - height};
  const Rect name{at, at + glm::vec2(scene.canvas.width(plate.name, pen::title), height)};
  const bool seen = at.y >= scene.room.low.y && name.high.y <= scene.room.high.y &&
                    at.x < std::min(reach.high.x, scene.room.high.x);
  return seen ? std::optional(Caption{&plate, reach, name}) : std::nullopt;
}

// From where to where it may reach beside what stands in its line.
Rect free_line(const GridScene& scene, const Rect& name, const std::vector<Rect>& obstacles) {
  const Gaps& gap = scene.frame.theme.gap;
  Rect line{{scene.room.low.x + gap.medium, name.low.y},
            {scene.room.high.x - gap.medium, name.high.y}};
  for (const Rect& other : obstacles) {
    if (other.high.y <= line.low.y || other.low.y >= line.high.y) {
      continue;
    }
    if (other.low.x > name.low.x) {
      line.high.x = std::min(line.high.x, other.low.x - gap.small);
    } else {
      line.low.x = std::max(line.low.x, other.high.x + gap.small);
    }
  }
  return line;
}

// A name with as much of the size as has room. Empty: not even the name has any.
struct CaptionPlace {
  Rect whole;
  std::string size;
  bool aside = false;  // further left than its plate begins
};

CaptionPlace place_caption(const GridScene& scene, const Caption& caption,
                           const std::vector<Rect>& obstacles) {
  const Canvas& canvas = scene.canvas;
  const Gaps& gap = scene.frame.theme.gap;
  const Rect line = free_line(scene, caption.name, obstacles);
  const float name = caption.name.width();
  if (name > line.width() + 1.0F || line.low.x >= caption.reach.high.x) {
    return {};
  }
  const Wordings all = size_words(scene, *caption.plate);
  const std::string& size = canvas.fitting(all, line.width() - name - gap.medium - 1.0F);
  const float width = name + (size.empty() ? 0.0F : gap.medium + canvas.width(size) + 1.0F);
  const float x = std::max(std::min(caption.name.low.x, line.high.x - width), line.low.x);
  return {.whole = {{x, line.low.y}, {x + width, line.high.y}},
          .size = size,
          .aside = x < caption.name.low.x - 1.0F};
}

void draw_caption(const GridScene& scene, const Plate& plate, const CaptionPlace& place) {
  const Gaps& gap = scene.frame.theme.gap;
  scene.canvas.text(place.whole.low, plate.name, scene.frame.theme.fonts.title,
                    scene.frame.theme.colours.text);
  const float x = place.whole.low.x + scene.canvas.width(plate.name, pen::title) + gap.medium;
  if (!place.size.empty()) {
    scene.canvas.write({{x, place.whole.low.y + gap.thin}, place.whole.high}, place.size, pen::dim);
  }
}

// Where a caption has to step aside, it would be read as what stands there: of a plate beside the
// output rather on its other side.
CaptionPlace better_place(const GridScene& scene, const Caption& caption,
                          const std::vector<Rect>& obstacles) {
  const CaptionPlace usual = place_caption(scene, caption, obstacles);
  const Plate& plate = *caption.plate;
  const auto other = caption_of(scene, plate, !plate.caption_below);
  const bool beside = !plate.output && plate.area.low.y >= 0.0;
  // Their letters stand around plates.
  const bool letters = shows_sections(scene.frame.state.of<GridState>(), scene.result());
  if (!usual.aside || !other || !beside || letters) {
    return usual;
  }
  const CaptionPlace opposite = place_caption(scene, *other, obstacles);
  const bool worse = opposite.whole.empty() || opposite.size.size() < usual.size.size();
  return worse ? usual : opposite;
}

// None lies on another plate, on another caption or on one of the texts that are `taken`.
void draw_captions(const GridScene& scene, const std::vector<Rect>& taken) {
  std::vector<Caption> captions;
  for (const Plate& plate : scene.layout.plates) {
    if (const auto caption = caption_of(scene, plate, plate.caption_below)) {
      captions.push_back(*caption);
    }
  }
  std::vector<Rect> places;
  std::ranges::transform(captions, std::back_inserter(places), &Caption::name);
  for (std::size_t i = 0; i < captions.size(); ++i) {
    std::vector<Rect> obstacles = taken;
    for (const Plate& plate : scene.layout.plates) {
      if (&plate != captions[i].plate) {
        obstacles.push_back(scene.camera.pixels(plate.area));
      }
    }
    places[i] = {};
    // Two names are not to be read as one.
    const Gaps& gap = scene.frame.theme.gap;
    for (const Rect& place : places) {
      if (!place.empty()) {
        obstacles.push_back(place.inset(gap.small - gap.large, 0.0F));
      }
    }
    const CaptionPlace place = better_place(scene, captions[i], obstacles);
    places[i] = place.whole;
    if (!place.whole.empty()) {
      draw_caption(scene, *captions[i].plate, place);
    }
  }
}

// Lines between tiles along one axis of a plate, from the first that can be seen to the last;
// fainter between small tiles, which they would hide.
void draw_lines(const GridScene& scene, const Area& area, double step, bool vertical) {
  const bool large =
      step * scene.camera.scale >= static_cast<double>(scene.frame.theme.px(kPlainTile));
  const Colour colour = fade(rgb(0x000000), large ? 0.8F : 0.35F);
  const float thick = large ? scene.frame.theme.gap.thin : 1.0F;
  const int d = vertical ? 0 : 1;
  if (step * scene.camera.scale < static_cast<double>(scene.frame.theme.px(kLeastTile))) {
    return;
  }
  const double seen_low = scene.camera.world(scene.room.low)[d];
  const double seen_high = scene.camera.world(scene.room.high)[d];
  const Rect rect = scene.camera.pixels(area);
  double at = area.low[d] + std::max(1.0, std::ceil((seen_low - area.low[d]) / step)) * step;
  const double end = area.high[d] - 1e-3 * step;  // where the last tile ends there is the edge
  for (; at < std::min(end, seen_high); at += step) {
    const glm::vec2 p = scene.camera.pixel({at, at});
    if (vertical) {
      scene.canvas.line({p.x, rect.low.y}, {p.x, rect.high.y}, colour, thick);
    } else {
      scene.canvas.line({rect.low.x, p.y}, {rect.high.x, p.y}, colour, thick);
    }
  }
}

double tile_step(const Plate& plate, const core::TileMap& tiles, Axis axis, bool vertical) {
  const double unit =
      vertical ? plate.area.size().x / plate.columns : plate.area.size().y / plate.rows;
  const std::uint32_t covers = axis == Axis::x   ? tiles.covers.x
                               : axis == Axis::y ? tiles.covers.y
                                                 : 0U;
  return unit * covers;
}

void draw_tile_lines(const GridScene& scene, const Plate& plate) {
  const core::TileMap& tiles = scene.result().tiles;
  draw_lines(scene, plate.area, tile_step(plate, tiles, plate.column_axis, true), true);
  draw_lines(scene, plate.area, tile_step(plate, tiles, plate.row_axis, false), false);
}

void draw_idle(const GridScene& scene, Rect rect) {
  if (rect.empty()) {
    return;
  }
  // A rim of less than a pixel or two must still be seen.
  rect.high = glm::max(rect.high, rect.low + scene.frame.theme.px(kLeastRim));
  const Palette& c = scene.frame.theme.colours;
  scene.canvas.fill(rect, fade(c.idle, 0.25F));
  scene.canvas.stripes(rect, fade(c.idle, 0.9F));
}

// The tiles that the rim belongs to: the last column and the last row, as far as they are cut off.
// Where tiles are large the lines between them show that.
void outline_idle_tiles(const GridScene& scene, const Plate& plate, const Area& last) {
  const Colour colour = scene.frame.theme.colours.idle;
  const auto outline = [&](const Area& tiles) {
    const Rect rect = scene.camera.pixels(tiles);
    const float side = std::min(rect.width(), rect.height());
    if (side >= scene.frame.theme.px(kLeastTile) && side < scene.frame.theme.px(kPlainTile)) {
      scene.canvas.frame(rect, colour, scene.frame.theme.px(1.5F));
    }
  };
  if (last.high.x > plate.area.high.x) {
    outline({{last.low.x, plate.area.low.y}, last.high});
  }
  if (last.high.y > plate.area.high.y) {
    outline({{plate.area.low.x, last.low.y}, last.high});
  }
}

// Invocations beyond the edge: the right and the lower rim of the last tiles.
void draw_idle_rim(const GridScene& scene, const Plate& plate) {
  const auto last = tiles_on(plate, scene.result(), last_tile(scene));
  if (!scene.frame.state.of<GridState>().idle || !plate.tiled() || !last) {
    return;
  }
  const Area right{{plate.area.high.x, plate.area.low.y}, last->high};
  const Area below{{plate.area.low.x, plate.area.high.y}, {plate.area.high.x, last->high.y}};
  const Palette& colours = scene.frame.theme.colours;
  draw_idle(scene, scene.camera.pixels(right));
  draw_idle(scene, scene.camera.pixels(below));
  const core::TileMap& tiles = scene.result().tiles;
  draw_lines(scene, right, tile_step(plate, tiles, plate.row_axis, false), false);
  draw_lines(scene, below, tile_step(plate, tiles, plate.column_axis, true), true);
  scene.canvas.frame(scene.camera.pixels({plate.area.low, last->high}), colours.idle, 1.0F);
  if (plate.output) {
    outline_idle_tiles(scene, plate, *last);
  }
}

// Tiles of a sliced launch that are still to come.
void draw_pending(const GridScene& scene, const Plate& plate) {
  const core::Result& result = scene.result();
  const core::TileMap& tiles = result.tiles;
  const std::uint64_t done = result.shown_groups_done();
  if (!plate.output || done >= tiles.group_count()) {
    return;
  }
  std::vector<core::Box> launches;
  for (const core::Launch& launch : result.launches) {
    if (launch.grid == result.grid()) {
      launches.push_back(launch.groups);
    }
  }
  if (launches.empty()) {
    launches.push_back({{0, 0, 0}, tiles.groups()});
  }
  for (const core::Box& groups : core::groups_to_come(launches, done)) {
    const core::Box items{tiles.items(groups.first).first, tiles.items(groups.last - 1U).last};
    if (const auto area = tiles_on(plate, result, items)) {
      scene.canvas.fill(scene.camera.pixels(*area),
                        fade(scene.frame.theme.colours.background, 0.8F));
    }
  }
}

// The area of the whole buffer; a strip shows only its first rows.
Area field_area(const GridScene& scene, const Plate& plate) {
  const std::uint32_t rows = scene.result().buffers[plate.buffer].rows;
  const double share = static_cast<double>(rows) / std::max(plate.rows, 1U);
  return {plate.area.low, plate.area.low + plate.area.size() * glm::dvec2(1.0, share)};
}

void draw_plate(const GridScene& scene, const Plate& plate) {
  const Palette& c = scene.frame.theme.colours;
  const Rect rect = scene.camera.pixels(plate.area);
  const auto& fields = scene.result().fields;
  std::optional<Clip> clip(std::in_place, scene.canvas, rect);
  if (const auto difference = scene.difference(plate)) {
    const std::string key = "difference " + plate.name;
    const std::uint64_t version = scene.frame.cache.version(key, difference);
    draw_texture(scene,
                 scene.frame.textures.image(key, version,
                                            [&] { return paint_difference(difference->field); }),
                 field_area(scene, plate));
  } else if (const core::Field* field = scene.field(plate)) {
    const std::string key = "field " + plate.name;
    const std::uint64_t version = scene.frame.cache.version(key, fields[plate.buffer]);
    draw_texture(scene,
                 scene.frame.textures.image(key, version, [field] { return paint_field(*field); }),
                 field_area(scene, plate));
  } else {
    scene.canvas.fill(rect, c.raised);
  }
  clip.reset();
  draw_pending(scene, plate);
  draw_tile_lines(scene, plate);
  draw_idle_rim(scene, plate);
  scene.canvas.frame(rect.inset(-1.0F, -1.0F), c.line);
}

}  // namespace

void draw_texture(const GridScene& scene, ImTextureID texture, const Area& area) {
  const Area seen{scene.camera.world(scene.room.low), scene.camera.world(scene.room.high)};
  const Area part{glm::max(area.low, seen.low), glm::min(area.high, seen.high)};
  if (part.low.x < part.high.x && part.low.y < part.high.y) {
    scene.canvas.image(texture, scene.camera.pixels(part), (part.low - area.low) / area.size(),
                       (part.high - area.low) / area.size());
  }
}

void draw_plates(const GridScene& scene) {
  for (const Plate& plate : scene.layout.plates) {
    draw_plate(scene, plate);
  }
  draw_captions(scene, {scene.card.rect, switch_area(scene.frame, scene.canvas, scene.room)});
}

// What the cells are, above them: they have no buffer's name and no axes.
void caption_folded(const GridScene& scene) {
  const core::Result& result = scene.result();
  const Rect cells = scene.camera.pixels(scene.layout.bounds);
  const float height = scene.canvas.line_height();
  const float low = cells.low.y - scene.frame.theme.gap.small - height;
  Rect line{{std::max(cells.low.x, scene.room.low.x + scene.frame.theme.gap.medium), low},
            {std::min(cells.high.x, scene.room.high.x), low + height}};
  if (const Rect names = switch_area(scene.frame, scene.canvas, scene.room); names.overlaps(line)) {
    line.high.x = names.low.x - scene.frame.theme.gap.small;
  }
  const std::uint64_t each = std::uint64_t{result.tiles.local_size.x} * result.tiles.local_size.y *
                             result.tiles.local_size.z;
  const std::string cell = fmt::format("one cell is a workgroup of {}", count_text(each));
  const Wordings all{cell + " invocations; rows in launch order", cell + ", in launch order", cell,
                     ""};
  const std::string& words = scene.canvas.fitting(all, line.width(), pen::dim);
  if (low >= scene.room.low.y && scene.canvas.width(words) <= line.width() &&
      !line.overlaps(scene.card.rect)) {
    scene.canvas.write(line, words, pen::dim);
  }
}

void draw_folded_tiles(const GridScene& scene) {
  caption_folded(scene);
  const core::Result& result = scene.result();
  const Palette& c = scene.frame.theme.colours;
  const GridLayout& layout = scene.layout;
  const std::uint64_t count = result.tiles.group_count();
  const std::uint64_t full_rows = count / layout.fold;
  const Area whole{{0.0, 0.0}, {layout.fold, static_cast<double>(full_rows)}};
  const Area rest{{0.0, whole.high.y}, folded_tile(layout, count - 1).high};
  const bool ragged = count % layout.fold != 0;
  if (scene.means) {
    const std::uint64_t version = scene.frame.cache.version("tile means", scene.means);
    const bool difference = scene.means->unit == core::Difference::unit;
    const auto texture = scene.frame.textures.image("tile means", version, [&] {
      return difference ? paint_difference(*scene.means) : paint_field(*scene.means);
    });
    draw_texture(scene, texture, layout.bounds);
  } else {
    scene.canvas.fill(scene.camera.pixels(layout.bounds), mix(c.background, c.dim, 0.35F));
  }
  if (ragged) {
    const Area beyond{{rest.high.x, rest.low.y}, layout.bounds.high};
    scene.canvas.fill(scene.camera.pixels(beyond), c.background);
  }
  for (const Area& area : {whole, rest}) {
    if (area.size().y > 0.0 && (ragged || &area != &rest)) {
      draw_lines(scene, area, 1.0, true);
      draw_lines(scene, area, 1.0, false);
    }
  }
  if (ragged && full_rows > 0) {
    draw_lines(scene, {{0.0, whole.high.y - 1.0}, rest.high}, 1.0, false);
  }
  const core::Box last = result.tiles.items(result.tiles.group_at(count - 1));
  const double used = static_cast<double>(last.size().x) / result.tiles.covers.x;
  Area idle = folded_tile(layout, count - 1);
  idle.low.x += used;
  if (used < 1.0 && scene.frame.state.of<GridState>().idle) {
    scene.canvas.fill(scene.camera.pixels(idle), fade(c.background, 0.6F));
    scene.canvas.stripes(scene.camera.pixels(idle), c.idle);
  }
}

}  // namespace ui
