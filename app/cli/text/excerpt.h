// A finding as compilers print them: the lines of the source that it is about, what it names
// underlined.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/source_file.h"

namespace cli {

/// A place that a finding is shown at.
struct Mark {
  std::uint32_t line = 0;
  std::string file;  ///< empty: the kernel's own
  std::string name;  ///< to underline; empty: the whole line
  std::string text;  ///< what happens there
};

/// Returns the places of a finding. Of a race: its two accesses. Of a divergent barrier: the
/// condition, then the barrier.
[[nodiscard]] std::vector<Mark> marks_of(const core::Finding& finding);

/// Lines of text, each with a line break; empty where the source is not known.
[[nodiscard]] std::string excerpt(const core::Finding& finding,
                                  const std::vector<core::SourceFile>& sources);

}  // namespace cli
