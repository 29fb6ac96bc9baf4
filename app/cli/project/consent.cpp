#include "cli/project/consent.h"

#include <cstdio>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/process/streams.h"
#include "lab/files/consent.h"
#include "lab/plan/project_file.h"

namespace cli {

void ask_for_consent(const std::vector<std::string>& kernels) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) {
    return;
  }
  std::set<std::filesystem::path> asked;
  for (const std::string& kernel : kernels) {
    const auto project = lab::project_to_allow(kernel);
    if (!project || !asked.insert(project->file).second) {
      continue;
    }
    fmt::print(stderr, "{}",
               lab::consent_question(project->file.string(), project->compilers) + " [y/N] ");
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
