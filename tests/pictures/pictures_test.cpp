// `shot` against stored pictures. TILESCOPE_UPDATE_PICTURES=1 stores new ones: look at them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/cli/process.h"
#include "tests/pictures/compare.h"

namespace {

namespace fs = std::filesystem;
using tests::alike;
using tests::compare;
using tests::Mask;
using tests::read_image;

struct Shot {
  const char* name;
  const char* scene;  // TOML without the version
  const char* flags;
  std::vector<Mask> live;  // where measured numbers stand, which are never the same
  friend void PrintTo(const Shot& shot, std::ostream* out) { *out << shot.name; }
};

std::vector<Shot> shots() {
  return {
      {"grid-matmul",
       "[experiment]\nvariant = 'matmul/tiled'\nsize = [120, 104, 72]\n"
       "[view]\nwidth = 800\nheight = 600\ntile = 24\n",
       "--bare",
       {}},
      {"grid-transpose",
       "[experiment]\nvariant = 'transpose/tiled-padded'\nsize = [99, 66]\n"
       "[view]\nwidth = 800\nheight = 600\ntheme = 'light'\n",
       "--bare",
       {}},
      {"grid-zoomed",
       "[experiment]\nvariant = 'matmul/naive'\nsize = [200, 200, 20]\n"
       "[view]\nwidth = 640\nheight = 480\nzoom = 4.0\ncentre_x = 0.7\ncentre_y = 0.7\n",
       "--bare",
       {}},
      {"bodies",
       "step = 20\n[experiment]\nvariant = 'nbody/tiled'\nsize = [500]\n"
       "[view]\nwidth = 800\nheight = 600\n",
       "--bare",
       {}},
      {"boxes",
       "[experiment]\nvariant = 'lavamd/tiled'\nsize = [3, 20]\ntile = 32\n"
       "[view]\nwidth = 800\nheight = 600\nstaged = 6\n",
       "--bare",
       {}},
      {"tile-matmul",
       "[experiment]\nvariant = 'matmul/tiled'\nsize = [120, 104, 72]\ntile = 8\n"
       "[view]\nname = 'tile'\nwidth = 1280\nheight = 800\ntile = 24\n",
       "--bare",
       {}},
      {"tile-moment",
       "[experiment]\nvariant = 'transpose/tiled-padded'\nsize = [99, 66]\n"
       "[view]\nname = 'tile'\nwidth = 800\nheight = 600\ntheme = 'light'\nphase = 2\n"
       "moment = 3\ninvocation = 70\n",
       "--bare",
       {}},
      {"frame",
       "[experiment]\nvariant = 'matmul/tiled'\nsize = [64, 48, 80]\n"
       "[view]\nwidth = 1280\nheight = 800\n",
       "",
       {{0, 60, 204, 650}, {1025, 46, 1280, 600}}},
  };
}

class Pictures : public testing::TestWithParam<Shot> {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-pictures-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  tests::Image shoot(const Shot& shot, const std::string& more = "") const {
    const fs::path scene = folder_ / "scene.toml";
    const fs::path png = folder_ / "shot.png";
    fs::remove(png);
    std::ofstream(scene) << "tilescope_scene = 1\n" << shot.scene;
    const auto finished = tests::run("shot " + scene.string() + " -o " + png.string() + " " +
                                     shot.flags + " " + more + " --validation");
    EXPECT_EQ(finished.status, 0) << finished.err;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
    if (std::getenv("TILESCOPE_UPDATE_PICTURES") != nullptr && more.empty()) {
      fs::copy_file(png, stored(shot), fs::copy_options::overwrite_existing);
    }
    return read_image(png);
  }
  static fs::path stored(const Shot& shot) {
    return fs::path(TILESCOPE_SOURCE_DIR) / "tests/pictures/expected" /
           (std::string(shot.name) + ".png");
  }
  fs::path folder_;
};

TEST_P(Pictures, AreAsStored) {
  const auto difference =
      compare(shoot(GetParam()), read_image(stored(GetParam())), GetParam().live);
  EXPECT_TRUE(alike(difference)) << difference.in_words;
}

class BarePictures : public Pictures {};

// What must not pass for the same: other inputs, or the other theme.
TEST_P(BarePictures, FailWhenTheyChange) {
  const auto expected = read_image(stored(GetParam()));
  const auto seed = compare(shoot(GetParam(), "--seed 77"), expected, GetParam().live);
  EXPECT_FALSE(alike(seed)) << seed.in_words;
  const bool light = std::string(GetParam().scene).find("light") != std::string::npos;
  const auto theme = compare(shoot(GetParam(), light ? "--theme dark" : "--theme light"), expected,
                             GetParam().live);
  EXPECT_FALSE(alike(theme)) << theme.in_words;
}

std::string shot_name(const testing::TestParamInfo<Shot>& shot) {
  std::string name = shot.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

// The whole frame takes as long as all others: it measures a ladder.
std::vector<Shot> bare_shots() {
  std::vector<Shot> bare = shots();
  std::erase_if(bare, [](const Shot& shot) { return std::string(shot.flags) != "--bare"; });
  return bare;
}

INSTANTIATE_TEST_SUITE_P(Shots, Pictures, testing::ValuesIn(shots()), shot_name);
INSTANTIATE_TEST_SUITE_P(Shots, BarePictures, testing::ValuesIn(bare_shots()), shot_name);

}  // namespace
