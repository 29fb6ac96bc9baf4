// What the tile view keeps from frame to frame: the story of the trace it shows.
#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/provenance/element.h"
#include "core/provenance/provenance.h"
#include "ui/view_state.h"
#include "ui/views/tile/tile_layout.h"
#include "ui/views/tile/trace_story.h"

namespace ui {

/// A buffer in global memory as a small map of its elements.
struct GlobalPlate {
  std::uint32_t variable = 0;
  std::string name, shape;
  std::string brief;  ///< the shape in fewer letters
  CellBlock block;
  std::vector<CellRun> read, written;  ///< at the moment
  TouchSpan reading, writing;          ///< the same, and how often each
  std::vector<CellRun> reach;          ///< by the workgroup, ever
};

/// The provenance of an element of memory in the traced workgroup.
struct Why {
  core::TracedScalar scalar;
  std::optional<core::Provenance> provenance;  ///< nothing: the workgroup does not write it
  std::vector<core::ProvenanceLine> lines;
  std::string strange;                ///< where NaN or infinity came from; may be empty
  std::vector<std::size_t> accesses;  ///< that led to it, ascending
  /// By variable: their elements, ascending, each once.
  std::map<std::uint32_t, std::vector<std::uint64_t>> elements;
  std::vector<std::uint64_t> writers;  ///< invocations, ascending, each once
};

struct TileCache final : ViewState {
  std::shared_ptr<TraceStory> story;  ///< the newest that is made
  std::future<std::shared_ptr<TraceStory>> coming;
  std::shared_ptr<const core::Trace> coming_of;  ///< the trace that it was made or is made from

  /// The story of `trace`, or the one before while it is still being made; null: there is none.
  /// With `wait` it is always that of `trace`.
  TraceStory* story_of(const std::shared_ptr<const core::Trace>& trace, bool wait);
  [[nodiscard]] bool busy() const override { return coming.valid(); }

  /// What the cells' colours were last made from, and a number that is another one for each.
  std::tuple<std::uint64_t, std::uint64_t, int, std::uint64_t, std::uint64_t, int> colours_of;
  std::uint64_t colours = 0;

  /// The instruction that the colouring by bank points out, and what it was looked for in.
  std::tuple<std::uint64_t, std::uint64_t, bool> conflict_of;
  std::optional<std::uint32_t> conflict;  ///< place in core::Instructions::list

  std::pair<std::uint64_t, std::string> why_of;  ///< TraceStory::number and the element's name
  std::shared_ptr<const Why> why;                ///< null: the trace has no such element

  /// The maps of a trace's buffers, without places, and the moment that they were filled for.
  std::uint64_t plates_of = 0;  ///< TraceStory::number
  std::uint64_t plates_at = 0;
  std::vector<GlobalPlate> plates;
};

}  // namespace ui
