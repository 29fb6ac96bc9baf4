#include <fmt/format.h>

#include "cli/command.h"
#include "cli/result_json.h"
#include "lab/measure.h"

namespace cli {
namespace {

void print_text(const core::Result& r) {
  const core::TileMap& t = r.tiles;
  const glm::uvec3 g = t.groups();
  fmt::print("{} {}{}, on {}{}\n", r.variant.id(), core::to_string(r.experiment.size),
             r.experiment.tile == 0 ? "" : fmt::format(", tile {}", r.experiment.tile),
             r.device.name, r.device.emulated() ? " (emulated)" : "");
  for (const auto& [number, kind] : r.experiment.barriers) {
    fmt::print("  barrier {}: {}\n", number, core::to_string(kind));
  }
  if (r.refused()) {
    for (const core::Finding& f : r.facts->divergent) {
      fmt::print("  refused: {}\n", f.sentence());
    }
    return;
  }
  fmt::print("  {}: max error {:.3g} (tolerance {:.3g}), {}\n",
             r.check.correct ? "correct" : "WRONG", r.check.max_error, r.check.tolerance,
             r.check.method);
  if (!r.check.correct) {
    fmt::print("  worst: {}\n", r.check.worst);
  }
  const core::Spread& s = r.timing.spread;
  fmt::print("  measured: median {:.4f} ms, p5 {:.4f}, p95 {:.4f}; {} samples after {} warm-up{}\n",
             s.median, s.p5, s.p95, s.count, r.timing.warm_up,
             r.sliced ? fmt::format(", {} slices each", r.timing.slices) : "");
  fmt::print("  {:.1f} GFLOP/s, {:.1f} GB/s; compile {:.1f} ms, upload {:.1f} ms (wall clock)\n",
             r.gflops(), r.gbps(), r.timing.compile_ms, r.timing.upload_ms);
  fmt::print(
      "  tiles: {}×{}×{} of {}×{}×{}; {} of {} invocations useful ({:.1f}%)\n", g.x, g.y, g.z,
      t.local_size.x, t.local_size.y, t.local_size.z, t.useful_invocations(), t.invocations(),
      100.0 * static_cast<double>(t.useful_invocations()) / static_cast<double>(t.invocations()));
}

struct RunFlags {
  Common common;
  ExperimentFlags experiment;
  std::uint32_t repeat = 0;
};

Outcome run(const RunFlags& flags) {
  const auto chosen = choose(flags.experiment);
  if (!chosen) {
    return std::unexpected(chosen.error());
  }
  const auto bench = open_bench(flags.common, chosen->experiment.device);
  if (!bench) {
    return std::unexpected(bench.error());
  }
  const auto result = lab::run_experiment(*bench->workbench, chosen->variant, chosen->experiment,
                                          {.repeat = flags.repeat});
  if (!result) {
    return std::unexpected(result.error());
  }
  if (flags.common.json) {
    print(to_json(*result));
  } else {
    print_text(*result);
  }
  return result->check.correct && bench->silent() ? ok : findings;
}

}  // namespace

void add_run(CLI::App& app) {
  auto flags = std::make_shared<RunFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  CLI::App* command = add_command(app, "run", "Run a variant, check its answer and time it", common,
                                  [flags] { return run(*flags); });
  command->add_option("VARIANT", flags->experiment.variant, "such as matmul/tiled")->required();
  flags->experiment.add_to(*command);
  command->add_option("--repeat", flags->repeat, "samples; as many as fit 1.5 s when left out")
      ->check(CLI::Range(1, 100000));
}

}  // namespace cli
