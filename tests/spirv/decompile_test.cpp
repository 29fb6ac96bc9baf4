// Modules without source text as GLSL: which line each instruction has.
#include "spirv/decompile/decompile.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <spirv-tools/optimizer.hpp>

#include "core/base/lines.h"
#include "spirv/compile.h"
#include "spirv/module/assemble.h"
#include "spirv/module/canonical.h"

namespace {

constexpr const char* kLoops = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 1, binding = 3) buffer B { float b[]; };
layout(push_constant) uniform P { uint n; uint k; } p;
layout(constant_id = 3) const uint kStep = 16;
shared float s[64];
shared uint count;
float twice(uint i, inout float sum) {
  if (i == 3u) return 0.0;
  sum += a[i];
  return sum * 2.0;
}
void main() {
  const uint l = gl_LocalInvocationID.x;
  float sum = 0.0;
  for (uint i = 0; i < p.n; i += kStep) {
    s[l] = a[i + l];
    barrier();
    for (uint j = 0; j < 16; ++j) sum += s[j] * s[63 - j];
    barrier();
  }
  uint w = 1;
  while (w < p.k) {
    w <<= 1;
    if (s[w] > 3.0) break;
    if (s[w] < 1.0) continue;
    s[w] = 0.0;
  }
  do {
    w--;
    s[w] = sum;
  } while (w > 0 && s[w] == 1.0);
  switch (p.k) {
    case 1: b[1] = 3.0; break;
    case 2: b[2] = 4.0;
    default: b[3] = twice(w, sum);
  }
  memoryBarrierShared();
  barrier();
  for (;;) {
    if (atomicAdd(count, 1u) > 64u) break;
  }
  b[l] = s[l] > 0.0 ? sum : a[l];
}
)";

spirv::Words without_debug_text(const spirv::Words& words) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  optimizer.RegisterPass(spvtools::CreateStripDebugInfoPass());
  spirv::Words result;
  EXPECT_TRUE(optimizer.Run(words.data(), words.size(), &result));
  return result;
}

// An access to memory, or a barrier: what its line must have.
struct Expectation {
  std::string opcode, text, line;
};

std::vector<Expectation> expectations(const spirv::Words& words, const std::string& glsl) {
  const auto module = spirv::parse(words);
  EXPECT_TRUE(module);
  const spirv::Definitions definitions(*module);
  const std::vector<std::string> lines = core::lines_of(glsl);
  std::vector<Expectation> all;
  for (const spirv::Function& function : module->functions) {
    for (const spirv::Block& block : function.blocks) {
      for (const spirv::Instruction& i : block.body) {
        const std::string line =
            i.at.line > 0 && i.at.line <= lines.size() ? lines[i.at.line - 1] : "no line";
        spirv::Id base = i.word(0);
        while (definitions.op(base) == spv::Op::OpAccessChain) {
          base = definitions.of(base).word(0);
        }
        const bool memory =
            definitions.op(base) == spv::Op::OpVariable &&
            definitions.of(base).word(0) != static_cast<std::uint32_t>(spv::StorageClass::Function);
        const std::string name = definitions.name(base);
        if (i.op == spv::Op::OpControlBarrier) {
          all.push_back({"barrier", "    barrier();", "    " + line});
        } else if (memory && !name.empty() && i.op == spv::Op::OpLoad) {
          all.push_back({"load", name, line});
        } else if (memory && !name.empty() && i.op == spv::Op::OpStore) {
          all.push_back({"store", name, line.substr(0, line.find(" = "))});
        } else if (i.op == spv::Op::OpAtomicIAdd) {
          all.push_back({"atomic", "atomicAdd(" + name, line});
        }
      }
    }
  }
  return all;
}

void expect_lines(const spirv::Words& stripped, std::size_t accesses) {
  const spirv::Words named = spirv::with_names(stripped);
  const auto listing = spirv::decompile(named);
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_EQ(listing->text.find("#line"), std::string::npos) << listing->text;
  const spirv::Words lined = spirv::with_lines(named, listing->lines, "k.spv");
  EXPECT_TRUE(spirv::validate(lined));
  const auto all = expectations(lined, listing->text);
  EXPECT_GE(all.size(), accesses);
  for (const Expectation& e : all) {
    EXPECT_NE(e.line.find(e.text), std::string::npos)
        << e.opcode << " of " << e.text << ": " << e.line << "\n"
        << listing->text;
  }
}

TEST(Decompile, AccessesAndBarriersHaveTheirStatements) {
  expect_lines(without_debug_text(test::compile(kLoops)), 20);
  expect_lines(without_debug_text(test::compile(kLoops, true)), 18);
}

TEST(Decompile, LoopsKeepTheirStatements) {
  const auto listing =
      spirv::decompile(spirv::with_names(without_debug_text(test::compile(kLoops))));
  ASSERT_TRUE(listing) << listing.error().message;
  for (const char* part :
       {"for (uint var3 = 0u; var3 < push._m0; var3 += spec3)", "for (uint var4 = 0u; var4 < 16u;",
        "while (var5 < push._m1)", "shared float shared1[64];", "shared uint shared2;",
        "layout(set = 1, binding = 3, std430) buffer Buf1_3", "float function1("}) {
    EXPECT_NE(listing->text.find(part), std::string::npos) << part << "\n" << listing->text;
  }
}

TEST(Decompile, TheChosenEntryPoint) {
  const auto words = spirv::assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %one "one"
OpEntryPoint GLCompute %two "two"
OpExecutionMode %one LocalSize 1 1 1
OpExecutionMode %two LocalSize 8 1 1
%void = OpTypeVoid
%type = OpTypeFunction %void
%one = OpFunction %void None %type
%first = OpLabel
OpReturn
OpFunctionEnd
%two = OpFunction %void None %type
%second = OpLabel
OpReturn
OpFunctionEnd
)");
  ASSERT_TRUE(words) << words.error().message;
  const auto first = spirv::decompile(*words);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_NE(first->text.find("local_size_x = 1,"), std::string::npos) << first->text;
  const auto second = spirv::decompile(*words, "two");
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_NE(second->text.find("local_size_x = 8,"), std::string::npos) << second->text;
  EXPECT_FALSE(spirv::decompile(*words, "three"));
}

// SPIRV-Cross does not know kernels of OpenCL.
TEST(Decompile, AModuleThatCannotBecomeGlslIsAnError) {
  const auto words = spirv::assemble(R"(OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main"
%void = OpTypeVoid
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%label = OpLabel
OpReturn
OpFunctionEnd
)");
  ASSERT_TRUE(words) << words.error().message;
  EXPECT_FALSE(spirv::decompile(*words));
}

}  // namespace
