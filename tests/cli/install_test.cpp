// The tree that `cmake --install` makes: it is whole, and the program in it finds its data from
// anywhere.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

struct Ended {
  int status = -1;
  std::string out;
};

Ended shell(const std::string& command) {
  Ended ended;
  // NOLINTNEXTLINE(cert-env33-c,bugprone-command-processor)
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return ended;
  }
  char block[4096];
  for (std::size_t got = 0; (got = std::fread(block, 1, sizeof block, pipe)) > 0;) {
    ended.out.append(block, got);
  }
  const int status = ::pclose(pipe);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ended;
}

class Installed : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("tilescope-install-" + std::to_string(::getpid()));
    prefix_ = root_ / "a prefix";
    const fs::path build = fs::path(TILESCOPE_PROGRAM).parent_path();
    const Ended done =
        shell("cmake --install '" + build.string() + "' --prefix '" + prefix_.string() + "' 2>&1");
    ASSERT_EQ(done.status, 0) << done.out;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  // From the root folder, with nothing of the caller's environment but what a sanitizer is told: a
  // driver that is unloaded by the end leaks.
  [[nodiscard]] Ended call(const std::string& arguments) const {
    return shell("cd / && env -i PATH=/usr/bin:/bin HOME='" + root_.string() +
                 "' ASAN_OPTIONS=\"$ASAN_OPTIONS\" '" + (prefix_ / "bin" / "tilescope").string() +
                 "' " + arguments + " 2>&1");
  }

  fs::path root_;
  fs::path prefix_;
};

TEST_F(Installed, IsWholeAndFindsItsData) {
  for (const char* file :
       {"share/tilescope/shaders/matmul/tiled.comp", "share/tilescope/assets/lessons/barriers.toml",
        "share/doc/tilescope/README.md", "share/doc/tilescope/CHANGELOG.md",
        "share/doc/tilescope/assets/manual/index.md", "share/man/man1/tilescope.1",
        "share/applications/tilescope.desktop", "share/icons/hicolor/scalable/apps/tilescope.svg",
        "share/mime/packages/tilescope-scene.xml", "share/bash-completion/completions/tilescope",
        "share/zsh/site-functions/_tilescope", "share/fish/vendor_completions.d/tilescope.fish",
        "lib/tilescope/libVkLayer_tilescope_capture.so",
        "lib/tilescope/VkLayer_tilescope_capture.json"}) {
    EXPECT_TRUE(fs::is_regular_file(prefix_ / file)) << file;
  }
  const Ended list = call("list --json");
  EXPECT_EQ(list.status, 0) << list.out;
  ASSERT_TRUE(nlohmann::json::accept(list.out)) << list.out;
  EXPECT_NE(list.out.find("\"matmul/tiled\""), std::string::npos);
  const Ended lessons = call("lesson");
  EXPECT_EQ(lessons.status, 0) << lessons.out;
  EXPECT_NE(lessons.out.find("barriers"), std::string::npos) << lessons.out;
  const Ended run = call("run matmul/tiled --size 32,32,32 --repeat 1");
  EXPECT_EQ(run.status, 0) << run.out;
  // It finds its layer, under which a program without Vulkan launches nothing.
  const Ended capture = call("capture -o '" + (root_ / "capture").string() + "' -- true");
  EXPECT_EQ(capture.status, 3);
  EXPECT_NE(capture.out.find("launched no compute kernel"), std::string::npos) << capture.out;
  // Nothing in it leads back to where it was built: the kernel that ran is the installed one.
  fs::remove_all(prefix_ / "share" / "tilescope");
  EXPECT_EQ(call("list").status, 2);
}

TEST_F(Installed, CompletionsKnowCommandsFlagsAndKernels) {
  // In a folder without files: their names complete words too.
  const fs::path empty = root_ / "empty";
  fs::create_directories(empty);
  const auto complete = [&](const std::string& words, int at) {
    return shell("cd '" + empty.string() + "' && PATH='" + (prefix_ / "bin").string() +
                 "':/usr/bin:/bin bash -c 'source \"$0\"; COMP_WORDS=(tilescope " + words +
                 "); COMP_CWORD=" + std::to_string(at) +
                 "; _tilescope; printf \"%s\\n\" \"${COMPREPLY[@]}\"' '" +
                 (prefix_ / "share/bash-completion/completions/tilescope").string() + "'")
        .out;
  };
  EXPECT_EQ(complete("ch", 1), "check\n");
  EXPECT_NE(complete("check --ti", 2).find("--tiles\n"), std::string::npos);
  EXPECT_NE(complete("check matmul/til", 2).find("matmul/tiled\n"), std::string::npos);
}

}  // namespace
