#include "cli/cli.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "cli/command.h"
#include "cli/window.h"

namespace cli {
namespace {

// What is written wrong comes before what is missing because of it.
std::string sentence_of(const CLI::ParseError& error, const CLI::App& app) {
  if (const auto extras = app.remaining(true); !extras.empty()) {
    const char* kind = extras.front().starts_with('-') ? "flag" : "argument";
    return fmt::format("there is no {} {} here", kind, extras.front());
  }
  std::string sentence = error.what();
  while (!sentence.empty() && (sentence.back() == '.' || sentence.back() == '\n')) {
    sentence.pop_back();
  }
  std::ranges::replace(sentence, '\n', ' ');
  return sentence;
}

// One sentence instead of CLI11's several lines.
int report(const CLI::ParseError& error, const CLI::App& app) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    return app.exit(error);
  }
  if (const auto* finished = dynamic_cast<const CLI::RuntimeError*>(&error)) {
    return finished->get_exit_code();
  }
  fmt::print(stderr, "tilescope: {}; `tilescope --help` lists what there is\n",
             sentence_of(error, app));
  return usage;
}

}  // namespace

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("tilescope"));
  spdlog::set_pattern("tilescope: %v");
  CLI::App app{"Tilescope: a microscope for GPU tiles"};
  app.require_subcommand(0, 1);
  add_list(app);
  add_devices(app);
  add_run(app);
  add_check(app);
  add_bench(app);
  add_shot(app);
  add_stream(app);
  add_lesson(app);
  Common common;
  std::string name;
  app.add_option("KERNEL|FOLDER|SCENE", name, "what the window opens on");
  app.set_version_flag("--version", "tilescope " TILESCOPE_VERSION);
  app.add_flag("--validation", common.validation, "run under the Vulkan validation layers");
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      return status_of(start(common, name));
    }
  } catch (const CLI::ParseError& error) {
    return report(error, app);
  }
  return ok;
}

}  // namespace cli
