// What the occupancy view remembers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/model/wave_model.h"
#include "ui/view_state.h"

namespace ui {

/// The ways to launch a kernel that its model of waves knows: the best of each tile, and this one.
struct WavesTold {
  std::shared_ptr<const core::WaveReport> of;
  std::string variant;
  core::Sizes sizes;
  bool elsewhere = false;  ///< as on a GPU that is not here
  std::vector<core::WavePlan> plans;
};

struct OccupancyState final : ViewState {
  /// On a device that can't tell: the GPU that the kernel is thought to run on, one of
  /// modelled_gpus(); empty: the device itself.
  std::string as_on;
  bool waves = false;  ///< in a narrow view, the launch's waves come first
  WavesTold told;      ///< made from the result that was shown last

  [[nodiscard]] std::vector<StateField> fields() override;
};

}  // namespace ui
