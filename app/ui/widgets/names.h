// Names that may be longer than their place.
#pragma once

#include <array>
#include <cstdint>
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

/// "(3, 5)" in a workgroup of two dimensions; "3" in one of one, "(3, 5, 0)" in one of three.
[[nodiscard]] std::string invocation_name(const std::array<std::uint32_t, 3>& invocation,
                                          const std::array<std::uint32_t, 3>& local_size);

}  // namespace ui
