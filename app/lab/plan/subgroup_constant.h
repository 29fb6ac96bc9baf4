// Constants of a kernel that say how many invocations its subgroups have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/work/source_file.h"
#include "spirv/reflection/reflect.h"

namespace lab {

/// "SUBGROUP_SIZE", "warpSize", "WAVE_WIDTH" and the like.
[[nodiscard]] bool is_named_like_subgroup_size(const std::string& name);

/// Macros of that name that the text defines only behind #ifndef and that `given` leaves out, with
/// the device's size: "WARP_SIZE=8". Empty if that is not known (0).
[[nodiscard]] std::vector<std::string> subgroup_defines(
    const std::vector<core::SourceFile>& sources, const std::vector<std::string>& given,
    std::uint32_t device);

/// A constant or a macro of that name with another value than the device's, with its value:
/// "WARP_SIZE 32". Empty if there is none, or if the device's size is not known (0).
[[nodiscard]] std::string other_subgroup_size(const spirv::Interface& interface,
                                              const std::vector<core::SourceFile>& sources,
                                              const std::vector<std::string>& defines,
                                              std::uint32_t device);

}  // namespace lab
