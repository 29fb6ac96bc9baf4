#include "core/base/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/bytes.h"
#include "core/base/watched_step.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace core {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kStepsVariable = "TILESCOPE_STEPS_TO";
constexpr int kStepsDescriptor = 3;  // of the child
constexpr rlim_t kStack = rlim_t{512} << 20U;
constexpr int kTick = 100;                        // ms between two looks at time and memory
constexpr double kClockFactor = 10.0;             // a busy machine is no reason to give up
constexpr std::size_t kMostKept = 64U << 20U;     // bytes of what it says
constexpr std::size_t kMostOutput = 4ULL << 30U;  // of its answer: a document cut short is none

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() = default;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool open() { return ::pipe2(ends.data(), O_CLOEXEC) == 0; }
  void close_end(std::size_t end) {
    if (ends[end] >= 0) {
      ::close(ends[end]);
      ends[end] = -1;
    }
  }
};

// A larger stack for the child; ours is as it was afterwards.
class StackLimit {
 public:
  StackLimit() {
    ::getrlimit(RLIMIT_STACK, &before_);
    rlimit larger = before_;
    larger.rlim_cur = std::max(before_.rlim_cur, std::min(kStack, before_.rlim_max));
    ::setrlimit(RLIMIT_STACK, &larger);
  }
  ~StackLimit() { ::setrlimit(RLIMIT_STACK, &before_); }
  StackLimit(const StackLimit&) = delete;
  StackLimit& operator=(const StackLimit&) = delete;

 private:
  rlimit before_{};
};

