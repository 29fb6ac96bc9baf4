// The kernel's source: line numbers, colours that mean memory, and what the pointed-at tile uses.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "ui/panels.h"

namespace ui {
namespace {

Colour colour_of(const Palette& c, TokenKind kind) {
  switch (kind) {
    case TokenKind::keyword:
      return c.keyword;
    case TokenKind::type:
      return c.type;
    case TokenKind::number:
      return c.number;
    case TokenKind::comment:
    case TokenKind::header:
    case TokenKind::preprocessor:
      return c.dim;
    case TokenKind::global:
      return c.global_text;
    case TokenKind::shared:
      return c.shared_text;
    case TokenKind::barrier:
      return c.barrier_text;
    case TokenKind::plain:
      break;
  }
  return c.text;
}

const GlslListing& listing_of(const Frame& frame) {
  const core::Result& result = frame.model.result;
  Cache& cache = frame.cache;
  if (cache.tokens_of != result.variant.source) {
    std::vector<std::string> names;
    for (const core::BufferSpec& buffer : result.buffers) {
      names.push_back(buffer.name);
    }
    cache.tokens_of = result.variant.source;
    cache.listing = tokenize_glsl(cache.tokens_of, names);
  }
  return cache.listing;
}

// The kernel's error, when it belongs to a line of the source that is shown.
const core::Error* line_error(const Frame& frame) {
  const auto& error = frame.model.result.error;
  const bool here =
      error && error->line > 0 && frame.state.wanted.variant == frame.model.result.variant.id();
  return here ? &*error : nullptr;
}

struct Text {
  const Canvas& canvas;
  Rect area;     ///< of all lines that can be seen
  float height;  ///< of a line
  float number_width;
  float scrolled;  ///< of the code, to the left
};

void draw_line(const Text& text, float y, std::size_t number, const GlslLine& line, bool lit) {
  const Canvas& canvas = text.canvas;
  const Theme& theme = canvas.theme();
  const Rect strip{{text.area.low.x, y}, {text.area.high.x, y + text.height}};
  if (lit) {
    canvas.fill(strip, fade(theme.colours.global, 0.16F));
    canvas.fill({strip.low, {strip.low.x + theme.px(3), strip.high.y}}, theme.colours.global);
  }
  const Rect gutter{strip.low, {strip.low.x + text.number_width, strip.high.y}};
  canvas.text_in(gutter, std::to_string(number), theme.fonts.mono, theme.colours.dim, Align::right);
  const Rect code{{gutter.high.x + theme.px(18), strip.low.y}, strip.high};
  const Clip clip(canvas, code);
  glm::vec2 at{code.low.x - text.scrolled, y + 0.13F * text.height};
  for (const Token& token : line.tokens) {
    if (token.kind == TokenKind::barrier) {
      const float width = canvas.measure(token.text, theme.fonts.mono).x;
      canvas.fill({{at.x - theme.px(2), y + theme.px(1)},
                   {at.x + width + theme.px(2), y + text.height - theme.px(1)}},
                  fade(theme.colours.barrier, theme.dark ? 0.16F : 0.45F));
    }
    at.x += canvas.text(at, token.text, theme.fonts.mono, colour_of(theme.colours, token.kind));
  }
}

// Pixels of the longest line; the font is monospaced.
float longest_line(const Canvas& canvas, const GlslListing& listing) {
  std::size_t longest = 0;
  for (const GlslLine& line : listing.lines) {
    std::size_t length = 0;
    for (const Token& token : line.tokens) {
      length += token.kind == TokenKind::header ? 0 : token.text.size();
    }
    longest = std::max(longest, length);
  }
  return static_cast<float>(longest) * canvas.measure("0", canvas.theme().fonts.mono).x;
}

float draw_error(const Text& text, float y, const std::string& message) {
  const Theme& theme = text.canvas.theme();
  const float left = text.area.low.x + text.number_width + theme.px(18);
  const Rect room{{left, y}, {text.area.high.x - theme.px(8), y + 4.0F * text.height}};
  const auto lines = text.canvas.wrap(message, theme.fonts.text, room.width());
  const float height = static_cast<float>(std::min<std::size_t>(lines.size(), 4)) *
                       text.canvas.line_height(theme.fonts.text);
  text.canvas.fill({{text.area.low.x, y}, {text.area.high.x, y + height}},
                   fade(theme.colours.race, 0.22F));
  text.canvas.wrapped(room, message, theme.fonts.text, theme.colours.text);
  return height;
}

// In the tile view: what the accesses that are shown come from. Else: what the tile reads.
bool is_lit(const Frame& frame, const GlslLine& line, std::size_t number) {
  if (current_view(frame.state.view, frame.model.result) == "tile") {
    return std::ranges::binary_search(frame.state.lit_lines, number);
  }
  return frame.state.view.tile >= 0 && !line.globals.empty();
}

void draw_listing(const Frame& frame, const Canvas& canvas, const Rect& area, float top) {
  const Theme& theme = frame.theme;
  const GlslListing& listing = listing_of(frame);
  const Text text{canvas, area, canvas.line_height(theme.fonts.mono),
                  canvas.measure("0000", theme.fonts.mono).x + theme.px(6), ImGui::GetScrollX()};
  const core::Error* error = line_error(frame);
  const std::size_t first = frame.state.header_folded ? listing.header_lines : 0;
  float y = top;
  for (std::size_t i = first; i < listing.lines.size(); ++i) {
    if (y + 1.0F > area.low.y && y + text.height <= area.high.y) {
      const bool lit = is_lit(frame, listing.lines[i], i + 1);
      draw_line(text, y, i + 1, listing.lines[i], lit);
    }
    y += text.height;
    if (error != nullptr && static_cast<std::size_t>(error->line) == i + 1) {
      y += draw_error(text, y, error->message);
    }
  }
  ImGui::SetCursorScreenPos({area.low.x, y});
  ImGui::Dummy({text.number_width + theme.px(30) + longest_line(canvas, listing), 1.0F});
}

// Names and colours of the memories, as far as there is room beside the file's name.
void draw_head(const Frame& frame, const Canvas& canvas, Rect head) {
  const Theme& theme = frame.theme;
  const core::Variant& variant = frame.model.result.variant;
  const std::string name = fmt::format("shaders/{}.comp", variant.id());
  canvas.text_in(head, name, theme.fonts.text, theme.colours.text);
  head.cut_left(canvas.measure(name, theme.fonts.text).x + theme.px(24));
  const std::pair<const char*, Colour> keys[] = {
      {"barrier", theme.colours.barrier},
      {"shared memory", theme.colours.shared},
      {"global memory", theme.colours.global},
  };
  for (const auto& [word, colour] : keys) {
    const float width = canvas.measure(word, theme.fonts.text).x;
    if (head.width() < width + theme.px(40)) {
      break;
    }
    canvas.text_in(head.cut_right(width), word, theme.fonts.text, theme.colours.dim);
    const Rect box = head.cut_right(theme.px(16));
    canvas.fill({{box.low.x, box.centre().y - theme.px(5)},
                 {box.low.x + theme.px(10), box.centre().y + theme.px(5)}},
                colour);
    head.cut_right(theme.px(18));
  }
}

void draw_fold(const Frame& frame, const Canvas& canvas, const Rect& strip) {
  const Theme& theme = frame.theme;
  const std::size_t lines = listing_of(frame).header_lines;
  if (lines == 0) {
    return;
  }
  const std::string text = frame.state.header_folded ? fmt::format("▶ header, {} lines", lines)
                                                     : std::string("▼ header");
  const Hit mouse = hit("fold", strip);
  canvas.text_in(strip.inset(theme.px(14), 0.0F), text, theme.fonts.text,
                 mouse.hovered ? theme.colours.text : theme.colours.dim);
  if (mouse.clicked) {
    frame.state.header_folded = !frame.state.header_folded;
  }
}

// The first and the last line that is lit, counted from the first line that is shown.
std::optional<std::pair<std::size_t, std::size_t>> lit_span(const Frame& frame) {
  const GlslListing& listing = listing_of(frame);
  const std::size_t first = frame.state.header_folded ? listing.header_lines : 0;
  std::optional<std::pair<std::size_t, std::size_t>> span;
  for (std::size_t i = first; i < listing.lines.size(); ++i) {
    if (is_lit(frame, listing.lines[i], i + 1)) {
      span = {span ? span->first : i - first, i - first};
    }
  }
  return span;
}

// Far enough that all lit lines are seen where they fit.
void scroll_to_lit(const Frame& frame, float line_height, float room) {
  const auto lit = lit_span(frame);
  if (!lit) {
    return;
  }
  const float top = static_cast<float>(lit->first) * line_height;
  const float end = static_cast<float>(lit->second + 1) * line_height;
  const bool seen =
      top >= ImGui::GetScrollY() && std::max(top + 3.0F * line_height, std::min(end, top + room)) <
                                        ImGui::GetScrollY() + room + 1.0F;
  if (!seen) {
    const float spare = std::max(0.0F, room - (end - top) - line_height);
    const float above = std::floor(std::min(0.4F * room, spare) / line_height) * line_height;
    ImGui::SetScrollY(std::max(0.0F, top - above));
  }
}

// Once for each time that a tile is pointed at: following the pointer would be restless. In the
// tile view from moment to moment.
void show_lit_lines(const Frame& frame, float line_height, float room) {
  State& state = frame.state;
  const bool inside = current_view(state.view, frame.model.result) == "tile";
  if (inside && state.lit_lines != state.lit_lines_followed) {
    state.lit_lines_followed = state.lit_lines;
    state.lit_lines_shown = false;
  }
  if (state.view.tile < 0 && !inside) {
    state.lit_lines_shown = false;
  } else if (!state.lit_lines_shown) {
    state.lit_lines_shown = true;
    scroll_to_lit(frame, line_height, room);
  }
}

void scroll(const Frame& frame, float line_height, float room) {
  // Lines are shown whole.
  ImGui::SetScrollY(std::round(ImGui::GetScrollY() / line_height) * line_height);
  show_lit_lines(frame, line_height, room);
  if (frame.state.scroll_lines != 0) {
    const float by = static_cast<float>(frame.state.scroll_lines) * line_height;
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0F, ImGui::GetScrollMaxY()));
    frame.state.scroll_lines = 0;
  }
}

}  // namespace

