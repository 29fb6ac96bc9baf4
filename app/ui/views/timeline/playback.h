// The launch played back in slow motion, in the grid and in the Gantt alike.
#pragma once

#include <optional>
#include <string>

#include "ui/panels/panels.h"
#include "ui/views/timeline/launch_state.h"

namespace ui {

/// Lets it go on by the time since the last frame; at its end the whole launch is shown again.
void play_launch(const Frame& frame);
/// Where it stands, in ticks; nothing while the whole launch is shown.
[[nodiscard]] std::optional<double> played_ticks(const LaunchState& launch,
                                                 const core::Timeline& timeline);
/// "3.21 of 16.4 ms, 612 times slower: 512 of 65,536 tiles started".
[[nodiscard]] std::string played_words(const Frame& frame, const core::Timeline& timeline);

}  // namespace ui
