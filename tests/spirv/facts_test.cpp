#include "spirv/analysis/values/facts.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "spirv/compile.h"

namespace {

const std::string kTiled = R"(#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer C { float c[]; };
layout(push_constant) uniform Push { uint n; };
shared float tile[16][16];
void main() {
  uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
  float sum = 0.0;
  for (uint t = 0; t < n; t += 16) {
    tile[y][x] = a[gl_GlobalInvocationID.y * n + t + x];
    barrier();
    for (uint k = 0; k < 16; ++k) {
      sum += tile[y][k] * tile[k][x];
    }
    barrier();
  }
  c[gl_GlobalInvocationID.y * n + gl_GlobalInvocationID.x] = sum;
}
)";

core::KernelFacts facts(const std::string& source, const core::BarrierEdits& edits = {}) {
  const auto words = test::compile(source);
  const auto examination = spirv::Examination::of(words, {}, edits);
  EXPECT_TRUE(examination) << examination.error().message;
  auto result = spirv::facts_of(words, {}, edits, **examination);
  EXPECT_TRUE(result) << result.error().message;
  return std::move(*result);
}

bool has(const core::KernelPhase& phase, std::uint32_t line) {
  return std::ranges::find(phase.lines, line) != phase.lines.end();
}

TEST(Facts, PhasesOfATiledLoop) {
  const core::KernelFacts f = facts(kTiled);
  ASSERT_EQ(f.barriers.size(), 2U);
  EXPECT_EQ(f.barriers[0].at.line, 12U);
  // GLSL's barrier() orders shared memory alone.
  EXPECT_EQ(f.barriers[0].written, core::BarrierKind::shared);
  EXPECT_TRUE(f.barriers[1].closes());
  ASSERT_EQ(f.phases.size(), 3U);
  EXPECT_EQ(f.phases[0].opened_by, 0U);
  EXPECT_EQ(f.phases[0].name(), "load");
  EXPECT_TRUE(has(f.phases[0], 11));
  EXPECT_FALSE(has(f.phases[0], 14));
  EXPECT_EQ(f.phases[1].opened_by, 1U);
  EXPECT_EQ(f.phases[1].name(), "compute");
  EXPECT_TRUE(has(f.phases[1], 14));
  EXPECT_FALSE(has(f.phases[1], 11));
  EXPECT_TRUE(has(f.phases[2], 11));
  EXPECT_TRUE(has(f.phases[2], 18));
  EXPECT_TRUE(has(f.phases[0], 10)) << "the loop's test is passed on the way in";
  EXPECT_FALSE(has(f.phases[0], 18)) << "behind the loop one has gone round";
  EXPECT_FALSE(has(f.phases[1], 16)) << "the barrier's own line, on the way back to the test";
  ASSERT_EQ(f.accesses.size(), 3U);
  EXPECT_TRUE(f.accesses[0].proven);
  EXPECT_EQ(f.accesses[0].variable, "tile");
  EXPECT_EQ(f.accesses[0].access, core::Access::write);
  EXPECT_TRUE(f.divergent.empty());
}

// Of two loops in a row and one inside another, what stands behind each is behind a turn of it.
TEST(Facts, PhasesPassOverNoLoop) {
  const core::KernelFacts f = facts(R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer C { float c[]; };
layout(push_constant) uniform Push { uint n; };
shared float s[16];
void main() {
  uint x = gl_LocalInvocationID.x;
  for (uint t = 0; t < n; ++t) {
    s[x] = c[t];
    for (uint k = 0; k < n; ++k) {
      barrier();
      c[x] += s[15 - x];
    }
    c[t] = 1.0;
  }
  for (uint t = 0; t < n; ++t) {
    c[t] *= 2.0;
    barrier();
  }
  c[x] = s[x];
}
)");
  ASSERT_EQ(f.phases.size(), 3U);
  EXPECT_TRUE(has(f.phases[0], 9));
  EXPECT_FALSE(has(f.phases[0], 14)) << "behind the inner loop";
  EXPECT_FALSE(has(f.phases[0], 17));
  EXPECT_TRUE(has(f.phases[1], 12));
  EXPECT_TRUE(has(f.phases[1], 14));
  EXPECT_TRUE(has(f.phases[1], 9)) << "the next turn of the outer one";
  EXPECT_TRUE(has(f.phases[1], 17)) << "from its last turn into the second loop";
  EXPECT_FALSE(has(f.phases[1], 20));
  EXPECT_TRUE(has(f.phases[2], 20));
  EXPECT_TRUE(has(f.phases[2], 17));
}

