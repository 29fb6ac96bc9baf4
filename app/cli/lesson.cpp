#include <filesystem>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/output.h"
#include "lab/files/lesson_file.h"
#include "lab/run/capture.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

struct LessonFlags {
  Common common;
  fs::path check;
};

// What the run gives a question, or why it can't be asked.
core::Expected<std::string> tried(const core::LessonStep& step, const core::Result& result) {
  const auto value =
      core::shows_step(step, result) ? core::lesson_fact(step.fact, result) : std::nullopt;
  if (!value) {
    return core::usage_error(fmt::format("the run doesn't tell {}", step.fact));
  }
  if (step.choices.empty()) {
    return fmt::format("{} is {}", step.fact, *value);
  }
  const auto meant = step.means.find(*value);
  if (meant == step.means.end()) {
    return core::usage_error(
        fmt::format("{} is {}, which makes none of the choices right", step.fact, *value));
  }
  return fmt::format("{} is {}: {}", step.fact, *value, step.choices[meant->second - 1]);
}

// Of the first step, for all that follow with the same experiment.
core::Expected<core::Result> run_of(const Bench& bench, const Library& library,
                                    std::span<const core::LessonStep> steps) {
  core::Scene scene;
  scene.experiment = steps.front().experiment;
  scene.view.name = steps.front().view;
  lab::CaptureOptions options;
  options.ladder = false;
  options.measure.time_ms = 20.0;
  options.measure.warm_up_ms = 0.0;
  for (const core::LessonStep& step : steps) {
    if (step.experiment != scene.experiment) {
      break;
    }
    options.needs.merge(core::lesson_needs(step.fact));
  }
  return lab::capture(*bench.workbench, library.catalogue, library.shaders, scene, options);
}

Outcome check(const LessonFlags& flags) {
  const auto lesson = lab::read_lesson(flags.check);
  const auto library = open_library();
  if (!lesson || !library) {
    return std::unexpected(!lesson ? lesson.error() : library.error());
  }
  const auto bench = open_bench(flags.common, "");
  if (!bench) {
    return std::unexpected(bench.error());
  }
  auto json = nlohmann::ordered_json::array();
  core::Expected<core::Result> result;
  for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
    const core::LessonStep& step = lesson->steps[i];
    if (i == 0 || step.experiment != lesson->steps[i - 1].experiment) {
      result = run_of(*bench, *library, std::span(lesson->steps).subspan(i));
    }
    const auto said = !result       ? core::Expected<std::string>(std::unexpected(result.error()))
                      : step.asks() ? tried(step, *result)
                                    : core::Expected<std::string>("shown");
    if (!said) {
      core::Error error = said.error();
      error.message = fmt::format("{}, step {}: {}", flags.check.string(), i + 1, error.message);
      return std::unexpected(error);
    }
    json.push_back({{"step", i + 1}, {"asks", step.asks()}, {"run", *said}});
    if (!flags.common.json) {
      fmt::print("step {}: {}\n", i + 1, *said);
    }
  }
  if (flags.common.json) {
    print({{"lesson", lesson->name}, {"title", lesson->title}, {"steps", json}});
  }
  return ok;
}

Outcome list(const LessonFlags& flags) {
  const auto library = open_library();
  if (!library) {
    return std::unexpected(library.error());
  }
  auto json = nlohmann::ordered_json::array();
  std::vector<std::string> warnings;
  for (const core::Lesson& lesson : lab::read_lessons(lessons_folder(*library), warnings)) {
    json.push_back({{"name", lesson.name}, {"title", lesson.title}, {"about", lesson.about}});
    if (!flags.common.json) {
      fmt::print("{:<16} {}: {}\n", lesson.name, lesson.title, lesson.about);
    }
  }
  for (const std::string& warning : warnings) {
    fmt::print(stderr, "tilescope: {}\n", warning);
  }
  if (flags.common.json) {
    print(json);
  }
  return warnings.empty() ? ok : usage;
}

}  // namespace

fs::path lessons_folder(const Library& library) {
  return library.shaders / ".." / "assets" / "lessons";
}

void add_lesson(CLI::App& app) {
  auto flags = std::make_shared<LessonFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments =
      add_command(app, "lesson", "The lessons that there are (the window's Shift+N begins one)",
                  common, [flags] { return flags->check.empty() ? list(*flags) : check(*flags); });
  arguments.option("--check", flags->check,
                   "a lesson's file: goes through its steps and says what the runs answer");
}

}  // namespace cli
