// What differs between the releases of Dear ImGui that distributions package (1.86 to 1.92). No
// other file asks for the version.
#pragma once

#include <cstdint>
#include <functional>

#include <imgui.h>
#if __has_include(<imgui_freetype.h>)
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

/// What the renderer of a frame can do.
inline ImGuiBackendFlags renderer_flags() {
#if IMGUI_VERSION_NUM >= 19200
  return ImGuiBackendFlags_RendererHasVtxOffset | ImGuiBackendFlags_RendererHasTextures;
#else
  return ImGuiBackendFlags_RendererHasVtxOffset;
#endif
}

/// Whether a font makes each letter when it is first drawn, of whatever size: it is loaded once.
/// Old releases make the letters of one size when they load it.
inline constexpr bool kFontsOfAnySize = IMGUI_VERSION_NUM >= 19200;

/// The height in pixels of what is drawn with a font.
inline float font_size(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

/// Where kFontsOfAnySize.
inline void set_font_size(ImFont& font, float pixels) {
#if IMGUI_VERSION_NUM >= 19200
  font.LegacySize = pixels;
#else
  static_cast<void>(font), static_cast<void>(pixels);
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
  ImGui::PushFont(font, font_size(*font));
#else
  ImGui::PushFont(font);
#endif
}

/// FreeType draws small text crisper than ImGui's own rasterizer, and reads every font format.
inline void use_freetype(ImFontAtlas& atlas) {
#if defined(TILESCOPE_FREETYPE) && IMGUI_VERSION_NUM >= 19200
  atlas.SetFontLoader(ImGuiFreeType::GetFontLoader());
  atlas.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
#elif defined(TILESCOPE_FREETYPE)
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#else
  static_cast<void>(atlas);
#endif
}

/// Makes the fonts' glyphs, where not each is made when it is first drawn.
inline void build(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM < 19200
  atlas.Build();
#else
  static_cast<void>(atlas);
#endif
}

/// A texture of letters, whole, and the rows of it that are new.
struct Letters {
  int texture = 0;                      ///< its number: one that was outgrown is shown once more
  const unsigned char* rgba = nullptr;  ///< nullptr: it is not shown any more
  std::uint32_t width = 0, height = 0;
  std::uint32_t first_row = 0, last_row = 0;
};
/// Takes them over as a texture of that id.
using TakeLetters = std::function<ImTextureID(const Letters&)>;

/// Hands over the letters of fonts that were loaded, where they were made with them.
inline void take_loaded(ImFontAtlas& atlas, const TakeLetters& take) {
#if IMGUI_VERSION_NUM < 19200
  unsigned char* pixels = nullptr;
  int width = 0;
  int height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  const auto rows = static_cast<std::uint32_t>(height);
  atlas.SetTexID(take({0, pixels, static_cast<std::uint32_t>(width), rows, 0, rows}));
  atlas.ClearTexData();
#else
  static_cast<void>(atlas), static_cast<void>(take);
#endif
}

/// Hands over the letters that a frame was the first to draw; between its Render and its drawing.
inline void take_drawn(const TakeLetters& take) {
#if IMGUI_VERSION_NUM >= 19200
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    Letters letters{.texture = texture->UniqueID,
                    .width = static_cast<std::uint32_t>(texture->Width),
                    .height = static_cast<std::uint32_t>(texture->Height)};
    if (texture->Status == ImTextureStatus_WantDestroy) {
      take(letters);
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    } else if (texture->Status != ImTextureStatus_OK) {
      const bool fresh = texture->Status == ImTextureStatus_WantCreate;
      const ImTextureRect& rows = texture->UpdateRect;
      letters.rgba = texture->Pixels;
      letters.first_row = fresh ? 0U : rows.y;
      letters.last_row = fresh ? letters.height : std::uint32_t{rows.y} + rows.h;
      texture->SetTexID(take(letters));
      texture->SetStatus(ImTextureStatus_OK);
    }
  }
#else
  static_cast<void>(take);
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

/// The depth of ImGui's stacks, to be restored after an exception.
struct StackDepth {
  int windows = 0;
  int clips = 0;  ///< of the current window's draw list
};
[[nodiscard]] StackDepth stack_depth();
/// Closes every window and takes back every push since `depth` was read. An exception leaves them
/// open where no destructor closes them, and ImGui asserts at the end of the frame.
void unwind_stacks(const StackDepth& depth);

/// A child region without a frame.
inline bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags) {
  return ImGui::BeginChild(id, size, 0, flags);
}

}  // namespace ui::compat
