#include "cli/lesson/handout.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/base/files.h"
#include "core/base/lines.h"
#include "core/base/new_folder.h"
#include "core/lessons/lesson_scene.h"
#include "studio/studio.h"
#include "ui/model.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; }
body { font: 18px/1.5 system-ui, sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; margin-bottom: 0; }
.about { color: GrayText; margin-top: .3rem; }
section { border-top: 1px solid #8886; margin-top: 2rem; padding-top: 1rem; break-inside: avoid; }
h2 { font-size: 1rem; color: GrayText; margin: 0; }
ol { list-style: upper-alpha; }
img { width: 100%; border: 1px solid #8886; border-radius: 4px; }
figure { margin: 1rem 0; }
figcaption { font-size: .85rem; color: GrayText; }
summary { cursor: pointer; font-weight: 600; }
pre { overflow-x: auto; font-size: .85rem; line-height: 1.35; padding: .6rem; border: 1px solid #8886; }
del, ins { text-decoration: none; display: block; }
del { background: #D55E0033; } ins { background: #009E7333; }
.blank { border-bottom: 1px solid currentColor; display: inline-block; width: 8rem; }
@media print { details > summary { display: none; } body { max-width: none; } }
)";

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '&'   ? "&amp;"
            : c == '<' ? "&lt;"
            : c == '>' ? "&gt;"
            : c == '"' ? "&quot;"
                       : std::string(1, c);
  }
  return safe;
}

// Whose lines that differ lie between what is alike at the start and at the end.
struct Stretch {
  std::vector<std::string> lines;
  std::size_t first = 0, last = 0;
};

std::pair<Stretch, Stretch> apart(const std::string& before, const std::string& after) {
  Stretch a{.lines = core::lines_of(before)};
  Stretch b{.lines = core::lines_of(after)};
  const std::size_t most = std::min(a.lines.size(), b.lines.size());
  std::size_t first = 0;
  while (first < most && a.lines[first] == b.lines[first]) {
    ++first;
  }
  std::size_t same = 0;
  while (same < most - first &&
         a.lines[a.lines.size() - 1 - same] == b.lines[b.lines.size() - 1 - same]) {
    ++same;
  }
  a.first = b.first = first;
  a.last = a.lines.size() - same;
  b.last = b.lines.size() - same;
  return {a, b};
}

// The kernel's text below its header; `marked` are put in `tag`.
std::string listing(const Stretch& text, const char* tag) {
  std::string html = "<pre>";
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const bool marked = *tag != '\0' && i >= text.first && i < text.last;
    if (!text.lines[i].starts_with("//!")) {
      html += marked ? fmt::format("<{0}>{1}</{0}>", tag, escaped(text.lines[i]))
                     : escaped(text.lines[i]) + "\n";
    }
  }
  return html + "</pre>\n";
}

std::string question_of(const core::LessonStep& step, const StepRun& run) {
  switch (step.by()) {
    case core::AnswerBy::choice: {
      std::string html = "<ol>\n";
      for (const std::string& choice : step.choices) {
        html += fmt::format("<li>{}</li>\n", escaped(choice));
      }
      return html + "</ol>\n";
    }
    case core::AnswerBy::number:
      return "<p>Your answer: <span class=\"blank\">&nbsp;</span></p>\n";
    case core::AnswerBy::edit:
      return listing(apart(run.given, run.mended).first, "");
    case core::AnswerBy::click:
    case core::AnswerBy::nothing:
      break;
  }
  return {};
}

std::string answer_of(const core::LessonStep& step, const StepRun& run) {
  std::string html = "<details><summary>Result of the run</summary>\n";
  if (step.mend) {
    html += "<p>One way:</p>\n" + listing(apart(run.given, run.mended).second, "ins") +
            fmt::format("<p>Result of running it: {}.</p>\n", escaped(run.said.substr(10)));
  } else if (run.choice > 0) {
    html += fmt::format("<p><b>{}</b>: {}</p>\n", static_cast<char>('@' + run.choice),
                        escaped(step.choices[run.choice - 1]));
  } else {
    html += fmt::format("<p><b>{}</b></p>\n", escaped(run.value));
  }
  if (!step.told.empty()) {
    html += fmt::format("<p>{}</p>\n", escaped(step.told));
  }
  return html;
}

