// What was checked, as files that other tools read: code hosts annotate lines from SARIF, build
// servers count tests from JUnit's XML.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/report/check_report.h"

namespace cli {

/// The comparison of the outputs with those of `--reference`.
struct Answer {
  std::string reference;
  bool correct = false;
  double max_error = 0.0;
  double tolerance = 0.0;
  std::string worst;  ///< the element with the largest error
};

/// One kernel that was to be checked: the report, or why there is none.
struct Checked {
  std::string kernel;  ///< as it was called
  std::string file;    ///< that its lines are of, where a finding names none
  core::Expected<core::CheckReport> report;
  std::optional<Answer> answer = {};  ///< nothing without --reference
};

/// SARIF 2.1.0 (OASIS standard, 2020): a result a finding, at its line and, for races, with the
/// other side as a related location; what was not checked is a notification.
[[nodiscard]] nlohmann::ordered_json sarif_of(const std::vector<Checked>& all);

/// JUnit's XML as Jenkins reads it: a test case a kernel; findings fail it, what is incomplete is
/// skipped, a kernel that can't be checked is an error.
[[nodiscard]] std::string junit_of(const std::vector<Checked>& all, bool notes_ok);

}  // namespace cli
