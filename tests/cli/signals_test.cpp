// What ends the program early, and a disk that is full: files are whole or not there, and nothing
// stays behind. And the line that says how far it is.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// More than a busy machine needs to end a process, and less than any launch here takes.
constexpr std::chrono::seconds kPatience{60};

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Those of a process group that still run; who has ended and waits to be asked about it does not.
std::size_t running_in(pid_t group) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) {
      continue;
    }
    const std::string stat = content(entry.path() / "stat");
    const std::size_t name_end = stat.rfind(") ");
    if (name_end == std::string::npos) {
      continue;
    }
    char state = 0;
    long parent = 0;
    long its_group = 0;
    std::istringstream(stat.substr(name_end + 2)) >> state >> parent >> its_group;
    count += its_group == group && state != 'Z' ? 1U : 0U;
  }
  return count;
}

class Signals : public testing::Test {
 protected:
  void SetUp() override {
    if (tests::kSanitized) {
      GTEST_SKIP() << "times are the sanitizers' own here";
    }
    folder_ = fs::temp_directory_path() / ("tilescope-signals-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  // In the folder; its exit status is the shell's.
  [[nodiscard]] int shell(const std::string& command) const {
    const std::string whole = "cd '" + folder_.string() + "' && " + command;
    // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
    const int status = std::system(whole.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  pid_t start(const std::string& arguments) const {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::setpgid(0, 0);
      const std::string command = "cd '" + folder_.string() + "' && exec '" + TILESCOPE_PROGRAM +
                                  "' " + arguments + " >/dev/null 2>&1 </dev/null";
      ::execl("/bin/bash", "bash", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
    return pid;
  }

  fs::path folder_;
};

const std::string kProgram = std::string("'") + TILESCOPE_PROGRAM + "' ";

// A limit on files' sizes stands for a full disk: both make a write fail half-way.
TEST_F(Signals, AFileThatHasNoRoomIsASentence) {
  if (shell("(ulimit -f 8; " + kProgram +
            "run matmul/tiled --size 32,32,32 --repeat 1) >out 2>err") > 128) {
    GTEST_SKIP() << "this driver keeps its memory in files, which the limit is on too";
  }
  EXPECT_EQ(shell("(ulimit -f 8; " + kProgram +
                  "shot matmul/tiled --size 32,32,32 --resolution 640x400 -o x.png) >out 2>err"),
            3)
      << content(folder_ / "err");
  EXPECT_TRUE(content(folder_ / "err").starts_with("tilescope: cannot write x.png"))
      << content(folder_ / "err");
  EXPECT_EQ(std::ranges::count(content(folder_ / "err"), '\n'), 1);
  fs::remove(folder_ / "out");
  fs::remove(folder_ / "err");
  EXPECT_EQ(files(), 0U) << "something of it stayed";
}

// Folders that a command has made for its output go with it.
TEST_F(Signals, AFolderThatHasNoRoomIsNotLeftInPart) {
  if (shell("(ulimit -f 8; " + kProgram +
            "run matmul/tiled --size 32,32,32 --repeat 1) >out 2>err") > 128) {
    GTEST_SKIP() << "this driver keeps its memory in files, which the limit is on too";
  }
  fs::create_directories(folder_ / "kept");
  for (const char* call :
       {"run matmul/tiled --size 32,32,32 --repeat 1 --save new/saved",
        "check matmul/tiled --size 32,32,32 --save kept/saved", "lesson tiles -o new/page"}) {
    SCOPED_TRACE(call);
    EXPECT_EQ(shell("(ulimit -f 8; " + kProgram + call + ") >out 2>err"), 3)
        << content(folder_ / "err");
    EXPECT_TRUE(content(folder_ / "err").contains("cannot write")) << content(folder_ / "err");
    EXPECT_EQ(std::ranges::count(content(folder_ / "err"), '\n'), 1) << content(folder_ / "err");
    EXPECT_FALSE(fs::exists(folder_ / "new"));
    EXPECT_TRUE(fs::is_empty(folder_ / "kept"));
  }
}

TEST_F(Signals, WhatIsNoFileStaysWhatItIs) {
  EXPECT_EQ(shell("mknod null c 1 3 2>/dev/null || ln -s /dev/null null; " + kProgram +
                  "run matmul/tiled --size 32,32,32 --repeat 1 --csv null >/dev/null 2>&1"),
            2);
  EXPECT_FALSE(fs::is_regular_file(folder_ / "null"));
}

TEST_F(Signals, FilesAreWholeWhateverEndsIt) {
  const std::string before = "what was there before";
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    for (const int delay : {150, 450}) {
      SCOPED_TRACE(std::to_string(signal) + " after " + std::to_string(delay) + " ms");
      std::ofstream(folder_ / "x.png", std::ios::binary) << before;
      const pid_t pid =
          start("shot matmul/tiled --size 64,64,64 --bare --resolution 320x200 -o x.png");
      std::this_thread::sleep_for(milliseconds(delay));
      ::kill(pid, signal);
      ::waitpid(pid, nullptr, 0);
      const std::string now = content(folder_ / "x.png");
      EXPECT_TRUE(now == before ||
                  (now.starts_with("\x89PNG") && now.ends_with("\xAE\x42\x60\x82")));
      EXPECT_EQ(files(), 1U);
    }
  }
}

// Both launches take many minutes when nobody stops them. The kernel from a file runs in a process
// of its own, which ends too.
TEST_F(Signals, CtrlCEndsALongLaunch) {
  std::ofstream(folder_ / "long.comp")
      << "#version 450\nlayout(local_size_x = 64) in;\n"
         "layout(set = 0, binding = 0) buffer D { uint d[]; };\nvoid main() {\n"
         "  for (uint i = 0u; i < 4000000000u; ++i) d[gl_LocalInvocationIndex] += i * d[0];\n}\n";
  for (const char* call : {"run long.comp --groups 64,1,1 --buffer 0.0=4096:iota",
                           "check matmul/naive --size 2048,2048,2048"}) {
    SCOPED_TRACE(call);
    const pid_t pid = start(call);
    std::this_thread::sleep_for(milliseconds(1200));
    ASSERT_EQ(::waitpid(pid, nullptr, WNOHANG), 0) << "it ended by itself";
    ::kill(pid, SIGINT);  // to it alone: what it started must end with it
    ::waitpid(pid, nullptr, 0);
    const auto end = Clock::now() + kPatience;
    while (running_in(pid) > 0 && Clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(20));
    }
    EXPECT_EQ(running_in(pid), 0U) << "a process of it lives on";
  }
}

// Its first Ctrl+C waits for what is under way: here for a terminal that takes no more text.
TEST_F(Signals, ASecondCtrlCEndsAStreamAtOnce) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::string much(1U << 16U, '.');
  while (::write(ends[1], much.data(), much.size()) > 0) {
  }
  ASSERT_EQ(::fcntl(ends[1], F_SETFL, 0), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    const std::string output = (folder_ / "c.f32").string();
    ::execl(TILESCOPE_PROGRAM, "tilescope", "stream", "--size", "8000,8000,8000", "--emulate", "2",
            "--memory", "4MiB", "-o", output.c_str(), nullptr);
    ::_exit(127);
  }
  std::this_thread::sleep_for(milliseconds(3000));
  ::kill(pid, SIGINT);
  std::this_thread::sleep_for(milliseconds(500));
  ASSERT_EQ(::waitpid(pid, nullptr, WNOHANG), 0) << "it waits for nothing";
  ::kill(pid, SIGINT);
  const auto end = Clock::now() + kPatience;
  int status = 0;
  while (::waitpid(pid, &status, WNOHANG) == 0 && Clock::now() < end) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  ::kill(pid, SIGKILL);
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_EQ(files(), 0U);
}

using LongSignals = Signals;

TEST_F(LongSignals, WhatTakesLongerThanASecondSaysSoOnATerminalAlone) {
  const std::string call = "check matmul/naive --size 640,640,640";
  ASSERT_EQ(shell("script -qec \"" + std::string(TILESCOPE_PROGRAM) + " " + call +
                  "\" /dev/null >out 2>&1 </dev/null"),
            0);
  const std::string shown = content(folder_ / "out");
  const auto line = shown.find("\r\x1b[Kcheck matmul/naive: ");
  const auto report = shown.find("workgroups");
  EXPECT_NE(report, std::string::npos) << shown;
  if (line == std::string::npos) {
    GTEST_SKIP() << "it took no second here";
  }
  EXPECT_LT(line, report);
  EXPECT_NE(shown.find(" s\r\x1b[K", line), std::string::npos) << "the line is taken away";
  ASSERT_EQ(shell(kProgram + call + " 2>err >out"), 0);
  EXPECT_TRUE(content(folder_ / "err").empty()) << content(folder_ / "err");
}

}  // namespace
