// `tilescope lsp`: the Language Server Protocol on standard input and output.
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/lsp/framing.h"
#include "cli/lsp/server.h"

namespace cli {
namespace {

// Standard input and output as descriptors that no child process gets. Whatever else reads the
// standard input then finds it empty, and whatever else prints, prints to stderr.
struct ClientStreams {
  int in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 16);
  int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 16);
  ClientStreams() {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~ClientStreams() {
    ::close(in);
    ::close(out);
  }
  ClientStreams(const ClientStreams&) = delete;
  ClientStreams& operator=(const ClientStreams&) = delete;
};

constexpr std::size_t kMostUnread = 256U << 20U;  // bytes; a client that leaves more is gone
constexpr int kLastWords = 2000;                  // ms for what is left at the end
constexpr int kTick = 200;                        // ms between two looks at whether it ends

// Writes to the client on a thread of its own: a client that does not read for a while stops
// nothing else.
class ClientWriter {
 public:
  explicit ClientWriter(int descriptor)
      : descriptor_(descriptor),
        thread_([this](const std::stop_token& stopped) { run(stopped); }) {}

  void add(std::string text) {
    {
      const std::scoped_lock lock(mutex_);
      if (unread_ + text.size() > kMostUnread) {
        return;
      }
      unread_ += text.size();
      open_.push_back(std::move(text));
    }
    added_.notify_one();
  }

 private:
  // Until all is written and nothing more will come, or until the client is gone.
  void run(const std::stop_token& stopped) {
    std::unique_lock lock(mutex_);
    while (added_.wait(lock, stopped, [this] { return !open_.empty(); }) || !open_.empty()) {
      const std::string text = std::move(open_.front());
      open_.pop_front();
      lock.unlock();
      const bool written = write(text, stopped);
      lock.lock();
      unread_ -= text.size();
      if (!written) {
        return;
      }
    }
  }

  // False if the client is gone: it closed its end, or does not read after the server has ended.
  bool write(std::string_view text, const std::stop_token& stopped) const {
    while (!text.empty()) {
      pollfd room{descriptor_, POLLOUT, 0};
      const bool last = stopped.stop_requested();
      const int ready = ::poll(&room, 1, last ? kLastWords : kTick);
      if (ready == 0 && last) {
        return false;
      }
      if (ready <= 0) {
        continue;
      }
      // A pipe with room for one byte may have no room for more.
      const ssize_t wrote =
          ::write(descriptor_, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
      if (wrote < 0 && errno != EINTR) {
        return false;
      }
      text.remove_prefix(static_cast<std::size_t>(wrote < 0 ? 0 : wrote));
    }
    return true;
  }

  int descriptor_;
  std::mutex mutex_;
  std::condition_variable_any added_;
  std::deque<std::string> open_;
  std::size_t unread_ = 0;  // bytes
  std::jthread thread_;     // last: it uses the others
};

Outcome serve(const Common& common) {
  if (common.json) {
    return core::usage_error("lsp prints only messages of its protocol; remove --json");
  }
  std::signal(SIGPIPE, SIG_IGN);
  const ClientStreams streams;
  ClientWriter writer(streams.out);
  CheckSettings settings;
  if (common.timeout_given) {
    settings.timeout = static_cast<double>(common.timeout);
  }
  LanguageServer server(settings, [&](const std::string& message) { writer.add(framed(message)); });
  MessageReader reader;
  std::array<char, 65536> block{};
  while (!server.is_over()) {
    const ssize_t got = ::read(streams.in, block.data(), block.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      break;
    }
    reader.add({block.data(), static_cast<std::size_t>(got)});
    for (auto item = reader.next(); item && !server.is_over(); item = reader.next()) {
      item->error.empty() ? server.handle(item->message) : server.refuse_bytes(item->error);
    }
  }
  // The protocol asks for 1 after an exit without shutdown.
  return server.was_shut_down() ? ok : findings;
}

struct LspFlags {
  Common common;
  bool stdio = false;
};

}  // namespace

void add_lsp(CLI::App& app) {
  auto flags = std::make_shared<LspFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments = add_command(
      app, "lsp", "Serve editors: the Language Server Protocol on standard input and output",
      common, [flags] { return serve(flags->common); }, {.own_progress = true});
  arguments.flag("--stdio", flags->stdio, "Use standard input and output; this is the default");
}

}  // namespace cli
