#include "core/catalogue/tile_map.h"

#include <gtest/gtest.h>

#include "core/base/random.h"

namespace core {
namespace {

TEST(TileMap, PadsTheSeedsExample) {
  const TileMap map{{666, 999, 1}, {16, 16, 1}, {16, 16, 1}};
  EXPECT_EQ(map.groups(), glm::uvec3(42, 63, 1));
  EXPECT_EQ(map.invocations(), 42U * 63U * 256U);
  EXPECT_EQ(map.useful_invocations(), 999U * 666U);
  EXPECT_EQ(map.items({41, 62, 0}), (Box{{656, 992, 0}, {666, 999, 1}}));
  EXPECT_EQ(map.useful_invocations({41, 62, 0}), 10U * 7U);
  EXPECT_EQ(map.useful_invocations({0, 0, 0}), 256U);
  EXPECT_EQ(map.idle_tiles(), (IdleTiles{41U * 62U, 41U + 63U, 0}));
}

TEST(TileMap, SumsUpWhatEachWorkgroupHas) {
  for (std::uint64_t round = 0; round < 200; ++round) {
    const auto draw = [&](std::uint64_t stream, std::uint32_t most) {
      return 1 + static_cast<std::uint32_t>(mix(round * 16 + stream) % most);
    };
    TileMap map;
    map.extent = {draw(0, 70), draw(1, 70), draw(2, 3)};
    map.local_size = {draw(3, 16), draw(4, 16), 1};
    map.covers = map.local_size * glm::uvec3(draw(5, 4), draw(6, 4), 1);
    std::uint64_t useful = 0;
    std::uint64_t items = 0;
    IdleTiles idle;
    for (std::uint64_t i = 0; i < map.group_count(); ++i) {
      const std::uint64_t here = map.useful_invocations(map.group_at(i));
      useful += here;
      ++(here == map.local_size.x * map.local_size.y ? idle.whole : idle.partly);
      items += map.items(map.group_at(i)).count();
    }
    EXPECT_EQ(useful, map.useful_invocations()) << "round " << round;
    EXPECT_EQ(idle, map.idle_tiles()) << "round " << round;
    EXPECT_EQ(items, std::uint64_t{map.extent.x} * map.extent.y * map.extent.z);
  }
}

TEST(TileMap, OrdersWorkgroupsWithXFastest) {
  const TileMap map{{4, 6, 2}, {2, 2, 1}, {2, 2, 1}};
  EXPECT_EQ(map.group_at(0), glm::uvec3(0, 0, 0));
  EXPECT_EQ(map.group_at(1), glm::uvec3(1, 0, 0));
  EXPECT_EQ(map.group_at(2), glm::uvec3(0, 1, 0));
  EXPECT_EQ(map.group_at(11), glm::uvec3(1, 2, 1));
}

TEST(TileMap, AKernelThatDealsItsItemsOutUsesInvocationsInProportion) {
  const TileMap map{.extent = {128, 96, 1}, .local_size = {256, 1, 1}, .covers = {128, 64, 1}};
  EXPECT_EQ(map.group_count(), 2U);
  EXPECT_EQ(map.useful_invocations({0, 0, 0}), 256U);
  EXPECT_EQ(map.useful_invocations({0, 1, 0}), 128U);
  EXPECT_EQ(map.useful_invocations(), 384U);
  EXPECT_EQ(map.idle_tiles(), (IdleTiles{1, 1, 0}));
  EXPECT_EQ(map.invocations(), 512U);
}

TEST(TileMap, TilesMayBeSharedByWorkgroups) {
  // 3 × 2 tiles; the first four have a workgroup each, the others three.
  TileMap map{.extent = {40, 32, 1}, .local_size = {16, 1, 1}, .covers = {16, 16, 1}};
  map.slices = 3;
  map.whole = 4;
  EXPECT_EQ(map.tiles(), glm::uvec3(3, 2, 1));
  EXPECT_EQ(map.shared_tiles(), 2U);
  EXPECT_EQ(map.groups(), glm::uvec3(10, 1, 1));
  EXPECT_EQ(map.tile_of({3, 0, 0}), glm::uvec3(0, 1, 0));
  EXPECT_EQ(map.tile_of({4, 0, 0}), glm::uvec3(1, 1, 0));
  EXPECT_EQ(map.tile_of({6, 0, 0}), glm::uvec3(1, 1, 0));
  EXPECT_EQ(map.tile_of({7, 0, 0}), glm::uvec3(2, 1, 0));
  EXPECT_EQ(map.items({9, 0, 0}), (Box{{32, 16, 0}, {40, 32, 1}}));
  EXPECT_EQ(map.idle_tiles(), (IdleTiles{6, 4, 0}));
  EXPECT_EQ(map.useful_invocations(), 6U * 16U + 4U * 8U);
  map.whole = 100;
  EXPECT_EQ(map.groups(), glm::uvec3(6, 1, 1)) << "no tile is left to share";
}

}  // namespace
}  // namespace core
