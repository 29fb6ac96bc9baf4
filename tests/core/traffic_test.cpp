// What a traced workgroup asked of memory.
#include "core/report/traffic.h"

#include <gtest/gtest.h>

#include "core/provenance/traced_values.h"

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

// Two invocations read a[0] and a[1], both a[2]; each writes the same c[0].
TEST(TracedValues, BytesAreCountedOnceAndOnlyWhereTheyAreTouched) {
  Trace trace;
  trace.variables.resize(2);
  trace.variables[0].memory = trace.variables[1].memory = MemoryKind::global;
  trace.variables[0].bytes = 1 << 20;
  trace.variables[1].bytes = 4;
  trace.sites.push_back({.variable = 0});
  trace.sites.push_back({.variable = 1, .writes = true});
  for (std::uint32_t i = 0; i < 2; ++i) {
    trace.accesses.push_back({.invocation = i, .offset = 4 * i});
    trace.accesses.push_back({.invocation = i, .offset = 8});
    trace.accesses.push_back({.invocation = i, .site = 1});
  }
  EXPECT_EQ(touched_bytes(trace, 1), 16.0);
  EXPECT_EQ(touched_bytes(trace, 10), 10 * 12.0 + 4.0) << "c has no more than 4 bytes";
}

}  // namespace
}  // namespace core
