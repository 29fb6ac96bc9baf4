#include <array>
#include <cstdio>

#include "core/report/timeline.h"

namespace core {
namespace {

// Three significant digits, so that long and short launches read alike.
std::string ms(double value) {
  std::array<char, 32> text{};
  const int digits = value >= 100.0  ? 0
                     : value >= 10.0 ? 1
                     : value >= 1.0  ? 2
                     : value >= 0.1  ? 3
                                     : 4;
  (void)std::snprintf(text.data(), text.size(), "%.*f ms", digits, value);
  return text.data();
}

std::string percent(double fraction) {
  if (fraction > 0.0 && fraction < 0.001) {
    return "less than 0.1%";
  }
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.*f%%", fraction < 0.1 ? 1 : 0, 100.0 * fraction);
  return text.data();
}

std::string count(std::uint64_t number, const std::string& one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

std::string resident_in_words(const Timeline& t) {
  const TimelineFigures& f = t.figures;
  std::string text = count(f.resident, "tile") + " at once";
  if (t.tells_multiprocessor) {
    text += ", " + std::to_string(f.resident_multiprocessor) + " on a multiprocessor";
    if (t.warps_per_multiprocessor > 0) {
      text += " (" + std::to_string(t.resident_warps) + " of " +
              std::to_string(t.warps_per_multiprocessor) + " warp slots)";
    }
  }
  return text;
}

std::string waves_in_words(const Timeline& t) {
  const TimelineFigures& f = t.figures;
  const std::string where =
      t.tells_multiprocessor
          ? std::to_string(f.last_wave_multiprocessors) + " of " +
                count(std::max(t.multiprocessors, f.multiprocessors_used), "multiprocessor")
          : std::to_string(f.last_wave) + " of " + count(f.resident, "slot");
  return f.waves == 1 ? "one wave, which fills " + where
                      : std::to_string(f.waves) + " waves; the last one fills " + where;
}

}  // namespace

TimelineWords words_of(const Timeline& timeline) {
  TimelineWords words;
  if (timeline.tiles.empty()) {
    return words;
  }
  const TimelineFigures& f = timeline.figures;
  words.resident = resident_in_words(timeline);
  words.waves = waves_in_words(timeline);
  const double share = f.launch_ms > 0.0 ? f.tail_ms / f.launch_ms : 0.0;
  words.tail = "tail: the last " + ms(f.tail_ms) + " (" + percent(share) +
               " of the launch), with " + percent(f.tail_filled) + " of the slots in use";
  words.duration =
      "a tile takes " + ms(f.duration_ms.median) + " (median), at most " + ms(f.duration_ms.high);
  return words;
}

}  // namespace core
