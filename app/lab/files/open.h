// What a name or a path opens: a kernel of the catalogue, a kernel's file, a saved launch, a folder
// that is a workload, a scene, or a folder of scenes.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/work/scene.h"

namespace lab {

/// A scene's file: `.toml`, and no saved launch and no workload.
[[nodiscard]] bool names_a_scene(const std::filesystem::path& file);

/// A scene of a folder, as a list shows it.
struct SceneFile {
  std::filesystem::path file;
  std::string title;  ///< the file's name where it has none
  std::string notes;
};
/// The scenes that lie in a folder, in the order of their names; files that are none are left out.
[[nodiscard]] std::vector<SceneFile> scenes_in(const std::filesystem::path& folder,
                                               std::span<const core::ViewField> fields);

/// Kernels that a scene names by paths that lead nowhere from here are looked for beside it.
void find_kernels_of(const std::filesystem::path& file, core::Scene& scene);

struct Opened {
  core::Catalogue catalogue;  ///< with the workload that was opened
  core::Scene scene;
  bool is_scene = false;          ///< it says how it is looked at, too
  std::vector<SceneFile> scenes;  ///< of a folder of scenes, of which the first is opened
};
/// Errors say what is wrong with it, or what there is.
[[nodiscard]] core::Expected<Opened> open_anything(core::Catalogue catalogue,
                                                   const std::string& name,
                                                   std::span<const core::ViewField> fields);

}  // namespace lab
