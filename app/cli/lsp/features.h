// Answers of the language server about an open document: code actions, code lenses, hover texts and
// inlay hints.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/lsp/diagnostics.h"
#include "cli/lsp/text_positions.h"

namespace cli {

inline constexpr const char* kOpenCommand = "tilescope.open";

struct OpenDocument {
  std::string uri;
  std::string path;
  std::int64_t version = 0;
  std::string text;
};

/// The results of the last check of a kernel.
struct KernelState {
  Diagnostics found;
  Diagnostics notes;  ///< performance_notes()
  std::map<std::string, std::int64_t>
      versions;                     ///< of the documents, by path, as they were checked
  std::string verdict;              ///< in a few words; empty: not checked yet
  nlohmann::ordered_json run;       ///< of `run --json`; null: not known
  std::set<std::string> documents;  ///< paths of open documents that it is checked for
};

/// The time of the launch in words: "0.072 ms on llvmpipe (emulated)". Empty if it is not known.
[[nodiscard]] std::string time_words(const nlohmann::ordered_json& run);

/// Edits that repair or silence the findings in a range, and the command that opens the window.
/// `versioned`: the client takes edits with the versions of documents.
[[nodiscard]] nlohmann::ordered_json code_actions(const OpenDocument& document,
                                                  const KernelState& kernel, const TextRange& range,
                                                  bool versioned);

[[nodiscard]] nlohmann::ordered_json code_lenses(const OpenDocument& document,
                                                 const KernelState& kernel);

/// Null if there is nothing to say about the word at a position.
[[nodiscard]] nlohmann::ordered_json hover(const OpenDocument& document, const KernelState* kernel,
                                           TextPosition position);

/// The phases: each is named behind the line that opens it.
[[nodiscard]] nlohmann::ordered_json inlay_hints(const OpenDocument& document,
                                                 const KernelState& kernel, const TextRange& range);

}  // namespace cli
