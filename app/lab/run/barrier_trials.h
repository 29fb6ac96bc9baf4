// Trying a kernel's barriers: checked for races and timed, one edit after the other.
#pragma once

#include "core/work/barrier_trials.h"
#include "lab/ready/workbench.h"
#include "lab/run/measure.h"

namespace lab {

/// Of a trial, and of the kernel as written that it is compared with.
[[nodiscard]] MeasureOptions trial_times(const core::DeviceInfo& device);

/// The trials of a variant's barriers, nothing done yet. An error where it can't be set up, or has
/// no barriers.
[[nodiscard]] core::Expected<core::BarrierTrials> plan_trials(Workbench& bench,
                                                              const core::Variant& variant,
                                                              const core::Experiment& experiment);

/// Checks and times the experiment with the trial's edits instead of its own, and times the kernel
/// as written just before. What keeps it from
/// running goes into the trial; an error is a lost device. An observer that stops it leaves it
/// undone.
[[nodiscard]] core::Expected<void> run_trial(Workbench& bench, const core::Variant& variant,
                                             const core::Experiment& experiment,
                                             const MeasureOptions& times,
                                             const SliceObserver& observer,
                                             core::BarrierTrial& trial);

}  // namespace lab
