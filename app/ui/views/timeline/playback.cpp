#include "ui/views/timeline/playback.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/report/timeline.h"
#include "ui/canvas/format.h"
#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

constexpr double kSeconds = 10.0;  // for a launch, at the speed that the tile view starts with
constexpr double kFirstSpeed = 4.0;

double seconds(State& state) {
  return kSeconds * kFirstSpeed / static_cast<double>(state.of<StepState>().speed);
}

}  // namespace

void play_launch(const Frame& frame) {
  State& state = frame.state;
  LaunchState& launch = state.of<LaunchState>();
  if (!launch.playing || !frame.model.result.timeline || frame.settle) {
    return;
  }
  const double step = static_cast<double>(ImGui::GetIO().DeltaTime) / seconds(state);
  launch.played = std::max(launch.played, 0.0F) + static_cast<float>(step);
  if (launch.played >= 1.0F) {
    launch.played = -1.0F;
    launch.playing = false;
  }
}

std::optional<double> played_ticks(const LaunchState& launch, const core::Timeline& timeline) {
  const core::TimelineFigures& f = timeline.figures;
  return launch.played < 0.0F || timeline.tiles.empty()
             ? std::nullopt
             : std::optional(std::lerp(static_cast<double>(f.first), static_cast<double>(f.last),
                                       static_cast<double>(launch.played)));
}

std::string played_words(const Frame& frame, const core::Timeline& timeline) {
  const auto at = played_ticks(frame.state.of<LaunchState>(), timeline);
  if (!at) {
    return {};
  }
  const auto& started = timeline.started;
  const double played_ms = timeline.ms(timeline.figures.last - timeline.figures.first);
  const auto first_to_come = std::ranges::partition_point(started, [&](std::uint32_t tile) {
    return static_cast<double>(timeline.tiles[tile].start) <= *at;
  });
  return fmt::format("{} of {}, {:.0f} times slower: {} of {} tiles have started",
                     time_text(*at * timeline.tick_ms), time_text(timeline.figures.launch_ms),
                     1e3 * seconds(frame.state) / std::max(played_ms, 1e-9),
                     count_text(static_cast<std::uint64_t>(first_to_come - started.begin())),
                     count_text(started.size()));
}

}  // namespace ui
