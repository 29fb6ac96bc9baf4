// What ends a command's work just before --timeout does: by then it has told what it has.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "lab/run/launch.h"

namespace cli {

/// What is said of a thing that it left no time for.
inline constexpr const char* kNoTime = "not measured: --timeout was reached";

class Deadline {
 public:
  /// Of a call that named `kernels`: strangers' have one always, the catalogue's where --timeout
  /// was given.
  Deadline(const Common& common, const std::vector<std::string>& kernels);

  [[nodiscard]] bool is_set() const { return seconds_ > 0.0; }
  [[nodiscard]] bool is_over() const;
  /// "stopped after 4.0 s, at the limit of --timeout".
  [[nodiscard]] std::string sentence() const;
  /// Pieces of launches that are so short that it can be kept, where they would have `usual`.
  [[nodiscard]] double slice_ms(double usual) const;
  /// Says no once it is over.
  [[nodiscard]] lab::SliceObserver observer() const;

 private:
  [[nodiscard]] double to_tell() const;
  double seconds_;
};

}  // namespace cli
