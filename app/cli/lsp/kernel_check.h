// The check of one kernel for the language server and for the window: each launch of it in a child
// process, with the texts that the editor has not saved yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/check_files.h"
#include "cli/project/check_items.h"
#include "core/base/error.h"
#include "core/base/scratch.h"

namespace cli {

/// Settings of checks in the background; those of the language server come from
/// initializationOptions or workspace/didChangeConfiguration.
struct CheckSettings {
  std::string device;       ///< index or name; empty: the first CPU device
  double timeout = 30.0;    ///< seconds for a check
  bool performance = true;  ///< also notes for bank conflicts and uncoalesced accesses, and times
};

/// Texts by the absolute paths of their files.
using EditedTexts = std::map<std::string, std::string>;

/// One launch of a kernel.
struct LaunchCheck {
  Checked checked;         ///< the report, or why there is none
  std::string launch;      ///< its name in the project file; may be empty
  std::string error_kind;  ///< why there is no report: "compile", "consent", "crash" or "check"
};

/// A compiler's message "FILE:LINE: TEXT", also with a column.
struct CompileMessage {
  std::string file;
  std::uint32_t line = 0;
  std::string text;
};
/// Reads a compiler's message. Returns nothing if the message names no line.
[[nodiscard]] std::optional<CompileMessage> compile_message(const std::string& message);

/// Returns the verdict in a few words: "racy, 2 findings". With several launches, of the first one
/// that is not clean.
[[nodiscard]] std::string verdict_words(const std::vector<LaunchCheck>& checks);

/// Runs this program in child processes. Kills the child when `go_on` returns false.
class CheckProcess {
 public:
  CheckProcess(const CheckSettings& settings, const EditedTexts& texts,
               std::function<bool()> go_on);

  /// Returns the checks of all launches of a kernel's file. Empty if it was stopped.
  [[nodiscard]] std::vector<LaunchCheck> check(const std::string& kernel);
  /// Returns what `run --json` prints of a kernel's launch, with banks. Null if it failed.
  [[nodiscard]] nlohmann::ordered_json run(const std::string& kernel, const std::string& launch);

 private:
  struct Output {
    nlohmann::ordered_json json;  // null if it printed none
    std::string crash;            // how it ended, if it did not exit
    std::string last_line;        // of stderr
  };
  [[nodiscard]] core::Expected<Output> call(std::vector<std::string> arguments,
                                            const std::string& kernel, const std::string& launch);
  [[nodiscard]] LaunchCheck check_launch(const CheckItem& item);

  CheckSettings settings_;
  core::Scratch scratch_;
  std::vector<std::string> unsaved_;  // arguments
  std::function<bool()> go_on_;
};

/// Returns the kernels that include a file, as absolute paths: of its project, else of its folder,
/// else of `root`, which may be empty. At most `most`. Stops when `go_on` returns false.
[[nodiscard]] std::vector<std::string> kernels_that_include(const std::filesystem::path& file,
                                                            const std::filesystem::path& root,
                                                            std::size_t most,
                                                            const std::function<bool()>& go_on);

}  // namespace cli
