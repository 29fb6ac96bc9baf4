#include "core/work/barrier_trials.h"

#include <algorithm>
#include <vector>

namespace core {
namespace {

constexpr std::uint32_t kMostBarriers = 8;

BarrierEdits edits_of(std::uint32_t barrier, BarrierKind kind, std::uint32_t barriers) {
  BarrierEdits edits;
  for (std::uint32_t k = 1; k <= barriers; ++k) {
    if (barrier == 0 || barrier == k) {
      edits[k] = kind;
    }
  }
  return edits;
}

double noise_of(const Spread& spread) {
  return spread.count == 0 || spread.median <= 0.0 ? 0.0
                                                   : 0.5 * (spread.p95 - spread.p5) / spread.median;
}

}  // namespace

std::string BarrierTrial::verdict() const {
  return report ? to_string(report->verdict) : std::string();
}

std::string BarrierTrial::hazards() const {
  std::string text;
  for (const Hazard hazard :
       {Hazard::read_after_write, Hazard::write_after_read, Hazard::write_after_write}) {
    if (report && std::ranges::any_of(report->findings, [hazard](const Finding& f) {
          return f.kind == FindingKind::race && f.hazard == hazard;
        })) {
      text += (text.empty() ? "" : ", ") + to_string(hazard);
    }
  }
  return text;
}

std::optional<double> BarrierTrial::relative() const {
  return written.count == 0 || spread.count == 0 ? std::nullopt
                                                 : std::optional(spread.median / written.median);
}

double BarrierTrial::noise() const {
  return noise_of(spread);
}

std::optional<double> BarrierTrials::speed_up(const BarrierTrial& trial) const {
  if (written.count == 0 || trial.spread.count == 0 || trial.spread.median <= 0.0) {
    return std::nullopt;
  }
  return written.median / trial.spread.median;
}

double BarrierTrials::noise(const BarrierTrial& trial) const {
  return trial.noise() + noise_of(written);
}

std::size_t BarrierTrials::done() const {
  return static_cast<std::size_t>(std::ranges::count(list, true, &BarrierTrial::done));
}

const BarrierTrial* BarrierTrials::find(std::uint32_t barrier, BarrierKind kind) const {
  const auto found = std::ranges::find_if(
      list, [&](const BarrierTrial& t) { return t.barrier == barrier && t.kind == kind; });
  return found == list.end() ? nullptr : &*found;
}

void derive(BarrierTrials& trials) {
  std::vector<double> times;
  for (const BarrierTrial& trial : trials.list) {
    if (trial.written.count > 0) {
      times.push_back(trial.written.median);
    }
  }
  trials.written = spread_of(times);
}

std::string conclusion(const BarrierTrials& trials, std::uint32_t barrier) {
  bool judged = true;
  const auto clean = [&](BarrierKind kind) {
    const BarrierTrial* trial = trials.find(barrier, kind);
    judged = judged && trial != nullptr && trial->report &&
             trial->report->verdict != Verdict::incomplete;
    return judged && trial->report->verdict == Verdict::clean && trial->report->findings.empty();
  };
  std::string fence;
  for (const BarrierKind kind : barrier_kinds()) {
    const bool right = clean(kind);
    if (right && !waits(kind) && kind != BarrierKind::off && fence.empty()) {
      fence =
          "needed only as a fence: without waiting, the kernel is clean with " + to_string(kind);
    }
  }
  const bool off = clean(BarrierKind::off);
  const bool shared = clean(BarrierKind::shared);
  const bool global = clean(BarrierKind::global);
  const bool all = clean(BarrierKind::all);
  if (!judged) {
    return {};
  }
  return off              ? "not needed: the kernel is clean without it"
         : !fence.empty() ? fence
         : shared         ? "needed; a barrier that orders only shared memory is enough"
         : global         ? "needed; a barrier that orders only global memory is enough"
         : all            ? "needed; it must order all memory"
                          : "not the cause: no kind of this barrier makes the kernel clean";
}

BarrierTrials plan_trials(std::uint32_t barriers) {
  BarrierTrials trials{.barriers = barriers, .list = {BarrierTrial{}}};
  const auto add = [&](std::uint32_t barrier) {
    for (const BarrierKind kind : barrier_kinds()) {
      trials.list.push_back(
          {.barrier = barrier, .kind = kind, .edits = edits_of(barrier, kind, barriers)});
    }
  };
  for (std::uint32_t k = 1; k <= std::min(barriers, kMostBarriers); ++k) {
    add(k);
  }
  if (barriers > 1) {
    add(0);
  }
  return trials;
}

}  // namespace core
