#include "ui/fonts.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include "ui/imgui_compat.h"

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

Fonts build_fonts(ImFontAtlas& atlas, float scale) {
  static const auto roots = font_roots();
  static const fs::path text = find_font({"Inter-Regular.otf", "Inter-Regular.ttf"}, roots);
  static const fs::path title =
      find_font({"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "DejaVuSans-Bold.ttf"}, roots);
  static const fs::path mono = find_font({"JetBrainsMono-Regular.ttf"}, roots);
  static const fs::path sans_fallback = find_font({"DejaVuSans.ttf"}, roots);
  static const fs::path mono_fallback = find_font({"DejaVuSansMono.ttf"}, roots);

  atlas.Clear();
  compat::use_freetype(atlas);
  const auto pixels = [scale](float size) { return std::round(size * scale); };
  Fonts fonts;
  fonts.text = add_with_fallback(atlas, text, sans_fallback, pixels(kTextSize));
  fonts.title = add_with_fallback(atlas, title, sans_fallback, pixels(kTitleSize));
  fonts.mono = add_with_fallback(atlas, mono, mono_fallback, pixels(kMonoSize));
  return fonts;
}

}  // namespace ui
