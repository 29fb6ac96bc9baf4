// The index of a finding out of bounds, taken apart as the source writes it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "core/report/check_report.h"
#include "core/work/source_file.h"

namespace core {

/// First and last byte of a name in a line, as a word, with the indices behind it; of the line
/// without blanks at its ends and without a comment, if the name is empty or not there.
[[nodiscard]] std::pair<std::size_t, std::size_t> stretch_of(const std::string& line,
                                                             const std::string& name);
/// A line of a file, from 1; an empty name is the kernel's own, the first of `sources`. Empty if
/// there is no such line.
[[nodiscard]] std::string line_of(std::span<const SourceFile> sources, const std::string& file,
                                  std::uint32_t line);

/// "i + row = 18 (i = 15, row = 3)" of an access c[i + row]. The values in brackets are computed
/// from the definitions in the source; they are left out if these do not give the index that was
/// seen. Empty if the line has not exactly one index behind the name.
[[nodiscard]] std::string index_parts(const Finding& finding, std::span<const SourceFile> sources,
                                      const std::array<std::uint32_t, 3>& local_size);

}  // namespace core
