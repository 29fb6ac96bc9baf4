// `tilescope lsp`: the Language Server Protocol on standard input and output.
#include <array>
#include <cerrno>
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
      open_.push_back(std::move(text));
    }
    added_.notify_one();
  }

 private:
  // Until all is written and nothing more will come.
  void run(const std::stop_token& stopped) {
    std::unique_lock lock(mutex_);
    while (added_.wait(lock, stopped, [this] { return !open_.empty(); }) || !open_.empty()) {
      const std::string text = std::move(open_.front());
      open_.pop_front();
      lock.unlock();
      write(text);
      lock.lock();
    }
  }

  // A client that is gone reads nothing more; its end of the input ends the server.
  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t wrote = ::write(descriptor_, text.data(), text.size());
      if (wrote < 0 && errno != EINTR) {
        return;
      }
      text.remove_prefix(static_cast<std::size_t>(wrote < 0 ? 0 : wrote));
    }
  }

  int descriptor_;
  std::mutex mutex_;
  std::condition_variable_any added_;
  std::deque<std::string> open_;
  std::jthread thread_;  // last: it uses the others
};

Outcome serve(const Common& common) {
  if (common.json) {
    return core::usage_error("lsp prints only messages of its protocol; remove --json");
  }
  std::signal(SIGPIPE, SIG_IGN);
  const ClientStreams streams;
  ClientWriter writer(streams.out);
  LspSettings settings;
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
