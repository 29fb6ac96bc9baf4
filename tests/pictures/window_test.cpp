// The real window on a virtual display, worked with real clicks and keys.
#include "tests/pictures/window.h"

#include <cstdlib>

#include <xcb/xcb.h>

#include "tests/cli/process.h"
#include "tests/pictures/compare.h"

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::content;
using tests::wait_until;
using tests::Window;

TEST_F(Window, SavesWhatWasClickedAndTyped) {
  EXPECT_EQ(tool("mousemove 600 450"),
            0);  // without a window manager keys go to where the pointer is
  for (int i = 0; i < 3; ++i) {
    press("comma");  // half the size: launches that are not cut into slices
  }
  press("bracketleft");  // the next smaller tile
  press("t");            // light
  const fs::path tiled = save_until(
      {"variant = 'matmul/tiled'", "tile = 8", "size = [ 64, 64, 64 ]", "theme = 'light'"},
      seconds(90));
  ASSERT_FALSE(tiled.empty()) << content(folder_ / "tilescope-matmul-tiled-1.toml");
  const Place naive{100, 105};  // the ladder's first rung
  click(naive);
  const fs::path scene =
      save_until({"variant = 'matmul/naive'", "size = [ 64, 64, 64 ]"}, seconds(90), naive);
  ASSERT_FALSE(scene.empty());

  // The same scene from the command line is the same picture, but for what is measured and for the
  // sentence that says where the picture is.
  const auto again =
      tests::run("shot " + scene.string() + " -o " + (folder_ / "again.png").string());
  EXPECT_EQ(again.status, 0) << again.err;
  const auto newest_picture = [this] {
    fs::path newest;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const fs::path& file = entry.path();
      if (file.extension() == ".png" &&
          file.stem().string().starts_with("tilescope-matmul-naive") &&
          (newest.empty() || entry.last_write_time() > fs::last_write_time(newest))) {
        newest = file;
      }
    }
    return newest;
  };
  // The first picture may be of a kernel that has just been set up: the next ones are not.
  tests::Difference difference;
  EXPECT_TRUE(wait_until(
      [&] {
        press("s");
        difference = tests::compare(tests::read_image(newest_picture()),
                                    tests::read_image(folder_ / "again.png"),
                                    {{0, 46, 204, 800}, {1025, 46, 1280, 800}, {860, 0, 1280, 45}});
        return difference.same_size && difference.share < 0.03;
      },
      seconds(90)))
      << difference.in_words;

  press("shift+e");  // the measurements, beside the pictures
  const fs::path measured = folder_ / "tilescope-matmul-naive-1.json";
  ASSERT_TRUE(wait_until([&] { return fs::exists(measured); }, seconds(20)));
  EXPECT_NE(content(measured).find("\"ladder\""), std::string::npos);
  EXPECT_NE(content(fs::path(measured).replace_extension(".csv")).find("\nsample,"),
            std::string::npos);

  press("q");
  EXPECT_TRUE(wait_until([&] { return program_->ended(); }, seconds(20)));
  EXPECT_EQ(program_->status(), 0) << content(folder_ / "err");
  EXPECT_TRUE(content(folder_ / "err").empty()) << content(folder_ / "err");
}

TEST_F(Window, AClickOnABarrierLeadsToRaces) {
  EXPECT_EQ(tool("mousemove 600 450"), 0);
  for (int i = 0; i < 3; ++i) {
    press("comma");
  }
  click({220, 652});  // the dot of barrier 1, beside the source
  ASSERT_FALSE(save_until({"1 = 'off'"}).empty());
  fs::path found;
  EXPECT_TRUE(wait_until(
      [&] {
        click({1180, 23});  // the badge: chooses the first finding once there is one
        found = save_until({"1 = 'off'", "finding = 0", "tile = 0"}, seconds(4));
        return !found.empty();
      },
      seconds(90)))
      << content(folder_ / "err");
}

