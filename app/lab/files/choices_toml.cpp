#include "lab/files/choices_toml.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "lab/files/toml_text.h"

namespace lab {
namespace {

constexpr std::int64_t kMostUnsigned = std::numeric_limits<std::uint32_t>::max();

bool read(const toml::node& node, std::vector<std::string>& texts) {
  const toml::array* list = node.as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto text = list->get(i)->value<std::string>();
    if (!text) {
      return false;
    }
    texts.push_back(*text);
  }
  return list != nullptr;
}

bool read(const toml::node& node, std::vector<std::uint32_t>& numbers, std::int64_t least) {
  const toml::array* list = node.as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto number = list->get(i)->value<std::int64_t>();
    if (!number || *number < least || *number > kMostUnsigned) {
      return false;
    }
    numbers.push_back(static_cast<std::uint32_t>(*number));
  }
  return list != nullptr;
}

bool read(const toml::node& node, std::string& text) {
  const auto found = node.value<std::string>();
  text = found.value_or("");
  return found.has_value();
}

bool read(const toml::node& node, std::map<std::string, std::string>& texts) {
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    return false;
  }
  return std::ranges::all_of(*table, [&](const auto& entry) {
    return read(entry.second, texts[std::string(std::string_view(entry.first))]);
  });
}

bool read(const toml::node& node, std::map<std::uint32_t, std::uint32_t>& values) {
  std::map<std::string, std::string> texts;
  if (!read(node, texts)) {
    return false;
  }
  return std::ranges::all_of(texts, [&](const auto& entry) {
    const auto id = core::whole_number<std::uint32_t>(entry.first);
    const auto value = core::whole_number<std::uint32_t>(entry.second);
    if (id && value) {
      values[*id] = *value;
    }
    return id && value;
  });
}

// A scene cannot name a compiler: opening a file must not run a command that it chooses.
bool read_key(std::string_view key, const toml::node& node, core::KernelChoices& choices) {
  return key == "defines"        ? read(node, choices.defines)
         : key == "include_dirs" ? read(node, choices.include_dirs)
         : key == "prelude"      ? read(node, choices.prelude)
         : key == "language"     ? read(node, choices.language)
         : key == "local_size"   ? read(node, choices.local_size, 1)
         : key == "entry"        ? read(node, choices.entry)
         : key == "reference"    ? read(node, choices.reference)
         : key == "groups"       ? read(node, choices.groups, 1)
         : key == "items"        ? read(node, choices.items, 1)
         : key == "push"         ? read(node, choices.push, 0)
         : key == "buffers"      ? read(node, choices.buffers)
         : key == "spec"         ? read(node, choices.spec)
                                 : false;
}

}  // namespace

core::Expected<void> read_choices(const toml::table& table, core::KernelChoices& choices) {
  for (const auto& [key, node] : table) {
    if (!read_key(key, node, choices)) {
      return core::usage_error(
          fmt::format("[launch]: {} is not a known key, or its value has the wrong type",
                      std::string_view(key)),
          line_of(node));
    }
  }
  return {};
}

toml::table choices_table(const core::KernelChoices& choices) {
  toml::table table;
  const auto texts = [&](const char* key, const std::vector<std::string>& list) {
    if (!list.empty()) {
      toml::array array;
      std::ranges::for_each(list, [&](const std::string& text) { array.push_back(text); });
      table.insert(key, array);
    }
  };
  const auto numbers = [&](const char* key, const std::vector<std::uint32_t>& list) {
    if (!list.empty()) {
      toml::array array;
      std::ranges::for_each(
          list, [&](std::uint32_t n) { array.push_back(static_cast<std::int64_t>(n)); });
      table.insert(key, array);
    }
  };
  texts("defines", choices.defines);
  texts("include_dirs", choices.include_dirs);
  numbers("local_size", choices.local_size);
  numbers("groups", choices.groups);
  numbers("items", choices.items);
  numbers("push", choices.push);
  for (const auto& [key, text] :
       {std::pair("entry", &choices.entry), std::pair("reference", &choices.reference),
        std::pair("prelude", &choices.prelude), std::pair("language", &choices.language)}) {
    if (!text->empty()) {
      table.insert(key, *text);
    }
  }
  toml::table buffers;
  for (const auto& [name, text] : choices.buffers) {
    buffers.insert(name, text);
  }
  toml::table spec;
  for (const auto& [id, value] : choices.spec) {
    spec.insert(std::to_string(id), std::to_string(value));
  }
  for (const auto& [key, inner] : {std::pair("buffers", &buffers), std::pair("spec", &spec)}) {
    if (!inner->empty()) {
      table.insert(key, *inner);
    }
  }
  return table;
}

}  // namespace lab
