// Names that may be longer than their place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/work/kernel_facts.h"
#include "ui/canvas/canvas.h"

namespace ui {

/// With an ellipsis in its middle where it is wider: names of files and devices differ at their
/// ends.
[[nodiscard]] std::string shorten_name(const Canvas& canvas, std::string_view name, float width,
                                       const Pen& pen = pen::text);

/// "line 24", "lines 12, 14"; of a file that is not the kernel's `own`, which an empty name is,
/// "bindings.glsl line 10". Of each file its lines, ascending, once.
[[nodiscard]] std::string lines_name(const std::vector<core::SourcePlace>& places,
                                     std::string_view own);

}  // namespace ui