// What another program gets that pastes a picture; empty: there is none.
std::string pasted(const std::string& display) {
  xcb_connection_t* x = xcb_connect(display.c_str(), nullptr);
  const auto atom = [x](const std::string& name) {
    auto* reply = xcb_intern_atom_reply(
        x, xcb_intern_atom(x, 0, static_cast<std::uint16_t>(name.size()), name.data()), nullptr);
    const xcb_atom_t found = reply != nullptr ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
    std::free(reply);
    return found;
  };
  const xcb_window_t window = xcb_generate_id(x);
  xcb_create_window(x, XCB_COPY_FROM_PARENT, window,
                    xcb_setup_roots_iterator(xcb_get_setup(x)).data->root, 0, 0, 1, 1, 0,
                    XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
  const xcb_atom_t place = atom("PASTED");
  xcb_convert_selection(x, window, atom("CLIPBOARD"), atom("image/png"), place, XCB_CURRENT_TIME);
  xcb_flush(x);
  std::string bytes;
  wait_until(
      [&] {
        auto* event = xcb_poll_for_event(x);
        const bool told = event != nullptr && (event->response_type & 0x7F) == XCB_SELECTION_NOTIFY;
        std::free(event);
        if (told) {
          auto* reply = xcb_get_property_reply(
              x, xcb_get_property(x, 1, window, place, XCB_ATOM_ANY, 0, 1U << 24U), nullptr);
          if (reply != nullptr) {
            bytes.assign(static_cast<const char*>(xcb_get_property_value(reply)),
                         static_cast<std::size_t>(xcb_get_property_value_length(reply)));
          }
          std::free(reply);
        }
        return told;
      },
      seconds(5));
  xcb_disconnect(x);
  return bytes;
}

TEST_F(Window, CtrlCCopiesTheViewAsAPictureThatOthersCanPaste) {
  EXPECT_EQ(tool("mousemove 600 300"), 0);
  std::string png;
  EXPECT_TRUE(wait_until(
      [&] {
        press("ctrl+c");
        png = pasted(number_);
        return !png.empty();
      },
      seconds(60)))
      << content(folder_ / "err");
  ASSERT_TRUE(png.starts_with("\x89PNG\r\n\x1A\n"));
  const fs::path file = folder_ / "pasted.png";
  std::ofstream(file, std::ios::binary) << png;
  const auto image = tests::read_image(file);
  EXPECT_GT(image.width, 600) << "the view, not the window";
  EXPECT_LT(image.width, 1280);
  EXPECT_GT(image.height, 300);
}

// From the first start: a click begins the lesson that is offered, one answers, and the race is
// there, with its lines.
TEST_F(Window, ARaceIsTwoClicksFromTheFirstStart) {
  click({748, 538});           // "Begin"
  const Place race{100, 428};  // the second answer
  click(race);
  EXPECT_FALSE(save_until({"1 = 'off'", "finding = 0", "tile = 0"}, seconds(120), race).empty())
      << content(folder_ / "err");
  press("shift+n");
  const fs::path progress = folder_ / "state" / "tilescope" / "lessons.toml";
  EXPECT_TRUE(wait_until(
      [&] { return content(progress).find("first-look = 1") != std::string::npos; }, seconds(20)))
      << content(progress);
}

TEST_F(Window, ALessonIsDeclinedForGood) {
  click({840, 538});  // "No, thanks"
  const fs::path progress = folder_ / "state" / "tilescope" / "lessons.toml";
  EXPECT_TRUE(wait_until(
      [&] { return content(progress).find("declined = true") != std::string::npos; }, seconds(20)))
      << content(progress);
}

// A syntax error, so that nothing else is on its way when it ends.
TEST_F(Window, WhatIsTypedOutlivesTheWindow) {
  EXPECT_EQ(tool("mousemove 600 450"), 0);
  press("e");
  EXPECT_EQ(tool("type --delay 30 'typed'"), 0);
  const fs::path draft = folder_ / "state" / "tilescope" / "drafts" / "matmul%2Ftiled.draft";
  EXPECT_TRUE(
      wait_until([&] { return content(draft).find("typed") != std::string::npos; }, seconds(30)))
      << content(folder_ / "err");
}

// Half of its accesses go by an address, one of them far behind what is there: on a device that
// runs kernels in the window's memory that would be the window's end.
class WindowOnAddresses : public Window {
 protected:
  void before_start() override {
    opens_ = (folder_ / "by-address.comp").string();
    std::ofstream(opens_) << "#version 460\n#extension GL_EXT_buffer_reference : require\n"
                             "layout(local_size_x = 64) in;\n"
                             "layout(buffer_reference, std430) buffer Data { float x[]; };\n"
                             "layout(push_constant) uniform P { Data from; Data to; };\n"
                             "void main() {\n"
                             "  const uint i = gl_GlobalInvocationID.x;\n"
                             "  to.x[i] = from.x[i] + from.x[i * 0x00100001u + 99999u];\n"
                             "}\n";
  }
};

TEST_F(WindowOnAddresses, AKernelOfBufferReferencesRunsAndIsCheckedHere) {
  fs::path found;
  EXPECT_TRUE(wait_until(
      [&] {
        click({1180, 23});  // the badge: chooses the first finding once there is one
        found = save_until({"by-address.comp", "finding = 0"}, seconds(4));
        return !found.empty() || program_->ended();
      },
      seconds(120)));
  EXPECT_FALSE(found.empty()) << content(folder_ / "err");
  quit();
  EXPECT_TRUE(content(folder_ / "err").empty()) << content(folder_ / "err");
}

// A desktop that notes what it is to open; once it is told to, it can't.
class WindowOnADesktop : public Window {
 protected:
  void before_start() override {
    const fs::path opener = folder_ / "bin" / "xdg-open";
    fs::create_directories(opener.parent_path());
    std::ofstream(opener) << "#!/bin/sh\necho \"$1\" >>" << asked().string() << "\ntest ! -e "
                          << (folder_ / "refuse").string() << "\n";
    fs::permissions(opener, fs::perms::owner_all);
    environment_ += "XDG_CACHE_HOME=" + (folder_ / "cache").string() +
                    " PATH=" + opener.parent_path().string() + ":/usr/bin:/bin ";
  }
  [[nodiscard]] fs::path asked() const { return folder_ / "asked"; }
  // Presses a key, or clicks, until a page of that name was asked for; its text.
  std::string page(const std::string& name, const std::function<void()>& ask) const {
    std::string file;
    wait_until(
        [&] {
          ask();
          std::istringstream lines(content(asked()));
          for (std::string line; std::getline(lines, line);) {
            file = line.ends_with(name) ? line : file;
          }
          return !file.empty();
        },
        seconds(60));
    return content(file);
  }
};

TEST_F(WindowOnADesktop, TheHelpOpensTheManual) {
  EXPECT_EQ(tool("mousemove 600 450"), 0);
  const std::string chapter = page("/grid.md", [&] { press("F1"); });
  EXPECT_TRUE(chapter.starts_with("# Grid\n")) << chapter << content(folder_ / "err");
  press("question");  // and in the list of keys, with the mouse
  EXPECT_TRUE(page("/index.md", [&] { click({982, 66}); }).starts_with("# The Tilescope manual\n"));
  std::ofstream(folder_ / "refuse") << "";
  fs::remove(asked());
  EXPECT_FALSE(page("/index.md", [&] { press("shift+F1"); }).empty());
  quit();
}

// Ends without a word, as in a crash: the scene and what was typed are there again.
TEST_F(Window, AKilledWindowComesBackAsItWas) {
  EXPECT_EQ(tool("mousemove 600 450"), 0);
  press("ctrl+o");
  EXPECT_EQ(tool("type --delay 30 'transpose naive'"), 0);
  press("Return");
  ASSERT_FALSE(save_until({"variant = 'transpose/naive'"}).empty()) << content(folder_ / "err");
  const fs::path draft = folder_ / "state" / "tilescope" / "drafts" / "transpose%2Fnaive.draft";
  const fs::path scene = folder_ / "state" / "tilescope" / "last.toml";
  press("e");
  EXPECT_EQ(tool("type --delay 30 'typed'"), 0);
  ASSERT_TRUE(wait_until(
      [&] {
        return content(draft).find("typed") != std::string::npos &&
               content(scene).find("transpose/naive") != std::string::npos;
      },
      seconds(60)))
      << content(scene);
  program_.reset();  // kill -9
  start();
  ASSERT_FALSE(save_until({"variant = 'transpose/naive'"}).empty()) << content(folder_ / "err");
  press("e");
  EXPECT_EQ(tool("type --delay 30 'again'"), 0);
  EXPECT_TRUE(wait_until(
      [&] {
        const std::string text = content(draft);
        return text.find("typed") != std::string::npos && text.find("again") != std::string::npos;
      },
      seconds(60)))
      << content(folder_ / "err");
}

class WindowThatCrashes : public Window {
 protected:
  void TearDown() override { end(); }
  // Whether another window's process came within the time, once this one has had a fault.
  bool comes_back() const {
    const pid_t before = program_->window();
    return before != 0 && ::kill(before, SIGSEGV) == 0 &&
           wait_until(
               [&] {
                 const pid_t now = program_->window();
                 return now != 0 && now != before;
               },
               seconds(60));
  }
};

TEST_F(WindowThatCrashes, IsOpenAgain) {
  std::this_thread::sleep_for(seconds(20));  // until then it counts as having just opened
  ASSERT_TRUE(comes_back()) << content(folder_ / "err");
  EXPECT_TRUE(wait_until(
      [&] { return content(folder_ / "err").find("it has been reopened") != std::string::npos; },
      seconds(20)));
  ASSERT_TRUE(wait_until([&] { return tool("search --name Tilescope") == 0; }, seconds(60)));
  EXPECT_EQ(tool("mousemove 600 450"), 0);
  EXPECT_FALSE(save_until({"variant = 'matmul/tiled'"}).empty()) << content(folder_ / "err");
  quit();
}

// Its driver's compiler faults on what the file becomes: the trial ends, and the window shows what
// ran before; and goes on with what comes after.
class WindowOnAKillerOfDrivers : public Window {
 protected:
  void before_start() override {
    write("x");
    environment_ += "XDG_CACHE_HOME=" + (folder_ / "cache").string() + " VK_LAYER_PATH=" +
                    (fs::path(TILESCOPE_PROGRAM).parent_path() / "tests/layers").string() +
                    ":/usr/share/vulkan/explicit_layer.d"
                    " VK_INSTANCE_LAYERS=VK_LAYER_TILESCOPE_fault"
                    " TILESCOPE_FAULT_TEXT=kills_the_driver ";
    opens_ = file().string();
  }
  [[nodiscard]] fs::path file() const { return folder_ / "kernel.comp"; }
  void write(const std::string& name) const {
    std::ofstream(file()) << "#version 450\nlayout(local_size_x = 64) in;\n"
                             "layout(set = 0, binding = 0) buffer D { uint d[]; };\n"
                             "void main() { uint "
                          << name
                          << " = d[gl_GlobalInvocationID.x]; d[gl_GlobalInvocationID.x] = " << name
                          << " + 1u; }\n";
  }
  [[nodiscard]] std::string kept() const {
    std::string all;
    std::error_code ignored;
    for (const auto& entry :
         fs::recursive_directory_iterator(folder_ / "cache" / "tilescope" / "crashes", ignored)) {
      all += entry.path().extension() == ".txt" ? content(entry.path()) : "";
    }
    return all;
  }
};

TEST_F(WindowOnAKillerOfDrivers, ShowsTheLastGoodOneAndGoesOn) {
  EXPECT_EQ(tool("mousemove 600 450"), 0);
  ASSERT_FALSE(save_until({"kernel.comp"}).empty()) << content(folder_ / "err");
  const pid_t window = program_->window();
  write("kills_the_driver");
  EXPECT_TRUE(wait_until([&] { return kept().find("fault") != std::string::npos; }, seconds(90)));
  EXPECT_EQ(program_->window(), window) << content(folder_ / "err");
  write("mended");
  EXPECT_FALSE(save_until({"kernel.comp"}).empty());
  EXPECT_EQ(program_->window(), window) << content(folder_ / "err");
  quit();
}

TEST_F(WindowThatCrashes, EndsWithASentenceWhereItCannotStayOpen) {
  EXPECT_TRUE(comes_back());
  EXPECT_TRUE(comes_back());
  const pid_t third = program_->window();
  ASSERT_NE(third, 0);
  ASSERT_EQ(::kill(third, SIGSEGV), 0);
  ASSERT_TRUE(wait_until([&] { return program_->ended(); }, seconds(60)));
  EXPECT_EQ(program_->status(), 3);
  EXPECT_NE(content(folder_ / "err").find("three times"), std::string::npos);
}

TEST_F(Window, ComesBackToItsPlace) {
  EXPECT_EQ(tool("mousemove 600 450"), 0);
  EXPECT_EQ(tool("search --name Tilescope windowmove 37 41"), 0);
  ASSERT_TRUE(wait_until(
      [&] {
        return said("search --name Tilescope getwindowgeometry").find("37,41") != std::string::npos;
      },
      seconds(20)));
  quit();
  start();
  EXPECT_TRUE(wait_until(
      [&] {
        return said("search --name Tilescope getwindowgeometry").find("37,41") != std::string::npos;
      },
      seconds(20)))
      << said("search --name Tilescope getwindowgeometry");
}

// A desktop on which everything is twice as large.
class DenseWindow : public Window {
 protected:
  void before_start() override {
    x_ = xcb_connect(number_.c_str(), nullptr);  // the server keeps it while somebody is connected
    tell("Xft.dpi:\t192\n");
  }
  void TearDown() override {
    xcb_disconnect(x_);
    Window::TearDown();
  }
  void tell(const std::string& resources) const {
    xcb_change_property(x_, XCB_PROP_MODE_REPLACE,
                        xcb_setup_roots_iterator(xcb_get_setup(x_)).data->root,
                        XCB_ATOM_RESOURCE_MANAGER, XCB_ATOM_STRING, 8,
                        static_cast<std::uint32_t>(resources.size()), resources.data());
    std::free(xcb_get_input_focus_reply(x_, xcb_get_input_focus(x_), nullptr));  // it is there
  }
  std::string scale() const {
    const std::string kept = content(folder_ / "config" / "tilescope" / "settings.toml");
    const std::size_t at = kept.find("scale = ");
    return at == std::string::npos ? kept : kept.substr(at, kept.find('\n', at) - at);
  }

  xcb_connection_t* x_ = nullptr;
};

TEST_F(DenseWindow, IsAsLargeAsTheDesktopSaysUntilItsReaderSays) {
  EXPECT_EQ(tool("mousemove 600 450"), 0);
  quit();
  EXPECT_EQ(scale(), "scale = 2.0");
  tell("Xft.dpi:\t96\n");  // the next start, on another display
  start();
  quit();
  EXPECT_EQ(scale(), "scale = 1.0");
}

TEST_F(Window, ADisplayThatGoesAwayIsSaid) {
  display_->end();
  ASSERT_TRUE(wait_until([&] { return program_->ended(); }, seconds(20)));
  EXPECT_EQ(program_->status(), 3);
  EXPECT_NE(content(folder_ / "err").find("display"), std::string::npos)
      << content(folder_ / "err");
}

}  // namespace
