// The folder of a capture, which the layer of `tilescope capture` wrote (capture/files/folder.h):
//   capture.toml    tilescope_capture = 1, the program's command line, when it was started
//   launches.toml   [[launches]], every launch; [[processes]], what each process captured so far
//   launch-N/       a distinct launch as a saved dispatch (lab/files/dispatch_file.h)
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace lab {

inline constexpr const char* kCaptureFile = "capture.toml";
inline constexpr const char* kReportFile = "report.json";  ///< of the last check of a launch

struct CapturedLaunch {
  std::uint64_t number = 0;   ///< in its process, from 1
  std::uint64_t process = 0;  ///< process id
  double seconds = 0.0;       ///< from the start of the capture to the submission
  std::string queue;          ///< "FAMILY.INDEX"
  std::string pipeline;
  std::string label;  ///< debug labels around the dispatch; may be empty
  std::array<std::uint32_t, 3> groups{};
  std::string folder;  ///< "launch-3"; empty: it was not captured
  std::string reason;  ///< why not; empty: it was not selected
};

/// The counts of one captured process.
struct CapturedProcess {
  std::uint64_t launches = 0;
  std::uint64_t captured = 0;
  std::uint64_t bytes = 0;  ///< of contents
  double waited = 0.0;      ///< seconds that the program waited for the layer
};

struct Capture {
  std::filesystem::path folder;
  std::vector<std::string> program;
  std::string started;  ///< UTC
  /// By time. Launches of one process are in the order of their submission.
  std::vector<CapturedLaunch> launches;
  std::map<std::uint64_t, CapturedProcess> processes;  ///< by process id

  /// The folders of distinct launches by their first launch: "launch-1".
  [[nodiscard]] std::vector<std::string> distinct() const;
};

/// The folder has a file capture.toml.
[[nodiscard]] bool is_capture(const std::filesystem::path& folder);

/// Errors name file and line. A last launch that was not written to its end, as after a crash, is
/// left out.
[[nodiscard]] core::Expected<Capture> read_capture(const std::filesystem::path& folder);

/// Writes capture.toml into the folder, for its owner alone.
[[nodiscard]] core::Expected<void> write_capture(const std::filesystem::path& folder,
                                                 const std::vector<std::string>& program);

}  // namespace lab
