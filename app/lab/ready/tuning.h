// The tuner's memory: which tile and constants of a kernel were found best on a device, for sizes
// of about the same, as a TOML file in the XDG cache folder. `bench --tune` writes it, what starts
// a kernel without a tile reads it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/device_info.h"
#include "core/catalogue/variant.h"
#include "core/model/wave_model.h"
#include "core/work/experiment.h"
#include "core/work/result.h"

namespace lab {

/// What a kernel's header leaves open: its tile, and the constants of its [tune] table.
struct Choice {
  std::uint32_t tile = 0;   ///< 0: it has none
  core::Settings settings;  ///< the constants, by name
  bool operator==(const Choice&) const = default;
};

/// All tiles with all values of all constants; the kernel's own choice first. Empty where there is
/// nothing to choose.
[[nodiscard]] std::vector<Choice> choices_of(const core::Variant& variant);

/// Those that are worth a trial where a model has looked at all: of each offer the unshared launch
/// and the three sharings that should be fastest. In the order of the plans.
[[nodiscard]] std::vector<core::WavePlan> plans_to_try(const core::Variant& variant,
                                                       const std::vector<core::WavePlan>& plans);
/// What of a plan is kept for sizes of its class: how tiles are shared follows from the sizes.
[[nodiscard]] Choice without_sharing(const core::Variant& variant, Choice choice);

/// Sizes that are tuned alike: of the same powers of two, and of rows that start alike on 16 bytes
/// or do not. "4096,4096,4096" for 4100×5000×8000, "2048,4096,4096, unaligned" for 4095×4097×4093.
[[nodiscard]] std::string size_class(const core::Sizes& sizes);

class Tunings {
 public:
  /// Best choices so far; a file that is not there holds none. A damaged one is moved aside, to
  /// tuned.toml.damaged, and `warning` says so.
  [[nodiscard]] static Tunings read(const std::filesystem::path& file, std::string& warning);
  [[nodiscard]] core::Expected<void> write(const std::filesystem::path& file) const;

  void keep(const core::DeviceInfo& device, const std::string& variant, const core::Sizes& sizes,
            Choice choice);
  [[nodiscard]] const Choice* find(const core::DeviceInfo& device, const std::string& variant,
                                   const core::Sizes& sizes) const;

 private:
  struct Entry {
    std::string device, driver, variant, sizes;
    Choice choice;
  };
  std::vector<Entry> entries_;
};

/// $XDG_CACHE_HOME/tilescope/tuned.toml, or below ~/.cache; empty where neither is known.
[[nodiscard]] std::filesystem::path tunings_file();

}  // namespace lab
