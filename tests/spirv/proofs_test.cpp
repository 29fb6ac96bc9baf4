// What is proven before a kernel runs, and what must not be.
#include "spirv/analysis/memory/proofs.h"

#include <gtest/gtest.h>

#include "spirv/analysis/examination.h"
#include "spirv/compile.h"

namespace {

std::unique_ptr<spirv::Examination> examine(const std::string& body,
                                            const std::string& declarations = "shared uint s[320];",
                                            const std::string& size = "64") {
  const std::string source =
      "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "layout(local_size_x = " +
      size +
      ") in;\n"
      "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
      "layout(set = 0, binding = 1) readonly buffer Given { uint given[]; };\n"
      "layout(push_constant) uniform Push { uint n; };\n" +
      declarations + "\nvoid main() {\nconst uint i = gl_LocalInvocationID.x;\nuint k;\n" + body +
      "\n}\n";
  auto result = spirv::Examination::of(test::compile(source), {});
  EXPECT_TRUE(result) << result.error().message;
  return std::move(*result);
}

bool all_proven(const std::string& body) {
  return examine(body)->proofs.open().empty();
}

TEST(Proofs, BehindALoopTheCounterHasItsExitValue) {
  EXPECT_FALSE(
      all_proven("for (k = 0; k < 4; ++k) data[k] = 1;"
                 "s[i + 64 * k] = 1; data[i] = s[256 + (i ^ 1)];"));
  // The rows that the loop counted through are not touched.
  EXPECT_TRUE(
      all_proven("for (k = 0; k < 4; ++k) data[k] = 1;"
                 "s[i + 64 * k] = 1; data[i] = s[255];"));
}

// Its text may ask for more than any memory: what is worked out cell by cell must not.
TEST(Proofs, AVariableThatNoDeviceHoldsIsNotTried) {
  const std::string body =
      "s[i] = i; barrier();"
      "for (k = 1; k < 64; k *= 2) { if (i % (2 * k) == 0) s[i] += s[i + k]; barrier(); }"
      "data[i] = i;";
  EXPECT_TRUE(examine(body)->proofs.open().empty());
  EXPECT_FALSE(examine(body, "shared uint s[0x3fffffff];")->proofs.open().empty());
}

TEST(Proofs, AStepThatOvershootsEndsFurther) {
  EXPECT_FALSE(
      all_proven("for (k = 0; k < 3; k += 2) data[k] = 1;"
                 "s[i + 64 * k] = 1; data[i] = s[256 + (i ^ 1)];"));
}

TEST(Proofs, BeforeTheTestTheCounterHasItsExitValueToo) {
  EXPECT_FALSE(
      all_proven("for (k = 0;; ++k) { s[i + 64 * k] = k; if (k >= 4) break; }"
                 "data[i] = s[256 + (i ^ 1)];"));
  EXPECT_TRUE(
      all_proven("for (k = 0;; ++k) { if (k >= 4) break; s[i + 64 * k] = k; }"
                 "data[i] = s[256 + (i ^ 1)];"));
}

TEST(Proofs, InsideTheLoopTheCounterIsBelowItsEnd) {
  EXPECT_TRUE(all_proven("for (k = 0; k < 4; ++k) s[i + 64 * k] = k; data[i] = s[256 + (i ^ 1)];"));
}

TEST(Proofs, AnUnknownCancelsWhereAllHoldTheSameOne) {
  EXPECT_TRUE(all_proven("s[i + n] = 1; data[i] = s[i + n];"));
  EXPECT_TRUE(all_proven("k = given[0]; s[i + k] = 1; data[i] = s[i + k];"));
  EXPECT_FALSE(all_proven("s[i + given[0]] = 1; data[i] = s[i + given[1]];"));
  EXPECT_FALSE(all_proven("s[i + given[i]] = 1;"));
}

TEST(Proofs, AnUnknownDoesNotCancelBehindALoopThatIsLeftAtDifferentTurns) {
  EXPECT_FALSE(all_proven("for (k = 0; k < n; ++k) if (k == i) break; barrier(); s[i + k] = 1;"));
  EXPECT_TRUE(all_proven("for (k = 0; k < n; ++k) if (k == 7) break; barrier(); s[i + k] = 1;"));
}

TEST(Proofs, ACounterCancelsNotWhereInvocationsCanBeAtDifferentTurns) {
  EXPECT_FALSE(all_proven("for (k = 0; k < n; ++k) s[i + k] = 1;"));
  EXPECT_TRUE(all_proven("for (k = 0; k < n; ++k) { s[i + k] = 1; barrier(); }"));
}

TEST(Proofs, WhateverArithmeticWithCountersOfShortLoops) {
  // As tiles are filled: the workgroup's e-th element, by rows of 8 and 16.
  EXPECT_TRUE(
      all_proven("for (k = 0; k < 5; ++k) { const uint e = i + 64 * k;"
                 "for (uint j = 0; j < 1; ++j) s[e / 16 * 16 + e % 16 + j] = k; }"));
  EXPECT_FALSE(
      all_proven("for (k = 0; k < 5; ++k) { const uint e = i + 63 * k;"
                 "for (uint j = 0; j < 1; ++j) s[e / 16 * 16 + e % 16 + j] = k; }"));
  EXPECT_TRUE(
      all_proven("for (k = 0; k < 4; ++k) { const uint e = i + 64 * k; s[(e * 5) % 256] = k; }"));
  EXPECT_FALSE(
      all_proven("for (k = 0; k < 4; ++k) { const uint e = i + 64 * k; s[(e * 8) % 256] = k; }"));
}

TEST(Proofs, ATreeOfSums) {
  const auto tree = [](const std::string& condition, const std::string& end) {
    return "s[i] = i; barrier(); for (k = 32; k > 0; k /= 2) { if (" + condition +
           ") s[i] += s[i + k]; " + end + "} data[i] = s[0];";
  };
  EXPECT_TRUE(all_proven(tree("i < k", "barrier();")));
  EXPECT_FALSE(all_proven(tree("i < k", "")));
  EXPECT_FALSE(all_proven(tree("i <= k", "barrier();")));
  EXPECT_FALSE(all_proven(tree("i < 2 * k", "barrier();")));
}

TEST(Proofs, SumsLeftInPlace) {
  const auto scan = [](const std::string& first, const std::string& right) {
    return "s[i] = i; for (k = 1; k < 64; k *= 2) { " + first + " const uint r = " + right +
           "; if (r < 64) s[r] += s[r - k]; } barrier(); data[i] = s[63];";
  };
  EXPECT_TRUE(all_proven(scan("barrier();", "2 * k * (i + 1) - 1")));
  EXPECT_FALSE(all_proven(scan("", "2 * k * (i + 1) - 1")));
  EXPECT_FALSE(all_proven(scan("barrier();", "k * (i + 1) - 1")));
  EXPECT_FALSE(all_proven(scan("barrier();", "2 * k * (i + 1) - 1 + i % 2")));
}

// Halves of an array that are exchanged, but not with every turn, or not those that are written.
TEST(Proofs, HalvesThatMayBeOneAreNotApart) {
  const auto scan = [](const std::string& written, const std::string& exchanged) {
    return all_proven(
        "uint now = 0; s[i] = given[i]; barrier();"
        "for (k = 1; k < 64; k *= 2) {"
        "s[" +
        written + " * 128 + i] = s[now * 128 + (i >= k ? i - k : i)];" + exchanged +
        " barrier(); } data[i] = s[now * 128 + (i ^ 1)];");
  };
  EXPECT_FALSE(scan("(1 - now)", "if (k == 4) now = 1 - now;"));
  EXPECT_FALSE(scan("now", "now = 1 - now;"));
  EXPECT_FALSE(scan("(1 - now)", "now = given[k] % 2;"));
}

TEST(Proofs, AWorkgroupGoesOverAnArrayTogether) {
  const std::string copy = "for (k = i; k < 300; k += 64) ";
  EXPECT_TRUE(all_proven(copy + "s[k / 30 * 30 + k % 30] = k;"));
  EXPECT_TRUE(all_proven(copy + "s[(k ^ 1) % 320] = k;"));
  EXPECT_FALSE(all_proven(copy + "s[k / 30 * 30 + k % 29] = k;")) << "29 is the first of its row";
  EXPECT_FALSE(all_proven(copy + "s[k / 2] = k;"));
  EXPECT_FALSE(all_proven("for (k = i; k < 300; k += 63) s[k / 2 * 2 + k % 2] = k;"))
      << "63 is that of i = 0, and of i = 63";
  EXPECT_FALSE(all_proven(copy + "data[k] = 1; s[k ^ 1] = 1;")) << "behind it some have 300 and on";
  EXPECT_TRUE(all_proven("for (k = i / 2; k < 20; k += 32) if (i % 2 == 0) s[k ^ 3] = k;"));
  // What is left behind the loop: each its own, up to 363.
  EXPECT_FALSE(all_proven(copy + "data[k] = 1; s[k % 64] = 1; s[0] = 2;"));
}

TEST(Proofs, OneOfASubgroupWritesAtItsNumber) {
  const auto writes = [](const std::string& condition, const std::string& place) {
    const std::string source =
        "#version 450\n#extension GL_KHR_shader_subgroup_basic : require\n"
        "layout(local_size_x = 64) in;\n"
        "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
        "shared uint s[64];\n"
        "void main() { const uint i = gl_LocalInvocationID.x;" +
        condition + " s[" + place + "] = i; barrier(); data[i] = s[0]; }";
    auto result = spirv::Examination::of(test::compile(source), {});
    EXPECT_TRUE(result) << result.error().message;
    return (*result)->proofs.open().empty();
  };
  EXPECT_TRUE(writes("if (subgroupElect())", "gl_SubgroupID"));
  EXPECT_TRUE(writes("if (gl_SubgroupInvocationID == 3)", "gl_SubgroupID"));
  EXPECT_TRUE(writes("if (gl_SubgroupInvocationID == gl_SubgroupSize - 1)", "gl_SubgroupID"));
  EXPECT_FALSE(writes("if (subgroupElect())", "gl_SubgroupID / 2"));
  EXPECT_FALSE(writes("if (!subgroupElect())", "gl_SubgroupID"));
  EXPECT_FALSE(writes("if (gl_SubgroupInvocationID < 2)", "gl_SubgroupID"));
  EXPECT_FALSE(writes("if (gl_SubgroupInvocationID == data[i])", "gl_SubgroupID"));
  EXPECT_FALSE(writes("", "gl_SubgroupID"));
  // Each lane is the first of those that are left in some turn.
  EXPECT_FALSE(writes("for (uint k = 0; k <= i % 8; ++k) if (subgroupElect())", "gl_SubgroupID"));
}

TEST(Proofs, AConditionHoldsInItsOwnTurnAlone) {
  // The first half writes in every turn, the other half reads where an earlier turn has let it.
  EXPECT_FALSE(
      all_proven("bool seen = false; for (k = 1; k < 64; k *= 2) { if (i < k) s[i] = k;"
                 "if (i >= k) data[i] = s[i - k]; }"));
  EXPECT_TRUE(
      all_proven("for (k = 1; k < 64; k *= 2) { barrier(); if (i < k) s[i] = k;"
                 "if (i >= 2 * k) data[i] = s[i - k]; }"));
  EXPECT_FALSE(
      all_proven("for (k = 1; k < 64; k *= 2) { barrier(); if (i < k) s[i] = k;"
                 "if (i >= k) data[i] = s[i - k]; }"));
}

TEST(Proofs, ALoopWithoutATurn) {
  EXPECT_TRUE(all_proven("for (k = 4; k < 4; k *= 2) s[(i * k) % 7] = k;"));
}

TEST(Proofs, IndicesAreInsideOnlyWhereTheyMustBe) {
  const auto inside = [](const std::string& body) {
    const auto x = examine(body);
    for (const spirv::Site& site : x->sites.all()) {
      for (const spirv::IndexTerm& term : site.terms) {
        if (!x->proofs.in_bounds(site, term)) {
          return false;
        }
      }
    }
    return true;
  };
  EXPECT_TRUE(inside("s[i + 256] = 1;"));
  EXPECT_FALSE(inside("s[i + 257] = 1;"));
  EXPECT_TRUE(inside("s[given[i] % 320] = 1;"));
  EXPECT_FALSE(inside("s[given[i] % min(n, 320u)] = 1;"));  // n may be 0
  EXPECT_FALSE(inside("s[given[i] / n] = 1;"));
  EXPECT_FALSE(inside("s[200 / n] = 1;"));
  EXPECT_TRUE(inside("if (given[i] < 320) s[given[i] & 0xFFu] = 1;"));
  EXPECT_TRUE(inside("uint g = given[i]; if (g < 320) s[g] = 1;"));
  EXPECT_FALSE(inside("int g = int(given[i]); if (g < 320) s[g] = 1;"));
  EXPECT_TRUE(inside("for (int j = 0; j < 320; ++j) s[j] = 1;"));
  EXPECT_TRUE(inside("for (int j = 0; j < int(min(n, 320u)); j += 7) s[j] = 1;"));
  // Nothing holds this counter back before it wraps below zero.
  EXPECT_FALSE(inside("int j = 0; for (k = 0; k < n; ++k, j += 0x30000000) if (j < 64) s[j] = 1;"));
  // 16 bits have a sign of their own.
  EXPECT_FALSE(
      inside("int16_t j = int16_t(-1); for (k = 0; k < n; ++k) j = int16_t(-1);"
             "if (j < int16_t(64)) s[int(j)] = 1;"));
  EXPECT_FALSE(inside("int16_t j = int16_t(given[i]); if (j < int16_t(64)) s[int(j)] = 1;"));
}

TEST(Proofs, HalvesOfAnIndexStayInside) {
  const auto x = examine("for (k = 160; k > 0; k /= 2) { s[k + i] += s[k]; barrier(); }");
  for (const spirv::Site& site : x->sites.all()) {
    for (const spirv::IndexTerm& term : site.terms) {
      EXPECT_TRUE(x->proofs.in_bounds(site, term)) << site.at.line;
    }
  }
}

}  // namespace
