#include <cfloat>

#include <fmt/format.h>

#include "ui/format.h"
#include "ui/grid_view.h"
#include "ui/heat_map.h"
#include "ui/layout.h"

namespace ui {
namespace {

constexpr float kBar = 90.0F;  // at scale 1
constexpr float kGap = 6.0F;

struct Scale {
  std::string name;
  std::string low, high, unit;
};

std::vector<Scale> scales(const GridScene& scene) {
  std::vector<Scale> all;
  const auto add = [&all](const core::Field& field) {
    all.push_back({field.name, tick_text(static_cast<double>(field.low)),
                   tick_text(static_cast<double>(field.high)), field.unit});
  };
  if (scene.speeds) {
    add(*scene.speeds);
  }
  for (const Plate& plate : scene.layout.plates) {
    if (const core::Field* field = scene.field(plate)) {
      add(*field);
    }
  }
  return all;
}

float scale_width(const Canvas& canvas, const Scale& scale, bool with_unit) {
  const Theme& theme = canvas.theme();
  const auto wide = [&](const std::string& text, ImFont* font) {
    return text.empty() ? 0.0F : canvas.measure(text, font).x + theme.px(kGap);
  };
  return wide(scale.name, theme.fonts.text) + wide(scale.low, theme.fonts.mono) + theme.px(kBar) +
         theme.px(kGap) + wide(scale.high, theme.fonts.mono) +
         (with_unit ? wide(scale.unit, theme.fonts.text) : 0.0F);
}

void draw_scale(const GridScene& scene, Rect strip, const Scale& scale, bool with_unit) {
  const Theme& theme = scene.frame.theme;
  const Canvas& canvas = scene.canvas;
  const auto put = [&](const std::string& text, ImFont* font, Colour colour) {
    canvas.text_in(strip, text, font, colour);
    strip.cut_left(canvas.measure(text, font).x + theme.px(kGap));
  };
  put(scale.name, theme.fonts.text, theme.colours.text);
  put(scale.low, theme.fonts.mono, theme.colours.text);
  const Rect bar = strip.cut_left(theme.px(kBar));
  const float y = 0.5F * (bar.height() - theme.px(10));
  const auto texture = scene.frame.textures.image("colour bar", 1, paint_colour_bar);
  canvas.image(texture, bar.inset(0.0F, y), {0.002F, 0.5F}, {0.998F, 0.5F});
  strip.cut_left(theme.px(kGap));
  put(scale.high, theme.fonts.mono, theme.colours.text);
  if (with_unit) {
    put(scale.unit, theme.fonts.text, theme.colours.dim);
  }
}

void draw_scales(const GridScene& scene, Rect strip) {
  const auto all = scales(scene);
  std::vector<BarItem> items;
  for (std::size_t i = 0; i < all.size(); ++i) {
    items.push_back(
        {{scale_width(scene.canvas, all[i], true), scale_width(scene.canvas, all[i], false)},
         static_cast<int>(all.size() - i)});
  }
  const float gap = scene.frame.theme.px(22);
  const auto forms = fit(items, strip.width(), gap);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (forms[i] >= 0) {
      const float width = items[i].widths[static_cast<std::size_t>(forms[i])];
      draw_scale(scene, strip.cut_left(width), all[i], forms[i] == 0);
      strip.cut_left(gap);
    }
  }
}

enum class Mark { read, written, race, idle, pending };

struct Meaning {
  Mark mark;
  std::string text;
  std::string brief;  ///< where room is short
  int importance;
};

void draw_mark(const GridScene& scene, const Rect& box, Mark mark) {
  const Palette& c = scene.frame.theme.colours;
  const Canvas& canvas = scene.canvas;
  const float width = scene.frame.theme.px(2);
  switch (mark) {
    case Mark::read:
      canvas.fill(box, fade(c.global, 0.25F));
      canvas.frame(box, c.global, width);
      break;
    case Mark::written:
      canvas.frame(box, rgb(0x000000), width);
      canvas.frame(box.inset(width, width), rgb(0xFFFFFF), width);
      break;
    case Mark::race:
      canvas.fill(box, fade(c.race, 0.35F));
      canvas.stripes(box, c.race);
      canvas.frame(box, c.race);
      break;
    case Mark::idle:
      canvas.fill(box, fade(c.idle, 0.25F));
      canvas.stripes(box, c.idle);
      break;
    case Mark::pending:
      canvas.fill(box, mix(rgb(0x21918C), c.background, 0.8F));
      canvas.frame(box, c.line);
      break;
  }
}

std::vector<Meaning> meanings(const GridScene& scene) {
  const core::Result& result = scene.result();
  std::vector<Meaning> all;
  if (scene.tile) {
    all.push_back({Mark::written, "written by the workgroup", "written", 3});
    all.push_back({Mark::read, "read by it from global memory", "read", 2});
  }
  if (const std::uint64_t racing = result.races ? racing_tiles(*result.races) : 0; racing > 0) {
    all.push_back({Mark::race,
                   fmt::format("{} tiles with a race (m: {} marks)", count_text(racing),
                               scene.frame.state.view.marks ? "hide" : "show"),
                   "race", 6});
  }
  const std::uint64_t idle = result.tiles.invocations() - result.tiles.useful_invocations();
  if (idle > 0) {
    const core::IdleTiles tiles = result.tiles.idle_tiles();
    all.push_back({Mark::idle,
                   fmt::format("{} idle invocations in {} of {} tiles (O: {})", count_text(idle),
                               count_text(tiles.partly + tiles.wholly),
                               count_text(result.tiles.group_count()),
                               scene.frame.state.view.idle ? "hide" : "show"),
                   "idle (O)", 4});
  }
  if (result.groups_done < result.tiles.group_count() && scene.layout.fold == 0) {
    all.push_back({Mark::pending, "not computed yet", "to come", 5});
  }
  return all;
}

void draw_meanings(const GridScene& scene, Rect strip) {
  const Theme& theme = scene.frame.theme;
  const Canvas& canvas = scene.canvas;
  const float side = theme.px(12);
  const auto all = meanings(scene);
  std::vector<BarItem> items;
  for (const Meaning& m : all) {
    const auto wide = [&](const std::string& text) {
      return side + theme.px(kGap) + canvas.measure(text, theme.fonts.text).x + 1.0F;
    };
    items.push_back({{wide(m.text), wide(m.brief)}, m.importance});
  }
  const float gap = theme.px(22);
  const auto forms = fit(items, strip.width(), gap);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (forms[i] >= 0) {
      Rect part = strip.cut_left(items[i].widths[static_cast<std::size_t>(forms[i])]);
      const Rect box = part.cut_left(side);
      draw_mark(scene, box.inset(0.0F, 0.5F * (box.height() - side)), all[i].mark);
      part.cut_left(theme.px(kGap));
      canvas.text_in(part, forms[i] == 0 ? all[i].text : all[i].brief, theme.fonts.text,
                     theme.colours.dim);
      strip.cut_left(gap);
    }
  }
}

