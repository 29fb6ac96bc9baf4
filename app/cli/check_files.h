// Reports of checks as files for other tools: code hosts show SARIF at its lines, build servers
// count the tests of JUnit's XML.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  /// The verdict that the project file expects, if it is not clean: with this verdict, the findings
  /// are right.
  std::string expected = {};

  [[nodiscard]] bool is_as_expected() const {
    return report && !expected.empty() && core::to_string(report->verdict) == expected;
  }
};

/// A line of a file; 0 if the module has no lines.
struct Place {
  std::string file;
  std::uint32_t line = 0;
};

/// Takes the answer and the expected verdict from a report of `check --json`.
void add_from_report(const nlohmann::ordered_json& report, Checked& checked);

/// The place that a finding is shown at: of a race, its first access.
[[nodiscard]] Place place_of(const Checked& checked, const core::Finding& finding);
/// The sentence about outputs that differ from the reference's.
[[nodiscard]] std::string wrong_answer(const Answer& answer);

/// Returns the URI of a path: "file://..." of an absolute one.
[[nodiscard]] std::string uri_of(const std::string& path);
/// Returns the URI of the page that explains a kind of finding or a verdict. Empty if the manual is
/// not installed.
[[nodiscard]] std::string help_uri_of(std::string_view word);

/// SARIF 2.1.0 (OASIS standard, 2020): a result for each finding, at its line. A race has its
/// second access as a related location. A part that was not checked is a notification.
[[nodiscard]] nlohmann::ordered_json sarif_of(const std::vector<Checked>& all);

/// JUnit's XML as Jenkins reads it: a test case for each kernel. Findings fail it, an incomplete
/// check skips it, a kernel that cannot be checked is an error.
[[nodiscard]] std::string junit_of(const std::vector<Checked>& all, bool notes_ok);

}  // namespace cli
