// The lab's thread: takes requests, keeps one experiment on a workbench, and in between launches it
// live, checks it for races and climbs the ladder, a slice at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/report/timeline.h"
#include "lab/live/lab.h"
#include "lab/live/probation.h"
#include "lab/ready/workbench.h"
#include "lab/run/ceilings.h"
#include "lab/run/launch.h"
#include "lab/run/simulation.h"
#include "lab/run/steps.h"

namespace lab {

/// About so often a new snapshot is published.
constexpr auto publish_interval = std::chrono::milliseconds(33);
/// A dispatch in the window takes this long at most.
constexpr double live_slice_ms = 25.0;

// Owns the thread and the state that callers and the thread share.
class Lab::Worker {
 public:
  Worker(core::Catalogue catalogue, LabOptions options);
  ~Worker();

  void request(const core::Experiment& experiment, std::shared_ptr<const core::Result> like);
  void edit(const std::string& variant, std::optional<std::string> text);
  void edit_included(const std::string& path, std::optional<std::string> text);
  void hold(bool held);
  void offer(core::Catalogue catalogue);
  void set_paused(bool paused);
  void cancel();
  void restart();
  void compare();
  void try_barriers();
  void stream(bool on);
  void show(std::size_t launch);
  void trace(std::optional<std::uint64_t> workgroup);
  std::shared_ptr<const core::Result> latest() const;

 private:
  void work();
  void turn();
  void wait_for_work();
  bool take_request();
  bool take_edits();
  void take_catalogue();
  bool take_included();
  [[nodiscard]] core::Variant with_included(core::Variant variant) const;
  void take_launched_edit(const std::string& id, const std::optional<std::string>& text);
  void put_into_catalogue(const core::Variant& fresh);
  [[nodiscard]] core::Expected<core::Variant> as_edited(const std::string& id) const;
  std::optional<core::DeviceInfo> pick(const std::string& device);
  bool open_workbench(const std::string& device, bool robust);
  // Puts a kernel on the bench: at once where it is ours or known, else once it has been tried.
  void consider(const core::Variant& plain, const core::Experiment& experiment,
                bool changed = false);
  void decide(const Candidate& candidate, const Verdict& verdict);
  void end_probation();
  [[nodiscard]] bool is_ours(const core::Variant& variant) const;
  [[nodiscard]] bool is_robust_for(const core::Variant& variant) const;
  // The launch of what is on the bench stays: only the outputs are to be compared anew.
  [[nodiscard]] bool keeps_launch(const core::Experiment& wanted, const core::Result* before) const;
  void compare_outputs();
  void lose_device();
  void revive();
  void set_up(const core::Variant& variant, const core::Experiment& experiment);
  void begin(std::unique_ptr<Setup> setup);
  void answer();
  void ask(const core::Experiment& wanted);
  // Clears everything of the kernel before.
  void change_kernel(const core::Variant& next, const core::Experiment& wanted);
  void note_file_time();
  void reload_if_changed();
  void reload_asked();
  void live();
  void step_bodies();
  void repeat_launch();
  // A piece of a step of the list (lab/run/steps.h), published; nothing: it failed.
  std::optional<bool> advance(core::Step step, const SliceObserver& observer);
  [[nodiscard]] StepOptions step_options();
  void check_races();
  [[nodiscard]] bool check_due() const;
  bool keep_checking(std::uint64_t groups_done);
  [[nodiscard]] bool check_takes_long();
  void trace_workgroup();
  [[nodiscard]] bool trace_due() const;
  void change_launch();
  [[nodiscard]] bool launch_due() const;
  void forget_probes();
  [[nodiscard]] bool at_rest() const;
  [[nodiscard]] bool ladder_due() const;
  void climb();
  void let_go_of_ceilings();
  [[nodiscard]] bool timeline_due() const;
  void measure_next_rung();
  [[nodiscard]] std::optional<core::Expected<core::Variant>> kernel_beside(
      const core::Experiment& experiment);
  [[nodiscard]] std::optional<Verdict> verdict_beside(const Candidate& candidate);
  void wait_for_trial();
  bool refine_occupancy();
  [[nodiscard]] bool comparison_due() const {
    return setup_ && !held_ && (compare_ || result_.comparing);
  }
  void begin_comparison();
  void compare_next_rung();
  void end_comparison();
  [[nodiscard]] bool trials_due() const {
    return setup_ && !held_ && (try_barriers_ || result_.trying);
  }
  void keep_trials(std::shared_ptr<const core::BarrierTrials> trials, bool trying);
  void next_trial();
  void end_trials();
  [[nodiscard]] bool stream_due() const { return setup_ && !held_ && stream_; }
  void stream_once();
  void keep_stream(std::shared_ptr<const core::StreamReport> stream);
  void plan_new_ladder();
  void add_samples(const std::vector<LaunchTime>& times);
  void fail(const core::Error& error);
  void publish();
  bool superseded() const { return pending_flag_ || stopping_ || cancelled_ || tried_; }
  SliceObserver observer();

