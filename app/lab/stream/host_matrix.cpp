#include "lab/stream/host_matrix.h"

#include <bit>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/bytes.h"

namespace lab {
namespace {

static_assert(std::endian::native == std::endian::little, "files are mapped as they are");

std::string reason() {
  return std::generic_category().message(errno);
}

// Closes itself.
struct File {
  int number;
  explicit File(const std::filesystem::path& file)
      : number(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (number >= 0) {
      ::close(number);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

}  // namespace

core::Expected<HostMatrix> HostMatrix::make(const std::string& name, std::uint32_t rows,
                                            std::uint32_t columns) {
  HostMatrix made;
  made.rows_ = rows;
  made.columns_ = columns;
  const std::size_t bytes = made.count() * sizeof(float);
  void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    return core::device_error(
        fmt::format("not enough memory to hold {} ({})", name, core::bytes_in_words(bytes)));
  }
  static_cast<void>(::madvise(pages, bytes, MADV_HUGEPAGE));
  made.pages_ = static_cast<float*>(pages);
  return made;
}

core::Expected<HostMatrix> HostMatrix::map(const std::filesystem::path& file,
                                           const std::string& name, std::uint32_t rows,
                                           std::uint32_t columns) {
  HostMatrix made;
  made.rows_ = rows;
  made.columns_ = columns;
  const std::size_t bytes = made.count() * sizeof(float);
  const File opened(file);
  struct stat facts{};
  if (opened.number < 0 || ::fstat(opened.number, &facts) != 0) {
    return core::usage_error(fmt::format("cannot read {}: {}", file.string(), reason()));
  }
  if (!S_ISREG(facts.st_mode) || static_cast<std::size_t>(facts.st_size) != bytes) {
    return core::usage_error(
        fmt::format("{} has {} bytes; {} has {}×{} float32 values and needs {}", file.string(),
                    facts.st_size, name, rows, columns, bytes));
  }
  void* pages = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, opened.number, 0);
  if (pages == MAP_FAILED) {
    return core::device_error(
        fmt::format("cannot map {} into memory: {}", file.string(), reason()));
  }
  static_cast<void>(::madvise(pages, bytes, MADV_WILLNEED));
  made.file_ = ShrinkingFile(pages, bytes);
  made.pages_ = static_cast<float*>(pages);
  return made;
}

HostMatrix::~HostMatrix() {
  if (pages_ != nullptr) {
    ::munmap(pages_, count() * sizeof(float));
  }
}

void HostMatrix::swap(HostMatrix& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(file_, other.file_);
  std::swap(rows_, other.rows_);
  std::swap(columns_, other.columns_);
}

}  // namespace lab
