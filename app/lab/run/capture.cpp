#include "lab/run/capture.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "lab/plan/kernel_module.h"
#include "lab/ready/launched_like.h"
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

core::LaunchedLike compared(Workbench& bench, const core::Result& beside, Setup& first,
                            Setup& setup) {
  core::LaunchedLike like{.experiment = beside.experiment, .source = beside.variant.source};
  if (!first.divergent().empty() || !setup.divergent().empty()) {
    like.error =
        core::Error{.fault = core::Fault::usage, .message = "one of the kernels was not run"};
    return like;
  }
  auto outputs = compare_setups(bench, first, setup, [](std::uint64_t) { return true; });
  if (outputs) {
    like.outputs = std::move(*outputs);
  } else {
    like.error = outputs.error();
  }
  return like;
}

}  // namespace

core::Expected<core::Result> capture(Workbench& bench, const core::Catalogue& catalogue,
                                     const std::filesystem::path& shaders, const core::Scene& scene,
                                     const CaptureOptions& options) {
  const auto variant = TRY(find_kernel(catalogue, scene.experiment.variant));
  constexpr double kDispatchBudgetMs = 500.0;
  std::unique_ptr<Setup> first;
  if (options.like != nullptr) {
    first = TRY(bench.set_up(options.like->variant, options.like->experiment, kDispatchBudgetMs));
  }
  auto setup = TRY(bench.set_up(variant, scene.experiment, kDispatchBudgetMs, first.get()));
  std::shared_ptr<const core::LaunchedLike> like;
  if (first) {
    like =
        std::make_shared<const core::LaunchedLike>(compared(bench, *options.like, *first, *setup));
    first.reset();
  }
  const bool compares = options.needs.contains(Step::ladder);
  StepOptions own{.steps = options.needs,
                  .measure = compares ? thorough(bench.info()) : options.measure,
                  .launch = scene.view.launch,
                  .workgroup = looked_into(*setup, scene.view, options),
                  .check_ms = options.check_ms,
                  .simulated = scene.step,
                  .moment_every = options.moment_every,
                  .moment = options.moment,
                  .suits = options.suits};
  own.steps.insert({Step::verify, Step::measure, Step::fields, Step::check, Step::simulate});
  if (options.ladder) {
    own.steps.insert(Step::ladder);
  }
  auto result = make_result(bench, {catalogue, shaders}, *setup, own);
  if (result) {
    result->like = std::move(like);
  }
  return result;
}

}  // namespace lab
