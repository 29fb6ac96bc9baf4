#include "ui/widgets/phase_colour.h"

namespace ui {

// Half of each colour's way where a phase reads and writes shared memory. Purple is the registers'.
Colour phase_colour(const Palette& colours, const core::KernelPhase& phase) {
  if (phase.reads_shared) {
    return phase.writes_shared ? mix(colours.shared, colours.global, 0.5F) : colours.shared;
  }
  if (phase.writes_shared) {
    return phase.reads_global ? colours.global : colours.shared;
  }
  return phase.reads_global || phase.writes_global ? colours.global : colours.idle;
}

}  // namespace ui
