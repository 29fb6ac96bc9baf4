// Matrices in host memory that are too large to be copied about: pages of their own, or a file's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/error.h"
#include "lab/stream/shrinking_files.h"

namespace lab {

/// Row-major float32. Moves; gives its pages back.
class HostMatrix {
 public:
  /// Memory that nothing has been written to.
  [[nodiscard]] static core::Expected<HostMatrix> make(const std::string& name, std::uint32_t rows,
                                                       std::uint32_t columns);
  /// A raw little-endian float32 file, mapped and only read. Fault::usage when it is not there, or
  /// not as large as the matrix. Where it becomes shorter afterwards, zeros are read, and whole()
  /// says no.
  [[nodiscard]] static core::Expected<HostMatrix> map(const std::filesystem::path& file,
                                                      const std::string& name, std::uint32_t rows,
                                                      std::uint32_t columns);

  HostMatrix() = default;
  HostMatrix(HostMatrix&& other) noexcept { swap(other); }
  HostMatrix& operator=(HostMatrix&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HostMatrix();

  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  [[nodiscard]] std::uint32_t columns() const { return columns_; }
  [[nodiscard]] std::span<const float> values() const { return {pages_, count()}; }
  /// All that was read was in the file.
  [[nodiscard]] bool whole() const { return !file_.shrank(); }
  /// Not of a file's.
  [[nodiscard]] std::span<float> values() { return {pages_, count()}; }

 private:
  [[nodiscard]] std::size_t count() const { return std::size_t{rows_} * columns_; }
  void swap(HostMatrix& other) noexcept;

  float* pages_ = nullptr;
  ShrinkingFile file_;
  std::uint32_t rows_ = 0;
  std::uint32_t columns_ = 0;
};

}  // namespace lab
