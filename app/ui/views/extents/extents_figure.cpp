#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "ui/canvas/format.h"
#include "ui/views/extents/extents_view.h"

namespace ui {
namespace {

constexpr std::uint32_t kMostTiles = 3;  // of a row or a column that are drawn

// One dimension of the figure, in tiles as they are drawn: whole ones, then the rest of the matrix.
struct Side {
  std::uint32_t whole = 0;
  float rest = 0.0F;  ///< of a tile; not so small or large that it could not be told
  [[nodiscard]] float matrix() const { return static_cast<float>(whole) + rest; }
  [[nodiscard]] float tiles() const {
    return static_cast<float>(whole) + (rest > 0.0F ? 1.0F : 0.0F);
  }
};

Side side_of(std::uint32_t extent, std::uint32_t covers) {
  const std::uint32_t rest = extent % covers;
  const float share = static_cast<float>(rest) / static_cast<float>(covers);
  return {std::min(extent / covers, kMostTiles), rest == 0 ? 0.0F : std::clamp(share, 0.6F, 0.75F)};
}

struct Figure {
  const Canvas& canvas;
  const ExtentWay& way;
  Side x, y;
  glm::vec2 origin;
  float tile;  ///< pixels
  float gap;   ///< between launches

  // In tiles; launches of their own stand apart.
  [[nodiscard]] Rect rect(float x0, float y0, float x1, float y1) const {
    const glm::vec2 apart{x0 >= static_cast<float>(x.whole) && x.rest > 0.0F ? gap : 0.0F,
                          y0 >= static_cast<float>(y.whole) && y.rest > 0.0F ? gap : 0.0F};
    return {glm::round(origin + tile * glm::vec2(x0, y0) + apart),
            glm::round(origin + tile * glm::vec2(x1, y1) + apart)};
  }
  [[nodiscard]] Rect section(core::Section s) const {
    const bool right = s == core::Section::right || s == core::Section::corner;
    const bool bottom = s == core::Section::bottom || s == core::Section::corner;
    const auto wx = static_cast<float>(x.whole);
    const auto wy = static_cast<float>(y.whole);
    return rect(right ? wx : 0.0F, bottom ? wy : 0.0F, right ? x.matrix() : wx,
                bottom ? y.matrix() : wy);
  }
  [[nodiscard]] const Palette& colours() const { return canvas.theme().colours; }
};

Colour colour_of(const Figure& f, core::Section section) {
  const bool left_over = section != core::Section::middle;
  if (f.way.tiles.truncated && left_over) {
    return f.colours().edge;
  }
  return f.way.untiled() || (f.way.divided() && left_over) ? f.colours().global
                                                           : f.colours().shared;
}

void draw_tile_lines(const Figure& f) {
  const Colour colour = fade(f.colours().background, 0.7F);
  const Rect middle = f.section(core::Section::middle);
  if (f.way.untiled() || middle.empty()) {
    return;
  }
  for (std::uint32_t i = 1; i < f.x.whole; ++i) {
    const float at = std::round(f.origin.x + f.tile * static_cast<float>(i));
    f.canvas.line({at, middle.low.y}, {at, middle.high.y}, colour);
  }
  for (std::uint32_t i = 1; i < f.y.whole; ++i) {
    const float at = std::round(f.origin.y + f.tile * static_cast<float>(i));
    f.canvas.line({middle.low.x, at}, {middle.high.x, at}, colour);
  }
}

// What is launched beyond the matrix.
void draw_idle(const Figure& f) {
  if (f.way.tiles.truncated) {
    return;
  }
  const Rect right = f.rect(f.x.matrix(), 0.0F, f.x.tiles(), f.y.tiles());
  const Rect below = f.rect(0.0F, f.y.matrix(), f.x.matrix(), f.y.tiles());
  for (const Rect& rest : {right, below}) {
    if (!rest.empty()) {
      f.canvas.fill(rest, fade(f.colours().idle, 0.18F));
      f.canvas.stripes(rest, fade(f.colours().idle, 0.8F));
    }
  }
}

void draw_arrow(const Figure& f, glm::vec2 from, glm::vec2 to) {
  const float width = f.canvas.theme().gap.thin;
  const Colour colour = f.colours().text;
  const glm::vec2 along = (to - from) / std::max(glm::length(to - from), 1.0F);
  const glm::vec2 across{-along.y, along.x};
  const float head = f.canvas.theme().gap.small;
  f.canvas.line(from, to, colour, width);
  f.canvas.line(to, to - head * (along + 0.7F * across), colour, width);
  f.canvas.line(to, to - head * (along - 0.7F * across), colour, width);
}

// As in the seed: a row of R by the invocation to its left, a column of B by the one above it.
void draw_arrows(const Figure& f) {
  if (!f.way.tiles.truncated) {
    return;
  }
  const Rect middle = f.section(core::Section::middle);
  const Rect right = f.section(core::Section::right);
  const Rect bottom = f.section(core::Section::bottom);
  const float inside = 0.25F * f.tile;
  for (const float at : {0.2F, 0.8F}) {
    if (!right.empty()) {
      const float y = right.low.y + at * right.height();
      draw_arrow(f, {middle.high.x - inside, y}, {right.high.x - 2.0F, y});
    }
    if (!bottom.empty()) {
      const float x = bottom.low.x + at * bottom.width();
      draw_arrow(f, {x, middle.high.y - inside}, {x, bottom.high.y - 2.0F});
    }
  }
}

void draw_letter(const Figure& f, const Rect& rect, const std::string& letter) {
  const glm::vec2 size(f.canvas.width(letter) + f.canvas.theme().gap.thin, f.canvas.line_height());
  if (rect.width() >= size.x && rect.height() >= size.y) {
    const Rect box{rect.centre() - 0.5F * size, rect.centre() + 0.5F * size};
    f.canvas.fill(box, fade(f.colours().background, 0.75F), f.canvas.theme().gap.thin);
    f.canvas.write(box, letter, pen::text, Align::centre);
  }
}

// Small figures show more of a rest than there is, as long as it stays one.
void give_letters_room(Figure& f) {
  const float needed = std::min((f.canvas.line_height() + 1.0F) / f.tile, 0.85F);
  for (Side* side : {&f.x, &f.y}) {
    side->rest = side->rest > 0.0F ? std::max(side->rest, needed) : 0.0F;
  }
}

constexpr std::array kSections{core::Section::middle, core::Section::right, core::Section::bottom,
                               core::Section::corner};

}  // namespace

void draw_extent_figure(const Canvas& canvas, const Rect& area, const ExtentWay& way) {
  Figure f{.canvas = canvas,
           .way = way,
           .x = side_of(way.tiles.extent.x, way.tiles.covers.x),
           .y = side_of(way.tiles.extent.y, way.tiles.covers.y),
           .origin = area.low,
           .tile = 1.0F,
           .gap = way.divided() ? canvas.theme().gap.small : 0.0F};
  const glm::vec2 fit =
      (area.size() - canvas.theme().gap.small) / glm::vec2(f.x.tiles(), f.y.tiles());
  f.tile = std::floor(std::min(fit.x, fit.y));
  if (f.tile < 2.0F) {
    return;
  }
  give_letters_room(f);
  for (const core::Section section : kSections) {
    if (const Rect rect = f.section(section); !rect.empty()) {
      canvas.fill(rect, fade(colour_of(f, section), 0.75F));
    }
  }
  draw_tile_lines(f);
  draw_idle(f);
  draw_arrows(f);
  if (!way.untiled()) {
    for (const core::Section section : kSections) {
      draw_letter(f, f.section(section), core::to_string(section));
    }
  }
}

std::string figure_note(const ExtentWay& way) {
  const glm::uvec3 whole = way.tiles.extent / way.tiles.covers;
  const glm::uvec3 rest = way.tiles.extent % way.tiles.covers;
  if (rest.x == 0 && rest.y == 0) {
    return "Not to scale.";
  }
  const bool few = whole.x > kMostTiles || whole.y > kMostTiles;
  std::string note = "Not to scale";
  if (few) {
    note += fmt::format(": {} × {} tiles are drawn for {} × {}", std::min(whole.y, kMostTiles),
                        std::min(whole.x, kMostTiles), count_text(whole.y), count_text(whole.x));
  }
  return note + fmt::format("; R is {} columns wide, B {} rows high.", rest.x, rest.y);
}

}  // namespace ui
