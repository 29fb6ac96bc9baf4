// What the window remembers from one start to the next: theme and scale, as a scene file in the
// XDG configuration folder.
#pragma once

#include <filesystem>
#include <span>

#include "core/base/error.h"
#include "core/work/scene.h"

namespace lab {

/// $XDG_CONFIG_HOME/tilescope/settings.toml, or below ~/.config; empty where neither is known.
[[nodiscard]] std::filesystem::path settings_file();

/// The desktop's folder for pictures: $XDG_PICTURES_DIR, what user-dirs.dirs says, ~/Pictures;
/// the home folder where that is not there, empty where not even that is known.
[[nodiscard]] std::filesystem::path pictures_folder();
/// $XDG_STATE_HOME/tilescope/last.toml, or below ~/.local/state: the scene as the window was left.
[[nodiscard]] std::filesystem::path last_scene_file();

/// Into `view`; a file that is not there changes nothing. A damaged one is moved aside, to
/// settings.toml.damaged, and the error says so: nothing is lost, and the next start is clean.
/// `fields` are those of all views, as for read_scene().
[[nodiscard]] core::Expected<void> read_settings(const std::filesystem::path& file,
                                                 std::span<const core::ViewField> fields,
                                                 core::View& view);

/// Only when they differ from what the file holds. Written whole or not at all.
[[nodiscard]] core::Expected<void> write_settings(const std::filesystem::path& file,
                                                  std::span<const core::ViewField> fields,
                                                  const core::View& view);

}  // namespace lab
