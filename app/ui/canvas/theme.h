// The look: colours that mean something, type, and lengths. One meaning has one colour in every
// view, legend and chart (Okabe and Ito, "Color Universal Design", 2008: safe for colour-blind
// readers).
#pragma once

#include <cstdint>

struct ImFont;

namespace ui {

/// Red in the lowest byte, alpha in the highest: ImGui's order, and an RGBA8 texel's in memory.
using Colour = std::uint32_t;

/// From 0xRRGGBB as designers write it.
[[nodiscard]] constexpr Colour rgb(std::uint32_t code) {
  return 0xFF000000U | (code & 0xFFU) << 16U | (code & 0xFF00U) | (code >> 16U & 0xFFU);
}
/// The same colour, more transparent.
[[nodiscard]] constexpr Colour fade(Colour colour, float alpha) {
  const auto a = static_cast<std::uint32_t>(static_cast<float>(colour >> 24U) * alpha + 0.5F);
  return (colour & 0x00FFFFFFU) | a << 24U;
}
/// From a to b as t goes from 0 to 1.
[[nodiscard]] Colour mix(Colour a, Colour b, float t);

struct Palette {
  Colour background, surface, raised;  ///< window, panel, what lies above a panel
  Colour text, dim, line;              ///< text, secondary text, thin lines
  Colour accent, on_accent, hover;

  Colour global, shared, registers, barrier, race, idle;  ///< meanings
  Colour edge;                                            ///< work done in addition to one's own
  Colour barrier_text;                                    ///< barrier, dark enough to be read
  Colour shared_text, global_text;

  Colour keyword, type, number;  ///< of source
};

/// Two sizes of type and one monospace, at the interface's scale.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* title = nullptr;
  ImFont* mono = nullptr;
  bool latin_only = false;  ///< no font was found: ImGui's own, which lacks "…", "–" and the like
};

/// Lengths that say what they are for, in whole pixels: between things, around them, and of lines.
/// Other lengths are multiples of a line of text.
struct Gaps {
  float thin = 2.0F;    ///< a thick line; between a bar and the next one
  float small = 4.0F;   ///< between things that belong together
  float medium = 8.0F;  ///< between a thing and the next one; around what is in a box
  float large = 16.0F;  ///< a panel's margin; between columns
  float huge = 24.0F;   ///< between halves of a view
};

struct Theme {
  bool dark = true;
  float scale = 1.0F;
  Palette colours{};
  Fonts fonts;
  Gaps gap;

  /// Whole pixels of a length given at scale 1.
  [[nodiscard]] float px(float length) const;
};

[[nodiscard]] Theme make_theme(bool dark, float scale, const Fonts& fonts);

/// Gives ImGui's own widgets (menus, inputs) the same look.
void apply_style(const Theme& theme);

}  // namespace ui
