// What stands beside the source's lines: barriers to switch, the phases between them, and the lines
// of findings.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/work/result.h"
#include "ui/panels/panels.h"

namespace ui {

/// How strongly a line is marked as part of a finding.
enum class LineMark { none, finding, chosen };

struct LineNotes {
  std::vector<std::uint32_t> barriers;  ///< their numbers K
  std::uint32_t phases = 0;             ///< a bit for each that gets a band, the first lowest
  LineMark mark = LineMark::none;
  bool unreached = false;  ///< no invocation of the check's launch came here
  std::string tag;         ///< what the chosen finding does here
  std::string advice;      ///< what the advice view says of it
  std::string value;       ///< of the constant that it declares, where another one runs
};

constexpr std::size_t most_phases = 6;  ///< that get a band

/// Of the file that is shown, by line from 1.
using SourceNotes = std::map<std::uint32_t, LineNotes>;
[[nodiscard]] SourceNotes source_notes(const core::Result& result, State& state);

/// The phases that get a band, as places in the kernel's list: all of them where there are two to
/// four, of more those that the shown file has the most of; none where they are kept back.
[[nodiscard]] std::vector<std::size_t> banded_phases(const ShownKernel& kernel);

/// Columns to the left of the code.
struct Gutter {
  float marks = 0.0F;  ///< widths, pixels
  float barriers = 0.0F;
  float numbers = 0.0F;
  float bands = 0.0F;
  [[nodiscard]] float width() const { return marks + barriers + numbers + bands; }
};
[[nodiscard]] Gutter measure_gutter(const Canvas& canvas, const ShownKernel& kernel,
                                    const SourceNotes& notes);

/// A line's part of the gutter; `strip` is the whole line. Number 0: it goes on from the row above,
/// which has its number and its barriers.
void draw_gutter(const Frame& frame, const Canvas& canvas, const Gutter& gutter, const Rect& strip,
                 std::uint32_t number, const LineNotes& notes);
/// The menu of a barrier's kinds, when one is open.
void draw_barrier_menu(const Frame& frame);

}  // namespace ui
