// The boxes of lavaMD in space: which box and workgroup are shown, and the tile that steps through
// the neighbours' particles.
#include <optional>

#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/views/lattice/lattice_state.h"

namespace {

class Lattice : public testing::Test {
 protected:
  void show(const char* variant, std::int64_t tile = -1) {
    result_ = tests::result_of(variant, {3, 100}, 64);
    scene_.experiment = result_.experiment;
    scene_.view.width = 1920;
    scene_.view.height = 1000;
    scene_.view.tile = tile;
  }
  void stage_shared_memory() { tests::add_races(result_); }
  void draw() {
    if (!stage_) {
      stage_.emplace(scene_);
    }
    stage_->draw(result_);
  }
  void press(char key) {
    stage_->app().press(ui::letter(key));
    draw();
  }
  [[nodiscard]] bool shows(const char* text) const { return tests::shows(stage_->trace(), text); }

  core::Result result_;
  core::Scene scene_;
  std::optional<tests::Stage> stage_;
};

TEST_F(Lattice, ShowsTheBoxInTheMiddleWhereNoneIsPointedAt) {
  show("lavamd/tiled");
  draw();
  EXPECT_TRUE(shows("box 14 of 27, 27 neighbours, 100 particles each"));
  EXPECT_TRUE(shows("workgroup 27 of 54: its particles 0–63"));
}

// Two workgroups a box: the last one has what is left of the last box, a corner with 8 neighbours.
TEST_F(Lattice, ShowsTheWorkgroupThatIsPointedAt) {
  show("lavamd/tiled", 53);
  draw();
  EXPECT_TRUE(shows("box 27 of 27, 8 neighbours, 100 particles each"));
  EXPECT_TRUE(shows("workgroup 54 of 54: its particles 64–99"));
}

TEST_F(Lattice, ATileStepsThroughTheNeighboursParticles) {
  show("lavamd/tiled");
  stage_shared_memory();
  draw();
  EXPECT_TRUE(shows("in shared memory: particles 0–63 of box 14 itself, neighbour 1 of 27"));
  press('l');
  EXPECT_TRUE(shows("in shared memory: particles 64–99 of box 14 itself, neighbour 1 of 27"));
  press('l');
  EXPECT_TRUE(shows("in shared memory: particles 0–63 of box 1, neighbour 2 of 27"));
  EXPECT_EQ(stage_->app().state().of<ui::LatticeState>().staged, 3U);
  press('L');
  EXPECT_TRUE(shows("neighbour 3 of 27"));
  press('j');
  EXPECT_TRUE(shows("particles 64–99 of box 1, neighbour 2 of 27"));
}

TEST_F(Lattice, TheTileStopsAtBothEnds) {
  show("lavamd/tiled", 53);
  stage_shared_memory();
  draw();
  press('j');
  EXPECT_EQ(stage_->app().state().of<ui::LatticeState>().staged, 1U);
  for (int i = 0; i < 20; ++i) {
    press('L');
  }
  EXPECT_TRUE(shows("neighbour 8 of 8"));
}

TEST_F(Lattice, WithoutSharedMemoryNothingIsStaged) {
  show("lavamd/naive");
  draw();
  EXPECT_TRUE(shows("no shared memory"));
  EXPECT_FALSE(shows("tile in shared memory"));
  EXPECT_TRUE(shows("reads all particles of these boxes from global memory"));
}

TEST_F(Lattice, ThePaintingIsAskedForAndExplained) {
  show("lavamd/tiled");
  stage_shared_memory();
  draw();
  draw();
  EXPECT_GT(stage_->textures().painted, 0U);
  for (const char* text : {"potential", "home box", "tile in shared memory"}) {
    EXPECT_TRUE(shows(text)) << text;
  }
}

}  // namespace
