// What a frame of the interface costs, scene by scene: as the window opens, with the editor and a
// lesson, on a 4K display, inside of a workgroup that races, and with a million tiles. Those tiles'
// numbers are made up, since no device at hand need be able to launch so many in good time; what is
// drawn and how is not.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/lessons/lesson.h"
#include "core/report/timing.h"
#include "core/work/result.h"
#include "core/work/scene.h"

namespace cli {

/// CPU time of frames, ms.
struct SceneFrames {
  std::string scene;  ///< "editor, a key typed in each frame"
  std::string view;   ///< "grid"
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint64_t tiles = 0;
  bool played = false;   ///< the launch is played back meanwhile
  bool made_up = false;  ///< the tiles' times are
  core::Spread ms;
  core::Spread record_ms;  ///< of these, to record the command buffer
};

struct Surroundings {
  const core::Catalogue& catalogue;
  std::span<const core::DeviceInfo> devices;
  std::span<const core::Lesson> lessons;  ///< the first is shown
};

/// A run, and what is shown of it.
struct RunScene {
  const core::Result& result;
  const core::Scene& scene;
};

/// `like` is a run of matmul/tiled, whose other parts are kept; `traced` a run that was looked
/// into. `take` gets each as soon as it is measured.
[[nodiscard]] core::Expected<void> measure_scenes(
    const RunScene& like, const RunScene& traced, const Surroundings& surroundings,
    const std::function<void(const SceneFrames&)>& take);
void print_scene(const SceneFrames& scene);
[[nodiscard]] nlohmann::ordered_json to_json(std::span<const SceneFrames> all);

}  // namespace cli
