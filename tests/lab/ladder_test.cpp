// What a ladder is planned of.
#include <gtest/gtest.h>

#include "lab/run/measure.h"

namespace {

core::Variant variant(const std::string& name) {
  core::Variant variant;
  variant.workload = "matmul";
  variant.name = name;
  variant.tile = {.constant = "TILE", .values = {8, 16, 32}, .preset = 16};
  return variant;
}

std::vector<core::Rung> ladder() {
  std::vector<core::Rung> ladder{{.variant = "matmul/naive", .name = "naive", .tile = 16}};
  for (const std::uint32_t tile : {8U, 16U, 32U}) {
    ladder.push_back({.variant = "matmul/tiled", .name = "tiled", .tile = tile});
  }
  return ladder;
}

TEST(Ladder, TheFirstVariantHasARungAtTheTileThatRuns) {
  std::vector<core::Rung> rungs = ladder();
  rungs.front().measured = true;
  lab::add_own_rung(rungs, variant("naive"), 8);
  ASSERT_EQ(rungs.size(), 5U);
  EXPECT_EQ(rungs[0].tile, 16U) << "what speed-ups are against stays what it was";
  EXPECT_EQ(rungs[1].variant, "matmul/naive");
  EXPECT_EQ(rungs[1].name, "naive");
  EXPECT_EQ(rungs[1].tile, 8U);
  EXPECT_FALSE(rungs[1].measured);
  lab::add_own_rung(rungs, variant("naive"), 8);
  EXPECT_EQ(rungs.size(), 5U) << "once";
}

TEST(Ladder, WhatIsPlannedAlreadyIsNotPlannedTwice) {
  std::vector<core::Rung> rungs = ladder();
  lab::add_own_rung(rungs, variant("tiled"), 32);
  lab::add_own_rung(rungs, variant("naive"), 16);
  lab::add_own_rung(rungs, variant("naive"), 0);
  lab::add_own_rung(rungs, variant("another"), 8);
  EXPECT_EQ(rungs.size(), 4U);
}

}  // namespace
