// What a call answers on stdout: with --json one document, whatever comes of it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace cli {

/// The version of the documents' schema. Fields are added without a new version.
inline constexpr int kSchemaVersion = 1;

/// Prints one JSON document to stdout. An object gets "schema_version".
void print(const nlohmann::ordered_json& document);

/// Where --json was asked for and nothing has been printed yet: {"error": SENTENCE, "status": N},
/// so that what reads stdout always finds a document.
void print_error(const std::string& sentence, int status);

/// Prints what a child process of this call printed: the answer, if it is not empty.
void print_answer_of_child(const std::string& out);

/// The call has --json.
[[nodiscard]] bool json_asked();

}  // namespace cli
