// The focus of the tile view in words: beside the figure, and beside the pointer.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/views/tile/tile_view.h"
#include "ui/widgets/colormap.h"
#include "ui/widgets/format.h"
#include "ui/widgets/heat_map.h"
#include "ui/widgets/layout.h"

namespace ui {
namespace {

struct DetailLine {
  std::string place, verb, what, value;
  Colour colour = 0;
};

std::string when_text(const TileScene& scene) {
  return scene.moment.moment == 0 ? "in this phase" : "at this moment";
}

std::string place_of(const core::Trace& trace, const Touch& touch) {
  const std::uint32_t line = trace.sites[touch.site].at.line;
  return line > 0 ? fmt::format("line {}", line) : std::string();
}

std::string what_of(const TileScene& scene, const Touch& touch) {
  return scene.focus.what == TileFocus::What::invocation
             ? element_name(scene.trace().variables[touch.variable], touch.element)
             : "invocation " + invocation_name(scene.trace(), touch.invocation);
}

DetailLine line_of(const TileScene& scene, const Touch& touch) {
  return {place_of(scene.trace(), touch), verb_of(scene.trace(), touch), what_of(scene, touch),
          value_of(scene.trace(), touch), scene.colour_of(touch)};
}

// One line a place in the text: from the first to the last that it touches there.
std::vector<DetailLine> brief_lines(const TileScene& scene) {
  std::map<std::uint32_t, std::vector<const Touch*>> sites;
  for (const Touch& t : scene.own) {
    sites[t.site].push_back(&t);
  }
  std::vector<DetailLine> lines;
  for (const auto& [site, touches] : sites) {
    DetailLine line = line_of(scene, *touches.front());
    if (touches.size() > 1) {
      const bool cells = scene.focus.what == TileFocus::What::invocation;
      const std::size_t known = cells
                                    ? scene.trace().variables[touches.back()->variable].name.size()
                                    : std::string_view("invocation ").size();
      line.what += " … " + what_of(scene, *touches.back()).substr(known);
      line.value = fmt::format("{} times", touches.size());
    }
    lines.push_back(line);
  }
  return lines;
}

std::vector<DetailLine> detail_lines(const TileScene& scene, std::size_t room) {
  if (scene.own.size() > room) {
    return brief_lines(scene);
  }
  std::vector<DetailLine> lines;
  for (const Touch& t : scene.own) {
    lines.push_back(line_of(scene, t));
  }
  return lines;
}

std::string cell_value(const TileScene& scene, std::uint32_t variable, std::uint64_t element) {
  const ElementShape& shape = scene.story.shapes()[variable];
  const auto& memory = scene.moment.memory[variable];
  std::vector<std::string> parts;
  for (std::uint32_t s = 0; s < std::min(shape.slices, 4U); ++s) {
    const Slice& slice = memory[element * shape.slices + s];
    parts.push_back(slice.bytes > 0 ? value_text(slice.bits, slice.kind, slice.bytes) : "?");
  }
  if (std::ranges::all_of(parts, [](const std::string& p) { return p == "?"; })) {
    return shape.touched[element] ? "no value yet" : "never touched: padding";
  }
  const std::string text = fmt::format("{}", fmt::join(parts, ", "));
  return parts.size() > 1 ? "(" + text + ")" : text;
}

std::string times(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

std::string cell_title(const TileScene& scene) {
  const TileFocus& f = scene.focus;
  const auto written = static_cast<std::size_t>(
      std::ranges::count_if(scene.own, [](const Touch& t) { return t.writes; }));
  const std::size_t read = scene.own.size() - written;
  std::string text =
      fmt::format("{}: {}", element_name(scene.trace().variables[f.variable], f.element),
                  cell_value(scene, f.variable, f.element));
  if (read > 0) {
    text += fmt::format("; read {}", times(read, "time", "times"));
  }
  if (written > 0) {
    text += fmt::format("; written {}", times(written, "time", "times"));
  }
  return text + (read + written > 0 ? " " + when_text(scene) : "");
}

std::string title_of(const TileScene& scene) {
  const TileFocus& f = scene.focus;
  if (scene.shows_conflict()) {
    return conflict_sentence(scene);
  }
  if (f.race != nullptr) {
    return race_sentence(scene, *f.race);
  }
  switch (f.what) {
    case TileFocus::What::invocation:
      return fmt::format("{}nvocation {} {} {}", f.example ? "For example, i" : "I",
                         invocation_name(scene.trace(), f.invocation),
                         scene.own.empty()
                             ? "touches nothing"
                             : "makes " + times(scene.own.size(), "access", "accesses"),
                         when_text(scene));
    case TileFocus::What::cell:
    case TileFocus::What::race:
      return cell_title(scene);
    case TileFocus::What::all:
      break;
  }
  return fmt::format("{} {}; click an invocation or a cell to see its own",
                     times(scene.moment.touches.size(), "access", "accesses"), when_text(scene));
}

struct Columns {
  float place = 0.0F, verb = 0.0F, what = 0.0F;
};

Columns columns_of(const TileScene& scene, const std::vector<DetailLine>& lines) {
  ImFont* font = scene.theme().fonts.mono;
  Columns c;
  for (const DetailLine& line : lines) {
    c.place = std::max(c.place, scene.canvas.measure(line.place, font).x);
    c.verb = std::max(c.verb, scene.canvas.measure(line.verb, font).x);
    c.what = std::max(c.what, scene.canvas.measure(line.what, font).x);
  }
  return c;
}

void draw_line(const TileScene& scene, Rect line, const DetailLine& detail, const Columns& c) {
  const Theme& theme = scene.theme();
  const auto put = [&](const std::string& text, float width, Colour colour) {
    scene.canvas.text_in(line, text, theme.fonts.mono, colour);
    line.cut_left(width + theme.px(12));
  };
  put(detail.place, c.place, theme.colours.dim);
  put(detail.verb, c.verb, theme.colours.dim);
  put(detail.what, c.what, detail.colour);
  if (line.width() > theme.px(30)) {
    scene.canvas.text_in(line, detail.value, theme.fonts.mono, theme.colours.text);
  }
}

}  // namespace

void draw_details(const TileScene& scene) {
  const Theme& theme = scene.theme();
  const Canvas& canvas = scene.canvas;
  const float height = canvas.line_height(theme.fonts.text);
  Rect rest = scene.details;
  if (rest.height() < height || rest.width() < theme.px(80)) {
    return;
  }
  const bool race = scene.focus.race != nullptr;
  rest.cut_top(canvas.wrapped(rest, title_of(scene), theme.fonts.text,
                              race ? theme.colours.race : theme.colours.text));
  const auto remark = [&](const std::string& text) {
    if (canvas.measure(text, theme.fonts.text).x <= rest.width() && rest.height() >= height) {
      canvas.text_in(rest.cut_top(height), text, theme.fonts.text, theme.colours.dim);
    }
  };
  if (!scene.races.empty()) {
    remark(
        fmt::format("{} in this phase", times(scene.races.size(), "racing cell", "racing cells")));
  }
  if (!scene.story.has_shared()) {
    remark("No shared memory: each invocation reads global memory itself.");
  }
  if (scene.focus.what == TileFocus::What::all || scene.shows_conflict()) {
    return;
  }
  rest.cut_top(theme.px(4));
  const float mono = canvas.line_height(theme.fonts.mono);
  const auto room = static_cast<std::size_t>(std::max(0.0F, rest.height() / mono));
  const auto lines = detail_lines(scene, room);
  const Columns columns = columns_of(scene, lines);
  for (std::size_t i = 0; i < std::min(lines.size(), room); ++i) {
    draw_line(scene, rest.cut_top(mono), lines[i], columns);
  }
}

}  // namespace ui
