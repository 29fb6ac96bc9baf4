// matmul/split: workgroups that share a tile meet in scratch memory, at any size and any sharing.
#include <memory>
#include <string>

#include <gtest/gtest.h>

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
  ASSERT_EQ(scratch.size(), 2U);
  const auto arrived = bench->download(*scratch[1]);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(*arrived, std::vector<float>(arrived->size(), 0.0F));
  EXPECT_TRUE(driver->validation_messages().empty()) << driver->validation_messages().front();
}

// Tiles larger than C, one tile by more workgroups than it has steps, whole tiles before shared
// ones, groups that are not full, unaligned rows.
INSTANTIATE_TEST_SUITE_P(Ways, Split,
                         testing::Values(Way{64, settings(64, 64, 2, 0), {1, 1, 1}},
                                         Way{64, settings(64, 64, 100, 0), {15, 17, 999}},
                                         Way{64, settings(64, 64, 37, 1), {130, 70, 1000}},
                                         Way{64, settings(128, 128, 5, 2, 8, 2), {131, 257, 1027}},
                                         Way{128, settings(64, 128, 17, 0), {200, 64, 640}},
                                         Way{128, settings(128, 256, 3, 100), {300, 200, 50}},
                                         Way{128, settings(256, 256, 4, 1), {256, 512, 128}},
                                         Way{256, settings(128, 256, 1, 0), {260, 132, 36}},
                                         Way{128, settings(128, 256, 8, 0, 8), {999, 666, 100}}));

}  // namespace
}  // namespace lab
