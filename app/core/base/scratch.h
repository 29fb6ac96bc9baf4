// A temporary folder.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace core {

/// A new folder for temporary files, removed with everything in it when this object is destroyed.
class Scratch {
 public:
  Scratch() {
    std::error_code failed;
    std::string name = (std::filesystem::temp_directory_path(failed) / "tilescope-XXXXXX").string();
    if (!failed && ::mkdtemp(name.data()) != nullptr) {
      path_ = name;
    }
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) {
      std::filesystem::remove_all(path_, ignored);
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Empty if no folder could be made.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace core
