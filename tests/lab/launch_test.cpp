#include "lab/launch.h"

#include <gtest/gtest.h>

#include "core/random.h"

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

}  // namespace
}  // namespace lab
