#include "tests/pictures/compare.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <imgui.h>
#include <stb_image.h>

namespace tests {
namespace {

// The stored pictures are of Debian 12, with Dear ImGui 1.86. With later releases come later fonts
// and FreeType, and from 1.92 on ImGui no longer rounds up how wide each letter is: words end some
// pixels earlier there.
constexpr bool kSameLetters = IMGUI_VERSION_NUM < 18700;
constexpr double kMeanLimit = kSameLetters ? 1.5 : 2.75;
constexpr double kShareLimit = kSameLetters ? 0.01 : 0.025;
constexpr int kFarOff = 32;

bool masked(const std::vector<Mask>& masks, int x, int y) {
  return std::ranges::any_of(masks, [&](const Mask& m) {
    return x >= m.left && x < m.right && y >= m.top && y < m.bottom;
  });
}

}  // namespace

Image read_image(const std::filesystem::path& file) {
  Image image;
  int channels = 0;
  if (auto* data = stbi_load(file.c_str(), &image.width, &image.height, &channels, 3)) {
    const auto size =
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    image.rgb.assign(data, data + size * 3);
    stbi_image_free(data);
  }
  return image;
}

Difference compare(const Image& a, const Image& b, const std::vector<Mask>& masks) {
  Difference difference;
  difference.same_size = a.width == b.width && a.height == b.height && a.width > 0;
  if (!difference.same_size) {
    difference.in_words = "the sizes differ, or a picture is missing";
    return difference;
  }
  double total = 0.0;
  double far = 0.0;
  double pixels = 0.0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      if (masked(masks, x, y)) {
        continue;
      }
      const auto at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) +
                           static_cast<std::size_t>(x));
      int worst = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const int off = std::abs(int{a.rgb[at + c]} - int{b.rgb[at + c]});
        total += off;
        worst = std::max(worst, off);
      }
      far += worst > kFarOff ? 1.0 : 0.0;
      pixels += 1.0;
    }
  }
  difference.mean = total / (3.0 * pixels);
  difference.share = far / pixels;
  difference.in_words = "mean " + std::to_string(difference.mean) + " of 255, " +
                        std::to_string(100.0 * difference.share) + "% of pixels far off";
  return difference;
}

bool alike(const Difference& difference) {
  return difference.same_size && difference.mean <= kMeanLimit && difference.share <= kShareLimit;
}

}  // namespace tests
