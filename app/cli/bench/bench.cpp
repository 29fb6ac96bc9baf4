#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "cli/bench/against.h"
#include "cli/bench/bench_probes.h"
#include "cli/bench/bench_tune.h"
#include "cli/bench/bench_ui.h"
#include "cli/bench/stopped.h"
#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/json/result_json.h"
#include "cli/output.h"
#include "cli/process/deadline.h"
#include "cli/process/progress.h"
#include "core/base/files.h"
#include "lab/plan/kernel_module.h"
#include "lab/ready/kernel_workload.h"
#include "lab/run/ceilings.h"
#include "lab/run/measure.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchFlags {
  Common common;
  std::vector<std::string> names;
  ExperimentFlags experiment;
  std::uint32_t repeat = 0;
  std::string csv;
  AgainstFlags against;
  bool tune = false;
};

// A workload's ladder, measured.
struct Ladder {
  core::WorkloadPtr workload;
  core::Problem problem;
  std::vector<core::Rung> rungs;
};

core::Expected<core::WorkloadPtr> workload_of(const std::string& name,
                                              const core::Catalogue& catalogue) {
  const std::string folder = name.substr(0, name.find('/'));
  auto workload = catalogue.workload(folder);
  if (!workload) {
    std::string known;
    for (const core::WorkloadPtr& w : catalogue.workloads()) {
      known += w->name() + ", ";
    }
    return core::usage_error(
        fmt::format("unknown benchmark \"{}\"; choose from {}ui, probes", name, known));
  }
  return workload;
}

// A kernel that belongs to no workload, alone.
core::Expected<Ladder> plan_file(const std::string& name, const core::Catalogue& catalogue,
                                 core::Experiment experiment) {
  const auto variant = lab::find_kernel(catalogue, name);
  const auto module = TRY(variant ? lab::load_module(*variant, experiment.choices)
                                  : std::unexpected(variant.error()));
  experiment.variant = name;
  const auto plan = TRY(lab::plan_kernel(experiment, module));
  const auto workload = std::make_shared<lab::KernelWorkload>(plan);
  return Ladder{workload,
                {.sizes = workload->default_sizes(), .options = {}, .seed = experiment.seed},
                lab::plan_ladder(catalogue, *variant)};
}

// The rungs of one name: the whole ladder, or its first rung and those of one variant.
core::Expected<Ladder> plan(const std::string& name, const core::Catalogue& catalogue,
                            const core::Experiment& experiment) {
  if (core::names_a_file(name)) {
    return plan_file(name, catalogue, experiment);
  }
  const auto workload = TRY(workload_of(name, catalogue));
  const auto problem =
      TRY(workload->resolve(experiment.size, experiment.settings, experiment.seed));
  Ladder ladder{workload, problem,
                lab::plan_ladder(catalogue, catalogue.of(workload->name()).front())};
  if (name.find('/') != std::string::npos) {
    TRY(catalogue.find(name));
    const auto first = ladder.rungs.begin() + (ladder.rungs.empty() ? 0 : 1);
    ladder.rungs.erase(std::remove_if(first, ladder.rungs.end(),
                                      [&](const core::Rung& rung) { return rung.variant != name; }),
                       ladder.rungs.end());
  }
  return ladder;
}

struct Rates {
  double gflops;
  double gbps;
};

Rates rates(const Ladder& ladder, const core::Rung& rung) {
  const double ms = rung.spread.median;
  const core::Sizes& sizes = ladder.problem.sizes;
  return {ladder.workload->flops(sizes) / ms * 1e-6, rung.bytes / ms * 1e-6};
}

// Work without arithmetic is held against the copy, everything else against the arithmetic.
double share(const Ladder& ladder, const core::Rung& rung, const core::Ceilings& ceilings) {
  const Rates r = rates(ladder, rung);
  return r.gflops > 0.0 ? r.gflops / ceilings.fma_gflops : r.gbps / ceilings.copy_gbps;
}

