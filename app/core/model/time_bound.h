// How far a launch is from what the device allows: the least that it may take where each byte of
// the answer's is moved once, as fast as a copy moves bytes, and its arithmetic is done as fast as
// multiply-adds are. Modelled, from ceilings that were measured; nothing says that it can be
// reached.
#pragma once

#include <optional>
#include <string>

namespace core {

struct Result;

struct TimeBound {
  double ms = 0.0;         ///< the least, modelled
  bool by_memory = false;  ///< by bytes that are moved; else by arithmetic
  double measured_ms = 0.0;

  [[nodiscard]] double times() const { return measured_ms / ms; }
  /// What is left is not worth the search: ceilings are measured, too.
  [[nodiscard]] bool is_near() const { return times() < 1.25; }
};

/// Nothing: not measured yet, or nobody says what the answer needs.
[[nodiscard]] std::optional<TimeBound> time_bound(const Result& result);

/// "global memory, each byte once", "multiply-adds".
[[nodiscard]] std::string bounded_by(const TimeBound& bound);

}  // namespace core
