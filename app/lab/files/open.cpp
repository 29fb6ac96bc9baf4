#include "lab/files/open.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/files.h"
#include "lab/files/capture_file.h"
#include "lab/files/dispatch_file.h"
#include "lab/files/scene_file.h"
#include "lab/files/workload_file.h"
#include "lab/plan/kernel_module.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostScenes = 1000;

// Of a kernel that is named by a path from somewhere else: beside the scene.
void find_beside(const fs::path& scene, std::string& kernel) {
  const fs::path beside = scene.parent_path() / kernel;
  const bool from_here = core::is_file(kernel) || core::is_folder(kernel);
  if (!kernel.empty() && !from_here && fs::path(kernel).is_relative() &&
      (core::is_file(beside) || core::is_folder(beside))) {
    kernel = beside.lexically_normal().string();
  }
}

core::Expected<void> take_kernel(Opened& opened) {
  auto adopted = TRY(adopt(std::move(opened.catalogue), opened.scene.experiment.variant));
  opened.catalogue = std::move(adopted.catalogue);
  opened.scene.experiment.variant = std::move(adopted.id);
  const auto variant = find_kernel(opened.catalogue, opened.scene.experiment.variant);
  return variant ? core::Expected<void>() : std::unexpected(variant.error());
}

core::Expected<Opened> open_scene(core::Catalogue catalogue, const fs::path& file,
                                  std::span<const core::ViewField> fields) {
  auto scene = TRY(read_scene(file, fields));
  find_kernels_of(file, scene);
  Opened opened{std::move(catalogue), std::move(scene), true, {}};
  TRY(take_kernel(opened));
  return opened;
}

}  // namespace

void find_kernels_of(const fs::path& file, core::Scene& scene) {
  find_beside(file, scene.experiment.variant);
  find_beside(file, scene.view.beside);
}

bool names_a_scene(const fs::path& file) {
  return file.extension() == ".toml" && file.filename() != kDispatchFile &&
         file.filename() != kWorkloadFile;
}

std::vector<SceneFile> scenes_in(const fs::path& folder, std::span<const core::ViewField> fields) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; entry != end && !failed;
       entry.increment(failed)) {
    if (names_a_scene(entry->path()) && files.size() < kMostScenes) {
      files.push_back(entry->path());
    }
  }
  std::ranges::sort(files);
  std::vector<SceneFile> scenes;
  for (const fs::path& file : files) {
    if (const auto scene = read_scene(file, fields); scene) {
      const std::string name = file.stem().string();
      scenes.push_back({file, scene->title.empty() ? name : scene->title, scene->notes});
    }
  }
  return scenes;
}

core::Expected<Opened> open_anything(core::Catalogue catalogue, const std::string& name,
                                     std::span<const core::ViewField> fields) {
  if (names_a_scene(name)) {
    return open_scene(std::move(catalogue), name, fields);
  }
  if (is_plain_folder(name) && !is_capture(name)) {  // of a capture its first launch
    auto scenes = scenes_in(name, fields);
    if (scenes.empty()) {
      return core::usage_error(
          fmt::format("{} has no scene, no {} and no {}; open a folder that has one of these", name,
                      kWorkloadFile, kDispatchFile));
    }
    auto opened = open_scene(std::move(catalogue), scenes.front().file, fields);
    if (opened) {
      opened->scenes = std::move(scenes);
    }
    return opened;
  }
  Opened opened{std::move(catalogue), {}, false, {}};
  opened.scene.experiment.variant = name;
  TRY(take_kernel(opened));
  return opened;
}

}  // namespace lab
