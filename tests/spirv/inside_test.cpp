// Kernels whose indices reach anywhere, kept inside: what is written, and what is left alone.
#include "spirv/probes/inside.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spirv/compile.h"
#include "spirv/module/canonical.h"
#include "spirv/probes/addresses.h"
#include "spirv/reflection/addresses.h"

namespace {

const std::string kBlocksHead = R"(#version 450
layout(local_size_x = 64) in;
layout(constant_id = 3) const uint N = 5;
layout(set = 0, binding = 0) buffer D { uint tag; uint fixed_one[8]; uint d[]; } b[2];
layout(push_constant) uniform P { uint p[4]; };
shared uint s[64];
shared uint by_constant[N];
uint own[7];
)";

// Comparisons that keep_inside() writes for the body of main().
std::ptrdiff_t kept(const std::string& body, const spirv::SpecValues& values = {}) {
  spirv::Module module = test::module(kBlocksHead + "void main() { " + body + " }\n");
  const auto selects = [&] {
    std::ptrdiff_t count = 0;
    for (const spirv::Function& function : module.functions) {
      for (const spirv::Block& block : function.blocks) {
        count += std::ranges::count(block.body, spv::Op::OpSelect, &spirv::Instruction::op);
      }
    }
    return count;
  };
  const std::ptrdiff_t before = selects();
  EXPECT_EQ(spirv::keep_inside(module, values), "") << body;
  const auto valid = spirv::validate(spirv::write(module));
  EXPECT_TRUE(valid) << body << ": " << valid.error().message;
  return selects() - before;
}

TEST(Inside, IndicesOfWhatHasALengthAreCompared) {
  EXPECT_EQ(kept("s[b[0].d[5]] = 1u;"), 1);
  EXPECT_EQ(kept("s[int(b[0].d[5])] = 1u;"), 1);
  EXPECT_EQ(kept("own[b[0].d[5]] = 1u; uint a[3][4]; a[b[0].d[0]][b[0].d[1]] = 2u;"), 3);
  EXPECT_EQ(kept("b[0].d[0] = p[b[0].d[5]];"), 1);
  EXPECT_EQ(kept("b[b[0].d[5]].d[7] = 1u;"), 1) << "which resource";
  EXPECT_EQ(kept("vec4 v = vec4(0); v[b[0].d[5]] = 1.0; mat3 m = mat3(1); m[b[0].d[1]][0] = 2.0;"
                 "b[0].d[0] = uint(v.x + m[1][0]);"),
            2);
  EXPECT_EQ(kept("atomicAdd(s[b[0].d[5]], 1u);"), 1);
}

TEST(Inside, WhatIsInsideOrInABufferIsLeftAlone) {
  EXPECT_EQ(kept("s[63] = 1u; own[6] = 2u;"), 0);
  EXPECT_EQ(kept("b[1].d[b[0].d[5]] = 1u; b[1].fixed_one[b[0].d[5]] = 2u;"), 0)
      << "the driver's own";
}

TEST(Inside, LengthsAreThoseAfterSpecialization) {
  const std::string body = "by_constant[4] = 1u; by_constant[gl_LocalInvocationIndex] = 2u;";
  for (const std::uint32_t length : {5U, 3U}) {
    spirv::Module module = test::module(kBlocksHead + "void main() { " + body + " }\n");
    EXPECT_EQ(spirv::keep_inside(module, {{3, length}}), "");
    EXPECT_TRUE(spirv::validate(spirv::write(module)));
    std::vector<std::uint32_t> constants;
    for (const spirv::Instruction& i : module.preamble) {
      if (i.op == spv::Op::OpConstant) {
        constants.push_back(i.word(0));
      }
    }
    EXPECT_NE(std::ranges::find(constants, length - 1), constants.end());
  }
}

