// What is drawn where no font is installed: ImGui's own font has Latin-1 and no more.
#include "ui/canvas/fonts.h"

#include <gtest/gtest.h>

#include "ui/canvas/canvas.h"
#include "ui/fixture.h"

namespace {

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

}  // namespace
