#include "spirv/analysis/examination.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "spirv/analysis/values/loop_bounds.h"
#include "spirv/compile.h"
#include "spirv/module/canonical.h"
#include "spirv/probes/race/race_probe.h"
#include "spirv/probes/timeline_probe.h"

namespace {

const std::string tiled = R"(#version 450
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
    for (uint k = 0; k < 16; ++k) sum += tile[y][k] * tile[k][x];
    barrier();
  }
  c[gl_GlobalInvocationID.y * n + gl_GlobalInvocationID.x] = sum;
}
)";

std::unique_ptr<spirv::Examination> examine(const std::string& source,
                                            const spirv::BarrierEdits& edits = {}) {
  auto result = spirv::Examination::of(test::compile(source), {}, edits);
  EXPECT_TRUE(result) << result.error().message;
  return std::move(*result);
}

TEST(Examination, TilesAreProven) {
  const auto x = examine(tiled);
  EXPECT_TRUE(x->uniformity.divergent_barriers().empty());
  EXPECT_EQ(x->phases.openings().size(), 3U);
  EXPECT_EQ(x->sites.all().size(), 3U);
  EXPECT_EQ(x->proofs.proven_sites(), 3U);
  EXPECT_TRUE(x->proofs.open().empty());
  for (const spirv::Site& site : x->sites.all()) {
    for (const spirv::IndexTerm& term : site.terms) {
      EXPECT_TRUE(x->proofs.in_bounds(site, term));
    }
  }
}

TEST(Examination, HazardsFollowTheMissingBarrier) {
  const auto first = examine(tiled, {{1, spirv::BarrierKind::off}});
  ASSERT_EQ(first->proofs.open().size(), 2U);
  EXPECT_EQ(first->proofs.open()[0].hazard, core::Hazard::read_after_write);
  const auto second = examine(tiled, {{2, spirv::BarrierKind::off}});
  ASSERT_EQ(second->proofs.open().size(), 2U);
  EXPECT_EQ(second->proofs.open()[0].hazard, core::Hazard::write_after_read);
  EXPECT_TRUE(examine(tiled, {{1, spirv::BarrierKind::shared}})->proofs.open().empty());
  EXPECT_FALSE(examine(tiled, {{1, spirv::BarrierKind::global}})->proofs.open().empty());
}

TEST(Examination, LinesAreTheSources) {
  const auto x = examine(tiled);
  EXPECT_EQ(x->sites.all()[0].at.line, 11U);
  EXPECT_EQ(x->sites.all()[1].at.line, 13U);
  EXPECT_EQ(x->program.file(x->sites.all()[0].at), "kernel.comp");
}

// Optimized modules come without names and in another shape, and mean the same.
TEST(Examination, OptimizedModulesAreProvenToo) {
  const auto x = spirv::Examination::of(test::compile(tiled, true), {});
  ASSERT_TRUE(x) << x.error().message;
  EXPECT_TRUE((*x)->proofs.open().empty());
  EXPECT_TRUE((*x)->uniformity.divergent_barriers().empty());
}

TEST(RaceProbe, IsValidInEveryForm) {
  for (const bool in_buffer : {false, true}) {
    for (const bool optimized : {false, true}) {
      auto x = spirv::Examination::of(test::compile(tiled, optimized), {},
                                      {{1, spirv::BarrierKind::off}});
      ASSERT_TRUE(x);
      const auto bounded = spirv::bound_loops(**x, {});
      ASSERT_TRUE(bounded) << bounded.error().message;
      EXPECT_EQ(bounded->loops.size(), 1U);  // the inner one is counted to 16
      auto again = spirv::Examination::of_canonical(bounded->words);
      ASSERT_TRUE(again);
      spirv::RaceProbeOptions options;
      options.shadow_in_buffer = in_buffer;
      options.findings_binding = 2;
      options.shadow_binding = 3;
      options.loops = 1;
      const auto probe = spirv::make_race_probe(**again, options);
      ASSERT_TRUE(probe);
      EXPECT_EQ(probe->shadow_in_buffer, in_buffer);
      const auto valid = spirv::validate(probe->words);
      EXPECT_TRUE(valid) << valid.error().message;
    }
  }
}

