// A finding as compilers print them: the lines of the source that it is about, what it names
// underlined.
#pragma once

#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/source_file.h"

namespace cli {

/// Lines of text, each with a line break; empty where the source is not known.
[[nodiscard]] std::string excerpt(const core::Finding& finding,
                                  const std::vector<core::SourceFile>& sources);

}  // namespace cli
