#include "lab/run/check.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "cli/check_flags.h"
#include "cli/command.h"
#include "cli/report_json.h"
#include "cli/result_json.h"
#include "gpu/compiler.h"
#include "lab/ready/workbench.h"
#include "lab/run/barrier_trials.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

struct CheckFlags {
  Common common;
  ExperimentFlags experiment;
  std::string groups;
  std::vector<std::string> buffers;
  std::string push;
  std::vector<std::string> constants;
  std::string tiles;
  bool time = false;
  bool experiments = false;

  [[nodiscard]] bool is_file() const {
    const std::filesystem::path path = experiment.variant;
    return path.extension() == ".comp" || path.extension() == ".spv" ||
           std::filesystem::is_regular_file(path);
  }
};

core::Expected<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || !std::filesystem::is_regular_file(path)) {
    return core::usage_error(fmt::format("{} can't be read", path.string()));
  }
  return text.str();
}

core::Expected<void> load_file(const std::filesystem::path& path, lab::CheckRequest& request) {
  const auto text = read_file(path);
  if (!text) {
    return std::unexpected(text.error());
  }
  request.kernel = path.string();
  if (path.extension() == ".spv") {
    request.spirv.resize(text->size() / 4);
    std::memcpy(request.spirv.data(), text->data(), request.spirv.size() * 4);
    return {};
  }
  auto compiled = gpu::compile({*text, path}, {.language = gpu::language_of(path)});
  if (!compiled) {
    return std::unexpected(compiled.error());
  }
  request.spirv = std::move(compiled->spirv);
  return {};
}

// A variant brings its buffers, sizes and constants along.
core::Expected<std::vector<lab::CheckRequest>> load_variant(lab::Workbench& bench,
                                                            const CheckFlags& flags) {
  const auto chosen = choose(flags.experiment);
  if (!chosen) {
    return std::unexpected(chosen.error());
  }
  const auto setup = bench.set_up(chosen->variant, chosen->experiment, 1e9);
  if (!setup) {
    return std::unexpected(setup.error());
  }
  const bool other = !flags.groups.empty() || !flags.push.empty() || !flags.buffers.empty() ||
                     !flags.constants.empty();
  if (other && (*setup)->launches.size() > 1) {
    return core::usage_error(
        fmt::format("{} is {} launches: --groups, --push, --buffer and --spec are for one",
                    chosen->variant.id(), (*setup)->launches.size()));
  }
  return lab::describe_check(**setup);
}

core::Expected<void> read_flags(const CheckFlags& flags, lab::CheckRequest& request) {
  request.seed = flags.experiment.seed;
  request.measure = flags.time;
  if (!flags.groups.empty()) {
    if (const auto ok = read_groups(flags.groups, request); !ok) {
      return ok;
    }
    request.launched = {};
  }
  if (!flags.push.empty()) {
    request.push_constants.clear();
    if (const auto ok = read_push(flags.push, request); !ok) {
      return ok;
    }
  }
  for (const std::string& buffer : flags.buffers) {
    if (const auto ok = read_buffer(buffer, request); !ok) {
      return ok;
    }
  }
  for (const std::string& constant : flags.constants) {
    if (const auto ok = read_constant(constant, request); !ok) {
      return ok;
    }
  }
  const auto experiment = flags.experiment.experiment();
  if (!experiment) {
    return std::unexpected(experiment.error());
  }
  if (flags.is_file()) {
    request.barriers = experiment->barriers;  // a variant has taken its own
  }
  return read_tiles(flags.tiles, request);
}

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
  lab::CheckRequest loaded_file;
  const std::filesystem::path path = flags.experiment.variant;
  const bool file = flags.is_file();
  // What is wrong with the call or the source is said before a device is asked for.
  if (file) {
    if (const auto loaded = load_file(path, loaded_file); !loaded) {
      return std::unexpected(loaded.error());
    }
  }
  if (lab::CheckRequest probe; !read_flags(flags, probe)) {
    return std::unexpected(read_flags(flags, probe).error());
  }
  // A stranger's kernel may index anything; ours are tested.
  const auto bench = open_bench(flags.common, flags.experiment.device, {.robust = file});
  if (!bench) {
    return std::unexpected(bench.error());
  }
  // It may keep a variant's buffers: the device goes after it.
  std::vector<lab::CheckRequest> launches{std::move(loaded_file)};
  if (!file) {
    auto loaded = load_variant(*bench->workbench, flags);
    if (!loaded) {
      return std::unexpected(loaded.error());
    }
    launches = std::move(*loaded);
  }
  for (lab::CheckRequest& request : launches) {
    if (const auto read = read_flags(flags, request); !read) {
      return std::unexpected(read.error());
    }
  }
  auto report = lab::check(bench->workbench->device(), launches);
  if (!report) {
    return std::unexpected(report.error());
  }
  report->kernel = path.string();
  if (flags.common.json) {
    print(to_json(*report));
  } else {
    print_text(*report);
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
  arguments.option("KERNEL", flags->experiment.variant, "FILE.comp, FILE.spv or a variant")
      .required();
  flags->experiment.add_to(arguments);
  arguments.option("--groups", flags->groups, "workgroups of the launch, X,Y,Z");
  arguments.option("--buffer", flags->buffers,
                   "SET.BINDING=BYTES[:zero|iota|random]; iota when left out");
  arguments.option("--push", flags->push, "push constants, 32-bit words");
  arguments.option("--spec", flags->constants, "ID=VALUE: a specialization constant");
  arguments.option("--tiles", flags->tiles,
                   "all, or check only the first so many workgroups of a launch");
  arguments.flag("--experiments", flags->experiments,
                 "of a variant: every barrier as every kind, checked and timed");
  arguments.flag("--time", flags->time, "time the plain and the checked launch");
}

}  // namespace cli
