// Kernels that were typed in the window: drafts, which outlive a crash, and the files that they are
// saved as.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "ui/model.h"

namespace studio {

/// Keeps what was typed at a kernel and not saved, in $XDG_STATE_HOME/tilescope/drafts; nothing:
/// there is no draft any more. Written whole or not at all.
[[nodiscard]] core::Expected<void> keep_draft(const std::string& variant,
                                              const std::optional<std::string>& text);
/// All that were kept. One that can't be read is left where it is.
[[nodiscard]] std::vector<ui::KernelText> read_drafts();

/// A kernel of the catalogue, or one that only its variant launches, is saved as a copy, in
/// $XDG_DATA_HOME/tilescope/kernels; any other as `own`, its file. The name of what was written.
[[nodiscard]] core::Expected<std::filesystem::path> save_kernel(const core::Catalogue& catalogue,
                                                                const std::string& variant,
                                                                const std::filesystem::path& own,
                                                                const std::string& text);

}  // namespace studio
