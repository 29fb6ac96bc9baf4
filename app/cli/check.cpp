#include "lab/run/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/report_json.h"
#include "cli/result_json.h"
#include "lab/ready/workbench.h"
#include "lab/run/barrier_trials.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kWhole = 1e9;  // ms: launches go as one dispatch

struct CheckFlags {
  Common common;
  ExperimentFlags experiment;
  std::string save;
  std::string tiles;
  bool time = false;
  bool experiments = false;
};

void print_text(const core::CheckReport& r) {
  fmt::print("{} on {}: {}\n", r.kernel, r.device, core::to_string(r.verdict));
  fmt::print("  {} of {} workgroups; {} accesses to shared memory: {} proven, {} checked\n",
             r.workgroups_checked, r.workgroups, r.accesses, r.accesses_proven, r.accesses_checked);
  for (const core::Finding& f : r.findings) {
    fmt::print("  {}{}\n", f.note ? "note: " : "", f.sentence());
  }
  for (const std::string& why : r.incomplete) {
    fmt::print("  incomplete: {}\n", why);
  }
  if (r.plain_ms > 0.0) {
    fmt::print("  measured: plain {:.4f} ms, checked {:.4f} ms: {:.2f}×\n", r.plain_ms,
               r.checked_ms, r.checked_ms / r.plain_ms);
  }
}

int status_of_verdict(const core::CheckReport& report) {
  if (!report.findings.empty()) {
    return findings;
  }
  switch (report.verdict) {
    case core::Verdict::clean:
      return ok;
    case core::Verdict::incomplete:
      return unavailable;
    default:
      return findings;
  }
}

std::string row_name(const core::BarrierTrial& trial) {
  if (!trial.kind) {
    return "as written";
  }
  return fmt::format("{}={}", trial.barrier == 0 ? "all" : std::to_string(trial.barrier),
                     core::to_string(*trial.kind));
}

void print_trial(const core::BarrierTrial& trial) {
  const auto relative = trial.relative();
  fmt::print("  {:<18}{:<12}{:<16}{:>12}{:>9}  {}\n", row_name(trial), trial.verdict(),
             trial.hazards(),
             trial.spread.count > 0 ? fmt::format("{:.4f} ms", trial.spread.median) : "-",
             relative ? fmt::format("{:.2f}×", *relative) : "", trial.impossible);
}

Json trial_json(const core::BarrierTrial& trial) {
  const auto relative = trial.relative();
  const auto empty = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"barrier", !trial.kind          ? Json()
                      : trial.barrier == 0 ? Json("all")
                                           : Json(trial.barrier)},
          {"kind", trial.kind ? Json(core::to_string(*trial.kind)) : Json()},
          {"verdict", empty(trial.verdict())},
          {"hazards", empty(trial.hazards())},
          {"ms", trial.spread.count > 0 ? to_json(trial.spread) : Json()},
          {"written_ms", trial.written.count > 0 ? to_json(trial.written) : Json()},
          {"relative", relative ? Json(*relative) : Json()},
          {"error", empty(trial.impossible)}};
}

void print_trials(const lab::Workbench& bench, const core::Variant& variant,
                  const core::BarrierTrials& trials) {
  fmt::print("{} on {}: every barrier as every kind\n", variant.id(), bench.info().name);
  fmt::print("  {:<18}{:<12}{:<16}{:>12}{:>9}\n", "barrier=kind", "verdict", "hazards", "measured",
             "against");
  for (const core::BarrierTrial& trial : trials.list) {
    print_trial(trial);
  }
  for (std::uint32_t k = 1; k <= trials.barriers; ++k) {
    if (const std::string words = core::conclusion(trials, k); !words.empty()) {
      fmt::print("  barrier {} is {}\n", k, words);
    }
  }
}

// What was found is the answer, not a fault: the status is 0.
Outcome try_barriers(const CheckFlags& flags) {
  const auto chosen = choose(flags.experiment);
  if (!chosen) {
    return std::unexpected(chosen.error());
  }
  const auto bench = open_bench(flags.common, flags.experiment.device);
  if (!bench) {
    return std::unexpected(bench.error());
  }
  lab::Workbench& workbench = *bench->workbench;
  auto trials = lab::plan_trials(workbench, chosen->variant, chosen->experiment);
  if (!trials) {
    return std::unexpected(trials.error());
  }
  for (core::BarrierTrial& trial : trials->list) {
    const auto ok = lab::run_trial(
        workbench, chosen->variant, chosen->experiment, lab::trial_times(workbench.info()),
        [](std::uint64_t) { return true; }, trial);
    if (!ok) {
      return std::unexpected(ok.error());
    }
  }
  if (flags.common.json) {
    Json json{{"variant", chosen->variant.id()},
              {"device", workbench.info().name},
              {"emulated", workbench.info().emulated()},
              {"verdicts", "instrumented"},
              {"times", "measured"},
              {"trials", Json::array()},
              {"conclusions", Json::array()}};
    for (const core::BarrierTrial& trial : trials->list) {
      json["trials"].push_back(trial_json(trial));
    }
    for (std::uint32_t k = 1; k <= trials->barriers; ++k) {
      json["conclusions"].push_back(core::conclusion(*trials, k));
    }
    print(json);
  } else {
    print_trials(workbench, chosen->variant, *trials);
  }
  return bench->silent() ? ok : findings;
}

Outcome check(const CheckFlags& flags) {
  if (flags.experiments) {
    return try_barriers(flags);
  }
  // What is wrong with the call or the source is said before a device is asked for.
  const auto tiles = parse_tiles(flags.tiles);
  const auto chosen = choose(flags.experiment);
  if (!chosen || !tiles) {
    return std::unexpected(chosen ? tiles.error() : chosen.error());
  }
  const auto bench = open_bench(flags.common, flags.experiment.device, chosen->device_options());
  if (!bench) {
    return std::unexpected(bench.error());
  }
  lab::Workbench& workbench = *bench->workbench;
  const auto setup = workbench.set_up(chosen->variant, chosen->experiment, kWhole);
  if (!setup) {
    return std::unexpected(setup.error());
  }
  auto report =
      lab::check(workbench.device(), (*setup)->turns(),
                 {.tiles = *tiles, .measure = flags.time, .seed = chosen->experiment.seed});
  if (!report) {
    return std::unexpected(report.error());
  }
  report->kernel = flags.experiment.variant;
  if (flags.common.json) {
    auto json = to_json(*report);
    if (!(*setup)->chosen.empty()) {
      json["chosen"] = (*setup)->chosen;
    }
    print(json);
  } else {
    print_text(*report);
    if (!(*setup)->chosen.empty()) {
      fmt::print("  launched with {}\n", fmt::join((*setup)->chosen, " "));
    }
  }
  return status_of_verdict(*report);
}

}  // namespace

void add_check(CLI::App& app) {
  auto flags = std::make_shared<CheckFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments =
      add_command(app, "check", "Check any compute kernel for races and divergent barriers", common,
                  [flags] { return check(*flags); });
  arguments
      .option("KERNEL", flags->experiment.variant,
              "a variant, or a file: .comp, .glsl, .hlsl, .spv, .spvasm")
      .required();
  flags->experiment.add_to(arguments);
  arguments.option("--save", flags->save, "write the launch, complete, into a folder");
  arguments.option("--tiles", flags->tiles,
                   "all, or check only the first so many workgroups of a launch");
  arguments.flag("--experiments", flags->experiments,
                 "every barrier as every kind, checked and timed");
  arguments.flag("--time", flags->time, "time the plain and the checked launch");
}

}  // namespace cli
