#include "cli/lsp/server.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/lsp/kernel_text.h"
#include "cli/lsp/open_window.h"
#include "cli/lsp/uri.h"
#include "core/base/files.h"
#include "lab/plan/project_file.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

// Error codes of JSON-RPC 2.0 and of the protocol.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kNotInitialized = -32002;
constexpr int kInternalError = -32603;
constexpr int kRequestFailed = -32803;

constexpr int kAfterChange = 500;        // ms
constexpr std::size_t kThreads = 2;      // checks at the same time
constexpr std::size_t kMostKernels = 8;  // that are checked for one included file
constexpr int kMostDepth = 100;          // of lists and objects in a message
constexpr double kMostSeconds = 1e9;     // of --timeout

// MessageType of the protocol.
constexpr int kMessageError = 1;
constexpr int kMessageWarning = 2;

bool client_can(const Json& params, const char* pointer) {
  const Json* at = params.contains("capabilities") ? &params.at("capabilities") : nullptr;
  const Json::json_pointer path(pointer);
  return at != nullptr && at->contains(path) && at->at(path).is_boolean() &&
         at->at(path).get<bool>();
}

std::string uri_in(const Json& params) {
  return params.at("textDocument").at("uri").get<std::string>();
}

std::string file_name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::set<std::string> paths_in(const KernelState& kernel) {
  std::set<std::string> paths;
  for (const Diagnostics* all : {&kernel.found, &kernel.notes}) {
    for (const auto& [path, list] : *all) {
      paths.insert(path);
    }
  }
  return paths;
}

bool could_run(const std::vector<LaunchCheck>& checks) {
  return !checks.empty() && checks.front().checked.report.has_value();
}

// A message that nests deeper could use up the stack.
bool is_too_deep(const std::string& message) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < message.size(); ++at) {
    const char c = message[at];
    if (in_text && c == '\\') {
      ++at;
    } else if (c == '"') {
      in_text = !in_text;
    } else if (!in_text) {
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    }
    if (depth > kMostDepth) {
      return true;
    }
  }
  return false;
}

}  // namespace

LanguageServer::LanguageServer(CheckSettings settings, std::function<void(const std::string&)> send)
    : send_(std::move(send)),
      settings_(std::move(settings)),
      queue_(std::make_unique<CheckQueue>(
          kThreads, [this](const std::string& path, const std::function<bool()>& go_on) {
            run(path, go_on);
          })) {}

LanguageServer::~LanguageServer() {
  queue_.reset();
}

void LanguageServer::send(const Json& message) {
  const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::scoped_lock lock(sending_);
  send_(text);
}

void LanguageServer::send_error(const Json& id, int code, const std::string& sentence) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", sentence}}}});
}

