#include "cli/json/answer.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/process/guard.h"

namespace cli {
namespace {

bool& answered() {
  static bool one = false;
  return one;
}

}  // namespace

void print(const nlohmann::ordered_json& document) {
  // Names of files may be any bytes; JSON is UTF-8.
  using Json = nlohmann::ordered_json;
  answered() = true;
  Json whole = document;
  if (whole.is_object()) {
    whole["schema_version"] = kSchemaVersion;
  }
  fmt::print("{}\n", whole.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_error(const std::string& sentence, int status) {
  if (json_asked() && !answered()) {
    print({{"error", sentence}, {"status", status}});
  }
}

void print_answer_of_child(const std::string& out) {
  answered() = answered() || !out.empty();
  fmt::print("{}", out);
}

bool json_asked() {
  // Arguments after -- belong to another program: `capture -- PROGRAM --json`.
  const auto& arguments = call_arguments();
  const auto end = std::ranges::find(arguments, "--");
  return std::find(arguments.begin(), end, "--json") != end;
}

}  // namespace cli
