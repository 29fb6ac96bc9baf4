#include "lab/files/scene_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(SceneFile, ReadsWhatItWrites) {
  core::Scene scene;
  scene.experiment = {.variant = "nbody/tiled",
                      .size = {4096},
                      .tile = 128,
                      .settings = {{"start", "ball"}, {"dt", "0.01"}},
                      .barriers = {{1, core::BarrierKind::off}, {2, core::BarrierKind::shared}},
                      .device = "llvmpipe (LLVM \"15\")",
                      .seed = 42};
  scene.view.name = "bodies";
  scene.view.theme = "light";
  scene.view.scale = 1.5F;
  scene.view.zoom = 3.25F;
  scene.view.tile = 17;
  scene.view.phase = 3;
  scene.view.moment = 12;
  scene.view.invocation = 77;
  scene.view.variable = "tile";
  scene.view.cell = 5;
  scene.view.cells_zoom = 2.5F;
  scene.view.by_bank = true;
  scene.view.lanes = "32";
  scene.view.site = 4;
  scene.view.instruction = 9;
  scene.view.chrome = false;
  scene.view.idle = false;
  scene.view.coloured_by = "start order";
  scene.view.time_centre = {0.25F, 0.75F};
  scene.view.time_zoom = 12.5F;
  scene.view.rows_zoom = 2.0F;
  scene.view.played = 0.5F;
  scene.view.yaw = -0.123456F;
  scene.step = 900;
  const auto read = parse_scene(format_scene(scene), "test");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, scene);
}

std::string why_not(const std::string& text) {
  const auto scene = parse_scene(text, "s.toml");
  return scene ? "it was read" : scene.error().message;
}

TEST(SceneFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(why_not("x = 1"),
            "s.toml:1: this is no scene: tilescope_scene, the format's version, is missing");
  EXPECT_EQ(why_not("tilescope_scene = 99"),
            "s.toml:1: the scene is of version 99; this program reads version 1");
  EXPECT_TRUE(why_not("tilescope_scene = = 1").starts_with("s.toml:1: the scene is damaged"));
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nzom = 2.0"),
            "s.toml:3: \"zom\" is no key of [view]");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nscale = 99.0"),
            "s.toml:3: scale must be from 0.5 to 4");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[experiment]\nsize = [512, 0]"),
            "s.toml:3: size must be whole numbers of at least 1");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[experiment]\nvariant = 3"),
            "s.toml:3: variant must be a text");
}

TEST(SceneFile, WritesWholeFilesOrNone) {
  const auto folder = std::filesystem::temp_directory_path() / "tilescope-scene-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(write_scene(folder / "a.toml", {}));
  EXPECT_TRUE(read_scene(folder / "a.toml"));
  EXPECT_FALSE(write_scene(folder / "missing" / "a.toml", {}));
  EXPECT_FALSE(read_scene(folder / "b.toml"));
  const auto count = std::distance(std::filesystem::directory_iterator(folder), {});
  EXPECT_EQ(count, 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lab
