#include "lab/files/scene_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace lab {
namespace {

std::vector<core::ViewField> fields() {
  using Kind = core::ViewField::Kind;
  return {{.key = "zoom", .kind = Kind::number, .low = 0.05, .high = 1e5},
          {.key = "moment", .kind = Kind::whole, .low = 0.0, .high = 100.0},
          {.key = "variable", .kind = Kind::text},
          {.key = "by_bank", .kind = Kind::truth},
          {.key = "lanes", .kind = Kind::text, .choices = {"subgroups", "32"}},
          {.key = "yaw", .kind = Kind::number, .low = -1e3, .high = 1e3}};
}

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
  scene.view.tile = 17;
  scene.view.chrome = false;
  scene.view.settings = {{"zoom", 3.25},
                         {"moment", std::int64_t{12}},
                         {"variable", "tile"},
                         {"by_bank", true},
                         {"yaw", static_cast<double>(-0.123456F)}};
  scene.view.beside = "nbody/naive";
  scene.title = "Bodies, and why they wait";
  scene.notes = "Ask first: \"who waits?\"\nThen show.";
  scene.step = 900;
  const auto read = parse_scene(format_scene(scene), "test", fields());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, scene);
}

std::string why_not(const std::string& text) {
  const auto scene = parse_scene(text, "s.toml", fields());
  return scene ? "it was read" : scene.error().message;
}

TEST(SceneFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(
      why_not("x = 1"),
      "s.toml:1: this is not a scene: the key tilescope_scene (the format version) is missing");
  EXPECT_EQ(why_not("tilescope_scene = 99"),
            "s.toml:1: tilescope_scene is 99, but this Tilescope reads versions up to 1; use a "
            "newer Tilescope");
  EXPECT_TRUE(why_not("tilescope_scene = = 1").starts_with("s.toml:1: the scene is damaged"));
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nzom = 2.0"),
            "s.toml:3: \"zom\" is not a key of [view]");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nscale = 99.0"),
            "s.toml:3: scale must be from 0.5 to 4");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nzoom = 3"), "it was read") << "3 for 3.0";
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nzoom = 1e9"),
            "s.toml:3: zoom must be from 0.05 to 1e+05");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nmoment = 101"),
            "s.toml:3: moment must be from 0 to 100");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nmoment = 1.5"),
            "s.toml:3: moment must be a whole number");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nby_bank = [true]"),
            "s.toml:3: by_bank must be true or false");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[view]\nlanes = \"16\""),
            "s.toml:3: lanes must be one of: subgroups, 32");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[experiment]\nsize = [512, 0]"),
            "s.toml:3: size must be whole numbers of at least 1");
  EXPECT_EQ(why_not("tilescope_scene = 1\n[experiment]\nvariant = 3"),
            "s.toml:3: variant must be a string");
}

TEST(SceneFile, WritesWholeFilesOrNone) {
  const auto folder = std::filesystem::temp_directory_path() / "tilescope-scene-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(write_scene(folder / "a.toml", {}));
  EXPECT_TRUE(read_scene(folder / "a.toml", fields()));
  EXPECT_FALSE(write_scene(folder / "missing" / "a.toml", {}));
  EXPECT_FALSE(read_scene(folder / "b.toml", fields()));
  const auto count = std::distance(std::filesystem::directory_iterator(folder), {});
  EXPECT_EQ(count, 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lab
