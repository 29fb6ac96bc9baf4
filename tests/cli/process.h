// Runs the program as a process, the way a script does.
#pragma once

#include <map>
#include <string>

namespace tests {

/// Whether this is a build of the address sanitizer, which the driver lives under too.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) != 0;
#else
constexpr bool kSanitized = false;
#endif

struct Finished {
  int status = -1;  ///< exit status; -1: killed by a signal
  std::string out;  ///< stdout
  std::string err;  ///< stderr
};

/// `arguments` is what follows "tilescope" on a shell's command line. `environment` is added to the
/// test's own; an empty value takes a variable away. The command `run` launches once and does not
/// warm up the device, unless its flags say otherwise.
[[nodiscard]] Finished run(const std::string& arguments,
                           const std::map<std::string, std::string>& environment = {});

}  // namespace tests
