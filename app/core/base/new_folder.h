// A folder that is written whole or not at all.
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

#include "core/base/error.h"

namespace core {

/// Makes a folder and the missing ones above it. If it is destroyed before keep(), it removes the
/// folders that it made, with what was written into them.
class NewFolder {
 public:
  NewFolder() = default;
  ~NewFolder() {
    std::error_code ignored;
    if (!made_.empty()) {
      std::filesystem::remove_all(made_, ignored);
    }
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  [[nodiscard]] Expected<void> make(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    std::error_code failed;
    fs::path first;
    for (fs::path at = fs::absolute(folder, failed).lexically_normal();
         at.has_relative_path() && !fs::exists(at, failed); at = at.parent_path()) {
      first = at;
    }
    failed.clear();
    fs::create_directories(folder, failed);
    if (failed) {
      const bool full = failed == std::errc::no_space_on_device;
      return std::unexpected(
          Error{.fault = full ? Fault::device : Fault::usage,
                .message = "cannot create " + folder.string() + ": " + failed.message()});
    }
    made_ = first;
    return {};
  }
  void keep() { made_.clear(); }

 private:
  std::filesystem::path made_;  // the topmost that was made; empty: none, or it is kept
};

}  // namespace core
