// What the window is open on: the catalogue, which others may change meanwhile, files and folders
// that are opened, and the list of a folder's scenes.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "lab/files/catalogue_watch.h"
#include "lab/files/open.h"
#include "lab/live/lab.h"
#include "ui/app.h"
#include "ui/open/open_state.h"

namespace studio {

class Opened {
 public:
  /// `app` and `lab` must outlive this.
  Opened(ui::App& app, lab::Lab& lab, const core::Catalogue& catalogue);

  [[nodiscard]] const core::Catalogue& catalogue() const { return catalogue_; }
  void list_scenes(const std::vector<lab::SceneFile>& files);
  /// The list to open from stands on that folder.
  void show_folder(const std::string& folder);
  /// A folder that is nothing by itself is looked into; all else is shown, or refused in words.
  bool open(const std::string& name, bool of_list = false);
  /// What a frame has asked for.
  void follow(const ui::Requests& requests);
  /// A folder that was asked for was read. True: there is something new to be drawn.
  bool take_listing();
  /// At the catalogue's files: kernels come and go. True: they did.
  bool look();

 private:
  [[nodiscard]] ui::OpenState& state() { return app_.state().of<ui::OpenState>(); }
  [[nodiscard]] ui::SceneList& scenes() { return app_.state().of<ui::SceneList>(); }

  ui::App& app_;
  lab::Lab& lab_;
  core::Catalogue catalogue_;
  lab::CatalogueWatch watch_;
  std::string listed_;
  std::future<ui::FolderListing> listing_;
};

}  // namespace studio
