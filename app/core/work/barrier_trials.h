// Trials of a kernel's barriers: each of them, and all together, as every kind of wait, as every
// fence that makes nobody wait, and off; what the check for races says of it, and what a launch
// takes then. The seed "tile_barrier" tells which of them to use; this is how to find out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/report/timing.h"
#include "core/work/barriers.h"

namespace core {

struct BarrierTrial {
  std::uint32_t barrier = 0;        ///< K; 0: all of them
  std::optional<BarrierKind> kind;  ///< nothing: as written
  BarrierEdits edits;
  bool done = false;
  std::shared_ptr<const CheckReport> report;  ///< instrumented; null: it could not be set up
  Spread spread;                              ///< ms of a plain launch, measured; count 0: none
  Spread written;          ///< ms of the kernel as written, measured just before: clocks drift
  std::string impossible;  ///< why it could not be set up

  /// "clean", "racy", "divergent", "incomplete"; empty: not known.
  [[nodiscard]] std::string verdict() const;
  /// Half of what lies between p5 and p95, of the median; 0: not timed.
  [[nodiscard]] double noise() const;
  /// Of its races, each once: "RAW, WAR". Empty: none.
  [[nodiscard]] std::string hazards() const;
  /// Time of a launch over that of the kernel as written; nothing: one of them is not known.
  [[nodiscard]] std::optional<double> relative() const;
};

struct BarrierTrials {
  std::uint32_t barriers = 0;
  /// The kernel as written; then barrier by barrier every kind; with several barriers all of them
  /// as every kind at last.
  std::vector<BarrierTrial> list;

  /// Of all times of the kernel as written, a median a trial. Derived, by derive().
  Spread written;

  [[nodiscard]] std::size_t done() const;
  /// How many times as fast as the kernel as written, above 1: faster. All are against the same
  /// time, the median of `written`. Nothing: one is not known.
  [[nodiscard]] std::optional<double> speed_up(const BarrierTrial& trial) const;
  /// What of speed_up() may be chance, as a share: the trial's own noise, and how far apart the
  /// times of the kernel as written were.
  [[nodiscard]] double noise(const BarrierTrial& trial) const;
  /// Null when there is none.
  [[nodiscard]] const BarrierTrial* find(std::uint32_t barrier, BarrierKind kind) const;
};

/// Fills in what is derived, once trials have been done.
void derive(BarrierTrials& trials);

/// What they tell of a barrier (0: of all): "needed; a wait that orders shared memory alone is
/// enough", "not needed: clean without it". Empty: not all of its trials are done.
[[nodiscard]] std::string conclusion(const BarrierTrials& trials, std::uint32_t barrier);

/// Nothing done yet. A kernel with many barriers: the first eight of them, and all.
[[nodiscard]] BarrierTrials plan_trials(std::uint32_t barriers);

}  // namespace core
