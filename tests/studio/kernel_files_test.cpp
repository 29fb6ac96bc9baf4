// Drafts and copies of kernels, in folders of the test's own.
#include "studio/kernel_files.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "studio/folder_listing.h"
#include "ui/fixture.h"

namespace {

namespace fs = std::filesystem;

class KernelFiles : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    // NOLINTBEGIN(concurrency-mt-unsafe): one thread
    ::setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    ::setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);
    // NOLINTEND(concurrency-mt-unsafe)
  }
  void TearDown() override { fs::remove_all(folder_); }
  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  fs::path folder_ =
      fs::path(testing::TempDir()) / ("tilescope-kernel-files-" + std::to_string(::getpid()));
};

TEST_F(KernelFiles, DraftsAreThereAgainUntilTheyAreGivenUp) {
  EXPECT_TRUE(studio::read_drafts().empty());
  ASSERT_TRUE(studio::keep_draft("matmul/tiled", "one\n"));
  ASSERT_TRUE(studio::keep_draft("/home/a%2Fb/my kernel.comp", "two\n"));
  ASSERT_TRUE(studio::keep_draft("matmul/tiled", "three\n"));
  std::map<std::string, std::string> drafts;
  for (const ui::KernelText& draft : studio::read_drafts()) {
    drafts[draft.variant] = draft.text;
  }
  EXPECT_EQ(drafts, (std::map<std::string, std::string>{{"matmul/tiled", "three\n"},
                                                        {"/home/a%2Fb/my kernel.comp", "two\n"}}));
  ASSERT_TRUE(studio::keep_draft("matmul/tiled", "four\n", "origin\n"));
  for (const ui::KernelText& draft : studio::read_drafts()) {
    EXPECT_EQ(draft.begun, draft.variant == "matmul/tiled" ? "origin\n" : "");
  }
  ASSERT_TRUE(studio::keep_draft("matmul/tiled", std::nullopt));
  EXPECT_EQ(studio::read_drafts().size(), 1U);
}

TEST_F(KernelFiles, AKernelOfTheCatalogueIsSavedAsACopyAnotherAsItsFile) {
  const core::Catalogue catalogue = tests::catalogue();
  const auto copy = studio::save_kernel(catalogue, "matmul/tiled", folder_ / "never", "a\n", {});
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_EQ(copy->file, folder_ / "data" / "tilescope" / "kernels" / "matmul/tiled-yours.comp");
  EXPECT_EQ(copy->variant, "matmul/tiled-yours");
  EXPECT_EQ(content(copy->file), "a\n");
  EXPECT_FALSE(fs::exists(folder_ / "never"));
  const auto own = studio::save_kernel(catalogue, "my.comp", folder_ / "my.comp", "b\n", {});
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(content(folder_ / "my.comp"), "b\n");
  EXPECT_EQ(own->variant, "");
}

TEST_F(KernelFiles, AFoldersListHasWhatCanBeOpened) {
  fs::create_directories(folder_ / "launch");
  fs::create_directories(folder_ / ".hidden");
  std::ofstream(folder_ / "launch" / "dispatch.toml") << "";
  std::ofstream(folder_ / "a.comp") << "void main() {}";
  std::ofstream(folder_ / "b.toml") << "tilescope_scene = 1\n";
  std::ofstream(folder_ / "c.toml") << "x = 1\n";
  std::ofstream(folder_ / "d.txt") << "";
  const auto listing = studio::list_folder(folder_.string());
  ASSERT_EQ(listing.entries.size(), 3U);
  EXPECT_TRUE(listing.entries[0].whole);
  EXPECT_EQ(listing.entries[1].note, "kernel");
  EXPECT_EQ(listing.entries[2].note, "scene");
  EXPECT_EQ(listing.others, 2U);
  EXPECT_EQ(listing.scenes, 1U);
  EXPECT_FALSE(studio::list_folder((folder_ / "none").string()).error.empty());
}

}  // namespace