TEST(RaceProbe, IsIdleWhereAllIsKnown) {
  const std::string source = R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer C { float c[]; };
layout(push_constant) uniform Push { uint n; };
shared float tile[16];
void main() {
  uint x = gl_LocalInvocationID.x;
  tile[x] = x;
  barrier();
  if (x < n) c[gl_GlobalInvocationID.x] = tile[15 - x];
}
)";
  const auto idle = [&](std::uint32_t n, std::uint64_t bytes, bool bounds,
                        const spirv::BarrierEdits& edits) {
    const auto once = spirv::Examination::of(test::compile(source), {}, edits);
    EXPECT_TRUE(once);
    const auto x = spirv::Examination::of_canonical(
        spirv::write((*once)->program.module),
        {.groups = {4, 1, 1}, .push_constants = {n}, .buffers = {{.bytes = bytes, .words = {}}}});
    EXPECT_TRUE(x);
    spirv::RaceProbeOptions options;
    options.findings_binding = 1;
    options.bounds = bounds;
    options.arithmetic = false;  // what floats come out is not known
    return spirv::make_race_probe(**x, options)->idle;
  };
  EXPECT_TRUE(idle(16, 256, true, {}));
  EXPECT_FALSE(idle(16, 256, true, {{1, spirv::BarrierKind::off}}));
  EXPECT_FALSE(idle(16, 252, true, {}));   // an index may be outside
  EXPECT_FALSE(idle(16, 252, false, {}));  // and is kept inside, told of or not
}

// Else sums in registers lie in memory: some drivers leave loops alone beside a probe.
TEST(RaceProbe, UnrollsWhatTheTextAsksFor) {
  std::string source = tiled;
  source.insert(source.find("for (uint k"), "[[unroll]] ");
  source.insert(source.find("layout("), "#extension GL_EXT_control_flow_attributes : require\n");
  const auto loops = [&] {
    auto x = spirv::Examination::of(test::compile(source), {});
    EXPECT_TRUE(x);
    spirv::RaceProbeOptions options;
    options.findings_binding = 2;
    const auto probe = spirv::make_race_probe(**x, options);
    EXPECT_TRUE(probe);
    const auto module = spirv::parse(probe->words);
    std::size_t count = 0;
    for (const spirv::Function& function : module->functions) {
      for (const spirv::Block& block : function.blocks) {
        count += static_cast<std::size_t>(
            std::ranges::count_if(block.body, [](const spirv::Instruction& i) {
              return i.op == spv::Op::OpLoopMerge && (i.word(2) & 1U) != 0;
            }));
      }
    }
    return count;
  };
  EXPECT_EQ(loops(), 0U);
}

// Of a damaged module: the product of its lengths is 0 in 64 bits, or one of them is.
TEST(Examination, AWorkgroupHasOneInvocationAtLeast) {
  for (const std::array<std::uint32_t, 3>& size :
       {std::array<std::uint32_t, 3>{0, 8, 8}, {1U << 31U, 1U << 31U, 4}}) {
    spirv::Module module = test::module(R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
shared uint s[64];
void main() { s[b[0]] = 1; barrier(); b[1] = s[b[2]]; })");
    for (spirv::Instruction& i : module.preamble) {
      for (std::size_t d = 0; d < 3 && i.op == spv::Op::OpExecutionMode; ++d) {
        i.operands[2 + d].word = size[d];
      }
    }
    const auto x = spirv::Examination::of(spirv::write(module), {});
    if (!x) {  // newer validators see it
      EXPECT_NE(x.error().message.find("not valid"), std::string::npos) << x.error().message;
      continue;
    }
    EXPECT_GE((*x)->program.invocations(), 1U);
    spirv::RaceProbeOptions options;
    options.initialization = true;
    EXPECT_TRUE(spirv::make_race_probe(**x, options));
  }
}

TEST(Examination, NotSpirv) {
  EXPECT_FALSE(spirv::Examination::of(std::vector<std::uint32_t>{1, 2, 3}, {}));
  EXPECT_FALSE(spirv::Examination::of(test::compile(tiled), {}, {{9, spirv::BarrierKind::off}}));
}

// An index that is known to lie in front of an array, once functions are put in their places: newer
// validators refuse it as a constant.
TEST(Examination, ATimelineHasNoNegativeConstantAsIndex) {
  const auto x = examine(R"(#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer D { uint d[]; };
shared uint cells[8];
int before(int i) { return i - 1; }
void main() {
  cells[before(0)] = 1u;
  barrier();
  d[gl_LocalInvocationIndex] = cells[before(-4)];
}
)");
  const auto timed = spirv::make_timeline_probe(*x, {.binding = 9, .rows = 8});
  EXPECT_TRUE(spirv::validate(timed.words)) << spirv::validate(timed.words).error().message;
  const auto module = spirv::parse(timed.words);
  ASSERT_TRUE(module);
  const spirv::Definitions definitions(*module);
  std::size_t outside = 0;
  for (const spirv::Function& function : module->functions) {
    for (const spirv::Block& block : function.blocks) {
      for (const spirv::Instruction& i : block.body) {
        const bool chain = i.op == spv::Op::OpAccessChain;
        for (std::size_t k = 1; chain && k < i.operands.size(); ++k) {
          const spirv::Instruction& index = definitions.of(i.word(k));
          if (index.op == spv::Op::OpConstant && index.word(0) >> 31U != 0) {
            ++outside;
            EXPECT_EQ(definitions.of(index.type).word(1), 0U) << "it has a sign";
          }
        }
      }
    }
  }
  EXPECT_EQ(outside, 2U);
}

}  // namespace