void draw_source(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "source", area);
  const Theme& theme = frame.theme;
  panel.canvas().fill(area, theme.colours.surface);
  panel.canvas().line(area.low, {area.high.x, area.low.y}, theme.colours.line);
  Rect rest = area;
  rest.cut_top(theme.px(8));
  const float line = panel.canvas().line_height(theme.fonts.text);
  draw_head(frame, panel.canvas(), rest.cut_top(line).inset(theme.px(16), 0.0F));
  rest.cut_top(theme.px(4));
  if (frame.model.result.variant.source.empty()) {
    nothing_yet(panel.canvas(), rest.inset(theme.px(16), theme.px(8)),
                "The kernel's source appears here once the lab has read it.");
    return;
  }
  draw_fold(frame, panel.canvas(), rest.cut_top(line));
  ImGui::SetCursorScreenPos(im(rest.low));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0F, 0.0F));
  if (compat::begin_child("listing", im(rest.size()), ImGuiWindowFlags_HorizontalScrollbar)) {
    scroll(frame, panel.canvas().line_height(theme.fonts.mono), rest.height());
    const Canvas canvas(*ImGui::GetWindowDrawList(), theme, frame.trace, 0, true);
    Rect seen = rest;
    seen.high.y -= ImGui::GetScrollMaxX() > 0.0F ? ImGui::GetStyle().ScrollbarSize : 0.0F;
    draw_listing(frame, canvas, seen, ImGui::GetCursorScreenPos().y);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace ui
