// Indices of 8, 16 and 64 bits: what is proven of them, and what keeps them inside.
#include "spirv/module/index_width.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "spirv/analysis/examination.h"
#include "spirv/analysis/memory/bounds.h"
#include "spirv/compile.h"
#include "spirv/module/assemble.h"
#include "spirv/module/canonical.h"
#include "spirv/probes/inside.h"

namespace {

struct Known {
  std::ptrdiff_t checked = 0;  // indices that are checked as the kernel runs
  std::ptrdiff_t outside = 0;  // of shared memory: not proven inside by Proofs
  bool operator==(const Known&) const = default;
};

// Of a shared array of 256 words and a buffer of 1024.
Known known(const std::string& body) {
  const spirv::Words words = test::compile(
      "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "layout(local_size_x = 64) in;\n"
      "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
      "shared uint s[256];\n"
      "void main() { const uint i = gl_LocalInvocationID.x;\n" +
      body + "\n}\n");
  const auto form = spirv::canonical(words, {});
  EXPECT_TRUE(form) << form.error().message;
  const auto x = spirv::Examination::of_canonical(
      *form, {.groups = {1, 1, 1}, .buffers = {{.bytes = 4096, .words = {}}}});
  EXPECT_TRUE(x) << x.error().message;
  const spirv::Bounds bounds((*x)->program);
  Known found;
  found.checked = std::ranges::count(bounds.all(), false, &spirv::IndexUse::proven);
  for (const spirv::Site& site : (*x)->sites.all()) {
    for (const spirv::IndexTerm& term : site.terms) {
      found.outside += (*x)->proofs.in_bounds(site, term) ? 0 : 1;
    }
  }
  return found;
}

TEST(IndexWidth, BytesAreSigned) {
  EXPECT_EQ(known("s[int8_t(i)] = 1u;"), Known(0, 0));
  EXPECT_EQ(known("s[int8_t(i + 64u)] = 1u;"), Known(0, 0));
  EXPECT_EQ(known("s[int8_t(i + 65u)] = 1u;"), Known(1, 1)) << "128 is -128";
  EXPECT_EQ(known("s[uint8_t(i + 64u)] = 1u;"), Known(0, 0));
  EXPECT_EQ(known("s[uint8_t(i + 65u)] = 1u;"), Known(1, 1)) << "whatever the type says";
  EXPECT_EQ(known("data[int8_t(data[0])] = 1u;"), Known(1, 0));
}

TEST(IndexWidth, ShortsAreSigned) {
  EXPECT_EQ(known("data[int16_t(i)] = 1u;"), Known(0, 0));
  EXPECT_EQ(known("data[int16_t(int(i) - 3)] = 1u;"), Known(1, 0));
  EXPECT_EQ(known("s[uint16_t(i + 65530u)] = 1u;"), Known(1, 1));
}

// A store at an index that a 64-bit addition gives.
std::ptrdiff_t checked_of_long(const std::string& added) {
  const std::string head = R"(
OpCapability Shader
OpCapability Int64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %gid %buf
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %arr ArrayStride 4
OpMemberDecorate %st 0 Offset 0
OpDecorate %st Block
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%v3 = OpTypeVector %u32 3
%pin = OpTypePointer Input %v3
%gid = OpVariable %pin Input
%arr = OpTypeRuntimeArray %u32
%st = OpTypeStruct %arr
%pst = OpTypePointer StorageBuffer %st
%buf = OpVariable %pst StorageBuffer
%pu = OpTypePointer StorageBuffer %u32
%c0 = OpConstant %u32 0
%more = OpConstant %u64 )";
  const std::string rest = R"(
%main = OpFunction %void None %fn
%l = OpLabel
%g = OpLoad %v3 %gid
%x = OpCompositeExtract %u32 %g 0
%y = OpUConvert %u64 %x
%z = OpIAdd %u64 %y %more
%p = OpAccessChain %pu %buf %c0 %z
OpStore %p %x
OpReturn
OpFunctionEnd
)";
  const auto words = spirv::assemble(head + added + rest);
  EXPECT_TRUE(words) << words.error().message;
  const auto form = spirv::canonical(*words, {});
  EXPECT_TRUE(form) << form.error().message;
  EXPECT_TRUE(spirv::validate(*form));
  const auto program =
      spirv::Program::open(*form, {.groups = {1, 1, 1}, .buffers = {{.bytes = 4096, .words = {}}}});
  EXPECT_TRUE(program);
  const spirv::Bounds bounds(**program);
  return std::ranges::count(bounds.all(), false, &spirv::IndexUse::proven);
}

TEST(IndexWidth, LongsKeepTheirUpperHalf) {
  EXPECT_EQ(checked_of_long("0"), 0);
  EXPECT_EQ(checked_of_long("960"), 0);
  EXPECT_EQ(checked_of_long("961"), 1);
  EXPECT_EQ(checked_of_long("4294967296"), 1) << "2^32";
  EXPECT_EQ(checked_of_long("18446744073709551613"), 1) << "-3";
}

// Lavapipe runs kernels in this process: a byte that is negative must not leave the array.
TEST(IndexWidth, IsKeptInsideWhereBytesReachEverywhere) {
  for (const char* type : {"int8_t", "uint8_t"}) {
    spirv::Module module =
        test::module(std::string("#version 450\n"
                                 "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                                 "shared uint s[256];\n"
                                 "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
                                 "void main() { s[") +
                     type + "(data[0])] = 1u; }\n");
    EXPECT_EQ(spirv::keep_inside(module, {}), "");
    const auto valid = spirv::validate(spirv::write(module));
    EXPECT_TRUE(valid) << valid.error().message;
    std::ptrdiff_t selects = 0;
    for (const spirv::Block& block : module.functions.front().blocks) {
      selects += std::ranges::count(block.body, spv::Op::OpSelect, &spirv::Instruction::op);
    }
    EXPECT_EQ(selects, 1) << type;
  }
}

}  // namespace
