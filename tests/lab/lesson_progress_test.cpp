// How far somebody has come in the lessons, from one start to the next.
#include "lab/files/lesson_progress.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

TEST(LessonProgress, IsKeptWhole) {
  const fs::path folder =
      fs::path(testing::TempDir()) / ("tilescope-progress-" + std::to_string(::getpid()));
  fs::remove_all(folder);
  const fs::path file = folder / "lessons.toml";
  EXPECT_EQ(lab::read_progress(file).value_or(core::LessonProgress{.declined = true}),
            core::LessonProgress{})
      << "no file is no progress";
  const core::LessonProgress progress{.passed = {{"barriers", 3}, {"first-look", 2}},
                                      .declined = true};
  ASSERT_TRUE(lab::write_progress(file, progress));
  EXPECT_EQ(lab::read_progress(file).value_or(core::LessonProgress{}), progress);
  std::ofstream(file) << "passed = [";
  const auto damaged = lab::read_progress(file);
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find("was renamed to"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "lessons.toml.damaged")) << "nothing is lost";
  fs::remove_all(folder);
}

}  // namespace
