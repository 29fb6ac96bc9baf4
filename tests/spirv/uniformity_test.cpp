// Which barriers are refused by the text alone, and which are left to the run to decide.
#include "spirv/analysis/flow/uniformity.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "spirv/analysis/examination.h"
#include "spirv/compile.h"

namespace {

struct Judged {
  std::size_t divergent = 0;  ///< barriers
  std::size_t undecided = 0;  ///< branches
  bool operator==(const Judged&) const = default;
};

constexpr std::uint32_t kBodyLine = 13;

std::string source_of(const std::string& body, const std::string& size) {
  return "#version 450\n#extension GL_KHR_shader_subgroup_basic : require\n"
         "#extension GL_KHR_shader_subgroup_ballot : require\n"
         "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
         "layout(" +
         size +
         ") in;\n"
         "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
         "layout(set = 0, binding = 1) readonly buffer Given { uint given[]; };\n"
         "layout(push_constant) uniform Push { uint n; };\n"
         "shared uint s[64];\nshared uint flag;\n"
         "void main() {\nconst uint i = gl_LocalInvocationIndex;\n" +
         body + "\ndata[i] = s[i] + flag;\n}\n";
}

Judged judge(const std::string& body, const std::string& size = "local_size_x = 64") {
  const auto x = spirv::Examination::of(test::compile(source_of(body, size)), {});
  EXPECT_TRUE(x) << x.error().message;
  const auto branches = (*x)->uniformity.parting_branches();
  const auto undecided =
      std::ranges::count(branches, spirv::Alike::undecided, &spirv::PartingBranch::alike);
  return {(*x)->uniformity.divergent_barriers().size(), static_cast<std::size_t>(undecided)};
}

const Judged uniform{0, 0};
const Judged undecided{0, 1};
const Judged divergent{1, 0};

TEST(Uniformity, IdsDiverge) {
  EXPECT_EQ(judge("if (i < 3) barrier();"), divergent);
  EXPECT_EQ(judge("if (gl_GlobalInvocationID.x < n) barrier();"), divergent);
  EXPECT_EQ(judge("if (i + given[0] < 9) barrier();"), divergent);
  EXPECT_EQ(judge("for (uint k = 0; k < i; ++k) barrier();"), divergent);
  EXPECT_EQ(judge("if (atomicAdd(flag, 1) == 63) barrier();"), divergent);
  EXPECT_EQ(judge("if (subgroupElect()) barrier();"), divergent);
  EXPECT_EQ(judge("if (subgroupExclusiveAdd(1) == 0) barrier();"), divergent);
  EXPECT_EQ(judge("flag = i; if (flag == 3) barrier();"), divergent);
}

// A loop that only some come to is left by all of these at once.
TEST(Uniformity, TheConditionIsTheOneThatParts) {
  const auto line = [](const std::string& body) {
    const auto x = spirv::Examination::of(test::compile(source_of(body, "local_size_x = 64")), {});
    EXPECT_TRUE(x) << x.error().message;
    const auto barriers = (*x)->uniformity.divergent_barriers();
    return barriers.empty() ? 0 : barriers.front().condition.line - kBodyLine;
  };
  EXPECT_EQ(line("\nif (i < n)\n  for (uint k = 0; k < n; ++k)\n    barrier();"), 1U);
  EXPECT_EQ(line("\nif (i >= n)\n  return;\nfor (uint k = 0; k < n; ++k)\n  barrier();"), 1U);
  EXPECT_EQ(
      line("uint m = n;\nif (i < 3) {\n  if (n > 4) m = 5;\n  for (uint k = 0;\n    k < m; ++k)"
           "\n    barrier();\n}"),
      1U);
  EXPECT_EQ(line("uint m = n;\nif (i < 3)\n  m = 5;\nfor (uint k = 0;\n k < m; ++k)\n  barrier();"),
            4U)
      << "what they came with differs";
  EXPECT_EQ(line("uint m = n;\nfor (uint k = 0; k < n; ++k) {\n  if (i == k)\n    m = k;\n}\n"
                 "if (m == 4)\n  barrier();"),
            5U);
  EXPECT_EQ(line("uint m = 0;\nfor (uint k = 0; k < n; ++k)\n  if (i == k) {\n"
                 "    m = 1;\n    break;\n  }\nif (m == 1)\n  barrier();"),
            6U);
}

TEST(Uniformity, TheTextDecidesWhereItCan) {
  EXPECT_EQ(judge("if (i < 64) barrier();"), uniform);
  EXPECT_EQ(judge("if (n < 3 && given[n] > 2) barrier();"), uniform);
  EXPECT_EQ(judge("if (gl_GlobalInvocationID.z < n) barrier();"), uniform);
  EXPECT_EQ(judge("if ((gl_WorkGroupID.x * 64 + i) / 64 < n) barrier();"), uniform);
  EXPECT_EQ(judge("if ((gl_WorkGroupID.x * 64 + i) / 32 < n) barrier();"), divergent);
  EXPECT_EQ(judge("if (i < given[i]) barrier();", "local_size_x = 1"), uniform);
  EXPECT_EQ(judge("if (i == 0) flag = n; barrier(); if (flag == 3) barrier();"), uniform);
  EXPECT_EQ(judge("uint a = subgroupBallotBitCount(uvec4(n)); if (a == 3) barrier();"), uniform);
}

TEST(Uniformity, DataDecidesTheRest) {
  EXPECT_EQ(judge("if (data[3] > 2) barrier();"), undecided);
  EXPECT_EQ(judge("if (given[i] > 2) barrier();"), undecided);
  EXPECT_EQ(judge("for (uint k = 0; k < data[0]; ++k) barrier();"), undecided);
  EXPECT_EQ(judge("if (gl_SubgroupID == 0) barrier();"), undecided);
  EXPECT_EQ(judge("if (subgroupAdd(i) == 3) barrier();"), undecided);
  EXPECT_EQ(judge("s[i] = i; if (s[0] == 3) barrier();"), undecided);
  EXPECT_EQ(judge("for (uint t = n + i; t < 2 * n + i; t += 4) barrier();"), undecided);
  // The outer branch is asked too, and the one that decides no barrier is not.
  EXPECT_EQ(judge("if (data[3] > 2) { if (data[4] > 2) barrier(); if (data[5] > 1) flag = 1; }"),
            (Judged{0, 2}));
}

TEST(Uniformity, WhatIsUniformInALoopIsNotBehindItsDivergentEnd) {
  EXPECT_EQ(judge("uint k; for (k = 0; k < n; ++k) if (k == i) break; if (k < 3) barrier();"),
            divergent);
  EXPECT_EQ(judge("uint k; for (k = 0; k < n; ++k) if (k == given[i]) break;"
                  "if (k < 3) barrier();"),
            undecided);
  EXPECT_EQ(judge("uint k; for (k = 0; k < n; ++k) if (k == 4) break; if (k < 3) barrier();"),
            uniform);
}

}  // namespace
