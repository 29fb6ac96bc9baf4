// Runs the program as a process, the way a script does.
#pragma once

#include <map>
#include <string>

namespace tests {

struct Finished {
  int status = -1;  ///< exit status; -1: killed by a signal
  std::string out;  ///< stdout
  std::string err;  ///< stderr
};

/// `arguments` is what follows "tilescope" on a shell's command line. `environment` is added to the
/// test's own; an empty value takes a variable away.
[[nodiscard]] Finished run(const std::string& arguments,
                           const std::map<std::string, std::string>& environment = {});

}  // namespace tests
