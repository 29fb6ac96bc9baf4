// This program once more, as a process that may end badly. What can crash or stall in code that
// isn't ours (the compiler's front end, a driver's compiler, a launch) runs in one, so that a
// signal or no end becomes a sentence and the process that was asked lives on.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace core {

/// Past one of them the child is killed.
struct ChildLimits {
  double seconds = 0.0;     ///< all in all, by the clock; 0: none. Steps have their own (step.h)
  std::uint64_t bytes = 0;  ///< of memory that it has in use; 0: none
};

struct ChildCall {
  std::vector<std::string> arguments;              ///< without the program's name
  std::map<std::string, std::string> environment;  ///< added to this process's
  bool keep_output = false;                        ///< stdout goes to ChildEnd::out, not to ours
  /// Called with each line of stderr that begins "tilescope: ", as it comes; none: it is kept.
  std::function<void(const std::string&)> on_line;
  bool show_steps = false;  ///< what it does is what we are doing (core::doing_now())
  /// Asked ten times a second; once it says no, the child is killed.
  std::function<bool()> go_on;
};

struct ChildEnd {
  enum class Why { exited, signal, step_limit, time_limit, memory_limit, stopped };
  Why why = Why::exited;
  int status = 0;                ///< exit status, where it exited
  int signal = 0;                ///< where a signal ended it
  double seconds = 0.0;          ///< that it ran
  std::uint64_t step_bytes = 0;  ///< its MemoryLimit, if that was exceeded
  std::string step;              ///< the last step it reported, such as "building its pipeline"
  std::string out;               ///< stdout, where it was to be kept
  std::string err;               ///< stderr, without the lines that were handed on

  [[nodiscard]] bool exited() const { return why == Why::exited; }
  /// "what was tried crashed (segmentation fault) while building its pipeline"; of `what`, such as
  /// a file's name. Empty where it exited.
  [[nodiscard]] std::string sentence(const std::string& what, const ChildLimits& limits) const;
};

/// The limits for what comes from strangers: most of the memory that is free now, and `seconds`.
[[nodiscard]] ChildLimits stranger_limits(double seconds);

/// Runs this program again (or `program`) and waits for its end. Fault::device where no process can
/// be made. The child has a larger stack than we, for recursion in the compiler.
[[nodiscard]] Expected<ChildEnd> run_child(const ChildCall& call, const ChildLimits& limits,
                                           const std::string& program = "/proc/self/exe");

/// Runs a function in a copy of this process and returns the text that it returned. A crash, an
/// exceeded limit or text of more than `most` bytes is Fault::device. Much cheaper than
/// run_child(). The function must be one that other threads can't block: it computes, and it writes
/// nothing.
[[nodiscard]] Expected<std::string> run_apart(const std::function<std::string()>& work,
                                              const ChildLimits& limits, std::size_t most);

/// "a memory access fault", or its number.
[[nodiscard]] std::string signal_in_words(int signal);

/// While one lives, a process that watches this one kills it once it has more than so many bytes of
/// memory in use. 0: no limit of its own.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
};

/// At the start of a program: true where it is such a child. It then ends with its parent, leaves
/// no core dump, and tells its steps.
bool enter_child();

}  // namespace core
