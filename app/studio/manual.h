// Pages of the manual, shown by whatever the desktop shows such files with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <sys/types.h>

#include "core/base/error.h"
#include "ui/manual.h"

namespace studio {

/// assets/manual beside the sources, or where it is installed. Fault::usage where it is nowhere.
[[nodiscard]] core::Expected<std::filesystem::path> find_manual();

/// A chapter of a page as a page of its own: its heading, where it is from, and its text up to the
/// next heading of its level, with the links of a page in `folder`. Empty: there is no such
/// heading.
[[nodiscard]] std::string chapter_of(const std::string& page, const std::string& heading,
                                     const std::filesystem::path& folder);

class Manual {
 public:
  /// Hands a page to xdg-open and does not wait for it. A chapter becomes a file in the user's
  /// cache. Errors say where the page can be read.
  [[nodiscard]] core::Expected<void> open(const ui::ManualPage& page);
  /// What xdg-open failed with, once it has.
  [[nodiscard]] std::optional<std::string> failure();

 private:
  std::filesystem::path shown_;
  pid_t opener_ = 0;  ///< 0: none is under way
};

}  // namespace studio
