#include "gpu/includes.h"

#include <algorithm>
#include <ranges>

#include "core/base/files.h"
#include "core/base/limits.h"
#include "core/work/project.h"
#include "gpu/compiler.h"

namespace gpu {
namespace {

namespace fs = std::filesystem;

// What shaderc holds on to between an include and its release.
struct Answer {
  std::string name;
  std::string content;
  shaderc_include_result result{};
};

fs::path here(const fs::path& folder) {
  return folder.empty() ? fs::path(".") : folder.lexically_normal();
}

fs::path full(const fs::path& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal();
}

bool within(const fs::path& file, const fs::path& folder) {
  const fs::path relative = full(file).lexically_relative(full(folder));
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

IncludeFolders::IncludeFolders(const fs::path& kernel, const std::vector<fs::path>& others)
    : kernel_folder_(here(kernel.parent_path())), folders_{kernel_folder_} {
  std::ranges::transform(others, std::back_inserter(folders_), here);
}

bool IncludeFolders::allows(const fs::path& file) const {
  if (std::ranges::any_of(folders_, [&](const fs::path& folder) { return within(file, folder); })) {
    return true;
  }
  const fs::path project = core::project_of(kernel_folder_);
  return !project.empty() && within(file, project);
}

core::Expected<fs::path> IncludeFolders::find(const std::string& requested,
                                              const fs::path& requesting, bool quoted) const {
  std::vector<fs::path> places = folders_;
  if (quoted) {
    places.insert(places.begin(), here(requesting.parent_path()));
  } else {
    std::ranges::rotate(places, places.begin() + 1);
  }
  fs::path outside;
  for (const fs::path& place : places) {
    const fs::path path = (place / requested).lexically_normal();
    if (!core::is_file(path)) {
      continue;
    }
    if (allows(path)) {
      return path;
    }
    outside = outside.empty() ? path : outside;
  }
  if (!outside.empty()) {
    return core::usage_error("\"" + requested +
                             "\" is outside the folder of the kernel; allow it with -I " +
                             here(outside.parent_path()).string());
  }
  return core::usage_error("file \"" + requested +
                           "\" not found in the folder of the file that includes it" +
                           (folders_.size() > 1 ? " or in the folders given by -I" : ""));
}

std::string Includer::chain() const {
  std::string names;
  const std::size_t from = open_.size() - std::min<std::size_t>(open_.size(), 3);
  for (const std::string& name : open_ | std::views::drop(from)) {
    names += (names.empty() ? "" : " → ") + fs::path(name).filename().string();
  }
  return names;
}

core::Expected<const core::SourceFile*> Includer::read(const fs::path& path) {
  if (const auto known = known_.find(path.string()); known != known_.end()) {
    return &known->second;
  }
  const auto typed = texts_.find(path.string());
  auto text = TRY(typed != texts_.end()
                      ? core::Expected<std::string>(typed->second)
                      : core::read_file(path, core::limits::source_bytes -
                                                  std::min(bytes_, core::limits::source_bytes)));
  bytes_ += text.size();
  const core::SourceFile file{path.string(), std::move(text)};
  sources_.files.push_back(file);
  return &known_.emplace(file.path, file).first->second;
}

core::Expected<const core::SourceFile*> Includer::take(const std::string& requested, bool quoted,
                                                       const std::string& requesting,
                                                       std::size_t depth) {
  if (depth > core::limits::include_depth) {
    return core::usage_error("includes are nested more than " +
                             std::to_string(core::limits::include_depth) + " deep (" + chain() +
                             "); check whether a file includes itself");
  }
  // Twice: shaderc reads a kernel once for its version alone.
  if (++count_ > 2 * core::limits::includes) {
    return core::usage_error("the kernel has more than " + std::to_string(core::limits::includes) +
                             " includes (" + chain() + ")");
  }
  const bool is_prelude = requested == kPreludeName && !prelude_.empty();
  const auto path = is_prelude ? prelude_ : TRY(folders_.find(requested, requesting, quoted));
  const auto* const file = TRY(read(path));
  if (Lookup lookup{requested, quoted, requesting, file->path};
      std::ranges::find(sources_.lookups, lookup) == sources_.lookups.end()) {
    sources_.lookups.push_back(std::move(lookup));
  }
  return file;
}

shaderc_include_result* Includer::GetInclude(const char* requested, shaderc_include_type type,
                                             const char* requesting, std::size_t depth) {
  auto included = std::make_unique<Answer>();
  const auto file = take(requested, type == shaderc_include_type_relative, requesting,
                         std::max(depth, open_.size() + 1));
  if (file) {
    included->name = (*file)->path;
    included->content = without_byte_order_mark((*file)->text);
  } else {
    included->content = file.error().message;  // with no name: shaderc takes it for the error
  }
  open_.push_back(included->name);
  Answer* raw = included.release();
  raw->result = {raw->name.data(), raw->name.size(), raw->content.data(), raw->content.size(), raw};
  return &raw->result;
}

void Includer::ReleaseInclude(shaderc_include_result* data) {
  const std::unique_ptr<Answer> owned(static_cast<Answer*>(data->user_data));
  if (!open_.empty()) {
    open_.pop_back();
  }
}

}  // namespace gpu
