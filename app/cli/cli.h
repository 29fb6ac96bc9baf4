// The command line: one function a command, each in its own file.
#pragma once

namespace cli {

/// Exit statuses: a contract.
enum Status : int {
  ok = 0,           ///< done, nothing found
  findings = 1,     ///< a race, a divergence, a wrong result
  usage = 2,        ///< the call or the kernel's source is wrong
  unavailable = 3,  ///< it could not be done here
};

/// Parses the arguments, runs the command, and returns the exit status.
[[nodiscard]] int main(int argc, char** argv);

}  // namespace cli
