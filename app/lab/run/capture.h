// What a picture needs: the Result that the window would show once it has run a scene for a while.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include <glm/vec3.hpp>

#include "core/catalogue/catalogue.h"
#include "core/work/result.h"
#include "core/work/scene.h"
#include "core/work/step.h"
#include "lab/ready/workbench.h"
#include "lab/run/measure.h"

namespace lab {

struct CaptureOptions {
  MeasureOptions measure{.repeat = 0, .warm_up_ms = 100.0, .time_ms = 500.0};
  bool ladder = false;  ///< measure the other rungs too; views that compare them always do
  core::Steps needs;    ///< of the view that will show it, beside the launch
  /// Of a chained run: told of the bodies at the start and after every so many steps; 0: never.
  std::uint64_t moment_every = 0;
  std::function<void(std::shared_ptr<const core::Bodies>)> moment;
  /// The workgroup that is traced; nothing: the view's.
  std::optional<glm::uvec3> workgroup;
  /// Check for races for so long at most. A picture of a launch that takes longer says how much of
  /// it was checked.
  double check_ms = 60e3;
  /// Asked when all but the ladder is there, which takes longest; its error is the capture's.
  std::function<core::Expected<void>(const core::Result&)> suits;
  /// The kernel beside: this one is launched as that one is, and the outputs are compared
  /// (Result::like); null: it is alone.
  const core::Result* like = nullptr;
};

/// Verifies, times and checks the scene's launch, draws its fields, and makes what else is needed.
/// The same scene on the same device gives the same Result but for what is measured. Views that
/// compare variants warm up properly before each.
[[nodiscard]] core::Expected<core::Result> capture(Workbench& bench,
                                                   const core::Catalogue& catalogue,
                                                   const std::filesystem::path& shaders,
                                                   const core::Scene& scene,
                                                   const CaptureOptions& options);

}  // namespace lab
