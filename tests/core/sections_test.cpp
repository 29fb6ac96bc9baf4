#include "core/catalogue/sections.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/random.h"

namespace core {
namespace {

TileMap seeds_example(bool truncated) {
  TileMap map{{666, 999, 1}, {16, 16, 1}, {16, 16, 1}};
  map.truncated = truncated;
  return map;
}

TEST(Sections, AreTheSeedsExample) {
  const auto sections = sections_of(seeds_example(false));
  ASSERT_EQ(sections.size(), 4U);
  EXPECT_EQ(sections[0].items, (Box{{0, 0, 0}, {656, 992, 1}}));
  EXPECT_EQ(sections[0].cells, 650'752U);
  EXPECT_EQ(sections[0].workgroups, 41U * 62U);
  EXPECT_EQ(sections[1].cells, 992U * 10U);
  EXPECT_EQ(sections[1].workgroups, 62U);
  EXPECT_EQ(sections[1].invocations, sections[1].cells) << "one each";
  EXPECT_EQ(sections[2].cells, 7U * 656U);
  EXPECT_EQ(sections[3].cells, 7U * 10U);
  EXPECT_EQ(sections[0].cells + sections[1].cells + sections[2].cells + sections[3].cells,
            665'334U);
}

TEST(Sections, OfATruncatedLaunchAreDoneByItsEdge) {
  const TileMap map = seeds_example(true);
  EXPECT_EQ(map.groups(), glm::uvec3(41, 62, 1));
  EXPECT_EQ(map.invocations(), 650'752U);
  EXPECT_EQ(map.useful_invocations(), 650'752U);
  EXPECT_EQ(map.items({40, 61, 0}), (Box{{640, 976, 0}, {666, 999, 1}}));
  const auto sections = sections_of(map);
  ASSERT_EQ(sections.size(), 4U);
  EXPECT_EQ(sections[1].invocations, 992U);  // a thread a row, as in the seed
  EXPECT_EQ(sections[2].invocations, 656U);
  EXPECT_EQ(sections[3].invocations, 1U);
  const auto below = edge_worker(map, {12, 995, 0});
  ASSERT_TRUE(below);
  EXPECT_EQ(below->group, glm::uvec3(0, 61, 0));
  EXPECT_EQ(below->invocation, glm::uvec3(12, 15, 0));
  EXPECT_EQ(edge_worker(map, {660, 20, 0})->invocation, glm::uvec3(15, 4, 0));
  EXPECT_EQ(edge_worker(map, {665, 998, 0})->group, glm::uvec3(40, 61, 0));
  EXPECT_FALSE(edge_worker(map, {655, 991, 0}));
  EXPECT_FALSE(edge_worker(seeds_example(false), {12, 995, 0}));
}

TEST(Sections, SmallerThanATileAreTheCorner) {
  TileMap map{{15, 15, 1}, {16, 16, 1}, {16, 16, 1}};
  map.truncated = true;
  EXPECT_EQ(map.groups(), glm::uvec3(1, 1, 1));
  const auto sections = sections_of(map);
  ASSERT_EQ(sections.size(), 1U);
  EXPECT_EQ(sections[0].section, Section::corner);
  EXPECT_EQ(sections[0].invocations, 1U);
  EXPECT_EQ(map.useful_invocations(), 1U);
}

TEST(Sections, MakeABoxWithTheirNeighbours) {
  using enum Section;
  for (const auto& good : {std::vector{middle}, std::vector{right, corner},
                           std::vector{bottom, corner}, std::vector{middle, bottom}}) {
    EXPECT_TRUE(is_box(good));
  }
  EXPECT_FALSE(is_box(std::vector{middle, corner}));
  EXPECT_FALSE(is_box(std::vector{right, bottom}));
  EXPECT_FALSE(is_box(std::vector{middle, right, bottom}));
}

// At any size, the launches of M, of B, and of R with C are all workgroups, each once, and what is
// to come of them shrinks one by one.
TEST(Sections, AreLaunchedOnceEach) {
  using enum Section;
  const std::vector<std::vector<Section>> plans{{middle}, {bottom}, {right, corner}};
  for (std::uint64_t round = 0; round < 200; ++round) {
    const auto draw = [&](std::uint64_t stream, std::uint32_t most) {
      return 1 + static_cast<std::uint32_t>(mix(round * 16 + stream) % most);
    };
    TileMap map;
    map.extent = {draw(0, 50), draw(1, 50), draw(2, 2)};
    map.local_size = map.covers = {draw(3, 16), draw(4, 16), 1};
    std::vector<Box> launches;
    for (const auto& plan : plans) {
      if (const Box groups = groups_of(plan, map); groups.count() > 0) {
        launches.push_back(groups);
      }
    }
    for (std::uint64_t i = 0; i < map.group_count(); ++i) {
      EXPECT_EQ(std::ranges::count_if(launches,
                                      [&](const Box& b) { return b.contains(map.group_at(i)); }),
                1);
    }
    std::uint64_t cells = 0;
    for (const SectionFigures& section : sections_of(map)) {
      cells += section.cells;
    }
    EXPECT_EQ(cells, Box({{0, 0, 0}, map.extent}).count());
    for (std::uint64_t done = 0; map.extent.z == 1 && done <= map.group_count(); ++done) {
      std::uint64_t rest = 0;
      for (const Box& box : groups_to_come(launches, done)) {
        rest += box.count();
      }
      EXPECT_EQ(rest, map.group_count() - done);
    }
  }
}

}  // namespace
}  // namespace core
