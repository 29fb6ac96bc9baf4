#include "studio/window/opened.h"

#include <chrono>
#include <utility>

#include "core/base/files.h"
#include "lab/files/window_state.h"
#include "lab/plan/project_file.h"
#include "studio/folder_listing.h"
#include "ui/edits.h"

namespace studio {

Opened::Opened(ui::App& app, lab::Lab& lab, const core::Catalogue& catalogue)
    : app_(app), lab_(lab), catalogue_(catalogue), watch_(catalogue) {
  state().recent = lab::read_recent();
}

void Opened::list_scenes(const std::vector<lab::SceneFile>& files) {
  scenes().scenes.clear();
  scenes().at = 0;
  for (const lab::SceneFile& file : files) {
    scenes().scenes.push_back({file.file.string(), file.title, file.notes});
  }
}

void Opened::show_folder(const std::string& folder) {
  state().show(folder + (folder.ends_with('/') ? "" : "/"));
}

bool Opened::open(const std::string& name, bool of_list) {
  const std::string path = expanded(name);
  auto opened = lab::open_anything(catalogue_, path, ui::view_fields());
  if (opened && !opened->is_scene) {
    auto of_project = lab::experiment_of_project(path);
    if (!of_project) {
      opened = std::unexpected(of_project.error());
    } else if (*of_project) {
      opened->scene.experiment = std::move(**of_project);
    }
  }
  if (!opened && core::is_folder(path)) {
    show_folder(path);
    return false;
  }
  if (!opened) {
    state().refused = opened.error().message;
    app_.tell(opened.error().message);
    return false;
  }
  catalogue_ = std::move(opened->catalogue);
  const core::Experiment& wanted = app_.state().wanted;
  opened->scene.experiment.device = wanted.device;
  const core::Variant* known = ui::variant_of(opened->scene.experiment, catalogue_);
  if (!opened->is_scene && known != nullptr && known->workload == wanted.workload()) {
    opened->scene.experiment = ui::with_variant(wanted, *known);  // at the sizes that it has
  }
  lab_.offer(catalogue_);
  app_.show(opened->scene, opened->is_scene);
  lab_.request(opened->scene.experiment);
  if (!of_list) {
    list_scenes(opened->scenes);
    if (auto recent = lab::keep_recent(path)) {
      state().recent = std::move(*recent);
    }
  }
  return true;
}

void Opened::follow(const ui::Requests& requests) {
  if (requests.list_folder && *requests.list_folder != listed_) {
    listed_ = *requests.list_folder;
    listing_ = std::async(std::launch::async, list_folder, listed_);
  }
  if (requests.open) {
    open(*requests.open);
  }
  if (requests.open_scene && *requests.open_scene < scenes().scenes.size()) {
    const std::size_t at = *requests.open_scene;
    if (open(scenes().scenes[at].file, true)) {
      scenes().at = at;
    }
  }
}

bool Opened::take_listing() {
  const bool there =
      listing_.valid() && listing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (there) {
    state().listing = listing_.get();
  }
  return there;
}

bool Opened::look() {
  auto fresh = watch_.look(catalogue_);
  if (fresh) {
    catalogue_ = std::move(*fresh);
    lab_.offer(catalogue_);
  }
  return fresh.has_value();
}

}  // namespace studio
