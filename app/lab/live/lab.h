// The lab: takes an Experiment, runs it on a worker thread and a Vulkan device of its own, and
// publishes Results. It never makes its caller wait: a request returns at once and supersedes
// whatever is under way at the next slice of the launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/catalogue/catalogue.h"
#include "core/work/experiment.h"
#include "core/work/result.h"

namespace lab {

struct LabOptions {
  bool validation = false;  ///< Vulkan validation layers, with synchronization validation
  bool ladder = true;  ///< measure the device's ceilings and the workload's other variants too, in
                       ///< the background
  bool tuned = false;  ///< start kernels as `bench --tune` found them best here
  /// This program: what tries kernels that are strangers' or changed in a process of its own before
  /// they are put on the bench (lab/live/probation.h); empty: nothing does.
  std::string probation;
};

class Lab {
 public:
  Lab(core::Catalogue catalogue, LabOptions options);
  ~Lab();
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;

  /// Run this from now on: compile, check once against the reference, then launch again and again
  /// (or step, for chained workloads), publishing as it goes. Everything of another kernel is gone
  /// from latest() when this returns; one that cannot run shows its text (Result::text_only) and
  /// the reason in Result::error. Where the same kernel cannot run so, the last good experiment
  /// runs on, with the reason in Result::error.
  /// `like`: a result of the kernel beside. A kernel without a workload is launched as that one is
  /// (lab/ready/launched_like.h), and the outputs are compared with its (Result::like).
  void request(const core::Experiment& experiment,
               std::shared_ptr<const core::Result> like = nullptr);
  /// The kernel of that variant is this text from now on, not its file's; nothing: its file's
  /// again. Where it is on the bench it is swapped once the text compiles; until then the last good
  /// one runs on, with the reason and its line in Result::error.
  void edit(const std::string& variant, std::optional<std::string> text);
  /// The same of a file that kernels include, by the path that they know it by.
  void edit_included(const std::string& path, std::optional<std::string> text);
  /// Stops launching after the slice under way; what was measured stays.
  void set_paused(bool paused);
  /// Launches nothing of its own accord while it is held: the window is not seen, or another lab
  /// measures. What is under way is ended; what is asked for is set up.
  void hold(bool held);
  /// Kernels are taken from this catalogue from now on: one was added to it.
  void offer(core::Catalogue catalogue);
  /// Gives up the launch under way and pauses; a comparison or trials under way are given up, and
  /// no more.
  void cancel();
  /// Measures all rungs of the ladder anew, each after a proper warm-up, one after the other while
  /// the live launches wait (Result::comparing). Goes on after a request that keeps the ladder.
  void compare();
  /// Tries every barrier of the kernel as every kind, checked and timed, one trial after the other
  /// while the live launches wait (Result::trying). Goes on after a request that changes barriers
  /// only.
  void try_barriers();
  /// Streams the multiplication that is on the bench over the devices of stream_of(), while the
  /// live launches wait (Result::stream); or stops that. A request stops it too.
  void stream(bool on);
  /// Chained workloads start again from their seeded inputs.
  void restart();
  /// Which launch of a run of several is shown, from 0. Cheap; may be called with the same each
  /// frame.
  void show(std::size_t launch);
  /// Which workgroup's inside of the shown launch is looked at, in launch order; nothing: none. It
  /// is traced whenever it or the kernel has changed, between launches. Cheap; may be called with
  /// the same each frame.
  void trace(std::optional<std::uint64_t> workgroup);

  /// The newest snapshot: never null, never changed after it was published. Cheap; any thread.
  [[nodiscard]] std::shared_ptr<const core::Result> latest() const;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace lab
