// Files that commands write: whole or not at all, and refused before anything runs where they could
// not be kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "core/base/error.h"
#include "core/report/measurement_table.h"
#include "core/work/result.h"

namespace cli {

/// A usage error where the file can't be written, or is one of those that are `read`. No name is no
/// file.
[[nodiscard]] core::Expected<void> check_output(const std::filesystem::path& file,
                                                const std::vector<std::string>& read = {});

/// `--csv FILE`.
void add_csv(const Arguments& arguments, std::string& file);
/// Nothing when no file was asked for.
[[nodiscard]] core::Expected<void> write_table(const std::filesystem::path& file,
                                               const core::MeasurementTable& table);

/// Writes all measurements of a result, its samples and its ladder, as `stem`.csv and `stem`.json.
[[nodiscard]] core::Expected<void> write_measurements(const core::Result& result,
                                                      const std::filesystem::path& stem);

}  // namespace cli
