// Work that waits until its time, one piece for each name at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cli {

/// Threads that run `work` for each name that was asked for, when it is due.
class CheckQueue {
 public:
  using Clock = std::chrono::steady_clock;
  /// `go_on` returns false once the work is out of date; it may be called from any thread.
  using Work = std::function<void(const std::string& name, const std::function<bool()>& go_on)>;

  CheckQueue(std::size_t threads, Work work);
  ~CheckQueue();  ///< calls stop()
  CheckQueue(const CheckQueue&) = delete;
  CheckQueue& operator=(const CheckQueue&) = delete;

  /// Runs the work of a name after a delay, in place of what was asked for before. Work that runs
  /// for this name already is out of date.
  void want(const std::string& name, std::chrono::milliseconds delay);
  /// Work of a name that waits or runs is out of date.
  void cancel(const std::string& name);
  /// Stops the work that runs, and waits for it. want() does nothing afterwards.
  void stop();

 private:
  struct Entry {
    Clock::time_point due;
    bool waits = false;
    bool runs = false;
    std::uint64_t number = 0;  // changes when what runs is out of date
  };
  void run(const std::stop_token& stopped);
  std::string next(std::unique_lock<std::mutex>& lock, const std::stop_token& stopped);

  Work work_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Entry> entries_;
  bool stopped_ = false;
  std::vector<std::jthread> threads_;  // last: they use the others
};

}  // namespace cli
