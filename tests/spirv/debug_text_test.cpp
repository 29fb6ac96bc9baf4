// Texts for modules without debug information: their assembly's lines, and names for variables.
#include "spirv/module/debug_text.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <spirv-tools/optimizer.hpp>

#include "spirv/compile.h"
#include "spirv/module/assemble.h"
#include "spirv/module/canonical.h"

namespace {

constexpr const char* kRacy = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 1, binding = 3) buffer O { float o[]; };
layout(set = 0, binding = 0, r32ui) uniform uimage2D picture;
shared float s[64];
shared uint count;
void main() {
  const uint i = gl_LocalInvocationID.x;
  s[i] = float(i);
  if (i == 0u) { count = 1u; imageStore(picture, ivec2(0), uvec4(count)); }
  o[i] = s[63u - i] + float(count);
}
)";

spirv::Words stripped(const spirv::Words& words) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  optimizer.RegisterPass(spvtools::CreateStripDebugInfoPass());
  spirv::Words result;
  EXPECT_TRUE(optimizer.Run(words.data(), words.size(), &result));
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(DebugText, InstructionsHaveTheLinesOfTheAssembly) {
  const spirv::Words words = stripped(test::compile(kRacy));
  ASSERT_FALSE(spirv::has_lines(words));
  const std::string text = spirv::disassemble(words);
  const spirv::Words lined =
      spirv::with_lines(words, spirv::assembly_listing(words, text).lines, "k.spv");
  EXPECT_TRUE(spirv::has_lines(lined));
  EXPECT_TRUE(spirv::validate(lined));
  const auto module = spirv::parse(lined);
  ASSERT_TRUE(module);
  const std::vector<std::string> lines = lines_of(text);
  std::size_t seen = 0;
  for (const spirv::Block& block : module->functions[0].blocks) {
    for (const spirv::Instruction& i : block.body) {
      const bool store = i.op == spv::Op::OpStore;
      const bool branch = i.op == spv::Op::OpBranchConditional;
      if (store || branch) {
        ASSERT_LE(i.at.line, lines.size());
        EXPECT_NE(lines[i.at.line - 1].find(store ? "OpStore" : "OpBranchConditional"),
                  std::string::npos)
            << lines[i.at.line - 1];
        ++seen;
      }
    }
  }
  EXPECT_GE(seen, 4U);
}

TEST(DebugText, AnAssemblyWithCommentsAndTextsOverSeveralLines) {
  const std::string text = R"(; a comment
OpCapability Shader

OpMemoryModel Logical GLSL450  ; "
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpSource GLSL 450
OpName %main "an
OpName within a name"
%void = OpTypeVoid
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%label = OpLabel
OpReturn
OpFunctionEnd
)";
  const auto words = spirv::assemble(text);
  ASSERT_TRUE(words) << words.error().message;
  const auto module = spirv::parse(
      spirv::with_lines(*words, spirv::assembly_listing(*words, text).lines, "k.spvasm"));
  ASSERT_TRUE(module);
  EXPECT_EQ(module->functions[0].blocks[0].terminator().at.line, 14U);
}

TEST(DebugText, VariablesWithoutNamesHaveTheirPlaceOrNumberAndType) {
  const auto module = spirv::parse(spirv::with_names(stripped(test::compile(kRacy))));
  ASSERT_TRUE(module);
  const spirv::Definitions definitions(*module);
  std::vector<std::string> names;
  for (const spirv::Instruction& i : module->preamble) {
    if (i.op == spv::Op::OpVariable && !definitions.name(i.result).empty()) {
      names.push_back(definitions.name(i.result));
    }
  }
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"buf1_3", "image0_0", "shared1", "shared2"}));
  const spirv::Words named = test::compile(kRacy);
  EXPECT_EQ(spirv::with_names(named), named);
}

TEST(DebugText, SourcesThatAModuleHolds) {
  const auto words = spirv::assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%included = OpString "included.glsl"
%file = OpString "kernel.comp"
OpSource GLSL 450 %included "int f();"
OpSource GLSL 450 %file "// OpModuleProcessed entry-point main
#line 1
#version 450
void main() {"
OpSourceContinued "}"
%void = OpTypeVoid
%type = OpTypeFunction %void
OpLine %file 2 0
%main = OpFunction %void None %type
%label = OpLabel
OpReturn
OpFunctionEnd
)");
  ASSERT_TRUE(words) << words.error().message;
  const auto sources = spirv::embedded_sources(*words);
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0], (core::SourceFile{"kernel.comp", "#version 450\nvoid main() {}"}));
  EXPECT_EQ(sources[1], (core::SourceFile{"included.glsl", "int f();"}));
}

}  // namespace