std::vector<std::string> environment_of(const ChildCall& call) {
  auto added = call.environment;
  added[kStepsVariable] = std::to_string(kStepsDescriptor);
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

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::uint64_t resident_bytes(pid_t pid) {
  std::ifstream statm("/proc/" + std::to_string(pid) + "/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  statm >> all >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

double processor_seconds(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  std::getline(file, stat);
  stat.erase(0, stat.rfind(')') + 1);  // the name may hold blanks
  std::uint64_t ticks = 0;
  std::size_t at = 0;
  for (int field = 3; field <= 15 && at != std::string::npos; ++field) {
    at = stat.find_first_not_of(' ', at);
    const std::size_t end = at == std::string::npos ? at : stat.find(' ', at);
    std::uint64_t value = 0;
    if (field >= 14 && end != std::string::npos) {
      std::from_chars(stat.data() + at, stat.data() + end, value);
      ticks += value;
    }
    at = end;
  }
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Watches one child: its pipes, its time and its memory.
class Watch {
 public:
  Watch(const ChildCall& call, const ChildLimits& limits, pid_t pid)
      : call_(call), limits_(limits), pid_(pid) {}

  ChildEnd until_end(int steps, int err, int out) {
    std::array<pollfd, 3> pipes{{{steps, POLLIN, 0}, {err, POLLIN, 0}, {out, POLLIN, 0}}};
    while (std::ranges::any_of(pipes, [](const pollfd& pipe) { return pipe.fd >= 0; })) {
      const int ready = ::poll(pipes.data(), pipes.size(), kTick);
      for (std::size_t i = 0; ready > 0 && i < pipes.size(); ++i) {
        if (pipes[i].revents != 0 && !read(pipes[i].fd, i)) {
          pipes[i].fd = -1;
        }
      }
      look();
    }
    wait();
    return std::move(end_);
  }

 private:
  bool read(int descriptor, std::size_t which) {
    std::array<char, 65536> block{};
    const ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got <= 0) {
      return got < 0 && errno == EINTR;
    }
    const std::string_view text(block.data(), static_cast<std::size_t>(got));
    if (which == 2) {
      end_.out.append(text.substr(0, kMostOutput - std::min(kMostOutput, end_.out.size())));
      return true;
    }
    std::string& open = which == 0 ? open_step_ : open_line_;
    open += text;
    for (std::size_t at = open.find('\n'); at != std::string::npos; at = open.find('\n')) {
      which == 0 ? take_step(open.substr(0, at)) : take_line(open.substr(0, at));
      open.erase(0, at + 1);
    }
    return true;
  }

  void take_step(const std::string& line) {
    const std::size_t blank = line.find(' ');
    const std::string what = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (line.starts_with('=')) {
      step_bytes_ = std::strtoull(line.c_str() + 1, nullptr, 10);
      return;
    }
    if (line.starts_with('~')) {
      counted_ = std::strtod(line.c_str() + 1, nullptr);
      if (call_.show_steps) {
        set_doing({what, counted_});
      }
      return;
    }
    if (call_.show_steps && counted_ < 0.0 && !what.empty()) {
      set_doing({what, -1.0});
    }
    step_seconds_ = std::strtod(line.c_str(), nullptr);
    end_.step = what;
    step_start_ = Clock::now();
    step_processor_ = processor_seconds(pid_);
  }

  void take_line(const std::string& line) {
    if (call_.on_line && line.starts_with("tilescope: ")) {
      call_.on_line(line);
    } else if (end_.err.size() < kMostKept) {
      end_.err += line + "\n";
    }
  }

  void look() {
    if (killed_ || Clock::now() < next_look_) {
      return;
    }
    next_look_ = Clock::now() + std::chrono::milliseconds(kTick);
    using enum ChildEnd::Why;
    if (call_.go_on && !call_.go_on()) {
      kill(stopped);
    } else if (limits_.seconds > 0.0 && seconds_since(start_) > limits_.seconds) {
      kill(time_limit);
    } else if (limits_.bytes > 0 && resident_bytes(pid_) > limits_.bytes) {
      kill(memory_limit);
    } else if (step_bytes_ > 0 && resident_bytes(pid_) > step_bytes_) {
      end_.step_bytes = step_bytes_;
      kill(memory_limit);
    } else if (step_seconds_ > 0.0 && (processor_seconds(pid_) - step_processor_ > step_seconds_ ||
                                       seconds_since(step_start_) > kClockFactor * step_seconds_)) {
      kill(step_limit);
    }
  }

  void kill(ChildEnd::Why why) {
    end_.why = why;
    killed_ = true;
    ::kill(pid_, SIGKILL);
  }

  void wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    end_.seconds = seconds_since(start_);
    if (!open_line_.empty()) {
      take_line(open_line_);
    }
    if (WIFSIGNALED(status) && !killed_) {
      end_.why = ChildEnd::Why::signal;
      end_.signal = WTERMSIG(status);
    }
    end_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  }

  const ChildCall& call_;
  const ChildLimits& limits_;
  pid_t pid_;
  ChildEnd end_;
  std::string open_step_;
  std::string open_line_;
  double step_seconds_ = 0.0;
  std::uint64_t step_bytes_ = 0;
  double counted_ = -1.0;  // share of what it counts; below 0: nothing
  double step_processor_ = 0.0;
  bool killed_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point step_start_ = start_;
  Clock::time_point next_look_ = start_;
};

}  // namespace

std::string signal_in_words(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "a memory access fault";
    case SIGFPE:
      return "an arithmetic fault, such as a division by zero";
    case SIGABRT:
      return "an abort";
    case SIGBUS:
      return "a bus error";
    case SIGILL:
      return "an illegal instruction";
    case SIGKILL:
      return "killed by the system, perhaps because it ran out of memory";
    default:
      return "signal " + std::to_string(signal);
  }
}

std::string ChildEnd::sentence(const std::string& what, const ChildLimits& limits) const {
  const std::string during = step.empty() ? "" : " while " + step;
  switch (why) {
    case Why::exited:
      return "";
    case Why::signal:
      return what + ": its process crashed (" + signal_in_words(signal) + ")" + during;
    case Why::step_limit:
      return what + ": stopped after " + std::to_string(static_cast<int>(seconds)) + " s" + during +
             ", the limit of this step";
    case Why::time_limit:
      return what + ": stopped after " + std::to_string(static_cast<int>(seconds)) + " s" + during +
             ", the limit of --timeout";
    case Why::memory_limit:
      return what + ": stopped" + during + ": it used more than " +
             bytes_in_words(step_bytes > 0 ? step_bytes : limits.bytes) + " of memory" +
             (step_bytes > 0 ? "; raise the limit with --compile-memory" : "");
    case Why::stopped:
      return what + ": stopped" + during;
  }
  return "";
}

ChildLimits stranger_limits(double seconds) {
  return {.seconds = seconds, .bytes = available_memory() / 10 * 9};
}

