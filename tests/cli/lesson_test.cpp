// Every lesson is gone through to its end: what is right is read off the runs.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/process.h"

namespace {

namespace fs = std::filesystem;

// Steps that the run answered.
std::size_t questions(const std::string& out) {
  std::size_t count = 0;
  for (std::size_t at = out.find(" is "); at != std::string::npos; at = out.find(" is ", at + 1)) {
    at = std::min(out.find('\n', at), out.size() - 1);
    ++count;
  }
  return count;
}

TEST(Lesson, EachIsFollowedToItsEnd) {
  std::size_t count = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(TILESCOPE_SOURCE_DIR) / "assets" / "lessons")) {
    const auto run = tests::run("lesson --check " + entry.path().string());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_GE(questions(run.out), 2U) << entry.path() << ": a lesson asks before it shows";
    ++count;
  }
  EXPECT_GE(count, 15U);
  const auto list = tests::run("lesson");
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_NE(list.out.find("barriers"), std::string::npos);
}

TEST(Lesson, WhatTheRunSaysIsToldAndMistakesHaveALine) {
  const fs::path lessons = fs::path(TILESCOPE_SOURCE_DIR) / "assets" / "lessons";
  const auto run = tests::run("lesson --check " + (lessons / "barriers.toml").string());
  EXPECT_NE(run.out.find("step 2: barriers is 2"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("step 3: verdict is racy"), std::string::npos) << run.out;
  const auto traced = tests::run("lesson --check " + (lessons / "memory.toml").string());
  EXPECT_NE(traced.out.find("step 3: sectors at is 32"), std::string::npos) << traced.out;
  EXPECT_NE(traced.out.find("step 6: ways tile is 1: It is gone"), std::string::npos) << traced.out;
  const auto missing = tests::run("lesson --check nothing.toml");
  EXPECT_EQ(missing.status, 2);
}

// A lesson of one step, and what its check says.
tests::Finished tried(const std::string& step) {
  const fs::path file = fs::path(testing::TempDir()) / "lesson_of_one_step.toml";
  std::ofstream(file) << "title = \"t\"\n[[step]]\ntext = \"t\"\n" << step;
  return tests::run("lesson --check " + file.string());
}

TEST(Lesson, WhatAWorkgroupTellsNeedsAViewOfOne) {
  const auto grid = tried("view = \"grid\"\nfact = \"times a\"\n");
  EXPECT_EQ(grid.status, 2);
  EXPECT_NE(grid.err.find("tile, banks or advice"), std::string::npos) << grid.err;
  const auto unknown = tried("view = \"tile\"\nfact = \"times\"\n");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("times ARRAY"), std::string::npos) << unknown.err;
}

TEST(Lesson, AStepHasSettingsOfItsOwn) {
  const std::string scan =
      "variant = \"scan/blelloch-padded\"\nsize = [512]\ntile = 64\nview = \"banks\"\n"
      "fact = \"ways tile\"\n";
  EXPECT_NE(tried(scan + "set = { PAD = 0 }\n").out.find("ways tile is 4"), std::string::npos);
  EXPECT_NE(tried(scan + "set = { PAD = 1 }\n").out.find("ways tile is 1"), std::string::npos);
  EXPECT_EQ(tried(scan + "set = { PAD = 0.5 }\n").status, 2);
}

}  // namespace
