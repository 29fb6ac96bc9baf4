// What `tilescope` does without a command: the window, or the gallery where there is no display.
#pragma once

#include <filesystem>
#include <optional>

#include "cli/command.h"

namespace cli {

/// `flags` name what is opened, nothing, and how a kernel is compiled and launched; `scale` is that
/// of text and panels, nothing: as it was left, or as the display is dense.
[[nodiscard]] Outcome start(const Common& common, const ExperimentFlags& flags,
                            std::optional<float> scale = {});

/// One picture a variant, of every workload, into `folder`; says where.
[[nodiscard]] Outcome write_gallery(const Library& library, const Common& common,
                                    const std::filesystem::path& folder);

}  // namespace cli
