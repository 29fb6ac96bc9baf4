// The kinds of findings, one row each. Adding a check begins with a row here.
#pragma once

#include <span>

#include "core/report/check_report.h"

namespace core {

struct FindingRow {
  FindingKind kind;
  const char* name;  ///< in JSON, SARIF and commands: "out-of-bounds"; its text is in the glossary
  const char* one;   ///< "index outside"
  const char* many;  ///< "indices outside"
  const char* filter;    ///< a button of the window: "bounds"
  const char* headline;  ///< of one finding; {} is the variable
  Severity severity;     ///< at most: a finding may weigh less (Finding::severity)
  Verdict verdict;  ///< of a kernel with such an error; clean: the finding is also `incomplete`
};

/// All rows, in the order in which the window counts them.
[[nodiscard]] std::span<const FindingRow> finding_kinds();
[[nodiscard]] const FindingRow& row_of(FindingKind kind);

}  // namespace core
