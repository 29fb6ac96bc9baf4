// What a kernel takes at each tile, on whatever device is there.
#include "lab/probe/occupancy.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/work/result.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"

namespace lab {
namespace {

class OccupancyOf : public testing::Test {
 protected:
  void SetUp() override {
    static const auto driver = gpu::Driver::open({.validation = true});
    auto bench = driver ? Workbench::open(*driver, "") : std::unexpected(driver.error());
    if (!bench) {
      GTEST_SKIP() << bench.error().message;
    }
    driver_ = *driver;
    bench_ = std::move(*bench);
  }

  std::unique_ptr<lab::Setup> set_up(const core::Experiment& experiment) {
    const auto catalogue = read_catalogue(std::filesystem::path(TILESCOPE_SOURCE_DIR) / "shaders");
    auto setup = bench_->set_up(*catalogue.find(experiment.variant), experiment, 100.0);
    EXPECT_TRUE(setup) << setup.error().message;
    return setup ? std::move(*setup) : nullptr;
  }

  std::shared_ptr<gpu::Driver> driver_;
  std::unique_ptr<Workbench> bench_;
};

TEST_F(OccupancyOf, EveryTileTakesWhatItsConstantsSay) {
  const auto setup = set_up({.variant = "matmul/tiled", .size = {64, 64, 64}});
  ASSERT_TRUE(setup);
  const core::Occupancy o = occupancy_of(*setup, bench_->info());
  ASSERT_EQ(o.tiles.size(), 3U);
  EXPECT_EQ(o.now().tile, 16U);
  for (const core::TileOccupancy& tile : o.tiles) {
    EXPECT_EQ(tile.use.invocations, tile.tile * tile.tile);
    EXPECT_EQ(tile.use.shared_bytes, 2U * 4U * tile.tile * tile.tile);
    EXPECT_EQ(tile.impossible, "");
    EXPECT_FALSE(tile.compiled);
    EXPECT_FALSE(tile.use.registers);
  }
}

TEST_F(OccupancyOf, ATileThatIsTooLargeSaysWhy) {
  const auto setup = set_up({.variant = "matmul/tiled", .size = {64, 64, 64}});
  ASSERT_TRUE(setup);
  core::DeviceInfo small = bench_->info();
  small.max_workgroup_invocations = 512;
  const core::Occupancy o = occupancy_of(*setup, small);
  EXPECT_EQ(o.tiles[2].impossible,
            "tile 32 needs 1024 invocations per workgroup; this device allows 512; choose a "
            "smaller tile");
  EXPECT_EQ(o.tiles[2].use.shared_bytes, 8192U);
  EXPECT_FALSE(o.tiles[2].residency);
}

TEST_F(OccupancyOf, ATileOutsideTheRangeStandsInIt) {
  const auto setup = set_up({.variant = "matmul/tiled", .size = {64, 64, 64}, .tile = 12});
  ASSERT_TRUE(setup);
  const core::Occupancy o = occupancy_of(*setup, bench_->info());
  EXPECT_EQ(o.tiles.size(), 4U);
  EXPECT_EQ(o.chosen, 1U);
  EXPECT_EQ(o.now().tile, 12U);
}

// On a GPU whose driver reports registers, of every tile; elsewhere it says that it does not.
TEST_F(OccupancyOf, RegistersAreReportedOrSaidNotToBe) {
  const auto setup = set_up({.variant = "transpose/tiled-padded", .size = {64, 64}});
  ASSERT_TRUE(setup);
  core::Occupancy whole = occupancy_of(*setup, bench_->info());
  while (can_refine(whole, bench_->info())) {
    const auto refined = refine(bench_->device(), *setup, 0, whole);
    ASSERT_TRUE(refined) << refined.error().message;
  }
  const bool reports = bench_->info().executable_statistics;
  EXPECT_EQ(whole.no_statistics.empty(), reports);
  EXPECT_EQ(whole.statistics.all.empty(), !reports);
  for (const core::TileOccupancy& tile : whole.tiles) {
    EXPECT_EQ(tile.compiled, reports);
  }
  EXPECT_TRUE(driver_->validation_messages().empty());
}

}  // namespace
}  // namespace lab
