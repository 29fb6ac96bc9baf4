#include "cli/project/check_items.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/base/spelling.h"
#include "lab/plan/kernel_module.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

// Project files by path; each is read once.
using ProjectRead = core::Expected<std::shared_ptr<const lab::Project>>;
using Projects = std::map<fs::path, ProjectRead>;

const ProjectRead& project_in(Projects& projects, const fs::path& file) {
  const auto found = projects.find(file);
  if (found != projects.end()) {
    return found->second;
  }
  auto read = lab::read_project(file);
  ProjectRead project = read ? ProjectRead(std::make_shared<const lab::Project>(std::move(*read)))
                             : std::unexpected(read.error());
  return projects.emplace(file, std::move(project)).first->second;
}

core::Expected<std::vector<std::string>> kernels_named(const std::vector<std::string>& names,
                                                       Projects& projects) {
  if (names.empty()) {
    const fs::path file = lab::find_project(".");
    if (file.empty()) {
      return core::usage_error(
          fmt::format("no {} found in this folder or in the folders above it; name a kernel, or "
                      "write a project file with `tilescope init`",
                      lab::kProjectFile));
    }
    const auto& project = project_in(projects, file);
    return project ? lab::kernels_of(**project) : std::unexpected(project.error());
  }
  std::vector<std::string> all;
  for (const std::string& name : names) {
    auto some = TRY(lab::kernels_in(name));
    std::ranges::move(some, std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::string CheckItem::name() const {
  return launch && !launch->name.empty() ? fmt::format("{} ({})", kernel, launch->name) : kernel;
}

core::Expected<core::Experiment> CheckItem::experiment(ExperimentFlags flags) const {
  flags.variant = kernel;
  flags.no_project = flags.no_project || !project;
  return project && launch ? flags.experiment(*project, *launch) : flags.experiment();
}

core::Expected<std::vector<CheckItem>> check_items(const std::vector<std::string>& names,
                                                   const ExperimentFlags& flags) {
  if (names.empty() && flags.no_project) {
    return core::usage_error(
        "no kernel given; --no-project ignores the kernels of the project, so name a kernel");
  }
  Projects projects;
  const auto kernels = TRY(kernels_named(names, projects));
  std::vector<CheckItem> items;
  bool any_project = false;
  for (const std::string& kernel : kernels) {
    const fs::path file = flags.no_project ? fs::path() : lab::project_file_of(kernel);
    if (file.empty()) {
      items.push_back({kernel});
      continue;
    }
    any_project = true;
    const auto& project = project_in(projects, file);
    auto launches =
        TRY(project ? lab::launches_of(**project, kernel) : std::unexpected(project.error()));
    for (lab::ProjectLaunch& launch : launches) {
      if (flags.launch_name.empty() || launch.name == flags.launch_name) {
        items.push_back({kernel, *project, std::move(launch)});
      }
    }
  }
  if (!flags.launch_name.empty()) {
    std::erase_if(items, [](const CheckItem& item) { return !item.launch; });
  }
  if (items.empty()) {
    return core::usage_error(
        fmt::format("--launch-name {}: {}", core::shortened(flags.launch_name),
                    any_project ? "no kernel has a launch of this name"
                                : fmt::format("{} has no {}", kernels.front(), lab::kProjectFile)));
  }
  return items;
}

}  // namespace cli
