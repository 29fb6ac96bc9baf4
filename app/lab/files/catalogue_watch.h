// Looks whether kernels came, went or changed in the folders of a catalogue while a window is open.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/catalogue/catalogue.h"

namespace lab {

/// The kernels that were saved as copies of the catalogue's:
/// $XDG_DATA_HOME/tilescope/kernels/WORKLOAD/NAME.comp; empty where no home is known.
[[nodiscard]] std::filesystem::path own_kernels_folder();
/// The catalogue, and those copies as further variants of their workloads. One of the same name as
/// a kernel of the catalogue is left out.
[[nodiscard]] core::Catalogue with_own_kernels(core::Catalogue catalogue);

class CatalogueWatch {
 public:
  /// Of a catalogue as it is now.
  explicit CatalogueWatch(const core::Catalogue& catalogue);
  /// Reads it anew where a file has changed since; nothing: all is as it was. A folder whose
  /// workload can't be read any more keeps its kernels.
  [[nodiscard]] std::optional<core::Catalogue> look(const core::Catalogue& catalogue);

 private:
  using Stamps = std::map<std::string, std::filesystem::file_time_type>;
  [[nodiscard]] static Stamps stamps_of(const core::Catalogue& catalogue);
  Stamps stamps_;
};

}  // namespace lab
