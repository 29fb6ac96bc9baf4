#include "cli/capture/program.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/files.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLayerName = "VK_LAYER_TILESCOPE_capture";
constexpr const char* kManifest = "VkLayer_tilescope_capture.json";

std::string variable_of(const char* name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// In a build folder, and installed.
core::Expected<fs::path> layer_folder() {
  std::error_code failed;
  const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const fs::path& place : {here / "layer", here / "../lib/tilescope"}) {
    if (core::is_file(place / kManifest)) {
      return fs::weakly_canonical(place);
    }
  }
  return core::device_error(fmt::format("the capture layer {} is not in {} and not in {}",
                                        kManifest, (here / "layer").string(),
                                        (here / "../lib/tilescope").string()));
}

// A signal that is meant for the program must not end this one first.
class SignalsIgnored {
 public:
  SignalsIgnored() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignore, &interrupt_);
    ::sigaction(SIGQUIT, &ignore, &quit_);
  }
  ~SignalsIgnored() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGQUIT, &quit_, nullptr);
  }
  SignalsIgnored(const SignalsIgnored&) = delete;
  SignalsIgnored& operator=(const SignalsIgnored&) = delete;

 private:
  struct sigaction interrupt_{};
  struct sigaction quit_{};
};

std::vector<std::string> variables_with(const std::map<std::string, std::string>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!added.contains(text.substr(0, text.find('=')))) {
      all.push_back(text);
    }
  }
  for (const auto& [name, value] : added) {
    all.push_back(name + "=" + value);
  }
  return all;
}

std::vector<char*> null_terminated(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

core::Expected<std::map<std::string, std::string>> capture_environment(
    const fs::path& folder, const CaptureOptions& options) {
  const auto layers = TRY(layer_folder());
  std::map<std::string, std::string> all;
  // The loader ignores VK_ADD_LAYER_PATH where VK_LAYER_PATH is set.
  const std::string path = variable_of("VK_LAYER_PATH");
  const char* const name = path.empty() ? "VK_ADD_LAYER_PATH" : "VK_LAYER_PATH";
  const std::string before = variable_of(name);
  all[name] = layers.string() + (before.empty() ? "" : ":" + before);
  const std::string enabled = variable_of("VK_INSTANCE_LAYERS");
  all["VK_INSTANCE_LAYERS"] = enabled.find(kLayerName) != std::string::npos ? enabled
                              : enabled.empty()                             ? kLayerName
                                                : kLayerName + (":" + enabled);
  all["TILESCOPE_CAPTURE"] = fs::absolute(folder).lexically_normal().string();
  all["TILESCOPE_CAPTURE_PIPELINES"] = options.pipelines;
  all["TILESCOPE_CAPTURE_SKIP"] = std::to_string(options.skip);
  if (options.count > 0) {
    all["TILESCOPE_CAPTURE_COUNT"] = std::to_string(options.count);
  }
  all["TILESCOPE_CAPTURE_EVERY"] = std::to_string(options.every);
  all["TILESCOPE_CAPTURE_MAX_BYTES"] = std::to_string(options.max_bytes);
  all["TILESCOPE_CAPTURE_CONTENTS"] = options.no_contents ? "0" : "1";
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  all["TILESCOPE_CAPTURE_START"] =
      std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  return all;
}

std::string ProgramEnd::sentence() const {
  if (signal != 0) {
    return "was stopped: " + core::signal_in_words(signal);
  }
  return status == 0 ? "" : fmt::format("ended with exit status {}", status);
}

core::Expected<ProgramEnd> run_program(const std::vector<std::string>& program,
                                       const std::map<std::string, std::string>& environment,
                                       bool quiet) {
  std::vector<std::string> arguments = program;
  std::vector<std::string> variables = variables_with(environment);
  const SignalsIgnored ignored;
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  if (quiet) {
    ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  }
  sigset_t defaults;
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGINT);
  ::sigaddset(&defaults, SIGQUIT);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, arguments.front().c_str(), &actions, &attributes,
                     null_terminated(arguments).data(), null_terminated(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    return core::usage_error(
        fmt::format("{} can't be started: {}", program.front(),
                    std::error_code(failed, std::generic_category()).message()));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return ProgramEnd{.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                    .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

}  // namespace cli
