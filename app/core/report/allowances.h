// Comments in a kernel's source that silence a finding at their line:
//   // tilescope: allow race on tile, benign same value
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/source_file.h"

namespace core {

struct Allowance {
  std::string kind;      ///< of a finding, as to_string(FindingKind) has it
  std::string variable;  ///< empty: any
  std::string file;      ///< as the module names it; the kernel's own may be empty in findings
  std::uint32_t line = 0;
  bool own = false;  ///< the file is the kernel's own
};

/// Behind a comment's "tilescope: allow": the kind, "on" and a variable if it is about one, and a
/// comma with the reason if there is one. What is no kind of finding allows nothing.
[[nodiscard]] std::vector<Allowance> allowances_in(const std::vector<SourceFile>& sources);

/// Takes the findings out that are allowed, each allowance one at its line (either side of a race),
/// and counts them.
void allow(const std::vector<Allowance>& allowances, CheckReport& report);

}  // namespace core
