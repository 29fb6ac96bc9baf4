// Probation: a kernel that the window has not run yet on this device and driver is first compiled,
// built into its pipelines and launched, plain and under each probe, by a child of this program
// (core/base/child.h). What crashes or stalls there is a sentence; the window goes on with the last
// good kernel meanwhile. What came of it is remembered in the cache folder, by the kernel's texts,
// its options, the device and its driver, so that nothing known is tried twice.
//
// A candidate lies in a folder: scene.toml is its experiment, `source` its text, which its file may
// no longer have, texts/NAME those of kernels that it launches. The child (`tilescope probation
// FOLDER`) prints a line for each file that it was compiled from, and one where it lost the device.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/child.h"
#include "core/base/device_info.h"
#include "core/catalogue/catalogue.h"
#include "core/work/experiment.h"
#include "gpu/driver.h"

namespace lab {

struct Candidate {
  core::Variant variant;
  core::Experiment experiment;
};

/// Files that a kernel was compiled from, with what tells their contents apart.
using Ingredients = std::map<std::string, std::string>;
/// Of a file that it includes, another may lie there by now.
[[nodiscard]] bool as_they_were(const Ingredients& ingredients);

/// What came of it: the sentence that says why it is not run; empty: it may be.
struct Verdict {
  std::string sentence;
  Ingredients from;  ///< what it was tried with; of one that was remembered, nothing
  [[nodiscard]] bool passed() const { return sentence.empty(); }
};

/// What was found out before, in a file of one line a kernel; the newest kept. A damaged line is
/// passed over. Several windows may use one file.
class ProbationMemory {
 public:
  explicit ProbationMemory(std::filesystem::path file) : file_(std::move(file)) {}
  /// `ingredients` in a line must still be what they were.
  [[nodiscard]] std::optional<Verdict> find(const std::string& key) const;
  void keep(const std::string& key, const Verdict& verdict, const Ingredients& ingredients) const;

 private:
  std::filesystem::path file_;
};

/// What a verdict is remembered by: texts, options (not sizes or the seed), device and driver.
[[nodiscard]] std::string probation_key(const Candidate& candidate, const core::DeviceInfo& device);

class Probation {
 public:
  /// `program`: what runs a candidate; empty: every candidate passes. `ended` is called, from
  /// another thread, when one has been tried.
  Probation(std::string program, bool validation, std::function<void()> ended);
  ~Probation();
  Probation(const Probation&) = delete;
  Probation& operator=(const Probation&) = delete;

  /// Nothing: it must be tried.
  [[nodiscard]] std::optional<Verdict> known(const Candidate& candidate,
                                             const core::DeviceInfo& device) const;
  /// Tries it. One that is being tried is given up.
  void begin(Candidate candidate, const core::DeviceInfo& device);
  void stop();
  /// The one that is being tried, or was and has not been taken; null: none.
  [[nodiscard]] const Candidate* candidate() const { return candidate_ ? &*candidate_ : nullptr; }
  /// The candidate that was tried, and what came of it; nothing while that goes on.
  [[nodiscard]] std::optional<std::pair<Candidate, Verdict>> take();

 private:
  void run(const std::stop_token& stopped, const Candidate& candidate, const std::string& key);
  [[nodiscard]] Verdict judge(const core::ChildEnd& end, const core::ChildLimits& limits,
                              const Candidate& candidate, const std::string& key,
                              const std::filesystem::path& folder) const;

  std::string program_;
  bool validation_;
  std::function<void()> ended_;
  ProbationMemory memory_;
  std::optional<Candidate> candidate_;
  std::mutex mutex_;
  std::optional<Verdict> verdict_;  // guarded
  std::jthread thread_;
};

/// What the child does: compiles the candidate in a folder, builds its pipelines and launches a
/// slice of it, plain and under each probe. An error with device_lost is a verdict; others are said
/// by whoever makes it next, in the same words.
[[nodiscard]] core::Expected<Ingredients> try_out(const std::shared_ptr<gpu::Driver>& driver,
                                                  core::Catalogue catalogue,
                                                  const std::filesystem::path& shaders,
                                                  const std::filesystem::path& folder);

/// Of the child: its answer as lines for stdout.
[[nodiscard]] std::string format_ingredients(const Ingredients& ingredients);

}  // namespace lab
