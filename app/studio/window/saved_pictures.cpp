#include "studio/window/saved_pictures.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include <fmt/format.h>

#include "lab/files/scene_file.h"
#include "lab/files/settings.h"

namespace studio {
namespace {

// In the desktop's folder for pictures, or here where there is none: the first name, without a
// suffix, that no file with one of the suffixes has.
std::string free_stem(const core::Experiment& experiment,
                      std::initializer_list<const char*> suffixes) {
  std::string name = experiment.variant;
  std::ranges::replace(name, '/', '-');
  for (int n = 1;; ++n) {
    const std::string stem =
        (lab::pictures_folder() / fmt::format("tilescope-{}-{}", name, n)).string();
    if (std::ranges::none_of(suffixes, [&stem](const char* suffix) {
          return std::filesystem::exists(stem + suffix);
        })) {
      return stem;
    }
  }
}

}  // namespace

std::string save_with_scene(const Picture& picture, const core::Scene& scene) {
  const std::string stem = free_stem(scene.experiment, {".png", ".toml"});
  const std::filesystem::path image = stem + ".png";
  const std::filesystem::path file = stem + ".toml";
  if (const auto written = write_png(image, picture); !written) {
    return written.error().message;
  }
  if (const auto written = lab::write_scene(file, scene); !written) {
    return written.error().message;
  }
  return fmt::format("Saved to {} and {}", image.string(), file.string());
}

std::string save_measured(const core::Result& result, const SaveMeasurements& save) {
  const std::string stem = free_stem(result.experiment, {".csv", ".json"});
  const auto written = save(result, stem);
  return written ? fmt::format("Saved to {0}.csv and {0}.json", stem) : written.error().message;
}

}  // namespace studio
