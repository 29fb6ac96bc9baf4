// The language server: life cycle, open documents, and checks in the background.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/lsp/check_queue.h"
#include "cli/lsp/features.h"
#include "cli/lsp/kernel_check.h"

namespace cli {

/// Answers the messages of one client. Call it from one thread.
class LanguageServer {
 public:
  /// `send` writes a message to the client; it is called from several threads, one at a time.
  LanguageServer(CheckSettings settings, std::function<void(const std::string&)> send);
  ~LanguageServer();
  LanguageServer(const LanguageServer&) = delete;
  LanguageServer& operator=(const LanguageServer&) = delete;

  /// Handles the text of a message.
  void handle(const std::string& message);
  /// Tells the client what is wrong with its stream of bytes.
  void refuse_bytes(const std::string& sentence);

  /// True after the notification "exit".
  [[nodiscard]] bool is_over() const { return over_; }
  /// True if the client asked to shut down, as it must before it exits.
  [[nodiscard]] bool was_shut_down() const { return state_ == State::shut_down; }

 private:
  using Json = nlohmann::ordered_json;
  enum class State { starting, running, shut_down };

  // The protocol.
  void send(const Json& message);
  void send_error(const Json& id, int code, const std::string& sentence);
  void notify(const std::string& method, Json params);
  void request_of_client(const std::string& method, const Json& params);
  void log(int type, const std::string& sentence);
  void take_request(const Json& id, const std::string& method, const Json& params);
  void take_notification(const std::string& method, const Json& params);
  Json initialize(const Json& params);
  void take_settings(const Json& json);
  void watch_project_files();

  // Documents.
  void open(const Json& params);
  void change(const Json& params);
  void close(const Json& params);
  void check_soon(const std::string& path, int milliseconds);
  void check_all();
  Json execute(const Json& params);
  Json answer(const std::string& method, const Json& params);
  [[nodiscard]] OpenDocument* document_at(const std::string& uri);
  using Kernels = std::map<std::string, KernelState>;  // by path
  [[nodiscard]] Kernels::const_iterator kernel_of(const OpenDocument& document) const;

  // Checks, on the threads of the queue.
  struct Work {
    CheckSettings settings;
    std::string root;
    EditedTexts texts;
    std::map<std::string, std::int64_t> versions;
    std::optional<OpenDocument> document;  // if the name is an open document's
    bool wanted = false;                   // an open document needs this kernel
  };
  // The client shows the check of a kernel while this exists, and its result at the end.
  struct Progress {
    Progress(LanguageServer& owner, const std::string& path);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    LanguageServer& server;
    std::string token;
    std::string result = "failed";
  };
  [[nodiscard]] Work work_on(const std::string& path);
  void run(const std::string& path, const std::function<bool()>& go_on);
  void check_including_kernels(const std::string& path, const Work& work,
                               const std::function<bool()>& go_on);
  std::string check_kernel(const std::string& path, const Work& work,
                           const std::function<bool()>& go_on);
  void publish(const std::set<std::string>& paths);
  void forget_document_in(const std::string& path, const std::set<std::string>& but);
  std::string begin_progress(const std::string& path);
  void end_progress(const std::string& token, const std::string& sentence);
  void refresh();

  std::function<void(const std::string&)> send_;
  std::mutex sending_;
  std::atomic<std::uint64_t> next_id_ = 1;

  State state_ = State::starting;
  bool over_ = false;
  // Abilities of the client; written once, before any check.
  bool shows_progress_ = false;
  bool versioned_edits_ = false;
  bool refreshes_lenses_ = false;
  bool refreshes_hints_ = false;
  bool watches_files_ = false;

  std::mutex mutex_;  // guards the members below
  std::string root_;
  CheckSettings settings_;
  std::map<std::string, OpenDocument> documents_;  // by path
  Kernels kernels_;
  std::map<std::string, std::string> progress_;  // paths of kernels by token

  std::unique_ptr<CheckQueue> queue_;  // last: its threads use the others
};

}  // namespace cli
