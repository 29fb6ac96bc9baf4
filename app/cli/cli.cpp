#include "cli/cli.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/process/guard.h"
#include "cli/process/streams.h"
#include "cli/text/help.h"
#include "cli/window.h"
#include "core/base/child.h"
#include "core/base/spelling.h"
#include "gpu/process_limits.h"

namespace cli {
namespace {

#ifdef __clang__
constexpr const char* kCompiler = "Clang";
constexpr int kCompilerMajor = __clang_major__, kCompilerMinor = __clang_minor__;
#else
constexpr const char* kCompiler = "GCC";
constexpr int kCompilerMajor = __GNUC__, kCompilerMinor = __GNUC_MINOR__;
#endif

// What is written wrong comes before what is missing because of it.
std::string sentence_of(const CLI::ParseError& error, const CLI::App& app) {
  if (const auto extras = app.remaining(true); !extras.empty()) {
    const char* kind = extras.front().starts_with('-') ? "flag" : "argument";
    return fmt::format("unknown {} {}", kind, core::shortened(extras.front()));
  }
  std::string sentence = error.what();
  while (!sentence.empty() && (sentence.back() == '.' || sentence.back() == '\n')) {
    sentence.pop_back();
  }
  std::ranges::replace(sentence, '\n', ' ');
  sentence = core::with_short_words(sentence);
  constexpr std::size_t kMost = 400;
  return sentence.size() > kMost ? sentence.substr(0, kMost) + "…" : sentence;
}

int refuse(const std::string& sentence, int status) noexcept {
  try {
    const std::string text = core::with_short_words(sentence);
    complain(text);
    print_error(text, status);
  } catch (const std::exception&) {  // no memory for more
    complain(sentence);
  }
  return status;
}

// One sentence instead of CLI11's several lines.
int report(const CLI::ParseError& error, const CLI::App& app) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    return app.exit(error);
  }
  if (const auto* finished = dynamic_cast<const CLI::RuntimeError*>(&error)) {
    return finished->get_exit_code();
  }
  return refuse(sentence_of(error, app) + "; `tilescope --help` lists the commands", usage);
}

std::string version() {
  return fmt::format("tilescope {} (built with {} {}.{}, fmt {}.{}, CLI11 {}, JSON {}.{}, {})",
                     TILESCOPE_VERSION, kCompiler, kCompilerMajor, kCompilerMinor,
                     FMT_VERSION / 10000, FMT_VERSION / 100 % 100, CLI11_VERSION,
                     NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                     TILESCOPE_BUILT_WITH);
}

// The command that a word without a path may be a misspelling of; empty: none.
std::string command_meant(const CLI::App& app, const std::string& word) {
  std::error_code ignored;
  if (word.empty() || word.find_first_of("/.") != std::string::npos ||
      std::filesystem::exists(word, ignored)) {
    return "";
  }
  std::string meant;
  std::size_t least = 3;
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::size_t distance = core::letters_apart(word, command->get_name(), least);
    if (!command->get_group().empty() && distance < least) {
      least = distance;
      meant = command->get_name();
    }
  }
  return meant;
}

int run(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("tilescope"));
  spdlog::set_pattern("tilescope: %v");
  CLI::App app{"Tilescope finds races in compute shaders and shows their memory accesses",
               "tilescope"};
  set_help_layout(app);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", version());
  add_list(app);
  add_devices(app);
  add_run(app);
  add_check(app);
  add_bench(app);
  add_shot(app);
  add_stream(app);
  add_capture(app);
  add_lesson(app);
  add_why(app);
  add_explain(app);
  add_init(app);
  add_lsp(app);
  add_probation(app);
  add_reference(app);
  Common common;
  ExperimentFlags flags;
  const Arguments arguments(&app);
  arguments.option(
      "KERNEL|FOLDER|SCENE", flags.variant,
      "Open this in the window: WORKLOAD/NAME, a file or a folder (default: what was open last)");
  flags.add_to(arguments);
  arguments.flag("--validation", common.validation, "Run under the Vulkan validation layers");
  arguments.flag(
      "--in-process", common.in_process,
      "Run a changed kernel for the first time in this process instead of a child process");
  arguments.flag(
      "--count-frames", common.count_frames,
      "Print the number of frames that the window has drawn, and its verdicts, to stderr");
  float scale = 1.0F;
  arguments
      .option("--scale S", scale,
              "Scale the text and panels of the window, 0.5 to 4 (default: the last scale, else "
              "from the pixel density of the display)")
      .within(0.5, 4.0);
  const std::string first = argc > 1 ? argv[1] : "";
  const std::string meant = command_meant(app, first);
  const auto misspelt = [&] {
    return refuse(fmt::format("unknown command or kernel \"{}\"; did you mean {}?", first, meant),
                  usage);
  };
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      if (!meant.empty()) {
        return misspelt();
      }
      return status_of(
          start(common, flags, arguments.given("--scale") ? std::optional(scale) : std::nullopt));
    }
  } catch (const CLI::ExtrasError& error) {
    return app.get_subcommands().empty() && !meant.empty() ? misspelt() : report(error, app);
  } catch (const CLI::ParseError& error) {
    return report(error, app);
  }
  return ok;
}

// What no one caught is a sentence too: a path that no system takes, memory that there is not.
int run_guarded(int argc, char** argv) noexcept {
  try {
    return run(argc, argv);
  } catch (const std::filesystem::filesystem_error& error) {
    return refuse(error.path1().string() + ": " + error.code().message(), usage);
  } catch (const std::bad_alloc&) {
    return refuse("not enough memory", unavailable);
  } catch (const std::exception& error) {
    return refuse(error.what(), unavailable);
  }
}

}  // namespace

int main(int argc, char** argv) {
  own_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not be so large is a sentence
  gpu::spare_full_disk();
  gpu::tune_allocator();
  set_in_child(core::enter_child());
  set_call(argc, argv);
  return finish_streams(run_guarded(argc, argv));
}

}  // namespace cli
