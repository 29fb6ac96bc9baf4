#include "lab/ready/tuning.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

core::Variant two_by_two() {
  core::Variant variant;
  variant.tile = {.constant = "TILE", .values = {8, 16}, .preset = 16};
  variant.tune = {{"STEP", {4, 2}}};
  return variant;
}

TEST(Tuning, TriesTheKernelsOwnChoiceFirst) {
  const auto choices = lab::choices_of(two_by_two());
  ASSERT_EQ(choices.size(), 4U);
  EXPECT_EQ(choices.front(), (lab::Choice{16, {{"STEP", "4"}}}));
  EXPECT_EQ(choices.back(), (lab::Choice{8, {{"STEP", "2"}}}));
  EXPECT_TRUE(lab::choices_of({}).empty()) << "no tile size or constant to tune";
}

TEST(Tuning, SizesOfOneClassShareAChoice) {
  EXPECT_EQ(lab::size_class({4100, 5000, 8000}), "4096,4096,4096");
  EXPECT_EQ(lab::size_class({4095, 4097, 4093}), "2048,4096,2048, unaligned");
}

class Tunings : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ =
      fs::path(testing::TempDir()) / ("tilescope-tuning-" + std::to_string(::getpid()));
  fs::path file_ = folder_ / "deep" / "tuned.toml";
  std::string warning_;
};

TEST_F(Tunings, AreKeptADeviceAndADriver) {
  core::DeviceInfo device;
  device.name = "GPU \"one\"";
  device.driver = "driver 1";
  lab::Tunings tunings;
  tunings.keep(device, "matmul/tiled", {64, 64, 64}, {8, {}});
  tunings.keep(device, "matmul/tiled", {100, 100, 100}, {32, {{"STEP", "2"}}});
  ASSERT_TRUE(tunings.write(file_));
  const auto read = lab::Tunings::read(file_, warning_);
  EXPECT_TRUE(warning_.empty()) << warning_;
  const auto* choice = read.find(device, "matmul/tiled", {120, 72, 96});
  ASSERT_NE(choice, nullptr);
  EXPECT_EQ(*choice, (lab::Choice{32, {{"STEP", "2"}}})) << "the later one, of the same class";
  EXPECT_EQ(read.find(device, "matmul/tiled", {512, 512, 512}), nullptr);
  EXPECT_EQ(read.find(device, "matmul/naive", {64, 64, 64}), nullptr);
  device.driver = "driver 2";
  EXPECT_EQ(read.find(device, "matmul/tiled", {64, 64, 64}), nullptr) << "another driver";
}

TEST_F(Tunings, ThatAreDamagedAreMovedAside) {
  fs::create_directories(file_.parent_path());
  std::ofstream(file_) << "[[tuned";
  static_cast<void>(lab::Tunings::read(file_, warning_));
  EXPECT_NE(warning_.find("tuned.toml.damaged"), std::string::npos) << warning_;
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_TRUE(fs::exists(file_.string() + ".damaged"));
}

}  // namespace