// Nothing that was never written: one that compares inside may be another where it is used.
TEST(Inside, VariablesThatNothingWroteAreZero) {
  spirv::Module module =
      test::module(kBlocksHead + "uint u; void main() { uint i; s[i + u] = 1u; }\n");
  EXPECT_EQ(spirv::keep_inside(module, {}), "");
  EXPECT_TRUE(spirv::validate(spirv::write(module)));
  int own = 0;
  const auto look = [&](const spirv::Instruction& i) {
    const auto storage = static_cast<spv::StorageClass>(i.word(0));
    if (i.op == spv::Op::OpVariable &&
        (storage == spv::StorageClass::Function || storage == spv::StorageClass::Private)) {
      ++own;
      EXPECT_EQ(i.operands.size(), 2U) << "its first value";
    }
  };
  std::ranges::for_each(module.preamble, look);
  std::ranges::for_each(module.functions.front().blocks.front().body, look);
  EXPECT_GE(own, 3);
}

// A first value of thousands of scalars takes a compiler a minute: a loop writes it.
TEST(Inside, LargeVariablesThatNothingWroteAreZeroedByALoop) {
  spirv::Module module =
      test::module(kBlocksHead +
                   "struct Pair { vec3 at; mat2 m; };\nPair pairs[9][77];\n"
                   "uint part(uint k) { uint own[4099]; own[k] = k; return own[s[k]]; }\n"
                   "void main() { uint large[4096]; const uint u = s[0]; large[u] = 1u; "
                   "pairs[u][0].at.x = 2.0;\n"
                   "  s[large[s[1]]] = part(u) + uint(pairs[3][s[2]].at.x); }\n");
  EXPECT_EQ(spirv::keep_inside(module, {}), "");
  EXPECT_TRUE(spirv::validate(spirv::write(module)));
  const spirv::Definitions definitions(module);
  int first_values = 0, calls = 0;
  for (const spirv::Function& function : module.functions) {
    for (const spirv::Block& block : function.blocks) {
      for (const spirv::Instruction& i : block.body) {
        const bool array = i.op == spv::Op::OpVariable &&
                           definitions.op(definitions.of(i.type).word(1)) == spv::Op::OpTypeArray;
        first_values += array && i.operands.size() > 1 ? 1 : 0;
        calls += i.op == spv::Op::OpFunctionCall ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(first_values, 0);
  EXPECT_EQ(calls, 4) << "of part(), and of three loops";
}

const std::string kAddresses = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer R { uint n; mat3 m; uint v[]; };
layout(push_constant) uniform P { R r; };
void main() {
  uint sum = r.n + uint(r.m[1].x);
  for (uint i = 0u; i < 4u; ++i) { sum += r.v[sum + i]; }
  r.v[gl_LocalInvocationIndex] = atomicAdd(r.n, sum);
})";

// Loads, stores and atomics by an address that is not what a selection made.
std::size_t unkept(const spirv::Module& module) {
  const spirv::Definitions definitions(module);
  std::size_t count = 0;
  for (const spirv::Function& function : module.functions) {
    for (const spirv::Block& block : function.blocks) {
      for (const spirv::Instruction& i : block.body) {
        for (const spirv::MemoryAccess& access : spirv::accesses_by_address(i, definitions)) {
          const spirv::Instruction& pointer = definitions.of(i.word(access.operand));
          count += pointer.op == spv::Op::OpConvertUToPtr &&
                           definitions.op(pointer.word(0)) == spv::Op::OpSelect
                       ? 0
                       : 1;
        }
      }
    }
  }
  return count;
}

TEST(Inside, AddressesAreLookedUpInTheTable) {
  for (const std::uint32_t ranges : {1U, 2U, 3U, 4U, 17U}) {
    spirv::Module module = test::module(kAddresses);
    EXPECT_EQ(unkept(module), 5U);
    EXPECT_EQ(spirv::keep_addresses(module, {}, {.binding = 3, .ranges = ranges}), "");
    EXPECT_EQ(unkept(module), 0U);
    const auto valid = spirv::validate(spirv::write(module));
    EXPECT_TRUE(valid) << valid.error().message;
    EXPECT_GT(spirv::AddressTable::row_count(ranges), ranges) << "row 0 is of none";
  }
}

TEST(Inside, WithoutATableNothingIsReachedByAnAddress) {
  spirv::Module module = test::module(kAddresses);
  EXPECT_EQ(spirv::keep_addresses(module, {}, {}), "");
  EXPECT_EQ(unkept(module), 0U);
  const auto valid = spirv::validate(spirv::write(module));
  EXPECT_TRUE(valid) << valid.error().message;
}

}  // namespace
