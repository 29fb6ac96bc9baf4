// Kernels on cooperative matrices through everything that reads and edits modules; no device has to
// have them.
#include <algorithm>

#include <gtest/gtest.h>

#include "gpu/compiler.h"
#include "lab/plan/kernel_module.h"
#include "lab/plan/plan.h"
#include "lab/ready/catalogue_files.h"
#include "spirv/analysis/examination.h"
#include "spirv/module/canonical.h"
#include "spirv/probes/race/race_probe.h"
#include "spirv/probes/timeline_probe.h"
#include "spirv/reflection/cooperative_matrix.h"

namespace {

std::ptrdiff_t products(const spirv::Words& words) {
  std::ptrdiff_t count = 0;
  const auto module = spirv::parse(words).value();
  for (const spirv::Function& function : module.functions) {
    for (const spirv::Block& block : function.blocks) {
      count += std::ranges::count(block.body, spv::Op::OpCooperativeMatrixMulAddNV,
                                  &spirv::Instruction::op);
    }
  }
  return count;
}

core::Variant variant_of(const std::string& file) {
  return lab::read_variant(lab::find_shaders().value() / "matmul" / file);
}

core::Expected<lab::Plan> plan_of(const core::Variant& variant, std::uint32_t tile) {
  core::Experiment experiment;
  experiment.variant = variant.id();
  experiment.size = {64, 48, 80};
  experiment.tile = tile;
  const auto problem = variant.work->resolve(experiment.size, {}, 1);
  auto planned = lab::plan_variant(variant, experiment, *problem);
  return planned ? core::Expected<lab::Plan>(std::move(planned->front().plan))
                 : std::unexpected(planned.error());
}

// As a device with them is given it: anything else would be compiled the slow way, or not at all.
TEST(CooperativeMatrices, OfBothKindsCanBeSaidTheKhrWay) {
  for (const std::string file : {"cooperative.comp", "cooperative-bf16.comp"}) {
    const core::Variant variant = variant_of(file);
    ASSERT_FALSE(variant.broken) << variant.broken->message;
    const bool bfloat16 = variant.precision == core::Precision::bf16;
    EXPECT_EQ(bfloat16, file == "cooperative-bf16.comp");
    const auto compiled = gpu::compile({variant.source, variant.file});
    ASSERT_TRUE(compiled) << compiled.error().message;
    for (const std::uint32_t tile : variant.tile.values) {
      const auto plan = plan_of(variant, tile);
      ASSERT_TRUE(plan) << plan.error().message;
      const auto plain = lab::plain_kernel(plan->dispatch);
      ASSERT_TRUE(plain) << plain.error().message;
      EXPECT_EQ(plain->spec().bfloat16, bfloat16);
      auto module = spirv::parse(plain->words).value();
      EXPECT_TRUE(spirv::use_khr_cooperative_matrices(
          module, bfloat16 ? spirv::Halves::bfloat16 : spirv::Halves::float16))
          << file << " " << tile;
    }
  }
}

// A timeline is of the kernel that was measured, its numbers too.
TEST(CooperativeMatrices, AreStillBfloat16UnderTheTimelinesProbe) {
  const core::Variant variant = variant_of("cooperative-bf16.comp");
  const auto compiled = gpu::compile({variant.source, variant.file});
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto plan = plan_of(variant, 128);
  ASSERT_TRUE(plan) << plan.error().message;
  const auto examination = spirv::Examination::of(compiled->spirv, plan->dispatch.constants, {});
  ASSERT_TRUE(examination) << examination.error().message;
  const auto probe = spirv::make_timeline_probe(
      **examination, {.set = 0, .binding = 3, .rows = 8, .places = spirv::PlaceBuiltIns::nv});
  auto module = spirv::parse(probe.words).value();
  EXPECT_TRUE(spirv::use_khr_cooperative_matrices(module, spirv::Halves::bfloat16));
}

TEST(CooperativeMatrices, AreKeptByEveryEditAndNeverCalledClean) {
  const auto variant = variant_of("cooperative.comp");
  ASSERT_FALSE(variant.broken) << variant.broken->message;
  const auto compiled = gpu::compile({variant.source, variant.file});
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto plan = plan_of(variant, 128);
  ASSERT_TRUE(plan) << plan.error().message;
  const auto plain = lab::plain_kernel(plan->dispatch);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_TRUE(spirv::validate(plain->words));
  EXPECT_EQ(products(plain->words), products(compiled->spirv));
  EXPECT_EQ(plan->tiles.covers, glm::uvec3(256, 128, 1));
  EXPECT_LE(plan->shared_bytes, 48U << 10U);

  const auto examination = spirv::Examination::of(compiled->spirv, plan->dispatch.constants, {});
  ASSERT_TRUE(examination) << examination.error().message;
  EXPECT_TRUE((*examination)->uniformity.divergent_barriers().empty());
  const auto& unknown = (*examination)->sites.not_understood();
  EXPECT_TRUE(std::ranges::any_of(unknown, [](const std::string& why) {
    return why.find("a subgroup loads or stores a cooperative matrix") != std::string::npos;
  }));
  spirv::RaceProbeOptions options;
  options.shared_memory_bytes = 48U << 10U;
  options.findings_binding = 3;
  options.shadow_binding = 4;
  const auto probe = spirv::make_race_probe(**examination, options);
  ASSERT_TRUE(probe) << probe.error().message;
  const auto valid = spirv::validate(probe->words);
  EXPECT_TRUE(valid) << valid.error().message;
  EXPECT_GE(products(probe->words), products(compiled->spirv));
}

}  // namespace
