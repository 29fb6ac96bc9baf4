#include "lab/files/settings.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

const std::vector<core::ViewField> kFields{
    {.key = "zoom", .kind = core::ViewField::Kind::number, .low = 0.05, .high = 1e5}};

class Settings : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ =
      fs::path(testing::TempDir()) / ("tilescope-settings-" + std::to_string(::getpid()));
  fs::path file_ = folder_ / "deep" / "settings.toml";
};

TEST_F(Settings, AreAsTheyWereLeft) {
  core::View left;
  left.theme = "light";
  left.scale = 1.5F;
  left.settings["zoom"] = 7.0;
  ASSERT_TRUE(lab::write_settings(file_, kFields, left));
  core::View next;
  ASSERT_TRUE(lab::read_settings(file_, kFields, next));
  EXPECT_EQ(next.theme, "light");
  EXPECT_EQ(next.scale, 1.5F);
  EXPECT_TRUE(next.settings.empty()) << "where one looked is not remembered";
}

TEST_F(Settings, OfAFirstStartAreThePresets) {
  core::View view;
  ASSERT_TRUE(lab::read_settings(file_, kFields, view));
  EXPECT_EQ(view, core::View());
  ASSERT_TRUE(lab::write_settings(file_, kFields, view));
  EXPECT_FALSE(fs::exists(file_)) << "nothing differs, so nothing is written";
}

TEST_F(Settings, ThatAreDamagedAreMovedAside) {
  fs::create_directories(file_.parent_path());
  std::ofstream(file_) << "theme = [";
  core::View view;
  const auto read = lab::read_settings(file_, kFields, view);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("settings.toml.damaged"), std::string::npos);
  EXPECT_EQ(view, core::View());
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_TRUE(fs::exists(file_.string() + ".damaged"));
}

}  // namespace
