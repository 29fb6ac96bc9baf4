// A line on stderr for whatever takes more than a second: what is being done, how much of it, and
// for how long by now. On a terminal only; what is printed meanwhile comes when the line is gone.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace cli {

class ProgressLine {
 public:
  /// `what` is a few words, such as the kernel's name; without a terminal nothing is ever shown.
  explicit ProgressLine(std::string what);
  /// Takes the line away, then lets stdout's text through.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void show(const std::stop_token& stopped);
  std::string what_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

/// What was printed so far is shown now, above the line.
void show_output();

/// Takes the line away for as long as it takes to print something else: for complain().
void clear_progress() noexcept;

}  // namespace cli
