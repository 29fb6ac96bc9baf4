// The real window, under Xvfb, with real clicks and keys.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/scene_file.h"

namespace {

namespace fs = std::filesystem;

bool wait_for(double seconds, const std::function<bool()>& ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!ready()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c = 0; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) {
    text += static_cast<char>(c);
  }
  if (pipe != nullptr) {
    pclose(pipe);
  }
  return text;
}

/// A process of ours; ended with the object.
class Child {
 public:
  Child(const std::string& command, const fs::path& folder) : pid_(fork()) {
    if (pid_ == 0) {
      fs::current_path(folder);
      execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
      _exit(127);
    }
  }
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Its exit status, or −1 when it does not end in time or is killed by a signal.
  int wait(double seconds) {
    int status = 0;
    if (!wait_for(seconds, [&] { return waitpid(pid_, &status, WNOHANG) == pid_; })) {
      return -1;
    }
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void end() const { kill(pid_, SIGTERM); }

 private:
  pid_t pid_;
};

class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    if (output_of("command -v Xvfb").empty() || output_of("command -v xdotool").empty()) {
      GTEST_SKIP() << "Xvfb and xdotool are not installed";
    }
    folder_ = fs::temp_directory_path() / fmt::format("tilescope_window_{}", getpid());
    fs::create_directories(folder_);
    number_ = 100 + static_cast<int>(getpid() % 400);
    server_ = std::make_unique<Child>(
        fmt::format("Xvfb :{} -screen 0 1300x820x24 -nolisten tcp 2>/dev/null", number_), folder_);
    ASSERT_TRUE(
        wait_for(10.0, [&] { return fs::exists(fmt::format("/tmp/.X11-unix/X{}", number_)); }));
    program_ = std::make_unique<Child>(
        fmt::format("env DISPLAY=:{} TILESCOPE_SHADERS={}/shaders {} --validation 2>errors",
                    number_, TILESCOPE_SOURCE_DIR, TILESCOPE_PROGRAM),
        folder_);
    ASSERT_TRUE(wait_for(20.0, [&] { return !xdotool("search --name '^Tilescope$'").empty(); }));
  }

  void TearDown() override {
    program_.reset();
    server_.reset();
    fs::remove_all(folder_);
  }

  std::string xdotool(const std::string& arguments) const {
    return output_of(fmt::format("DISPLAY=:{} xdotool {} 2>/dev/null", number_, arguments));
  }

  // Saves with the key, and reads the scene back.
  core::Scene save(const std::string& stem) {
    xdotool("key s");
    const fs::path scene = folder_ / (stem + ".toml");
    EXPECT_TRUE(wait_for(20.0, [&] { return fs::exists(scene); })) << scene;
    EXPECT_TRUE(fs::exists(folder_ / (stem + ".png")));
    const auto read = lab::read_scene(scene);
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    return read.value_or(core::Scene{});
  }

  fs::path folder_;
  int number_ = 0;
  std::unique_ptr<Child> server_;
  std::unique_ptr<Child> program_;
};

TEST_F(WindowTest, ClicksAndKeysArriveInTheSavedScene) {
  std::this_thread::sleep_for(std::chrono::seconds(3));
  // Smaller sizes first, so that a launch on an emulated device is short.
  xdotool("key comma key comma");
  std::this_thread::sleep_for(std::chrono::seconds(3));
  xdotool("mousemove 317 23 click 1");  // tile 8
  std::this_thread::sleep_for(std::chrono::seconds(4));
  core::Scene scene = save("tilescope-matmul-tiled-1");
  EXPECT_EQ(scene.experiment.variant, "matmul/tiled");
  EXPECT_EQ(scene.experiment.tile, 8U);
  EXPECT_EQ(scene.experiment.size, (core::Sizes{128, 128, 128}));

  xdotool("mousemove 100 105 click 1");  // the ladder's first rung
  xdotool("mousemove 700 400");
  std::this_thread::sleep_for(std::chrono::seconds(4));
  xdotool("key t");
  scene = save("tilescope-matmul-naive-1");
  EXPECT_EQ(scene.experiment.variant, "matmul/naive");
  EXPECT_EQ(scene.view.theme, "light");

  xdotool("key q");
  EXPECT_EQ(program_->wait(20.0), 0);
  EXPECT_EQ(fs::file_size(folder_ / "errors"), 0U)
      << output_of("head -5 " + (folder_ / "errors").string());
}

TEST_F(WindowTest, ADisplayThatGoesAwayEndsItWithStatus3) {
  std::this_thread::sleep_for(std::chrono::seconds(2));
  server_->end();
  EXPECT_EQ(program_->wait(20.0), 3);
  EXPECT_NE(output_of("cat " + (folder_ / "errors").string()).find("display"), std::string::npos);
}

}  // namespace
