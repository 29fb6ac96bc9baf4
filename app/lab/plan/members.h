// Members of push constants and blocks as 32-bit words: chosen, set by name, and said.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/tile_map.h"
#include "core/work/experiment.h"
#include "spirv/reflection/reflect.h"

namespace lab {

/// GLSL's name of a type of floats; of one of whole numbers. Structs are neither.
[[nodiscard]] bool is_floating(const std::string& type);
[[nodiscard]] bool is_whole(const std::string& type);

/// The launch that members are chosen for: of TriedValues::items, where these are given.
[[nodiscard]] core::TileMap chosen_extent(const core::TriedValues& tried, core::TileMap tiles);

/// Whole numbers that nobody gave are as many as the launch has of what the kernel compares them
/// with, work items or workgroups in a direction; vectors of them in x, y and z; floats are 1,
/// what atomics count is 0, and so are offsets, shifts and bases.
void choose_members(const std::vector<spirv::BlockMember>& members, const core::TileMap& tiles,
                    std::vector<std::uint32_t>& words);

/// What a launch has to be for what was given. A member that is compared with positions in the
/// launch asks for as many as it says; the largest counts. 0 in directions that nothing is known
/// of. The launch is kept to what every device can do (kMostGroups); a value that is none is left
/// to set_members().
inline constexpr std::uint32_t kMostGroups = 65535;  ///< Vulkan, maxComputeWorkGroupCount
[[nodiscard]] glm::uvec3 groups_asked(const core::KernelChoices& choices,
                                      const core::Settings& settings,
                                      const spirv::Interface& interface, glm::uvec3 local);

/// Puts settings that name a member into its words, and their names into `taken`.
[[nodiscard]] core::Expected<void> set_members(const core::Settings& settings,
                                               const std::vector<spirv::BlockMember>& members,
                                               std::vector<std::uint32_t>& words,
                                               std::set<std::string>& taken);

/// What the members are, "n=1000", for whoever wants the same again; addresses are left out. False
/// where one can't be said.
bool say_members(const std::vector<spirv::BlockMember>& members,
                 std::span<const std::uint32_t> words, std::vector<std::string>& said);

}  // namespace lab
