// The real window on a virtual display, for tests that work it with real clicks and keys.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

namespace tests {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

// A program in the background, ended with the object.
class Program {
 public:
  explicit Program(const std::string& command) : pid_(::fork()) {
    if (pid_ == 0) {
      ::setpgid(0, 0);
      ::execl("/bin/bash", "bash", "-c", ("exec " + command).c_str(), nullptr);
      ::_exit(127);
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (!ended()) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  // A display that is killed leaves its lock, over which two new ones may fall out.
  void end_gently() {
    end();
    for (int tenths = 0; tenths < 50 && !ended(); ++tenths) {
      std::this_thread::sleep_for(milliseconds(100));
    }
  }
  bool ended() {
    int status = 0;
    if (!ended_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
      ended_ = true;
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    return ended_;
  }
  int status() const { return status_; }
  // The window's own process, which the program watches over; 0 while there is none.
  pid_t window() const {
    const std::string task = "/proc/" + std::to_string(pid_);
    std::ifstream children(task + "/task/" + std::to_string(pid_) + "/children");
    pid_t first = 0;
    children >> first;
    return first;
  }
  void end() const { ::kill(pid_, SIGTERM); }

 private:
  pid_t pid_;
  bool ended_ = false;
  int status_ = -1;
};

// `most` is what a quiet machine may take; a busy one gets five times as long.
inline bool wait_until(const std::function<bool()>& done, seconds most) {
  const auto end = std::chrono::steady_clock::now() + 5 * most;
  while (std::chrono::steady_clock::now() < end) {
    if (done()) {
      return true;
    }
    std::this_thread::sleep_for(milliseconds(100));
  }
  return false;
}

inline std::string content(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class Window : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-window-" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "config");
    for (int tries = 0; tries < 3 && !open_display(); ++tries) {
    }
    ASSERT_EQ(tool("getdisplaygeometry"), 0) << "no display came up";
    environment_ = "env DISPLAY=" + number_ + " XDG_CONFIG_HOME=" + (folder_ / "config").string() +
                   " XDG_STATE_HOME=" + (folder_ / "state").string() +
                   " XDG_DATA_HOME=" + (folder_ / "data").string() +
                   " XDG_CACHE_HOME=" + (folder_ / "cache").string() +
                   " XDG_RUNTIME_DIR=" + folder_.string() +
                   " XDG_PICTURES_DIR=" + folder_.string() + " ";
    before_start();
    start();
  }
  // Beside others that do the same, a display may be taken between its choice and its start.
  // Without -noreset it is made anew when its last client leaves, and refuses the next one
  // meanwhile.
  bool open_display() {
    fs::remove(folder_ / "display");
    display_ = std::make_unique<Program>("Xvfb -noreset -displayfd 3 -screen 0 1280x800x24 3>" +
                                         (folder_ / "display").string() + " 2>/dev/null");
    if (!wait_until([&] { return content(folder_ / "display").ends_with('\n'); }, seconds(20))) {
      return false;
    }
    std::string number = content(folder_ / "display");
    number.erase(number.find_last_not_of(" \n") + 1);
    number_ = ":" + number;
    environment_ = "env DISPLAY=" + number_ + " ";
    return wait_until([&] { return tool("getdisplaygeometry") == 0 && !display_->ended(); },
                      seconds(10));
  }
  virtual void before_start() {}
  void start() {
    program_ = std::make_unique<Program>("env -C " + folder_.string() + " " + environment_ + " '" +
                                         TILESCOPE_PROGRAM + "' --validation " + opens_ + " 2>" +
                                         (folder_ / "err").string());
    ASSERT_TRUE(wait_until([&] { return tool("search --name Tilescope") == 0; }, seconds(30)))
        << content(folder_ / "err");
    // A click before the first frame finds nothing. Text at the top says that one is drawn.
    ASSERT_TRUE(wait_until([&] { return colours_at_the_top() > 8; }, seconds(60)))
        << content(folder_ / "err");
    std::this_thread::sleep_for(seconds(2));
  }
  // How many colours the upper part of the screen has.
  std::size_t colours_at_the_top() const {
    xcb_connection_t* x = xcb_connect(number_.c_str(), nullptr);
    auto* reply = xcb_get_image_reply(
        x,
        xcb_get_image(x, XCB_IMAGE_FORMAT_Z_PIXMAP,
                      xcb_setup_roots_iterator(xcb_get_setup(x)).data->root, 0, 0, 1280, 120, ~0U),
        nullptr);
    std::set<std::uint32_t> colours;
    if (reply != nullptr) {
      const auto bytes = static_cast<std::size_t>(xcb_get_image_data_length(reply));
      std::vector<std::uint32_t> pixels(bytes / 4);
      std::memcpy(pixels.data(), xcb_get_image_data(reply), pixels.size() * 4);
      colours.insert(pixels.begin(), pixels.end());
    }
    std::free(reply);
    xcb_disconnect(x);
    return colours.size();
  }
  void TearDown() override {
    EXPECT_EQ(content(folder_ / "err").find("it has been reopened"), std::string::npos)
        << content(folder_ / "err");
    end();
  }
  void end() {
    program_.reset();
    if (display_) {
      display_->end_gently();
    }
    display_.reset();
    fs::remove_all(folder_);
  }

  void quit() {
    press("q");
    EXPECT_TRUE(wait_until([&] { return program_->ended(); }, seconds(40)));
    EXPECT_EQ(program_->status(), 0) << content(folder_ / "err");
  }
  // What a tool says.
  std::string said(const std::string& arguments) const {
    const fs::path file = folder_ / "said";
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread calls it.
    static_cast<void>(std::system(
        (environment_ + "xdotool " + arguments + " >" + file.string() + " 2>&1").c_str()));
    return content(file);
  }
  int tool(const std::string& arguments) const {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread calls it.
    return std::system((environment_ + "xdotool " + arguments + " >/dev/null 2>&1").c_str());
  }
  struct Place {
    int x, y;
  };
  void click(Place at) const {
    EXPECT_EQ(tool("mousemove " + std::to_string(at.x) + " " + std::to_string(at.y)), 0);
    std::this_thread::sleep_for(milliseconds(300));
    EXPECT_EQ(tool("click 1"), 0);
    std::this_thread::sleep_for(milliseconds(700));
  }
  void press(const std::string& key) const {
    EXPECT_EQ(tool("key " + key), 0);
    std::this_thread::sleep_for(milliseconds(700));
  }
  // A picture shows what has run, so it may take some saves until what was asked for is there: the
  // saved scene that has all of `lines`, empty when none comes. A machine that is busy may lose a
  // click: now and then the one that led there is made again.
  fs::path save_until(const std::vector<std::string>& lines,
                      std::chrono::seconds most = std::chrono::seconds(90),
                      std::optional<Place> clicked = {}) const {
    fs::path found;
    int tries = 0;
    wait_until(
        [&] {
          if (++tries % 8 == 0 && clicked) {
            click(*clicked);
          }
          press("s");
          for (const auto& entry : fs::directory_iterator(folder_)) {
            const std::string text =
                entry.path().extension() == ".toml" ? content(entry.path()) : "";
            if (std::ranges::all_of(lines, [&](const std::string& line) {
                  return text.find(line) != std::string::npos;
                })) {
              found = entry.path();
            }
          }
          return !found.empty();
        },
        most);
    return found;
  }

  fs::path folder_;
  std::string number_;  // of the display, ":1"
  std::string opens_;   // what the window is opened on
  std::string environment_;
  std::unique_ptr<Program> display_;
  std::unique_ptr<Program> program_;
};

}  // namespace tests
