// A kernel whose answer is taken for the right one: it runs on the same inputs, and the outputs are
// compared. That is how somebody who tiles their naive kernel works.
#pragma once

#include <string>
#include <vector>

#include "core/catalogue/workload.h"
#include "core/work/comparison.h"
#include "lab/ready/workbench.h"

namespace lab {

/// Largest difference of two floats that counts as the same, relative to the largest magnitude of
/// their buffer: two kernels may add in another order. Whole numbers must be the same.
inline constexpr double kReferenceTolerance = 1e-5;

/// The kernel of that name: a file, or a variant of the catalogue.
[[nodiscard]] core::Expected<core::Variant> reference_named(const std::string& name);

/// The experiment that launches the reference as `setup` is launched: as many invocations, the same
/// push constants and buffers; of its settings those that the reference has.
[[nodiscard]] core::Expected<core::Experiment> reference_experiment(const Setup& setup);

/// What the reference leaves in the buffers of `setup`, by resource; empty where it has no such
/// buffer. Runs on memory of its own.
[[nodiscard]] core::Expected<core::HostBuffers> answer_of_reference(Workbench& bench,
                                                                    const Setup& setup);

/// The comparison of the setup's outputs, by resource, with the reference's. What neither has
/// written is the same. `recorder` notes what is compared; null: nobody does.
[[nodiscard]] core::Expected<core::Check> compare_with_reference(
    Workbench& bench, const Setup& setup, core::HostBuffers after,
    core::DifferenceRecorder* recorder);

/// The types of the outputs of a standalone kernel, by resource; none for a workload, which names
/// its elements by rows and columns.
[[nodiscard]] std::vector<core::BlockLayout> layouts_of(const Setup& setup);

/// What a rung of the setup's ladder is measured by: the setup's experiment, or the reference's.
[[nodiscard]] core::Experiment rung_experiment(const Setup& setup, const core::Rung& rung);

}  // namespace lab
