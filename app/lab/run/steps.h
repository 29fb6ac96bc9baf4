// Makes a Result of a setup, by an ordered list of steps (core/work/step.h). The commands, the
// pictures and the window's worker are drivers of that list: the first two make all that is needed,
// one step after the other; the worker does a piece of a step whenever nothing else is asked of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>

#include <glm/vec3.hpp>

#include "core/catalogue/catalogue.h"
#include "core/report/timeline.h"
#include "core/work/result.h"
#include "core/work/step.h"
#include "lab/ready/workbench.h"
#include "lab/run/measure.h"

namespace lab {

class CeilingsMeter;

struct StepOptions {
  core::Steps steps;
  MeasureOptions measure;
  std::optional<MeasureOptions> rungs;  ///< of the ladder, where it is not measured like the rest
  std::size_t launch = 0;               ///< the one that is shown, of a run of several
  glm::uvec3 workgroup{0};              ///< of it, the one that is traced
  double check_ms = 0.0;        ///< check for so long at most; the report says how much; 0: all
  std::uint64_t tiles = 0;      ///< check only the first so many workgroups; 0: all
  bool time_check = false;      ///< time the plain and the checked launch
  bool loops = false;           ///< look for loops that a CPU device ends early
  std::uint64_t simulated = 0;  ///< chained launches
  /// Of chained launches: told of the bodies at the start and after every so many; 0: never.
  std::uint64_t moment_every = 0;
  std::function<void(std::shared_ptr<const core::Bodies>)> moment;
  double slice_ms = 500.0;   ///< a probe's dispatch, at most, where one takes longer
  double timeline_ms = 0.0;  ///< a run that takes longer is not recorded; 0: any is
  /// What the driver would wait for is read beside its thread (a million tiles take a second to
  /// sort), and all that can't be done but for a lost device is said where it would be shown.
  bool beside = false;
  std::shared_ptr<CeilingsMeter> meter;  ///< goes on from where it is; null: one of its own
  /// What can't be done of the probes is an error; else it is said where it would be shown.
  bool strict = false;
  /// The kernel of what is compiled beside the setup, by its experiment: a rung, a trial's
  /// barriers, another tile. Nothing: it is not to be had yet; an error is the rung's, the trial's,
  /// the tile's. Empty: the setup's own text, or what the catalogue has.
  std::function<std::optional<core::Expected<core::Variant>>(const core::Experiment&)> kernel;
  /// Asked between pieces of steps; once it says no, what is left of them is not made, and the
  /// result says which (Result::left_out). Empty: all are made.
  SliceObserver observer;
  /// Asked when all but the ladder is there, which takes longest; its error ends it.
  std::function<core::Expected<void>(const core::Result&)> suits;
};

/// Where kernels are.
struct Shelf {
  const core::Catalogue& catalogue;
  const std::filesystem::path& shaders;
};

/// Asked from time to time while a step is being made, with the workgroups that it has done or,
/// where it does none, 0. False: leave it. What the result has by then stands.
using StepObserver = SliceObserver;

/// The steps of one setup, on a result that is the driver's.
class StepMaker {
 public:
  /// All of it must outlive this; `result` is what describe() made of the setup.
  StepMaker(Workbench& bench, const Shelf& shelf, Setup& setup, StepOptions options,
            core::Result& result);
  ~StepMaker();
  StepMaker(const StepMaker&) = delete;
  StepMaker& operator=(const StepMaker&) = delete;

  /// The next piece of a step: a tile's occupancy, a rung, a trial, or all of it. True: the step is
  /// done, and the result has it; or there is nothing to be done. False: there is more to come, or
  /// the observer did not let it end. What can't be done is said in the result, where that has a
  /// place for it; errors are of the device and, where `strict`, of the probes.
  [[nodiscard]] core::Expected<bool> advance(core::Step step, const StepObserver& observer);
  /// All of a step; false: the observer did not let it end.
  [[nodiscard]] core::Expected<bool> make(core::Step step, const StepObserver& observer);

  /// What steps to come are made with; the driver may change it between them.
  [[nodiscard]] StepOptions& options() { return options_; }
  /// What is still being read beside the driver's thread, if anything is: whoever lets go of it
  /// waits.
  [[nodiscard]] std::future<core::Timeline> take_reading() { return std::move(reading_); }

 private:
  using Done = core::Expected<bool>;
  struct Row;
  static const Row kRows[];
  Done verify(const StepObserver& observer);
  Done look_at_loops(const StepObserver& observer);
  Done measure(const StepObserver& observer);
  Done fields(const StepObserver& observer);
  Done occupancy(const StepObserver& observer);
  Done check(const StepObserver& observer);
  Done trace(const StepObserver& observer);
  Done timeline(const StepObserver& observer);
  Done trials(const StepObserver& observer);
  Done stream(const StepObserver& observer);
  Done ceilings(const StepObserver& observer);
  Done simulate(const StepObserver& observer);
  Done ladder(const StepObserver& observer);
  Done record(const StepObserver& observer);
  [[nodiscard]] bool ends_it(const core::Error& error) const;
  void keep_timeline(core::Timeline timeline);
  [[nodiscard]] core::Rung* next_rung() const;
  [[nodiscard]] std::optional<core::Expected<core::Variant>> kernel_of(
      const core::Experiment& experiment) const;
  [[nodiscard]] std::optional<core::Expected<core::Variant>> own_kernel(
      core::Experiment experiment) const;
  Done measure(core::Rung& rung, const StepObserver& observer);
  [[nodiscard]] bool is_this(const core::Rung& rung) const;

  Workbench& bench_;
  Shelf shelf_;
  Setup& setup_;
  StepOptions options_;
  core::Result& result_;
  std::future<core::Timeline> reading_;  // recorded, and being read
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
