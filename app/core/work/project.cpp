#include "core/work/project.h"

#include <cstdlib>
#include <system_error>

namespace core {

namespace fs = std::filesystem;

namespace {

fs::path absolute_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal();
}

}  // namespace

fs::path project_of(const fs::path& folder) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* home = std::getenv("HOME");
  const fs::path house = home != nullptr && *home != '\0' ? absolute_folder(home) : fs::path();
  for (fs::path at = absolute_folder(folder / "."); at.has_relative_path(); at = at.parent_path()) {
    if (at == house || at == house / "") {
      return {};
    }
    std::error_code ignored;
    for (const char* mark : {".git", ".hg", ".svn", ".jj", "tilescope.toml"}) {
      if (fs::exists(at / mark, ignored)) {
        return at;
      }
    }
  }
  return {};
}

}  // namespace core
