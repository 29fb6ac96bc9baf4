// What differs between the releases of Dear ImGui that distributions package (1.86 to 1.92). No
// other file asks for the version.
#pragma once

#include <cstdint>

#include <imgui.h>
#if __has_include(<imgui_freetype.h>) && IMGUI_VERSION_NUM < 19200
#include <imgui_freetype.h>
#define TILESCOPE_FREETYPE 1
#endif

namespace ui::compat {

/// ImTextureID is a pointer in old releases and an integer in new ones.
inline ImTextureID texture_id(std::uintptr_t value) {
#if IMGUI_VERSION_NUM >= 19140
  return static_cast<ImTextureID>(value);
#else
  return reinterpret_cast<ImTextureID>(value);
#endif
}

inline std::uintptr_t texture_value(ImTextureID id) {
#if IMGUI_VERSION_NUM >= 19140
  return static_cast<std::uintptr_t>(id);
#else
  return reinterpret_cast<std::uintptr_t>(id);
#endif
}

inline ImTextureID texture_of(const ImDrawCmd& command) {
  return command.GetTexID();
}

/// The height in pixels that a font was made for.
inline float font_size(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

/// Its letters that have been drawn; with their places in the atlas.
inline const ImVector<ImFontGlyph>& glyphs(ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.GetFontBaked(font.LegacySize)->Glyphs;
#else
  return font.Glyphs;
#endif
}

/// Pixels from the top of a line to where letters stand.
inline float ascent(ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.GetFontBaked(font.LegacySize)->Ascent;
#else
  return font.Ascent;
#endif
}

inline float space_width(ImFont& font) {
  const char space = ' ';
  return font.CalcTextSizeA(font_size(font), 1e6F, 0.0F, &space, &space + 1).x;
}

/// The atlas's texture.
inline ImTextureID fonts_texture() {
#if IMGUI_VERSION_NUM >= 19200
  return ImGui::GetIO().Fonts->TexRef.GetTexID();
#else
  return ImGui::GetIO().Fonts->TexID;
#endif
}

inline void push_font(ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, 0.0F);
#else
  ImGui::PushFont(font);
#endif
}

/// FreeType draws small text crisper than ImGui's own rasterizer, and reads every font format.
inline void use_freetype(ImFontAtlas& atlas) {
#ifdef TILESCOPE_FREETYPE
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#else
  static_cast<void>(atlas);
#endif
}

/// Makes the fonts' glyphs; new releases make each when it is first drawn.
inline void build(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM < 19200
  atlas.Build();
#else
  static_cast<void>(atlas);
#endif
}

/// Old releases only see where the mouse is when a frame starts: a quick click, and a move right
/// after it, would hit what the mouse moved to. New ones queue their events themselves.
inline void set_mouse(ImVec2 at, int button, bool down) {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = at;
  if (button >= 0) {
    io.MouseDown[button] = down;
  }
#else
  static_cast<void>(at), static_cast<void>(button), static_cast<void>(down);
#endif
}

/// A child region without a frame.
inline bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags) {
  return ImGui::BeginChild(id, size, 0, flags);
}

}  // namespace ui::compat
