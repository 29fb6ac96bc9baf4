#include "lab/files/settings.h"

#include <cstdlib>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "core/base/files.h"
#include "lab/files/scene_file.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

fs::path folder(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nothing sets it
  return value != nullptr ? fs::path(value) : fs::path();
}

core::View kept(const core::View& view) {
  core::View only;
  only.theme = view.theme;
  only.scale = view.scale;
  return only;
}

// XDG_PICTURES_DIR="$HOME/Bilder", as xdg-user-dirs writes it.
fs::path pictures_of_user_dirs(const fs::path& home) {
  const fs::path given = folder("XDG_CONFIG_HOME");
  std::ifstream file((given.is_absolute() ? given : home / ".config") / "user-dirs.dirs");
  constexpr std::string_view kKey = "XDG_PICTURES_DIR=\"";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kKey)) {
      std::string path = line.substr(kKey.size(), line.rfind('"') - kKey.size());
      if (path.starts_with("$HOME")) {
        path.replace(0, 5, home.string());
      }
      return path;
    }
  }
  return {};
}

}  // namespace

fs::path pictures_folder() {
  const fs::path home = folder("HOME");
  for (const fs::path& place :
       {folder("XDG_PICTURES_DIR"), pictures_of_user_dirs(home), home / "Pictures", home}) {
    std::error_code ignored;
    if (place.is_absolute() && fs::is_directory(place, ignored)) {
      return place;
    }
  }
  return {};
}

fs::path last_scene_file() {
  return core::user_file("XDG_STATE_HOME", ".local/state", "last.toml");
}

fs::path settings_file() {
  return core::user_file("XDG_CONFIG_HOME", ".config", "settings.toml");
}

core::Expected<void> read_settings(const fs::path& file, std::span<const core::ViewField> fields,
                                   core::View& view) {
  std::error_code failed;
  if (file.empty() || !fs::exists(file, failed)) {
    return {};
  }
  const auto scene = read_scene(file, fields);
  if (!scene) {
    fs::path aside = file;
    aside += ".damaged";
    fs::rename(file, aside, failed);
    return core::usage_error(fmt::format(
        "{}; {}", scene.error().message,
        failed ? "the file cannot be renamed" : "the file was renamed to " + aside.string()));
  }
  view.theme = scene->view.theme;
  view.scale = scene->view.scale;
  return {};
}

core::Expected<void> write_settings(const fs::path& file, std::span<const core::ViewField> fields,
                                    const core::View& view) {
  core::View before;
  if (file.empty() || (read_settings(file, fields, before) && kept(before) == kept(view))) {
    return {};
  }
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    return core::usage_error(
        fmt::format("cannot create {}: {}", file.parent_path().string(), failed.message()));
  }
  return write_scene(file, {.experiment = {}, .view = kept(view), .step = 0});
}

}  // namespace lab
