// A window that nothing happens in draws nothing.
#include "studio/window/frame_pace.h"

#include <gtest/gtest.h>

namespace {

using std::chrono::milliseconds;
using studio::FramePace;

// Frames that a loop draws in so long, looking around every 16 ms; `news`: every so often, 0 never.
std::uint64_t frames_in(FramePace& pace, milliseconds time, milliseconds news) {
  const std::uint64_t before = pace.count();
  const auto start = FramePace::Clock::time_point(milliseconds(1'000'000));
  for (milliseconds at{0}; at < time; at += milliseconds(16)) {
    const bool fresh = news.count() > 0 && at.count() % news.count() < 16;
    if (pace.due(fresh, start + at)) {
      pace.drawn(start + at);
    }
  }
  return pace.count() - before;
}

TEST(FramePace, NothingNewIsNotDrawn) {
  FramePace pace;
  EXPECT_FALSE(pace.waits()) << "the first frames";
  frames_in(pace, milliseconds(200), milliseconds(0));
  EXPECT_TRUE(pace.waits());
  EXPECT_EQ(frames_in(pace, std::chrono::minutes(10), milliseconds(0)), 0U);
}

TEST(FramePace, AnInputIsFollowedAndNewsAreNotDrawnTooOften) {
  FramePace pace;
  frames_in(pace, milliseconds(200), milliseconds(0));
  pace.settle();
  EXPECT_EQ(frames_in(pace, std::chrono::seconds(10), milliseconds(0)), 3U);
  const std::uint64_t live = frames_in(pace, std::chrono::seconds(1), milliseconds(16));
  EXPECT_GE(live, 20U);
  EXPECT_LE(live, 34U) << "30 ms between";
}

}  // namespace