// The ceiling of multiply-adds is float32's: other arithmetic has another one, not measured here.
bool has_ceiling(const core::Rung& rung) {
  return rung.precision == core::Precision::fp32;
}

void print_rung(const Ladder& ladder, const core::Rung& rung, const core::Ceilings& ceilings) {
  const std::string name =
      rung.tile == 0 ? rung.variant : fmt::format("{} {}", rung.variant, rung.tile);
  if (!rung.measured) {
    fmt::print("  {:<28} {}\n", name, rung.error ? rung.error->message : "not measured");
    return;
  }
  const Rates r = rates(ladder, rung);
  fmt::print(
      "  {:<28}{:>11.4f}{:>11.4f}{:>11.4f}{:>12.1f}{:>10.1f}{:>8.2f}{:>9}  {}\n", name,
      rung.spread.median, rung.spread.p5, rung.spread.p95, r.gflops, r.gbps, rung.speedup,
      has_ceiling(rung) ? fmt::format("{:.1f}%", 100.0 * share(ladder, rung, ceilings)) : "fp16",
      !rung.check.done     ? "-"
      : rung.check.correct ? "yes"
                           : "WRONG");
}

void print_ladder(const Ladder& ladder, const core::Ceilings& ceilings) {
  fmt::print("\n{} {}, all times measured with device timestamps\n", ladder.workload->title(),
             core::to_string(ladder.problem.sizes));
  fmt::print("  {:<28}{:>11}{:>11}{:>11}{:>12}{:>10}{:>8}{:>9}  correct\n", "variant, tile",
             "median ms", "p5", "p95", "GFLOP/s", "GB/s", "×first", "ceiling");
  for (const core::Rung& rung : ladder.rungs) {
    print_rung(ladder, rung, ceilings);
  }
  show_output();
}

void print_ceilings(const core::DeviceInfo& device, const core::Ceilings& c) {
  fmt::print("{}{}\n", device.name,
             device.emulated() ? " (emulated: these are not GPU times)" : "");
  fmt::print(
      "  ceiling: copy {:.1f} GB/s (bytes read plus bytes written), fused multiply-add {:.1f} "
      "GFLOP/s\n",
      c.copy_gbps, c.fma_gflops);
  fmt::print(
      "  ceiling: shared memory {:.1f} GB/s (read), {:.1f} times as fast as copying global "
      "memory{}\n",
      c.shared_gbps, c.shared_over_global(),
      device.emulated() ? "; a CPU keeps shared memory in its ordinary memory" : "");
}

Json to_json(const Ladder& ladder, const core::Ceilings& ceilings) {
  Json json{{"workload", ladder.workload->name()}, {"sizes", ladder.problem.sizes}};
  json["rungs"] = Json::array();
  for (const core::Rung& rung : ladder.rungs) {
    Json entry = cli::to_json(rung);
    if (rung.measured) {
      const Rates r = rates(ladder, rung);
      entry["correct"] = rung.check.correct;
      entry["gflops"] = r.gflops;
      entry["gbps"] = r.gbps;
      entry["share_of_ceiling"] = has_ceiling(rung) ? Json(share(ladder, rung, ceilings)) : Json();
    }
    json["rungs"].push_back(entry);
  }
  return json;
}

constexpr const char* kUi = "ui";
constexpr const char* kProbes = "probes";

core::Expected<std::vector<Ladder>> plan_all(const BenchFlags& flags,
                                             const core::Catalogue& catalogue,
                                             const core::Experiment& experiment) {
  std::vector<Ladder> ladders;
  for (const std::string& name : flags.names) {
    auto ladder = TRY(plan(name, catalogue, experiment));
    ladders.push_back(std::move(ladder));
  }
  return ladders;
}

// What came of all rungs.
struct Tally {
  bool correct = true;  // every one that could be measured
  std::size_t rungs = 0;
  std::size_t no_time = 0;        // not measured before --timeout
  std::size_t fewer_samples = 0;  // because of it

  [[nodiscard]] bool stopped() const { return no_time + fewer_samples > 0; }
  [[nodiscard]] std::string words() const {
    return fmt::format("{} of {} variants not measured, {} measured with fewer samples", no_time,
                       rungs, fewer_samples);
  }
};

