// Measuring a setup: warm-up, samples, and the Result that a command prints or a picture shows.
#pragma once

#include <cstdint>

#include "core/catalogue/catalogue.h"
#include "core/work/result.h"
#include "lab/ready/workbench.h"

namespace lab {

struct MeasureOptions {
  std::uint32_t repeat = 0;  ///< samples; 0: as many as fit the time, 5 to 200
  /// Launch for so long before the first sample, and on to five times as long while launches still
  /// get faster: an idle GPU takes its time to come up to its clocks.
  double warm_up_ms = 1000.0;
  double time_ms = 1500.0;  ///< with repeat 0: sample for about so long
};

/// Of a setup that is loaded. Appends to `timing`: warm-up launches, then samples. Outputs are
/// overwritten, inputs stay. Stops early, with what it has, when the observer says so.
[[nodiscard]] core::Expected<void> measure(Setup& setup, const MeasureOptions& options,
                                           const SliceObserver& observer, core::Timing& timing);

/// The ladder of a variant's workload, nothing measured yet: its first variant at its preset tile,
/// which is what speed-ups are measured against, then every other variant at each of its tiles. A
/// kernel that belongs to no workload is a ladder of one, or of two above its reference.
[[nodiscard]] std::vector<core::Rung> plan_ladder(const core::Catalogue& catalogue,
                                                  const core::Variant& variant,
                                                  const std::string& reference = {});

/// What runs has a rung, too, should it be the first variant at another tile.
void add_own_rung(std::vector<core::Rung>& ladder, const core::Variant& variant,
                  std::uint32_t tile);

struct RungOptions {
  MeasureOptions measure;
  bool verify = false;  ///< compare the answer with the reference too
  /// Stands for the rung of its id: its file may have another text by now, which nobody has tried.
  const core::Variant* known = nullptr;
};

/// For rungs that are measured to be compared: an emulated device has no clocks to wait for.
[[nodiscard]] MeasureOptions thorough(const core::DeviceInfo& device);

/// The experiment that a rung is measured by: its kernel as it is written, at its tile, on the same
/// problem. Constants that were tuned are the other kernel's, and are left out.
[[nodiscard]] core::Experiment experiment_of(const core::Catalogue& catalogue,
                                             const core::Experiment& experiment,
                                             const core::Rung& rung);

/// Measures a planned rung on the experiment's problem. What keeps it from running goes into
/// Rung::error; an observer that stops it leaves it unmeasured.
void measure_rung(Workbench& bench, const core::Catalogue& catalogue,
                  const core::Experiment& experiment, const RungOptions& options,
                  const SliceObserver& observer, core::Rung& rung);

/// Fills in the rungs' speed-ups against the first.
void compare_rungs(std::vector<core::Rung>& ladder);

/// Heat maps of all buffers, inputs from the host and outputs from the device, and the particles of
/// a workload that has them, into `result`.
[[nodiscard]] core::Expected<void> read_fields(Workbench& bench, const Setup& setup,
                                               core::Result& result);

}  // namespace lab
