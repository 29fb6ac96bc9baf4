#include "cli/project/consent.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/process/streams.h"
#include "core/base/files.h"
#include "lab/files/consent.h"
#include "lab/plan/project_file.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

// The project of a kernel that needs one of its commands, or of a folder. Nothing if there is none.
std::optional<lab::Project> project_with_commands(const std::string& name) {
  const bool folder = core::is_folder(name);
  const fs::path file = folder ? lab::find_project(name) : lab::project_file_of(name);
  auto project = file.empty() ? core::usage_error("") : lab::read_project(file);
  if (!project || project->compilers.empty()) {
    return std::nullopt;
  }
  core::KernelChoices choices;
  const bool needs = folder || !lab::add_compilers(*project, name, false, choices);
  return needs ? std::optional(std::move(*project)) : std::nullopt;
}

// Control characters could hide a part of a command from the reader.
std::string visible(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return text;
}

}  // namespace

std::string consent_question(const std::string& file, const std::vector<std::string>& commands) {
  std::string text = fmt::format("{} names commands that compile kernels:\n", visible(file));
  for (const std::string& command : commands) {
    const std::size_t equals = command.find('=');
    text += fmt::format("  {}: {}\n", visible(command.substr(0, equals)),
                        visible(command.substr(equals + 1)));
  }
  return text + "Run them now and later for this folder? [y/N] ";
}

void ask_for_consent(const std::vector<std::string>& kernels) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) {
    return;
  }
  std::set<fs::path> asked;
  for (const std::string& kernel : kernels) {
    const auto project = project_with_commands(kernel);
    if (!project || lab::has_consent(project->folder, project->compilers) ||
        !asked.insert(project->file).second) {
      continue;
    }
    fmt::print(stderr, "{}", consent_question(project->file.string(), project->compilers));
    char answer[16] = "";
    if (std::fgets(answer, sizeof answer, stdin) == nullptr ||
        (answer[0] != 'y' && answer[0] != 'Y')) {
      continue;
    }
    if (const auto kept = lab::keep_consent(project->folder, project->compilers); !kept) {
      complain(kept.error().message);
    }
  }
}

}  // namespace cli
