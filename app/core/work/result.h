// A result: plain data that holds all that happened in a run. Every face (panel, table, JSON,
// picture, test) reads a Result and nothing else. Snapshots are immutable once published; the big
// parts are shared between snapshots.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "core/base/device_info.h"
#include "core/base/error.h"
#include "core/base/field.h"
#include "core/catalogue/tile_map.h"
#include "core/catalogue/variant.h"
#include "core/catalogue/workload.h"
#include "core/report/check_report.h"
#include "core/report/timing.h"
#include "core/report/trace.h"
#include "core/report/traffic.h"
#include "core/values/buffer_table.h"
#include "core/work/experiment.h"
#include "core/work/kernel_facts.h"
#include "core/work/source_file.h"
#include "core/work/step.h"

namespace core {

struct Advice;
struct BankReport;
struct BarrierTrials;
struct Ceilings;
struct Difference;
struct Occupancy;
struct Particles;
struct StreamReport;
struct Timeline;
struct WaveReport;

enum class Stage { starting, compiling, uploading, verifying, running, paused, done, failed };

/// Measured: device timestamps around the plain, uninstrumented launch.
struct Timing {
  std::vector<double> samples_ms;  ///< oldest first; the last few hundred when live
  Spread spread;                   ///< of samples_ms
  std::uint32_t wanted = 0;        ///< samples that were asked for: it may have been stopped
  std::uint32_t warm_up = 0;       ///< launches before the first sample, left out
  std::uint32_t slices = 1;        ///< pieces a launch was cut into; a sample is their sum
  std::uint64_t launches = 0;      ///< all launches so far, warm-up included
  double compile_ms = 0.0;         ///< GLSL to SPIR-V to pipeline, wall clock
  double upload_ms = 0.0;          ///< inputs to the device, wall clock
  /// Of a run of several launches: samples of each, in turn, as many as of the whole.
  std::vector<std::vector<double>> each_ms;

  /// A run's time, and that of each of its launches, where there are several. Only the last `most`
  /// samples are kept; 0: all. The spread is worked out by whoever has added what there was.
  void add(double ms, std::span<const double> each, std::size_t most = 0);
};

/// Bodies of an n-body run at one moment.
struct Bodies {
  std::vector<glm::vec4> positions;   ///< xyz in length units, w the mass
  std::vector<glm::vec4> velocities;  ///< xyz, half a step behind the positions (leapfrog)
  std::uint64_t step = 0;
  double time = 0.0;          ///< step times dt
  double energy = 0.0;        ///< kinetic plus potential, at the last step it was computed for
  double first_energy = 0.0;  ///< the same at the start
  std::uint64_t energy_step = 0;
  std::vector<float> drift;  ///< history of (energy − first) / |first|, evenly spaced in steps
};

/// One rung of the ladder: a variant at a tile, measured at the same sizes on the same device.
struct Rung {
  std::string variant;  ///< id
  std::string name;     ///< "tiled"
  std::string title;
  std::uint32_t tile = 0;  ///< 0: no tile
  bool measured = false;
  bool due = false;           ///< to be measured anew: what is here is from before
  Spread spread;              ///< ms
  std::uint32_t wanted = 0;   ///< samples that were asked for: it may have been stopped
  std::uint32_t warm_up = 0;  ///< launches before the first sample, left out
  double warm_up_ms = 0.0;    ///< launches went on for so long at least before the first sample
  Check check;                ///< of this rung's answer; not done when it was only timed
  Precision precision = Precision::fp32;  ///< of its inputs: fp16 is other work than float32
  double bytes = 0.0;                     ///< a launch, as the answer needs them
  double speedup = 0.0;  ///< median of the ladder's first rung over this median; 0: not known yet
  std::optional<Error> error;  ///< why it can't run here
  bool refused = false;        ///< that is because not all invocations reach one of its barriers
};

/// One launch of the variant as it was set up.
struct Launch {
  std::string kernel;  ///< id of the variant that its kernel is
  std::string title;
  /// The first launch that is on the same grid. Launches that do a section each share one; all
  /// others have grids of their own.
  std::size_t grid = 0;
  TileMap tiles;                    ///< of the grid
  bool own_items = false;           ///< its work items are not those that the workload speaks of
  std::vector<Section> sections;    ///< empty: all of the extent
  Box groups;                       ///< of the workgroups of `tiles`, those that it launches
  std::string source;               ///< the kernel's own file; empty where there is no text
  std::vector<SourceFile> sources;  ///< that file, then those that it includes
  std::shared_ptr<const KernelFacts> facts;
  std::uint32_t barriers_before = 0;  ///< its barrier K is the experiment's barriers_before + K
};

/// The kernel that another one is launched like, in the compare view, and how the outputs compare.
struct LaunchedLike {
  Experiment experiment;       ///< of that kernel, every field filled in
  std::string source;          ///< its text
  Check outputs;               ///< against that kernel's outputs; not done: not compared yet
  std::optional<Error> error;  ///< why the outputs can't be compared
};

struct Result {
  Experiment experiment;  ///< every field filled in
  Problem problem;        ///< the same, as the workload sees it
  Variant variant;
  WorkloadPtr work;  ///< what the numbers mean; null for a kernel that belongs to no workload
  DeviceInfo device;
  std::vector<BufferSpec> buffers;

