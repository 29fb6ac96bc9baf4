#include "lab/run/capture.h"

#include <algorithm>

#include "lab/ready/kernel_module.h"
#include "lab/run/steps.h"

namespace lab {
namespace {

using core::Step;

glm::uvec3 looked_into(const Setup& setup, const core::View& view, const CaptureOptions& options) {
  const auto count = static_cast<std::int64_t>(setup.tiles.group_count());
  const bool chosen = view.tile >= 0 && view.tile < count;
  return options.workgroup.value_or(
      setup.tiles.group_at(chosen ? static_cast<std::uint64_t>(view.tile) : 0));
}

}  // namespace

core::Expected<core::Result> capture(Workbench& bench, const core::Catalogue& catalogue,
                                     const std::filesystem::path& shaders, const core::Scene& scene,
                                     const CaptureOptions& options) {
  const auto variant = find_kernel(catalogue, scene.experiment.variant);
  if (!variant) {
    return std::unexpected(variant.error());
  }
  constexpr double kDispatchBudgetMs = 500.0;
  auto setup = bench.set_up(*variant, scene.experiment, kDispatchBudgetMs);
  if (!setup) {
    return std::unexpected(setup.error());
  }
  const bool compares = options.needs.contains(Step::ladder);
  StepOptions own{.steps = options.needs,
                  .measure = compares ? thorough(bench.info()) : options.measure,
                  .workgroup = looked_into(**setup, scene.view, options),
                  .check_ms = options.check_ms,
                  .simulated = scene.step,
                  .suits = options.suits};
  own.steps.insert({Step::verify, Step::measure, Step::fields, Step::check, Step::simulate});
  if (options.ladder) {
    own.steps.insert(Step::ladder);
  }
  return make_result(bench, {catalogue, shaders}, **setup, own);
}

}  // namespace lab
