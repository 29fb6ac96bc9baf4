#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/lesson/handout.h"
#include "cli/lesson/lesson_run.h"
#include "cli/output.h"
#include "core/lessons/lesson_scene.h"
#include "lab/files/lesson_file.h"
#include "lab/run/capture.h"
#include "studio/studio.h"
#include "ui/model.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

struct LessonFlags {
  Common common;
  std::string name;
  fs::path output;
  fs::path check;
  std::uint32_t step = 0;  // from 1; 0: none
  std::string answer;
  std::string resolution = "1280x720";
  std::string theme = "dark";
  float scale = 1.0F;
  bool present = false;
  bool notes = false;
};

Outcome check(const LessonFlags& flags) {
  const auto lesson = lab::read_lesson(flags.check);
  const auto library = open_library();
  if (!lesson || !library) {
    return std::unexpected(!lesson ? lesson.error() : library.error());
  }
  const auto bench = TRY(open_bench(flags.common, ""));
  auto json = nlohmann::ordered_json::array();
  LessonRuns runs(bench, *library, *lesson);
  for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
    const auto run = runs.run(i);
    if (!run) {
      core::Error error = run.error();
      error.message = fmt::format("{}, step {}: {}", flags.check.string(), i + 1, error.message);
      return std::unexpected(error);
    }
    json.push_back({{"step", i + 1}, {"asks", lesson->steps[i].asks()}, {"run", run->said}});
    if (!flags.common.json) {
      fmt::print("step {}: {}\n", i + 1, run->said);
    }
  }
  if (flags.common.json) {
    print({{"lesson", lesson->name}, {"title", lesson->title}, {"steps", json}});
  }
  return ok;
}

Outcome list(const LessonFlags& flags) {
  const auto library = TRY(open_library());
  auto json = nlohmann::ordered_json::array();
  std::vector<std::string> warnings;
  for (const core::Lesson& lesson : lab::read_lessons(lessons_folder(library), warnings)) {
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

// One of those that there are, or a file.
core::Expected<core::Lesson> lesson_named(const Library& library, const std::string& name) {
  if (name.ends_with(".toml")) {
    return lab::read_lesson(name);
  }
  std::vector<std::string> warnings;
  std::vector<std::string> names;
  for (core::Lesson& lesson : lab::read_lessons(lessons_folder(library), warnings)) {
    if (lesson.name == name) {
      return std::move(lesson);
    }
    names.push_back(lesson.name);
  }
  return core::usage_error(
      fmt::format("unknown lesson \"{}\"; choose from {}", name, fmt::join(names, ", ")));
}

// The window as it stands at a step, before or after an answer.
core::Expected<core::Scene> scene_at(const LessonFlags& flags, const core::Lesson& lesson) {
  const std::size_t at = flags.step - 1;
  if (at >= lesson.steps.size()) {
    return core::usage_error(fmt::format("{} has {} steps; step {} does not exist", lesson.name,
                                         lesson.steps.size(), flags.step));
  }
  const core::LessonScene stand = core::lesson_scene(lesson, at, !flags.answer.empty());
  core::Scene scene;
  scene.experiment = stand.experiment;
  scene.view.name = stand.view;
  scene.view.settings = stand.look;
  scene.view.tile = stand.workgroup;
  scene.view.theme = flags.theme;
  scene.view.scale = flags.scale;
  char rest = 0;
  // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion,cert-err34-c)
  if (std::sscanf(flags.resolution.c_str(), "%ux%u%c", &scene.view.width, &scene.view.height,
                  &rest) != 2 ||
      scene.view.width < 320 || scene.view.height < 240 || scene.view.width > 16384 ||
      scene.view.height > 16384) {
    return core::usage_error("--resolution takes WIDTHxHEIGHT from 320x240 to 16384x16384");
  }
  return scene;
}

core::Expected<std::uint64_t> parse_answer(const std::string& text, const core::LessonStep& step) {
  std::uint64_t answer = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, answer);
  if (read.ptr != end || read.ec != std::errc()) {
    return core::usage_error(
        "--answer takes the number of a choice, counted from 1, or of a place, counted from 0");
  }
  if (!step.choices.empty() && (answer < 1 || answer > step.choices.size())) {
    return core::usage_error(fmt::format("--answer {}: the choices of this step are 1 to {}",
                                         answer, step.choices.size()));
  }
  return answer;
}

Outcome draw_step(const LessonFlags& flags, const Library& library, const core::Lesson& lesson) {
  const auto scene = TRY(scene_at(flags, lesson));
  studio::LessonStand stand{.step = flags.step - 1, .answer = {}, .notes = flags.notes};
  if (!flags.answer.empty()) {
    stand.answer = TRY(parse_answer(flags.answer, lesson.steps[stand.step]));
  }
  const auto bench = TRY(open_bench(flags.common, ""));
  const core::LessonStep& step = lesson.steps[stand.step];
  const bool mended = step.mend && stand.answer;
  const auto catalogue = TRY(as_given(library.catalogue, step, mended));
  // Who is faster is told by the ladder.
  lab::CaptureOptions options{.ladder = stand.answer.has_value() && !core::rival_of(step).empty(),
                              .needs = ui::needs_of(scene.view)};
  options.needs.merge(core::lesson_needs(step.fact));
  const auto capture = [&](const core::Catalogue& of) {
    return lab::capture(*bench.workbench, of, library.shaders, scene, options);
  };
  auto result = capture(catalogue);
  if (!result && step.mend) {  // what is given may not compile: the file's kernel stays there
    const core::Error error = result.error();
    result = capture(library.catalogue);
    if (result) {
      result->error = error;
    }
  }
  if (!result) {
    return std::unexpected(result.error());
  }
  if (stand.answer || !step.asks()) {  // else what is shown is the step before
    TRY(has_workgroup(step, *result));
  }
  const auto picture =
      studio::render_picture({*result, library.catalogue, bench.driver->devices()}, scene,
                             {.validation = flags.common.validation,
                              .lessons = {lesson},
                              .present = flags.present,
                              .stand = stand});
  if (!picture) {
    return std::unexpected(picture.error());
  }
  TRY(studio::write_png(flags.output, *picture));
  if (flags.common.json) {
    nlohmann::ordered_json told{
        {"lesson", lesson.name}, {"step", flags.step}, {"picture", flags.output.string()}};
    if (result->races) {
      told["verdict"] = core::to_string(result->races->verdict);
    }
    if (result->error) {
      told["error"] = result->error->message;
    }
    print(told);
  }
  return ok;
}

void print_words(const core::Lesson& lesson) {
  fmt::print("{}\n{}\n", lesson.title, lesson.about);
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    fmt::print("\n{}. {}\n", i + 1, lesson.steps[i].text);
    for (const std::string& choice : lesson.steps[i].choices) {
      fmt::print("   - {}\n", choice);
    }
  }
}

