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

namespace {

// Of a member that is compared, the numbers that it was given, by direction; 0: none.
glm::uvec3 given_to(const spirv::BlockMember& member, const core::Settings& settings,
                    std::span<const std::uint32_t> pushed) {
  std::vector<std::uint32_t> words;
  if (const auto setting = settings.find(member.name);
      !member.name.empty() && setting != settings.end()) {
    words = typed_value(member.name, setting->second, member.type)
                .value_or(std::vector<std::uint32_t>());
  } else if (member.offset / 4 < pushed.size()) {
    const auto own = pushed.subspan(member.offset / 4);
    words.assign(own.begin(),
                 own.begin() + std::min<std::ptrdiff_t>(std::ssize(own), member.bytes / 4));
  }
  glm::uvec3 given{0};
  for (std::size_t i = 0; i < words.size() && member.extent.direction + i < 3; ++i) {
    const bool negative = !member.type.starts_with('u') && words[i] > 0x7FFFFFFFU;
    given[static_cast<int>(member.extent.direction + i)] = negative ? 0 : words[i];
  }
  return given;
}

}  // namespace

glm::uvec3 groups_asked(const core::KernelChoices& choices, const core::Settings& settings,
                        const spirv::Interface& interface, glm::uvec3 local) {
  glm::uvec3 asked{0};
  const auto ask = [&](const std::vector<spirv::BlockMember>& members,
                       std::span<const std::uint32_t> pushed) {
    for (const spirv::BlockMember& member : members) {
      if (member.extent.of == spirv::LaunchExtent::Of::nothing) {
        continue;
      }
      const bool items = member.extent.of == spirv::LaunchExtent::Of::items;
      const glm::uvec3 given = given_to(member, settings, pushed);
      for (int d = 0; d < 3; ++d) {
        const std::uint32_t each = items ? local[d] : 1;
        asked[d] = std::max(
            asked[d], std::min(given[d] / each + (given[d] % each != 0 ? 1 : 0), kMostGroups));
      }
    }
  };
  ask(interface.push_constants, choices.push);
  for (const spirv::Binding& binding : interface.bindings) {
    ask(binding.members, {});
  }
  return asked;
}

core::TileMap chosen_extent(const core::TriedValues& tried, core::TileMap tiles) {
  for (std::size_t d = 0; d < std::min<std::size_t>(tried.items.size(), 3); ++d) {
    tiles.extent[static_cast<int>(d)] = tried.items[d];
  }
  return tiles;
}

void choose_members(const std::vector<spirv::BlockMember>& members, const core::TileMap& tiles,
                    std::vector<std::uint32_t>& words) {
  for (const spirv::BlockMember& member : members) {
    const glm::uvec3 extent = member.extent.of == spirv::LaunchExtent::Of::workgroups
                                  ? glm::uvec3(tiles.groups())
                                  : tiles.extent;
    const bool vector = member.type.starts_with("uvec") || member.type.starts_with("ivec");
    for (std::uint32_t b = 0; b + 4 <= member.bytes && (member.offset + b) / 4 < words.size();
         b += 4) {
      const int d = vector ? std::min(static_cast<int>(b / 4), 2)
                           : static_cast<int>(std::min(member.extent.direction, 2U));
      words[(member.offset + b) / 4] = member.address || member.counts ? 0
                                       : is_floating(member.type)      ? one_of(member.type, b)
                                       : member.base                   ? 0
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
      return core::usage_error(fmt::format(
          "{} is an address; give it memory with --buffer {}=BYTES", member.name, member.name));
    }
    const auto value = TRY(typed_value(member.name, setting->second, member.type));
    taken.insert(member.name);
    for (std::size_t i = 0; i < value.size() && member.offset / 4 + i < words.size(); ++i) {
      words[member.offset / 4 + i] = value[i];
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
