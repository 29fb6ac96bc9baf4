// `tilescope init` writes a project file for the kernels of a folder.
#include <algorithm>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/process/each.h"
#include "cli/project/starter.h"
#include "core/base/files.h"
#include "core/base/scratch.h"
#include "lab/plan/kernel_module.h"
#include "lab/plan/project_file.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kSecondsForKernel = 60.0;

struct InitFlags {
  Common common;
  std::string folder = ".";
  std::uint32_t jobs = 0;
  bool no_check = false;
};

// The entry of a kernel, from the report of the process that checked it.
KernelStart start_of(const std::string& path, const std::string& report,
                     const core::Expected<core::ChildEnd>& end) {
  KernelStart start{.path = path};
  const auto text = core::read_file(report);
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (json.is_object()) {
    start.verdict = json.value("verdict", std::string());
    start.chosen = json.value("chosen", std::vector<std::string>());
    return start;
  }
  start.error = !end             ? end.error().message
                : !end->exited() ? end->sentence(path, core::stranger_limits(kSecondsForKernel))
                                 : end->err;
  return start;
}

// Checks the kernels as `check` does, each in a process of its own.
core::Expected<std::vector<KernelStart>> check_kernels(const InitFlags& flags,
                                                       const std::vector<std::string>& kernels,
                                                       const std::vector<std::string>& folders) {
  const core::Scratch scratch;
  if (scratch.path().empty()) {
    return core::device_error("cannot create a temporary folder; set TMPDIR to a writable folder");
  }
  const auto file = [&](std::size_t n) {
    return (scratch.path() / (std::to_string(n) + ".json")).string();
  };
  EachCall call;
  call.base = {"check", "--no-project", "--timeout", fmt::format("{:.0f}", kSecondsForKernel / 2)};
  for (const std::string& folder : folders) {
    call.base.insert(call.base.end(), {"-I", (fs::path(flags.folder) / folder).string()});
  }
  call.arguments = [&](std::size_t n) {
    return std::vector<std::string>{"--report", file(n), "--", kernels[n]};
  };
  call.jobs = flags.jobs != 0 ? flags.jobs : std::max(std::thread::hardware_concurrency(), 1U);
  call.seconds = kSecondsForKernel;
  std::vector<KernelStart> starts;
  call_each(call, kernels.size(), [&](std::size_t n, const core::Expected<core::ChildEnd>& end) {
    const std::string path = fs::path(kernels[n]).lexically_relative(flags.folder).generic_string();
    starts.push_back(start_of(path, file(n), end));
  });
  return starts;
}

Outcome init(const InitFlags& flags) {
  if (!core::is_folder(flags.folder)) {
    return core::usage_error(fmt::format("{} is not a folder", flags.folder));
  }
  const fs::path file = (fs::path(flags.folder) / lab::kProjectFile).lexically_normal();
  std::error_code ignored;
  if (fs::exists(file, ignored)) {
    return core::usage_error(
        fmt::format("{} already exists; edit it, or remove it first", file.string()));
  }
  const auto kernels = lab::kernels_of({.file = file, .folder = flags.folder});
  if (!kernels) {
    return core::usage_error(
        fmt::format("{} contains no kernels; name a folder with .comp, .glsl, .hlsl or .spv files",
                    flags.folder));
  }
  const std::vector<std::string> folders = include_folders_for(flags.folder, *kernels);
  std::vector<KernelStart> starts;
  if (!flags.no_check) {
    starts = TRY(check_kernels(flags, *kernels, folders));
  } else {
    for (const std::string& kernel : *kernels) {
      starts.push_back(
          {.path = fs::path(kernel).lexically_relative(flags.folder).generic_string()});
    }
  }
  const std::string text = starter_text(folders, starts);
  TRY(core::write_file(file, std::as_bytes(std::span(text))));
  if (flags.common.json) {
    print({{"file", file.string()}, {"kernels", kernels->size()}, {"include_dirs", folders}});
  } else {
    fmt::print("{}: {} kernel{}\n", file.string(), kernels->size(),
               kernels->size() == 1 ? "" : "s");
  }
  return ok;
}

}  // namespace

void add_init(CLI::App& app) {
  auto flags = std::make_shared<InitFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments =
      add_command(app, "init", "Write a project file, tilescope.toml, for the kernels of a folder",
                  common, [flags] { return init(*flags); });
  arguments.option("FOLDER", flags->folder, "The folder (default: the current one)");
  arguments
      .option("-j,--jobs N", flags->jobs,
              "Check N kernels at the same time (default: one for each processor)")
      .positive();
  arguments.flag("--no-check", flags->no_check,
                 "List the kernels without checking them; the file then has no chosen values");
}

}  // namespace cli
