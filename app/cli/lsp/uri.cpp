#include "cli/lsp/uri.h"

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <system_error>

namespace cli {

std::string path_of_uri(const std::string& uri) {
  const std::string scheme = "file://";
  if (!uri.starts_with(scheme)) {
    return "";
  }
  const std::size_t slash = uri.find('/', scheme.size());
  if (slash == std::string::npos) {
    return "";
  }
  std::string path;
  for (std::size_t at = slash; at < uri.size() && uri[at] != '?' && uri[at] != '#'; ++at) {
    unsigned value = 0;
    const char* first = uri.data() + at + 1;
    if (uri[at] == '%' && at + 2 < uri.size() &&
        std::from_chars(first, first + 2, value, 16).ptr == first + 2) {
      path += static_cast<char>(value);
      at += 2;
    } else {
      path += uri[at];
    }
  }
  return path.find('\0') == std::string::npos
             ? std::filesystem::path(path).lexically_normal().string()
             : std::string();
}

}  // namespace cli
