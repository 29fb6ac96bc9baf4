// The same command for each of many kernels, each in a process of its own: what one does, a crash
// too, ends no other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/child.h"

namespace cli {

struct EachCall {
  std::vector<std::string> base;     ///< arguments of each part; empty: those of this call
  std::vector<std::string> names;    ///< of the call, whose arguments these are
  std::vector<std::string> without;  ///< options of the call that a part does not get, with a value
  /// What is said of one instead.
  std::function<std::vector<std::string>(std::size_t)> arguments;
  std::uint32_t jobs = 1;  ///< at once
  double seconds = 0.0;    ///< that one may take; 0: no limit
};

/// Makes the program's call again `count` times. `done` is called in order, from this thread, each
/// as soon as all before it are done.
void call_each(const EachCall& call, std::size_t count,
               const std::function<void(std::size_t, const core::Expected<core::ChildEnd>&)>& done);

/// Options of the call that are left out.
[[nodiscard]] std::vector<std::string> arguments_without(const std::vector<std::string>& all,
                                                         const std::vector<std::string>& names,
                                                         const std::vector<std::string>& options);

/// Returns the last line that a process of this program wrote to stderr, without the program's
/// name.
[[nodiscard]] std::string last_line_of(std::string err);

}  // namespace cli
