// Results of earlier checks, found by content: a kernel that has not changed is not run again.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/project/check_items.h"
#include "core/base/error.h"

namespace cli {

/// The output of the process that checked one kernel.
struct CheckRecord {
  std::string out;     ///< what it printed
  std::string report;  ///< JSON; empty if there is none
  std::string error;   ///< why the call or the kernel's source is wrong
};

/// The files $XDG_CACHE_HOME/tilescope/checks/KEY.json. Results that may differ the next time are
/// not kept: crashes, timeouts, and incomplete checks that ran for long.
class CheckCache {
 public:
  /// `arguments`: those of the call that a result depends on. Nothing is found or kept if there is
  /// no cache folder or no device.
  CheckCache(const Common& common, const ExperimentFlags& flags,
             const std::vector<std::string>& arguments);

  /// Returns the key of a kernel's result: of the texts of all its files, its launch, the call, the
  /// device, its driver and this program. Empty if it cannot be known before the kernel is
  /// compiled.
  [[nodiscard]] std::string key_of(const CheckItem& item);
  [[nodiscard]] std::optional<CheckRecord> find(const std::string& key) const;
  void keep(const std::string& key, const CheckItem& item, const CheckRecord& record) const;
  /// Removes the oldest results if there are too many.
  void trim() const;

 private:
  [[nodiscard]] std::string print_of(const std::filesystem::path& file);

  std::filesystem::path folder_;  // empty: no cache
  ExperimentFlags flags_;
  std::string base_;                           // what all keys depend on
  std::map<std::string, std::string> prints_;  // of files that were read
};

}  // namespace cli
