#include "ui/canvas/canvas.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "ui/canvas/fonts.h"

namespace ui {
namespace {

constexpr std::string_view kEllipsis = "…";

// The start of the last character that begins before `at`, so that no character is split.
std::size_t character_start(std::string_view text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
    --at;
  }
  return at;
}

// A number keeps its sign, a product its factors.
bool is_bound(std::string_view text, std::size_t space) {
  const std::string_view next = text.substr(space + 1);
  return next.starts_with('%') || next.starts_with("× ") || text.substr(0, space).ends_with(" ×");
}

// Of the first word, with what is bound to it as far as that fits.
template <typename Fits>
std::size_t end_of_word(std::string_view text, const Fits& fits) {
  std::size_t end = std::min(text.find(' '), text.size());
  while (end < text.size() && is_bound(text, end)) {
    const std::size_t longer = std::min(text.find(' ', end + 1), text.size());
    if (!fits(text.substr(0, longer))) {
      break;
    }
    end = longer;
  }
  return end;
}

}  // namespace

Wordings left_out_words(std::size_t count) {
  const std::string number = std::to_string(count);
  return {"and " + number + " more", "+" + number};
}

glm::vec2 Canvas::measure(std::string_view text, ImFont* font) const {
  const float size = compat::font_size(*font);
  const std::string plain = theme_.fonts.latin_only ? latin(text) : std::string();
  text = theme_.fonts.latin_only ? plain : text;
  return vec(font->CalcTextSizeA(size, FLT_MAX, 0.0F, text.data(), text.data() + text.size()));
}

float Canvas::line_height(ImFont* font) const {
  return std::round(compat::font_size(*font) * 1.3F);
}

const std::string& Canvas::fitting(const Wordings& words, float room, const Pen& pen) const {
  const auto found = std::ranges::find_if(
      words, [&](const std::string& wording) { return width(wording, pen) <= room; });
  return found == words.end() ? words.back() : *found;
}

float Canvas::text(glm::vec2 at, std::string_view text, ImFont* font, Colour colour) const {
  const glm::vec2 place{std::floor(at.x), std::floor(at.y)};
  const std::string plain = theme_.fonts.latin_only ? latin(text) : std::string();
  text = theme_.fonts.latin_only ? plain : text;
  list_.AddText(font, compat::font_size(*font), im(place), colour, text.data(),
                text.data() + text.size());
  const glm::vec2 size = measure(text, font);
  if (trace_ != nullptr && !text.empty()) {
    const Rect clip{vec(list_.GetClipRectMin()), vec(list_.GetClipRectMax())};
    trace_->entries.push_back({{place, place + size}, clip, layer_, scrolls_, std::string(text)});
  }
  return size.x;
}

std::string Canvas::shorten(std::string_view text, ImFont* font, float width) const {
  if (measure(text, font).x <= width) {
    return std::string(text);
  }
  std::size_t fits = 0;
  std::size_t too_long = text.size();
  while (fits + 1 < too_long) {
    const std::size_t middle = (fits + too_long) / 2;
    const std::size_t cut = character_start(text, middle);
    const std::string candidate = std::string(text.substr(0, cut)).append(kEllipsis);
    (measure(candidate, font).x <= width ? fits : too_long) = middle;
  }
  std::string_view kept = text.substr(0, character_start(text, fits));
  while (!kept.empty() && kept.back() == ' ') {
    kept.remove_suffix(1);
  }
  if (kept.empty()) {
    return measure(kEllipsis, font).x <= width ? std::string(kEllipsis) : std::string();
  }
  return std::string(kept).append(kEllipsis);
}

void Canvas::write(const Rect& area, std::string_view words, const Pen& pen, Align align) const {
  const std::string shown = shorten(words, font(pen), area.width());
  const glm::vec2 size = measure(shown, font(pen));
  const float spare = area.width() - size.x;
  const float left = align == Align::left ? 0.0F : align == Align::right ? spare : 0.5F * spare;
  text({area.low.x + left, area.low.y + 0.5F * (area.height() - size.y)}, shown, font(pen),
       colour(pen));
}

