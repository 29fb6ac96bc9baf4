// The workbench: one device, and the experiments that are set up on it. All calls wait for the
// device; the worker thread of lab.h, the commands and the tests work through it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/workload.h"
#include "core/model/wave_model.h"
#include "core/work/experiment.h"
#include "core/work/result.h"
#include "gpu/device.h"
#include "lab/plan/plan.h"
#include "lab/ready/answers.h"
#include "lab/ready/memory.h"
#include "lab/ready/specimen.h"
#include "lab/ready/tuning.h"
#include "lab/run/launch.h"

namespace lab {

/// A problem's inputs and its buffers on the device; shared by all variants that work on it and
/// find its inputs stored the same way.
struct Data {
  core::WorkloadPtr workload;
  core::Problem problem;
  std::vector<core::BufferSpec> specs;  ///< how the buffers are stored
  core::HostBuffers inputs;             ///< kept for the comparison with the reference; rounded
  /// Inputs as they lie in their buffers, where that is another way than row-major float32.
  std::vector<std::vector<std::byte>> stored;
  Memory memory;           ///< of the buffers, once something is launched on them
  bool loaded = false;     ///< it is there, and was filled
  double upload_ms = 0.0;  ///< wall clock

  /// What a buffer holds at the start; empty for outputs.
  [[nodiscard]] std::span<const std::byte> content(std::size_t buffer) const {
    return stored[buffer].empty() ? std::as_bytes(std::span(inputs[buffer])) : stored[buffer];
  }
};

/// A kernel of a setup, compiled, planned and examined.
struct SetupKernel {
  core::Variant variant;  ///< the setup's own, or one that only it launches
  Module module;
  core::TileMap tiles;
  std::shared_ptr<Specimen> specimen;
  std::uint32_t barriers_before = 0;  ///< of kernels before it: edits count on
  gpu::Kernel plain;                  ///< once it is loaded
};

/// One launch of a setup.
struct SetupLaunch {
  const SetupKernel* kernel = nullptr;
  std::size_t number = 0;  ///< among Variant::launches
  std::size_t grid = 0;    ///< the first launch of the setup that is on the same grid
  bool own_items = false;
  std::vector<core::Section> sections;
  core::Box groups;  ///< of the workgroups of the kernel's tile map; never empty
};

/// A run, ready to be launched: its kernels compiled for one problem and tile and examined, its
/// launches in turn. Nothing of it is on the device before Workbench::load().
struct Setup {
  core::Experiment experiment;  ///< every field filled in
  core::Variant variant;
  bool tuned = false;  ///< the tile was left open, and is what was found best here
  core::WaveReport waves;
  std::vector<std::unique_ptr<SetupKernel>> kernels;
  std::vector<SetupLaunch> launches;  ///< in turn, never empty; each workgroup belongs to one
  std::vector<std::string> chosen;    ///< flags that say what was chosen; none for a variant
  std::shared_ptr<Data> data;
  Memory scratch;  ///< of the variant's own resources; zeros when a run begins
  std::size_t scratch_count = 0;
  std::unique_ptr<Launcher> launcher;  ///< null before it is loaded
  double budget_ms = 0.0;              ///< of a dispatch, at most
  double compile_ms = 0.0;             ///< GLSL to SPIR-V to pipeline, wall clock; of all kernels

  [[nodiscard]] const SetupKernel& kernel(std::size_t launch = 0) const {
    return *launches[launch].kernel;
  }
  [[nodiscard]] const core::TileMap& tiles(std::size_t launch = 0) const {
    return kernel(launch).tiles;
  }
  [[nodiscard]] const core::KernelFacts& facts(std::size_t launch = 0) const {
    return *kernel(launch).specimen->facts();
  }
  [[nodiscard]] const core::Dispatch& dispatch(std::size_t launch = 0) const {
    return kernel(launch).specimen->dispatch();
  }
  /// Workgroups of all launches.
  [[nodiscard]] std::uint64_t group_count() const;
  /// The data's buffers, then scratch, as the kernels' bindings take them.
  [[nodiscard]] Buffers buffers() const;
  /// What a run is expected to take; 0: not known.
  [[nodiscard]] double expected_ms() const { return launcher ? launcher->expected_ms() : 0.0; }
  /// What the launches on the grid of `launch` are; the same.
  [[nodiscard]] double expected_ms(std::size_t launch) const;
  /// What probes may be lent: nothing before its data is loaded.
  [[nodiscard]] Buffers lent() const { return data->loaded ? buffers() : Buffers{}; }
  /// The launch that a workgroup belongs to, of those on the grid of `launch`.
  [[nodiscard]] std::size_t launch_of(std::size_t launch, glm::uvec3 group) const;
  /// Barriers that not all invocations reach, of all kernels: such a setup is not run.
  [[nodiscard]] std::vector<core::Finding> divergent() const;
  /// The launches, for probes.
  [[nodiscard]] Turns turns() const;
};

class Workbench {
 public:
  [[nodiscard]] static core::Expected<std::unique_ptr<Workbench>> open(
      std::shared_ptr<gpu::Driver> driver, const std::string& device,
      gpu::DeviceOptions options = {});
  explicit Workbench(std::unique_ptr<gpu::Device> device);

