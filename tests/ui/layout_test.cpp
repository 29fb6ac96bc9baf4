#include "ui/canvas/layout.h"

#include <numeric>

#include <gtest/gtest.h>

namespace {

constexpr float kScales[] = {0.5F, 0.75F, 1.0F, 1.25F, 1.5F, 2.0F, 3.0F, 4.0F};
constexpr glm::vec2 kSizes[] = {{320, 200},   {1024, 640},  {1280, 800}, {1366, 768},
                                {1920, 1080}, {2560, 1440}, {3840, 2160}};

TEST(Layout, PanelsNeverOverlapAndFillTheWindow) {
  for (const glm::vec2 size : kSizes) {
    for (const float scale : kScales) {
      const ui::Layout layout = ui::arrange(size, scale, true);
      const ui::Rect all[] = {layout.top,    layout.ladder, layout.view,
                              layout.source, layout.timing, layout.findings};
      float covered = 0.0F;
      for (const ui::Rect& a : all) {
        EXPECT_TRUE(a.empty() || (ui::Rect{{0, 0}, size}.contains(a)));
        covered += a.empty() ? 0.0F : a.width() * a.height();
        for (const ui::Rect& b : all) {
          EXPECT_TRUE(&a == &b || !a.overlaps(b)) << size.x << " × " << size.y << " at " << scale;
        }
      }
      EXPECT_FLOAT_EQ(covered, size.x * size.y) << size.x << " × " << size.y << " at " << scale;
      EXPECT_FALSE(layout.view.empty());
    }
  }
}

TEST(Layout, AllPanelsAreThereAtTheSmallestSupportedWindow) {
  const ui::Layout layout = ui::arrange({1024, 640}, 1.0F, true);
  EXPECT_FALSE(layout.ladder.empty());
  EXPECT_FALSE(layout.source.empty());
  EXPECT_FALSE(layout.timing.empty());
  EXPECT_FALSE(layout.findings.empty());
}

// A projector, and small laptops: the source and the list of findings stay.
TEST(Layout, SourceAndFindingsComeBeforeTheTiming) {
  const ui::Layout projector = ui::arrange({1280, 720}, 2.0F, true);
  EXPECT_FALSE(projector.source.empty());
  EXPECT_FALSE(projector.findings.empty());
  EXPECT_TRUE(projector.timing.empty());
  for (const glm::vec2 size : {glm::vec2(1024, 768), {1366, 768}, {1280, 720}}) {
    const ui::Layout layout = ui::arrange(size, 1.0F, true);
    EXPECT_FALSE(layout.source.empty());
    EXPECT_FALSE(layout.findings.empty());
    EXPECT_FALSE(layout.timing.empty());
  }
}

TEST(Layout, OnAProjectorThePictureIsLargeAndTheSourceStays) {
  for (const glm::vec2 size : {glm::vec2(1280, 720), {1920, 1080}, {3840, 2160}}) {
    const float scale = size.y / 480.0F;
    for (const bool below : {false, true}) {
      const ui::Layout layout = ui::arrange_presented(size, scale, below);
      const float share = layout.view.width() * layout.view.height() / (size.x * size.y);
      EXPECT_GT(share, 0.5F) << size.x << below;
      EXPECT_FALSE(layout.source.empty());
      EXPECT_EQ(layout.view.width() == size.x, below) << "two pictures are beside each other";
      EXPECT_TRUE(layout.timing.empty() && layout.findings.empty() && layout.ladder.empty());
      EXPECT_EQ(ui::splitters(layout, size, scale).size(), 1U);
    }
  }
  EXPECT_FALSE(ui::arrange_presented({640, 420}, 2.0F, false).view.empty());
}

// Whatever its reader gave to the panels: each keeps what it needs, and so does the view.
TEST(Layout, SplittersMoveWhatLiesBesideThemAndNoFurther) {
  for (const glm::vec2 size : kSizes) {
    for (const float scale : kScales) {
      const ui::Layout own = ui::arrange(size, scale, true);
      for (const ui::Splitter& splitter : ui::splitters(own, size, scale)) {
        EXPECT_TRUE((ui::Rect{{-9, -9}, size + 18.0F}.contains(splitter.grip)));
        ui::PanelShares shares;
        shares.*splitter.share = splitter.share_at(splitter.grip.centre());
        const ui::Layout same = ui::arrange(size, scale, true, shares);
        EXPECT_NEAR(same.view.width(), own.view.width(), 2.0F) << "it stays where it was taken";
        EXPECT_NEAR(same.view.height(), own.view.height(), 2.0F);
        EXPECT_NEAR(same.findings.height(), own.findings.height(), 2.0F);
        for (const float share : {0.01F, 0.3F, 1.0F}) {
          shares.*splitter.share = share;
          const ui::Layout moved = ui::arrange(size, scale, true, shares);
          EXPECT_GE(moved.view.width(), std::min(own.view.width(), 330.0F * scale) - 1.0F);
          EXPECT_GE(moved.view.height(), std::min(own.view.height(), 200.0F * scale) - 1.0F);
          EXPECT_EQ(moved.source.empty(), own.source.empty()) << "no panel vanishes";
          EXPECT_EQ(moved.timing.empty(), own.timing.empty());
          EXPECT_EQ(moved.ladder.empty(), own.ladder.empty());
          EXPECT_EQ(moved.findings.empty(), own.findings.empty());
        }
      }
    }
  }
  ui::PanelShares wide;
  wide.source = 0.5F;
  EXPECT_GT(ui::arrange({1280, 800}, 1.0F, true, wide).source.height(), 350.0F);
}

TEST(Layout, WithoutChromeTheViewIsAll) {
  const ui::Layout layout = ui::arrange({800, 600}, 1.0F, false);
  EXPECT_EQ(layout.view, (ui::Rect{{0, 0}, {800, 600}}));
  EXPECT_TRUE(layout.top.empty());
}

TEST(Fit, KeepsEverythingWhenThereIsRoom) {
  const std::vector<ui::BarItem> items{{{100, 50}, 1}, {{80}, 2}};
  EXPECT_EQ(ui::fit(items, 190, 10), (std::vector<int>{0, 0}));
}

TEST(Fit, ShrinksTheLeastImportantFirstAndThenDropsIt) {
  const std::vector<ui::BarItem> items{{{100, 50}, 1}, {{80}, 2}};
  EXPECT_EQ(ui::fit(items, 189, 10), (std::vector<int>{1, 0}));
  EXPECT_EQ(ui::fit(items, 100, 10), (std::vector<int>{-1, 0}));
}

TEST(Fit, KeepsWhatMayNotVanish) {
  const std::vector<ui::BarItem> items{{{100, 50}, 1, false}, {{80}, 2}};
  EXPECT_EQ(ui::fit(items, 60, 10), (std::vector<int>{1, -1}));
  EXPECT_EQ(ui::fit(items, 10, 10), (std::vector<int>{1, -1}));
}

// The second went by when it was in the way of the last, which took still more.
TEST(Fit, WidensWhatMakesRoomForNobody) {
  const std::vector<ui::BarItem> items{{{100}, 9}, {{90, 80, 50}, 2}, {{200}, 3}};
  EXPECT_EQ(ui::fit(items, 250, 10), (std::vector<int>{0, 0, -1}));
  EXPECT_EQ(ui::fit(items, 195, 10), (std::vector<int>{0, 1, -1})) << "as wide as it can be";
}

}  // namespace
