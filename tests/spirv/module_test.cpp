#include "spirv/module/module.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "spirv/compile.h"
#include "spirv/module/canonical.h"
#include "spirv/module/line_repair.h"
#include "spirv/reflection/reflect.h"

namespace {

const std::string kernel = R"(#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
shared float tile[8];
float twice(float x) { return x + x; }
void main() {
  uint i = gl_LocalInvocationID.x;
  for (uint k = 0; k < 4; ++k) {
    tile[i] = twice(data[i]);
    barrier();
    switch (k) { case 0: data[i] = tile[7 - i]; break; default: data[i] += 1.0; }
    barrier();
  }
})";

TEST(Module, WritesWhatItRead) {
  const spirv::Words words = test::compile(kernel);
  const auto first = spirv::parse(words);
  ASSERT_TRUE(first);
  const auto second = spirv::parse(spirv::write(*first));
  ASSERT_TRUE(second);
  EXPECT_EQ(spirv::write(*first), spirv::write(*second));
  ASSERT_EQ(first->functions.size(), 2U);
  EXPECT_EQ(first->bound, second->bound);
}

TEST(Module, KeepsLines) {
  const spirv::Module module = test::module(kernel);
  std::vector<std::uint32_t> stores;
  for (const auto& function : module.functions) {
    for (const auto& block : function.blocks) {
      for (const auto& i : block.body) {
        if (i.op == spv::Op::OpControlBarrier) {
          stores.push_back(i.at.line);
        }
      }
    }
  }
  EXPECT_EQ(stores, (std::vector<std::uint32_t>{10, 12}));
}

TEST(Module, SuccessorsNameEachLabelOnce) {
  spirv::Block block;
  block.body.push_back(
      {spv::Op::OpBranchConditional, 0, 0, {spirv::ref(5), spirv::ref(7), spirv::ref(7)}, {}});
  EXPECT_EQ(block.successors(), (std::vector<spirv::Id>{7}));
}

TEST(Module, TextRoundTrips) {
  for (const std::string s : {"", "a", "abcd", "abcde", "a longer one"}) {
    spirv::Instruction i;
    i.operands = spirv::text_operands(s);
    std::size_t length = 0;
    EXPECT_EQ(spirv::text(i, 0, &length), s);
    EXPECT_EQ(length, i.operands.size());
  }
}

TEST(Module, NonsenseIsAnError) {
  EXPECT_FALSE(spirv::parse({}));
  EXPECT_FALSE(spirv::parse(std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
  EXPECT_FALSE(
      spirv::parse(std::vector<std::uint32_t>{spv::MagicNumber, 0x10300, 0, 0xFFFFFFFF, 0}));
}

// Damaged modules are errors or other modules, never crashes.
// No validator looks there, and the optimizer would end the program.
TEST(Module, AConstantOfAPartThatThereIsNotIsAnError) {
  spirv::Module module = test::module(
      "#version 450\nlayout(local_size_x_id = 0) in;\n"
      "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
      "const uint last = gl_WorkGroupSize.x - 1;\n"
      "void main() { data[gl_LocalInvocationIndex] = last; }\n");
  EXPECT_TRUE(spirv::canonical(spirv::write(module), {}));
  const auto part = std::ranges::find_if(module.preamble, [](const spirv::Instruction& i) {
    return i.op == spv::Op::OpSpecConstantOp &&
           static_cast<spv::Op>(i.word(0)) == spv::Op::OpCompositeExtract;
  });
  ASSERT_NE(part, module.preamble.end());
  part->operands[2].word = 16;
  const auto canonical = spirv::canonical(spirv::write(module), {});
  ASSERT_FALSE(canonical);
  EXPECT_TRUE(canonical.error().message.contains("not valid")) << canonical.error().message;
}

TEST(Module, SurvivesDamage) {
  const spirv::Words words = test::compile(kernel);
  for (std::uint64_t round = 0; round < 3000; ++round) {
    spirv::Words damaged = words;
    for (std::uint64_t k = 0; k <= round % 3; ++k) {
      const std::uint64_t r = core::mix(round * 7 + k);
      damaged[r % damaged.size()] ^= std::uint32_t{1} << (r >> 59U);
    }
    damaged.resize(damaged.size() - (round % 5 == 0 ? core::mix(round) % damaged.size() : 0));
    if (const auto module = spirv::parse(damaged)) {
      (void)spirv::reflect(*module, {});
      (void)spirv::write(*module);
    }
  }
}

// As SPIRV-Tools of 2026 leaves them, in the middle of a block.
TEST(Module, PartsThatTheOptimizerReadsHaveALine) {
  spirv::Module module = test::module(R"(#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer D { uint d[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint a = d[i + 1];
  d[i] = a * 3;
}
)");
  auto& body = module.functions.front().blocks.front().body;
  std::size_t parts = 0;
  for (spirv::Instruction& i : body) {
    if (i.at.line == 6 && (i.op == spv::Op::OpAccessChain || i.op == spv::Op::OpLoad)) {
      i.at = {};
      ++parts;
    }
  }
  ASSERT_GE(parts, 2U);
  spirv::repair_lines_of_parts(module);
  const auto first = std::ranges::find_if(body, [](const auto& i) { return i.at.line != 0; });
  ASSERT_NE(first, body.end());
  for (auto i = first; i != body.end(); ++i) {
    EXPECT_NE(i->at.line, 0U) << "instruction " << i - body.begin();
  }
}

}  // namespace
