// What the window is open on: the catalogue, which others may change meanwhile, files and folders
// that are opened, and the list of a folder's scenes.
#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "lab/files/catalogue_watch.h"
#include "lab/files/open.h"
#include "lab/live/lab.h"
#include "lab/plan/project_file.h"
#include "studio/window/tree_check.h"
#include "ui/app.h"
#include "ui/open/open_state.h"

namespace studio {

class Opened {
 public:
  /// `app` and `lab` must outlive this.
  Opened(ui::App& app, lab::Lab& lab, const core::Catalogue& catalogue, CheckKernel check);

  [[nodiscard]] const core::Catalogue& catalogue() const { return catalogue_; }
  void list_scenes(const std::vector<lab::SceneFile>& files);
  /// Shows the kernels of a folder as a tree, and checks them. A folder without kernels is listed
  /// to open from.
  void show_folder(const std::string& folder);
  /// A folder that is nothing by itself is looked into; all else is shown, or refused in words.
  bool open(const std::string& name, bool of_list = false);
  /// What a frame has asked for.
  void follow(const ui::Requests& requests);
  /// A folder that was asked for was read, or a kernel of the tree was checked. True: there is
  /// something new to be drawn.
  bool take_listing();
  /// At the catalogue's files: kernels come and go. True: they did.
  bool look();

 private:
  [[nodiscard]] ui::OpenState& state() { return app_.state().of<ui::OpenState>(); }
  void ask(const lab::Project& project, const std::string& then);
  void take_answer(bool yes);
  bool set_choice(const std::string& typed);
  [[nodiscard]] ui::SceneList& scenes() { return app_.state().of<ui::SceneList>(); }

  ui::App& app_;
  lab::Lab& lab_;
  core::Catalogue catalogue_;
  lab::CatalogueWatch watch_;
  std::string listed_;
  std::future<ui::FolderListing> listing_;
  TreeCheck tree_;
  std::optional<lab::Project> asked_;  // whether its commands may run
  std::string after_answer_;           // what is opened then
};

}  // namespace studio
