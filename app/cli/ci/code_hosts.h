// What was checked, in the forms that code hosts read from stdout.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/check_files.h"

namespace cli {

/// Workflow commands of GitHub Actions, one a line: GitHub shows each as an annotation of its line.
[[nodiscard]] std::string github_annotations(const std::vector<Checked>& all);

/// A Code Quality report of GitLab.
[[nodiscard]] nlohmann::ordered_json gitlab_report(const std::vector<Checked>& all);

}  // namespace cli
