// What the lab does while nothing else is asked of it: launches again and again, and the check for
// races. The ladder is in ladder.cpp.
#include <algorithm>
#include <utility>

#include "lab/live/worker.h"
#include "lab/probe/occupancy.h"

namespace lab {
namespace {

constexpr double kWorkMs = 12.0;  // launches between two publications
constexpr std::size_t kLiveSamples = 480;
constexpr std::size_t kSamplesBeforeCheck = 4;
constexpr double kCheapMs = 2000.0;  // a launch that takes longer is not launched for its timeline

bool reads(const std::future<core::Timeline>& timeline) {
  return timeline.valid() &&
         timeline.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

}  // namespace

void Lab::Worker::live() {
  if (!setup_->launcher) {  // what was to come after its races was left for another request
    return answer();
  }
  if (outputs_due_ && !simulation_) {
    compare_outputs();
    if (!setup_ || superseded()) {
      return;
    }
  }
  result_.stage = probation_.candidate() != nullptr ? core::Stage::compiling : core::Stage::running;
  if (simulation_) {
    step_bodies();
  } else {
    repeat_launch();
  }
  if (!setup_ || superseded()) {
    return;
  }
  publish();
  if (check_due()) {
    check_races();
  } else if (refine_occupancy()) {
    return;
  } else if (timeline_due()) {
    const auto done =
        advance(core::Step::timeline, [this](std::uint64_t) { return !superseded() && !restart_; });
    timeline_wanted_ = done && !*done;
  } else if (result_.races && ladder_due()) {
    climb();
  }
}

StepOptions Lab::Worker::step_options() {
  return {.rungs = MeasureOptions{.repeat = 0, .warm_up_ms = 5.0, .time_ms = 100.0},
          .slice_ms = live_slice_ms,
          .timeline_ms = kCheapMs,
          .beside = true,
          .meter = meter_,
          .kernel = [this](const core::Experiment& of) { return kernel_beside(of); }};
}

std::optional<bool> Lab::Worker::advance(core::Step step, const SliceObserver& observer) {
  const auto done = maker_->advance(step, observer);
  if (!done) {
    fail(done.error());
    return std::nullopt;
  }
  publish();
  return *done;
}

void Lab::Worker::add_samples(const std::vector<LaunchTime>& times) {
  core::Timing& timing = result_.timing;
  timing.launches += times.size();
  for (const LaunchTime& time : times) {
    timing.add(time.ms, time.each, kLiveSamples);
  }
  timing.spread = core::spread_of(timing.samples_ms);
  result_.groups_done = result_.group_count();
  result_.progress = 1.0;
}

void Lab::Worker::repeat_launch() {
  Launcher& launcher = *setup_->launcher;
  if (launcher.fits_budget()) {
    const double fit = kWorkMs / std::max(launcher.expected_ms(), 1e-3);
    const auto count = static_cast<std::uint32_t>(std::clamp(fit, 1.0, 32.0));
    const auto times = launcher.launch_many(setup_->buffers(), count);
    if (!times) {
      return fail(times.error());
    }
    result_.sliced = false;
    result_.timing.slices = 1;
    return add_samples(*times);
  }
  result_.sliced = true;
  const auto time = launcher.launch(setup_->buffers(), observer());
  if (!time) {
    return fail(time.error());
  }
  if (time->finished) {
    result_.timing.slices = time->slices;
    add_samples({*time});
  }
}

void Lab::Worker::step_bodies() {
  std::vector<LaunchTime> times;
  double spent = 0.0;
  while (spent < kWorkMs && !superseded()) {
    const auto time = simulation_->step(observer());
    if (!time) {
      return fail(time.error());
    }
    if (!time->finished) {
      break;
    }
    result_.sliced = time->slices > 1;
    result_.timing.slices = time->slices;
    times.push_back(*time);
    spent += std::max(time->ms, 0.05);
  }
  if (times.empty()) {
    return;
  }
  add_samples(times);
  if (auto ok = simulation_->weigh(); !ok) {
    return fail(ok.error());
  }
  auto bodies = simulation_->snapshot();
  if (!bodies) {
    return fail(bodies.error());
  }
  result_.bodies = std::move(*bodies);
}

// One more tile's. False: there is none, or it waits for its trial.
bool Lab::Worker::refine_occupancy() {
  if (!can_refine(*result_.occupancy, bench_->info())) {
    return false;
  }
  const auto before = result_.occupancy;
  return !advance(core::Step::occupancy, observer()) || result_.occupancy != before;
}

bool Lab::Worker::check_due() const {
  const std::size_t samples = result_.timing.samples_ms.size();
  return !result_.races && samples >= (result_.sliced ? 1 : kSamplesBeforeCheck);
}

// Who looks into a workgroup need not wait for all others. But a verdict that is nearly there comes
// first: a driver that plays a GPU may compile the traced kernel for longer than the check takes.
bool Lab::Worker::check_takes_long() {
  constexpr std::chrono::duration<double> kLong(2.0);
  const auto now = std::chrono::steady_clock::now();
  const double done = result_.races_progress;
  if (!check_seen_) {  // its kernel is compiled now: from here on it goes as fast as it goes
    check_seen_ = {now, done};
  }
  const std::chrono::duration<double> so_far = now - check_seen_->first;
  return so_far * (1.0 - done) > kLong * (done - check_seen_->second);
}

// On buffers of its own, so that short launches and the steps of a simulation go on in between.
// Long launches wait: they would only make the check longer.
bool Lab::Worker::keep_checking(std::uint64_t groups_done) {
  result_.races_progress =
      static_cast<double>(groups_done) / static_cast<double>(result_.group_count());
  if (std::chrono::steady_clock::now() - last_publish_ > publish_interval) {
    if (!result_.sliced && !paused_ && !superseded() && setup_->launcher) {
      simulation_ ? step_bodies() : repeat_launch();
    }
    if (trace_due() && check_takes_long() && !superseded() && !failed_while_checking_) {
      trace_workgroup();
    }
    publish();
  }
  return !superseded() && !restart_ && !failed_while_checking_;
}

void Lab::Worker::check_races() {
  unseen_ = false;
  checking_ = true;
  check_seen_.reset();
  const auto done = maker_->advance(core::Step::check,
                                    [this](std::uint64_t groups) { return keep_checking(groups); });
  checking_ = false;
  result_.races_progress = 0.0;
  if (const auto error = std::exchange(failed_while_checking_, std::nullopt)) {
    return fail(*error);
  }
  if (superseded() || restart_) {
    return;
  }
  if (!done) {
    return fail(done.error());
  }
  publish();
}

bool Lab::Worker::trace_due() const {
  const std::int64_t wanted = looked_into_;
  return setup_ && wanted >= 0 && wanted != traced_ && !result_.refused() &&
         wanted < static_cast<std::int64_t>(result_.tiles.group_count());
}

void Lab::Worker::trace_workgroup() {
  const std::int64_t wanted = looked_into_;
  if (wanted < 0) {
    return;
  }
  traced_ = wanted;
  maker_->options().workgroup = result_.tiles.group_at(static_cast<std::uint64_t>(wanted));
  static_cast<void>(advance(core::Step::trace, observer()));
}

bool Lab::Worker::launch_due() const {
  return setup_ && shown_ < setup_->launches.size() && shown_ != result_.launch;
}

void Lab::Worker::forget_probes() {
  traced_ = -1;
  timeline_wanted_ = true;
  if (auto reading = maker_ ? maker_->take_reading() : std::future<core::Timeline>();
      reading.valid()) {
    dropped_ = std::move(reading);  // to let go of it here would wait for it
  }
}

void Lab::Worker::change_launch() {
  const bool same_grid = setup_->launches[shown_].grid == result_.grid();
  if (same_grid) {
    result_.launch = shown_;
  } else {
    forget_probes();
    show_launch(*setup_, bench_->info(), shown_, result_);
  }
  publish();
}

bool Lab::Worker::timeline_due() const {
  return timeline_wanted_ && !reads(dropped_) && result_.races &&
         !result_.timing.samples_ms.empty();
}

}  // namespace lab
