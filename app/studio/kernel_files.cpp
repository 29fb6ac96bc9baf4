#include "studio/kernel_files.h"

#include <algorithm>
#include <fstream>
#include <span>
#include <sstream>

#include <fmt/format.h>

#include "core/base/files.h"
#include "lab/files/dispatch_file.h"
#include "lab/files/settings.h"

namespace studio {
namespace {

namespace fs = std::filesystem;

fs::path drafts() {
  return lab::xdg_file("XDG_STATE_HOME", ".local/state", "drafts");
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
        fmt::format("{} can't be made: {}", file.parent_path().string(), failed.message()));
  }
  return core::write_file(file, std::as_bytes(std::span(text)));
}

}  // namespace

core::Expected<void> keep_draft(const std::string& variant,
                                const std::optional<std::string>& text) {
  const fs::path folder = drafts();
  if (folder.empty()) {
    return {};
  }
  if (text) {
    return write_whole(folder / file_name(variant), *text);
  }
  std::error_code ignored;
  fs::remove(folder / file_name(variant), ignored);
  return {};
}

std::vector<ui::KernelText> read_drafts() {
  std::vector<ui::KernelText> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(drafts(), none)) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (file && entry.path().extension() == ".draft") {
      all.push_back({variant_of(entry.path().stem().string()), text.str()});
    }
  }
  return all;
}

core::Expected<fs::path> save_kernel(const core::Catalogue& catalogue, const std::string& variant,
                                     const fs::path& own, const std::string& text) {
  const bool copy = std::ranges::any_of(catalogue.all(), [&](const core::Variant& known) {
    return known.id() == variant || known.launches_kernel(variant);
  });
  if (!copy && own.filename() == lab::kDispatchFile) {
    return core::usage_error("a kernel of a saved launch is kept as it was launched");
  }
  const fs::path file =
      copy ? lab::xdg_file("XDG_DATA_HOME", ".local/share", "kernels") / (variant + ".comp") : own;
  if (copy && !file.is_absolute()) {
    return core::usage_error("there is no home folder to save a copy of the kernel in");
  }
  if (const auto written = write_whole(file, text); !written) {
    return std::unexpected(written.error());
  }
  return file;
}

}  // namespace studio