std::string hint(const GridScene& scene) {
  const core::TileMap& tiles = scene.result().tiles;
  const std::string what = fmt::format("{} workgroups", count_text(tiles.group_count()));
  return scene.layout.fold > 0
             ? what + ", a cell each, in launch order; point at one for its numbers"
             : what + "; point at one to see what it reads and writes";
}

}  // namespace

float legend_height(const Canvas& canvas) {
  const Theme& theme = canvas.theme();
  return 2.0F * (canvas.line_height(theme.fonts.text) + theme.px(3)) + theme.px(12);
}

void draw_grid_legend(const GridScene& scene, const Rect& area) {
  const Theme& theme = scene.frame.theme;
  Rect rest = area.inset(theme.px(16), theme.px(6));
  const float height = scene.canvas.line_height(theme.fonts.text) + theme.px(3);
  draw_scales(scene, rest.cut_top(height));
  Rect line = rest.cut_top(height);
  draw_meanings(scene, line);
  if (meanings(scene).empty()) {
    scene.canvas.text_in(line, hint(scene), theme.fonts.text, theme.colours.dim);
  } else if (!scene.tile) {
    // What is left of the line beside the meanings.
    float used = 0.0F;
    for (const Meaning& m : meanings(scene)) {
      used += theme.px(40) + scene.canvas.measure(m.text, theme.fonts.text).x;
    }
    const Rect right{{line.low.x + used, line.low.y}, line.high};
    if (right.width() > scene.canvas.measure(hint(scene), theme.fonts.text).x) {
      scene.canvas.text_in(right, hint(scene), theme.fonts.text, theme.colours.dim, Align::right);
    }
  }
}

}  // namespace ui
