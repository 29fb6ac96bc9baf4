// Finds the packaged fonts at run time and builds ImGui's atlas from them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ui/canvas/theme.h"

struct ImFontAtlas;

namespace ui {

/// The first of `names` that lies anywhere under one of `roots`; empty when none does.
[[nodiscard]] std::filesystem::path find_font(const std::vector<std::string>& names,
                                              const std::vector<std::filesystem::path>& roots);

/// Files of the packaged fonts; empty: not installed.
struct FontFiles {
  std::filesystem::path text, title, mono;
  std::filesystem::path sans_fallback, mono_fallback;
};
/// Inter for text and JetBrains Mono for numbers and code, DejaVu where they lack a glyph or are
/// not installed. Looked for once.
[[nodiscard]] const FontFiles& installed_fonts();

/// Replaces what the atlas holds; ImGui's own font stands in for what is not installed. The caller
/// uploads the atlas's texture again.
[[nodiscard]] Fonts build_fonts(ImFontAtlas& atlas, float scale,
                                const FontFiles& files = installed_fonts());

/// Gives them another size; false: with this release of ImGui they are built anew for it.
[[nodiscard]] bool rescale_fonts(const Fonts& fonts, float scale);

/// With letters that a font of Latin alone has: "..." for "…", "-" for "–", "->" for "→".
[[nodiscard]] std::string latin(std::string_view text);

}  // namespace ui
