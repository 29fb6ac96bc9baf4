// Colours and numbers as the panels show them; and what is drawn where no font is installed:
// ImGui's own font has Latin-1 and no more.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "ui/canvas/canvas.h"
#include "ui/canvas/colormap.h"
#include "ui/canvas/fonts.h"
#include "ui/canvas/format.h"
#include "ui/canvas/imgui_compat.h"
#include "ui/fixture.h"
#include "ui/views/bodies/bodies_splat.h"
#include "ui/widgets/heat_map.h"

namespace {

int luminance(ui::Colour c) {
  const auto part = [c](int shift) { return static_cast<int>(c >> shift & 0xFFU); };
  return 299 * part(0) + 587 * part(8) + 114 * part(16);
}

TEST(Colormap, ViridisGetsLighterAllTheWay) {
  int last = -1;
  for (int i = 0; i <= 100; ++i) {
    const int now = luminance(ui::viridis(static_cast<float>(i) / 100.0F));
    EXPECT_GT(now, last) << i;
    last = now;
  }
  EXPECT_EQ(ui::viridis(0.0F), ui::rgb(0x440154));
  EXPECT_EQ(ui::viridis(2.0F), ui::rgb(0xFDE725)) << "clamped";
}

TEST(Colormap, WhatIsNotANumberIsGrey) {
  EXPECT_EQ(ui::viridis(std::numeric_limits<float>::quiet_NaN()), ui::rgb(0x808080));
}

TEST(Theme, FadeScalesAlphaAlone) {
  EXPECT_EQ(ui::fade(ui::rgb(0x123456), 0.5F), (ui::rgb(0x123456) & 0xFFFFFFU) | 0x80000000U);
}

TEST(Format, LiveNumbersKeepTheirWidth) {
  for (const double value : {0.0, 0.1234, 1.0, 9.9996, 12.345, 99.996, 100.0, 999.94, 1234.5}) {
    EXPECT_EQ(ui::significant(value).size(), 5U) << value;
  }
}

TEST(Format, TimesTakeTheUnitThatFits) {
  EXPECT_EQ(ui::time_text(240.13), "240.1 ms");
  EXPECT_EQ(ui::time_text(0.01235), "12.35 µs");
  EXPECT_EQ(ui::time_text(1234.0), "1.234 s");
}

TEST(Format, RatesCountsAndErrors) {
  EXPECT_EQ(ui::rate_text(8213.0, "FLOP/s"), "8.213 TFLOP/s");
  EXPECT_EQ(ui::rate_text(0.1271, "FLOP/s"), "127.1 MFLOP/s");
  EXPECT_EQ(ui::count_text(262144), "262,144");
  EXPECT_EQ(ui::count_text(999), "999");
  EXPECT_EQ(ui::bytes_text(65536.0), "64.0 KiB");
  EXPECT_EQ(ui::short_scientific(2.9e-7), "3e-7");
  EXPECT_EQ(ui::short_scientific(9.7e-7), "1e-6");
  EXPECT_EQ(ui::short_scientific(0.0), "0");
  EXPECT_EQ(ui::short_scientific(std::numeric_limits<double>::infinity()), "∞");
}

TEST(HeatMap, EveryTexelGetsItsShade) {
  const core::Field field = core::reduce("C", std::vector<float>{0.0F, 1.0F, 2.0F, NAN}, 2, 2);
  const ui::Image image = ui::paint_field(field);
  EXPECT_EQ(image.rgba[0], ui::viridis(0.0F));
  EXPECT_EQ(image.rgba[2], ui::viridis(1.0F));
  EXPECT_EQ(image.rgba[3], ui::rgb(0x808080));
}

TEST(Splat, ABodyShowsWhereTheCameraSeesIt) {
  const ui::OrbitCamera camera{
      .yaw = 0.4F, .pitch = 0.3F, .distance = 3.0F, .width = 200, .height = 100};
  const glm::vec3 body{0.3F, -0.2F, 0.1F};
  const ui::Image image = ui::splat(std::vector<ui::Spot>{{body, 1.0F}}, camera,
                                    {.background = ui::rgb(0), .body_radius = 0.05F});
  const auto at = camera.pixel(body);
  ASSERT_TRUE(at);
  const auto texel = [&image](glm::vec2 p) {
    return image.rgba[static_cast<std::size_t>(p.y) * image.width + static_cast<std::size_t>(p.x)];
  };
  EXPECT_NE(texel(*at), ui::rgb(0));
  EXPECT_EQ(texel({2, 2}), ui::rgb(0));
  EXPECT_NEAR(camera.pixel({0, 0, 0})->x, 100.0F, 1e-3F);
  EXPECT_LT(camera.pixel({0, 0, 1})->y, 50.0F) << "z is up";
}

TEST(Splat, BodiesThatAreNotFiniteAreLeftOut) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const ui::OrbitCamera camera{.distance = 3.0F, .width = 20, .height = 10};
  const ui::Image image =
      ui::splat(std::vector<ui::Spot>{{glm::vec3(nan), 1.0F}, {glm::vec3(0.0F), nan}}, camera,
                {.background = ui::rgb(7)});
  EXPECT_EQ(std::ranges::count(image.rgba, ui::rgb(7)), 200);
}