  core::Catalogue catalogue_;
  LabOptions options_;
  std::filesystem::path shaders_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<core::Experiment> pending_;                             // guarded
  std::shared_ptr<const core::Result> pending_like_;                    // guarded; with it
  std::map<std::string, std::optional<std::string>> pending_edits_;     // guarded; by variant
  std::map<std::string, std::optional<std::string>> pending_included_;  // guarded; by path
  std::optional<core::Catalogue> pending_catalogue_;                    // guarded
  core::Catalogue known_;                                               // guarded; for requests
  std::shared_ptr<const core::Result> latest_;                          // guarded
  std::atomic<bool> pending_flag_ = false;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> tried_ = false;  // a candidate, whose verdict waits
  std::atomic<bool> paused_ = false;
  std::atomic<bool> by_reader_ = false;  // paused, and not by giving up
  std::atomic<bool> unseen_ = false;     // set up while paused: to be looked at once
  std::atomic<bool> held_ = false;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> restart_ = false;
  std::atomic<bool> compare_ = false;           // asked for, or under way
  std::atomic<bool> try_barriers_ = false;      // asked for, or under way
  std::atomic<bool> stream_ = false;            // the same
  std::atomic<std::int64_t> looked_into_ = -1;  // workgroup to be traced; -1: none
  std::atomic<std::size_t> shown_ = 0;          // launch

  // The thread's own.
  std::shared_ptr<gpu::Driver> driver_;
  std::string device_;
  std::unique_ptr<Workbench> bench_;
  bool robust_ = false;              // its device
  std::shared_ptr<Data> kept_data_;  // of the kernel before, until another one is set up
  bool kept_moved_ = false;          // it was a simulation's
  std::unique_ptr<Setup> setup_;
  std::unique_ptr<Simulation> simulation_;
  std::shared_ptr<CeilingsMeter> meter_;            // of bench_; while it is at work
  std::shared_ptr<const core::Ceilings> ceilings_;  // of bench_
  core::Result result_;
  std::unique_ptr<StepMaker> maker_;  // of setup_ and result_
  std::string ladder_of_;
  std::map<std::string, std::string> edited_;    // kernels that are not their file's, by variant
  std::map<std::string, std::string> included_;  // the same of files that they include, by path
  std::map<std::string, std::string> ours_;      // what the catalogue's texts were, by variant
  std::optional<core::Experiment> asked_;        // the last, whatever came of it
  std::shared_ptr<const core::Result> like_;     // what it is launched like; null: by itself
  bool outputs_due_ = false;                     // they are to be compared with those of like_
  std::optional<Candidate> good_;                // the last that has answered, of this kernel
  std::optional<Candidate> revived_;             // what goes on once there is a device again
  int losses_ = 0;                               // of devices, since something was asked for
  core::Experiment trials_of_;                   // without its edits
  std::string trials_source_;
  std::int64_t traced_ = -1;             // workgroup that result_.trace is of, or was to be
  bool timeline_wanted_ = false;         // of what is set up: not there yet
  std::future<core::Timeline> dropped_;  // still being read, of an experiment that is gone
  bool checking_ =
      false;  // what goes wrong meanwhile waits until the check has let go of the device
  std::optional<core::Error> failed_while_checking_;
  /// When the check under way was first seen to have come how far, 0 to 1.
  std::optional<std::pair<std::chrono::steady_clock::time_point, double>> check_seen_;
  std::chrono::steady_clock::time_point last_publish_;
  std::chrono::steady_clock::time_point last_file_check_;
  std::filesystem::file_time_type file_time_;
  std::filesystem::file_time_type
      reread_;  // of the file when it was found to be newer than its text
  Probation probation_;
  Probation beside_;  // rungs of the ladder, barriers' trials, other tiles: tried beside what runs
  std::map<std::string, Verdict> verdicts_beside_;  // since something else stands on the bench
  std::jthread thread_;                             // last: it uses all of the above
};

}  // namespace lab
