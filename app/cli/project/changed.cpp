#include "cli/project/changed.h"

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/child.h"
#include "core/base/files.h"
#include "core/base/spelling.h"
#include "lab/plan/kernel_files.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
using Paths = std::set<fs::path>;

constexpr double kGitSeconds = 60.0;

fs::path whole_path(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(path, failed);
  return failed ? fs::absolute(path, failed).lexically_normal() : whole;
}

core::Expected<std::string> git(const fs::path& folder, const std::vector<std::string>& words) {
  core::ChildCall call{
      .arguments = {"git", "-C", folder.string()}, .environment = {}, .keep_output = true};
  call.arguments.insert(call.arguments.end(), words.begin(), words.end());
  const core::ChildLimits limits = core::stranger_limits(kGitSeconds);
  const auto end = core::run_child(call, limits, "/usr/bin/env");
  if (!end) {
    return std::unexpected(end.error());
  }
  if (!end->exited()) {
    return core::device_error(end->sentence("git", limits));
  }
  if (end->status == 127) {
    return core::usage_error("--since needs git, which is not installed");
  }
  if (end->status != 0) {
    const std::string why = end->err.substr(0, end->err.find('\n'));
    return core::usage_error(
        fmt::format("--since: git reports: {}", core::shortened(why.empty() ? "no reason" : why)));
  }
  return end->out;
}

// Paths that end with a zero byte each, relative to a folder.
void add_paths(const std::string& text, const fs::path& folder, Paths& paths) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    paths.insert(whole_path(folder / text.substr(at, end - at)));
    at = end + 1;
  }
}

bool is_changed(const CheckItem& item, const ExperimentFlags& flags, const Paths& changed) {
  // For a submodule or a nested repository, git prints only its folder.
  const auto is_in = [&](const fs::path& file) {
    fs::path path = whole_path(file);
    while (!changed.contains(path) && path.has_relative_path()) {
      path = path.parent_path();
    }
    return changed.contains(path);
  };
  if (core::is_folder(item.kernel)) {
    const fs::path folder = whole_path(item.kernel);
    return std::ranges::any_of(changed, [&](const fs::path& file) {
      const fs::path relative = file.lexically_relative(folder);
      return !relative.empty() && *relative.begin() != "..";
    });
  }
  if (item.project && is_in(item.project->file)) {
    return true;
  }
  const auto experiment = item.experiment(flags);
  if (!experiment || !core::is_file(item.kernel)) {
    return true;  // the check says what is wrong; variants of the catalogue are not in the
                  // repository
  }
  const lab::KernelFiles files = lab::files_of_kernel(item.kernel, experiment->choices);
  // A file that was removed, or that a branch of the preprocessor names.
  const auto was_there = [&](const std::string& include) {
    return std::ranges::any_of(changed, [&](const fs::path& file) {
      return file.filename() == fs::path(include).filename();
    });
  };
  return !files.complete || std::ranges::any_of(files.files, is_in) ||
         std::ranges::any_of(files.missing, was_there);
}

}  // namespace

core::Expected<Paths> files_changed_since(const std::string& revision, const fs::path& folder) {
  if (revision.starts_with('-')) {
    return core::usage_error(
        fmt::format("--since takes a revision of git, not \"{}\"", core::shortened(revision)));
  }
  auto top = TRY(git(folder, {"rev-parse", "--show-toplevel"}));
  while (top.ends_with('\n')) {
    top.pop_back();
  }
  const auto known = git(top, {"rev-parse", "--verify", "--quiet", revision + "^{commit}"});
  if (!known) {
    return known.error().fault == core::Fault::device
               ? std::unexpected(known.error())
               : core::usage_error(fmt::format("--since: revision \"{}\" not found in {}; fetch it "
                                               "with git, or name another one",
                                               core::shortened(revision), top));
  }
  Paths paths;
  const std::vector<std::vector<std::string>> calls{
      {"diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", revision, "--"},
      {"ls-files", "--others", "--exclude-standard", "-z"}};
  for (const std::vector<std::string>& words : calls) {
    const auto listed = TRY(git(top, words));
    add_paths(listed, top, paths);
  }
  return paths;
}

core::Expected<void> keep_changed(const std::string& revision, const ExperimentFlags& flags,
                                  std::vector<CheckItem>& items) {
  // Kernels may be of several repositories.
  std::map<fs::path, Paths> by_folder;
  std::vector<CheckItem> kept;
  for (CheckItem& item : items) {
    const fs::path folder =
        item.project ? item.project->folder : whole_path(item.kernel).parent_path();
    auto found = by_folder.find(folder);
    if (found == by_folder.end()) {
      auto changed =
          TRY(files_changed_since(revision, core::is_folder(folder) ? folder : fs::current_path()));
      found = by_folder.emplace(folder, std::move(changed)).first;
    }
    if (is_changed(item, flags, found->second)) {
      kept.push_back(std::move(item));
    }
  }
  items = std::move(kept);
  return {};
}

}  // namespace cli
