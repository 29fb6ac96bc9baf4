// What the window calls for a kernel that it has not run yet; no one else does.
#include "lab/live/probation.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

#include "cli/command.h"

namespace cli {
namespace {

struct ProbationFlags {
  Common common;
  std::string folder;
};

Outcome try_out(const ProbationFlags& flags) {
  constexpr int kNice = 10;  // the window's drawing comes first
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, kNice));
  auto library = open_library();
  const auto driver = open_driver(flags.common);
  if (!library || !driver) {
    return std::unexpected(!library ? library.error() : driver.error());
  }
  const auto tried =
      lab::try_out(*driver, std::move(library->catalogue), library->shaders, flags.folder);
  if (!tried) {
    if (tried.error().device_lost) {
      fmt::print("lost\t{}\n", tried.error().message);
    }
    return std::unexpected(tried.error());
  }
  fmt::print("{}", lab::format_ingredients(*tried));
  return ok;
}

}  // namespace

void add_probation(CLI::App& app) {
  auto flags = std::make_shared<ProbationFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments =
      add_command(app, "probation", "Run a kernel that the window has not run yet", common,
                  [flags] { return try_out(*flags); });
  arguments.option("FOLDER", flags->folder, "The folder in which the window saved the kernel")
      .required();
  app.get_subcommand("probation")->group("");  // not listed
}

}  // namespace cli
