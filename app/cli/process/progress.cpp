#include "cli/process/progress.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/watched_step.h"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr std::size_t kBar = 24;
constexpr std::size_t kKept = 1U << 20U;

struct Line {
  std::mutex mutex;
  bool open = false;  // guarded

  // With the mutex.
  void take_away() {
    if (open) {
      static_cast<void>(std::fputs("\r\x1b[K", stderr));
      open = false;
    }
  }
};

Line& line() {
  static Line one;
  return one;
}

std::size_t columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string words_of(const std::string& what, double seconds) {
  const core::Doing doing = core::doing_now();
  std::string words = fmt::format("{}: {}", what, doing.what.empty() ? "working" : doing.what);
  if (doing.share >= 0.0) {
    const auto full = static_cast<std::size_t>(std::clamp(doing.share, 0.0, 1.0) * kBar);
    words += fmt::format(" [{}{}] {:.0f} %", std::string(full, '#'), std::string(kBar - full, '.'),
                         100.0 * doing.share);
  }
  words += fmt::format(", {:.0f} s", seconds);
  return words.substr(0, columns() - 1);
}

}  // namespace

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)) {
  if (::isatty(STDERR_FILENO) == 0) {
    return;
  }
  if (::isatty(STDOUT_FILENO) != 0) {
    // Else its text would come into the line.
    static std::vector<char> kept(kKept);
    static_cast<void>(std::setvbuf(stdout, kept.data(), _IOFBF, kept.size()));
  }
  thread_ = std::jthread([this](const std::stop_token& stopped) { show(stopped); });
}

ProgressLine::~ProgressLine() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
    show_output();
  }
}

void ProgressLine::show(const std::stop_token& stopped) {
  const auto start = Clock::now();
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, stopped, kPatience, [] { return false; });
  while (!stopped.stop_requested()) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    {
      const std::scoped_lock shown(line().mutex);
      fmt::print(stderr, "\r\x1b[K{}", words_of(what_, seconds));
      static_cast<void>(std::fflush(stderr));
      line().open = true;
    }
    wake_.wait_for(lock, stopped, kBetween, [] { return false; });
  }
}

void show_output() {
  const std::scoped_lock shown(line().mutex);
  line().take_away();
  static_cast<void>(std::fflush(stdout));
}

void clear_progress() noexcept {
  const std::scoped_lock shown(line().mutex);
  line().take_away();
}

}  // namespace cli
