#include "lab/run/capture.h"

#include <algorithm>

#include "lab/plan/kernel_module.h"
#include "lab/run/steps.h"

namespace lab {
namespace {

using core::Step;

glm::uvec3 looked_into(const Setup& setup, const core::View& view, const CaptureOptions& options) {
  const std::size_t launch = view.launch < setup.launches.size() ? view.launch : 0;
  const core::TileMap& tiles = setup.tiles(launch);
  const bool chosen = view.tile >= 0 && view.tile < static_cast<std::int64_t>(tiles.group_count());
  return options.workgroup.value_or(
      tiles.group_at(chosen ? static_cast<std::uint64_t>(view.tile) : 0));
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
                  .launch = scene.view.launch,
                  .workgroup = looked_into(**setup, scene.view, options),
                  .check_ms = options.check_ms,
                  .simulated = scene.step,
                  .moment_every = options.moment_every,
                  .moment = options.moment,
                  .suits = options.suits};
  own.steps.insert({Step::verify, Step::measure, Step::fields, Step::check, Step::simulate});
  if (options.ladder) {
    own.steps.insert(Step::ladder);
  }
  return make_result(bench, {catalogue, shaders}, **setup, own);
}

}  // namespace lab
