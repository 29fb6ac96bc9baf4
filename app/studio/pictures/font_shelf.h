// The installed fonts' files as FreeType and Cairo read them.
#pragma once

#include <cstdint>

#include "studio/pictures/drawing.h"

// FreeType's and Cairo's.
struct FT_FaceRec_;
struct _cairo_font_face;

namespace studio {

/// A font's file, opened.
struct OpenFont {
  FT_FaceRec_* face = nullptr;
  _cairo_font_face* cairo = nullptr;

  /// Its em in pixels where its lines, from ascender to descender, are so high: the size that ImGui
  /// gives.
  [[nodiscard]] float em(float line) const;
  [[nodiscard]] std::uint32_t glyph(char32_t code) const;
};

/// The first of the face's files that has the letter; null: none has. It stays open.
[[nodiscard]] const OpenFont* font_with(Face face, char32_t code);

}  // namespace studio
