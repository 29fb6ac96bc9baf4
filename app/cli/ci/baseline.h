// A baseline: a file with the findings that are known. A check with it reports the others.
//   tilescope_baseline   1, the version of the format
//   findings             list of {fingerprint, kernel, kind, sentence}; only the fingerprint is
//   read
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/check_files.h"
#include "core/base/error.h"

namespace cli {

/// The fingerprints of known findings.
using Baseline = std::set<std::string>;

/// Fails with a sentence if the file is no baseline, or one of a newer version.
[[nodiscard]] core::Expected<Baseline> read_baseline(const std::filesystem::path& file);

/// Writes all findings of the reports.
[[nodiscard]] core::Expected<void> write_baseline(const std::filesystem::path& file,
                                                  const std::vector<Checked>& all);

/// Removes the findings that the baseline lists, counts them, and computes the verdict again.
void remove_known(const Baseline& baseline, core::CheckReport& report);

/// Removes and counts all findings: they are in the baseline that was just written.
void remove_all(core::CheckReport& report);

}  // namespace cli
