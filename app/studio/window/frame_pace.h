// When the window draws a frame: for each input, and some more until hovering and scrolling have
// followed; for what is new, but not too often; and none otherwise.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace studio {

class FramePace {
 public:
  using Clock = std::chrono::steady_clock;

  /// There was an input.
  void settle() { due_ = kSettling; }
  void one_more() { due_ = std::max(due_, 1); }
  /// Nobody waits for a frame: events may be waited for.
  [[nodiscard]] bool waits() const { return due_ == 0; }
  /// A frame is to be drawn now. `news`: what is shown has changed, or changes by itself.
  [[nodiscard]] bool due(bool news, Clock::time_point now) const {
    return due_ > 0 || (news && now - last_ >= kLeastBetween);
  }
  void drawn(Clock::time_point now) {
    due_ = std::max(0, due_ - 1);
    last_ = now;
    ++count_;
  }
  /// Frames so far.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  static constexpr int kSettling = 3;
  static constexpr auto kLeastBetween = std::chrono::milliseconds(30);
  int due_ = kSettling;
  Clock::time_point last_;
  std::uint64_t count_ = 0;
};

}  // namespace studio
