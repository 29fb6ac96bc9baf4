#include "studio/pictures/font_shelf.h"

#include <filesystem>
#include <map>

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include "ui/canvas/fonts.h"

namespace studio {
namespace {

// Cairo keeps what it has drawn with for as long as the process lives, and so do we.
class FontShelf {
 public:
  FontShelf() { static_cast<void>(FT_Init_FreeType(&library_)); }

  const OpenFont* open(const std::filesystem::path& file) {
    OpenFont& font = fonts_[file];
    if (font.face == nullptr && FT_New_Face(library_, file.c_str(), 0, &font.face) == 0) {
      font.cairo = cairo_ft_font_face_create_for_ft_face(font.face, 0);
    }
    return font.cairo != nullptr ? &font : nullptr;
  }

 private:
  FT_Library library_ = nullptr;
  std::map<std::filesystem::path, OpenFont> fonts_;
};

}  // namespace

float OpenFont::em(float line) const {
  const auto height = static_cast<float>(face->ascender - face->descender);
  return height > 0.0F ? line * static_cast<float>(face->units_per_EM) / height : line;
}

std::uint32_t OpenFont::glyph(char32_t code) const {
  return FT_Get_Char_Index(face, code);
}

const OpenFont* font_with(Face face, char32_t code) {
  static FontShelf shelf;
  const ui::FontFiles& files = ui::installed_fonts();
  const auto& first = face == Face::mono    ? files.mono
                      : face == Face::title ? files.title
                                            : files.text;
  for (const auto& file : {first, face == Face::mono ? files.mono_fallback : files.sans_fallback}) {
    const OpenFont* font = file.empty() ? nullptr : shelf.open(file);
    if (font != nullptr && font->glyph(code) != 0) {
      return font;
    }
  }
  return nullptr;
}

}  // namespace studio