// What ends a kernel without a word has a line of what stands before it.
TEST(Facts, PhasesHaveNoLineOfAnEndThatIsNotWritten) {
  const core::KernelFacts f = facts(R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer C { float c[]; };
layout(push_constant) uniform Push { uint n; };
shared float s[16];
void main() {
  uint x = gl_LocalInvocationID.x;
  for (uint t = 0; t < n; ++t) {
    s[x] = c[t];
    barrier();
    c[x] += s[15 - x];
    if (t + 1 == n) {
      break;
    }
    barrier();
  }
}
)");
  ASSERT_EQ(f.phases.size(), 3U);
  EXPECT_TRUE(has(f.phases[1], 12));
  EXPECT_FALSE(has(f.phases[1], 8)) << "barrier 2 stands before the next turn";
  EXPECT_TRUE(has(f.phases[2], 8));
}

TEST(Facts, ConstantsThatTheLaunchHasChosenOtherwise) {
  const auto words = test::compile(R"(#version 450
layout(constant_id = 0) const uint TILE = 16;
layout(constant_id = 1) const int SHIFT = -1;
layout(constant_id = 2) const float SCALE = 0.5;
layout(constant_id = 3) const bool CHECKS = false;
layout(constant_id = 4) const uint SAME = 7;
layout(local_size_x_id = 0) in;
layout(binding = 0) buffer C { float c[]; };
void main() {
  c[gl_GlobalInvocationID.x] = CHECKS ? SCALE : float(SHIFT) + float(SAME * TILE);
}
)");
  const spirv::SpecValues values{{0, 32}, {1, 0xFFFFFFFEU}, {2, 0x3E800000U}, {3, 1}, {4, 7}};
  const auto examination = spirv::Examination::of(words, values, {});
  ASSERT_TRUE(examination) << examination.error().message;
  const auto f = spirv::facts_of(words, values, {}, **examination);
  ASSERT_TRUE(f) << f.error().message;
  const std::map<std::string, std::string> chosen{
      {"TILE", "32"}, {"SHIFT", "-2"}, {"SCALE", "0.25"}, {"CHECKS", "true"}};
  EXPECT_EQ(f->chosen, chosen);
}

TEST(Facts, AnEditedBarrierKeepsItsNumber) {
  const core::KernelFacts f = facts(kTiled, {{1, core::BarrierKind::off}});
  ASSERT_EQ(f.barriers.size(), 2U);
  EXPECT_EQ(f.barriers[0].written, core::BarrierKind::shared);
  EXPECT_EQ(f.barriers[0].now, core::BarrierKind::off);
  EXPECT_FALSE(f.barriers[0].closes());
  ASSERT_EQ(f.phases.size(), 2U);
  EXPECT_EQ(f.phases[1].opened_by, 2U);
  EXPECT_EQ(f.phases[1].name(), "read and write");
  EXPECT_FALSE(f.accesses[0].proven);
}

TEST(Facts, AtomicsReadAndWrite) {
  const core::KernelFacts f = facts(R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint words[]; };
layout(binding = 1) buffer Out { uint totals[]; };
shared uint bins[64];
void main() {
  const uint i = gl_LocalInvocationID.x;
  bins[i] = 0;
  barrier();
  atomicAdd(bins[words[i] % 64], 1);
  barrier();
  atomicAdd(totals[i], bins[i]);
  barrier();
  totals[i] += words[i];
  barrier();
}
)");
  ASSERT_EQ(f.phases.size(), 5U);
  EXPECT_EQ(f.phases[0].name(), "write");
  EXPECT_EQ(f.phases[1].name(), "read and write");
  EXPECT_EQ(f.phases[2].name(), "compute");
  EXPECT_EQ(f.phases[3].name(), "global memory only");
  EXPECT_EQ(f.phases[4].name(), "empty");
}

TEST(Facts, ABarrierThatFencesGlobalMemoryClosesNothing) {
  const core::KernelFacts f = facts(kTiled, {{1, core::BarrierKind::global}});
  EXPECT_FALSE(f.barriers[0].closes());
  EXPECT_EQ(f.phases.size(), 2U);
}

TEST(Facts, DivergentBarriersAreNamed) {
  const core::KernelFacts f = facts(R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer C { float c[]; };
void main() {
  if (gl_LocalInvocationID.x < 3) {
    barrier();
  }
  c[gl_GlobalInvocationID.x] = 1.0;
}
)");
  ASSERT_EQ(f.divergent.size(), 1U);
  EXPECT_EQ(f.divergent[0].line, 6U);
  EXPECT_EQ(f.divergent[0].condition_line, 5U);
  EXPECT_EQ(f.divergent[0].entry_line, 4U);
}

}  // namespace
