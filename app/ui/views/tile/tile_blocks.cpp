// Shared arrays cell by cell, and the invocations.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "ui/canvas/colormap.h"
#include "ui/views/banks/banks_view.h"
#include "ui/views/tile/tile_view.h"

namespace ui {
namespace {

constexpr float kVeil = 0.62F;       // of cells that are not touched at the moment
constexpr float kLeastLined = 7.0F;  // pixels at scale 1: smaller cells get no lines
constexpr std::size_t kMostMarks = 600;
constexpr std::size_t kMostPlain = 40;  // marks where nothing but writing is to be told

// Cells that stand out: all that are touched at the moment; in a whole phase the focus's own.
std::vector<bool> lit_cells(const TileScene& scene, const CellBlock& block) {
  std::vector<bool> lit(block.count, false);
  const bool one =
      scene.focus.what == TileFocus::What::invocation || scene.focus.what == TileFocus::What::race;
  if (one && scene.moment.moment == 0) {
    for (const Touch& t : scene.own) {
      for (std::uint64_t e = t.element; e < t.element + t.elements; ++e) {
        if (t.variable == block.variable && e < block.count) {
          lit[e] = true;
        }
      }
    }
    return lit;
  }
  const auto& counts = scene.moment.counts[block.variable];
  for (std::size_t e = 0; e < counts.size(); ++e) {
    lit[e] = counts[e].reads + counts[e].writes > 0;
  }
  return lit;
}

Colour slice_colour(const TileScene& scene, const ElementShape& shape, const Slice& slice) {
  if (slice.bytes == 0) {
    return scene.theme().colours.raised;
  }
  const auto value = static_cast<float>(number_of(slice.bits, slice.kind, slice.bytes));
  const float range = shape.high - shape.low;
  return viridis(range > 0.0F ? (value - shape.low) / range
                              : (std::isfinite(value) ? 0.5F : value));
}

std::uint32_t bank_at(const TileScene& scene, const CellBlock& block, std::uint64_t element,
                      std::uint32_t slice) {
  const core::TracedVariable& v = scene.trace().variables[block.variable];
  return core::bank_of(v.address + element * scene.story.shapes()[block.variable].bytes +
                       std::uint64_t{slice} * v.scalar_bytes);
}

// The pattern of the banks, the same at every moment.
Image paint_banks(const TileScene& scene, const CellBlock& block) {
  const ElementShape& shape = scene.story.shapes()[block.variable];
  Image image{block.columns * shape.slices, block.rows(), {}};
  image.rgba.assign(std::size_t{image.width} * image.height, scene.theme().colours.background);
  for (std::uint64_t e = 0; e < block.count; ++e) {
    for (std::uint32_t s = 0; s < shape.slices; ++s) {
      image.rgba[e / block.columns * image.width + e % block.columns * shape.slices + s] =
          bank_colour(bank_at(scene, block, e, s));
    }
  }
  return image;
}

// A texel a scalar.
Image paint_cells(const TileScene& scene, const CellBlock& block) {
  const ElementShape& shape = scene.story.shapes()[block.variable];
  const auto& memory = scene.moment.memory[block.variable];
  const auto lit = lit_cells(scene, block);
  const Colour ground = scene.theme().colours.background;
  Image image{block.columns * shape.slices, block.rows(), {}};
  image.rgba.assign(std::size_t{image.width} * image.height, ground);
  for (std::uint64_t e = 0; e < block.count; ++e) {
    for (std::uint32_t s = 0; s < shape.slices; ++s) {
      const Colour colour = shape.touched[e]
                                ? slice_colour(scene, shape, memory[e * shape.slices + s])
                                : scene.theme().colours.surface;
      const std::size_t at = e / block.columns * image.width + e % block.columns * shape.slices + s;
      image.rgba[at] = lit[e] ? colour : mix(colour, ground, kVeil);
    }
  }
  return image;
}

std::uint64_t colours_version(const TileScene& scene) {
  TileCache& cache = scene.frame.state.of<TileCache>();
  const TileFocus& f = scene.focus;
  const std::uint64_t what = f.what == TileFocus::What::invocation ? f.invocation
                             : f.what == TileFocus::What::all      ? 0
                                                                   : f.element;
  const auto now = std::tuple(scene.story.number(), scene.moment.version, static_cast<int>(f.what),
                              what, std::uint64_t{f.variable},
                              (scene.theme().dark ? 1 : 0) + (scene.by_bank() ? 2 : 0));
  if (cache.colours_of != now) {
    cache.colours_of = now;
    ++cache.colours;
  }
  return cache.colours;
}

void draw_cell_lines(const TileScene& scene, const CellBlock& block, Colour colour) {
  const glm::vec2 size = block.cell_size();
  if (std::min(size.x, size.y) < scene.theme().px(kLeastLined)) {
    return;
  }
  const Rect& a = block.area;
  for (std::uint32_t c = 1; c < block.columns; ++c) {
    const float x = a.low.x + static_cast<float>(c) * size.x;
    scene.canvas.line({x, a.low.y}, {x, a.high.y}, colour);
  }
  for (std::uint32_t r = 1; r < block.rows(); ++r) {
    const float y = a.low.y + static_cast<float>(r) * size.y;
    scene.canvas.line({a.low.x, y}, {a.high.x, y}, colour);
  }
}

// Dark on light cells, light on dark ones.
Colour ink_on(Colour ground) {
  const auto part = [ground](int shift) { return static_cast<int>(ground >> shift & 0xFFU); };
  const int light = 299 * part(0) + 587 * part(8) + 114 * part(16);
  return light > 128000 ? rgb(0x101010) : rgb(0xF4F4F4);
}

std::string short_number(const Slice& slice) {
  const double value = number_of(slice.bits, slice.kind, slice.bytes);
  const bool small = std::abs(value) < 10.0;
  return slice.kind == core::ScalarKind::floating ? fmt::format("{:.{}f}", value, small ? 2 : 0)
                                                  : value_text(slice.bits, slice.kind, slice.bytes);
}

// Ascending.
std::vector<std::uint64_t> racing_cells(const TileScene& scene, const CellBlock& block) {
  std::vector<std::uint64_t> cells;
  for (const RacingPair* race : scene.races) {
    if (race->variable == block.variable) {
      cells.push_back(race->element);
    }
  }
  sort_unique(cells);
  return cells;
}

// Values, once the cells are large enough for them.
void draw_numbers(const TileScene& scene, const CellBlock& block,
                  const std::vector<std::uint64_t>& racing) {
  const Theme& theme = scene.theme();
  const ElementShape& shape = scene.story.shapes()[block.variable];
  const glm::vec2 size = block.cell_size();
  const float slice = size.x / static_cast<float>(shape.slices);
  const float least =
      scene.canvas.width(scene.by_bank() ? "31" : "-0.00", pen::mono) + theme.gap.small;
  const float line = scene.canvas.line_height(pen::mono);
  if (slice < least || size.y < line) {
    return;
  }
  const auto& memory = scene.moment.memory[block.variable];
  const auto lit = lit_cells(scene, block);
  for (std::uint64_t e = 0; e < block.count; ++e) {
    Rect cell = block.cell(e);
    if (!scene.figure.contains(cell)) {
      continue;
    }
    for (std::uint32_t s = 0; s < shape.slices; ++s) {
      const Slice& value = memory[e * shape.slices + s];
      const Rect part = cell.cut_left(slice);
      if (scene.by_bank()) {
        const std::uint32_t bank = bank_at(scene, block, e, s);
        scene.canvas.write(part.inset(1.0F, 0.0F), fmt::format("{}", bank),
                           pen::mono.in(ink_on(bank_colour(bank))), Align::centre);
        continue;
      }
      const Colour full = slice_colour(scene, shape, value);
      const Colour ground = lit[e] ? full : mix(full, theme.colours.background, kVeil);
      if (value.bytes > 0 && std::ranges::binary_search(racing, e)) {
        const Rect words = part.inset(0.5F * (slice - least), 0.5F * (size.y - line));
        scene.canvas.fill(words, fade(ground, 0.85F));
      }
      if (value.bytes > 0) {
        scene.canvas.write(part.inset(1.0F, 0.0F), short_number(value),
                           pen::mono.in(ink_on(ground)), Align::centre);
      }
    }
  }
}

// Written cells carry a square: told from read ones without colour.
void mark_written(const TileScene& scene, const CellBlock& block) {
  const auto& counts = scene.moment.counts[block.variable];
  const auto written = static_cast<std::size_t>(
      std::ranges::count_if(counts, [](const TouchCount& c) { return c.writes > 0; }));
  const bool plain = std::ranges::none_of(counts, [](const TouchCount& c) { return c.reads > 0; });
  const glm::vec2 size = block.cell_size();
  const float side = std::floor(0.36F * std::min(size.x, size.y));
  const float numbers = scene.canvas.line_height(pen::mono);
  const bool racing = std::ranges::any_of(
      scene.races, [&](const RacingPair* r) { return r->variable == block.variable; });
  if (racing || written == 0 || written > (plain ? kMostPlain : kMostMarks) || side < 2.0F ||
      size.y > numbers) {
    return;
  }
  for (std::size_t e = 0; e < counts.size(); ++e) {
    if (counts[e].writes > 0) {
      const glm::vec2 at = glm::floor(block.cell(e).centre() - 0.5F * side);
      scene.canvas.fill({at - 1.0F, at + side + 1.0F}, rgb(0x000000));
      scene.canvas.fill({at, at + side}, rgb(0xFFFFFF));
    }
  }
}

void draw_racing(const TileScene& scene, const CellBlock& block,
                 const std::vector<std::uint64_t>& cells) {
  const Theme& theme = scene.theme();
  for (const CellRun& run : runs_of(block, cells)) {
    const Rect area = area_of(block, run);
    scene.canvas.fill(area, fade(theme.colours.race, 0.35F));
    scene.canvas.stripes(area, theme.colours.race);
    scene.canvas.frame(area, theme.colours.race, theme.gap.thin);
  }
}

// What stands for the workgroup's own rows and columns, in a rim that shows on all colours.
void draw_inner(const TileScene& scene, const CellBlock& block) {
  const float wide = scene.theme().gap.thin;
  const Rect inner = block.inner();
  scene.canvas.frame(inner.inset(-1.0F, -1.0F), scene.theme().colours.background, wide + 2.0F);
  scene.canvas.frame(inner, scene.theme().colours.text, wide);
}

// The invocation or the element that a finding is about.
void mark_found(const TileScene& scene, const Rect& cell) {
  const Theme& theme = scene.theme();
  scene.canvas.fill(cell, fade(theme.colours.race, 0.35F));
  scene.canvas.frame(cell.inset(-theme.gap.thin, -theme.gap.thin), theme.colours.race,
                     2.0F * theme.gap.thin);
}

void draw_array(const TileScene& scene, const CellBlock& block, std::uint64_t version) {
  const core::TracedVariable& v = scene.trace().variables[block.variable];
  const std::string key = fmt::format("cells {} {}", v.name, block.columns);
  const auto texture = scene.frame.textures.image(key, version, [&] {
    return scene.by_bank() ? paint_banks(scene, block) : paint_cells(scene, block);
  });
  scene.canvas.image(texture, block.area);
  for (const CellRun& run : untouched_runs(scene, block)) {
    scene.canvas.stripes(area_of(block, run), fade(scene.theme().colours.idle, 0.7F));
  }
  draw_cell_lines(scene, block, fade(scene.theme().colours.background, 0.55F));
  if (block.halo > 0 && !scene.by_bank()) {
    draw_inner(scene, block);
  }
  const auto racing = racing_cells(scene, block);
  draw_racing(scene, block, racing);
  if (scene.found && scene.found->access) {
    const core::TracedAccess& access = scene.trace().accesses[*scene.found->access];
    if (scene.trace().sites[access.site].variable == block.variable) {
      mark_found(scene, block.cell(access.offset / scene.story.shapes()[block.variable].bytes));
    }
  }
  draw_numbers(scene, block, racing);
  if (!scene.by_bank()) {
    mark_written(scene, block);
  }
  scene.canvas.frame(block.area.inset(-1.0F, -1.0F), scene.theme().colours.shared,
                     scene.theme().px(1.5F));
}

// Reading: an open square. Writing: a full one. Global and shared at once: two halves.
void draw_doing(const TileScene& scene, Rect box, std::uint8_t doing) {
  const Palette& c = scene.theme().colours;
  const auto half = [&](const Rect& part, bool writes, Colour colour) {
    const float rim = std::max(1.0F, std::floor(0.12F * box.height()));
    const bool small = std::min(part.width(), part.height()) < 4.0F;
    const Colour light = mix(c.background, colour, 0.3F);
    scene.canvas.fill(part, small && !writes ? light : colour);
    if (!writes && !small) {
      scene.canvas.fill(part.inset(rim, rim), light);
    }
  };
  const bool global = (doing & (Doing::reads_global | Doing::writes_global)) != 0;
  const bool shared = (doing & (Doing::reads_shared | Doing::writes_shared)) != 0;
  if (global) {
    half(shared ? box.cut_left(std::floor(0.5F * box.width())) : box,
         (doing & Doing::writes_global) != 0, c.global);
  }
  if (shared) {
    half(box, (doing & Doing::writes_shared) != 0, c.shared);
  }
}

// Lines between invocations of different subgroups.
void draw_subgroups(const TileScene& scene, const CellBlock& block) {
  const auto& subgroup = scene.trace().subgroup;
  if (subgroup.size() < block.count) {
    return;
  }
  const Theme& theme = scene.theme();
  const float w = theme.px(1.5F);
  const Colour colour = mix(theme.colours.dim, theme.colours.background, 0.15F);
  const glm::vec2 size = block.cell_size();
  for (std::uint64_t i = 0; i < block.count; ++i) {
    const glm::vec2 at = block.area.low + size * glm::vec2(i % block.columns, i / block.columns);
    if (i % block.columns > 0 && subgroup[i] != subgroup[i - 1]) {
      scene.canvas.fill({{at.x - 0.5F * w, at.y}, {at.x + 0.5F * w, at.y + size.y}}, colour);
    }
    if (i >= block.columns && subgroup[i] != subgroup[i - block.columns]) {
      scene.canvas.fill({{at.x, at.y - 0.5F * w}, {at.x + size.x, at.y + 0.5F * w}}, colour);
    }
  }
  scene.canvas.frame(block.area.inset(-w, -w), colour, w);
}

// Their numbers, where cells are large enough to keep what they show.
void name_invocations(const TileScene& scene, const CellBlock& block) {
  const glm::vec2 size = block.cell_size();
  const float line = scene.canvas.line_height();
  if (block.rows() > 1 || std::min(size.x, size.y) < 2.4F * line) {
    return;
  }
  for (std::uint64_t i = 0; i < block.count; ++i) {
    const std::string number = fmt::format("{}", i);
    const float width = scene.canvas.width(number, pen::mono);
    const glm::vec2 low = block.cell(i).low + scene.theme().gap.thin;
    put_words(scene, {low, low + glm::vec2(width + 1.0F, scene.canvas.line_height(pen::mono))},
              number, pen::mono);
  }
}

void draw_invocations(const TileScene& scene, const CellBlock& block) {
  const Theme& theme = scene.theme();
  scene.canvas.fill(block.area, theme.colours.raised);
  scene.canvas.stripes(block.area, fade(theme.colours.idle, 0.45F));
  const glm::vec2 size = block.cell_size();
  const float gap = std::min(size.x, size.y) >= theme.px(kLeastLined) ? 1.0F : 0.0F;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(block.count, scene.moment.doing.size());
       ++i) {
    if (scene.moment.doing[i] != 0) {
      const Rect cell = block.cell(i);
      scene.canvas.fill(cell, theme.colours.background);
      draw_doing(scene, cell.inset(gap, gap), scene.moment.doing[i]);
    }
  }
  draw_subgroups(scene, block);
  if (scene.found) {
    mark_found(scene, block.cell(scene.found->invocation));
  }
  name_invocations(scene, block);
}

// Where a block goes on out of sight its cells fade away.
void fade_edges(const TileScene& scene, const CellBlock& block) {
  const Rect& room = scene.figure;
  const Rect seen = block.area.clipped(room);
  if (seen.empty()) {
    return;
  }
  const float wide =
      std::min(scene.canvas.line_height(), 0.25F * std::min(seen.width(), seen.height()));
  const Colour ground = scene.theme().colours.background;
  const Colour none = fade(ground, 0.0F);
  const auto put = [&](const Rect& part, bool left, bool top, bool right, bool bottom) {
    const auto colour = [&](bool solid) { return solid ? ground : none; };
    scene.canvas.list().AddRectFilledMultiColor(im(part.low), im(part.high), colour(left || top),
                                                colour(right || top), colour(right || bottom),
                                                colour(left || bottom));
  };
  if (block.area.low.x < room.low.x - 1.0F) {
    put({seen.low, {seen.low.x + wide, seen.high.y}}, true, false, false, false);
  }
  if (block.area.low.y < room.low.y - 1.0F) {
    put({seen.low, {seen.high.x, seen.low.y + wide}}, false, true, false, false);
  }
  if (block.area.high.x > room.high.x + 1.0F) {
    put({{seen.high.x - wide, seen.low.y}, seen.high}, false, false, true, false);
  }
  if (block.area.high.y > room.high.y + 1.0F) {
    put({{seen.low.x, seen.high.y - wide}, seen.high}, false, false, false, true);
  }
}

}  // namespace

std::vector<CellRun> untouched_runs(const TileScene& scene, const CellBlock& block) {
  const auto& touched = scene.story.shapes()[block.variable].touched;
  std::vector<std::uint64_t> cells;
  for (std::uint64_t e = 0; e < touched.size(); ++e) {
    if (!touched[e]) {
      cells.push_back(e);
    }
  }
  return runs_of(block, cells);
}

void draw_blocks(const TileScene& scene) {
  const Clip clip(scene.canvas, scene.figure);
  const std::uint64_t version = colours_version(scene);
  for (const CellBlock& block : scene.blocks) {
    if (block.invocations) {
      draw_invocations(scene, block);
    } else {
      draw_array(scene, block, version);
    }
    fade_edges(scene, block);
  }
}

}  // namespace ui
