// Kernels on cooperative matrices through everything that reads and edits modules; no device has to
// have them.
#include <algorithm>

#include <gtest/gtest.h>

#include "gpu/compiler.h"
#include "lab/catalogue_files.h"
#include "lab/kernel_plan.h"
#include "spirv/canonical.h"
#include "spirv/examination.h"
#include "spirv/race_probe.h"

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

TEST(CooperativeMatrices, AreKeptByEveryEditAndNeverCalledClean) {
  const auto variant =
      lab::read_variant(lab::find_shaders().value() / "matmul" / "cooperative.comp");
  ASSERT_FALSE(variant.broken) << variant.broken->message;
  const auto compiled = gpu::compile_glsl(variant.source, variant.file);
  ASSERT_TRUE(compiled) << compiled.error().message;
  core::Experiment experiment;
  experiment.variant = variant.id();
  experiment.size = {64, 48, 80};
  experiment.tile = 128;
  const auto problem = core::find_workload("matmul")->resolve(experiment.size, {}, 1);
  ASSERT_TRUE(problem);
  const auto plan = lab::plan_kernel(variant, experiment, *problem, compiled->spirv);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(spirv::validate(plan->words));
  EXPECT_EQ(products(plan->words), products(compiled->spirv));
  EXPECT_EQ(plan->tiles.covers, glm::uvec3(256, 128, 1));
  EXPECT_LE(plan->shared_bytes, 48U << 10U);

  const auto examination = spirv::Examination::of(compiled->spirv, plan->constants, {});
  ASSERT_TRUE(examination) << examination.error().message;
  EXPECT_TRUE((*examination)->uniformity.divergent_barriers().empty());
  const auto& unknown = (*examination)->sites.not_understood();
  EXPECT_TRUE(std::ranges::any_of(unknown, [](const std::string& why) {
    return why.find("a cooperative matrix is loaded or stored") != std::string::npos;
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
