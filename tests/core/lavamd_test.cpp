#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "core/base/particles.h"
#include "core/catalogue/workload.h"

namespace core {
namespace {

const Workload& lavamd() {
  return *workload_named(built_in_workloads(), "lavamd");
}

TEST(Lattice, ABoxHasItselfAndAllThatTouchItForNeighbours) {
  const Lattice lattice{3};
  EXPECT_EQ(lattice.neighbours(0), (std::vector<std::uint32_t>{0, 1, 3, 4, 9, 10, 12, 13}));
  EXPECT_EQ(lattice.neighbours(1).size(), 12U) << "on an edge";
  EXPECT_EQ(lattice.neighbours(4).size(), 18U) << "on a face";
  EXPECT_EQ(lattice.neighbours(13).size(), 27U) << "inside";
  EXPECT_EQ(lattice.neighbours(13).front(), 13U);
  EXPECT_EQ(Lattice{1}.neighbours(0), std::vector<std::uint32_t>{0});
  for (const std::uint32_t side : {1U, 2U, 3U, 6U}) {
    double listed = 0.0;
    for (std::uint32_t box = 0; box < side * side * side; ++box) {
      listed += static_cast<double>(Lattice{side}.neighbours(box).size());
    }
    EXPECT_EQ(Lattice{side}.neighbours(), listed) << side;
  }
}

TEST(LavaMD, ListsItsNeighboursAndPutsParticlesIntoTheirBoxes) {
  const Problem p = lavamd().resolve({3, 5}, {}, 7).value();
  const HostBuffers host = lavamd().inputs(p);
  const Lattice lattice{3};
  for (std::uint32_t box = 0; box < 27; ++box) {
    const auto word = [&](std::size_t i) {
      return std::bit_cast<std::uint32_t>(host[1][28 * box + i]);
    };
    const auto list = lattice.neighbours(box);
    ASSERT_EQ(word(0), list.size());
    for (std::size_t n = 0; n < list.size(); ++n) {
      EXPECT_EQ(word(1 + n), list[n]);
    }
    for (std::size_t i = 5 * box; i < 5 * box + 5; ++i) {
      const glm::uvec3 in(host[0][4 * i], host[0][4 * i + 1], host[0][4 * i + 2]);
      EXPECT_EQ(in, lattice.place(box));
      EXPECT_GE(host[0][4 * i + 3], 0.1F);
    }
  }
}

// One particle a box, in its middle, without charge but for two.
HostBuffers two_charges(std::uint32_t side, std::size_t one, std::size_t other) {
  HostBuffers before(3);
  const Lattice lattice{side};
  for (std::uint32_t box = 0; box < lattice.boxes(); ++box) {
    for (int d = 0; d < 3; ++d) {
      before[0].push_back(static_cast<float>(lattice.place(box)[d]) + 0.5F);
    }
    before[0].push_back(box == one ? 2.0F : box == other ? 3.0F : 0.0F);
  }
  return before;
}

// exp(−a2) with α = 0.5; neighbours along x are 1 apart.
TEST(LavaMD, TwoBoxesActOnEachOther) {
  const Problem p = lavamd().resolve({2, 1}, {}, 1).value();
  const HostBuffers before = two_charges(2, 0, 1);
  HostBuffers after(3);
  for (std::uint32_t box = 0; box < 8; ++box) {
    // Half of the other boxes lie beside box 0, half beside box 1; y and z add 1 each.
    const double off = (box & 2U) / 2 + (box & 4U) / 4;
    const double x = box & 1U;
    const double v0 = 2.0 * std::exp(-0.5 * (off + x));
    const double v1 = 3.0 * std::exp(-0.5 * (off + 1.0 - x));
    const double dy = (box & 2U) / 2;
    const double dz = (box & 4U) / 4;
    for (const double value :
         {2.0 * (v0 * x + v1 * (x - 1.0)), 2.0 * (v0 + v1) * dy, 2.0 * (v0 + v1) * dz, v0 + v1}) {
      after[2].push_back(static_cast<float>(value));
    }
  }
  EXPECT_NEAR(after[2][0], -6.0 * 0.60653066, 1e-6);
  EXPECT_NEAR(after[2][3], 2.0 + 3.0 * 0.60653066, 1e-6);
  EXPECT_NEAR(after[2][4], 4.0 * 0.60653066, 1e-6);
  const Check right = lavamd().verify(p, before, after);
  EXPECT_TRUE(right.correct) << right.worst;
  EXPECT_EQ(right.compared, 32U);
  after[2][0] *= 0.999F;
  const Check wrong = lavamd().verify(p, before, after);
  EXPECT_FALSE(wrong.correct);
  EXPECT_TRUE(wrong.worst.starts_with("force[0][0].x is ")) << wrong.worst;
}

TEST(LavaMD, BoxesThatDoNotTouchDoNot) {
  const Problem p = lavamd().resolve({3, 1}, {{"alpha", "10"}}, 1).value();
  const HostBuffers before = two_charges(3, 0, 2);
  HostBuffers after(3);
  for (std::uint32_t box = 0; box < 27; ++box) {
    const float own = before[0][4 * box + 3];
    after[2].insert(after[2].end(), {0.0F, 0.0F, 0.0F, own});  // exp(−200) is nothing
  }
  EXPECT_TRUE(lavamd().verify(p, before, after).correct);
  const Problem wide = lavamd().resolve({3, 1}, {{"alpha", "0.01"}}, 1).value();
  const Check near = lavamd().verify(wide, before, after);
  EXPECT_FALSE(near.correct) << "box 1 between them feels both";
  EXPECT_FALSE(near.worst.starts_with("force[0]") || near.worst.starts_with("force[2]"))
      << near.worst;
}

TEST(LavaMD, ATileReadsTheListOfItsBoxAndTheParticlesOfThoseOnIt) {
  const auto reads = lavamd().reads({3, 10}, {{0, 0, 0}, {8, 1, 1}});
  EXPECT_EQ(reads, (std::vector<Region>{{1, 0, 1, 0, 28},
                                        {0, 0, 2, 0, 10},
                                        {0, 3, 5, 0, 10},
                                        {0, 9, 11, 0, 10},
                                        {0, 12, 14, 0, 10}}));
  EXPECT_EQ(lavamd().writes({3, 10}, {{8, 4, 0}, {10, 5, 1}}), (Region{2, 4, 5, 8, 10}));
  EXPECT_FALSE(lavamd().resolve({1626, 1}, {}, 1).has_value()) << "more boxes than 32 bits count";
}

}  // namespace
}  // namespace core
