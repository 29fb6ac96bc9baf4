#include "spirv/analysis/values/intervals.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "spirv/analysis/memory/bounds.h"
#include "spirv/analysis/values/interval.h"
#include "spirv/module/canonical.h"
#include "tests/spirv/compile.h"

namespace {

using spirv::Interval;

// Every number of 5 bits that an operation gives lies in what the intervals of its operands give.
TEST(Interval, HoldsEveryResult) {
  constexpr std::uint32_t width = 5;
  constexpr std::uint64_t most = 31;
  std::mt19937 random(7);
  const auto any = [&] {
    std::uint64_t a = random() % (most + 1);
    std::uint64_t b = random() % (most + 1);
    if (a > b) {
      std::swap(a, b);
    }
    return Interval::between(a, b, width);
  };
  const auto has = [](const Interval& i, std::uint64_t v) {
    const auto s = static_cast<std::int64_t>(v) - (v > 15 ? 32 : 0);
    return v >= i.low && v <= i.high && s >= i.signed_low && s <= i.signed_high;
  };
  for (const spv::Op op :
       {spv::Op::OpIAdd, spv::Op::OpISub, spv::Op::OpIMul, spv::Op::OpUDiv, spv::Op::OpSDiv,
        spv::Op::OpUMod, spv::Op::OpSMod, spv::Op::OpSRem, spv::Op::OpShiftLeftLogical,
        spv::Op::OpShiftRightLogical, spv::Op::OpShiftRightArithmetic, spv::Op::OpBitwiseAnd,
        spv::Op::OpBitwiseOr, spv::Op::OpBitwiseXor, spv::Op::OpNot, spv::Op::OpSNegate}) {
    for (int n = 0; n < 300; ++n) {
      const Interval a = any();
      const Interval b = any();
      const Interval result = spirv::apply(op, a, b);
      for (std::uint64_t x = a.low; x <= a.high; ++x) {
        for (std::uint64_t y = b.low; y <= b.high; ++y) {
          const auto value = spirv::fold(op, width, x, y);
          ASSERT_TRUE(!value || has(result, *value))
              << static_cast<int>(op) << ": " << x << ", " << y << " gives " << *value;
        }
      }
    }
  }
}

// A comparison keeps every number for which it came out so.
TEST(Interval, ComparisonsLeaveNothingOut) {
  constexpr std::uint32_t width = 5;
  std::mt19937 random(11);
  for (const spv::Op op :
       {spv::Op::OpIEqual, spv::Op::OpINotEqual, spv::Op::OpULessThan, spv::Op::OpULessThanEqual,
        spv::Op::OpUGreaterThan, spv::Op::OpUGreaterThanEqual, spv::Op::OpSLessThan,
        spv::Op::OpSLessThanEqual, spv::Op::OpSGreaterThan, spv::Op::OpSGreaterThanEqual}) {
    for (int n = 0; n < 500; ++n) {
      const std::uint64_t low = random() % 32;
      const std::uint64_t first = random() % 32;
      const Interval a = Interval::between(low, low + random() % (32 - low), width);
      const Interval b = Interval::between(first, first + random() % (32 - first), width);
      for (const bool truth : {false, true}) {
        const Interval kept = spirv::where(op, truth, a, b);
        for (std::uint64_t x = a.low; x <= a.high; ++x) {
          for (std::uint64_t y = b.low; y <= b.high; ++y) {
            const bool holds = (*spirv::fold(op, width, x, y) != 0) == truth;
            ASSERT_TRUE(!holds || (!kept.empty() && x >= kept.low && x <= kept.high))
                << static_cast<int>(op) << ": " << x << ", " << y;
          }
        }
      }
    }
  }
}

using Proven = std::pair<std::size_t, std::size_t>;

// How many of a kernel's indices are proven inside of what a launch gives it, of how many.
Proven proven_in(const spirv::Launch& launch, const std::string& source) {
  const auto words = spirv::canonical(test::compile(source), {});
  EXPECT_TRUE(words);
  const auto program = spirv::Program::open(*words, launch);
  EXPECT_TRUE(program);
  const spirv::Bounds bounds(**program);
  EXPECT_TRUE(bounds.not_covered().empty());
  const auto inside = std::ranges::count(bounds.all(), true, &spirv::IndexUse::proven);
  return {static_cast<std::size_t>(inside), bounds.all().size()};
}

// In a launch of 4 by 4 workgroups with the push constants 60, 50, 40 and a buffer of so many
// bytes.
Proven proven(const std::string& body, std::uint64_t bytes) {
  const std::string source = R"(#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(push_constant) uniform Push { uint rows; uint columns; int depth; };
layout(set = 0, binding = 0) buffer Data { float data[]; };
void main() {
  const uint row = gl_GlobalInvocationID.y;
  const uint column = gl_GlobalInvocationID.x;
)" + body + "\n}\n";
  spirv::Launch launch;
  launch.groups = {4, 4, 1};
  launch.push_constants = {60, 50, 40};
  launch.buffers = {{bytes, {}}};
  return proven_in(launch, source);
}

