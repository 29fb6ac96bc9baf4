// Makes a Result of a setup, by an ordered list of steps (core/work/step.h). The commands and the
// pictures are drivers of that list; the window's worker calls the same functions in between its
// live launches.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include <glm/vec3.hpp>

#include "core/work/catalogue.h"
#include "core/work/result.h"
#include "core/work/step.h"
#include "lab/ready/workbench.h"
#include "lab/run/measure.h"

namespace lab {

struct StepOptions {
  core::Steps steps;
  MeasureOptions measure;
  std::size_t launch = 0;       ///< the one that is shown, of a run of several
  glm::uvec3 workgroup{0};      ///< of it, the one that is traced
  double check_ms = 0.0;        ///< check for so long at most; the report says how much; 0: all
  std::uint64_t tiles = 0;      ///< check only the first so many workgroups; 0: all
  bool time_check = false;      ///< time the plain and the checked launch
  std::uint64_t simulated = 0;  ///< chained launches
  /// What can't be done of the probes is an error; else it is said where it would be shown.
  bool strict = false;
  /// Asked when all but the ladder is there, which takes longest; its error ends it.
  std::function<core::Expected<void>(const core::Result&)> suits;
};

/// Where kernels are.
struct Shelf {
  const core::Catalogue& catalogue;
  const std::filesystem::path& shaders;
};

/// Of a kernel that is refused (Result::refused) only what needs no launch is made.
[[nodiscard]] core::Expected<core::Result> make_result(Workbench& bench, const Shelf& shelf,
                                                       Setup& setup, const StepOptions& options);

/// Checks a setup in slices. Whatever keeps it from being checked, memory for one, is said in the
/// report; an error is a lost device.
[[nodiscard]] core::Expected<core::CheckReport> check_setup(Workbench& bench, const Setup& setup,
                                                            double slice_ms,
                                                            const SliceObserver& observer);

}  // namespace lab
