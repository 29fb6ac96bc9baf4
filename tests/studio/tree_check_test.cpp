// The kernels of a folder, checked in the background.
#include "studio/window/tree_check.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/scratch.h"

namespace {

namespace fs = std::filesystem;

TEST(TreeCheck, ChecksEachKernelAndThoseThatChange) {
  const core::Scratch scratch;
  fs::create_directories(scratch.path() / "sub");
  const fs::path one = scratch.path() / "one.comp";
  for (const fs::path& file : {one, scratch.path() / "sub/two.comp"}) {
    std::ofstream(file) << "void main() {}\n";
  }
  std::ofstream(scratch.path() / "note.txt") << "no kernel\n";
  studio::TreeCheck check([&](const std::string& kernel, const std::function<bool()>&) {
    return studio::KernelVerdict{kernel.ends_with("one.comp") ? "racy" : "clean",
                                 kernel.ends_with("one.comp") ? 3U : 0U, ""};
  });
  ui::KernelTree tree;
  bool news = false;
  const auto wait_for = [&](const auto& is_there) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!is_there() && std::chrono::steady_clock::now() < end) {
      news = check.take(tree) || news;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return is_there();
  };
  check.start(scratch.path().string());
  ASSERT_TRUE(wait_for([&] {
    return tree.kernels.size() == 2 && !tree.kernels[0].verdict.empty() &&
           !tree.kernels[1].verdict.empty();
  }));
  EXPECT_EQ(tree.kernels[0].name, "one.comp");
  EXPECT_EQ(tree.kernels[0].findings, 3U);
  EXPECT_EQ(tree.kernels[1].name, "sub/two.comp");
  EXPECT_EQ(tree.kernels[1].verdict, "clean");
  fs::last_write_time(one, fs::last_write_time(one) + std::chrono::seconds(5));
  news = false;
  EXPECT_TRUE(wait_for([&] { return news; })) << "it is checked again";
  check.start((scratch.path() / "sub").string());
  EXPECT_TRUE(wait_for([&] { return tree.kernels.size() == 1; }));
}

}  // namespace