  [[nodiscard]] gpu::Device& device() { return *device_; }
  [[nodiscard]] const core::DeviceInfo& info() const { return device_->info(); }

  /// What references answered.
  [[nodiscard]] Answers& answers() { return answers_; }

  /// From now on an experiment that leaves its tile open gets what was found best here.
  void use(Tunings tunings) { tunings_ = std::move(tunings); }

  /// Fills in, compiles and examines. Whatever does not fit the device (size, tile, memory) or the
  /// kernel (settings, source) is an error before anything is on the device. Data of the previous
  /// setup is taken over when the problem is the same. `budget_ms` is the longest that a dispatch
  /// should take. `like`: a kernel without a workload is launched as that setup is
  /// (lab/ready/launched_like.h).
  [[nodiscard]] core::Expected<std::unique_ptr<Setup>> set_up(const core::Variant& variant,
                                                              const core::Experiment& experiment,
                                                              double budget_ms,
                                                              const Setup* like = nullptr);
  /// Makes the pipelines, allocates and uploads, unless that is done. Fault::device when the kernel
  /// can't be launched here.
  [[nodiscard]] core::Expected<void> load(Setup& setup);
  /// Uploads the problem's inputs again, as at the start. Loads.
  [[nodiscard]] core::Expected<void> reset(Setup& setup);
  /// Makes the outputs as they are at the start (NaN), launches once on what is in the inputs, and
  /// compares with the reference in double. The inputs must be those of the start. Loads.
  /// `differences`: what each output differs by, beside; null: not asked for.
  [[nodiscard]] core::Expected<core::Check> verify(Setup& setup, const SliceObserver& observer,
                                                   core::Differences* differences = nullptr);
  [[nodiscard]] core::Expected<std::vector<float>> download(const gpu::Buffer& buffer);
  /// What one launch leaves in the outputs, by resource; no buffers at all if it was broken off.
  /// The inputs must be those of the start. Loads.
  [[nodiscard]] core::Expected<core::HostBuffers> answer(Setup& setup,
                                                         const SliceObserver& observer);

 private:
  [[nodiscard]] std::shared_ptr<Data> make_data(const core::WorkloadPtr& workload,
                                                std::vector<core::BufferSpec> specs,
                                                const core::Problem& problem);
  // Of a variant with a workload, of a file, and of a saved dispatch.
  [[nodiscard]] core::Expected<void> set_up_variant(Setup& setup,
                                                    const core::Experiment& experiment);
  [[nodiscard]] core::Expected<void> set_up_kernel(Setup& setup, const core::Experiment& experiment,
                                                   const Setup* like);
  [[nodiscard]] core::Expected<void> set_up_saved(Setup& setup);
  [[nodiscard]] core::Expected<void> take_overridden(Setup& setup, PlannedLaunch launch);
  // Checks against the device's limits, and examines. Edits of barriers count on from kernel to
  // kernel.
  [[nodiscard]] core::Expected<void> take_plans(Setup& setup, std::vector<PlannedLaunch> launches);
  [[nodiscard]] core::Expected<void> take_kernel(Setup& setup, PlannedLaunch& launch,
                                                 core::BarrierEdits& edits) const;
  // A plan of its own sizes, with nothing that a workload would say of it.
  [[nodiscard]] core::Expected<void> take_stranger(Setup& setup,
                                                   std::vector<PlannedLaunch> launches);
  [[nodiscard]] core::Expected<void> load_data(Setup& setup);
  [[nodiscard]] core::Expected<void> load_pipeline(Setup& setup);
  std::unique_ptr<gpu::Device> device_;
  Tunings tunings_;
  Answers answers_;
  std::vector<std::weak_ptr<Data>> known_data_;  // some may be gone
};

/// The report on a setup whose facts name divergent barriers: nothing of it ran.
[[nodiscard]] core::CheckReport refusal(const Setup& setup, const core::DeviceInfo& device);

/// A Result with everything that is known once an experiment is set up, and nothing measured.
/// `launch` is the one that is shown.
[[nodiscard]] core::Result describe(const Setup& setup, const core::DeviceInfo& device,
                                    std::size_t launch = 0);

/// Shows another launch of the setup: what is known of the one that was shown (trace, timeline,
/// occupancy) is not there any more, or is its own.
void show_launch(const Setup& setup, const core::DeviceInfo& device, std::size_t launch,
                 core::Result& result);

}  // namespace lab
