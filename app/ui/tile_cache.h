// What the tile view keeps from frame to frame: the story of the trace it shows.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "ui/tile_layout.h"
#include "ui/trace_story.h"

namespace ui {

struct TileCache {
  std::shared_ptr<TraceStory> story;

  /// What the cells' colours were last made from, and a number that is another one for each.
  std::tuple<const void*, std::uint64_t, int, std::uint64_t, std::uint64_t, bool> colours_of;
  std::uint64_t colours = 0;

  /// Elements of buffers that the moment `runs_of` touches, read and written; by variable.
  std::pair<const void*, std::uint64_t> runs_of;
  std::vector<std::vector<CellRun>> read_runs, written_runs;
  /// The same of all phases together.
  const void* reach_of = nullptr;
  std::vector<std::vector<CellRun>> reach;
};

}  // namespace ui
