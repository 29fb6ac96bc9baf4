// Every lesson is gone through to its end: what is right is read off the runs.
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/process.h"

namespace {

namespace fs = std::filesystem;

TEST(Lesson, EachIsFollowedToItsEnd) {
  std::size_t count = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(TILESCOPE_SOURCE_DIR) / "assets" / "lessons")) {
    const auto run = tests::run("lesson --check " + entry.path().string());
    EXPECT_EQ(run.status, 0) << run.err;
    ++count;
  }
  EXPECT_GE(count, 2U);
  const auto list = tests::run("lesson");
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_NE(list.out.find("barriers"), std::string::npos);
}

TEST(Lesson, WhatTheRunSaysIsToldAndMistakesHaveALine) {
  const fs::path lessons = fs::path(TILESCOPE_SOURCE_DIR) / "assets" / "lessons";
  const auto run = tests::run("lesson --check " + (lessons / "barriers.toml").string());
  EXPECT_NE(run.out.find("step 2: barriers is 2"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("step 3: verdict is racy"), std::string::npos) << run.out;
  const auto missing = tests::run("lesson --check nothing.toml");
  EXPECT_EQ(missing.status, 2);
}

}  // namespace
