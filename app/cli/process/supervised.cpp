#include "cli/process/supervised.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/process/guard.h"
#include "cli/process/streams.h"
#include "core/base/child.h"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kVariable = "TILESCOPE_WINDOW";  // "=SENTENCE", "bare=SENTENCE"
constexpr std::chrono::seconds kSoon{20};
constexpr int kMostSoon = 3;

std::string variable(const WindowStart& start) {
  return fmt::format("{}={}={}", kVariable, start.bare ? "bare" : "", start.ended);
}

// Taken out of the environment: what the window starts is no window.
std::optional<WindowStart> told_to_open() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread yet
  const char* given = std::getenv(kVariable);
  if (given == nullptr) {
    return std::nullopt;
  }
  const std::string text = given;
  ::unsetenv(kVariable);  // NOLINT(concurrency-mt-unsafe)
  const std::size_t equals = text.find('=');
  return WindowStart{.ended = equals == std::string::npos ? "" : text.substr(equals + 1),
                     .bare = text.starts_with("bare=")};
}

core::Expected<pid_t> spawn_window(const WindowStart& start) {
  std::vector<std::string> words{"tilescope"};
  words.insert(words.end(), call_arguments().begin(), call_arguments().end());
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  std::string told = variable(start);
  std::vector<char*> environment{told.data()};
  for (char** at = ::environ; *at != nullptr; ++at) {
    environment.push_back(*at);
  }
  environment.push_back(nullptr);
  pid_t pid = 0;
  const int failed =
      ::posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, arguments.data(), environment.data());
  if (failed != 0) {
    return core::device_error("cannot start a process for the window: " +
                              std::generic_category().message(failed));
  }
  return pid;
}

// What waitpid() says of its end.
core::Expected<int> end_of_window(const WindowStart& start) {
  const auto pid = TRY(spawn_window(start));
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

bool is_fault(int signal) {
  static constexpr std::array faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  return std::ranges::find(faults, signal) != faults.end();
}

// As whoever called us would see it of the window itself.
void end_by(int signal) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

Outcome watch() {
  WindowStart start;
  for (int soon = 0;;) {
    const auto begin = Clock::now();
    const auto status = TRY(end_of_window(start));
    if (WIFEXITED(status)) {
      return WEXITSTATUS(status);
    }
    const int signal = WTERMSIG(status);
    const std::string ended = fmt::format("the window ended ({})", core::signal_in_words(signal));
    if (!is_fault(signal)) {
      end_by(signal);
      return core::device_error(ended);
    }
    soon = Clock::now() - begin < kSoon ? soon + 1 : 1;
    if (soon >= kMostSoon) {
      return core::device_error(
          ended +
          " right after opening, three times in a row; open another kernel, or try --in-process");
    }
    start = {.ended = ended, .bare = soon + 1 == kMostSoon};
    complain(ended + (start.bare ? "; it has been reopened with the default kernel"
                                 : "; it has been reopened in its earlier state"));
  }
}

}  // namespace

Outcome supervised(const std::function<Outcome(const WindowStart&)>& open) {
  if (const auto start = told_to_open()) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    return open(*start);
  }
  return watch();
}

}  // namespace cli