Expected<ChildEnd> run_child(const ChildCall& call, const ChildLimits& limits,
                             const std::string& program) {
  const auto failed = [](int error) {
    return device_error("cannot start a child process: " + std::generic_category().message(error));
  };
  Pipe steps;
  Pipe err;
  Pipe out;
  if (!steps.open() || !err.open() || (call.keep_output && !out.open())) {
    return failed(errno);
  }
  std::vector<std::string> arguments{"tilescope"};
  arguments.insert(arguments.end(), call.arguments.begin(), call.arguments.end());
  auto environment = environment_of(call);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  // Above all that they are copied onto.
  const int told = ::fcntl(steps.ends[1], F_DUPFD_CLOEXEC, 16);
  ::posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  if (call.keep_output) {
    ::posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  }
  ::posix_spawn_file_actions_adddup2(&actions, told, kStepsDescriptor);
  pid_t pid = 0;
  int error = 0;
  {
    const StackLimit larger;
    error = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, pointers_to(arguments).data(),
                          pointers_to(environment).data());
  }
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(told);
  for (Pipe* pipe : {&steps, &err, &out}) {
    pipe->close_end(1);
  }
  if (error != 0) {
    return failed(error);
  }
  return Watch(call, limits, pid).until_end(steps.ends[0], err.ends[0], out.ends[0]);
}

namespace {

// Bytes of the data segment, which RLIMIT_DATA counts.
rlim_t data_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::array<std::uint64_t, 6> pages{};
  for (std::uint64_t& each : pages) {
    statm >> each;
  }
  return pages[5] * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit(decltype(RLIMIT_CORE) what, rlim_t most) {
  const rlimit both{most, most};
  ::setrlimit(what, &both);
}

// The copy of the process: it ends here, without the exit handlers of the original.
[[noreturn]] void work_apart(const std::function<std::string()>& work, const ChildLimits& limits,
                             rlim_t data, int out) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  if (limits.bytes > 0) {
    limit(RLIMIT_DATA, data + limits.bytes);
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE}) {
    ::signal(signal, SIG_DFL);
  }
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);  // an assertion that fails says so
  const std::string text = work();
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = ::write(out, rest.data(), rest.size());
    if (written < 0) {
      ::_exit(1);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  ::_exit(0);
}

}  // namespace

Expected<std::string> run_apart(const std::function<std::string()>& work, const ChildLimits& limits,
                                std::size_t most) {
  Pipe out;
  if (!out.open()) {
    return device_error("cannot make a pipe: " + std::generic_category().message(errno));
  }
  const rlim_t data = data_bytes();
  const auto start = Clock::now();
  const pid_t pid = ::fork();
  if (pid < 0) {
    return device_error("cannot start a child process: " + std::generic_category().message(errno));
  }
  if (pid == 0) {
    work_apart(work, limits, data, out.ends[1]);
  }
  out.close_end(1);
  std::string text;
  std::string why;
  pollfd pipe{out.ends[0], POLLIN, 0};
  std::array<char, 65536> block{};
  for (ssize_t got = 1; got > 0 && why.empty();) {
    if (::poll(&pipe, 1, kTick) > 0) {
      got = ::read(out.ends[0], block.data(), block.size());
      text.append(block.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    if (text.size() > most) {
      why = "its text is longer than " + bytes_in_words(most);
    } else if (limits.seconds > 0.0 && seconds_since(start) > limits.seconds) {
      why = "stopped after " + std::to_string(static_cast<int>(limits.seconds)) + " s";
    }
  }
  if (!why.empty()) {
    ::kill(pid, SIGKILL);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (why.empty() && WIFSIGNALED(status)) {
    why = "its process crashed (" + signal_in_words(WTERMSIG(status)) + ")";
  } else if (why.empty() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    why = "its process failed";
  }
  return why.empty() ? Expected<std::string>(std::move(text)) : device_error(std::move(why));
}

bool enter_child() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread yet
  const char* given = std::getenv(kStepsVariable);
  if (given == nullptr || std::strcmp(given, std::to_string(kStepsDescriptor).c_str()) != 0) {
    return false;
  }
  ::unsetenv(kStepsVariable);  // NOLINT(concurrency-mt-unsafe)
  ::fcntl(kStepsDescriptor, F_SETFD, FD_CLOEXEC);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  tell_steps_to(kStepsDescriptor);
  return true;
}

}  // namespace core
