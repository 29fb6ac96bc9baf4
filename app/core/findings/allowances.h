// Comments in a kernel's source that silence a finding at their line:
//   // tilescope: allow race on tile, benign same value
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/source_file.h"

namespace core {

struct Allowance {
  std::string kind;        ///< of a finding, as to_string(FindingKind) has it
  std::string variable;    ///< empty: any
  std::string file;        ///< as the module names it; the kernel's own may be empty in findings
  std::uint32_t line = 0;  ///< 0: all lines of all files
  bool own = false;        ///< the file is the kernel's own
};

/// Behind a comment's "tilescope: allow": the kind, "on" and a variable if it is about one, and a
/// comma with the reason if there is one. What is no kind of finding allows nothing.
[[nodiscard]] std::vector<Allowance> allowances_in(const std::vector<SourceFile>& sources);

/// Returns the allowance of "KIND" or "KIND on VARIABLE" for all lines. Nothing if KIND is no kind
/// of finding.
[[nodiscard]] std::optional<Allowance> allowance_of(const std::string& text);

/// Takes the findings out that are allowed, each allowance one at its line (either side of a race),
/// and counts them. An allowance of all lines takes out all that fit.
void allow(const std::vector<Allowance>& allowances, CheckReport& report);

}  // namespace core
