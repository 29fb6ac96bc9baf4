#include "studio/window/opened.h"

#include <chrono>
#include <utility>

#include "core/base/files.h"
#include "lab/files/consent.h"
#include "lab/files/window_state.h"
#include "lab/plan/project_file.h"
#include "studio/folder_listing.h"
#include "ui/edits.h"

namespace studio {
namespace {

// Include folders and macros that were given for the last kernel, and not by its project.
void keep_flags(const core::Experiment& last, core::Experiment& next) {
  if (core::names_a_file(last.variant) && lab::project_file_of(last.variant).empty()) {
    next.choices.include_dirs = last.choices.include_dirs;
    next.choices.defines = last.choices.defines;
  }
}

}  // namespace

Opened::Opened(ui::App& app, lab::Lab& lab, const core::Catalogue& catalogue, CheckKernel check)
    : app_(app), lab_(lab), catalogue_(catalogue), watch_(catalogue), tree_(std::move(check)) {
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
  state().show();
  state().folded.clear();
  tree_.start(folder);
  tree_.take(state().tree);
  if (const auto project = lab::project_to_allow(folder)) {
    ask(*project, "");
  }
}

void Opened::ask(const lab::Project& project, const std::string& then) {
  asked_ = project;
  after_answer_ = then;
  state().show();
  state().question = lab::consent_question(project.file.string(), project.compilers);
}

void Opened::take_answer(bool yes) {
  state().question.clear();
  const auto project = std::exchange(asked_, std::nullopt);
  if (!yes || !project) {
    return;
  }
  if (const auto kept = lab::keep_consent(project->folder, project->compilers); !kept) {
    app_.tell(kept.error().message);
    after_answer_.clear();  // opening the kernel would ask again
    return;
  }
  if (!state().tree.folder.empty()) {
    tree_.start(state().tree.folder);
  }
  if (const std::string then = std::exchange(after_answer_, {}); !then.empty()) {
    open(then);
  }
}

// "-I FOLDER", "-D NAME=VALUE" or "--reference KERNEL", for the kernel that is shown. False if
// another thing was typed.
bool Opened::set_choice(const std::string& typed) {
  const std::size_t space = std::min(typed.find(' '), typed.size());
  const std::string flag = typed.substr(0, space);
  if (flag != "-I" && flag != "-D" && flag != "--reference") {
    return false;
  }
  const std::size_t begin = std::min(typed.find_first_not_of(' ', space), typed.size());
  const std::string value = expanded(typed.substr(begin));
  core::Experiment experiment = app_.state().wanted;
  core::KernelChoices& choices = experiment.choices;
  if (value.empty()) {
    state().refused = flag + " needs a value";
    return true;
  }
  if (!core::names_a_file(experiment.variant)) {
    state().refused =
        flag + " needs a kernel from a file; " + experiment.variant + " is from the catalogue";
    return true;
  }
  if (flag == "--reference") {
    choices.reference = value;
  } else {
    (flag == "-I" ? choices.include_dirs : choices.defines).push_back(value);
  }
  app_.state().wanted = experiment;
  lab_.request(experiment);
  state().shown = false;
  app_.tell("Set " + typed + " for " + experiment.variant);
  return true;
}

bool Opened::open(const std::string& name, bool of_list) {
  if (set_choice(name)) {
    return false;
  }
  const std::string path = expanded(name);
  if (const auto project = core::is_file(path) ? lab::project_to_allow(path) : std::nullopt) {
    ask(*project, path);
    return false;
  }
  auto opened = lab::open_anything(catalogue_, path, ui::view_fields());
  if (opened && !opened->is_scene) {
    auto of_project = lab::experiment_of_project(path);
    if (!of_project) {
      opened = std::unexpected(of_project.error());
    } else if (*of_project) {
      opened->scene.experiment = std::move(**of_project);
    } else if (core::is_file(path)) {
      keep_flags(app_.state().wanted, opened->scene.experiment);
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
  if (const auto answer = std::exchange(state().answer, std::nullopt)) {
    take_answer(*answer);
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
  const bool news = tree_.take(state().tree);
  if (news && state().tree.listed && state().tree.kernels.empty()) {  // it is listed to open from
    const ui::KernelTree empty = std::exchange(state().tree, {});
    state().show(empty.folder + (empty.folder.ends_with('/') ? "" : "/"));
    state().refused = empty.error;
  }
  return there || news;
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
