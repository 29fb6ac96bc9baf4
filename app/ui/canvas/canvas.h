// Drawing into a panel: text that is measured and never cut off, lines, areas. All text of the
// interface but ImGui's menus and inputs goes through it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/canvas/imgui_compat.h"
#include "ui/canvas/rect.h"
#include "ui/canvas/theme.h"

namespace ui {

enum class Align { left, centre, right };

/// How words look: a font and a colour of the theme.
struct Pen {
  ImFont* Fonts::* font = &Fonts::text;
  Colour Palette::* role = &Palette::text;
  Colour own = 0;  ///< a colour instead of the role's; 0: none

  /// The same font in another colour.
  [[nodiscard]] constexpr Pen in(Colour colour) const { return {font, role, colour}; }
  [[nodiscard]] constexpr Pen in(Colour Palette::* other) const { return {font, other, 0}; }
};

namespace pen {
inline constexpr Pen text{};
inline constexpr Pen dim{&Fonts::text, &Palette::dim};        ///< what is said beside it
inline constexpr Pen accent{&Fonts::text, &Palette::accent};  ///< what must not be overlooked
inline constexpr Pen title{&Fonts::title};
inline constexpr Pen mono{&Fonts::mono};  ///< numbers and code
inline constexpr Pen mono_dim{&Fonts::mono, &Palette::dim};
}  // namespace pen

/// The same in several wordings, the longest first.
using Wordings = std::vector<std::string>;
/// Of so many that have no room: "and 3 more", "+3".
[[nodiscard]] Wordings left_out_words(std::size_t count);

/// Where text was put. The tests look for text that overlaps other text or leaves its panel.
struct TextTrace {
  struct Entry {
    Rect rect;
    Rect clip;  ///< what of the rectangle can be seen
    int layer = 0;
    bool scrolls = false;  ///< may reach out of its clip: it can be scrolled to
    std::string text;
  };
  std::vector<Entry> entries;
};

class Canvas {
 public:
  Canvas(ImDrawList& list, const Theme& theme, TextTrace* trace, int layer = 0,
         bool scrolls = false)
      : list_(list), theme_(theme), trace_(trace), layer_(layer), scrolls_(scrolls) {}

  [[nodiscard]] const Theme& theme() const { return theme_; }
  [[nodiscard]] ImDrawList& list() const { return list_; }
  [[nodiscard]] int layer() const { return layer_; }

  [[nodiscard]] glm::vec2 measure(std::string_view text, ImFont* font) const;
  [[nodiscard]] float line_height(ImFont* font) const;

  [[nodiscard]] ImFont* font(const Pen& pen) const { return theme_.fonts.*pen.font; }
  [[nodiscard]] Colour colour(const Pen& pen) const {
    return pen.own != 0 ? pen.own : theme_.colours.*pen.role;
  }
  [[nodiscard]] float width(std::string_view words, const Pen& pen = pen::text) const {
    return measure(words, font(pen)).x;
  }
  [[nodiscard]] float line_height(const Pen& pen = pen::text) const {
    return line_height(font(pen));
  }
  /// In one line, centred vertically, shortened with an ellipsis where it does not fit.
  void write(const Rect& area, std::string_view words, const Pen& pen = pen::text,
             Align align = Align::left) const;
  /// The first wording that is not wider, else the last.
  [[nodiscard]] const std::string& fitting(const Wordings& words, float width,
                                           const Pen& pen = pen::text) const;

  /// At its top left corner; returns the width.
  float text(glm::vec2 at, std::string_view text, ImFont* font, Colour colour) const;
  /// Broken into lines at spaces; the last line that fits ends in an ellipsis. Returns the height.
  float wrapped(const Rect& area, std::string_view text, const Pen& pen = pen::text) const;
  /// The lines that wrapped() would draw.
  [[nodiscard]] std::vector<std::string> wrap(std::string_view text, ImFont* font,
                                              float width) const;
  [[nodiscard]] std::string shorten(std::string_view text, ImFont* font, float width) const;

  void fill(const Rect& area, Colour colour, float rounding = 0.0F) const;
  void frame(const Rect& area, Colour colour, float thickness = 1.0F, float rounding = 0.0F) const;
  void line(glm::vec2 from, glm::vec2 to, Colour colour, float thickness = 1.0F) const;
  void polyline(std::span<const glm::vec2> points, Colour colour, float thickness) const;
  void dot(glm::vec2 at, float radius, Colour colour) const;
  /// Diagonal stripes: idle lanes.
  void stripes(const Rect& area, Colour colour) const;
  void image(ImTextureID texture, const Rect& area, glm::vec2 uv_low = {0, 0},
             glm::vec2 uv_high = {1, 1}) const;

 private:
  ImDrawList& list_;
  const Theme& theme_;
  TextTrace* trace_;
  int layer_;
  bool scrolls_;
};

inline ImVec2 im(glm::vec2 v) {
  return {v.x, v.y};
}
inline glm::vec2 vec(ImVec2 v) {
  return {v.x, v.y};
}

/// Clips all that is drawn while it lives.
class Clip {
 public:
  Clip(const Canvas& canvas, const Rect& area) : list_(canvas.list()) {
    list_.PushClipRect(im(area.low), im(area.high), true);
  }
  ~Clip() { list_.PopClipRect(); }
  Clip(const Clip&) = delete;
  Clip& operator=(const Clip&) = delete;

 private:
  ImDrawList& list_;
};

}  // namespace ui
