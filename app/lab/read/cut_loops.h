// Loops that were cut short in a checked launch, and the code behind them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "spirv/analysis/examination.h"
#include "spirv/analysis/values/loop_bounds.h"
#include "spirv/probes/race/race_probe.h"

namespace lab {

/// The code behind a loop that was cut short ran with values that the kernel would not have had.
/// What was found in the other blocks stands.
class CutLoops {
 public:
  /// `loops` are those that the probe bounds, in the order of their words in the buffer of
  /// findings.
  CutLoops(const spirv::Examination& examination, const spirv::RaceProbe& probe,
           std::span<const spirv::BoundedLoop> loops, std::span<const std::uint32_t> words);

  [[nodiscard]] bool any() const { return any_; }
  /// The device ended loops that the probe did not cut: which ones is not known.
  [[nodiscard]] bool by_device() const { return by_device_; }
  /// Is a block reachable from an exit of a loop that was cut short?
  [[nodiscard]] bool behind(std::size_t block) const { return any_ && behind_[block]; }
  /// A loop that was cut short, and in how many invocations.
  struct Cut {
    spirv::SourceLine at;
    std::uint32_t invocations = 0;
    const spirv::ControlFlow::Loop* loop = nullptr;  ///< null: it is not found
  };
  [[nodiscard]] const std::vector<Cut>& loops() const { return cut_; }
  /// Adds a finding for each loop that was cut at `limit` iterations, and why nothing is known of
  /// the code behind it. `emulated`: the device ends long loops itself.
  void add_findings(std::uint32_t limit, bool emulated, core::CheckReport& report) const;

 private:
  void add_exits(const spirv::ControlFlow::Loop& loop);

  [[nodiscard]] std::string lock_of(const spirv::ControlFlow::Loop& loop) const;

  const spirv::Program& program_;
  const spirv::Examination& x_;
  std::vector<Cut> cut_;
  std::vector<bool> behind_;  // by block
  bool any_ = false;
  bool by_device_ = false;
  std::uint32_t ended_by_device_ = 0;  // invocations
};

}  // namespace lab
