// What the check for races says, in a few words: the badge of the top bar.
#pragma once

#include <string>
#include <vector>

#include "core/work/result.h"
#include "ui/canvas/canvas.h"

namespace ui {

enum class BadgeKind { waiting, checking, clean, found, incomplete };

struct Badge {
  BadgeKind kind = BadgeKind::waiting;
  std::vector<std::string> texts;  ///< the same, longest first, for wide and narrow windows
  std::string tooltip;
  double progress = 0.0;  ///< while checking, 0 to 1
};

[[nodiscard]] Badge badge_of(const core::Result& result);

/// "4 races, 1 note", "1 divergent barrier": what was found, by kind; empty for nothing.
[[nodiscard]] std::string found_text(const core::CheckReport& report);
/// What workgroups are called: tiles, where the kernel has tiles.
[[nodiscard]] const char* workgroups_word(const core::Result& result);
/// "14/14 accesses": proven and checked, of all that there are.
[[nodiscard]] std::string accesses_text(const core::CheckReport& report);

/// A tick, a hatched triangle, a ring that fills: told apart without their colours.
void draw_badge_mark(const Canvas& canvas, const Rect& area, const Badge& badge);

}  // namespace ui
