// The folder of a capture:
//   capture.toml    what was captured; `tilescope capture` writes it
//   launches.toml   [[launches]]: one block per launch, appended when the launch is written. After
//                   a crash of the program, the complete blocks remain.
//   launch-N/       a distinct launch as a dispatch folder
// Files are the user's own (mode 0600), since they hold the program's data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/launch.h"
#include "capture/options.h"

namespace capture {

struct Submission;
struct SubmittedLaunch;

/// A hash of 128 bits. Launches of equal hashes count as equal.
class Hash {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  void add(std::uint64_t number);
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> value() const { return {a_, b_}; }

 private:
  std::uint64_t a_ = 0x9E3779B97F4A7C15;
  std::uint64_t b_ = 0xC2B2AE3D27D4EB4F;
};

class CaptureFolder {
 public:
  explicit CaptureFolder(const Options& options) : options_(options) {}

  /// Appends a launch to the index, and writes its folder if it is a new one.
  void write(const Submission& submission, const SubmittedLaunch& submitted);
  /// Appends what this process captured and how long the program waited for it.
  void write_totals(std::uint64_t waited_ns);

 private:
  struct Stored {
    std::string folder;
    std::string refused;
  };
  [[nodiscard]] Stored store(const Launch& launch, const std::array<std::uint32_t, 3>& groups);
  [[nodiscard]] Stored write_launch(const Launch& launch,
                                    const std::array<std::uint32_t, 3>& groups);
  void append(const std::string& block);

  const Options& options_;
  std::mutex mutex_;
  int index_ = -1;              // the file, open for appending
  std::uint64_t launches_ = 0;  // that were written
  std::uint64_t next_ = 1;      // of the next folder
  std::uint64_t bytes_ = 0;     // of contents that were written
  std::uint64_t captured_ = 0;
  std::uint64_t totals_of_ = 0;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> known_;
};

}  // namespace capture
