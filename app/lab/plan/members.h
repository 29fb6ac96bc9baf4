// Members of push constants and blocks as 32-bit words: chosen, set by name, and said.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "core/base/error.h"
#include "core/work/experiment.h"
#include "spirv/reflection/reflect.h"

namespace lab {

/// GLSL's name of a type of floats; of one of whole numbers. Structs are neither.
[[nodiscard]] bool is_floating(const std::string& type);
[[nodiscard]] bool is_whole(const std::string& type);

/// Whole numbers that nobody gave are the launch's extent in the direction that the kernel compares
/// them with, vectors of them in x, y and z; floats are 1.
void choose_members(const std::vector<spirv::BlockMember>& members, glm::uvec3 extent,
                    std::vector<std::uint32_t>& words);

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
