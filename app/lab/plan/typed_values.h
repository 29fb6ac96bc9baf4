// Values as people write them, as the 32-bit words that a kernel's constants and members hold.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/work/experiment.h"
#include "spirv/reflection/reflect.h"

namespace lab {

/// "1000", "-3", "0x10", "true", "0.5", "1,2,3" for vectors; `type` is GLSL's name of it. The error
/// names what is set, its type and what was given.
[[nodiscard]] core::Expected<std::vector<std::uint32_t>> typed_value(const std::string& name,
                                                                     const std::string& text,
                                                                     const std::string& type);
/// 32 bits of a value whose type nobody knows: true or false, a whole number, a negative one, a
/// float with a point.
[[nodiscard]] std::optional<std::uint32_t> untyped_word(std::string_view text);
/// The words of a value as typed_value() reads them; nothing for a type that it does not know.
[[nodiscard]] std::optional<std::string> typed_text(std::span<const std::uint32_t> words,
                                                    const std::string& type);
/// The word at byte `at` of a value of a floating type all of whose components are 1.
[[nodiscard]] std::uint32_t one_of(const std::string& type, std::uint32_t at);

[[nodiscard]] std::string type_name(const spirv::SpecConstant& constant);
/// "TILE (0), 7": names and ids.
[[nodiscard]] std::string listed(const std::vector<spirv::SpecConstant>& constants);
/// Of all that can be set: named constants, members of push constants and of uniform blocks.
[[nodiscard]] std::vector<std::string> names_of(const spirv::Interface& interface);
/// Settings by the names in full: "n" is "params.n" where no other name is or ends in "n".
[[nodiscard]] core::Settings with_full_names(const core::Settings& settings,
                                             const spirv::Interface& interface);

}  // namespace lab
