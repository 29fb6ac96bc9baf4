#include "cli/bench/bench_probes.h"

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/bench/stopped.h"
#include "cli/json/answer.h"
#include "cli/process/deadline.h"
#include "lab/probe/probe_bench.h"
#include "lab/ready/workbench.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

std::string barriers_of(const lab::ProbeCost& cost) {
  std::string text;
  for (const auto& [number, kind] : cost.experiment.barriers) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", number, core::to_string(kind));
  }
  return text.empty() ? "unchanged" : text;
}

std::string outcome_of(const lab::ProbeCost& cost) {
  if (cost.probe == "trace") {
    return fmt::format("{} scalars in 1 workgroup{}", cost.records,
                       cost.lost > 0 ? fmt::format(", {} more not recorded", cost.lost) : "");
  }
  if (cost.probe == "timeline") {
    return fmt::format("{} of {} workgroups", cost.probed, cost.total);
  }
  return fmt::format("{}, {} of {} workgroups", cost.verdict, cost.probed, cost.total);
}

void print_cost(const lab::ProbeCost& cost) {
  const core::Experiment& e = cost.experiment;
  const std::string name = fmt::format("{} {}{}", e.variant, core::to_string(e.size),
                                       e.tile == 0 ? "" : fmt::format(" tile {}", e.tile));
  fmt::print("  {:<40}{:<10}{:<14}{:>10.4f}{:>10.4f}{:>8.2f}  {}\n", name, cost.probe,
             barriers_of(cost), cost.plain_ms, cost.probed_ms, cost.ratio(), outcome_of(cost));
  std::fflush(stdout);
}

Json to_json(const lab::ProbeCost& cost) {
  const core::Experiment& e = cost.experiment;
  Json json{{"probe", cost.probe}, {"variant", e.variant}, {"size", e.size}, {"tile", e.tile}};
  json["barriers"] = Json::object();
  for (const auto& [number, kind] : e.barriers) {
    json["barriers"][std::to_string(number)] = core::to_string(kind);
  }
  json["plain_ms"] = cost.plain_ms;
  json["probed_ms"] = cost.probed_ms;
  json["ratio"] = cost.ratio();
  json["workgroups"] = {{"total", cost.total}, {"probed", cost.probed}};
  if (cost.probe == "trace") {
    json["scalars"] = cost.records;
    json["lost"] = cost.lost;
  } else if (cost.probe == "races") {
    json["verdict"] = cost.verdict;
  }
  return json;
}

}  // namespace

Outcome bench_probes(const Common& common, const Library& library, const std::string& device) {
  const auto driver = TRY(open_driver(common));
  const auto bench = TRY(lab::Workbench::open(driver, device));
  const core::DeviceInfo& info = bench->info();
  Json document{{"device", info.name}, {"emulated", info.emulated()}, {"probes", Json::array()}};
  if (!common.json) {
    fmt::print("{}{}, medians of device timestamps, ms\n", info.name,
               info.emulated() ? " (emulated: these are not GPU times)" : "");
    fmt::print("  {:<40}{:<10}{:<14}{:>10}{:>10}{:>8}\n", "kernel", "probe", "barriers", "plain",
               "probed", "ratio");
  }
  const Deadline deadline(common, {});
  std::size_t no_time = 0;
  for (lab::ProbeCost& cost : lab::plan_probe_costs(info)) {
    const auto whole = TRY(deadline.is_over() ? false
                                              : lab::measure_probe_cost(*bench, library.catalogue,
                                                                        deadline.observer(), cost));
    if (!whole) {
      ++no_time;
    } else if (common.json) {
      document["probes"].push_back(to_json(cost));
    } else {
      print_cost(cost);
    }
  }
  if (no_time > 0) {
    tell_stopped(common, deadline, fmt::format("{} not measured", no_time),
                 {{"not_measured", no_time}}, document);
  }
  if (common.json) {
    print(document);
  }
  const bool quiet = driver->validation_messages().empty();
  return !quiet ? findings : no_time > 0 ? unavailable : ok;
}

}  // namespace cli
