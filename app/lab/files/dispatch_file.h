// A dispatch as a folder that anyone can read: dispatch.toml, the module as SPIR-V, the texts that
// it was compiled from, and contents that are bytes. dispatch.toml holds
//   tilescope_dispatch    the format's version
//   name, module, entry   what it is called, its SPIR-V's file, its entry point
//   sources               the texts' files, the kernel's own first
//   seed                  of random contents
//   [barriers]            K = "kind"
//   [launch]              lab/files/choices_toml.h; files are the folder's
#pragma once

#include <filesystem>

#include "core/base/error.h"
#include "core/work/dispatch.h"
#include "core/work/experiment.h"

namespace lab {

inline constexpr const char* kDispatchFile = "dispatch.toml";

struct SavedDispatch {
  core::KernelModule module;
  core::KernelChoices choices;
  core::BarrierEdits barriers;
  std::uint64_t seed = 1;
};

/// `file` is the folder's dispatch.toml. Errors name file and line.
[[nodiscard]] core::Expected<SavedDispatch> read_dispatch(const std::filesystem::path& file);

/// The folder is made; what it had of these files is written anew.
[[nodiscard]] core::Expected<void> write_dispatch(const std::filesystem::path& folder,
                                                  const core::Dispatch& dispatch,
                                                  std::uint64_t seed);

}  // namespace lab
