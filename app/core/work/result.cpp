#include "core/work/result.h"

#include <algorithm>
#include <utility>

namespace core {

namespace {

void keep_last(std::vector<double>& samples, std::size_t most) {
  if (most > 0 && samples.size() > most) {
    samples.erase(samples.begin(), samples.end() - static_cast<std::ptrdiff_t>(most));
  }
}

bool divergent(const std::shared_ptr<const KernelFacts>& facts) {
  return facts && !facts->divergent.empty();
}

}  // namespace

void Timing::add(double ms, std::span<const double> each, std::size_t most) {
  samples_ms.push_back(ms);
  keep_last(samples_ms, most);
  each_ms.resize(each.size());
  for (std::size_t i = 0; i < each.size(); ++i) {
    each_ms[i].push_back(each[i]);
    keep_last(each_ms[i], most);
  }
}

bool Result::refused() const {
  return divergent(facts) || std::ranges::any_of(launches, divergent, &Launch::facts);
}

std::vector<std::size_t> Result::grids() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (launches[i].grid == i) {
      all.push_back(i);
    }
  }
  return all;
}

const Launch* Result::launch_of(glm::uvec3 group) const {
  const auto found = std::ranges::find_if(launches, [&](const Launch& candidate) {
    return candidate.grid == grid() && candidate.groups.contains(group);
  });
  return found == launches.end() ? nullptr : &*found;
}

std::uint64_t Result::group_count() const {
  if (launches.empty()) {
    return tiles.group_count();
  }
  std::uint64_t count = 0;
  for (const Launch& each : launches) {
    count += each.groups.count();
  }
  return count;
}

std::uint64_t Result::shown_groups_done() const {
  std::uint64_t left = groups_done;
  std::uint64_t done = launches.empty() ? groups_done : 0;
  for (const Launch& each : launches) {
    const std::uint64_t of_it = std::min(left, each.groups.count());
    done += each.grid == grid() ? of_it : 0;
    left -= of_it;
  }
  return done;
}

const Workload* Result::items_work() const {
  return launch < launches.size() && launches[launch].own_items ? nullptr : work.get();
}

double Result::gflops() const {
  return timing.spread.median > 0.0 ? flops / timing.spread.median * 1e-6 : 0.0;
}

double Result::gbps() const {
  return timing.spread.median > 0.0 ? bytes / timing.spread.median * 1e-6 : 0.0;
}

Result not_set_up(const Result& before, Variant variant, const Experiment& experiment) {
  Result result;
  result.stage = Stage::compiling;
  result.text_only = true;
  result.experiment = experiment;
  result.variant = std::move(variant);
  result.work = result.variant.work;
  result.tiles.extent = {0, 0, 0};
  result.device = before.device;
  result.ceilings = before.ceilings;
  Problem& problem = result.problem;
  problem.sizes = experiment.size;
  problem.options = experiment.settings;
  problem.seed = experiment.seed;
  if (problem.sizes.empty() && result.work) {
    problem.sizes = result.work->default_sizes();
  }
  if (result.work && result.work == before.work && problem.sizes == before.problem.sizes &&
      experiment.seed == before.experiment.seed) {
    result.ladder = before.ladder;
    result.comparing = before.comparing;
    result.stream = before.stream;
  }
  return result;
}

}  // namespace core