  Stage stage = Stage::starting;
  std::optional<Error> error;  ///< of the last request; what else is here is the last good state
  /// The kernel is not set up yet, or `error` says why it can't be. Only `experiment`, `variant`
  /// and what belongs to the device or the workload is valid.
  bool text_only = false;

  /// Flags that repeat what was chosen for a kernel that belongs to no workload.
  std::vector<std::string> chosen;
  bool tuned = false;  ///< tile and constants were found best here by `bench --tune`
  std::shared_ptr<const WaveReport> waves;  ///< modelled: how it fills the device, who chose it
  /// In turn; each starts when the one before is done. Together they are timed and checked as one.
  /// Each workgroup of a grid belongs to one of them.
  std::vector<Launch> launches;
  /// The launch that is shown. The tile map, the facts, the trace and what follows from it, the
  /// timeline and the occupancy are of its grid alone, never of another's.
  std::size_t launch = 0;
  TileMap tiles;
  /// Of the run under way, launch after launch, each in launch order; all when finished.
  std::uint64_t groups_done = 0;
  bool sliced = false;    ///< the launch is long enough to be cut into slices
  double progress = 1.0;  ///< of the launch under way

  /// Asked for and not made, or not to their end: the observer stopped them.
  Steps left_out;

  Timing timing;
  Check check;
  double flops = 0.0;  ///< a launch, as the answer needs them
  /// Else, of a kernel that nobody says that of: those of the traced workgroup, as often as there
  /// are workgroups; until one is traced there are none.
  bool flops_traced = false;
  double bytes = 0.0;

  /// Loops that a CPU device ended before the kernel did: answer and times are not the kernel's.
  std::vector<Finding> unfinished;

  std::shared_ptr<const KernelFacts> facts;    ///< of the kernel with its barriers as edited
  std::shared_ptr<const CheckReport> races;    ///< instrumented; null: not checked yet
  double races_progress = 0.0;                 ///< of the check under way, 0 to 1
  std::shared_ptr<const Trace> trace;          ///< instrumented; null: no workgroup was asked for
  std::optional<Traffic> traffic;              ///< of the trace; nothing: none that is complete
  std::shared_ptr<const BankReport> banks;     ///< modelled, of `trace`; null where that is
  std::shared_ptr<const Advice> advice;        ///< of `trace`; null where that is
  std::shared_ptr<const Timeline> timeline;    ///< instrumented; null: not recorded
  std::shared_ptr<const Occupancy> occupancy;  ///< modelled; null: not computed yet
  std::shared_ptr<const Ceilings> ceilings;    ///< of this device, measured; null: not yet

  std::vector<std::shared_ptr<const Field>> fields;  ///< one a buffer, null when not drawn
  std::vector<BufferContent> contents;  ///< one for each buffer, after the first launch
  /// One a buffer, as the check compared them; null where it compared nothing of it. Empty: none.
  std::vector<std::shared_ptr<const Difference>> differences;
  std::shared_ptr<const Bodies> bodies;        ///< n-body only
  std::shared_ptr<const Particles> particles;  ///< lavaMD only; null: no answer yet
  std::vector<Rung> ladder;
  std::shared_ptr<const StreamReport> stream;  ///< of these sizes; null: not asked for yet
  bool comparing = false;  ///< all rungs are measured anew, one after the other, and nothing else
  std::shared_ptr<const LaunchedLike> like;     ///< of the kernel beside; null: it is alone
  std::shared_ptr<const BarrierTrials> trials;  ///< of the kernel's barriers; null: not asked for
  bool trying = false;                          ///< they are under way, and nothing else

  /// A barrier of one of its kernels that not all invocations reach: it is not run at all. `races`
  /// says which.
  [[nodiscard]] bool refused() const;
  /// The grid that is shown.
  [[nodiscard]] std::size_t grid() const {
    return launch < launches.size() ? launches[launch].grid : 0;
  }
  /// Grids, of which one is shown at a time, by their first launches.
  [[nodiscard]] std::vector<std::size_t> grids() const;
  /// The launch that a workgroup of the shown grid belongs to; null where launches are not known.
  [[nodiscard]] const Launch* launch_of(glm::uvec3 group) const;
  /// Workgroups of all launches.
  [[nodiscard]] std::uint64_t group_count() const;
  /// Of groups_done, those of the shown grid.
  [[nodiscard]] std::uint64_t shown_groups_done() const;
  /// The workload, where the shown grid's work items are those that it speaks of; else null.
  [[nodiscard]] const Workload* items_work() const;
  /// Rates at the median time; 0 without samples.
  [[nodiscard]] double gflops() const;
  [[nodiscard]] double gbps() const;
};

/// Returns the result of a kernel that is asked for and not set up: `text_only`. Keeps what
/// `before` knows of the device and, where the same work is done at the same sizes, the ladder.
/// Keeps nothing of the kernel before.
[[nodiscard]] Result not_set_up(const Result& before, Variant variant,
                                const Experiment& experiment);

}  // namespace core
