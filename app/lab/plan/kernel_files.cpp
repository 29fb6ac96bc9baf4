#include "lab/plan/kernel_files.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "core/base/files.h"
#include "gpu/includes.h"
#include "lab/plan/external_compiler.h"
#include "lab/plan/kernel_source.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text;
}

struct IncludeLine {
  std::string name;  // empty: a macro
  bool quoted = false;
};

// The #include of a line, if it has one.
std::optional<IncludeLine> include_in(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with('#')) {
    return std::nullopt;
  }
  line = without_blanks(line.substr(1));
  if (!line.starts_with("include")) {
    return std::nullopt;
  }
  line = without_blanks(line.substr(std::string_view("include").size()));
  const char open = line.empty() ? ' ' : line.front();
  const std::size_t end = open == '"'   ? line.find('"', 1)
                          : open == '<' ? line.find('>', 1)
                                        : std::string_view::npos;
  return IncludeLine{end == std::string_view::npos ? "" : std::string(line.substr(1, end - 1)),
                     open == '"'};
}

class Closure {
 public:
  Closure(const fs::path& kernel, const core::KernelChoices& choices, KernelFiles& found)
      : folders_(kernel, folders_of(choices)), found_(found) {}

  void add(const fs::path& file) {
    std::vector<fs::path> open{file};
    while (!open.empty()) {
      const fs::path next = std::move(open.back());
      open.pop_back();
      if (!seen_.insert(next.string()).second) {
        continue;
      }
      found_.files.push_back(next);
      std::istringstream lines(core::read_file(next).value_or(""));
      for (std::string line; std::getline(lines, line);) {
        const auto include = include_in(line);
        if (!include) {
          continue;
        }
        if (include->name.empty()) {
          found_.complete = false;
        } else if (auto path = folders_.find(include->name, next, include->quoted)) {
          open.push_back(std::move(*path));
        } else {
          found_.missing.push_back(include->name);
        }
      }
    }
  }

 private:
  static std::vector<fs::path> folders_of(const core::KernelChoices& choices) {
    std::vector<fs::path> folders(choices.include_dirs.begin(), choices.include_dirs.end());
    if (!choices.prelude.empty()) {
      folders.push_back(fs::path(choices.prelude).parent_path());
    }
    return folders;
  }

  gpu::IncludeFolders folders_;
  KernelFiles& found_;
  std::set<std::string> seen_;
};

}  // namespace

KernelFiles files_of_kernel(const fs::path& kernel, const core::KernelChoices& choices) {
  KernelFiles found;
  Closure closure(kernel, choices, found);
  closure.add(kernel);
  const std::string language = source_language(kernel, choices);
  // A compiler's command may read other files; naga reads the kernel alone.
  const bool has_command = std::ranges::any_of(choices.compilers, [&](const std::string& compiler) {
    const std::string start = language + "=";
    const CommandWords words =
        compiler.starts_with(start) ? split_command(compiler.substr(start.size())) : CommandWords();
    return !words.empty() && !fs::path(words.front()).filename().string().starts_with("naga");
  });
  if (has_command) {
    found.complete = false;
  }
  if (language != "glsl" && language != "hlsl" && language != "spv" && language != "spvasm" &&
      (language != "wgsl" || core::read_file(kernel).value_or("").contains("#import"))) {
    found.complete = false;
  }
  if (!choices.prelude.empty()) {
    closure.add(choices.prelude);
  }
  if (core::is_file(choices.reference)) {
    core::KernelChoices own = choices;
    own.reference.clear();
    KernelFiles reference = files_of_kernel(choices.reference, own);
    found.files.insert(found.files.end(), reference.files.begin(), reference.files.end());
    found.missing.insert(found.missing.end(), reference.missing.begin(), reference.missing.end());
    found.complete = found.complete && reference.complete;
  }
  for (const auto& [name, content] : choices.buffers) {
    const std::size_t at = content.starts_with('@') ? 0 : content.find(":@");
    if (at != std::string::npos) {
      found.files.emplace_back(content.substr(content.find('@', at) + 1));
    }
  }
  std::ranges::sort(found.files);
  const auto repeated = std::ranges::unique(found.files);
  found.files.erase(repeated.begin(), repeated.end());
  std::ranges::sort(found.missing);
  return found;
}

}  // namespace lab
