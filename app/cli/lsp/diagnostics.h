// Checks of a kernel as diagnostics of the Language Server Protocol.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/lsp/kernel_check.h"
#include "cli/lsp/text_positions.h"

namespace cli {

/// Texts of files: the editor's, else those on disk.
class FileTexts {
 public:
  explicit FileTexts(EditedTexts edited) : texts_(std::move(edited)) {}
  /// Empty if the file cannot be read.
  [[nodiscard]] const std::string& of(const std::string& file);

 private:
  EditedTexts texts_;
};

/// Diagnostics by the paths of their files.
using Diagnostics = std::map<std::string, std::vector<nlohmann::ordered_json>>;

[[nodiscard]] nlohmann::ordered_json to_json(const TextRange& range);
/// Throws nlohmann's exception if the JSON has another form.
[[nodiscard]] TextPosition position_from(const nlohmann::ordered_json& json);
[[nodiscard]] TextRange range_from(const nlohmann::ordered_json& json);
/// Returns the whole line of a text, counted from 1, without the blanks around it.
[[nodiscard]] TextRange range_of_line(const std::string& text, std::uint32_t line);

/// Returns what the checks found. The field "data" of a finding has "kernel", "kind", "variable",
/// "fingerprint", "repair" (the kernel is clean with a barrier before this line; 0: no such line)
/// and "repair_file".
[[nodiscard]] Diagnostics diagnostics_of(const std::vector<LaunchCheck>& checks, FileTexts& texts);

/// Returns notes for bank conflicts and uncoalesced accesses in the output of `run --json`.
[[nodiscard]] Diagnostics performance_notes(const nlohmann::ordered_json& run,
                                            const std::string& kernel, FileTexts& texts);

}  // namespace cli
