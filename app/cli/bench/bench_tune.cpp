#include "cli/bench/bench_tune.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/bench/stopped.h"
#include "cli/json/answer.h"
#include "cli/json/result_json.h"
#include "cli/process/deadline.h"
#include "core/work/needs.h"
#include "lab/ready/tuning.h"
#include "lab/run/measure.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

struct Trial {
  lab::Choice choice;
  core::Rung rung;
  double modelled = 0.0;  // cost; 0: no model
};

// One kernel at one size: every choice measured, and which is best.
struct Tuning {
  core::Variant variant;
  core::Problem problem;
  std::vector<Trial> trials;
  const Trial* best = nullptr;
  std::size_t no_time = 0;  // trials that --timeout left none for: nothing is kept then
};

core::Expected<std::vector<core::Variant>> variants_of(const std::vector<std::string>& names,
                                                       const core::Catalogue& catalogue,
                                                       const core::DeviceInfo& device) {
  std::vector<core::Variant> all;
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos) {
      auto variant = TRY(catalogue.find(name));
      if (lab::choices_of(variant).empty()) {
        return core::usage_error(fmt::format(
            "{} has no tile size and no constants to tune; choose another kernel", name));
      }
      if (const auto why = core::missing(variant, device)) {
        return core::device_error(fmt::format("{} is {}", name, *why));
      }
      all.push_back(std::move(variant));
      continue;
    }
    if (!catalogue.workload(name)) {
      return core::usage_error(
          fmt::format("unknown workload \"{}\"; `tilescope list` lists the workloads", name));
    }
    for (const core::Variant& variant : catalogue.of(name)) {
      if (variant.expect == core::Expectation::correct && !lab::choices_of(variant).empty() &&
          !core::missing(variant, device)) {
        all.push_back(variant);
      }
    }
  }
  return all;
}

std::string to_text(const lab::Choice& choice) {
  std::string text = choice.tile > 0 ? fmt::format("tile {}", choice.tile) : "";
  for (const auto& [name, value] : choice.settings) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text;
}

void try_all(Tuning& tuning, lab::Workbench& bench, const core::Catalogue& catalogue,
             const core::Experiment& given, std::uint32_t repeat, const Deadline& deadline) {
  const bool emulated = bench.info().emulated();
  lab::MeasureOptions options{
      .repeat = repeat, .warm_up_ms = emulated ? 20.0 : 500.0, .time_ms = emulated ? 100.0 : 300.0};
  for (Trial& trial : tuning.trials) {
    if (deadline.is_over()) {
      break;
    }
    core::Experiment own = given;
    for (const auto& [name, value] : trial.choice.settings) {
      own.settings[name] = value;
    }
    trial.rung.variant = tuning.variant.id();
    trial.rung.tile = trial.choice.tile;
    lab::measure_rung(bench, catalogue, own, {options, true}, deadline.observer(), trial.rung);
    options.warm_up_ms = emulated ? 20.0 : 400.0;  // it has dozed off while the answer was compared
  }
  for (Trial& trial : tuning.trials) {
    const bool cut = trial.rung.measured ? trial.rung.spread.count < trial.rung.wanted
                                         : !trial.rung.error.has_value();
    if (cut && deadline.is_over()) {
      trial.rung.measured = false;
      trial.rung.error = core::Error{core::Fault::device, kNoTime};
      ++tuning.no_time;
    }
    const bool right = trial.rung.measured && trial.rung.check.correct;
    if (right &&
        (tuning.best == nullptr || trial.rung.spread.median < tuning.best->rung.spread.median)) {
      tuning.best = &trial;
    }
  }
}

double over_best(const Tuning& tuning, const Trial& trial) {
  return tuning.best == nullptr ? 0.0 : trial.rung.spread.median / tuning.best->rung.spread.median;
}

// Where a model knows the kernel, what it makes of it: the choice to begin with comes first.
std::vector<Trial> trials_of(const core::Variant& variant, const core::Workload& workload,
                             const core::Problem& problem, const core::DeviceInfo& device) {
  std::vector<Trial> trials;
  const auto plans = core::plan_waves(variant, workload, problem.sizes, device);
  for (const core::WavePlan& plan : lab::plans_to_try(variant, plans)) {
    trials.push_back({{plan.tile, plan.settings}, {}, plan.cost});
  }
  if (trials.empty()) {
    for (lab::Choice& choice : lab::choices_of(variant)) {
      trials.push_back({std::move(choice), {}});
    }
  }
  return trials;
}

// The model's time over that of what was found best; 0 without a model.
double modelled_over_best(const Tuning& tuning, const Trial& trial) {
  return tuning.best == nullptr || tuning.best->modelled <= 0.0
             ? 0.0
             : trial.modelled / tuning.best->modelled;
}

