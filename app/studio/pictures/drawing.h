// A frame of the interface as shapes and words, for files that scale. It is read back from what
// ImGui was asked to draw, so all that a window shows is in it, whoever drew it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <glm/vec2.hpp>

#include "core/base/error.h"
#include "studio/studio.h"
#include "ui/canvas/rect.h"
#include "ui/canvas/theme.h"

struct ImDrawData;

namespace studio {

/// Polygons of one colour; where they overlap they are one area.
struct Shape {
  std::vector<std::vector<glm::vec2>> polygons;
  ui::Colour colour = 0;
};

enum class Face { text, title, mono };

/// A stretch of text in one line.
struct Words {
  struct Letter {
    char32_t code = 0;
    float x = 0.0F;  ///< where its pen stands, pixels
  };
  std::vector<Letter> letters;
  float baseline = 0.0F;
  float end = 0.0F;   ///< of the last letter's advance
  float size = 0.0F;  ///< from ascender to descender, pixels
  Face face = Face::text;
  ui::Colour colour = 0;

  [[nodiscard]] std::string utf8() const;
};

/// A heat map or splatted bodies: texels, of which `low` to `high` (0 to 1) fill the area.
struct Plate {
  const Picture* picture = nullptr;  ///< of the drawing
  ui::Rect area;
  glm::vec2 low{0.0F}, high{1.0F};
  bool smooth = false;
};

struct Drawing {
  struct Item {
    std::variant<Shape, Words, Plate> what;
    ui::Rect clip;
  };
  glm::vec2 size{0.0F};     ///< pixels
  std::vector<Item> items;  ///< the first is the lowest
  std::vector<std::unique_ptr<Picture>> pictures;
  std::string title;
};

/// The texels behind a texture of ImGui's, as their bits; nothing of the fonts'.
struct Texels {
  Picture picture;
  bool smooth = false;
};
using TexelsOf = std::function<Texels(std::uintptr_t texture)>;

/// Reads it back. The frame must have been drawn without smoothed edges (plain_edges()).
[[nodiscard]] Drawing drawing_of(const ImDrawData& data, const ui::Fonts& fonts,
                                 const TexelsOf& texels_of);
/// From the next frame on shapes end where they end: whoever shows the file smooths them.
void plain_edges();

[[nodiscard]] std::string to_svg(const Drawing& drawing);
/// One page; a pixel is 1/96 inch. Text is text, with the fonts that are needed inside.
[[nodiscard]] core::Expected<std::string> to_pdf(const Drawing& drawing);

/// The frame that a window would show, as render_picture()'s, as a file that scales.
[[nodiscard]] core::Expected<Drawing> render_drawing(const ui::Model& model,
                                                     const core::Scene& scene,
                                                     const StudioOptions& options = {});
/// By its suffix, .svg or .pdf; whole or not at all.
[[nodiscard]] core::Expected<void> write_drawing(const std::filesystem::path& path,
                                                 const Drawing& drawing);

}  // namespace studio
