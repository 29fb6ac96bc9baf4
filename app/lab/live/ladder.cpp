// What the lab's thread measures beside the live launches: the device's ceilings and the ladder in
// the background; and, while nothing else runs, all of the ladder anew, trials of barriers, a
// stream.
#include <algorithm>

#include "core/stream/stream.h"
#include "lab/live/worker.h"

namespace lab {
namespace {

constexpr std::size_t kSamplesBeforeLadder = 12;

bool unmeasured(const core::Rung& rung) {
  return !rung.measured && !rung.error;
}

}  // namespace

bool Lab::Worker::ladder_due() const {
  return options_.ladder && (!ceilings_ || std::ranges::any_of(result_.ladder, unmeasured));
}

// A refused kernel has no live launches; the ladder is all there is to do.
bool Lab::Worker::at_rest() const {
  const bool once = unseen_ && !result_.refused() && !result_.races;  // looked at, then paused
  return held_ || (paused_ && !once) || !setup_ || (result_.refused() && !ladder_due());
}

void Lab::Worker::climb() {
  if (ceilings_) {
    return measure_next_rung();
  }
  if (advance(core::Step::ceilings, observer()).value_or(false)) {
    ceilings_ = result_.ceilings;
    meter_.reset();
  }
}

// A rung at a time, so that the live view goes on in between.
void Lab::Worker::measure_next_rung() {
  if (!result_.refused() && result_.timing.samples_ms.size() < kSamplesBeforeLadder) {
    return;
  }
  // At odd steps the live bodies are where a plain launch would write.
  if (simulation_ && simulation_->steps() % 2 == 1) {
    return;
  }
  static_cast<void>(advance(core::Step::ladder, [this](std::uint64_t) { return !superseded(); }));
}

// What is not ours is tried beside what runs, as what is put on the bench is: a rung, a trial's
// barriers, another tile. Nothing: it is being tried, or waits for another's trial.
std::optional<core::Expected<core::Variant>> Lab::Worker::kernel_beside(
    const core::Experiment& experiment) {
  const auto edited = experiment.variant == setup_->variant.id()
                          ? core::Expected<core::Variant>(setup_->variant)
                          : as_edited(experiment.variant);
  if (!edited || is_ours(*edited)) {
    return edited;
  }
  const Candidate candidate{with_included(*edited), experiment};
  const auto verdict = verdict_beside(candidate);
  if (!verdict) {
    return std::nullopt;
  }
  return verdict->passed() ? core::Expected<core::Variant>(candidate.variant)
                           : std::unexpected(core::Error{core::Fault::device, verdict->sentence});
}

std::optional<Verdict> Lab::Worker::verdict_beside(const Candidate& candidate) {
  const core::DeviceInfo& device = bench_->info();
  if (auto tried = beside_.take()) {
    verdicts_beside_[probation_key(tried->first, device)] = std::move(tried->second);
  }
  const auto here = verdicts_beside_.find(probation_key(candidate, device));
  if (here != verdicts_beside_.end() && as_they_were(here->second.from)) {
    return here->second;
  }
  auto known = beside_.known(candidate, device);
  if (!known && beside_.candidate() == nullptr) {
    beside_.begin(candidate, device);
  }
  return known;
}

void Lab::Worker::begin_comparison() {
  result_.comparing = true;
  for (core::Rung& rung : result_.ladder) {
    rung.due = true;
  }
  publish();
}

void Lab::Worker::end_comparison() {
  compare_ = false;
  result_.comparing = false;
  for (core::Rung& rung : result_.ladder) {
    rung.due = false;
  }
  publish();
}

// Nothing else runs meanwhile: what runs in between would warm or cool the device.
void Lab::Worker::compare_next_rung() {
  if (!compare_) {
    return end_comparison();
  }
  if (!result_.comparing) {
    begin_comparison();
  }
  // As for measure_next_rung(): an even number of steps first.
  if (simulation_ && simulation_->steps() % 2 == 1) {
    if (const auto time = simulation_->step(observer()); !time) {
      return fail(time.error());
    }
    return;
  }
  const auto done =
      advance(core::Step::ladder, [this](std::uint64_t) { return !superseded() && compare_; });
  if (done.value_or(false)) {
    return end_comparison();
  }
  wait_for_trial();
}

// What was tried stays as long as only barriers are edited.
void Lab::Worker::keep_trials(std::shared_ptr<const core::BarrierTrials> trials, bool trying) {
  core::Experiment now = result_.experiment;
  now.barriers.clear();
  if (now == trials_of_ && result_.variant.source == trials_source_) {
    result_.trials = std::move(trials);
    result_.trying = trying;
    return;
  }
  trials_of_ = now;
  trials_source_ = result_.variant.source;
  try_barriers_ = false;
}

// Nothing else runs meanwhile, as for a comparison.
void Lab::Worker::next_trial() {
  if (!try_barriers_) {
    return end_trials();
  }
  if (simulation_ && simulation_->steps() % 2 == 1) {  // as for compare_next_rung()
    if (const auto time = simulation_->step(observer()); !time) {
      return fail(time.error());
    }
    return;
  }
  if (!result_.trying) {
    result_.trying = true;
    result_.trials.reset();
  }
  const auto done =
      advance(core::Step::trials, [this](std::uint64_t) { return !superseded() && try_barriers_; });
  if (done.value_or(false)) {
    return end_trials();
  }
  wait_for_trial();
}

// Where all that is to be done next is being tried; its end wakes us.
void Lab::Worker::wait_for_trial() {
  if (beside_.candidate() != nullptr) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, publish_interval);
  }
}

void Lab::Worker::end_trials() {
  try_barriers_ = false;
  result_.trying = false;
  publish();
}

// The same while the work is streamed.
void Lab::Worker::stream_once() {
  static_cast<void>(advance(core::Step::stream, [this](std::uint64_t) {
    publish();
    return stream_ && !superseded();
  }));
  stream_ = false;
}

void Lab::Worker::keep_stream(std::shared_ptr<const core::StreamReport> stream) {
  if (stream && stream->request.size == result_.problem.sizes) {
    result_.stream = std::move(stream);
  }
}

}  // namespace lab
