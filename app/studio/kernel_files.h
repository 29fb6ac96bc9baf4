// Kernels that were typed in the window: drafts, which outlive a crash, and the files that they are
// saved as.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "ui/model.h"

namespace studio {

/// Keeps what was typed at a kernel and not saved, in $XDG_STATE_HOME/tilescope/drafts; nothing:
/// there is no draft any more. Written whole or not at all.
/// With the file's text that it was begun with.
[[nodiscard]] core::Expected<void> keep_draft(const std::string& variant,
                                              const std::optional<std::string>& text,
                                              const std::string& begun = {});
/// All that were kept. One that can't be read is left where it is.
[[nodiscard]] std::vector<ui::KernelText> read_drafts();

/// What became of a kernel that was saved.
struct SavedKernel {
  std::filesystem::path file;
  std::string variant;  ///< of a copy that can be run by itself: what it is from now on; else empty
};
/// A kernel of the catalogue is saved as a copy, with what it includes, in
/// $XDG_DATA_HOME/tilescope/kernels/WORKLOAD/NAME-yours.comp, which is a further variant of its
/// workload; any other, and such a copy, as `own`, its file. `included`: it is a file of the
/// catalogue that kernels include.
[[nodiscard]] core::Expected<SavedKernel> save_kernel(const core::Catalogue& catalogue,
                                                      const std::string& variant,
                                                      const std::filesystem::path& own,
                                                      const std::string& text,
                                                      std::span<const core::SourceFile> sources);

}  // namespace studio
