// The language server as a process: the protocol over pipes, and checks of what an editor has not
// saved.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A client that talks to `tilescope lsp`.
class LspClient {
 public:
  LspClient() {
    std::array<int, 2> to{};
    std::array<int, 2> from{};
    if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0) {
      return;
    }
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(to[0], STDIN_FILENO);
      ::dup2(from[1], STDOUT_FILENO);
      ::execl(TILESCOPE_PROGRAM, "tilescope", "lsp", nullptr);
      ::_exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    in_ = to[1];
    out_ = from[0];
  }
  ~LspClient() {
    ::close(in_);
    ::close(out_);
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  LspClient(const LspClient&) = delete;
  LspClient& operator=(const LspClient&) = delete;

  void write(const std::string& bytes) const {
    EXPECT_EQ(::write(in_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void send(json message) const {
    message["jsonrpc"] = "2.0";
    const std::string text = message.dump();
    write("Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
  }
  void notify(const char* method, const json& params) const {
    send({{"method", method}, {"params", params}});
  }
  json request(const char* method, const json& params) {
    const int id = ++last_id_;
    send({{"id", id}, {"method", method}, {"params", params}});
    return wait_for([&](const json& m) { return m.contains("id") && m.at("id") == id; });
  }
  // The next message that fits; null after a minute.
  json wait_for(const std::function<bool(const json&)>& fits) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < end) {
      const std::size_t header = buffer_.find("\r\n\r\n");
      if (header != std::string::npos) {
        const std::size_t length = std::stoul(buffer_.substr(buffer_.find(':') + 1));
        if (buffer_.size() >= header + 4 + length) {
          const json message = json::parse(buffer_.substr(header + 4, length));
          buffer_.erase(0, header + 4 + length);
          if (fits(message)) {
            return message;
          }
          continue;
        }
      }
      pollfd ready{out_, POLLIN, 0};
      std::array<char, 65536> block{};
      if (::poll(&ready, 1, 1000) > 0) {
        const ssize_t got = ::read(out_, block.data(), block.size());
        if (got <= 0) {
          return nullptr;
        }
        buffer_.append(block.data(), static_cast<std::size_t>(got));
      }
    }
    return nullptr;
  }
  // The diagnostics of a file that fit.
  json diagnostics(const std::string& uri, const std::function<bool(const json&)>& fit) {
    const json message = wait_for([&](const json& m) {
      return m.value("method", "") == "textDocument/publishDiagnostics" &&
             m.at("params").at("uri") == uri && fit(m.at("params").at("diagnostics"));
    });
    return message.is_null() ? json() : message.at("params").at("diagnostics");
  }
  void initialize(const json& options = json::object()) {
    const json answer = request(
        "initialize",
        {{"processId", nullptr},
         {"rootUri", nullptr},
         {"initializationOptions", options},
         {"capabilities", {{"workspace", {{"workspaceEdit", {{"documentChanges", true}}}}}}}});
    EXPECT_EQ(answer.at("result").at("capabilities").at("textDocumentSync").at("change"), 2);
    notify("initialized", json::object());
  }
  // The exit status.
  int finish() {
    ::close(in_);
    in_ = -1;
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int last_id_ = 0;
  std::string buffer_;
};

class LspServer : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope lsp-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  // The client writes a blank as %20, and so does the server.
  [[nodiscard]] std::string uri(const std::string& name) const {
    std::string text = "file://" + path(name);
    for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ')) {
      text.replace(at, 1, "%20");
    }
    return text;
  }
  void open(const LspClient& client, const std::string& name, const std::string& text) const {
    client.notify("textDocument/didOpen",
                  {{"textDocument",
                    {{"uri", uri(name)}, {"languageId", "glsl"}, {"version", 1}, {"text", text}}}});
  }

  fs::path folder_;
};

constexpr const char* kRacy =
    "#version 450\n"
    "layout(local_size_x = 64) in;\n"
    "shared uint s[64];\n"
    "layout(binding = 0) buffer O { uint o[]; };\n"
    "void main() {\n"
    "  uint i = gl_LocalInvocationIndex;\n"
    "  s[i] = i;\n"
    "  o[gl_GlobalInvocationID.x] = s[i ^ 1u];\n"
    "}\n";

TEST_F(LspServer, KeepsToTheLifeCycle) {
  LspClient client;
  EXPECT_EQ(client.request("textDocument/hover", json::object()).at("error").at("code"), -32002);
  client.initialize();
  EXPECT_EQ(client.request("initialize", json::object()).at("error").at("code"), -32600);
  EXPECT_EQ(client.request("textDocument/rename", json::object()).at("error").at("code"), -32601);
  EXPECT_EQ(client.request("textDocument/hover", json::array()).at("error").at("code"), -32602);
  client.notify("$/cancelRequest", {{"id", 1}});
  client.notify("unknown/notification", json::object());
  const auto error_of = [&](const std::string& bytes) {
    client.write(bytes);
    const json message = client.wait_for([](const json& m) { return m.contains("error"); });
    EXPECT_TRUE(message.at("id").is_null());
    EXPECT_TRUE(client.request("unknown", json::object()).contains("error"));
    return message.at("error").at("code").get<int>();
  };
  EXPECT_EQ(error_of("Content-Length: 5\r\n\r\n{\"a\":"), -32700);
  EXPECT_EQ(error_of("Content-Length: 2\r\n\r\n[]"), -32600);
  EXPECT_EQ(error_of("Content-Length: 123456789012\r\n\r\n{}"), -32600);
  EXPECT_EQ(error_of("hello\r\n\r\n"), -32600);
  const std::string deep = R"({"id":7,"method":"x","params":)" + std::string(100000, '[') +
                           std::string(100000, ']') + "}";
  EXPECT_EQ(error_of("Content-Length: " + std::to_string(deep.size()) + "\r\n\r\n" + deep), -32600);
  EXPECT_TRUE(client.request("shutdown", json::object()).at("result").is_null());
  EXPECT_EQ(client.request("shutdown", json::object()).at("error").at("code"), -32600);
  client.notify("exit", json::object());
  EXPECT_EQ(client.finish(), 0);
}

TEST_F(LspServer, AnExitWithoutShutdownIsAFailure) {
  LspClient client;
  client.initialize();
  client.notify("exit", json::object());
  EXPECT_EQ(client.finish(), 1);
}

// The text was never saved.
TEST_F(LspServer, ARaceIsShownAtBothLinesAndRepaired) {
  LspClient client;
  client.initialize({{"performance", false}});
  open(client, "racy.comp", kRacy);
  const json found = client.diagnostics(uri("racy.comp"), [](const json&) { return true; });
  if (found.is_array() && !found.empty() && found.at(0).at("code") == "check") {
    GTEST_SKIP() << found.dump();
  }
  ASSERT_EQ(found.size(), 2U) << found.dump(1);
  EXPECT_EQ(found.at(0).at("range").at("start").at("line"), 6);
  EXPECT_EQ(found.at(0).at("range").at("start").at("character"), 2);
  EXPECT_EQ(found.at(0).at("range").at("end").at("character"), 6);
  EXPECT_EQ(found.at(1).at("range").at("start").at("line"), 7);
  EXPECT_EQ(found.at(0).at("severity"), 1);
  EXPECT_EQ(found.at(0).at("code"), "race");
  EXPECT_EQ(found.at(0).at("source"), "tilescope");
  EXPECT_TRUE(found.at(0)
                  .at("codeDescription")
                  .at("href")
                  .get<std::string>()
                  .ends_with("findings.md#race"));
  EXPECT_EQ(found.at(0).at("relatedInformation").at(1).at("location").at("range"),
            found.at(1).at("range"));

  const json actions =
      client
          .request("textDocument/codeAction", {{"textDocument", {{"uri", uri("racy.comp")}}},
                                               {"range", found.at(1).at("range")},
                                               {"context", {{"diagnostics", found}}}})
          .at("result");
  ASSERT_EQ(actions.size(), 3U) << actions.dump(1);
  EXPECT_TRUE(actions.at(0).at("isPreferred"));
  EXPECT_EQ(actions.at(2).at("command").at("command"), "tilescope.open");
  const json silence = actions.at(1).at("edit").at("documentChanges").at(0).at("edits").at(0);
  EXPECT_EQ(silence.at("newText"), "  // tilescope: allow race on s, intended");
  const json edit = actions.at(0).at("edit").at("documentChanges").at(0);
  EXPECT_EQ(edit.at("textDocument").at("version"), 1);
  EXPECT_EQ(edit.at("edits").at(0).at("newText"), "  barrier();\n");
  client.notify("textDocument/didChange",
                {{"textDocument", {{"uri", uri("racy.comp")}, {"version", 2}}},
                 {"contentChanges",
                  {{{"range", edit.at("edits").at(0).at("range")}, {"text", "  barrier();\n"}}}}});
  const json clean =
      client.diagnostics(uri("racy.comp"), [](const json& list) { return list.empty(); });
  EXPECT_TRUE(clean.is_array());
  const json lenses =
      client.request("textDocument/codeLens", {{"textDocument", {{"uri", uri("racy.comp")}}}})
          .at("result");
  ASSERT_EQ(lenses.size(), 1U);
  EXPECT_EQ(lenses.at(0).at("command").at("title"), "clean");
  EXPECT_FALSE(fs::exists(path("racy.comp")));
}

// The error is at its line of the file that is included, and goes with the text that is dropped,
// also while the kernel is open.
TEST_F(LspServer, AnIncludedFileIsCheckedThroughItsKernel) {
  const std::string kernel =
      "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
      "#include \"part.h\"\nlayout(local_size_x = 1) in;\nvoid main() { part(); }\n";
  std::ofstream(folder_ / "kernel.comp") << kernel;
  fs::create_directory(folder_ / "inc");
  std::ofstream(folder_ / "inc/part.h") << "void part() {}\n";
  std::ofstream(folder_ / "tilescope.toml") << "tilescope_project = 1\ninclude_dirs = ['inc']\n";
  LspClient client;
  client.initialize({{"performance", false}});
  open(client, "kernel.comp", kernel);
  open(client, "inc/part.h", "\nvoid part() { nothing = 1; }\n");
  const json found =
      client.diagnostics(uri("inc/part.h"), [](const json& list) { return !list.empty(); });
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  EXPECT_EQ(found.at(0).at("code"), "compile");
  EXPECT_EQ(found.at(0).at("range").at("start").at("line"), 1);
  EXPECT_TRUE(found.at(0).at("message").get<std::string>().contains("undeclared")) << found;
  client.notify("textDocument/didClose", {{"textDocument", {{"uri", uri("inc/part.h")}}}});
  EXPECT_TRUE(client.diagnostics(uri("inc/part.h"), [](const json& list) { return list.empty(); })
                  .is_array());
}

TEST_F(LspServer, SeveralDocumentsHaveTheirOwnDiagnostics) {
  const std::string wrong = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() { x; }\n";
  LspClient client;
  client.initialize();
  for (const char* name : {"a.comp", "b.comp"}) {
    open(client, name, wrong);
  }
  for (int version = 2; version < 5; ++version) {
    for (const char* name : {"a.comp", "b.comp"}) {
      client.notify("textDocument/didChange",
                    {{"textDocument", {{"uri", uri(name)}, {"version", version}}},
                     {"contentChanges", {{{"text", wrong + std::to_string(version)}}}}});
      client.notify("textDocument/didSave", {{"textDocument", {{"uri", uri(name)}}}});
      const json message = client.wait_for([&](const json& m) {
        return m.value("method", "") == "textDocument/publishDiagnostics" &&
               m.at("params").at("uri") == uri(name) &&
               m.at("params").value("version", 0) == version;
      });
      ASSERT_TRUE(message.is_object()) << name << " " << version;
      EXPECT_EQ(message.at("params").at("diagnostics").size(), 1U);
    }
  }
}

TEST_F(LspServer, WrongOutputsAreShownAtTheEntryPoint) {
  const std::string kernel =
      "#version 450\nlayout(local_size_x = 1) in;\n"
      "layout(binding = 0) buffer O { uint o[]; };\nvoid main() { o[0] = ";
  std::ofstream(folder_ / "right.comp") << kernel << "1u; }\n";
  std::ofstream(folder_ / "wrong.comp") << kernel << "2u; }\n";
  std::ofstream(folder_ / "tilescope.toml")
      << "tilescope_project = 1\n[[launch]]\nkernel = 'wrong.comp'\nreference = 'right.comp'\n"
         "groups = [1, 1, 1]\nbuffers = { o = '4' }\n";
  LspClient client;
  client.initialize({{"performance", false}});
  open(client, "wrong.comp", kernel + "2u; }\n");
  const json found =
      client.diagnostics(uri("wrong.comp"), [](const json& list) { return !list.empty(); });
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  if (found.at(0).at("code") == "check") {
    GTEST_SKIP() << found.dump();
  }
  EXPECT_EQ(found.at(0).at("code"), "answer");
  EXPECT_EQ(found.at(0).at("range").at("start").at("line"), 3);
}

// Never run without consent.
TEST_F(LspServer, CommandsOfAProjectAreNotRun) {
  std::ofstream(folder_ / "tilescope.toml")
      << "tilescope_project = 1\n[compilers]\nwgsl = 'touch " + path("ran") + "'\n";
  LspClient client;
  client.initialize();
  open(client, "k.wgsl", "@compute @workgroup_size(1)\nfn main() {}\n");
  std::ofstream(folder_ / "k.wgsl") << "@compute @workgroup_size(1)\nfn main() {}\n";
  client.notify("textDocument/didSave", {{"textDocument", {{"uri", uri("k.wgsl")}}}});
  const json found = client.diagnostics(uri("k.wgsl"), [](const json& list) {
    return !list.empty() && list.at(0).at("code") == "consent";
  });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found.at(0).at("message").get<std::string>().contains("needs your consent"));
  EXPECT_FALSE(fs::exists(path("ran")));
}

}  // namespace
