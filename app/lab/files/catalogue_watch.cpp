#include "lab/files/catalogue_watch.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/files.h"
#include "lab/files/workload_file.h"
#include "lab/ready/catalogue_files.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

std::set<fs::path> folders_of(const core::Catalogue& catalogue) {
  std::set<fs::path> folders;
  for (const core::Variant& variant : catalogue.all()) {
    folders.insert(variant.file.parent_path());
  }
  if (const auto shaders = find_shaders(); shaders) {
    folders.insert(*shaders);
  }
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(own_kernels_folder(), ignored)) {
    folders.insert(entry.path());
  }
  folders.insert(own_kernels_folder());
  return folders;
}

// Of a workload that was opened from elsewhere.
void keep_opened(const core::Catalogue& before, const fs::path& shaders,
                 std::vector<core::Variant>& variants, std::vector<core::WorkloadPtr>& workloads) {
  for (const core::WorkloadPtr& work : before.workloads()) {
    const auto old = before.of(work->name());
    const auto elsewhere = std::ranges::find_if(old, [&](const core::Variant& v) {
      const fs::path among = v.file.parent_path().parent_path();
      return among != shaders && among != own_kernels_folder();
    });
    if (elsewhere == old.end()) {
      continue;
    }
    const auto read = read_workload_folder(elsewhere->file.parent_path());
    std::erase_if(variants, [&](const core::Variant& v) { return v.workload == work->name(); });
    std::erase_if(workloads, [&](const auto& other) { return other->name() == work->name(); });
    workloads.push_back(read ? read->work : work);
    if (read) {
      variants.insert(variants.end(), read->variants.begin(), read->variants.end());
    } else {
      variants.insert(variants.end(), old.begin(), old.end());
    }
  }
}

}  // namespace

fs::path own_kernels_folder() {
  return core::user_file("XDG_DATA_HOME", ".local/share", "kernels");
}

core::Catalogue with_own_kernels(core::Catalogue catalogue) {
  std::vector<core::Variant> variants(catalogue.all().begin(), catalogue.all().end());
  const std::vector<core::WorkloadPtr> workloads(catalogue.workloads().begin(),
                                                 catalogue.workloads().end());
  std::error_code ignored;
  for (const core::WorkloadPtr& work : workloads) {
    for (const auto& entry : fs::directory_iterator(own_kernels_folder() / work->name(), ignored)) {
      core::Variant own = read_variant(entry.path(), work);
      const bool known =
          std::ranges::find(variants, own.id(), &core::Variant::id) != variants.end();
      if (entry.path().extension() == ".comp" && !known) {
        own.title += own.title.empty() ? "" : " (yours)";
        variants.push_back(std::move(own));
      }
    }
  }
  return {std::move(variants), workloads};
}

CatalogueWatch::CatalogueWatch(const core::Catalogue& catalogue) : stamps_(stamps_of(catalogue)) {}

CatalogueWatch::Stamps CatalogueWatch::stamps_of(const core::Catalogue& catalogue) {
  Stamps stamps;
  std::error_code failed;
  for (const fs::path& folder : folders_of(catalogue)) {
    for (fs::directory_iterator entry(folder, failed), end; entry != end && !failed;
         entry.increment(failed)) {
      if (entry->path().extension() == ".comp" || entry->path().filename() == kWorkloadFile) {
        std::error_code gone;
        stamps[entry->path().string()] = fs::last_write_time(entry->path(), gone);
      }
    }
  }
  return stamps;
}

std::optional<core::Catalogue> CatalogueWatch::look(const core::Catalogue& catalogue) {
  Stamps now = stamps_of(catalogue);
  const auto shaders = find_shaders();
  if (now == stamps_ || !shaders) {
    return std::nullopt;
  }
  stamps_ = std::move(now);
  const core::Catalogue read = read_catalogue(*shaders);
  std::vector<core::Variant> variants(read.all().begin(), read.all().end());
  std::vector<core::WorkloadPtr> workloads(read.workloads().begin(), read.workloads().end());
  keep_opened(catalogue, *shaders, variants, workloads);
  return with_own_kernels({std::move(variants), std::move(workloads)});
}

}  // namespace lab