TEST(Latin, SpellsWhatIsBeyondIt) {
  EXPECT_EQ(ui::latin("rows 3–12 of 15 … µs × 2²"), "rows 3-12 of 15 ... µs × 2²");
  EXPECT_EQ(ui::latin("B → Bᵀ ≤ 4"), "B -> BT <= 4");
  EXPECT_EQ(ui::latin(""), "");
}

TEST(Fonts, WithoutFilesNothingIsDrawnAsAQuestionMark) {
  const tests::Stage stage{core::Scene{}};  // a context of ImGui's
  ImFontAtlas atlas;
  const ui::Theme theme = ui::make_theme(true, 1.0F, ui::build_fonts(atlas, 1.0F, {}));
  ASSERT_TRUE(theme.fonts.latin_only);
  ImDrawListSharedData* shared = ImGui::GetDrawListSharedData();
  ImDrawList list(shared);
  list._ResetForNewFrame();
  list.PushClipRectFullScreen();
  list.PushTextureID(atlas.TexID);
  ui::TextTrace trace;
  const ui::Canvas canvas(list, theme, &trace);
  canvas.text({0.0F, 0.0F}, "3–12 …", theme.fonts.text, 0xFFFFFFFFU);
  EXPECT_EQ(trace.entries.at(0).text, "3-12 ...");
  EXPECT_EQ(canvas.measure("…", theme.fonts.text), canvas.measure("...", theme.fonts.text));
#if IMGUI_VERSION_NUM < 19200
  // What ImGui writes itself, such as tooltips.
  const ImFontGlyph* dash = theme.fonts.text->FindGlyph(0x2013);
  EXPECT_EQ(dash->U0, theme.fonts.text->FindGlyph('-')->U0);
  EXPECT_NE(dash->U0, theme.fonts.text->FindGlyph('?')->U0);
#endif
}

TEST(Fonts, InstalledOnesAreTakenAsTheyAre) {
  const ui::FontFiles& files = ui::installed_fonts();
  if (files.sans_fallback.empty() || files.mono_fallback.empty()) {
    GTEST_SKIP() << "DejaVu is not installed";
  }
  const tests::Stage stage{core::Scene{}};
  ImFontAtlas atlas;
  EXPECT_FALSE(ui::build_fonts(atlas, 1.0F).latin_only);
}

TEST(Fonts, AreOfTheScaleThatIsAskedFor) {
  tests::Stage stage{core::Scene{}};
  const auto width = [&] {
    stage.draw(core::Result{});
    ImFont* text = stage.app().fonts().text;
    return text->CalcTextSizeA(ui::compat::font_size(*text), 1e6F, 0.0F, "a tile").x;
  };
  const float before = width();
  const ImFont* font = stage.app().fonts().text;
  stage.app().rescale(2.0F);
  EXPECT_NEAR(width(), 2.0F * before, 0.1F * before);
  if (ui::compat::kFontsOfAnySize) {
    EXPECT_EQ(stage.app().fonts().text, font) << "loaded again";
  }
}

TEST(Fonts, HaveEveryLetterOfTheirFilesWhereTheyMakeEachWhenItIsDrawn) {
  if (ui::installed_fonts().sans_fallback.empty()) {
    GTEST_SKIP() << "DejaVu is not installed";
  }
  tests::Stage stage{core::Scene{}};
  stage.draw(core::Result{});
  ImFont& font = *stage.app().fonts().text;
  static_cast<void>(font.CalcTextSizeA(ui::compat::font_size(font), 1e6F, 0.0F, "Ж"));
  EXPECT_EQ(std::ranges::any_of(ui::compat::glyphs(font),
                                [](const ImFontGlyph& g) { return g.Codepoint == 0x0416; }),
            ui::compat::kFontsOfAnySize);
}

}  // namespace
