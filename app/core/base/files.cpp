#include "core/base/files.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace core {
namespace fs = std::filesystem;

Expected<std::string> read_file(const fs::path& file, std::size_t most) {
  const auto failed = [&](const std::string& why) {
    return usage_error(file.string() + " cannot be read: " + why);
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (error && !fs::exists(status)) {
    return failed(error.message());
  }
  if (!fs::exists(status)) {
    return failed("there is no such file");
  }
  if (!fs::is_regular_file(status)) {
    return failed(fs::is_directory(status) ? "it is a folder" : "it is no regular file");
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

Expected<void> write_file(const fs::path& file, std::span<const std::byte> content,
                          const std::function<bool()>& go_on) {
  constexpr std::size_t kBlock = 64U << 20U;
  const fs::path partial = file.string() + ".partial-" + std::to_string(::getpid());
  const auto failed = [&](const std::string& why) -> Expected<void> {
    std::error_code ignored;
    fs::remove(partial, ignored);
    return usage_error(file.string() + " cannot be written: " + why);
  };
  if (is_folder(file)) {
    return failed("it is a folder");
  }
  errno = 0;
  {
    std::ofstream stream(partial, std::ios::binary);
    for (std::size_t at = 0; at < content.size() && stream; at += kBlock) {
      if (at > 0 && go_on && !go_on()) {
        return failed("cancelled");
      }
      const auto block = content.subspan(at, std::min(kBlock, content.size() - at));
      stream.write(reinterpret_cast<const char*>(block.data()),
                   static_cast<std::streamsize>(block.size()));
    }
    stream.close();
    if (!stream) {
      return failed(std::generic_category().message(errno));
    }
  }
  std::error_code error;
  fs::rename(partial, file, error);
  if (error) {
    return failed(error.message());
  }
  return {};
}

}  // namespace core
