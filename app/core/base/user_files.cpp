#include "core/base/user_files.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

namespace core {
namespace fs = std::filesystem;

fs::path user_file(const char* variable, const char* otherwise, const char* name) {
  const auto folder = [](const char* of) {
    const char* value = std::getenv(of);  // NOLINT(concurrency-mt-unsafe): nobody sets it
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
