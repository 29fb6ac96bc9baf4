// The parts of the top bar, which draw_top_bar() in top_bar.cpp puts side by side.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/canvas/layout.h"
#include "ui/panels/panels.h"

namespace ui {

/// A part of the bar: how wide each of its forms is, and how to draw one.
struct Part {
  BarItem item;
  bool to_the_right = false;
  std::function<void(const Rect& area, int form)> draw;
};

struct Bar {
  const Frame& frame;
  const Canvas& canvas;
  float height;  ///< of the controls

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
  [[nodiscard]] float text_width(std::string_view text) const { return canvas.width(text); }
  [[nodiscard]] float mono_width(std::string_view text) const {
    return canvas.width(text, pen::mono);
  }
  [[nodiscard]] float menu_width(std::string_view text) const {
    return text_width(text) + 2.0F * theme().gap.large + theme().gap.small;
  }
};

/// A line of a menu.
struct Choice {
  std::string text;
  std::string note;
  bool on = false;
  std::function<void()> choose;
};

/// The choices of an open menu, where the next window is placed; `head` stands above them.
void draw_choices(const Frame& frame, const char* id, const std::string& head,
                  const std::vector<Choice>& choices);
/// A button that shows `text` and opens a menu of `choices` below it. Where the text has no room it
/// shows `brief`, or the ends of it, and says all of it to the mouse.
void draw_menu(const Bar& bar, const char* id, const Rect& area, const std::string& text,
               const std::vector<Choice>& choices, const std::string& brief = {});

/// A menu that is as wide whichever of its choices is shown.
[[nodiscard]] float widest_menu(const Bar& bar, const std::vector<Choice>& choices,
                                std::string_view shown = "");

/// What runs. The tile has no part when the variant has none to choose.
[[nodiscard]] Part workload_part(const Bar& bar);
[[nodiscard]] Part variant_part(const Bar& bar, bool ladder_shown);
[[nodiscard]] std::optional<Part> tile_part(const Bar& bar);
[[nodiscard]] Part sizes_part(const Bar& bar);
[[nodiscard]] Part device_part(const Bar& bar);

/// How it runs, whether its answer is right, and whether it is free of races.
[[nodiscard]] Part run_part(const Bar& bar);
[[nodiscard]] Part answer_part(const Bar& bar);
[[nodiscard]] Part races_part(const Bar& bar);
/// A question mark that can be seen: all keys.
[[nodiscard]] Part help_part(const Bar& bar);

}  // namespace ui
