// The timeline view: where things are, what is painted, and what keys do.
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/views/timeline/launch_state.h"
#include "ui/views/timeline/playback.h"
#include "ui/views/timeline/tile_colours.h"
#include "ui/views/timeline/timeline_cache.h"
#include "ui/views/timeline/timeline_layout.h"
#include "ui/widgets/axis.h"

namespace {

std::shared_ptr<const core::Timeline> timeline_of(const core::Result& result, bool told = true) {
  return tests::timeline(result.tiles.group_count(), told);
}

TEST(GanttCamera, PixelsAndTicksAreInverse) {
  const auto t = tests::timeline(64, true);
  ui::TimelineState view;
  view.zoom = 7.0F;
  view.centre = {0.3F, 0.5F};
  const ui::GanttCamera c = ui::gantt_camera(view, *t, {{10, 20}, {610, 220}});
  EXPECT_NEAR(c.time.value(c.time.pixel(c.time.low + 5.0)), c.time.low + 5.0, 1e-2);
  EXPECT_NEAR(c.time.high - c.time.low,
              static_cast<double>(t->figures.last - t->figures.first) / 7.0, 1.0);
  EXPECT_NEAR(c.lanes.value(c.lanes.pixel(3.5)), 3.5, 1e-4);
}

TEST(GanttCamera, ZoomKeepsWhatIsUnderTheMouse) {
  const auto t = tests::timeline(500, true);
  const ui::Rect plot{{0, 0}, {800, 300}};
  ui::TimelineState view;
  for (const glm::vec2 mouse : {glm::vec2(0, 0), {400, 150}, {799, 10}, {123, 299}}) {
    const ui::GanttCamera before = ui::gantt_camera(view, *t, plot);
    const double ticks = before.time.value(mouse.x);
    const double lane = before.lanes.value(mouse.y);
    ui::zoom_gantt(view, *t, plot, mouse, 1.7F, 1.3F);
    const ui::GanttCamera after = ui::gantt_camera(view, *t, plot);
    EXPECT_NEAR(after.time.value(mouse.x), ticks, 1e-5 * static_cast<double>(t->length));
    EXPECT_NEAR(after.lanes.value(mouse.y), lane, 1e-3 * static_cast<double>(t->lanes.lanes()));
  }
  ui::zoom_gantt(view, *t, plot, {400, 150}, 1e-6F, 1e-6F);
  const ui::GanttCamera whole = ui::gantt_camera(view, *t, plot);
  EXPECT_NEAR(whole.time.low, static_cast<double>(t->figures.first), 1e-6);
  EXPECT_NEAR(whole.time.high, static_cast<double>(t->figures.last), 1e-6);
}

// A driver's compiler may take longer than all tiles.
TEST(GanttCamera, ALaunchThatWaitsLeavesNoEmptyAxis) {
  core::Timeline t = *tests::timeline(64, true);
  for (core::TimelineTile& tile : t.tiles) {
    tile.start += 300'000;
    tile.end += 300'000;
  }
  t.length = 10 * t.length;
  core::derive(t);
  const ui::GanttCamera c = ui::gantt_camera(ui::TimelineState(), t, {{10, 20}, {610, 220}});
  std::uint64_t last = 0;
  for (const core::TimelineTile& tile : t.tiles) {
    last = std::max(last, tile.end);
  }
  EXPECT_NEAR(c.time.low, 300'900.0, 1e-6);
  EXPECT_NEAR(c.time.high, static_cast<double>(last), 1e-6);
  ui::LaunchState launch;
  launch.played = 0.0F;
  EXPECT_NEAR(*ui::played_ticks(launch, t), c.time.low, 1e-6) << "and is played from there";
  launch.played = 1.0F;
  EXPECT_NEAR(*ui::played_ticks(launch, t), c.time.high, 1e-6);
}

// Every tile is found where it is drawn.
TEST(GanttCamera, TilesAreFoundWhereTheyAre) {
  for (const bool told : {true, false}) {
    const auto t = tests::timeline(200, told);
    const ui::GanttCamera c = ui::gantt_camera(ui::TimelineState(), *t, {{0, 0}, {4000, 1000}});
    for (std::uint32_t tile = 0; tile < 200; ++tile) {
      EXPECT_EQ(ui::tile_at(c, *t, ui::rect_of(c, *t, tile).centre()), tile);
    }
    EXPECT_FALSE(ui::tile_at(c, *t, {-5, 3}));
  }
}

TEST(RoundValues, AreFewAndInside) {
  EXPECT_EQ(ui::round_values(0.0, 10.0, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  for (const double high : {0.00317, 1.0, 16.4, 98765.0}) {
    const auto values = ui::round_values(0.1 * high, high, 6);
    EXPECT_GE(values.size(), 2U);
    EXPECT_LE(values.size(), 7U);
    EXPECT_GE(values.front(), 0.1 * high * (1 - 1e-9));
    EXPECT_LE(values.back(), high * (1 + 1e-9));
  }
}

TEST(Gantt, ATexelIsTheTileThatIsThere) {
  const auto t = tests::timeline(300, true);
  const ui::GanttWindow window{.of = t,
                               .by = ui::TileColours::duration,
                               .first = static_cast<double>(t->figures.first),
                               .last = static_cast<double>(t->figures.last),
                               .top = 0.0,
                               .bottom = static_cast<double>(t->lanes.lanes()),
                               .width = 257,
                               .height = 61};
  const ui::Image image = ui::paint_gantt(window).image;
  const ui::TileScale scale(*t, ui::TileColours::duration);
  const ui::GanttCamera c = ui::gantt_camera(
      ui::TimelineState(), *t,
      {{0, 0}, {static_cast<float>(window.width), static_cast<float>(window.height)}});
  std::size_t painted = 0;
  for (std::uint32_t y = 0; y < window.height; ++y) {
    for (std::uint32_t x = 0; x < window.width; ++x) {
      const double at = c.time.value(static_cast<float>(x) + 0.5F);
      const auto lane = static_cast<std::uint32_t>(c.lanes.value(static_cast<float>(y) + 0.5F));
      const ui::Colour texel = image.rgba[y * window.width + x];
      ui::Colour expected = 0;
      for (std::uint32_t tile = 0; tile < 300; ++tile) {
        const core::TimelineTile& it = t->tiles[tile];
        if (t->lanes.lane_of[tile] == lane && static_cast<double>(it.start) <= at - 0.01 &&
            static_cast<double>(it.end) > at + 0.01) {
          expected = scale.colour(tile);
        }
      }
      painted += texel != 0 ? 1 : 0;
      // A seam is darker, an edge may fall to either side.
      if (expected != 0) {
        EXPECT_NE(texel, 0U) << x << ", " << y;
      }
    }
  }
  EXPECT_GT(painted, window.width * window.height / 4U);
}

// Played on step by step it shows what it would have shown at once.
TEST(Launch, PlayingOnPaintsWhatAFreshStartWould) {
  const auto t = tests::timeline(150, true);
  ui::LaunchPicture at{.of = t,
                       .by = ui::TileColours::start_order,
                       .at = 0.0,
                       .to_come = 1,
                       .running = 2,
                       .across = 16,
                       .stride = 1};
  ui::TimelineCache played;
  for (int step = 0; step <= 40; ++step) {
    at.at = static_cast<double>(t->length) * step / 40.0;
    auto told = played.launch_image.rgba;  // what is on the device
    played.paint_launch(at);
    told.resize(played.launch_image.rgba.size());
    const auto [first, last] = played.launch_changed;
    std::copy(played.launch_image.rgba.begin() + first * 16,
              played.launch_image.rgba.begin() + std::min<std::ptrdiff_t>(last * 16, 160),
              told.begin() + first * 16);
    ASSERT_EQ(told, played.launch_image.rgba) << step << ": a row has changed, and is not told";
    ui::TimelineCache fresh;
    fresh.paint_launch(at);
    ASSERT_EQ(played.launch_image.rgba, fresh.launch_image.rgba) << step;
  }
  EXPECT_EQ(std::ranges::count(played.launch_image.rgba, 1U), 0);
  at.at = 0.0;
  played.paint_launch(at);
  EXPECT_EQ(std::ranges::count(played.launch_image.rgba, 1U), 150) << "back at its start";
}

class TimelineKeys : public testing::Test {
 protected:
  TimelineKeys() : result_(tests::result_of("matmul/tiled", {64, 48, 80}, 16)), stage_({}) {
    result_.timeline = timeline_of(result_);
    stage_.draw(result_);
  }
  void press(char32_t key) {
    stage_.app().press(ui::letter(key));
    stage_.draw(result_);
  }
  ui::LaunchState& launch() { return stage_.app().state().of<ui::LaunchState>(); }
  core::Result result_;
  tests::Stage stage_;
};

TEST_F(TimelineKeys, YGoesThroughWhatTheDeviceTells) {
  for (const char* by : {"start order", "duration", "multiprocessor", "output"}) {
    press('y');
    EXPECT_EQ(launch().coloured_by, by);
  }
  result_.timeline = timeline_of(result_, false);
  for (const char* by : {"start order", "duration", "output"}) {
    press('y');
    EXPECT_EQ(launch().coloured_by, by);
  }
  result_.timeline.reset();
  press('y');
  EXPECT_EQ(launch().coloured_by, "output");
}

TEST_F(TimelineKeys, PPlaysHoldsAndStops) {
  stage_.app().settle(false);
  press('p');
  EXPECT_TRUE(launch().playing);
  stage_.draw(result_);
  const float first = launch().played;
  EXPECT_GT(first, 0.0F);
  press('p');
  const float held = launch().played;
  stage_.draw(result_);
  EXPECT_EQ(launch().played, held);
  press('P');
  EXPECT_EQ(launch().played, -1.0F);
  // At its end all of it is shown again.
  press('p');
  for (int frame = 0; frame < 60 * 12; ++frame) {
    stage_.draw(result_);
  }
  EXPECT_FALSE(launch().playing);
  EXPECT_EQ(launch().played, -1.0F);
}

TEST_F(TimelineKeys, NothingIsPaintedAgainWhileNothingChanges) {
  stage_.app().state().view.name = "timeline";
  stage_.draw(result_);
  const std::size_t before = stage_.textures().painted;
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_EQ(stage_.textures().painted, before);
  press('y');
  EXPECT_EQ(launch().coloured_by, "start order");
  press('y');
  EXPECT_GT(stage_.textures().painted, before);
}

}  // namespace
