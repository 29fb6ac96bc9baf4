#include "ui/widgets/stack.h"

#include <algorithm>
#include <cmath>

#include "core/base/glossary.h"

namespace ui {

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

Hit choosable(const Canvas& canvas, const std::string& id, const Rect& area, bool chosen) {
  const Theme& theme = canvas.theme();
  const Hit mouse = hit(id.c_str(), area);
  if (chosen || mouse.hovered) {
    canvas.fill(area, theme.colours.hover);
  }
  if (chosen) {
    canvas.fill({area.low, {area.low.x + theme.gap.thin, area.high.y}}, theme.colours.accent);
  }
  return mouse;
}

bool tab(const Canvas& canvas, const Rect& area, const std::string& id, std::string_view word,
         bool on) {
  const Hit mouse = hit(id.c_str(), area);
  canvas.write(area, word, on || mouse.hovered ? pen::text : pen::dim, Align::centre);
  if (on) {
    canvas.fill({{area.low.x, area.high.y - canvas.theme().gap.thin}, area.high},
                canvas.theme().colours.accent);
  }
  return mouse.clicked;
}

bool arrow_button(const Canvas& canvas, const Rect& area, const char* id, bool left) {
  const Theme& theme = canvas.theme();
  const Hit mouse = hit(id, area);
  if (mouse.hovered) {
    canvas.fill(area.inset(1.0F, 1.0F), theme.colours.hover, theme.gap.small);
  }
  const float size = 0.3F * area.height();
  const float tip = left ? -size : size;
  const glm::vec2 at = area.centre();
  canvas.list().AddTriangleFilled({at.x - 0.8F * tip, at.y - size},
                                  {at.x - 0.8F * tip, at.y + size}, {at.x + 0.8F * tip, at.y},
                                  theme.colours.text);
  return mouse.clicked;
}

// Panels have no padding of their own, and a tooltip inherits that.
void tell(const std::string& words) {
  constexpr float kWidest = 26.0F;  // lines of text
  const float line = ImGui::GetTextLineHeight();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.6F * line, 0.4F * line));
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(kWidest * line);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void explain(const Canvas& canvas, const Rect& words_at, std::string_view words) {
  const core::Term* term = core::term_in(words);
  if (term == nullptr || words_at.empty()) {
    return;
  }
  const float dot = std::max(1.0F, 0.5F * canvas.theme().gap.thin);
  const float y = std::floor(words_at.centre().y + 0.42F * canvas.line_height());
  for (float x = std::floor(words_at.low.x); x + dot <= words_at.high.x; x += 3.0F * dot) {
    canvas.fill({{x, y}, {x + dot, y + dot}}, fade(canvas.theme().colours.dim, 0.7F));
  }
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(im(words_at.low), im(words_at.high))) {
    tell(core::explained(*term));
  }
}

void draw_progress_line(const Canvas& canvas, const Rect& line, double share) {
  const Palette& c = canvas.theme().colours;
  const auto done = static_cast<float>(std::clamp(share, 0.0, 1.0)) * line.width();
  canvas.fill(line, c.line);
  canvas.fill({line.low, {line.low.x + std::round(done), line.high.y}}, c.accent);
}

void Strip::left(std::string_view words, const Pen& pen) {
  const float width = canvas.width(words, pen) + 1.0F;
  canvas.write(rest.cut_left(width), words, pen);
  rest.cut_left(canvas.theme().gap.medium);
}

void Strip::right(std::string_view words, const Pen& pen) {
  const float width = canvas.width(words, pen) + 1.0F;
  canvas.write(rest.cut_right(width), words, pen, Align::right);
  rest.cut_right(canvas.theme().gap.medium);
}

bool Strip::left_if(std::string_view words, const Pen& pen) {
  const bool fits = canvas.width(words, pen) + 1.0F <= rest.width();
  if (fits) {
    left(words, pen);
  }
  return fits;
}

bool Strip::right_if(std::string_view words, const Pen& pen) {
  const bool fits = canvas.width(words, pen) + 1.0F <= rest.width();
  if (fits) {
    right(words, pen);
  }
  return fits;
}

void Strip::write(std::string_view words, const Pen& pen, Align align) const {
  canvas.write(rest, words, pen, align);
}

void Strip::fitting(const Wordings& words, const Pen& pen) const {
  write(canvas.fitting(words, rest.width(), pen), pen);
}

void Strip::hint(std::string_view words) const {
  if (canvas.width(words) <= rest.width()) {
    write(words, pen::dim, Align::right);
  }
}

Rect Strip::square(float side) {
  const Rect box = rest.cut_left(side);
  rest.cut_left(canvas.theme().gap.small);
  return box.inset(0.0F, std::round(0.5F * (box.height() - side)));
}

bool Strip::press(const std::vector<std::string>& words, std::size_t shown, bool on) {
  float width = 0.0F;
  for (const std::string& word : words) {
    width = std::max(width, canvas.width(word) + 1.0F);
  }
  if (width > 0.7F * rest.width()) {
    return false;
  }
  const Rect area = rest.cut_right(width);
  rest.cut_right(canvas.theme().gap.medium);
  const std::string& word = words[shown];
  if (!on) {
    canvas.write(area, word, pen::dim);
    return false;
  }
  const Hit mouse = hit(word.c_str(), area);
  canvas.write(area, word, mouse.hovered ? pen::text : pen::accent);
  return mouse.clicked;
}

bool Stack::has(float lines) const {
  return rest.height() >= lines * canvas.line_height();
}

Rect Stack::lines(float count, const Pen& pen) {
  return rest.cut_top(std::round(count * canvas.line_height(pen)));
}

void Stack::say(std::string_view words, const Pen& pen) {
  const Rect line = lines(1.0F, pen);
  if (line.height() >= canvas.line_height(pen) - 1.0F) {
    canvas.write(line, words, pen);
  }
}

void Stack::fitting(const Wordings& words, const Pen& pen) {
  say(canvas.fitting(words, rest.width(), pen), pen);
}

void Stack::wrap(std::string_view words, const Pen& pen) {
  gap(canvas.wrapped(rest, words, pen));
}

bool Stack::foot(std::string_view words, const Pen& pen, float least) {
  const std::size_t count = canvas.wrap(words, canvas.font(pen), rest.width()).size();
  const float height = static_cast<float>(count) * canvas.line_height(pen) + 1.0F;
  if (count == 0 || rest.height() < height + theme().gap.medium + least) {
    return false;
  }
  canvas.wrapped(rest.cut_bottom(height), words, pen);
  rest.cut_bottom(theme().gap.medium);
  return true;
}

void Stack::heading(std::string_view title, std::string_view note) {
  Strip line = strip();
  gap(theme().gap.thin);
  const float start = line.rest.low.x;
  line.left(title);
  explain(canvas, {{start, line.rest.low.y}, {start + canvas.width(title), line.rest.high.y}},
          title);
  line.write(note, pen::dim, Align::right);
  const float width = std::min(canvas.width(note), line.rest.width());
  explain(canvas, {{line.rest.high.x - width, line.rest.low.y}, line.rest.high}, note);
}

void Stack::row(std::string_view name, std::string_view number) {
  Strip line = strip();
  line.right(number, pen::mono);
  line.write(name, pen::dim);
  const float width = std::min(canvas.width(name), line.rest.width());
  explain(canvas, {line.rest.low, {line.rest.low.x + width, line.rest.high.y}}, name);
}

}  // namespace ui
