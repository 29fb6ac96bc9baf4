// `tilescope capture`: runs a program under the capture layer (app/capture).
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/capture/captured.h"
#include "cli/capture/program.h"
#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/process/streams.h"
#include "core/base/child.h"
#include "core/base/files.h"
#include "core/base/new_folder.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

struct CaptureFlags {
  Common common;
  std::string folder;
  std::vector<std::string> program;
  CaptureOptions options;
  std::string sarif;
  std::string junit;
  bool env = false;
  bool check = false;
};

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

std::string folder_of(const CaptureFlags& flags) {
  if (!flags.folder.empty() || flags.program.empty()) {
    return flags.folder.empty() ? "program.capture" : flags.folder;
  }
  return fs::path(flags.program.front()).filename().string() + ".capture";
}

// The checks of all launches, in a process of their own.
Outcome check_capture(const CaptureFlags& flags, const std::string& folder) {
  core::ChildCall call{.arguments = {"check", "--timeout", std::to_string(flags.common.timeout)},
                       .environment = {}};
  for (const auto& [name, value] :
       {std::pair("--sarif", &flags.sarif), std::pair("--junit", &flags.junit)}) {
    if (!value->empty()) {
      call.arguments.insert(call.arguments.end(), {name, *value});
    }
  }
  if (flags.common.json) {
    call.arguments.push_back("--json");
    call.keep_output = true;
  }
  call.arguments.insert(call.arguments.end(), {"--", folder});
  const core::ChildLimits none;
  const auto end = core::run_child(call, none);
  if (!end) {
    return std::unexpected(end.error());
  }
  if (!end->exited()) {
    return core::device_error(end->sentence("the check", none));
  }
  fmt::print(stderr, "{}", end->err);
  if (flags.common.json) {
    print_answer_of_child(end->out);
  }
  return end->status;
}

Outcome finish_capture(const CaptureFlags& flags, const std::string& folder,
                       const ProgramEnd& end) {
  const auto capture = lab::read_capture(folder);
  if (!capture) {
    return std::unexpected(capture.error());
  }
  const std::string& program = flags.program.front();
  if (const std::string sentence = end.sentence(); !sentence.empty()) {
    complain(program + " " + sentence);
  }
  if (capture->launches.empty()) {
    return core::device_error(fmt::format(
        "{} launched no compute kernel through the Vulkan loader; nothing was captured", program));
  }
  const bool checks = flags.check && !capture->distinct().empty();
  if (!flags.common.json) {
    print_capture_sums(*capture);
    std::fflush(stdout);
  } else if (!checks) {
    auto json = capture_json(*capture);
    json["program_status"] = end.status;
    json["program_signal"] = end.signal;
    print(json);
  }
  return checks ? check_capture(flags, folder) : Outcome(ok);
}

Outcome capture(const CaptureFlags& flags) {
  if (flags.program.empty() && !flags.env) {
    return core::usage_error(
        "no program was given; write it after --, as in `tilescope capture -- PROGRAM ARGS`");
  }
  const std::string folder = folder_of(flags);
  if (lab::is_capture(folder) || core::is_file(folder)) {
    return core::usage_error(
        fmt::format("{} already exists; remove it or choose another folder with -o", folder));
  }
  const auto environment = TRY(capture_environment(folder, flags.options));
  const bool is_new = !core::is_folder(folder);
  core::NewFolder made;
  TRY(made.make(folder));
  if (is_new) {
    std::error_code ignored;
    fs::permissions(folder, fs::perms::owner_all, ignored);
  }
  TRY(lab::write_capture(folder, flags.program));
  complain(fmt::format("{} contains the data that the program works on; keep this folder private",
                       folder));
  if (flags.env) {
    made.keep();
    for (const auto& [name, value] : environment) {
      fmt::print("export {}={}\n", name, shell_quoted(value));
    }
    return ok;
  }
  const auto end = TRY(run_program(flags.program, environment, flags.common.json));
  made.keep();
  return finish_capture(flags, folder, end);
}

}  // namespace

void add_capture(CLI::App& app) {
  auto flags = std::make_shared<CaptureFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments =
      add_command(app, "capture", "Capture the compute launches of a running program", common,
                  [flags] { return capture(*flags); }, {.own_progress = true, .own_program = true});
  arguments.option("PROGRAM", flags->program, "The program with its arguments, after --");
  arguments.option("-o,--output FOLDER", flags->folder,
                   "Write the capture into FOLDER (default: PROGRAM.capture)");
  arguments.flag("--check", flags->check, "Check each captured launch after the program has ended");
  arguments.option("--pipelines GLOB", flags->options.pipelines,
                   "Capture only launches of pipelines whose name matches GLOB (default: *)");
  arguments.option("--skip N", flags->options.skip,
                   "Skip the first N launches of these pipelines (default: 0)");
  arguments.option("--count N", flags->options.count,
                   "Stop after N recorded launches; 0 = no limit (default: 0)");
  arguments.option("--every N", flags->options.every, "Capture every N-th launch only (default: 1)")
      .positive();
  arguments
      .option("--max-bytes BYTES", flags->options.max_bytes,
              "Stop when the captured contents of a process reach BYTES, such as 512MiB (default: "
              "2GiB)")
      .bytes();
  arguments.flag("--no-contents", flags->options.no_contents,
                 "Write only the sizes of buffers and images, not their contents");
  arguments.flag(
      "--env", flags->env,
      "Print environment variables that enable the capture, for programs that Tilescope cannot "
      "start");
  arguments.option(
      "--sarif FILE", flags->sarif,
      "With --check: write the findings to FILE as SARIF 2.1.0 (default: not written)");
  arguments.option("--junit FILE", flags->junit,
                   "With --check: write the verdicts to FILE as JUnit XML (default: not written)");
}

}  // namespace cli
