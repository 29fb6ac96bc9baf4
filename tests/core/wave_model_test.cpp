#include "core/model/wave_model.h"

#include <gtest/gtest.h>

namespace core {
namespace {

WaveOffer offer(std::uint32_t tile, glm::uvec3 covers, std::uint32_t holds, double alone,
                double full) {
  WaveOffer o;
  o.tile = tile;
  o.covers = covers;
  o.holds = holds;
  o.alone = alone;
  o.full = full;
  return o;
}

class WaveModel : public testing::Test {
 protected:
  WaveModel() {
    device.multiprocessors = 132;
    variant.workload = "matmul";
    variant.tile.constant = "BM";
    variant.model.depth = "W";
  }
  [[nodiscard]] std::vector<WavePlan> plans(const Sizes& sizes) const {
    return plan_waves(variant, *work, sizes, device);
  }

  std::vector<WorkloadPtr> known = built_in_workloads();
  WorkloadPtr work = workload_named(known, "matmul");
  DeviceInfo device;
  Variant variant;
};

TEST_F(WaveModel, CountsWavesAndWhatTheyFill) {
  variant.model.offers = {offer(128, {128, 128, 1}, 1, 0.5, 0.5)};
  const auto one = plans({896, 1792, 512});  // 7 × 14
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].tiles, 98U);
  EXPECT_EQ(one[0].workgroups, 98U);
  EXPECT_EQ(one[0].waves, 1U);
  EXPECT_DOUBLE_EQ(one[0].filled, 98.0 / 132.0);
  EXPECT_DOUBLE_EQ(one[0].useful, 1.0);
  EXPECT_DOUBLE_EQ(one[0].cost, 128.0 * 128.0 * 512.0 / 0.5);
  EXPECT_EQ(sentence(one[0]), "98 tiles on 132 multiprocessors: one wave, 74 % filled");
  // One tile more than a wave holds takes as long as two waves.
  const auto two = plans({128, 128 * 133, 512});
  EXPECT_EQ(two[0].waves, 2U);
  EXPECT_DOUBLE_EQ(two[0].cost, 2 * one[0].cost);
}

TEST_F(WaveModel, WorkgroupsTogetherAreFasterThanOneAfterTheOther) {
  variant.model.offers = {offer(64, {64, 64, 1}, 4, 0.2, 0.8)};
  const double each = 64.0 * 64.0 * 100.0;
  EXPECT_DOUBLE_EQ(plans({64, 64 * 132, 100})[0].cost, each / 0.2);
  EXPECT_DOUBLE_EQ(plans({64, 64 * 132 * 2, 100})[0].cost, 2 * each / 0.4);
  EXPECT_DOUBLE_EQ(plans({64, 64 * 132 * 4, 100})[0].cost, 4 * each / 0.8);
  // The last of five is alone again.
  EXPECT_DOUBLE_EQ(plans({64, 64 * 132 * 5, 100})[0].cost, 4 * each / 0.8 + each / 0.2);
}

TEST_F(WaveModel, EdgesAreComputedAndNotNeeded) {
  variant.model.offers = {offer(128, {128, 128, 1}, 1, 0.5, 0.5)};
  const auto all = plans({129, 64, 10});
  EXPECT_EQ(all[0].tiles, 2U);
  EXPECT_DOUBLE_EQ(all[0].useful, 129.0 * 64.0 / (2.0 * 128.0 * 128.0));
}

TEST_F(WaveModel, SharesTilesWhereTheyAreTooFew) {
  variant.model.offers = {offer(64, {64, 64, 1}, 1, 0.5, 0.5)};
  variant.model.slices = "SLICES";
  variant.model.step = 16;
  variant.model.word = 10.0;
  const auto one_tile = plans({64, 64, 65536});
  EXPECT_GT(one_tile.front().slices, 100U);
  EXPECT_LE(one_tile.front().slices, 132U);
  EXPECT_EQ(one_tile.front().settings.at("SLICES"), std::to_string(one_tile.front().slices));
  EXPECT_EQ(sentence(one_tile.front()).substr(0, 20), "one tile computed by");
  EXPECT_EQ(plans({64 * 11, 64 * 12, 4096}).front().slices, 1U) << "132 tiles need no help";
  const auto short_loop = plans({64, 64, 20});
  EXPECT_LE(short_loop.back().slices, 2U) << "no more workgroups than steps";
}

TEST_F(WaveModel, SharesOnlyTheLastWave) {
  variant.model.offers = {offer(128, {256, 128, 1}, 1, 0.75, 0.75)};
  variant.model.slices = "SLICES";
  variant.model.whole = "WHOLE";
  variant.model.step = 16;
  variant.model.word = 40.0;
  variant.model.offers[0].start = 24.0;
  const auto best = plans({3072, 3072, 3072}).front();  // 288 tiles: 2 waves and 24
  EXPECT_EQ(best.tiles, 288U);
  EXPECT_EQ(best.whole, 264U);
  EXPECT_EQ(best.settings.at("WHOLE"), "264");
  EXPECT_GT(best.slices, 1U);
  EXPECT_EQ(best.workgroups, 264U + 24U * best.slices);
  EXPECT_GT(best.filled, 0.95);
}

TEST_F(WaveModel, OffersAreForTheirFacts) {
  variant.model.offers = {offer(128, {256, 128, 1}, 1, 0.75, 0.75)};
  variant.model.offers[0].facts = {{"ALIGNED", 1}};
  EXPECT_EQ(plans({512, 512, 512}).size(), 1U);
  EXPECT_TRUE(plans({511, 511, 511}).empty());
}

TEST_F(WaveModel, NeedsADeviceThatTellsItsMultiprocessors) {
  variant.model.offers = {offer(128, {256, 128, 1}, 1, 0.75, 0.75)};
  device.multiprocessors = 0;
  EXPECT_TRUE(plans({512, 512, 512}).empty());
}

TEST_F(WaveModel, AgreesWithWhatIsGiven) {
  variant.model.slices = "SLICES";
  WavePlan plan;
  plan.tile = 128;
  plan.settings = {{"BN", "256"}, {"SLICES", "4"}};
  EXPECT_TRUE(agrees(plan, variant, {}));
  EXPECT_TRUE(agrees(plan, variant, {.tile = 128, .settings = {{"other", "1"}}}));
  EXPECT_FALSE(agrees(plan, variant, {.tile = 64}));
  EXPECT_FALSE(agrees(plan, variant, {.settings = {{"SLICES", "2"}}}));
  EXPECT_FALSE(agrees(plan, variant, {.settings = {{"BM", "64"}}}));
  WavePlan other = plan;
  other.settings["SLICES"] = "2";
  EXPECT_EQ(best_of_each({plan, other}, variant).size(), 1U);
}

}  // namespace
}  // namespace core