TEST(Bounds, GuardsAreProofs) {
  const std::string guarded = "if (row >= rows || column >= columns) return;";
  EXPECT_EQ(proven(guarded + "data[row * columns + column] = 1;", 60 * 50 * 4), Proven(1, 1));
  EXPECT_EQ(proven(guarded + "data[row * columns + column] = 1;", 60 * 50 * 4 - 4), Proven(0, 1));
  EXPECT_EQ(proven("if (row < rows && column < columns) data[row * columns + column] = 1;", 12000),
            Proven(1, 1));
  EXPECT_EQ(proven("if (row < rows) data[row * columns + column] = 1;", 12000), Proven(0, 1));
  // The index is computed before the guard.
  EXPECT_EQ(proven("const uint at = row * columns + column;" + guarded + "data[at] = 1;", 12000),
            Proven(1, 1));
}

// Of three buffers of 64, 16 and 32 elements, and three images as wide.
Proven proven_in_arrays(const std::string& body) {
  const std::string source = R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Parts { float v[]; } parts[3];
layout(set = 0, binding = 3, r32f) uniform image2D images[3];
void main() {
  const uint l = gl_LocalInvocationID.x;
  const uint g = gl_WorkGroupID.x;
)" + body + "\n}\n";
  spirv::Launch launch;
  launch.groups = {3, 1, 1};
  for (const std::uint32_t length : {64U, 16U, 32U}) {
    launch.buffers.push_back({.bytes = 4 * std::uint64_t{length}, .words = {}});
  }
  for (const std::uint32_t length : {64U, 16U, 32U}) {
    launch.buffers.push_back({.words = {}, .lengths = {length, 8, 0}});
  }
  launch.buffers[0].descriptors = launch.buffers[3].descriptors = 3;
  return proven_in(launch, source);
}

TEST(Bounds, EachOfAnArrayOfBuffersHasItsOwnLength) {
  EXPECT_EQ(proven_in_arrays("parts[g].v[l] = 1;"), Proven(2, 2));
  EXPECT_EQ(proven_in_arrays("parts[g].v[l + 1] = 1;"), Proven(1, 2));
  EXPECT_EQ(proven_in_arrays("parts[g & 2].v[l + 16] = 1;"), Proven(1, 2)) << "or it is the second";
  EXPECT_EQ(proven_in_arrays("parts[g + 1].v[l] = 1;"), Proven(1, 2)) << "there are three";
  EXPECT_EQ(proven_in_arrays("parts[2].v[l + 16] = 1;"), Proven(1, 1));
  EXPECT_EQ(proven_in_arrays("if (l + g < parts[0].v.length()) parts[0].v[l + g] = 1;"),
            Proven(1, 1));
  EXPECT_EQ(proven_in_arrays("for (uint d = 0; d < 3; d += 2) parts[d].v[2 * l] = 1;"),
            Proven(1, 2))
      << "what lies between counts too";
}

TEST(Bounds, EachOfAnArrayOfImagesHasItsOwnExtent) {
  EXPECT_EQ(proven_in_arrays("imageStore(images[g], ivec2(l, 7), vec4(1));"), Proven(2, 2));
  EXPECT_EQ(proven_in_arrays("imageStore(images[g], ivec2(l + 1, 7), vec4(1));"), Proven(1, 2));
  EXPECT_EQ(proven_in_arrays("imageStore(images[2], ivec2(2 * l, 7), vec4(1));"), Proven(1, 1));
  EXPECT_EQ(proven_in_arrays("imageStore(images[1], ivec2(2 * l, 7), vec4(1));"), Proven(0, 1));
}

TEST(Bounds, LoopsAreProofsAsFarAsTheyGo) {
  EXPECT_EQ(proven("for (int k = 0; k < depth; ++k) data[k] = 1;", 160), Proven(1, 1));
  EXPECT_EQ(proven("for (int k = 0; k <= depth; ++k) data[k] = 1;", 160), Proven(0, 1));
  EXPECT_EQ(proven("for (int k = depth - 1; k >= 0; --k) data[k] = 1;", 160), Proven(1, 1));
  EXPECT_EQ(proven("for (uint s = 32; s > 0; s >>= 1) data[s] = 1;", 132), Proven(1, 1));
  EXPECT_EQ(proven("for (uint k = column; k < rows; k += 16) data[k] = 1;", 240), Proven(1, 1));
  EXPECT_EQ(proven("int k = 0; do { data[k] = 1; ++k; } while (k < depth);", 160), Proven(1, 1));
  EXPECT_EQ(proven("for (int k = 0; k < depth; ++k) { data[k + 1] = 1; }", 160), Proven(0, 1));
}

TEST(Bounds, ClampsMasksAndTheLengthItselfAreProofs) {
  EXPECT_EQ(proven("data[min(row * 1000, 39u)] = 1;", 160), Proven(1, 1));
  EXPECT_EQ(proven("data[clamp(int(row) - 5, 0, depth - 1)] = 1;", 160), Proven(1, 1));
  EXPECT_EQ(proven("data[clamp(int(row) - 5, -1, depth - 1)] = 1;", 160), Proven(0, 1));
  EXPECT_EQ(proven("data[(row * 77) % uint(depth)] = 1;", 160), Proven(1, 1));
  EXPECT_EQ(proven("const uint at = row * 1000; if (at < data.length()) data[at] = 1;", 160),
            Proven(1, 1));
  // A sum that wraps is no small number.
  EXPECT_EQ(proven("data[row + 0xFFFFFFFFu] = 1;", 256), Proven(0, 1));
  EXPECT_EQ(proven("if (row > 0) data[row + 0xFFFFFFFFu] = 1;", 256), Proven(1, 1));
}

}  // namespace
