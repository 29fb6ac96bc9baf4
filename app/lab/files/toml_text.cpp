#include "lab/files/toml_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/files.h"
#include "core/base/limits.h"

namespace lab {

int too_deep(std::string_view toml) {
  // Keys lie between these; values that have as many dots do not occur.
  constexpr std::string_view between = ",=[]{}\n";
  int line = 1;
  std::size_t dots = 0;
  for (const char c : toml) {
    dots = between.find(c) != std::string_view::npos ? 0 : dots + (c == '.' ? 1 : 0);
    if (dots >= core::limits::toml_parts) {
      return line;
    }
    line += c == '\n' ? 1 : 0;
  }
  return 0;
}

int line_of(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

std::string newer_version(const toml::table& root, const char* key, std::int64_t newest) {
  const toml::node* node = root.get(key);
  if (node == nullptr) {
    return "";
  }
  const auto version = node->value<std::int64_t>();
  if (!version || *version < 1) {
    return fmt::format("{}, the format version, must be {}", key,
                       newest == 1 ? "1" : fmt::format("a number from 1 to {}", newest));
  }
  return *version <= newest
             ? ""
             : fmt::format(
                   "{} is {}, but this Tilescope reads versions up to {}; use a newer Tilescope",
                   key, *version, newest);
}

core::Expected<std::string> read_toml(const std::filesystem::path& file) {
  auto text = core::read_file(file, core::limits::toml_bytes);
  if (text) {
    if (const int line = too_deep(*text); line > 0) {
      return core::usage_error(
          fmt::format("{}:{}: the tables are nested too deeply; the limit is {}", file.string(),
                      line, core::limits::toml_parts));
    }
  }
  return text;
}

}  // namespace lab
