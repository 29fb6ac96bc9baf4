// Fingerprints: a finding is the same in two runs if its fingerprint is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue/variant.h"
#include "core/report/check_report.h"
#include "core/work/source_file.h"

namespace cli {

/// Returns 16 hexadecimal digits of a text (FNV-1a, 64 bits).
[[nodiscard]] std::string fingerprint_of(std::string_view text);

/// Returns the name of a kernel in fingerprints: its name in the catalogue, or the path of its file
/// in its project (core::project_of), or the file's name if it belongs to no project.
[[nodiscard]] std::string identity_of(const core::Variant& variant);

/// Sets the fingerprint of each finding. It is made from the kernel, the kind, the variable and the
/// text of the lines, not from line numbers, invocations or counts: it survives edits elsewhere in
/// the file, other sizes and other devices. Equal findings are numbered.
void set_fingerprints(const std::string& identity, const std::vector<core::SourceFile>& sources,
                      core::CheckReport& report);

}  // namespace cli
