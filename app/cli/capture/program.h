// The program that is captured: its environment, and its run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace cli {

struct CaptureOptions {
  std::string pipelines = "*";
  std::uint64_t skip = 0;
  std::uint64_t count = 0;  ///< 0: all
  std::uint64_t every = 1;
  std::uint64_t max_bytes = std::uint64_t{2} << 30U;
  bool no_contents = false;
};

/// Variables that enable the layer for a program and its children. Fault::device if the layer is
/// not installed.
[[nodiscard]] core::Expected<std::map<std::string, std::string>> capture_environment(
    const std::filesystem::path& folder, const CaptureOptions& options);

struct ProgramEnd {
  int status = 0;  ///< exit status
  int signal = 0;  ///< that ended it; 0: none
  /// "ended with exit status 1"; empty if it ended with 0.
  [[nodiscard]] std::string sentence() const;
};

/// Runs a program with these variables added and waits for its end. `quiet` sends its stdout to
/// stderr. Interrupts go to the program alone. Fault::usage if it can't be started.
[[nodiscard]] core::Expected<ProgramEnd> run_program(
    const std::vector<std::string>& program, const std::map<std::string, std::string>& environment,
    bool quiet);

}  // namespace cli
