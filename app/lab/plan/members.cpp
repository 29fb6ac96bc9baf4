#include "lab/plan/members.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "lab/plan/typed_values.h"

namespace lab {

bool is_floating(const std::string& type) {
  return type.starts_with("float") || type.starts_with("vec") || type.starts_with("mat") ||
         type.starts_with("f16") || type.starts_with("double") || type.starts_with("dvec");
}

bool is_whole(const std::string& type) {
  constexpr std::array kPrefixes{"int", "uint", "ivec", "uvec", "bool", "i8",
                                 "u8",  "i16",  "u16",  "i64",  "u64"};
  return std::ranges::any_of(kPrefixes,
                             [&](const char* prefix) { return type.starts_with(prefix); });
}

void choose_members(const std::vector<spirv::BlockMember>& members, glm::uvec3 extent,
                    std::vector<std::uint32_t>& words) {
  for (const spirv::BlockMember& member : members) {
    const bool vector = member.type.starts_with("uvec") || member.type.starts_with("ivec");
    for (std::uint32_t b = 0; b + 4 <= member.bytes && (member.offset + b) / 4 < words.size();
         b += 4) {
      const int d = vector ? std::min(static_cast<int>(b / 4), 2)
                           : static_cast<int>(std::min(member.direction, 2U));
      words[(member.offset + b) / 4] = member.address             ? 0
                                       : is_floating(member.type) ? one_of(member.type, b)
                                                                  : extent[d];
    }
  }
}

core::Expected<void> set_members(const core::Settings& settings,
                                 const std::vector<spirv::BlockMember>& members,
                                 std::vector<std::uint32_t>& words, std::set<std::string>& taken) {
  for (const spirv::BlockMember& member : members) {
    const auto setting = settings.find(member.name);
    if (member.name.empty() || setting == settings.end()) {
      continue;
    }
    if (member.address) {
      return core::usage_error(fmt::format("{} is an address: --buffer {}=BYTES gives it memory",
                                           member.name, member.name));
    }
    const auto value = typed_value(member.name, setting->second, member.type);
    if (!value) {
      return std::unexpected(value.error());
    }
    taken.insert(member.name);
    for (std::size_t i = 0; i < value->size() && member.offset / 4 + i < words.size(); ++i) {
      words[member.offset / 4 + i] = (*value)[i];
    }
  }
  return {};
}

bool say_members(const std::vector<spirv::BlockMember>& members,
                 std::span<const std::uint32_t> words, std::vector<std::string>& said) {
  std::vector<std::string> all;
  for (const spirv::BlockMember& member : members) {
    if (member.address) {
      continue;
    }
    const std::size_t first = member.offset / 4;
    const auto text = member.name.empty() || first >= words.size()
                          ? std::nullopt
                          : typed_text(words.subspan(first), member.type);
    if (!text) {
      return false;
    }
    all.push_back(fmt::format("{}={}", member.name, *text));
  }
  std::ranges::move(all, std::back_inserter(said));
  return true;
}

}  // namespace lab
