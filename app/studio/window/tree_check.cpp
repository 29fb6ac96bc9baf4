#include "studio/window/tree_check.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "lab/plan/kernel_module.h"
#include "lab/plan/project_file.h"

namespace studio {
namespace {

namespace fs = std::filesystem;

constexpr auto kLookAgain = std::chrono::seconds(1);  // at files, so often

// Returns the kernels of the project whose file is in the folder, else those of the folder.
core::Expected<std::vector<std::string>> kernels_below(const fs::path& folder,
                                                       const std::function<bool()>& go_on) {
  const fs::path file = lab::find_project(folder);
  std::error_code failed;
  if (file.empty() || !fs::equivalent(file.parent_path(), folder, failed)) {
    return lab::kernels_in(folder.string(), go_on);
  }
  const auto project = lab::read_project(file);
  return project ? lab::kernels_of(*project) : std::unexpected(project.error());
}

fs::file_time_type time_of(const std::string& file) {
  std::error_code failed;
  return fs::last_write_time(file, failed);
}

}  // namespace

void TreeCheck::start(const std::string& folder) {
  thread_ = {};  // stops and joins
  {
    std::error_code failed;
    const fs::path whole = fs::weakly_canonical(folder, failed);
    const std::scoped_lock lock(mutex_);
    tree_ = {.folder = failed ? folder : whole.string(), .kernels = {}, .error = {}};
    news_ = true;
  }
  thread_ = std::jthread([this, folder](const std::stop_token& stopped) { run(stopped, folder); });
}

bool TreeCheck::take(ui::KernelTree& tree) {
  const std::scoped_lock lock(mutex_);
  if (news_) {
    tree = tree_;
  }
  return std::exchange(news_, false);
}

void TreeCheck::list(const std::stop_token& stopped, const std::string& folder) {
  const auto kernels = kernels_below(folder, [&] { return !stopped.stop_requested(); });
  const std::scoped_lock lock(mutex_);
  tree_.listed = true;
  news_ = true;
  if (!kernels) {
    tree_.error = kernels.error().message;
    return;
  }
  for (const std::string& kernel : *kernels) {
    std::error_code failed;
    const std::string name = fs::proximate(kernel, folder, failed).generic_string();
    tree_.kernels.push_back({.path = kernel, .name = failed ? kernel : name});
  }
  std::ranges::sort(tree_.kernels, {}, &ui::TreeKernel::name);
}

void TreeCheck::run(const std::stop_token& stopped, const std::string& folder) {
  list(stopped, folder);
  std::vector<std::string> paths;  // no lock is held while files are looked at: frames take it
  {
    const std::scoped_lock lock(mutex_);
    for (const ui::TreeKernel& kernel : tree_.kernels) {
      paths.push_back(kernel.path);
    }
  }
  std::map<std::string, fs::file_time_type> checked;  // times of the files
  std::mutex waiting;
  std::condition_variable_any never;
  while (check_ && !stopped.stop_requested()) {
    const auto next = std::ranges::find_if(paths, [&](const std::string& path) {
      const auto known = checked.find(path);
      return known == checked.end() || known->second != time_of(path);
    });
    if (next == paths.end()) {
      std::unique_lock lock(waiting);
      never.wait_for(lock, stopped, kLookAgain, [] { return false; });
      continue;
    }
    checked[*next] = time_of(*next);
    const KernelVerdict verdict = check_(*next, [&] { return !stopped.stop_requested(); });
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(tree_.kernels, *next, &ui::TreeKernel::path);
    found->verdict = verdict.verdict;
    found->findings = verdict.findings;
    found->why = verdict.why;
    news_ = true;
  }
}

}  // namespace studio
