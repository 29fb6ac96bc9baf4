#include "spirv/analysis/flow/coverage.h"

#include <gtest/gtest.h>

#include "spirv/analysis/examination.h"
#include "spirv/analysis/flow/witness.h"
#include "spirv/compile.h"
#include "spirv/module/canonical.h"

namespace {

std::unique_ptr<spirv::Program> program_of(const std::string& body, std::uint32_t n) {
  const std::string source = R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer C { uint c[]; };
layout(push_constant) uniform Push { uint n; };
void main() {
  uint x = gl_GlobalInvocationID.x;
)" + body + "}\n";
  const auto form = spirv::canonical(test::compile(source), {});
  EXPECT_TRUE(form);
  auto program = spirv::Program::open(*form, {.groups = {4, 1, 1}, .push_constants = {n}});
  EXPECT_TRUE(program);
  return std::move(*program);
}

// Lines of stores to buffers that the text tells to run; the body's first line is 8.
std::vector<std::uint32_t> stores_that_run(const std::string& body, std::uint32_t n,
                                           std::array<std::uint32_t, 3> workgroup = {0, 0, 0}) {
  const auto program = program_of(body, n);
  const auto ran = spirv::surely_run(*program, workgroup);
  std::vector<std::uint32_t> lines;
  for (std::size_t b = 0; b < ran.size(); ++b) {
    for (const spirv::Instruction& i : program->function.blocks[b].body) {
      const bool own =
          i.op == spv::Op::OpStore &&
          program->storage(program->path(i.word(0)).variable) == spv::StorageClass::Function;
      if (i.op == spv::Op::OpStore && !own && ran[b]) {
        lines.push_back(i.at.line);
      }
    }
  }
  return lines;
}

using Lines = std::vector<std::uint32_t>;

TEST(Witness, BranchesByIdsAndSizesAreGone) {
  EXPECT_EQ(stores_that_run("if (x < n)\nc[x] = 1;\n", 10), Lines{9});
  EXPECT_EQ(stores_that_run("if (x >= n)\nc[x] = 1;\n", 10), Lines{9});  // the last invocation
  EXPECT_EQ(stores_that_run("if (x < n)\nc[x] = 1;\n", 0), Lines{});
  EXPECT_EQ(stores_that_run("if (x >= n)\nc[x] = 1;\n", 16), Lines{});
}

TEST(Witness, StandsInItsWorkgroup) {
  EXPECT_EQ(stores_that_run("if (x >= 16)\nc[x] = 1;\n", 0), Lines{});
  EXPECT_EQ(stores_that_run("if (x >= 16)\nc[x] = 1;\n", 0, {1, 0, 0}), Lines{9});
}

TEST(Witness, LoopsAreGoneTurnByTurn) {
  const std::string body = "for (uint k = 0; k < n; ++k) {\nif (k == 3)\nc[k] = 1;\n}\n";
  EXPECT_EQ(stores_that_run(body, 4), Lines{10});
  EXPECT_EQ(stores_that_run(body, 3), Lines{});
}

TEST(Witness, LongLoopsAreLeft) {
  // 40,000 turns are not gone through, nor is what they leave known; but they end.
  const std::string loop = "uint s = 0;\nfor (uint k = 0; k < n; ++k) s += k;\n";
  EXPECT_EQ(stores_that_run(loop + "if (x == 0)\nc[x] = 1;\n", 40000), Lines{11});
  EXPECT_EQ(stores_that_run(loop + "if (s == 1)\nc[x] = 1;\nc[x] = 2;\n", 40000), Lines{12});
  // Short ones in it are gone through each time.
  EXPECT_EQ(
      stores_that_run("uint s = 0;\nfor (uint k = 0; k < n; ++k)\nfor (uint j = 0; j < 9; ++j) {\n"
                      "if (j + k == 108)\nc[x] = 1;\n}\n",
                      200),
      Lines{12});
}

TEST(Witness, WhatIsNotKnownEndsInWhatAllWaysComeTo) {
  EXPECT_EQ(stores_that_run("if (a[x] > 3)\nc[x] = 1;\nc[x] = 2;\n", 0), Lines{10});
  // k is not known behind a loop that data ends, nor what depends on it.
  EXPECT_EQ(stores_that_run("uint k = 0;\nwhile (a[k] > 3) {\n++k; }\nif (k == 0)\nc[x] = 1;\n"
                            "c[x] = 2;\n",
                            0),
            Lines{13});
}

TEST(Witness, OneFalseIsEnough) {
  EXPECT_EQ(stores_that_run("bool b = a[x] > 3 && x > 100;\nif (!b)\nc[x] = 1;\n", 0), Lines{10});
}

TEST(Coverage, WatchesOnlyWhatIsNotKnown) {
  const auto marks = [](const std::string& body, std::uint32_t n) {
    const auto program = program_of(body, n);
    return spirv::Coverage(*program, spirv::Intervals(*program), {0, 0, 0}).marks();
  };
  EXPECT_EQ(marks("if (x < n) c[x] = 1;\n", 10), 0U);
  EXPECT_EQ(marks("if (x < n) c[x] = 1;\n", 0), 0U);    // never
  EXPECT_EQ(marks("if (x == 20) c[x] = 1;\n", 0), 1U);  // by another workgroup
  EXPECT_EQ(marks("if (a[x] < n) c[x] = 1;\n", 10), 1U);
  // Vectors of what the launch gives.
  EXPECT_EQ(marks("uvec2 e = uvec2(n, 7) / 4 * 4; if (e.x < n - 2) c[x] = 1;\n", 10), 0U);
  EXPECT_EQ(marks("uvec2 e = uvec2(n, a[x]) / 4 * 4; if (e.y < n - 2) c[x] = 1;\n", 10), 1U);
}

}  // namespace
