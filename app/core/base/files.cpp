#include "core/base/files.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace core {
namespace fs = std::filesystem;

Expected<std::string> read_file(const fs::path& file, std::size_t most) {
  const auto failed = [&](const std::string& why) {
    return usage_error("cannot read " + file.string() + ": " + why);
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (error && !fs::exists(status)) {
    return failed(error.message());
  }
  if (!fs::exists(status)) {
    return failed("file not found");
  }
  if (!fs::is_regular_file(status)) {
    return failed(fs::is_directory(status) ? "it is a folder" : "it is not a regular file");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  while (stream) {
    constexpr std::size_t kBlock = 1U << 16U;
    const std::size_t before = text.size();
    text.resize(before + kBlock);
    stream.read(text.data() + before, kBlock);
    text.resize(before + static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most) {
      return failed("it is larger than " + std::to_string(most) + " bytes");
    }
  }
  if (!stream.eof()) {
    return failed(std::generic_category().message(errno != 0 ? errno : EIO));
  }
  return text;
}

bool is_file(const fs::path& file) noexcept {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored);
}

bool is_folder(const fs::path& folder) noexcept {
  std::error_code ignored;
  return fs::is_directory(folder, ignored);
}

namespace {

// A file beside its target, without a name until it is whole where the file system has such: what
// ends the process meanwhile leaves nothing behind.
class Partial {
 public:
  explicit Partial(const fs::path& target)
      : name_(target.string() + ".partial-" + std::to_string(::getpid())) {
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    file_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode);
    if (file_ < 0) {
      file_ = ::open(name_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, kMode);
      named_ = file_ >= 0;
    }
  }
  ~Partial() {
    if (file_ >= 0) {
      ::close(file_);
    }
    if (named_) {
      ::unlink(name_.c_str());
    }
  }
  Partial(const Partial&) = delete;
  Partial& operator=(const Partial&) = delete;

  // errno says why not.
  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  [[nodiscard]] bool write(std::span<const std::byte> block) const {
    while (!block.empty()) {
      const ssize_t wrote = ::write(file_, block.data(), block.size());
      if (wrote < 0 && errno != EINTR) {
        return false;
      }
      block = block.subspan(static_cast<std::size_t>(std::max<ssize_t>(wrote, 0)));
    }
    return true;
  }
  [[nodiscard]] bool become(const fs::path& target) {
    if (!named_) {
      const std::string self = "/proc/self/fd/" + std::to_string(file_);
      ::unlink(name_.c_str());
      if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
        return false;
      }
      named_ = true;
    }
    const int file = std::exchange(file_, -1);
    if (::close(file) != 0 || ::rename(name_.c_str(), target.c_str()) != 0) {
      return false;
    }
    named_ = false;
    return true;
  }

 private:
  static constexpr mode_t kMode = 0666;  // less the umask
  std::string name_;
  int file_ = -1;
  bool named_ = false;
};

}  // namespace

Expected<void> write_file(const fs::path& file, std::span<const std::byte> content,
                          const std::function<bool()>& go_on) {
  constexpr std::size_t kBlock = 64U << 20U;
  const auto failed = [&](const std::string& why) -> Expected<void> {
    return usage_error("cannot write " + file.string() + ": " + why);
  };
  const auto failed_now = [&]() -> Expected<void> {
    const int error = errno;
    auto why = failed(std::generic_category().message(error));
    const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO;
    why.error().fault = full ? Fault::device : Fault::usage;
    return why;
  };
  std::error_code ignored;
  const fs::file_status there = fs::status(file, ignored);
  if (fs::exists(there) && !fs::is_regular_file(there)) {  // /dev/null stays what it is
    return failed(fs::is_directory(there) ? "it is a folder" : "it is not a regular file");
  }
  Partial partial(file);
  if (!partial.is_open()) {
    return failed_now();
  }
  for (std::size_t at = 0; at < content.size(); at += kBlock) {
    if (at > 0 && go_on && !go_on()) {
      return failed("cancelled");
    }
    if (!partial.write(content.subspan(at, std::min(kBlock, content.size() - at)))) {
      return failed_now();
    }
  }
  return partial.become(file) ? Expected<void>() : failed_now();
}

fs::path user_file(const char* variable, const char* otherwise, const char* name) {
  const auto folder = [](const char* of) {
    const char* value = std::getenv(of);  // NOLINT(concurrency-mt-unsafe): never set
    return fs::path(value == nullptr ? "" : value);
  };
  // The specification ignores relative paths.
  if (const fs::path given = folder(variable); given.is_absolute()) {
    return given / "tilescope" / name;
  }
  const fs::path home = folder("HOME");
  return home.is_absolute() ? home / otherwise / "tilescope" / name : fs::path();
}

fs::path cache_file(const char* name) {
  return user_file("XDG_CACHE_HOME", ".cache", name);
}

std::string fingerprint(std::string_view text) {
  constexpr std::uint64_t kPrime = 0x100000001B3U;
  std::uint64_t a = 0xCBF29CE484222325U;
  std::uint64_t b = 0x9E3779B97F4A7C15U;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * kPrime;
    b = (b ^ (static_cast<unsigned char>(c) + 0x5BU)) * kPrime;
    b ^= b >> 29U;
  }
  std::string digits;
  for (const std::uint64_t half : {a, b}) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      digits += "0123456789abcdef"[half >> static_cast<unsigned>(shift) & 0xFU];
    }
  }
  return digits;
}

void keep_newest(const fs::path& folder, std::size_t most) {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; entry != end && !failed;
       entry.increment(failed)) {
    std::error_code ignored;
    files.emplace_back(entry->last_write_time(ignored), entry->path());
  }
  if (files.size() <= most) {
    return;
  }
  std::ranges::sort(files);
  files.resize(files.size() - most);
  for (const auto& [time, file] : files) {
    fs::remove(file, failed);
  }
}

}  // namespace core
