#include "lab/run/launch.h"

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"

namespace lab {
namespace {

// Slices of any length, one after the other, are boxes that cover the launch in order, once.
TEST(Slices, CoverTheLaunchInOrder) {
  for (std::uint64_t round = 0; round < 300; ++round) {
    const auto draw = [&](std::uint64_t stream, std::uint32_t most) {
      return 1 + static_cast<std::uint32_t>(core::mix(round * 8 + stream) % most);
    };
    const glm::uvec3 groups{draw(0, 9), draw(1, 9), draw(2, 4)};
    core::TileMap map{groups, {1, 1, 1}, {1, 1, 1}};
    std::uint64_t done = 0;
    while (done < map.group_count()) {
      const std::uint64_t most = draw(done + 3, 40);
      const core::Box slice = next_slice(groups, done, most);
      ASSERT_GE(slice.count(), 1U);
      ASSERT_LE(slice.count(), most);
      std::uint64_t position = done;
      for (std::uint32_t z = slice.first.z; z < slice.last.z; ++z) {
        for (std::uint32_t y = slice.first.y; y < slice.last.y; ++y) {
          for (std::uint32_t x = slice.first.x; x < slice.last.x; ++x) {
            ASSERT_EQ(map.group_at(position++), glm::uvec3(x, y, z));
          }
        }
      }
      done += slice.count();
    }
    EXPECT_EQ(done, map.group_count());
  }
}

TEST(Slices, TakeAllWhenAllFits) {
  EXPECT_EQ(next_slice({7, 5, 3}, 0, 1000), (core::Box{{0, 0, 0}, {7, 5, 3}}));
}

// What was read too early may be any index: on a device that runs it in this process's memory it
// would end the test.
TEST(Barriers, AKernelWithoutOneReachesNothingElse) {
  const auto driver = gpu::Driver::open({});
  auto bench = driver ? Workbench::open(*driver, "") : std::unexpected(driver.error());
  if (!bench) {
    GTEST_SKIP() << "no Vulkan device";
  }
  core::Variant variant = *read_catalogue(find_shaders().value()).find("matmul/naive");
  variant.source = R"(#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"
layout(constant_id = 0) const uint TILE = 16;
layout(local_size_x_id = 0, local_size_y_id = 0) in;
shared uint at[16 * 16];
shared float values[16 * 16];
void main() {
  const uint i = gl_LocalInvocationIndex % 256;
  at[i] = 0x10000000;
  barrier();
  at[i] = i;
  barrier();
  values[at[255 - i]] = a[0];
  c[gl_GlobalInvocationID.y * N + gl_GlobalInvocationID.x] = values[i];
}
)";
  const auto setup = (*bench)->set_up(
      variant,
      {.variant = "matmul/naive", .size = {32, 32, 32}, .barriers = {{2, core::BarrierKind::off}}},
      25.0);
  ASSERT_TRUE(setup) << setup.error().message;
  const auto check = (*bench)->verify(**setup, [](std::uint64_t) { return true; });
  EXPECT_TRUE(check) << check.error().message;
}

// An untried kernel goes in slices; each is a dispatch of its own size.
TEST(Slices, TellTheSizeOfTheWholeLaunch) {
  const auto driver = gpu::Driver::open({});
  auto bench = driver ? Workbench::open(*driver, "") : std::unexpected(driver.error());
  if (!bench) {
    GTEST_SKIP() << "no Vulkan device";
  }
  core::Variant variant = *read_catalogue(find_shaders().value()).find("matmul/naive");
  variant.source = R"(#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"
layout(constant_id = 0) const uint TILE = 16;
layout(local_size_x_id = 0, local_size_y_id = 0) in;
uint columns() { return gl_NumWorkGroups.x * TILE; }
void main() {
  const uint row = gl_GlobalInvocationID.y;
  const uint col = gl_GlobalInvocationID.x;
  const uvec3 all = gl_NumWorkGroups;
  float sum = 0.0;
  for (uint k = 0; k < W; ++k) {
    sum += a[row * W + k] * b[k * columns() + col];
  }
  const uint rows = all.y * gl_NumWorkGroups[(M + 2) % 3] * TILE;  // of z
  c[(row % rows) * columns() + col] = sum;
}
)";
  const auto setup =
      (*bench)->set_up(variant, {.variant = "matmul/naive", .size = {64, 48, 8}, .tile = 8}, 1e-6);
  ASSERT_TRUE(setup) << setup.error().message;
  std::uint32_t slices = 0;
  const auto check = (*bench)->verify(**setup, [&](std::uint64_t) { return ++slices > 0; });
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_GT(slices, 1U);
  EXPECT_TRUE(check->correct) << check->worst;
}

}  // namespace
}  // namespace lab
