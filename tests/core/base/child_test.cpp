// Work in a copy of this process.
#include "core/base/child.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

constexpr std::size_t kMost = 1U << 20U;

TEST(RunApart, ReturnsTheTextOfTheWork) {
  int ours = 1;
  const std::string large(300'000, 'x');
  const auto text = core::run_apart(
      [&] {
        ours = 2;  // of the copy
        return large;
      },
      {}, kMost);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, large);
  EXPECT_EQ(ours, 1);
}

TEST(RunApart, ACrashIsAnError) {
  const auto text = core::run_apart([]() -> std::string { std::abort(); }, {}, kMost);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "its process crashed (an abort)");
}

TEST(RunApart, WorkWithoutEndIsStopped) {
  const auto text = core::run_apart(
      [] {
        ::pause();
        return std::string();
      },
      {.seconds = 0.1}, kMost);
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("stopped"), std::string::npos) << text.error().message;
}

TEST(RunApart, TooMuchTextIsAnError) {
  const auto text = core::run_apart([] { return std::string(2000, 'x'); }, {}, 1000);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message.find("its text is longer than"), 0U) << text.error().message;
}

}  // namespace
