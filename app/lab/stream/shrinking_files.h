// Files that are mapped, and become shorter meanwhile: the system answers a read behind their end
// with SIGBUS, which would end the program. Here such pages become zeros, and it is remembered.
#pragma once

#include <cstddef>

namespace lab {

/// Watches the pages of one mapped file, of which `bytes` from `pages` on may be read.
class ShrinkingFile {
 public:
  ShrinkingFile() = default;
  ShrinkingFile(const void* pages, std::size_t bytes);
  ShrinkingFile(ShrinkingFile&& other) noexcept { swap(other); }
  ShrinkingFile& operator=(ShrinkingFile&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ShrinkingFile();

  /// Something was read that is no longer in the file.
  [[nodiscard]] bool shrank() const;

 private:
  void swap(ShrinkingFile& other) noexcept;

  int watch_ = -1;  // among those of the process; below 0: none
};

}  // namespace lab
