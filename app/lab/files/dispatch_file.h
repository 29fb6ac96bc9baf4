// A dispatch as a folder that anyone can read: dispatch.toml, the module as SPIR-V, the texts that
// it was compiled from, and contents that are bytes. dispatch.toml holds
//   tilescope_dispatch    the format's version
//   name, module, entry   what it is called, its SPIR-V's file, its entry point
//   sources               the texts' files, the kernel's own first
//   seed                  of random contents
//   [barriers]            K = "kind"; of several kernels counted on from one to the next
//   [launch]              lab/files/choices_toml.h; files are the folder's
// `tilescope capture` adds
//   captured, notes       true; how a replay differs
//   label, subgroup_size  debug labels around the launch; the required subgroup size
//   [memory]              where resources begin: "0.1" = { memory, offset }; they may overlap
//   [after]               files of what the launch left: "0.1" = "0.1.after.bin"
// A run of several launches has a list [[launches]] instead of one name, module, entry, sources and
// [launch]; each has its own, and all work on the buffers of the first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/work/dispatch.h"
#include "core/work/experiment.h"

namespace lab {

inline constexpr const char* kDispatchFile = "dispatch.toml";

struct SavedLaunch {
  core::KernelModule module;
  core::KernelChoices choices;
};

struct SavedDispatch {
  std::vector<SavedLaunch> launches;  ///< in turn; never empty
  /// `tilescope capture` wrote it: buffers that the kernel does not use may be listed.
  bool captured = false;
  std::vector<std::string> notes;  ///< how a replay differs from the captured launch
  core::BarrierEdits barriers;
  std::uint64_t seed = 1;
};

/// `file` is the folder's dispatch.toml. Errors name file and line.
[[nodiscard]] core::Expected<SavedDispatch> read_dispatch(const std::filesystem::path& file);

/// The folder is made; what it had of these files is written anew.
/// `launches` are in turn, on the same resources, and each is of all its workgroups; `barriers` are
/// edits of all their barriers, as an experiment has them.
[[nodiscard]] core::Expected<void> write_dispatch(const std::filesystem::path& folder,
                                                  std::span<const core::Dispatch* const> launches,
                                                  const core::BarrierEdits& barriers,
                                                  std::uint64_t seed);

}  // namespace lab
