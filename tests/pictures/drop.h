// What a file manager does that something is dragged from, and a window manager.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tests {

/// Drops a file on a window of an X display, in its middle: as XDND 5 has it
/// (freedesktop.org/wiki/Specifications/XDND). True: the window has taken it.
[[nodiscard]] bool drop(const std::string& display, std::uint32_t window,
                        const std::filesystem::path& file);

/// Tells a window that it is minimised, or is shown again: its WM_STATE, as ICCCM has it.
void set_minimised(const std::string& display, std::uint32_t window, bool minimised);

}  // namespace tests
