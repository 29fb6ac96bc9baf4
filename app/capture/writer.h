// The layer's own thread: waits for submissions to end, and writes their launches.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capture/files/folder.h"
#include "capture/launch.h"
#include "capture/options.h"

namespace capture {

struct Device;

struct SubmittedLaunch {
  std::shared_ptr<Launch> launch;
  std::string refused;  ///< why this submission of it isn't captured; empty: as the launch says
  std::uint64_t number = 0;  ///< place in the process's order of submission, from 1
};

/// The launches of one call of vkQueueSubmit.
struct Submission {
  Device* device = nullptr;
  VkFence fence =
      VK_NULL_HANDLE;  ///< signalled when the copies are there; none: there are no copies
  std::uint64_t time_ns = 0;
  std::uint32_t family = 0;
  std::uint32_t queue = 0;
  std::vector<SubmittedLaunch> launches;
  VkDeviceSize bytes = 0;  ///< of the copies
};

class Writer {
 public:
  explicit Writer(const Options& options) : folder_(options) {}

  /// Takes a submission to be written and counts it as pending. Starts the thread when it is called
  /// first. Waits, at most ten seconds, while more than a GiB
  /// of copies is unread.
  void push(Submission submission);
  /// Waits until no earlier submission of these launches is unread: their copies are about to be
  /// overwritten. Gives up after ten seconds; false then.
  [[nodiscard]] bool wait_for(const std::vector<SubmittedLaunch>& launches);
  /// Waits until all submissions of a device are written, at most `seconds`. Null: of all devices,
  /// and the thread ends then.
  void drain(const Device* device, double seconds);

 private:
  void start();
  void work();
  [[nodiscard]] bool is_ready(const Submission& submission, bool& lost) const;
  void write(Submission& submission, bool lost);

  CaptureFolder folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Submission> waiting_;
  const Device* busy_with_ = nullptr;  // the device of the submission that is written now
  VkDeviceSize unread_bytes_ = 0;
  bool started_ = false;
  bool stopped_ = false;
  std::uint64_t submitted_ = 0;  // launches
  std::uint64_t waited_ns_ = 0;  // by the program, for the writer
};

}  // namespace capture
