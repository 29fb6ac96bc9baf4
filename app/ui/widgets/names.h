// Names that may be longer than their place.
#pragma once

#include <string>
#include <string_view>

#include "ui/canvas/canvas.h"

namespace ui {

/// With an ellipsis in its middle where it is wider: names of files and devices differ at their
/// ends.
[[nodiscard]] std::string shorten_name(const Canvas& canvas, std::string_view name, float width,
                                       const Pen& pen = pen::text);

}  // namespace ui
