// A scene: an experiment and how it is looked at. It saves to a small TOML file
// (lab/files/scene_file.h); the same scene gives the same picture in the window and from the
// command line.
#pragma once

#include <cstdint>
#include <string>

#include "core/work/experiment.h"
#include "core/work/view_settings.h"

namespace core {

/// What is shown and how: what all views have in common, and what each keeps of its own.
struct View {
  std::string name;            ///< "grid", "tile", "bodies" …; empty: the workload's own
  std::string theme = "dark";  ///< "dark" or "light"
  float scale = 1.0F;          ///< of the whole interface, 0.5 to 4
  std::uint32_t width = 1280;  ///< pixels
  std::uint32_t height = 800;
  bool chrome = true;         ///< false: the centre alone, without the panels around it
  std::size_t launch = 0;     ///< the one that is shown, of a run of several; from 0
  std::int64_t tile = -1;     ///< the tile that is pointed at, in launch order; -1: none
  std::int64_t finding = -1;  ///< the chosen one of the check's findings; -1: none
  /// The kernel whose result stands beside, on the same work; the experiment's own: as it is
  /// written, without edits; empty: none.
  std::string beside;
  ViewSettings settings;  ///< of the views, each its own

  bool operator==(const View&) const = default;
};

/// Launches before a picture of a chained workload: more take hours on any device.
inline constexpr std::int64_t kMostSteps = 1'000'000;

struct Scene {
  static constexpr int version = 1;
  std::string title = {};  ///< a few words, for lists of scenes
  std::string notes = {};  ///< for whoever shows it to others
  Experiment experiment;
  View view;
  std::uint64_t step = 0;  ///< chained workloads: launches from the start to the picture
  bool operator==(const Scene&) const = default;
};

}  // namespace core
