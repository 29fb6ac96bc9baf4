#include "lab/plan/subgroup_constant.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace lab {
namespace {

struct Named {
  std::string name;
  std::uint64_t value = 0;
};

// A literal with or without a suffix: "32", "32u", "(32)".
std::optional<std::uint64_t> number_of(std::string_view text) {
  while (!text.empty() && (text.front() == '(' || text.front() == '=')) {
    text.remove_prefix(1);
  }
  std::uint64_t value = 0;
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view after(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  const bool whole = after.find_first_not_of("uU);") == std::string_view::npos;
  return failed == std::errc{} && whole ? std::optional(value) : std::nullopt;
}

// "#define NAME 32", "const uint NAME = 32u;".
std::optional<Named> named_in(const std::string& line) {
  std::istringstream words(line);
  std::string first;
  std::string name;
  std::string value;
  words >> first;
  if (first == "#" || first == "static") {
    words >> first;
  }
  if (first == "const") {
    words >> first;  // its type
  } else if (first != "#define" && first != "define") {
    return std::nullopt;
  }
  words >> name >> value;
  if (value == "=") {
    words >> value;
  }
  const auto number = is_named_like_subgroup_size(name) ? number_of(value) : std::nullopt;
  return number ? std::optional(Named{name, *number}) : std::nullopt;
}

std::vector<Named> named_sizes(const spirv::Interface& interface,
                               const std::vector<core::SourceFile>& sources,
                               const std::vector<std::string>& defines) {
  std::vector<Named> all;
  for (const auto& [name, value] : interface.constants) {
    if (is_named_like_subgroup_size(name)) {
      all.push_back({name, value});
    }
  }
  for (const std::string& define : defines) {
    const std::size_t equals = std::min(define.find('='), define.size());
    const std::string name = define.substr(0, equals);
    const auto value = number_of(std::string_view(define).substr(equals));
    if (is_named_like_subgroup_size(name) && value) {
      all.push_back({name, *value});
    }
  }
  if (!all.empty()) {
    return all;  // they say more than the text, which may define a default
  }
  for (const core::SourceFile& source : sources) {
    std::istringstream lines(source.text);
    for (std::string line; std::getline(lines, line);) {
      if (auto named = named_in(line)) {
        all.push_back(std::move(*named));
      }
    }
  }
  return all;
}

}  // namespace

bool is_named_like_subgroup_size(const std::string& name) {
  static constexpr std::array<std::string_view, 5> kUnits{"subgroup", "warp", "wave", "wavefront",
                                                          "simd"};
  static constexpr std::array<std::string_view, 5> kSizes{"size", "width", "lanes", "length", "sz"};
  std::string letters;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return std::ranges::any_of(kSizes, [&](std::string_view size) {
    return letters.ends_with(size) && std::ranges::any_of(kUnits, [&](std::string_view unit) {
             return letters.substr(0, letters.size() - size.size()).ends_with(unit);
           });
  });
}

std::vector<std::string> subgroup_defines(const std::vector<core::SourceFile>& sources,
                                          const std::vector<std::string>& given,
                                          std::uint32_t device) {
  std::set<std::string> taken;
  for (const std::string& define : given) {
    taken.insert(define.substr(0, define.find('=')));
  }
  std::set<std::string> guarded;
  std::vector<std::string> defines;
  for (const core::SourceFile& source : sources) {
    std::istringstream lines(source.text);
    for (std::string line; device != 0 && std::getline(lines, line);) {
      std::istringstream words(line);
      std::string directive;
      std::string name;
      words >> directive >> name;
      const auto macro = named_in(line);
      if (directive == "#ifndef") {
        guarded.insert(name);
      } else if (macro && guarded.contains(macro->name) && taken.insert(macro->name).second) {
        defines.push_back(fmt::format("{}={}", macro->name, device));
      }
    }
  }
  return defines;
}

std::string other_subgroup_size(const spirv::Interface& interface,
                                const std::vector<core::SourceFile>& sources,
                                const std::vector<std::string>& defines, std::uint32_t device) {
  for (const Named& named : named_sizes(interface, sources, defines)) {
    if (device != 0 && named.value != device) {
      return fmt::format("{} {}", named.name, named.value);
    }
  }
  return {};
}

}  // namespace lab
