#include "core/base/files.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace core {
namespace fs = std::filesystem;

Expected<void> write_file(const fs::path& file, std::span<const std::byte> content,
                          const std::function<bool()>& go_on) {
  constexpr std::size_t kBlock = 64U << 20U;
  const fs::path partial = file.string() + ".partial-" + std::to_string(::getpid());
  const auto failed = [&](const std::string& why) -> Expected<void> {
    std::error_code ignored;
    fs::remove(partial, ignored);
    return usage_error(file.string() + " cannot be written: " + why);
  };
  if (fs::is_directory(file)) {
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
