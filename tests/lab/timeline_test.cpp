// Timelines of real launches, on whatever device is there, under the validation layers.
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"
#include "lab/run/measure.h"
#include "tests/lab/on_device.h"

namespace lab {
namespace {

class Timelines : public test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (bench && !bench->info().shader_clock) {
      GTEST_SKIP() << "no clock that a kernel can read";
    }
  }

  // With other text instead of the variant's own.
  std::unique_ptr<lab::Setup> set_up(const std::string& id, const core::Sizes& size,
                                     const std::string& source = {}) {
    const auto catalogue = read_catalogue(find_shaders().value());
    core::Variant variant = *catalogue.find(id);
    variant.source = source.empty() ? variant.source : source;
    auto setup = bench->set_up(variant, {.variant = id, .size = size, .tile = 8}, 1e9);
    EXPECT_TRUE(setup) << setup.error().message;
    return setup ? std::move(*setup) : nullptr;
  }
};

void expect_sound(const core::Timeline& t, const core::TileMap& tiles) {
  ASSERT_EQ(t.tiles.size(), tiles.group_count());
  EXPECT_TRUE(t.incomplete.empty()) << t.incomplete.front();
  for (const core::TimelineTile& tile : t.tiles) {
    EXPECT_LE(tile.start, tile.end);
    EXPECT_LE(tile.end, t.length);
  }
  EXPECT_GT(t.figures.duration_ms.high, 0.0);
  EXPECT_GE(t.figures.resident, 1U);
  EXPECT_EQ(t.slot_overlaps, 0U);
  // A clock that had to be measured is as good as the machine was idle meanwhile; of slices that
  // are joined by it what came before the first tile is left out, a driver's compiler too.
  const double tolerance = (t.zero_is_launch ? 0.01 : 0.5) * t.device_ms;
  EXPECT_LE(t.figures.launch_ms, t.device_ms + tolerance);
  if (t.zero_is_launch || t.slices.size() == 1) {
    EXPECT_GE(t.figures.launch_ms, t.device_ms - tolerance);
  }
}

TEST_F(Timelines, EveryTileRanInsideItsLaunch) {
  const auto setup = set_up("matmul/tiled", {70, 100, 50});
  ASSERT_TRUE(setup);
  const auto t = recorded(bench->device(), setup->turns());
  ASSERT_TRUE(t) << t.error().message;
  expect_sound(*t, setup->tiles());
  // Newer lavapipe compiles between the timestamps, and what seems to take long is cut.
  EXPECT_TRUE(t->slices.size() == 1 || t->device_ms > 100.0) << t->device_ms;
  // The experiment's own buffers are as they were.
  const auto check = bench->verify(*setup, [](std::uint64_t) { return true; });
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->correct) << check->worst;
}

TEST_F(Timelines, ALaunchInSlicesIsWhole) {
  const auto setup = set_up("matmul/tiled", {64, 64, 64});
  ASSERT_TRUE(setup);
  // Rows for few workgroups only.
  const auto t = recorded(bench->device(), setup->turns(), {.most_bytes = 1024});
  ASSERT_TRUE(t) << t.error().message;
  EXPECT_GT(t->slices.size(), 1U);
  EXPECT_TRUE(std::ranges::is_sorted(t->slices));
  expect_sound(*t, setup->tiles());
}

TEST_F(Timelines, NothingIsKeptOfALaunchThatWasStopped) {
  const auto setup = set_up("matmul/tiled", {64, 64, 64});
  ASSERT_TRUE(setup);
  const TimelineOptions options{.observer = [](std::uint64_t) { return false; },
                                .most_bytes = 4096};
  const auto record = record_launch(bench->device(), setup->turns(), options);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_TRUE(record->slices.empty());
}

// Most invocations leave at once, by returns of their own; a single one goes on. The workgroup ends
// when that one does.
TEST_F(Timelines, AWorkgroupEndsWithItsLastInvocationWhicheverWayItReturns) {
  const auto setup = set_up("matmul/naive", {64, 64, 64}, R"(#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"
layout(constant_id = 0) const uint TILE = 16;
layout(local_size_x_id = 0, local_size_y_id = 0) in;
void main() {
  const uint row = gl_GlobalInvocationID.y;
  const uint col = gl_GlobalInvocationID.x;
  if (gl_LocalInvocationIndex == 0) return;
  if (gl_WorkGroupID.x % 2 == 0) return;
  if (gl_LocalInvocationIndex != 5) { c[row * N + col] = 1.0; return; }
  float sum = 0.0;
  for (uint k = 0; k < 400 * W; ++k) {
    sum += a[(row * W + k) % (M * W)] * b[k % (W * N)];
  }
  c[row * N + col] = sum;
}
)");
  ASSERT_TRUE(setup);
  const auto t = recorded(bench->device(), setup->turns());
  ASSERT_TRUE(t) << t.error().message;
  expect_sound(*t, setup->tiles());
  // The fastest of each: a busy machine makes any of them slower, and none faster than its work.
  double quick = std::numeric_limits<double>::max();
  double slow = quick;
  for (std::size_t tile = 0; tile < t->tiles.size(); ++tile) {
    double& fastest = tile % 8 % 2 == 0 ? quick : slow;
    fastest = std::min(fastest, t->duration_ms(tile));
  }
  EXPECT_GT(slow, 4.0 * quick);
}

TEST_F(Timelines, EveryWorkloadHasOne) {
  const std::vector<std::pair<std::string, core::Sizes>> some{{"transpose/tiled-padded", {99, 70}},
                                                              {"nbody/tiled", {500}},
                                                              {"nbody/slices", {500}},
                                                              {"matmul/registers", {64, 64, 64}}};
  for (const auto& [id, size] : some) {
    const auto catalogue = read_catalogue(find_shaders().value());
    auto setup = bench->set_up(*catalogue.find(id), {.variant = id, .size = size}, 1e9);
    ASSERT_TRUE(setup) << setup.error().message;
    const auto t = recorded(bench->device(), (*setup)->turns());
    ASSERT_TRUE(t) << id << ": " << t.error().message;
    expect_sound(*t, (*setup)->tiles());
  }
}

}  // namespace
}  // namespace lab