void measure(Ladder& ladder, lab::Workbench& workbench, const Library& library,
             const core::Experiment& experiment, std::uint32_t repeat, const Deadline& deadline,
             Tally& tally) {
  const lab::RungOptions options{{.repeat = repeat, .time_ms = 1000.0}, true};
  for (core::Rung& rung : ladder.rungs) {
    if (!deadline.is_over()) {
      lab::measure_rung(workbench, library.catalogue, experiment, options, deadline.observer(),
                        rung);
    }
    ++tally.rungs;
    if (!rung.measured && !rung.error) {
      rung.error = core::Error{core::Fault::device, kNoTime};
      ++tally.no_time;
    }
    tally.fewer_samples += rung.measured && rung.spread.count < rung.wanted ? 1U : 0U;
    tally.correct = tally.correct && (!rung.measured || !rung.check.done || rung.check.correct);
  }
  lab::compare_rungs(ladder.rungs);
}

// Why there is no figure at all; null: there is one.
const core::Error* why_nothing(const std::vector<Ladder>& ladders) {
  const core::Error* why = nullptr;
  for (const Ladder& ladder : ladders) {
    for (const core::Rung& rung : ladder.rungs) {
      if (rung.measured) {
        return nullptr;
      }
      why = why == nullptr && rung.error ? &*rung.error : why;
    }
  }
  return why;
}

core::MeasurementTable table_of(const core::DeviceInfo& device, const core::Settings& settings,
                                const std::vector<Ladder>& ladders) {
  core::MeasurementTable table(device, core::utc_now());
  for (const Ladder& ladder : ladders) {
    table.add_ladder(*ladder.workload, ladder.problem, settings, ladder.rungs);
  }
  return table;
}

// What can be said before a device is opened: where the table would be written, which kernels are
// measured, and whether the earlier run has them.
core::Expected<std::vector<Ladder>> prepare(const BenchFlags& flags,
                                            const core::Catalogue& catalogue,
                                            const core::Experiment& experiment,
                                            const std::optional<Against>& against) {
  TRY(check_output(flags.csv, flags.names));
  auto ladders = plan_all(flags, catalogue, experiment);
  if (!ladders || !against) {
    return ladders;
  }
  const auto some = against->expects(table_of({}, experiment.settings, *ladders).csv());
  return some ? std::move(ladders) : std::unexpected(some.error());
}

// Text is printed as the ladders are done, JSON as one document at the end.
Outcome bench_ladders(const BenchFlags& flags, const Library& library,
                      const core::Experiment& experiment, const std::optional<Against>& against) {
  auto ladders = TRY(prepare(flags, library.catalogue, experiment, against));
  const auto bench = TRY(open_bench(flags.common, experiment.device));
  const core::DeviceInfo& device = bench.workbench->info();
  const auto ceilings = TRY(lab::measure_ceilings(bench.workbench->device(), library.shaders));
  Json document{{"device", device.name},
                {"driver", device.driver},
                {"emulated", device.emulated()},
                {"ceilings", cli::to_json(ceilings)},
                {"ladders", Json::array()}};
  if (!flags.common.json) {
    print_ceilings(device, ceilings);
  }
  const Deadline deadline(flags.common, flags.names);
  Tally tally;
  for (Ladder& ladder : ladders) {
    measure(ladder, *bench.workbench, library, experiment, flags.repeat, deadline, tally);
    if (flags.common.json) {
      document["ladders"].push_back(to_json(ladder, ceilings));
    } else {
      print_ladder(ladder, ceilings);
    }
  }
  if (const core::Error* const why = why_nothing(ladders)) {
    return std::unexpected(*why);
  }
  const core::MeasurementTable table = table_of(device, experiment.settings, ladders);
  const auto compared = TRY(against ? against->compare(table.csv())
                                    : core::Expected<Against::Comparison>(Against::Comparison{}));
  if (!flags.common.json) {
    fmt::print("{}", compared.text);
  } else if (against) {
    document["against"] = compared.json;
  }
  if (tally.stopped()) {
    tell_stopped(flags.common, deadline, tally.words(),
                 {{"not_measured", tally.no_time}, {"fewer_samples", tally.fewer_samples}},
                 document);
  }
  if (flags.common.json) {
    print(document);
  }
  TRY(write_table(flags.csv, table));
  if (!tally.correct || compared.fails) {
    return findings;
  }
  return tally.no_time > 0 ? unavailable : ok;
}

