#include "ui/canvas/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "ui/canvas/imgui_compat.h"

namespace ui {
namespace {

namespace fs = std::filesystem;

constexpr float kTextSize = 16.0F;
constexpr float kTitleSize = 22.0F;
constexpr float kMonoSize = 16.0F;

// Latin, and the signs that panels use: × · – … ≤ → ▶ µ ² ᵀ ✓ and their neighbours.
constexpr std::array<ImWchar, 21> kGlyphs{0x20,   0xFF,   0x0394, 0x03C9, 0x1D40, 0x1D40, 0x2010,
                                          0x2027, 0x2032, 0x2033, 0x2070, 0x208E, 0x2190, 0x2195,
                                          0x2200, 0x2265, 0x25A0, 0x25CF, 0x2713, 0x2717, 0};

// What stands in for signs beyond Latin-1, which is all that ImGui's own font has.
struct Spelling {
  ImWchar code;
  std::string_view sign, latin;
};
constexpr std::array<Spelling, 30> kLatin{{
    {0x2010, "‐", "-"},   {0x2013, "–", "-"},  {0x2014, "—", "-"},  {0x2018, "‘", "'"},
    {0x2019, "’", "'"},   {0x201C, "“", "\""}, {0x201D, "”", "\""}, {0x2026, "…", "..."},
    {0x2032, "′", "'"},   {0x2190, "←", "<-"}, {0x2191, "↑", "^"},  {0x2192, "→", "->"},
    {0x2193, "↓", "v"},   {0x2212, "−", "-"},  {0x2248, "≈", "~"},  {0x2260, "≠", "!="},
    {0x2264, "≤", "<="},  {0x2265, "≥", ">="}, {0x25B6, "▶", ">"},  {0x25C0, "◀", "<"},
    {0x25CF, "●", "o"},   {0x2713, "✓", "ok"}, {0x2717, "✗", "x"},  {0x1D40, "ᵀ", "T"},
    {0x0394, "Δ", "D"},   {0x03C9, "ω", "w"},  {0x03C0, "π", "pi"}, {0x2079, "⁹", "^9"},
    {0x221E, "∞", "inf"}, {0x25BC, "▼", "v"},
}};

// For what ImGui writes itself (tooltips, menus): a letter for a sign.
void remap(ImFont& font) {
  for (const Spelling& s : kLatin) {
    font.AddRemapChar(s.code, static_cast<ImWchar>(s.latin.front()));
  }
}

float pixels(float size, float scale) {
  return std::round(size * scale);
}

std::vector<fs::path> font_roots() {
  std::vector<fs::path> roots{"/usr/share/fonts", "/usr/local/share/fonts"};
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  if (const char* home = std::getenv("HOME")) {
    roots.push_back(fs::path(home) / ".local/share/fonts");
  }
  return roots;
}

ImFont* add(ImFontAtlas& atlas, const fs::path& file, float pixels, bool merge) {
  ImFontConfig config;
  config.MergeMode = merge;
  config.OversampleH = 2;
  config.PixelSnapH = true;
  return atlas.AddFontFromFileTTF(file.c_str(), pixels, &config, kGlyphs.data());
}

ImFont* add_with_fallback(ImFontAtlas& atlas, const fs::path& first, const fs::path& second,
                          float pixels) {
  const fs::path& main = first.empty() ? second : first;
  if (main.empty()) {
    ImFontConfig config;
    config.SizePixels = pixels;
    return atlas.AddFontDefault(&config);
  }
  ImFont* font = add(atlas, main, pixels, false);
  if (!second.empty() && main != second) {
    add(atlas, second, pixels, true);
  }
  return font;
}

}  // namespace

fs::path find_font(const std::vector<std::string>& names, const std::vector<fs::path>& roots) {
  std::vector<fs::path> found(names.size());
  for (const fs::path& root : roots) {
    std::error_code ignored;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(root, options, ignored), end; !ignored && it != end;
         it.increment(ignored)) {
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (found[i].empty() && it->path().filename() == names[i]) {
          found[i] = it->path();
        }
      }
    }
  }
  for (const fs::path& path : found) {
    if (!path.empty()) {
      return path;
    }
  }
  return {};
}

const FontFiles& installed_fonts() {
  static const FontFiles files = [] {
    const auto roots = font_roots();
    return FontFiles{
        .text = find_font({"Inter-Regular.otf", "Inter-Regular.ttf"}, roots),
        .title =
            find_font({"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "DejaVuSans-Bold.ttf"}, roots),
        .mono = find_font({"JetBrainsMono-Regular.ttf"}, roots),
        .sans_fallback = find_font({"DejaVuSans.ttf"}, roots),
        .mono_fallback = find_font({"DejaVuSansMono.ttf"}, roots)};
  }();
  return files;
}

Fonts build_fonts(ImFontAtlas& atlas, float scale, const FontFiles& files) {
  atlas.Clear();
  compat::use_freetype(atlas);
  Fonts fonts;
  fonts.text = add_with_fallback(atlas, files.text, files.sans_fallback, pixels(kTextSize, scale));
  fonts.title =
      add_with_fallback(atlas, files.title, files.sans_fallback, pixels(kTitleSize, scale));
  fonts.mono = add_with_fallback(atlas, files.mono, files.mono_fallback, pixels(kMonoSize, scale));
  fonts.latin_only = (files.text.empty() && files.sans_fallback.empty()) ||
                     (files.title.empty() && files.sans_fallback.empty()) ||
                     (files.mono.empty() && files.mono_fallback.empty());
  if (fonts.latin_only) {
    compat::build(atlas);
    for (ImFont* font : {fonts.text, fonts.title, fonts.mono}) {
      remap(*font);
    }
  }
  return fonts;
}

bool rescale_fonts(const Fonts& fonts, float scale) {
  if (!compat::kFontsOfAnySize || fonts.text == nullptr) {
    return false;
  }
  compat::set_font_size(*fonts.text, pixels(kTextSize, scale));
  compat::set_font_size(*fonts.title, pixels(kTitleSize, scale));
  compat::set_font_size(*fonts.mono, pixels(kMonoSize, scale));
  return true;
}

std::string latin(std::string_view text) {
  // All signs begin with a byte that no letter of ASCII has, and each text of each frame comes
  // here.
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  std::string plain;
  while (!text.empty()) {
    const auto letters = std::ranges::find_if_not(text, is_ascii) - text.begin();
    plain += text.substr(0, static_cast<std::size_t>(letters));
    text.remove_prefix(static_cast<std::size_t>(letters));
    const auto found =
        std::ranges::find_if(kLatin, [&](const Spelling& s) { return text.starts_with(s.sign); });
    if (found != kLatin.end()) {
      plain += found->latin;
      text.remove_prefix(found->sign.size());
    } else if (!text.empty()) {
      plain += text.front();
      text.remove_prefix(1);
    }
  }
  return plain;
}

}  // namespace ui
