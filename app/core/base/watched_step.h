// What a process is doing right now, for the one that watches over it (core/base/child.h).
#pragma once

#include <string>
#include <string_view>

namespace core {

/// While one lives, this is what the process is doing: "compiling it". Free where nobody watches.
/// Steps may stand in one another; the innermost counts.
class WatchedStep {
 public:
  /// `seconds` of the processor's time are the most that it may take, and ten times that of the
  /// clock's: for what has to end, such as a compiler (core/base/limits.h). 0: no limit.
  explicit WatchedStep(std::string_view doing, double seconds = 0.0);
  ~WatchedStep();
  WatchedStep(const WatchedStep&) = delete;
  WatchedStep& operator=(const WatchedStep&) = delete;

 private:
  double seconds_;
};

/// How much of its work a step that is counted has done, 0 to 1: "checking it", 0.4. Cheap.
void tell_progress(std::string_view doing, double share);

/// What is being done now, for whoever shows it; of a child's, its parent says it here.
struct Doing {
  std::string what;
  double share = -1.0;  ///< below 0: not counted
};
[[nodiscard]] Doing doing_now();
void set_doing(Doing doing);

/// Where steps are written to: called once, by a process that is watched.
void tell_steps_to(int descriptor);

}  // namespace core