std::string experiment_words(const core::Result& result) {
  std::string words = result.experiment.variant + ", " + core::to_string(result.experiment.size);
  if (result.experiment.tile > 0) {
    words += fmt::format(", tile {}", result.experiment.tile);
  }
  for (const auto& [number, kind] : result.experiment.barriers) {
    words += fmt::format(", barrier {} {}", number, core::to_string(kind));
  }
  return words + " on " + result.device.name +
         (result.device.emulated() ? " (emulated: these are CPU times)" : "");
}

// The whole window where lines of the source are what it is about, else the view alone.
core::Scene shown(const StepRun& run, const core::LessonStep& step) {
  core::Scene scene = run.scene;
  scene.view.theme = "light";
  scene.view.width = 1280;
  scene.view.height = 800;
  const bool races = run.result->races && !run.result->races->findings.empty();
  scene.view.chrome = step.mend || races || run.result->refused();
  if (races) {
    const auto& findings = run.result->races->findings;
    scene.view.finding = 0;
    scene.view.tile = std::max<std::int64_t>(ui::tile_of_finding(findings.front(), *run.result), 0);
  }
  if (!scene.view.chrome) {
    scene.view.width = 1100;
    scene.view.height = 620;
  }
  return scene;
}

core::Expected<void> draw(const Bench& bench, const Library& library, const StepRun& run,
                          const core::LessonStep& step, const fs::path& file, bool validation) {
  const auto picture =
      studio::render_picture({*run.result, library.catalogue, bench.driver->devices()},
                             shown(run, step), {.validation = validation});
  return picture ? studio::write_png(file, *picture) : std::unexpected(picture.error());
}

// What one judges by, where that is another text than before.
std::string sealed_text(const core::Lesson& lesson, std::size_t step, const StepRun& run) {
  if (!core::lesson_scene(lesson, step, false).sealed || run.result->variant.source.empty()) {
    return {};
  }
  std::string words;
  for (const auto& [number, kind] : run.result->experiment.barriers) {
    words +=
        fmt::format("{}barrier {}: {}", words.empty() ? "" : ", ", number, core::to_string(kind));
  }
  const std::string& source = run.result->variant.source;
  return (words.empty() ? "" : fmt::format("<p>With {}:</p>\n", words)) +
         listing(apart(source, source).first, "");
}

std::string section_of(const core::Lesson& lesson, const StepRun& run, std::size_t at,
                       const std::string& picture) {
  const core::LessonStep& step = lesson.steps[at];
  const std::string figure =
      fmt::format("<figure><img src=\"{0}\" alt=\"{1}\"><figcaption>{1}</figcaption></figure>\n",
                  picture, escaped(experiment_words(*run.result)));
  std::string html = fmt::format("<section>\n<h2>{}</h2>\n<p>{}</p>\n", at + 1, escaped(step.text));
  html += sealed_text(lesson, at, run) + question_of(step, run);
  html += step.asks() ? answer_of(step, run) + figure + "</details>\n" : figure;
  return html + "</section>\n";
}

}  // namespace

core::Expected<fs::path> write_handout(const Bench& bench, const Library& library,
                                       const core::Lesson& lesson, const fs::path& folder,
                                       bool validation) {
  core::NewFolder made;
  TRY(made.make(folder));
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
      "<style>{2}</style></head><body>\n<h1>{0}</h1>\n<p class=\"about\">{1}</p>\n",
      escaped(lesson.title), escaped(lesson.about), kStyle);
  LessonRuns runs(bench, library, lesson);
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    const auto run = runs.run(i);
    if (!run) {
      core::Error error = run.error();
      error.message = fmt::format("{}, step {}: {}", lesson.name, i + 1, error.message);
      return std::unexpected(error);
    }
    const std::string picture = fmt::format("{}-{}.png", lesson.name, i + 1);
    TRY(draw(bench, library, *run, lesson.steps[i], folder / picture, validation));
    html += section_of(lesson, *run, i, picture);
  }
  html += "</body></html>\n";
  const fs::path page = folder / (lesson.name + ".html");
  const auto written = core::write_file(page, std::as_bytes(std::span(html)));
  if (written) {
    made.keep();
  }
  return written ? core::Expected<fs::path>(page) : std::unexpected(written.error());
}

}  // namespace cli
