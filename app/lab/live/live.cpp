// What the lab does while nothing else is asked of it: launches again and again, and the check for
// races. The ladder is in ladder.cpp.
#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "lab/live/worker.h"
#include "lab/run/measure.h"
#include "lab/run/occupancy.h"
#include "lab/run/steps.h"
#include "lab/run/timeline.h"
#include "lab/run/trace.h"

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
  result_.stage = core::Stage::running;
  if (simulation_) {
    step_bodies();
  } else {
    repeat_launch();
  }
  if (!setup_ || superseded()) {
    return;
  }
  publish();
  take_timeline();
  if (can_refine(*result_.occupancy, bench_->info())) {
    refine_occupancy();
  } else if (check_due()) {
    check_races();
  } else if (timeline_due()) {
    record_timeline();
  } else if (result_.races && ladder_due()) {
    climb();
  }
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

bool Lab::Worker::check_due() const {
  const std::size_t samples = result_.timing.samples_ms.size();
  return !result_.races && samples >= (result_.sliced ? 1 : kSamplesBeforeCheck);
}

// On buffers of its own, so that short launches and the steps of a simulation go on in between.
// Long launches wait: they would only make the check longer.
bool Lab::Worker::keep_checking(std::uint64_t groups_done) {
  result_.races_progress =
      static_cast<double>(groups_done) / static_cast<double>(result_.group_count());
  if (std::chrono::steady_clock::now() - last_publish_ > publish_interval) {
    if (!result_.sliced && !paused_ && !superseded()) {
      simulation_ ? step_bodies() : repeat_launch();
    }
    if (trace_due() && !superseded() && !failed_while_checking_) {
      trace_workgroup();
    }
    publish();
  }
  return !superseded() && !restart_ && !failed_while_checking_;
}

void Lab::Worker::check_races() {
  checking_ = true;
  auto report = check_setup(*bench_, *setup_, live_slice_ms,
                            [this](std::uint64_t done) { return keep_checking(done); });
  checking_ = false;
  result_.races_progress = 0.0;
  if (const auto error = std::exchange(failed_while_checking_, std::nullopt)) {
    return fail(*error);
  }
  if (superseded() || restart_) {
    return;
  }
  if (!report) {
    return fail(report.error());
  }
  result_.races = std::make_shared<const core::CheckReport>(std::move(*report));
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
  const glm::uvec3 group = result_.tiles.group_at(static_cast<std::uint64_t>(wanted));
  const std::size_t launch = setup_->launch_of(result_.launch, group);
  const Turns turns = setup_->turns();
  auto trace =
      lab::trace_workgroup(bench_->device(), *turns[launch].specimen, group,
                           {.lent = setup_->lent(), .before = std::span(turns).first(launch)});
  if (!trace && trace.error().device_lost) {
    return fail(trace.error());
  }
  if (!trace) {  // its reason is shown where the trace would be
    core::Trace nothing;
    nothing.workgroup = {group.x, group.y, group.z};
    nothing.incomplete.push_back(trace.error().message);
    trace = std::move(nothing);
  }
  keep_trace(std::move(*trace), result_);
  publish();
}

bool Lab::Worker::launch_due() const {
  return setup_ && shown_ < setup_->launches.size() && shown_ != result_.launch;
}

void Lab::Worker::forget_probes() {
  traced_ = -1;
  timeline_wanted_ = true;
  if (timeline_.valid()) {
    dropped_ = std::move(timeline_);  // to let go of it here would wait for it
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

// What it was recorded for is read beside this thread: a million tiles take a second to sort.
void Lab::Worker::record_timeline() {
  timeline_wanted_ = false;
  const auto nothing = [this](std::string why) {
    core::Timeline none;
    none.incomplete.push_back(std::move(why));
    result_.timeline = std::make_shared<const core::Timeline>(std::move(none));
    publish();
  };
  if (const double ms = result_.timing.spread.median; ms > kCheapMs) {
    return nothing(fmt::format(
        "A launch takes {:.1f} s: it is not launched once more for its timeline. `tilescope run {} "
        "--probe timeline` does.",
        ms * 1e-3, result_.variant.id()));
  }
  auto record =
      record_launch(bench_->device(), setup_->turns(),
                    {.grid = result_.grid(),
                     .lent = setup_->lent(),
                     .expected_ms = setup_->expected_ms(result_.launch),
                     .slice_ms = live_slice_ms,
                     .observer = [this](std::uint64_t) { return !superseded() && !restart_; }});
  if (!record && record.error().device_lost) {
    return fail(record.error());
  }
  if (!record) {
    return nothing(record.error().message);
  }
  if (record->slices.empty()) {
    timeline_wanted_ = true;
    return;
  }
  timeline_ = std::async(std::launch::async,
                         [record = std::move(*record)] { return read_timeline(record); });
}

void Lab::Worker::take_timeline() {
  if (timeline_.valid() && !reads(timeline_)) {
    result_.timeline = std::make_shared<const core::Timeline>(timeline_.get());
    publish();
  }
}

// A tile at a time, so that the live view goes on in between.
void Lab::Worker::refine_occupancy() {
  auto occupancy = std::make_shared<core::Occupancy>(*result_.occupancy);
  if (const auto ok = refine(bench_->device(), *setup_, result_.launch, *occupancy); !ok) {
    return fail(ok.error());
  }
  result_.occupancy = std::move(occupancy);
  publish();
}

}  // namespace lab
