// The four ways of dealing with a size that tiles do not divide, side by side: what the parts of
// their view share.
#pragma once

#include <string>
#include <vector>

#include "core/catalogue/sections.h"
#include "ui/panels/panels.h"

namespace ui {

/// One way: a variant that says what it does with the extent, at one tile.
struct ExtentWay {
  const core::Variant* variant = nullptr;
  const core::Rung* rung = nullptr;  ///< its times; null: it is not in the ladder
  std::uint32_t tile = 0;
  core::TileMap tiles;  ///< an invocation a work item, as all of these kernels are written
  struct Part {
    std::string sections;  ///< "R, C"
    core::Box groups;
  };
  std::vector<Part> launches;  ///< none of them empty

  [[nodiscard]] bool untiled() const { return variant->extent == "untiled"; }
  [[nodiscard]] bool divided() const { return variant->extent == "divided"; }
};

/// The matrix with its sections, not to scale: a few tiles stand for all, so that what is left over
/// can be seen.
void draw_extent_figure(const Canvas& canvas, const Rect& area, const ExtentWay& way);
/// What it is short of, in words; empty where tiles divide the size.
[[nodiscard]] std::string figure_note(const ExtentWay& way);

}  // namespace ui
