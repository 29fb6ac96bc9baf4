// Files in the real window: dropped, opened, typed at, changed by others meanwhile, closed on; and
// no frame is drawn where nothing changes.
#include "tests/pictures/drop.h"
#include "tests/pictures/window.h"

namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using tests::content;
using tests::wait_until;

constexpr const char* kKernel =
    "#version 450\n"
    "layout(local_size_x = 64) in;\n"
    "layout(set = 0, binding = 0) buffer D { uint d[]; };\n"
    "void main() { d[gl_GlobalInvocationID.x] = 1u; }\n";

// Opened on a kernel file of its own.
class FileWindow : public tests::Window {
 protected:
  void before_start() override {
    own_ = folder_ / "own.comp";
    std::ofstream(own_) << kKernel;
    opens_ = own_.string() + " --count-frames";
  }
  // What names files is written to the scene that a crash leaves.
  bool shows(const std::string& name) const {
    return wait_until(
        [&] { return content(state() / "last.toml").find(name) != std::string::npos; },
        seconds(90));
  }
  fs::path state() const { return folder_ / "state" / "tilescope"; }
  std::string drafts() const {
    std::string all;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(state() / "drafts", none)) {
      all += entry.path().extension() == ".draft" ? content(entry.path()) : "";
    }
    return all;
  }
  // Into the kernel that is shown, at its first line after the header.
  void type_in(const std::string& text) const {
    EXPECT_EQ(tool("mousemove 600 300"), 0);
    press("e");
    EXPECT_EQ(tool("type --delay 30 '" + text + "'"), 0);
    EXPECT_TRUE(wait_until([&] { return drafts().find(text) != std::string::npos; }, seconds(60)))
        << content(folder_ / "err");
  }
  // Of frames; 0: it has drawn none.
  long frames() const {
    const std::string said = content(folder_ / "err");
    const std::size_t last = said.rfind("frames: ");
    return last == std::string::npos ? 0 : std::atol(said.c_str() + last + 8);
  }
  // In four seconds none was drawn; only where none are does that ever come.
  bool comes_to_rest() const {
    long before = -1;
    return wait_until(
        [&] {
          before = frames();
          std::this_thread::sleep_for(seconds(4));
          return frames() == before && before > 0;
        },
        seconds(90));
  }

  fs::path own_;
};

TEST_F(FileWindow, DrawsNoFrameWhileNothingChanges) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  EXPECT_EQ(tool("mousemove 600 300"), 0);
  press("space");
  EXPECT_TRUE(comes_to_rest()) << "paused: " << content(folder_ / "err");
  const long paused = frames();
  press("e");
  EXPECT_TRUE(comes_to_rest()) << "the editor: " << content(folder_ / "err");
  EXPECT_GT(frames(), paused) << "a key is followed";
  press("Escape");
  press("shift+n");
  press("shift+n");
  EXPECT_TRUE(comes_to_rest()) << "a lesson: " << content(folder_ / "err");
}

TEST_F(FileWindow, TakesAFileThatIsDroppedOnItAndKnowsItAgain) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  const fs::path other = folder_ / "dropped.comp";
  std::ofstream(other) << kKernel;
  const auto window = static_cast<std::uint32_t>(std::stoul(said("search --name Tilescope")));
  ASSERT_TRUE(tests::drop(number_, window, other));
  EXPECT_TRUE(shows("dropped.comp")) << content(folder_ / "err");
  EXPECT_EQ(tool("mousemove 600 300"), 0);
  press("ctrl+o");  // the one before is the second of the recent ones
  press("Down");
  press("Return");
  EXPECT_TRUE(shows("own.comp")) << content(state() / "recent.toml");
}

TEST_F(FileWindow, AsksWhatToDoWithAFileThatIsChangedInTwoPlaces) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  type_in("// mine ");
  const Place take{790, 613};
  const Place keep{916, 613};
  std::ofstream(own_) << kKernel << "// theirs\n";
  std::this_thread::sleep_for(seconds(3));
  EXPECT_TRUE(wait_until(
      [&] {
        click(keep);
        press("e");
        press("ctrl+s");
        return content(own_).find("mine") != std::string::npos;
      },
      seconds(60)))
      << content(own_);
  EXPECT_EQ(content(own_).find("theirs"), std::string::npos);

  type_in("// more ");
  std::ofstream(own_) << kKernel << "// theirs\n";
  EXPECT_TRUE(wait_until(
      [&] {
        std::this_thread::sleep_for(seconds(2));
        click(take);
        return drafts().empty();
      },
      seconds(60)))
      << drafts();
  EXPECT_NE(content(own_).find("theirs"), std::string::npos);
}

TEST_F(FileWindow, WhatWasTypedIsThereAgainAfterItWasClosed) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  type_in("// mine ");
  press("Escape");
  quit();
  EXPECT_EQ(content(own_).find("mine"), std::string::npos) << "nothing is saved that nobody saves";
  start();
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  EXPECT_EQ(tool("mousemove 600 300"), 0);
  EXPECT_TRUE(wait_until(
      [&] {
        press("e");
        press("ctrl+s");
        return content(own_).find("mine") != std::string::npos;
      },
      seconds(60)))
      << content(own_);
}

// A file stands where the folder of drafts would.
class FileWindowWithoutDrafts : public FileWindow {
 protected:
  void before_start() override {
    FileWindow::before_start();
    fs::create_directories(state());
    std::ofstream(state() / "drafts") << "in the way";
  }
};

TEST_F(FileWindowWithoutDrafts, AsksBeforeWhatWasTypedIsLost) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  EXPECT_EQ(tool("mousemove 600 300"), 0);
  press("e");
  EXPECT_EQ(tool("type --delay 30 '// mine '"), 0);
  std::this_thread::sleep_for(seconds(2));
  press("Escape");
  press("q");
  std::this_thread::sleep_for(seconds(4));
  EXPECT_FALSE(program_->ended()) << "it asks first";
  EXPECT_TRUE(wait_until(
      [&] {
        press("q");
        return program_->ended();
      },
      seconds(40)));
  EXPECT_EQ(program_->status(), 0) << content(folder_ / "err");
}

}  // namespace