void LanguageServer::notify(const std::string& method, Json params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void LanguageServer::request_of_client(const std::string& method, const Json& params) {
  Json message{
      {"jsonrpc", "2.0"}, {"id", fmt::format("tilescope-{}", next_id_++)}, {"method", method}};
  if (!params.is_null()) {
    message["params"] = params;
  }
  send(message);
}

void LanguageServer::log(int type, const std::string& sentence) {
  notify("window/logMessage", {{"type", type}, {"message", sentence}});
}

void LanguageServer::refuse_bytes(const std::string& sentence) {
  send_error(nullptr, kInvalidRequest, sentence);
}

void LanguageServer::handle(const std::string& message) {
  if (is_too_deep(message)) {
    return send_error(
        nullptr, kInvalidRequest,
        fmt::format("the message is skipped: it nests deeper than {} levels", kMostDepth));
  }
  const Json json = Json::parse(message, nullptr, false);
  if (json.is_discarded()) {
    return send_error(nullptr, kParseError, "the message is not JSON");
  }
  if (!json.is_object()) {
    return send_error(nullptr, kInvalidRequest, "the message is not an object");
  }
  const Json id = json.contains("id") ? json.at("id") : Json();
  const bool has_id = id.is_number_integer() || id.is_string();
  if (!json.contains("method")) {
    if (!json.contains("result") && !json.contains("error")) {
      send_error(has_id ? id : Json(), kInvalidRequest, "the message has no method");
    }
    return;  // a response to a request of the server
  }
  if (!json.at("method").is_string()) {
    return send_error(has_id ? id : Json(), kInvalidRequest, "the method is not a string");
  }
  const std::string method = json.at("method").get<std::string>();
  const Json params = json.contains("params") ? json.at("params") : Json::object();
  try {
    if (has_id) {
      take_request(id, method, params);
    } else {
      take_notification(method, params);
    }
  } catch (const std::exception& error) {
    const bool wrong = dynamic_cast<const Json::exception*>(&error) != nullptr;
    std::string_view what = error.what();
    what.remove_prefix(wrong ? what.find("] ") + 2 : 0);  // the number of the exception
    const std::string sentence =
        fmt::format("{}: {}{}", method, wrong ? "wrong parameters: " : "", what);
    if (has_id) {
      send_error(id, wrong ? kInvalidParams : kInternalError, sentence);
    } else {
      log(kMessageWarning, sentence);
    }
  }
}

void LanguageServer::take_request(const Json& id, const std::string& method, const Json& params) {
  if (method == "initialize") {
    if (state_ != State::starting) {
      return send_error(id, kInvalidRequest, "initialize was called before");
    }
    const Json result = initialize(params);
    state_ = State::running;
    return send({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
  }
  if (state_ == State::starting) {
    return send_error(id, kNotInitialized, method + ": call initialize first");
  }
  if (state_ == State::shut_down) {
    return send_error(id, kInvalidRequest, method + ": the server is shut down");
  }
  static const std::set<std::string> known{
      "shutdown",           "textDocument/codeAction", "textDocument/codeLens",
      "textDocument/hover", "textDocument/inlayHint",  "workspace/executeCommand"};
  if (!known.contains(method)) {
    return send_error(id, kMethodNotFound, method + ": this server has no such method");
  }
  if (method == "shutdown") {
    state_ = State::shut_down;
    queue_->stop();  // the client wants no more diagnostics
    return send({{"jsonrpc", "2.0"}, {"id", id}, {"result", nullptr}});
  }
  if (method == "workspace/executeCommand") {
    const Json error = execute(params);
    return error.is_null() ? send({{"jsonrpc", "2.0"}, {"id", id}, {"result", nullptr}})
                           : send_error(id, kRequestFailed, error.get<std::string>());
  }
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", answer(method, params)}});
}

void LanguageServer::take_notification(const std::string& method, const Json& params) {
  if (method == "exit") {
    over_ = true;
    return;
  }
  if (state_ != State::running) {
    return;  // the protocol drops them
  }
  if (method == "initialized") {
    watch_project_files();
  } else if (method == "textDocument/didOpen") {
    open(params);
  } else if (method == "textDocument/didChange") {
    change(params);
  } else if (method == "textDocument/didClose") {
    close(params);
  } else if (method == "textDocument/didSave") {
    const std::scoped_lock lock(mutex_);
    if (const OpenDocument* document = document_at(uri_in(params)); document != nullptr) {
      check_soon(document->path, 0);
    }
  } else if (method == "workspace/didChangeConfiguration") {
    take_settings(params.value("settings", Json()));
    check_all();
  } else if (method == "workspace/didChangeWatchedFiles") {
    check_all();
  } else if (method == "window/workDoneProgress/cancel") {
    const Json token = params.value("token", Json());
    const std::scoped_lock lock(mutex_);
    const auto found =
        token.is_string() ? progress_.find(token.get<std::string>()) : progress_.end();
    if (found != progress_.end()) {
      queue_->cancel(found->second);
    }
  }
  // $/cancelRequest: each request is answered before the next message is read.
}

Json LanguageServer::initialize(const Json& params) {
  shows_progress_ = client_can(params, "/window/workDoneProgress");
  versioned_edits_ = client_can(params, "/workspace/workspaceEdit/documentChanges");
  refreshes_lenses_ = client_can(params, "/workspace/codeLens/refreshSupport");
  refreshes_hints_ = client_can(params, "/workspace/inlayHint/refreshSupport");
  watches_files_ = client_can(params, "/workspace/didChangeWatchedFiles/dynamicRegistration");
  std::string root;
  const Json folders = params.value("workspaceFolders", Json());
  if (folders.is_array() && !folders.empty()) {
    root = folders.front().value("uri", std::string());
  } else if (params.contains("rootUri") && params.at("rootUri").is_string()) {
    root = params.at("rootUri").get<std::string>();
  }
  {
    const std::scoped_lock lock(mutex_);
    root_ = path_of_uri(root);
  }
  take_settings(params.value("initializationOptions", Json()));
  return {{"capabilities",
           {{"positionEncoding", "utf-16"},
            {"textDocumentSync",
             {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
            {"codeActionProvider", {{"codeActionKinds", Json::array({"quickfix"})}}},
            {"codeLensProvider", {{"resolveProvider", false}}},
            {"hoverProvider", true},
            {"inlayHintProvider", true},
            {"executeCommandProvider", {{"commands", Json::array({kOpenCommand})}}}}},
          {"serverInfo", {{"name", "tilescope"}, {"version", TILESCOPE_VERSION}}}};
}

void LanguageServer::take_settings(const Json& json) {
  const Json& own = json.is_object() && json.contains("tilescope") ? json.at("tilescope") : json;
  if (!own.is_object()) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  for (const auto& [name, value] : own.items()) {
    if (name == "device" && (value.is_string() || value.is_number_unsigned())) {
      settings_.device =
          value.is_string() ? value.get<std::string>() : std::to_string(value.get<std::uint64_t>());
    } else if (name == "timeout" && value.is_number() && value.get<double>() >= 0.0 &&
               value.get<double>() <= kMostSeconds) {
      settings_.timeout = value.get<double>();
    } else if (name == "performance" && value.is_boolean()) {
      settings_.performance = value.get<bool>();
    } else if (name != "command" && name != "trace") {  // settings of the client
      log(kMessageWarning,
          fmt::format(
              "setting {}: {} is not a valid value; the settings are device (string), timeout "
              "(seconds) and performance (true or false)",
              name, value.dump(-1, ' ', false, Json::error_handler_t::replace)));
    }
  }
}

// Another project file changes how kernels are launched.
void LanguageServer::watch_project_files() {
  if (watches_files_) {
    const std::string glob = fmt::format("**/{}", lab::kProjectFile);
    request_of_client(
        "client/registerCapability",
        {{"registrations",
          Json::array(
              {{{"id", "tilescope-project"},
                {"method", "workspace/didChangeWatchedFiles"},
                {"registerOptions", {{"watchers", Json::array({{{"globPattern", glob}}})}}}}})}});
  }
}

OpenDocument* LanguageServer::document_at(const std::string& uri) {
  const auto found = documents_.find(path_of_uri(uri));
  return found == documents_.end() ? nullptr : &found->second;
}

// The kernel itself, else the first one that is checked because of the document.
LanguageServer::Kernels::const_iterator LanguageServer::kernel_of(
    const OpenDocument& document) const {
  const auto own = kernels_.find(document.path);
  return own != kernels_.end() ? own : std::ranges::find_if(kernels_, [&](const auto& kernel) {
    return kernel.second.documents.contains(document.path);
  });
}

void LanguageServer::check_soon(const std::string& path, int milliseconds) {
  queue_->want(path, std::chrono::milliseconds(milliseconds));
}

void LanguageServer::check_all() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [path, document] : documents_) {
    check_soon(path, 0);
  }
}

void LanguageServer::open(const Json& params) {
  const Json& item = params.at("textDocument");
  OpenDocument document;
  document.uri = item.at("uri").get<std::string>();
  document.path = path_of_uri(document.uri);
  document.version = item.value("version", std::int64_t{0});
  document.text = item.at("text").get<std::string>();
  if (document.path.empty() || language_of_file(document.path).empty()) {
    return;  // no file, or a shader of another stage
  }
  const std::scoped_lock lock(mutex_);
  const std::string path = document.path;
  documents_[path] = std::move(document);
  check_soon(path, 0);
}

void LanguageServer::change(const Json& params) {
  const std::scoped_lock lock(mutex_);
  OpenDocument* document = document_at(uri_in(params));
  if (document == nullptr) {
    return;
  }
  std::string text = document->text;
  for (const Json& edit : params.at("contentChanges")) {
    if (edit.contains("range")) {
      replace_range(text, range_from(edit.at("range")), edit.at("text").get<std::string>());
    } else {
      text = edit.at("text").get<std::string>();
    }
  }
  document->text = std::move(text);
  document->version = params.at("textDocument").value("version", document->version + 1);
  check_soon(document->path, kAfterChange);
}

void LanguageServer::close(const Json& params) {
  std::string path;
  bool saved = false;
  {
    const std::scoped_lock lock(mutex_);
    const OpenDocument* document = document_at(uri_in(params));
    if (document == nullptr) {
      return;
    }
    path = document->path;
    saved = core::read_file(path).value_or("") == document->text;
    queue_->cancel(path);
    documents_.erase(path);
  }
  forget_document_in(path, {});
  if (!saved) {
    check_all();  // kernels that include it were checked with the text that is dropped
  }
}

// Removes a document from the kernels that are checked because of it, but from some. A kernel that
// no document needs is forgotten.
void LanguageServer::forget_document_in(const std::string& path, const std::set<std::string>& but) {
  std::set<std::string> changed;
  {
    const std::scoped_lock lock(mutex_);
    for (auto kernel = kernels_.begin(); kernel != kernels_.end();) {
      if (but.contains(kernel->first) || kernel->second.documents.erase(path) == 0 ||
          !kernel->second.documents.empty()) {
        ++kernel;
        continue;
      }
      changed.merge(paths_in(kernel->second));
      queue_->cancel(kernel->first);
      kernel = kernels_.erase(kernel);
    }
  }
  publish(changed);
}

// An error's sentence; null if it was done.
Json LanguageServer::execute(const Json& params) {
  const std::string command = params.at("command").get<std::string>();
  if (command != kOpenCommand) {
    return fmt::format("unknown command {}", command);
  }
  const std::string uri = params.at("arguments").at(0).get<std::string>();
  std::string kernel = path_of_uri(uri);
  {
    const std::scoped_lock lock(mutex_);
    if (const OpenDocument* document = document_at(uri); document != nullptr) {
      const auto known = kernel_of(*document);
      kernel = known != kernels_.end() ? known->first : kernel;
    }
  }
  const auto opened = open_window(kernel);
  return opened ? Json() : Json(opened.error().message);
}

Json LanguageServer::answer(const std::string& method, const Json& params) {
  const std::scoped_lock lock(mutex_);
  const OpenDocument* document = document_at(uri_in(params));
  const auto known = document != nullptr ? kernel_of(*document) : kernels_.end();
  const KernelState* kernel = known != kernels_.end() ? &known->second : nullptr;
  if (method == "textDocument/hover") {
    return document != nullptr ? hover(*document, kernel, position_from(params.at("position")))
                               : Json();
  }
  if (kernel == nullptr) {
    return Json::array();
  }
  if (method == "textDocument/codeAction") {
    return code_actions(*document, *kernel, range_from(params.at("range")), versioned_edits_);
  }
  return method == "textDocument/codeLens"
             ? code_lenses(*document, *kernel)
             : inlay_hints(*document, *kernel, range_from(params.at("range")));
}

LanguageServer::Work LanguageServer::work_on(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  Work work{settings_, root_, {}, {}, std::nullopt, false};
  for (const auto& [file, document] : documents_) {
    work.texts[file] = document.text;
    work.versions[file] = document.version;
  }
  if (const auto found = documents_.find(path); found != documents_.end()) {
    work.document = found->second;
  }
  const auto kernel = kernels_.find(path);
  work.wanted = kernel != kernels_.end() && !kernel->second.documents.empty();
  return work;
}

void LanguageServer::run(const std::string& path, const std::function<bool()>& go_on) {
  try {
    const Work work = work_on(path);
    const bool is_kernel =
        work.document && entry_line_of(work.document->text, language_of_file(path)) > 0;
    if (is_kernel) {
      const std::scoped_lock lock(mutex_);
      if (!documents_.contains(path)) {
        return;  // closed meanwhile
      }
      kernels_[path].documents.insert(path);
    }
    if (is_kernel || (!work.document && work.wanted)) {
      Progress progress(*this, path);
      progress.result = check_kernel(path, work, go_on);
    } else if (work.document) {
      check_including_kernels(path, work, go_on);
    }
  } catch (const std::exception& error) {
    log(kMessageError, fmt::format("{}: {}", path, error.what()));
  }
}

void LanguageServer::check_including_kernels(const std::string& path, const Work& work,
                                             const std::function<bool()>& go_on) {
  const auto kernels = kernels_that_include(path, work.root, kMostKernels, go_on);
  if (!go_on()) {
    return;
  }
  forget_document_in(path, {kernels.begin(), kernels.end()});
  const std::scoped_lock lock(mutex_);
  if (!go_on()) {
    return;  // closed meanwhile
  }
  for (const std::string& kernel : kernels) {
    kernels_[kernel].documents.insert(path);
    check_soon(kernel, 0);
  }
}

// Returns the verdict in words.
std::string LanguageServer::check_kernel(const std::string& path, const Work& work,
                                         const std::function<bool()>& go_on) {
  FileTexts texts(work.texts);
  CheckProcess process(work.settings, work.texts, go_on);
  const std::vector<LaunchCheck> checks = process.check(path);
  if (checks.empty() || !go_on()) {
    return "cancelled";
  }
  const auto store = [&](const std::function<void(KernelState&)>& change) {
    std::set<std::string> changed;
    {
      const std::scoped_lock lock(mutex_);
      const auto kernel = kernels_.find(path);
      if (kernel == kernels_.end()) {
        return;  // its documents were closed
      }
      changed = paths_in(kernel->second);
      change(kernel->second);
      changed.merge(paths_in(kernel->second));
      changed.insert(path);
    }
    publish(changed);
    refresh();
  };
  store([&](KernelState& kernel) {
    kernel.found = diagnostics_of(checks, texts);
    kernel.versions = work.versions;
    kernel.verdict = verdict_words(checks);
    kernel.notes.clear();
    kernel.run = nullptr;
  });
  if (work.settings.performance && could_run(checks)) {
    const Json run = process.run(path, checks.front().launch);
    if (!go_on()) {
      return "cancelled";
    }
    if (!run.is_null()) {
      store([&](KernelState& kernel) {
        kernel.run = run;
        kernel.notes = performance_notes(run, path, texts);
      });
    }
  }
  return verdict_words(checks);
}

// All diagnostics of files, from all kernels.
void LanguageServer::publish(const std::set<std::string>& paths) {
  for (const std::string& path : paths) {
    const std::scoped_lock lock(mutex_);
    const auto document = documents_.find(path);
    const bool is_open = document != documents_.end();
    Json params{{"uri", is_open ? document->second.uri : uri_of(path)}};
    Json list = Json::array();
    std::optional<std::int64_t> oldest;  // version that a kernel was checked with
    for (const auto& [name, kernel] : kernels_) {
      for (const Diagnostics* all : {&kernel.found, &kernel.notes}) {
        const auto found = all->find(path);
        for (const Json& one : found == all->end() ? std::vector<Json>() : found->second) {
          if (std::ranges::find(list, one) == list.end()) {
            list.push_back(one);
          }
        }
      }
      const auto version = kernel.versions.find(path);
      if (is_open && kernel.documents.contains(path) && version != kernel.versions.end()) {
        oldest = std::min(oldest.value_or(version->second), version->second);
      }
    }
    if (oldest) {
      params["version"] = *oldest;
    }
    params["diagnostics"] = std::move(list);
    notify("textDocument/publishDiagnostics", params);  // in order: under the lock
  }
}

LanguageServer::Progress::Progress(LanguageServer& owner, const std::string& path)
    : server(owner), token(owner.begin_progress(path)) {}

LanguageServer::Progress::~Progress() {
  server.end_progress(token, result);
}

std::string LanguageServer::begin_progress(const std::string& path) {
  if (!shows_progress_) {
    return "";
  }
  const std::string token = fmt::format("tilescope-check-{}", next_id_++);
  {
    const std::scoped_lock lock(mutex_);
    progress_[token] = path;
  }
  request_of_client("window/workDoneProgress/create", {{"token", token}});
  notify(
      "$/progress",
      {{"token", token},
       {"value",
        {{"kind", "begin"}, {"title", "Checking " + file_name_of(path)}, {"cancellable", true}}}});
  return token;
}

void LanguageServer::end_progress(const std::string& token, const std::string& sentence) {
  if (token.empty()) {
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    progress_.erase(token);
  }
  notify("$/progress", {{"token", token}, {"value", {{"kind", "end"}, {"message", sentence}}}});
}

void LanguageServer::refresh() {
  if (refreshes_lenses_) {
    request_of_client("workspace/codeLens/refresh", Json());
  }
  if (refreshes_hints_) {
    request_of_client("workspace/inlayHint/refresh", Json());
  }
}

}  // namespace cli
