// What a file manager does that something is dragged from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tests {

/// Drops a file on a window of an X display, in its middle: as XDND 5 has it
/// (freedesktop.org/wiki/Specifications/XDND). True: the window has taken it.
[[nodiscard]] bool drop(const std::string& display, std::uint32_t window,
                        const std::filesystem::path& file);

}  // namespace tests
