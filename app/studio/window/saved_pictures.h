// Pictures and measurements that the window saves in the desktop's folder for pictures.
#pragma once

#include <string>

#include "core/work/scene.h"
#include "studio/studio.h"

namespace studio {

/// The picture and beside it the scene. Says what was saved, or why not.
[[nodiscard]] std::string save_with_scene(const Picture& picture, const core::Scene& scene);
/// The same of the measurements.
[[nodiscard]] std::string save_measured(const core::Result& result, const SaveMeasurements& save);

}  // namespace studio
