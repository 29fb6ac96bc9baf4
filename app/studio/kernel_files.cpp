#include "studio/kernel_files.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/base/files.h"
#include "lab/files/catalogue_watch.h"
#include "lab/files/dispatch_file.h"
#include "lab/ready/catalogue_files.h"

namespace studio {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOrigin = ".origin";

std::string read_text(const fs::path& file) {
  return core::read_file(file).value_or("");
}

fs::path drafts() {
  return core::user_file("XDG_STATE_HOME", ".local/state", "drafts");
}

// A name of one file: "matmul%2Ftiled.draft".
std::string file_name(const std::string& variant) {
  std::string name;
  for (const char c : variant) {
    name += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
  }
  return name + ".draft";
}

std::string variant_of(const std::string& name) {
  std::string variant;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::string code = name.substr(i, 3);
    const bool coded = code == "%2F" || code == "%25";
    variant += coded ? (code == "%2F" ? '/' : '%') : name[i];
    i += coded ? 2 : 0;
  }
  return variant;
}

core::Expected<void> write_whole(const fs::path& file, const std::string& text) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    return core::usage_error(
        fmt::format("cannot create {}: {}", file.parent_path().string(), failed.message()));
  }
  return core::write_file(file, std::as_bytes(std::span(text)));
}

}  // namespace

core::Expected<void> keep_draft(const std::string& variant, const std::optional<std::string>& text,
                                const std::string& begun) {
  const fs::path folder = drafts();
  if (folder.empty()) {
    return text
               ? core::usage_error("no folder found for the typed text; set HOME or XDG_STATE_HOME")
               : core::Expected<void>();
  }
  const fs::path file = folder / file_name(variant);
  fs::path origin = file;
  origin.replace_extension(kOrigin);
  if (text) {
    const auto kept = write_whole(file, *text);
    return kept && !begun.empty() ? write_whole(origin, begun) : kept;
  }
  std::error_code ignored;
  fs::remove(file, ignored);
  fs::remove(origin, ignored);
  return {};
}

std::vector<ui::KernelText> read_drafts() {
  std::vector<ui::KernelText> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(drafts(), none)) {
    const fs::path& file = entry.path();
    const auto text = core::read_file(file);
    if (text && file.extension() == ".draft") {
      fs::path origin = file;
      origin.replace_extension(kOrigin);
      all.push_back({variant_of(file.stem().string()), *text, read_text(origin)});
    }
  }
  return all;
}

namespace {

// What it includes by a name beside it, where the copy has no such file yet.
core::Expected<void> copy_included(const fs::path& from, const fs::path& to,
                                   std::span<const core::SourceFile> sources) {
  for (const core::SourceFile& source : sources) {
    const fs::path beside = fs::path(source.path).lexically_relative(from.parent_path());
    const bool below = !beside.empty() && *beside.begin() != "..";
    const fs::path place = to.parent_path() / beside;
    if (!below || source.path == from || core::is_file(place)) {
      continue;
    }
    if (const auto written = write_whole(place, source.text); !written) {
      return written;
    }
  }
  return {};
}

core::Expected<SavedKernel> save_copy(const core::Variant& known, const std::string& text,
                                      std::span<const core::SourceFile> sources) {
  const fs::path folder = lab::own_kernels_folder();
  if (!folder.is_absolute()) {
    return core::usage_error(
        "no folder found for the copy of the kernel; set HOME or XDG_DATA_HOME");
  }
  const std::string name = known.name + "-yours";
  const fs::path file = folder / known.workload / (name + ".comp");
  TRY(write_whole(file, text));
  TRY(copy_included(known.file, file, sources));
  // One that launches other kernels of its folder can't do so from elsewhere.
  const bool alone =
      known.launches.empty() ||
      std::ranges::all_of(known.launches, &std::string::empty, &core::LaunchPlan::kernel);
  return SavedKernel{file, alone ? known.workload + "/" + name : ""};
}

// Of the program, not its reader's.
bool is_shipped(const fs::path& file) {
  const auto shaders = lab::find_shaders();
  const fs::path relative = shaders ? file.lexically_relative(*shaders) : fs::path();
  return file.empty() || (!relative.empty() && *relative.begin() != "..");
}

}  // namespace

core::Expected<SavedKernel> save_kernel(const core::Catalogue& catalogue,
                                        const std::string& variant, const fs::path& own,
                                        const std::string& text,
                                        std::span<const core::SourceFile> sources) {
  const auto all = catalogue.all();
  const auto known = std::ranges::find(all, variant, &core::Variant::id);
  if (known != all.end() && is_shipped(known->file)) {
    return save_copy(*known, text, sources);
  }
  if (known == all.end() && own.filename() == lab::kDispatchFile) {
    return core::usage_error("the kernel of a saved launch cannot be changed");
  }
  fs::path file = known != all.end() ? known->file : own;
  const auto launcher =
      std::ranges::find_if(all, [&](const core::Variant& v) { return v.launches_kernel(variant); });
  const fs::path copies = lab::own_kernels_folder();
  if (known == all.end() && launcher != all.end()) {  // beside the copies of those that launch it
    file = copies / (variant + ".comp");
  } else if (known == all.end() && is_shipped(file)) {
    file = copies / file.parent_path().filename() / file.filename();
  }
  TRY(write_whole(file, text));
  return SavedKernel{file, ""};
}

}  // namespace studio
