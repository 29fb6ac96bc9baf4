// Uploads, computation and downloads side by side: a queue each where the device has them (copy
// engines, or other queues of the computing family), else in turns on one. Each stream counts its
// submissions on a timeline semaphore, which other streams and the host wait for. Any thread may
// submit and wait; buffers and kernels must be made before.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace gpu {

enum class Stream { upload, compute, download };
constexpr std::size_t kStreams = 3;

/// A stream has done so many of its submissions.
struct Reached {
  Stream stream = Stream::upload;
  std::uint64_t count = 0;
};

/// When a submission ran, in ticks of DeviceInfo::timestamp_period_ns.
struct Ran {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

/// The device's clock and the host's (std::chrono::steady_clock) at one moment.
struct ClockReading {
  std::uint64_t ticks = 0;
  std::int64_t host_ns = 0;
  std::int64_t uncertain_ns = 0;  ///< how far the two readings may lie apart
};

class Streams {
 public:
  /// The device was opened with DeviceOptions::streams, and outlives them. `most`: submissions to
  /// each.
  [[nodiscard]] static core::Expected<std::unique_ptr<Streams>> open(
      Device& device, const std::array<std::uint64_t, kStreams>& most);
  /// Waits for all that was submitted.
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// Runs the commands (without timed sections) after those of the same stream and after `after`,
  /// which must have been submitted. Returns how many submissions that makes.
  [[nodiscard]] core::Expected<std::uint64_t> submit(Stream stream, const Commands& commands,
                                                     std::span<const Reached> after);
  /// The host waits.
  [[nodiscard]] core::Expected<void> wait(const Reached& reached) const;
  /// Submissions that are done.
  [[nodiscard]] core::Expected<std::uint64_t> done(Stream stream) const;
  /// Of submissions first to last − 1, all done. Without the device's timestamps: empty.
  [[nodiscard]] core::Expected<std::vector<Ran>> ran(Stream stream, std::uint64_t first,
                                                     std::uint64_t last) const;
  /// Where the device has no calibrated timestamps: from an empty submission and when it was back,
  /// a few times at most.
  [[nodiscard]] core::Expected<ClockReading> read_clocks();
  [[nodiscard]] bool calibrated() const;
  /// "copy engines for uploads and downloads", "one queue for all, so that nothing overlaps".
  [[nodiscard]] std::string in_words() const;

 private:
  struct Impl;
  explicit Streams(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpu
