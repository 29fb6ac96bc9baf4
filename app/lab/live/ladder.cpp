// What the lab's thread measures beside the live launches: the device's ceilings and the ladder in
// the background, and all of the ladder anew when a comparison is asked for.
#include <algorithm>

#include "lab/live/worker.h"
#include "lab/ready/reference.h"
#include "lab/run/measure.h"

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
  return paused_ || !setup_ || (result_.refused() && !ladder_due());
}

void Lab::Worker::climb() {
  ceilings_ ? measure_next_rung() : measure_ceilings();
}

// A piece at a time, so that the live view goes on in between; once a device.
void Lab::Worker::measure_ceilings() {
  if (!meter_) {
    meter_ = std::make_unique<CeilingsMeter>(bench_->device(), shaders_);
  }
  const auto done = meter_->step();
  if (done && !*done) {
    return;
  }
  core::Ceilings ceilings = done ? meter_->ceilings() : core::Ceilings{};
  meter_.reset();
  if (!done) {
    if (done.error().device_lost) {
      return fail(done.error());
    }
    ceilings.failure = done.error().message;
  }
  ceilings_ = std::make_shared<const core::Ceilings>(std::move(ceilings));
  result_.ceilings = ceilings_;
  publish();
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
  const auto next = std::ranges::find_if(result_.ladder, unmeasured);
  if (next == result_.ladder.end()) {
    return;
  }
  const RungOptions brief{{.repeat = 0, .warm_up_ms = 5.0, .time_ms = 100.0}, false};
  core::Rung rung = *next;
  measure_rung(
      *bench_, catalogue_, rung_experiment(*setup_, rung), brief,
      [this](std::uint64_t) { return !superseded(); }, rung);
  if (rung.error && rung.error->device_lost) {
    return fail(*rung.error);
  }
  if (!superseded()) {
    *next = rung;
    compare_rungs(result_.ladder);
    publish();
  }
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
  const auto next = std::ranges::find(result_.ladder, true, &core::Rung::due);
  if (next == result_.ladder.end()) {
    return end_comparison();
  }
  core::Rung rung = *next;
  measure_rung(
      *bench_, catalogue_, rung_experiment(*setup_, rung), {thorough(bench_->info()), false},
      [this](std::uint64_t) { return !superseded() && compare_; }, rung);
  if (rung.error && rung.error->device_lost) {
    return fail(*rung.error);
  }
  if (!superseded() && compare_) {
    rung.due = false;
    *next = rung;
    compare_rungs(result_.ladder);
    publish();
  }
}

}  // namespace lab
