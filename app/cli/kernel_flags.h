// The flags that say how any kernel is compiled and launched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "core/base/error.h"
#include "core/work/experiment.h"

namespace cli {

struct KernelFlags {
  std::vector<std::string> defines;
  std::vector<std::string> include_dirs;
  std::string prelude;
  std::string language;
  std::vector<std::string> compilers;
  std::string local_size;
  std::string entry;
  std::string groups;
  std::string items;
  std::string reference;
  std::string push;
  std::vector<std::string> constants;
  std::vector<std::string> buffers;

  void add_to(const Arguments& arguments);
  /// Each error says what its flag takes.
  [[nodiscard]] core::Expected<core::KernelChoices> choices() const;
};

/// "all" or a number of workgroups; 0: all.
[[nodiscard]] core::Expected<std::uint64_t> parse_tiles(const std::string& text);

}  // namespace cli
