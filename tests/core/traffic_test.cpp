// What a traced workgroup asked of memory.
#include "core/report/traffic.h"

#include <gtest/gtest.h>

namespace core {
namespace {

TEST(Traffic, CountsEachScalarAndTheWorkgroupsPartOfTheWork) {
  Trace trace;
  trace.workgroup = {1, 0, 0};
  trace.variables = {{.name = "a", .memory = MemoryKind::global},
                     {.name = "tile", .memory = MemoryKind::shared}};
  trace.sites = {{.variable = 0, .scalar_bytes = 4}, {.variable = 1, .scalar_bytes = 8}};
  for (const std::uint32_t site : {0U, 1U, 1U, 0U, 1U}) {
    trace.accesses.push_back({.site = site});
  }
  // Of 10 items the second workgroup of 8 covers 2.
  const TileMap tiles{{10, 1, 1}, {8, 1, 1}, {8, 1, 1}};
  const Traffic traffic = traffic_of(trace, tiles, 1000.0);
  EXPECT_DOUBLE_EQ(traffic.flops, 200.0);
  EXPECT_DOUBLE_EQ(traffic.global_bytes, 8.0);
  EXPECT_DOUBLE_EQ(traffic.shared_bytes, 24.0);
}

}  // namespace
}  // namespace core