void print_json(const core::Lesson& lesson) {
  auto steps = nlohmann::ordered_json::array();
  for (const core::LessonStep& step : lesson.steps) {
    steps.push_back({{"step", steps.size() + 1}, {"text", step.text}, {"choices", step.choices}});
  }
  print({{"lesson", lesson.name},
         {"title", lesson.title},
         {"about", lesson.about},
         {"steps", steps}});
}

// As a handout, or in words.
Outcome tell(const LessonFlags& flags) {
  const auto library = TRY(open_library());
  const auto lesson = TRY(lesson_named(library, flags.name));
  if (flags.output.empty()) {
    flags.common.json ? print_json(lesson) : print_words(lesson);
    return ok;
  }
  if (flags.step > 0) {
    return draw_step(flags, library, lesson);
  }
  const auto bench = TRY(open_bench(flags.common, ""));
  const auto page =
      TRY(write_handout(bench, library, lesson, flags.output, flags.common.validation));
  if (flags.common.json) {
    print({{"lesson", lesson.name}, {"page", page.string()}, {"steps", lesson.steps.size()}});
  } else {
    fmt::print("{}\n", page.string());
  }
  return ok;
}

Outcome lesson(const LessonFlags& flags) {
  if (!flags.output.empty() && flags.name.empty()) {
    return core::usage_error("-o needs the name of a lesson; `tilescope lesson` lists them");
  }
  return !flags.check.empty() ? check(flags) : !flags.name.empty() ? tell(flags) : list(flags);
}

}  // namespace

fs::path lessons_folder(const Library& library) {
  return library.shaders / ".." / "assets" / "lessons";
}

void add_lesson(CLI::App& app) {
  auto flags = std::make_shared<LessonFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments =
      add_command(app, "lesson", "List the lessons, or print, export or check one", common,
                  [flags] { return lesson(*flags); }, {.whole_or_nothing = true});
  arguments.option("NAME", flags->name,
                   "Print this lesson: a name or a file (default: list all lessons)");
  arguments.option("-o,--output FOLDER|FILE.png", flags->output,
                   "Write the lesson as a page with pictures into FOLDER, or one step as a picture "
                   "into FILE.png (default: print the text)");
  arguments
      .option("--step N", flags->step,
              "Draw the window at step N; needs -o FILE.png (default: the whole lesson)")
      .within(1, 1000);
  arguments.option(
      "--answer N", flags->answer,
      "Draw the step after this answer: the number of a choice or of a place; if the step asks for "
      "a repair, any number repairs the kernel; needs --step (default: not answered)");
  arguments.option("--resolution WIDTHxHEIGHT", flags->resolution,
                   "Set the size of the picture in pixels; needs --step (default: 1280x720)");
  arguments
      .option("--theme NAME", flags->theme, "Draw with the theme light or dark (default: dark)")
      .one_of({"light", "dark"});
  arguments.option("--scale S", flags->scale, "Scale text and panels, 0.5 to 4 (default: 1)")
      .within(0.5, 4.0);
  arguments.flag("--present", flags->present, "Draw large text for a projector; needs --step");
  arguments.flag("--notes", flags->notes, "Show the notes for the teacher; needs --step");
  arguments.option("--check FILE", flags->check,
                   "Run each step of the lesson in FILE and print its answer (default: no check)");
}

}  // namespace cli
