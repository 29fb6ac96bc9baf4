#include "cli/lsp/open_window.h"

#include <array>
#include <cstdlib>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/files.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace cli {
namespace {

bool is_set(const char* variable) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

core::Expected<void> open_window(const std::string& kernel) {
  if (!core::is_file(kernel)) {
    return core::usage_error("the file is not saved; save it and open it again");
  }
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) {
    return core::device_error("no display found; set DISPLAY and restart the editor");
  }
  // A closed window's process remains in the system's table until the parent asks for its status.
  static std::vector<pid_t> open;
  std::erase_if(open, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
  std::string program = "tilescope";
  std::string name = kernel;
  std::array<char*, 3> arguments{program.data(), name.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);  // it outlives the editor
  pid_t pid = 0;
  const int failed =
      ::posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    return core::device_error("cannot start a process for the window: " +
                              std::generic_category().message(failed));
  }
  open.push_back(pid);
  return {};
}

}  // namespace cli