std::vector<std::string> Canvas::wrap(std::string_view text, ImFont* font, float width) const {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t space =
        end_of_word(text, [&](std::string_view some) { return measure(some, font).x <= width; });
    const std::string_view word = text.substr(0, space);
    const std::string longer = line.empty() ? std::string(word) : line + " " + std::string(word);
    if (line.empty() || measure(longer, font).x <= width) {
      line = longer;
    } else {
      lines.push_back(line);
      line = word;
    }
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  if (!line.empty()) {
    lines.push_back(line);
  }
  return lines;
}

float Canvas::wrapped(const Rect& area, std::string_view words, const Pen& pen) const {
  const auto lines = wrap(words, font(pen), area.width());
  const float height = line_height(pen);
  const auto room = static_cast<std::size_t>(std::max(0.0F, area.height() / height));
  for (std::size_t i = 0; i < std::min(lines.size(), room); ++i) {
    const bool last = i + 1 == room && room < lines.size();
    const float y = area.low.y + static_cast<float>(i) * height;
    const std::string shown = last ? lines[i] + std::string(kEllipsis) : lines[i];
    write({{area.low.x, y}, {area.high.x, y + height}}, shown, pen);
  }
  return static_cast<float>(std::min(lines.size(), room)) * height;
}

void Canvas::fill(const Rect& area, Colour colour, float rounding) const {
  list_.AddRectFilled(im(area.low), im(area.high), colour, rounding);
}

void Canvas::frame(const Rect& area, Colour colour, float thickness, float rounding) const {
  const float half = 0.5F * thickness;
  const Rect inner = area.inset(half, half);
  list_.AddRect(im(inner.low), im(inner.high), colour, rounding, 0, thickness);
}

void Canvas::line(glm::vec2 from, glm::vec2 to, Colour colour, float thickness) const {
  if (from.x == to.x || from.y == to.y) {  // crisp: whole pixels, no blending
    const float w = std::max(1.0F, std::round(thickness));
    const Rect bar{{std::floor(std::min(from.x, to.x)), std::floor(std::min(from.y, to.y))},
                   {std::floor(std::max(from.x, to.x)), std::floor(std::max(from.y, to.y))}};
    const glm::vec2 grow = from.x == to.x ? glm::vec2(w, 0.0F) : glm::vec2(0.0F, w);
    list_.AddRectFilled(im(bar.low), im(bar.high + grow), colour);
    return;
  }
  list_.AddLine(im(from), im(to), colour, thickness);
}

void Canvas::polyline(std::span<const glm::vec2> points, Colour colour, float thickness) const {
  static_assert(sizeof(glm::vec2) == sizeof(ImVec2));
  list_.AddPolyline(reinterpret_cast<const ImVec2*>(points.data()), static_cast<int>(points.size()),
                    colour, 0, thickness);
}

void Canvas::dot(glm::vec2 at, float radius, Colour colour) const {
  list_.AddCircleFilled(im(at), radius, colour);
}

void Canvas::stripes(const Rect& area, Colour colour) const {
  const Rect seen = area.clipped({vec(list_.GetClipRectMin()), vec(list_.GetClipRectMax())});
  if (seen.empty()) {
    return;
  }
  const Clip clip(*this, seen);
  const float step = theme_.px(6);
  const float height = seen.height();
  const float first = std::floor((seen.low.x - height) / step) * step;
  for (float x = first; x < seen.high.x; x += step) {
    list_.AddLine({x, seen.high.y}, {x + height, seen.low.y}, colour, theme_.px(1.5F));
  }
}

void Canvas::image(ImTextureID texture, const Rect& area, glm::vec2 uv_low,
                   glm::vec2 uv_high) const {
  list_.AddImage(texture, im(area.low), im(area.high), im(uv_low), im(uv_high));
}

}  // namespace ui
