// The launches that `check` checks: those of each named kernel, or of all kernels of the project.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "core/base/error.h"
#include "lab/plan/project_file.h"

namespace cli {

/// A kernel, and its launch in the project file if it has one.
struct CheckItem {
  std::string kernel;
  std::shared_ptr<const lab::Project> project = {};  ///< null: none
  std::optional<lab::ProjectLaunch> launch = {};     ///< of the project

  [[nodiscard]] std::string launch_name() const { return launch ? launch->name : std::string(); }
  /// As reports name it: "blur.comp (full-hd)".
  [[nodiscard]] std::string name() const;
  /// The experiment of the project's launch, changed by the flags.
  [[nodiscard]] core::Expected<core::Experiment> experiment(ExperimentFlags flags) const;
};

/// Returns the items in order: a folder's kernels, a workload's variants, or the names themselves.
/// No name: the kernels of the project file at or above the current folder. With --launch-name only
/// the launches of that name. Fails if there is none, or if a project file is wrong.
[[nodiscard]] core::Expected<std::vector<CheckItem>> check_items(
    const std::vector<std::string>& names, const ExperimentFlags& flags);

}  // namespace cli
