#include "ui/views/grid/grid_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/workloads/described.h"
#include "ui/fixture.h"
#include "ui/views/grid/grid_view.h"

namespace {

const ui::Plate& plate(const ui::GridLayout& layout, const std::string& name) {
  return *std::ranges::find(layout.plates, name, &ui::Plate::name);
}

TEST(GridLayout, AStandsLeftOfCAndBAboveIt) {
  const auto result = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  const auto layout = ui::grid_layout(result);
  const ui::Area a = plate(layout, "A").area;
  const ui::Area b = plate(layout, "B").area;
  const ui::Area c = plate(layout, "C").area;
  EXPECT_LT(a.high.x, c.low.x);
  EXPECT_EQ(a.low.y, c.low.y);
  EXPECT_EQ(a.high.y, c.high.y);
  EXPECT_LT(b.high.y, c.low.y);
  EXPECT_EQ(b.low.x, c.low.x);
  EXPECT_EQ(b.high.x, c.high.x);
}

// A convolution's weights are few, and their name is long.
TEST(GridLayout, WhatAllTilesReadHasRoomForItsName) {
  core::WorkloadDescription description;
  description.name = description.title = "convolution";
  description.sizes = {{"N", 32}, {"K", 5}};
  description.buffers = {{.name = "Image", .rows = "N", .columns = "N"},
                         {.name = "Weights", .rows = "K", .columns = "K"},
                         {.name = "Out", .role = core::Role::output, .rows = "N", .columns = "N"}};
  description.extent = {"N", "N", "1"};
  const std::array<std::string, 2> y{"y0", "y1"};
  const std::array<std::string, 2> x{"x0", "x1"};
  description.writes = {{"Out", y, x}};
  description.reads = {{"Image", y, x}, {"Weights", {}, {}}};
  description.reference = "convolution";
  const auto work = core::make_workload(description);
  ASSERT_TRUE(work) << work.error().message;
  core::Result result = tests::result_of("matmul/tiled", {32, 32, 32}, 8);
  result.work = *work;
  result.variant.work = *work;
  result.problem = *(*work)->resolve({32, 5}, {}, 1);
  result.buffers = (*work)->buffers({32, 5});
  const auto layout = ui::grid_layout(result);
  ASSERT_EQ(layout.plates.size(), 3U);
  const ui::Area weights = plate(layout, "Weights").area;
  const ui::Area image = plate(layout, "Image").area;
  EXPECT_LT(weights.size().x, 0.2 * image.size().x) << "to scale";
  EXPECT_GT(image.low.x - weights.low.x, 0.5 * image.size().x);
}

// A kernel of no workload: 40 work items in workgroups of 8, and a buffer of 160 elements of which
// the launch wrote the first 40.
TEST(GridLayout, AOneDimensionalOutputIsAStripOfWhatWasWritten) {
  core::Result result = tests::result_of("transpose/naive", {8, 20}, 8);
  result.variant.work = nullptr;
  const std::size_t out = result.work->writes(result.problem.sizes, {{}, {1, 1, 1}}).buffer;
  result.buffers[out].rows = 8;
  result.buffers[out].columns = 20;
  result.tiles = {.extent = {40, 1, 1}, .local_size = {8, 1, 1}, .covers = {8, 1, 1}};
  core::Field field{.name = "Out"};
  field.rows = field.texel_rows = 8;
  field.columns = field.texel_columns = 20;
  field.texels.assign(160, std::bit_cast<float>(core::kUnwritten));
  std::fill_n(field.texels.begin(), 40, 1.0F);
  field.unwritten = 120;
  result.fields.assign(result.buffers.size(), nullptr);
  result.fields[out] = std::make_shared<const core::Field>(field);
  const auto layout = ui::grid_layout(result);
  ASSERT_FALSE(layout.plates.empty());
  const ui::Plate& strip = layout.plates.front();
  EXPECT_TRUE(strip.strip);
  EXPECT_EQ(strip.rows, 2U);
  for (std::uint64_t tile = 0; tile < 5; ++tile) {
    const core::Box items = result.tiles.items(result.tiles.group_at(tile));
    const auto areas = ui::areas_on(strip, result, items);
    ASSERT_FALSE(areas.empty()) << tile;
    EXPECT_EQ(ui::tile_at(layout, result, 0.5 * (areas[0].low + areas[0].high)), tile);
  }
  EXPECT_EQ(ui::areas_on(strip, result, result.tiles.items({2, 0, 0})).size(), 2U) << "two rows";
}

TEST(GridLayout, EveryTileIsFoundUnderItsMiddle) {
  for (const auto& [variant, sizes] :
       {std::pair<std::string, core::Sizes>{"matmul/tiled", {61, 47, 33}},
        {"transpose/tiled", {61, 47}},
        {"nbody/tiled", {1000}}}) {
    const auto result = tests::result_of(variant, sizes, variant == "nbody/tiled" ? 64 : 16);
    const auto layout = ui::grid_layout(result);
    for (std::uint64_t tile = 0; tile < result.tiles.group_count(); ++tile) {
      ui::Area area;
      if (layout.fold > 0) {
        area = ui::folded_tile(layout, tile);
      } else {
        const core::Box items = result.tiles.items(result.tiles.group_at(tile));
        area = *ui::tiles_on(layout.plates.front(), result, items);
      }
      EXPECT_EQ(ui::tile_at(layout, result, 0.5 * (area.low + area.high)), tile) << variant;
    }
  }
}

TEST(GridLayout, ATransposedTileIsMirrored) {
  const auto result = tests::result_of("transpose/tiled", {64, 32}, 16);
  const auto layout = ui::grid_layout(result);
  const core::Box items = result.tiles.items({1, 2, 0});
  const auto in = ui::tiles_on(plate(layout, "A"), result, items);
  const auto out = ui::tiles_on(plate(layout, "At"), result, items);
  ASSERT_TRUE(in && out);
  EXPECT_EQ(in->low - plate(layout, "A").area.low, glm::dvec2(16, 32));
  EXPECT_EQ(out->low - plate(layout, "At").area.low, glm::dvec2(32, 16));
}

TEST(GridLayout, PlatesDoNotOverlapEvenWhereTilesReachOverTheEdge) {
  const auto result = tests::result_of("matmul/tiled", {33, 17, 1}, 32);
  const auto layout = ui::grid_layout(result);
  const ui::Plate a = plate(layout, "A");
  const ui::Plate c = plate(layout, "C");
  EXPECT_LT(a.area.high.x, c.area.low.x);
  EXPECT_TRUE(a.stretched) << "33 × 1 would be a line";
  const core::Box last = ui::whole_tile(result.tiles, result.tiles.groups() - 1U);
  const auto reach = ui::tiles_on(c, result, last);
  ASSERT_TRUE(reach);
  EXPECT_GT(reach->high.x, c.area.high.x);
  EXPECT_LE(reach->high.x, layout.bounds.high.x);
  EXPECT_LE(reach->high.y, layout.bounds.high.y);
}

TEST(GridCamera, PixelsAndWorldAreInverse) {
  const auto result = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  const auto layout = ui::grid_layout(result);
  const ui::Rect room{{100, 50}, {900, 650}};
  const auto camera = ui::grid_camera(layout, room, {0.25F, 0.75F}, 3.0F);
  const glm::vec2 pixel{321, 234};
  const glm::vec2 back = camera.pixel(camera.world(pixel));
  EXPECT_NEAR(back.x, pixel.x, 1e-3);
  EXPECT_NEAR(back.y, pixel.y, 1e-3);
  const auto fit = ui::grid_camera(layout, room, {0.5F, 0.5F}, 1.0F);
  EXPECT_TRUE(room.inset(-0.01F, -0.01F).contains(fit.pixels(layout.bounds)));
}

// A stranger's kernel may be launched on more than its buffer holds: it ended the window.
TEST(GridLayout, TheMeanOfWhatABufferDoesNotHoldIsNone) {
  core::Field field{.rows = 4, .columns = 4, .texel_rows = 2, .texel_columns = 2};
  field.texels = {1.0F, 2.0F, 3.0F, 4.0F};
  const auto mean = [&](std::uint32_t first, std::uint32_t last) {
    return ui::mean_of(field,
                       {.first_row = first, .last_row = last, .first_column = 0, .last_column = 4});
  };
  EXPECT_FLOAT_EQ(mean(0, 4), 2.5F);
  EXPECT_FLOAT_EQ(mean(2, 400000), 3.5F) << "what there is of it";
  EXPECT_TRUE(std::isnan(mean(4, 8)));
  EXPECT_TRUE(std::isnan(mean(2, 2)));
  field.texels.clear();
  EXPECT_TRUE(std::isnan(mean(0, 4)));
}

}  // namespace
