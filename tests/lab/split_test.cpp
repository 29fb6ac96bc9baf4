// matmul/split: workgroups that share a tile meet in scratch memory, at any size and any sharing.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/model/wave_model.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"
#include "tests/lab/on_device.h"

namespace lab {
namespace {

struct Way {
  std::uint32_t tile = 64;
  core::Settings settings;
  core::Sizes size;
  friend void PrintTo(const Way& way, std::ostream* out) {
    *out << "tile " << way.tile << " of " << core::to_string(way.size);
    for (const auto& [name, value] : way.settings) {
      *out << " " << name << "=" << value;
    }
  }
};

core::Settings settings(int columns, int invocations, int slices, int whole, int step = 16,
                        int buffers = 1) {
  return {{"BN", std::to_string(columns)},    {"INVOCATIONS", std::to_string(invocations)},
          {"SLICES", std::to_string(slices)}, {"WHOLE", std::to_string(whole)},
          {"BK", std::to_string(step)},       {"BUFFERS", std::to_string(buffers)}};
}

core::Settings teams(int slices) {
  core::Settings all = settings(64, 256, slices, 0);
  all["TEAMS"] = "4";
  return all;
}

class Split : public test::OnDevice, public testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    variant = read_variant(find_shaders().value() / "matmul/split.comp");
    ASSERT_FALSE(variant.broken) << variant.broken->message;
  }

  core::Variant variant;
};

TEST_P(Split, IsCorrectAndLeavesNothingCounted) {
  const Way& way = GetParam();
  const core::Experiment experiment{
      .variant = variant.id(), .size = way.size, .tile = way.tile, .settings = way.settings};
  const auto setup = bench->set_up(variant, experiment, 1e9);
  ASSERT_TRUE(setup) << setup.error().message;
  for (int i = 0; i < 2; ++i) {
    const auto check = bench->verify(**setup, [](std::uint64_t /*done*/) { return true; });
    ASSERT_TRUE(check) << check.error().message;
    EXPECT_TRUE(check->correct) << check->worst;
  }
  const Buffers scratch = (*setup)->scratch.buffers();
  ASSERT_EQ(scratch.size(), 4U);  // partial sums, counters, and copies, which such sizes need not
  const auto arrived = bench->download(*scratch[1]);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(*arrived, std::vector<float>(arrived->size(), 0.0F));
  EXPECT_TRUE(driver->validation_messages().empty()) << driver->validation_messages().front();
}

// A tile larger than C, one tile by more workgroups than it has steps, teams.
INSTANTIATE_TEST_SUITE_P(Ways, Split,
                         testing::Values(Way{64, settings(64, 64, 2, 0), {1, 1, 1}},
                                         Way{64, settings(64, 64, 100, 0), {15, 17, 333}},
                                         Way{64, teams(3), {130, 68, 100}}));

// Whole tiles before shared ones, groups that are not full, unaligned rows.
INSTANTIATE_TEST_SUITE_P(Long, Split,
                         testing::Values(Way{64, settings(64, 64, 100, 0), {15, 17, 999}},
                                         Way{64, settings(64, 64, 37, 1), {130, 70, 1000}},
                                         Way{64, settings(128, 128, 5, 2, 8, 2), {131, 257, 1027}},
                                         Way{128, settings(64, 128, 17, 0), {200, 64, 640}},
                                         Way{128, settings(128, 256, 3, 100), {300, 200, 50}},
                                         Way{128, settings(256, 256, 4, 1), {256, 512, 128}},
                                         Way{256, settings(128, 256, 1, 0), {260, 132, 36}},
                                         Way{128, settings(128, 256, 8, 0, 8), {999, 666, 100}},
                                         Way{64, teams(3), {130, 68, 332}},
                                         Way{64, teams(20), {17, 15, 999}}));

// What an NVIDIA H200 gets: its 132 multiprocessors are all that the model knows of a device.
TEST(SplitModel, ChoosesByShape) {
  const core::Variant variant = read_variant(find_shaders().value() / "matmul/split.comp");
  core::DeviceInfo device;
  device.multiprocessors = 132;
  const auto best = [&](const core::Sizes& sizes) {
    return plan_waves(variant, *variant.work, sizes, device).front();
  };
  EXPECT_EQ(best({64, 64, 65536}).settings.at("TEAMS"), "4");
  EXPECT_EQ(best({64, 64, 65536}).slices, 128U);
  for (const core::Sizes& sizes : {core::Sizes{512, 512, 512}, core::Sizes{1000, 1000, 1000}}) {
    EXPECT_FALSE(best(sizes).settings.contains("TEAMS")) << core::to_string(sizes);
    EXPECT_GT(best(sizes).slices, 1U) << core::to_string(sizes);
  }
  EXPECT_EQ(best({4096, 4096, 4096}).tile, 128U);
  EXPECT_EQ(best({4096, 4096, 4096}).settings.at("BN"), "256");
  EXPECT_EQ(best({4095, 4097, 4093}).tile, 256U) << "four waves of 132, where 128 has five";
}

// Rows that start anywhere: copies first where there is much to multiply, and no launch more where
// there is little.
TEST_F(Split, CopiesAreALaunchOfTheirOwn) {
  const auto launches = [&](const core::Sizes& size) {
    const auto setup =
        bench->set_up(variant, {.variant = variant.id(), .size = size, .tile = 128}, 1e9);
    return setup ? (*setup)->launches.size() : 0;
  };
  EXPECT_EQ(launches({17, 17, 17}), 1U);
  EXPECT_EQ(launches({1200, 1100, 4001}), 2U);
}

}  // namespace
}  // namespace lab
