// The parts of the stream view, which draw_stream() in stream_view.cpp puts together.
#pragma once

#include "core/stream/stream.h"
#include "ui/panels/panels.h"

namespace ui {

/// What the parts of one frame share.
struct StreamScene {
  const Frame& frame;
  const Canvas& canvas;
  const core::StreamReport& report;
  std::uint64_t version;  ///< counts the report's snapshots

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
  /// From the stream's start to what the time axis ends with, ms.
  [[nodiscard]] double duration() const;
};

/// The colour of a moment: tiles of C and the spans in which they were computed.
[[nodiscard]] Colour moment_colour(const StreamScene& scene, double ms);

/// A lane a device with its three stages, on one time axis.
void draw_stream_lanes(const StreamScene& scene, Rect area);
/// Of lanes that are just high enough for the names of all devices and stages.
[[nodiscard]] float named_lanes_height(const StreamScene& scene);
/// C with its tiles, as far as they are computed.
void draw_stream_tiles(const StreamScene& scene, Rect area);

}  // namespace ui
