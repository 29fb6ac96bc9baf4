// Files in the real window: dropped, opened, typed at, changed by others meanwhile, closed on; and
// no frame is drawn where nothing changes.
#include "tests/pictures/compare.h"
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

  // Whether the window works less than a tenth of a second within two; a lab that launches works
  // as much as it gets.
  bool rests() const {
    const long before = worked();
    std::this_thread::sleep_for(seconds(2));
    return worked() - before < ::sysconf(_SC_CLK_TCK) / 10;
  }
  // Ticks of the processor that it has had.
  long worked() const {
    std::istringstream all(content("/proc/" + std::to_string(program_->window()) + "/stat"));
    std::string word;
    long ticks = 0;
    for (int i = 1; i <= 15 && all >> word; ++i) {
      ticks += i >= 14 ? std::atol(word.c_str()) : 0;
    }
    return ticks;
  }
  // Whether a picture that is saved now has a line above the view in the colour of what is wrong.
  // Nothing: none could be saved.
  std::optional<bool> marked_as_older() const {
    const auto picture = newest_picture();
    if (!picture) {
      return std::nullopt;
    }
    const auto image = tests::read_image(*picture);
    int reddish = 0;
    for (int y = 50; y < 62 && y < image.height; ++y) {
      for (int x = 400; x < 900 && x < image.width; ++x) {
        const auto* p = &image.rgb[3 * static_cast<std::size_t>(y * image.width + x)];
        reddish += p[0] > p[2] + 20 ? 1 : 0;
      }
    }
    return reddish > 3000;
  }
  std::optional<fs::path> newest_picture() const {
    press("Escape");
    press("s");
    std::this_thread::sleep_for(seconds(1));
    std::optional<fs::path> newest;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const bool later = entry.path().extension() == ".png" &&
                         (!newest || entry.last_write_time() > fs::last_write_time(*newest));
      newest = later ? std::optional(entry.path()) : newest;
    }
    return newest;
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

// By real keys: its workgroups, then what its buffer holds; first with time for each run in
// between, then as fast as keys can come.
TEST_F(FileWindow, IsLaunchedWithWhatIsTyped) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  EXPECT_EQ(tool("mousemove 600 300"), 0);
  press("shift+f");
  EXPECT_EQ(tool("type 3"), 0);
  press("Tab");
  press("Tab");
  EXPECT_EQ(tool("type 1024:iota"), 0);
  press("Return");
  EXPECT_TRUE(shows("1024:iota")) << content(state() / "last.toml");
  EXPECT_TRUE(shows("size = [ 3, 1, 1 ]")) << content(state() / "last.toml");
  EXPECT_EQ(tool("key shift+f type --args 1 5 key Tab Tab "
                 "type --args 1 2048:zero key Return"),
            0);
  EXPECT_TRUE(shows("size = [ 5, 1, 1 ]")) << content(state() / "last.toml");
  EXPECT_TRUE(shows("2048:zero")) << content(state() / "last.toml");
}

TEST_F(FileWindow, SaysThatAPictureIsOlderThanATextThatDoesNotCompile) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  EXPECT_TRUE(wait_until([this] { return marked_as_older() == false; }, seconds(60)));
  type_in("typed ");
  EXPECT_TRUE(wait_until([this] { return marked_as_older() == true; }, seconds(90)))
      << content(folder_ / "err");
  press("e");
  EXPECT_EQ(tool("key --repeat 8 --delay 60 ctrl+z"), 0);
  EXPECT_TRUE(wait_until([this] { return marked_as_older() == false; }, seconds(90)))
      << content(folder_ / "err");
}

// The window looks whether there are new ones, and lists them as it does the others.
TEST_F(FileWindow, KernelsThatAppearInTheCatalogueAreListed) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  EXPECT_EQ(tool("mousemove 600 300"), 0);
  const fs::path kernels = folder_ / "data" / "tilescope" / "kernels" / "transpose";
  fs::create_directories(kernels);
  const fs::path ours = fs::path(TILESCOPE_SOURCE_DIR) / "shaders" / "transpose";
  for (const auto& entry : fs::directory_iterator(ours)) {
    if (entry.path().extension() == ".glsl") {
      fs::copy_file(entry.path(), kernels / entry.path().filename());
    }
  }
  fs::copy_file(ours / "naive.comp", kernels / "appeared.comp");
  EXPECT_TRUE(wait_until(
      [this] {
        press("ctrl+o");
        EXPECT_EQ(tool("type --delay 30 'transpose appeared'"), 0);
        press("Return");
        press("Escape");
        return content(state() / "last.toml").find("transpose/appeared") != std::string::npos;
      },
      seconds(60)))
      << content(folder_ / "err");
}

// As a window manager tells a window that it is minimised (ICCCM 4.1.3.1); there is none here.
TEST_F(FileWindow, AMinimisedOneLaunchesNothing) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  EXPECT_TRUE(wait_until([this] { return !rests(); }, seconds(60))) << "it launches all the time";
  const auto window = static_cast<std::uint32_t>(std::stoul(said("search --name Tilescope")));
  tests::set_minimised(number_, window, true);
  EXPECT_TRUE(wait_until([this] { return rests(); }, seconds(60)));
  tests::set_minimised(number_, window, false);
  EXPECT_TRUE(wait_until([this] { return !rests(); }, seconds(60)));
}

TEST_F(FileWindow, AsksWhatToDoWithAFileThatIsChangedInTwoPlaces) {
  ASSERT_TRUE(shows("own.comp")) << content(folder_ / "err");
  type_in("// mine ");
  const Place take{852, 613};
  const Place keep{945, 613};
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
  press("q");
  EXPECT_FALSE(wait_until([&] { return program_->ended(); }, seconds(2))) << "it asks once";
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
