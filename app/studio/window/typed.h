// What was typed in the window: kept as drafts, given to the lab, saved as files, and watched over
// where its files are changed by others.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "core/catalogue/catalogue.h"
#include "core/work/result.h"
#include "lab/live/lab.h"
#include "ui/app.h"
#include "ui/editor/editor.h"

namespace studio {

class Typed {
 public:
  /// All of it must outlive this. The drafts of last time are there again.
  Typed(ui::App& app, lab::Lab& lab, const core::Catalogue& catalogue);

  void keep(const ui::KernelText& draft);
  /// The draft is kept first: what was typed outlives a kernel that loses the device.
  void edit(const ui::EditedKernel& edited);
  struct Saved {
    std::string told;     ///< what was saved, or why not, as a sentence
    std::string variant;  ///< the copy that takes the place of the catalogue's kernel; else empty
  };
  [[nodiscard]] Saved save(const ui::KernelText& kernel, const core::Result& shown);
  /// At the files of what is edited. True: one of them is another one than before.
  bool look();
  /// Keeps all of it as drafts. Returns what is not in a file yet, or what can't be kept, as a
  /// sentence, once for each text: who closes again agrees. Empty: close.
  [[nodiscard]] std::string asks_on_closing();

 private:
  [[nodiscard]] core::Expected<void> keep_as(const std::string& draft,
                                             const std::optional<std::string>& text,
                                             const std::string& begun = {});
  [[nodiscard]] const ui::Sheet* sheet_of(const std::string& name) const;
  [[nodiscard]] std::filesystem::path file_of(const std::string& name) const;

  ui::App& app_;
  lab::Lab& lab_;
  const core::Catalogue& catalogue_;
  std::set<std::string> not_kept_;  // drafts that couldn't be written
  std::string told_on_closing_;
};

}  // namespace studio
