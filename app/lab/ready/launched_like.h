// A kernel without a workload that is launched as another one is: for the compare view.
#pragma once

#include "lab/ready/workbench.h"

namespace lab {

/// Returns the experiment that launches `module` as `first` is launched: as many invocations, and
/// the same value for each setting, member of push constants or member of a block whose name both
/// kernels have. Where no member of the push constants has a name in common, the words are the
/// same.
[[nodiscard]] core::Expected<core::Experiment> launched_like(const Setup& first,
                                                             const Module& module,
                                                             core::Experiment experiment);

/// Gives each resource of `dispatch` the size and the content of the one with the same name, else
/// with the same set and binding, that `first` has.
void share_buffers(const core::Dispatch& first, core::Dispatch& dispatch);

/// Launches both and compares the outputs that they have in common, by name, else by set and
/// binding. The inputs must be those of the start. Fails if there is none, or if the sizes differ.
/// Not done if the observer breaks a launch off.
[[nodiscard]] core::Expected<core::Check> compare_setups(Workbench& bench, Setup& first,
                                                         Setup& setup,
                                                         const SliceObserver& observer);

}  // namespace lab
