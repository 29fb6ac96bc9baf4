// A scene: an experiment and how it is looked at. It saves to a small TOML file
// (lab/files/scene_file.h); the same scene gives the same picture in the window and from the
// command line.
#pragma once

#include <cstdint>
#include <string>

#include <glm/vec2.hpp>

#include "core/work/experiment.h"

namespace core {

/// What a view shows and from where. Lengths are fractions, so that they hold at any resolution.
struct View {
  static constexpr std::int64_t kExample = -1;  ///< invocation: one that the view picks
  static constexpr std::int64_t kNobody = -2;   ///< invocation: none

  std::string name;            ///< "grid", "tile", "bodies" …; empty: the workload's own
  std::string theme = "dark";  ///< "dark" or "light"
  float scale = 1.0F;          ///< of the whole interface, 0.5 to 4
  std::uint32_t width = 1280;  ///< pixels
  std::uint32_t height = 800;
  bool chrome = true;  ///< false: the centre alone, without the panels around it

  glm::vec2 centre{0.5F, 0.5F};  ///< of the grid view, as a fraction of what is drawn
  float zoom = 1.0F;             ///< 1: all of it fits
  std::int64_t tile = -1;        ///< the tile that is pointed at, in launch order; -1: none
  std::int64_t finding = -1;     ///< the chosen one of the check's findings; -1: none
  bool marks = true;             ///< tiles with findings are marked
  bool idle = true;              ///< idle lanes of tiles that reach over the edge are drawn
  bool sections =
      true;  ///< whole tiles and what they leave over are told apart (core/work/sections.h)

  /// Of the tile view, which looks into `tile` (none: the first).
  std::uint32_t phase = 0;             ///< as lived through, from 1; 0: the view's own choice
  std::uint32_t moment = 0;            ///< of the phase, from 1; 0: the phase as a whole
  std::int64_t invocation = kExample;  ///< the chosen one's local index
  std::string variable;                ///< the shared array of the chosen cell; empty: none
  std::int64_t cell = -1;              ///< the chosen element of it, in memory order
  glm::vec2 cells_centre{0.5F, 0.5F};  ///< as `centre`
  float cells_zoom = 1.0F;             ///< as `zoom`
  bool by_bank = false;                ///< shared memory is coloured by bank, not by value

  /// Of the banks view, which looks into `tile` too.
  std::string lanes;       ///< who shares an instruction: "subgroups", "32"; empty: the view's
                           ///< own choice
  std::uint32_t site = 0;  ///< row of its table, from 1; 0: the worst
  std::uint32_t instruction = 0;  ///< of the site, from 1; 0: the worst

  std::string coloured_by = "output";  ///< tiles: "output", "start order", "duration" or
                                       ///< "multiprocessor"
  /// Of the timeline view: the middle as fractions of the launch and of all rows.
  glm::vec2 time_centre{0.5F, 0.5F};
  float time_zoom = 1.0F;  ///< 1: the whole launch
  float rows_zoom = 1.0F;  ///< 1: all rows
  float played = -1.0F;    ///< the launch played back: where it stands, 0 to 1; −1: all of it

  float yaw = 0.6F;          ///< of the orbit camera, radians
  float pitch = 0.5F;        ///< radians above the plane
  float distance = 3.0F;     ///< in radii of the start's bounding sphere
  std::uint32_t staged = 1;  ///< of a lattice's home box: the tile in shared memory, from 1

  bool operator==(const View&) const = default;
};

struct Scene {
  static constexpr int version = 1;
  Experiment experiment;
  View view;
  std::uint64_t step = 0;  ///< chained workloads: launches from the start to the picture
  bool operator==(const Scene&) const = default;
};

}  // namespace core
