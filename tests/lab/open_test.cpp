// What names and paths open.
#include "lab/files/open.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/files/capture_file.h"
#include "lab/files/scene_file.h"
#include "lab/plan/kernel_module.h"

namespace {

namespace fs = std::filesystem;

class Open : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("tilescope-open-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "k.comp") << "#version 450\nvoid main() {}\n";
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& title) const {
    core::Scene scene;
    scene.experiment.variant = "k.comp";
    scene.title = title;
    scene.notes = "say it";
    ASSERT_TRUE(lab::write_scene(folder_ / name, scene));
  }
  fs::path folder_;
};

TEST_F(Open, AFolderOfScenesIsAListInTheOrderOfTheirNames) {
  write("2.toml", "");
  write("1.toml", "The first");
  std::ofstream(folder_ / "0.toml") << "no = \"scene\"\n";
  const auto opened = lab::open_anything({}, folder_.string(), {});
  ASSERT_TRUE(opened) << opened.error().message;
  ASSERT_EQ(opened->scenes.size(), 2U);
  EXPECT_EQ(opened->scenes[0].title, "The first");
  EXPECT_EQ(opened->scenes[0].notes, "say it");
  EXPECT_EQ(opened->scenes[1].title, "2");
  EXPECT_TRUE(opened->is_scene);
  EXPECT_EQ(opened->scene.experiment.variant, (folder_ / "k.comp").string())
      << "beside the scene, wherever that lies";
}

TEST_F(Open, AKernelIsOpenedAndNothingElseIs) {
  const auto kernel = lab::open_anything({}, (folder_ / "k.comp").string(), {});
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_FALSE(kernel->is_scene);
  const auto folder = lab::open_anything({}, folder_.string(), {});
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("has no scene"), std::string::npos);
  EXPECT_FALSE(lab::open_anything({}, (folder_ / "none.comp").string(), {}));
}

// Their modules are no kernels of their own, and of a capture only what its index lists counts.
TEST_F(Open, AFolderHasSavedLaunches) {
  for (const char* name : {"launch-1", "launch-2", "launch-10"}) {
    fs::create_directories(folder_ / name);
    std::ofstream(folder_ / name / "dispatch.toml") << "tilescope_dispatch = 1\n";
    std::ofstream(folder_ / name / "module.spv") << "\n";
  }
  const auto path = [&](const char* name) { return (folder_ / name).string(); };
  const auto saved = lab::kernels_in(folder_.string());
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(*saved, (std::vector<std::string>{path("k.comp"), path("launch-1"), path("launch-10"),
                                              path("launch-2")}));
  ASSERT_TRUE(lab::write_capture(folder_, {"program"}));
  EXPECT_FALSE(lab::kernels_in(folder_.string()));
  const auto block = [](int number, const char* folder) {
    return "[[launches]]\nnumber = " + std::to_string(number) +
           "\nprocess = 1\ngroups = [1, 1, 1]\nfolder = \"" + folder + "\"\n\n";
  };
  std::ofstream(folder_ / "launches.toml") << block(2, "launch-10") << block(1, "launch-2")
                                           << block(3, "launch-2") << "[[launches]]\nnum";
  const auto captured = lab::kernels_in(folder_.string());
  ASSERT_TRUE(captured) << captured.error().message;
  EXPECT_EQ(*captured, (std::vector<std::string>{path("launch-2"), path("launch-10")}));
}

}  // namespace
