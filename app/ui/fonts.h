// Finds the packaged fonts at run time and builds ImGui's atlas from them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ui/theme.h"

struct ImFontAtlas;

namespace ui {

/// The first of `names` that lies anywhere under one of `roots`; empty when none does.
[[nodiscard]] std::filesystem::path find_font(const std::vector<std::string>& names,
                                              const std::vector<std::filesystem::path>& roots);

/// Replaces what the atlas holds. Inter for text and JetBrains Mono for numbers and code, DejaVu
/// where they lack a glyph or are not installed, ImGui's own font when nothing is. The caller
/// uploads the atlas's texture again.
[[nodiscard]] Fonts build_fonts(ImFontAtlas& atlas, float scale);

}  // namespace ui