bool is_table(const std::string& name) {
  return name.ends_with(".csv") && core::is_file(name);
}

// A folder that says nothing of its kernels stands for each of them.
core::Expected<void> open_folders(const core::Catalogue& catalogue,
                                  std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (std::string& name : names) {
    const bool plain = lab::is_plain_folder(name) && !catalogue.workload(name);
    auto some = TRY(plain ? lab::kernels_in(name) : std::vector{std::move(name)});
    std::ranges::move(some, std::back_inserter(all));
  }
  names = std::move(all);
  return {};
}

Outcome bench(const BenchFlags& given) {
  const auto against = TRY(Against::open(given.against));
  if (given.names.size() == 1 && is_table(given.names.front())) {
    return against ? compare_tables(given.names.front(), *against, given.common.json)
                   : Outcome(core::usage_error("one table of measurements is not enough to "
                                               "compare; add the other with --against FILE.csv"));
  }
  ExperimentFlags named = given.experiment;
  const bool one_file = given.names.size() == 1 && core::is_file(given.names.front());
  named.variant = one_file ? given.names.front() : "";
  const auto experiment = named.experiment();
  auto library = open_library();
  if (!experiment || !library) {
    return std::unexpected(experiment ? library.error() : experiment.error());
  }
  BenchFlags flags = given;
  TRY(open_folders(library->catalogue, flags.names));
  for (std::string& name : flags.names) {
    const bool folder = core::is_folder(name);
    auto adopted = TRY(lab::adopt(std::move(library->catalogue), name));
    library->catalogue = std::move(adopted.catalogue);
    const bool workload = folder && !core::names_a_file(adopted.id);
    name = workload ? adopted.id.substr(0, adopted.id.find('/')) : adopted.id;
  }
  if (flags.names.empty()) {
    for (const core::WorkloadPtr& workload : library->catalogue.workloads()) {
      flags.names.push_back(workload->name());
    }
  }
  for (const char* alone : {kUi, kProbes}) {
    if (flags.names.size() > 1 && std::ranges::find(flags.names, alone) != flags.names.end()) {
      return std::unexpected(core::usage_error(
          fmt::format("{} cannot be combined with other names; remove the other names", alone)));
    }
  }
  if (flags.names == std::vector<std::string>{kUi}) {
    return bench_ui(flags.common, *library, *experiment);
  }
  if (flags.names == std::vector<std::string>{kProbes}) {
    return bench_probes(flags.common, *library, experiment->device);
  }
  if (flags.tune) {
    return bench_tune(flags.common, *library, flags.names, *experiment, flags.repeat);
  }
  return bench_ladders(flags, *library, *experiment, against);
}

}  // namespace

void add_bench(CLI::App& app) {
  auto flags = std::make_shared<BenchFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments = add_command(
      app, "bench",
      "Time all variants of a workload and compare them with the measured limits of this device",
      common, [flags] { return bench(*flags); });
  arguments.option(
      "NAME", flags->names,
      "The kernels to time: workloads, variants, files, ui (the window) or probes (the "
      "checks) (default: all workloads)");
  flags->experiment.add_to(arguments);
  arguments
      .option("--repeat N", flags->repeat,
              "Time each variant N times, 1 to 100000 (default: as many as fit in 1 s)")
      .within(1, 100000);
  arguments.flag("--tune", flags->tune,
                 "Find the fastest tile size and constants for this device and store them");
  add_csv(arguments, flags->csv);
  flags->against.add_to(arguments);
}

}  // namespace cli
