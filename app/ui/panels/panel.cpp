#include "ui/panels/panels.h"

namespace ui {
namespace {

constexpr ImGuiWindowFlags kBare = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoScrollWithMouse;

}  // namespace

std::uint64_t Cache::version(const std::string& key, std::shared_ptr<const void> object) {
  Seen& entry = seen_[key];
  if (entry.version == 0 || entry.object != object) {
    entry.object = std::move(object);
    ++entry.version;
  }
  return entry.version;
}

Panel::Panel(const Frame& frame, const char* id, const Rect& area, Layer layer) {
  const bool base = layer == Layer::base;
  ImGui::SetNextWindowPos(im(area.low));
  ImGui::SetNextWindowSize(im(area.size()));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0F, 0.0F));
  // An overlay paints its own ground and must come up above the panels once they were clicked.
  ImGui::Begin(
      id, nullptr,
      kBare | (base ? ImGuiWindowFlags_NoBringToFrontOnFocus : ImGuiWindowFlags_NoBackground));
  ImGui::PopStyleVar();
  canvas_.emplace(*ImGui::GetWindowDrawList(), frame.theme, frame.trace, base ? 0 : 1);
}

Panel::~Panel() {
  ImGui::End();
}

Hit hit(const char* id, const Rect& area) {
  if (area.empty()) {
    return {};
  }
  ImGui::SetCursorScreenPos(im(area.low));
  Hit result;
  result.clicked = ImGui::InvisibleButton(id, im(area.size()));
  result.hovered = ImGui::IsItemHovered();
  result.held = ImGui::IsItemActive();
  return result;
}

void heading(const Canvas& canvas, Rect& rest, std::string_view title, std::string_view note) {
  const Theme& theme = canvas.theme();
  const Rect line = rest.cut_top(canvas.line_height(theme.fonts.text) + theme.px(2));
  const float width = canvas.measure(title, theme.fonts.text).x;
  canvas.text_in(line, title, theme.fonts.text, theme.colours.text);
  const Rect right{{line.low.x + width + theme.px(10), line.low.y}, line.high};
  canvas.text_in(right, note, theme.fonts.text, theme.colours.dim, Align::right);
}

void row(const Canvas& canvas, Rect& rest, std::string_view name, std::string_view number) {
  const Theme& theme = canvas.theme();
  const Rect line = rest.cut_top(canvas.line_height(theme.fonts.text));
  const float width = canvas.measure(number, theme.fonts.mono).x;
  const Rect left{line.low, {line.high.x - width - theme.px(8), line.high.y}};
  canvas.text_in(left, name, theme.fonts.text, theme.colours.dim);
  canvas.text_in(line, number, theme.fonts.mono, theme.colours.text, Align::right);
}

bool pressed_word(const Canvas& canvas, Rect& line, const std::string& word) {
  const Theme& theme = canvas.theme();
  const float width = canvas.measure(word, theme.fonts.text).x + 1.0F;
  if (width > 0.7F * line.width()) {
    return false;
  }
  const Rect area = line.cut_right(width);
  line.cut_right(theme.px(12));
  const Hit mouse = hit(word.c_str(), area);
  canvas.text_in(area, word, theme.fonts.text,
                 mouse.hovered ? theme.colours.text : theme.colours.accent);
  return mouse.clicked;
}

void nothing_yet(const Canvas& canvas, const Rect& area, std::string_view what_would_fill_it) {
  const Theme& theme = canvas.theme();
  canvas.wrapped(area, what_would_fill_it, theme.fonts.text, theme.colours.dim);
}

}  // namespace ui
