// What the tile view keeps from frame to frame: the story of the trace it shows.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "ui/view_state.h"
#include "ui/views/tile/tile_layout.h"
#include "ui/views/tile/trace_story.h"

namespace ui {

struct TileCache final : ViewState {
  std::shared_ptr<TraceStory> story;  ///< the newest that is made
  std::future<std::shared_ptr<TraceStory>> coming;
  std::shared_ptr<const core::Trace> coming_of;  ///< the trace that it was made or is made from

  /// The story of `trace`, or the one before while it is still being made; null: there is none.
  /// With `wait` it is always that of `trace`.
  TraceStory* story_of(const std::shared_ptr<const core::Trace>& trace, bool wait);
  [[nodiscard]] bool busy() const override { return coming.valid(); }

  /// What the cells' colours were last made from, and a number that is another one for each.
  std::tuple<const void*, std::uint64_t, int, std::uint64_t, std::uint64_t, int> colours_of;
  std::uint64_t colours = 0;

  /// The instruction that the colouring by bank points out, and what it was looked for in.
  std::tuple<const void*, std::uint64_t, bool> conflict_of;
  std::optional<std::uint32_t> conflict;  ///< place in core::Instructions::list

  /// Elements of buffers that the moment `runs_of` touches, read and written; by variable.
  std::pair<const void*, std::uint64_t> runs_of;
  std::vector<std::vector<CellRun>> read_runs, written_runs;
  /// The same of all phases together.
  const void* reach_of = nullptr;
  std::vector<std::vector<CellRun>> reach;
};

}  // namespace ui