void print_text(const Tuning& tuning) {
  fmt::print("\n{} {}, measured with device timestamps\n", tuning.variant.id(),
             core::to_string(tuning.problem.sizes));
  const bool modelled = !tuning.trials.empty() && tuning.trials.front().modelled > 0.0;
  fmt::print("  {:<52}{:>11}{:>11}{:>11}{:>8}{}  correct\n", "choice", "median ms", "p5", "p95",
             "×best", modelled ? "  modelled" : "");
  for (const Trial& trial : tuning.trials) {
    const core::Rung& r = trial.rung;
    const std::string name = to_text(trial.choice);
    if (!r.measured) {
      fmt::print("  {:<52}{}\n", name, r.error ? r.error->message : "not measured");
      continue;
    }
    fmt::print("  {:<52}{:>11.4f}{:>11.4f}{:>11.4f}{:>8.2f}{}  {}{}\n", name, r.spread.median,
               r.spread.p5, r.spread.p95, over_best(tuning, trial),
               modelled ? fmt::format("{:>10.2f}", modelled_over_best(tuning, trial)) : "",
               r.check.correct ? "yes" : "WRONG",
               &trial != tuning.best ? ""
               : tuning.no_time == 0 ? ", kept"
                                     : ", best so far");
  }
  std::fflush(stdout);
}

Json to_json(const lab::Choice& choice) {
  return {{"tile", choice.tile}, {"settings", choice.settings}};
}

Json to_json(const Tuning& tuning) {
  Json json{{"variant", tuning.variant.id()},
            {"sizes", tuning.problem.sizes},
            {"size_class", lab::size_class(tuning.problem.sizes)}};
  json["trials"] = Json::array();
  for (const Trial& trial : tuning.trials) {
    Json entry = to_json(trial.choice);
    entry["ms"] = trial.rung.measured ? cli::to_json(trial.rung.spread) : Json();
    entry["over_best"] = trial.rung.measured ? Json(over_best(tuning, trial)) : Json();
    entry["modelled_over_best"] =
        trial.modelled > 0.0 ? Json(modelled_over_best(tuning, trial)) : Json();
    entry["correct"] = trial.rung.measured ? Json(trial.rung.check.correct) : Json();
    entry["error"] = trial.rung.error ? Json(trial.rung.error->message) : Json();
    json["trials"].push_back(entry);
  }
  json["best"] = tuning.best != nullptr ? to_json(tuning.best->choice) : Json();
  return json;
}

}  // namespace

Outcome bench_tune(const Common& common, const Library& library,
                   const std::vector<std::string>& names, const core::Experiment& experiment,
                   std::uint32_t repeat) {
  if (experiment.tile != 0) {
    return core::usage_error("--tune chooses the tile size; remove --tile");
  }
  const auto bench = TRY(open_bench(common, experiment.device));
  const core::DeviceInfo& device = bench.workbench->info();
  const auto variants = TRY(variants_of(names, library.catalogue, device));
  std::string warning;
  const auto file = lab::tunings_file();
  lab::Tunings tunings = lab::Tunings::read(file, warning);
  Json document{{"device", device.name}, {"driver", device.driver}, {"tunings", Json::array()}};
  const Deadline deadline(common, names);
  std::size_t no_time = 0;
  bool correct = true;
  for (const core::Variant& variant : variants) {
    const core::Workload& workload = *variant.work;
    const auto problem =
        TRY(workload.resolve(experiment.size, experiment.settings, experiment.seed));
    Tuning tuning{.variant = variant, .problem = problem};
    tuning.trials = trials_of(variant, workload, problem, device);
    try_all(tuning, *bench.workbench, library.catalogue, experiment, repeat, deadline);
    no_time += tuning.no_time;
    for (const Trial& trial : tuning.trials) {
      correct = correct && (!trial.rung.measured || trial.rung.check.correct);
    }
    if (tuning.best != nullptr && tuning.no_time == 0) {
      tunings.keep(device, variant.id(), problem.sizes,
                   tuning.best->modelled > 0.0 ? lab::without_sharing(variant, tuning.best->choice)
                                               : tuning.best->choice);
      TRY(tunings.write(file));
    }
    if (common.json) {
      document["tunings"].push_back(to_json(tuning));
    } else {
      print_text(tuning);
    }
  }
  document["file"] = file.string();
  if (no_time > 0) {
    tell_stopped(
        common, deadline,
        fmt::format("{} choices not measured; the results of their kernels were not stored",
                    no_time),
        {{"not_measured", no_time}}, document);
  } else if (!common.json) {
    fmt::print("\nresults stored in {}\n", file.string());
  }
  if (common.json) {
    print(document);
  }
  return !correct ? findings : no_time > 0 ? unavailable : ok;
}

}  // namespace cli
