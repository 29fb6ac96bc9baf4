// Frames without a window, drawn into files that move.
#pragma once

#include <span>

#include "core/work/scene.h"
#include "studio/pictures/files.h"
#include "studio/studio.h"
#include "ui/film.h"

namespace studio {

/// Draws one still after the other into `file`, and finishes it.
[[nodiscard]] core::Expected<void> render_film(const ui::Model& model, const core::Scene& scene,
                                               std::span<const ui::Still> stills, FilmFile& file,
                                               const StudioOptions& options = {});

}  // namespace studio
