#include "cli/lesson/lesson_run.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/ready/catalogue_files.h"
#include "lab/run/capture.h"

namespace cli {
namespace {

using core::LessonStep;

core::Scene scene_of(const LessonStep& step) {
  core::Scene scene;
  scene.experiment = step.experiment;
  scene.view.name = step.view;
  scene.view.settings = step.look;
  scene.view.tile = step.workgroup;
  return scene;
}

core::Rung rung_named(const core::Catalogue& catalogue, const std::string& rival) {
  const std::size_t at = rival.find('@');
  core::Rung rung{.variant = rival.substr(0, at), .name = {}, .title = {}};
  if (const auto variant = catalogue.find(rung.variant)) {
    rung.tile = variant->tile.preset;
  }
  if (at != std::string::npos) {
    std::from_chars(rival.data() + at + 1, rival.data() + rival.size(), rung.tile);
  }
  return rung;
}

// One run tells of both.
bool same_run(const LessonStep& a, const LessonStep& b) {
  return a.experiment == b.experiment && a.workgroup == b.workgroup;
}

lab::MeasureOptions times() {
  return {.repeat = 0, .warm_up_ms = 5.0, .time_ms = 40.0};
}

std::string all_places(const LessonStep& step, const core::LessonVerdict& verdict,
                       const core::Result& result) {
  constexpr std::size_t kMost = 8;
  const auto on = *core::clicked_on(step.fact);
  std::string words;
  for (std::size_t i = 0; i < std::min(verdict.places.size(), kMost); ++i) {
    words += (i == 0 ? "" : ", ") + core::place_words(on, verdict.places[i], result);
  }
  return verdict.places.size() > kMost
             ? fmt::format("{} and {} more", words, verdict.places.size() - kMost)
             : words;
}

// What the run says of a question.
core::Expected<void> read_off(const LessonStep& step, StepRun& run) {
  const auto verdict = core::judge(step, *run.result, 0);
  if (!verdict) {
    return core::usage_error(fmt::format("the run has no value for {}", step.fact));
  }
  run.value = verdict->value;
  run.choice = verdict->choice;
  if (step.by() == core::AnswerBy::click) {
    if (verdict->places.empty()) {
      return core::usage_error(
          fmt::format("this run has no place where {} is true; choose another fact", step.fact));
    }
    run.value = all_places(step, *verdict, *run.result);
    run.said = fmt::format("{} is {}", step.fact, run.value);
    return {};
  }
  if (!step.choices.empty() && verdict->choice == 0) {
    return core::usage_error(
        fmt::format("{} is {}, so none of the choices is correct", step.fact, run.value));
  }
  run.said = fmt::format("{} is {}", step.fact, run.value);
  if (verdict->choice > 0) {
    run.said += ": " + step.choices[verdict->choice - 1];
  }
  return {};
}

std::string words_of(const std::vector<core::MendPoint>& points, core::MendPoint::State state) {
  std::string words;
  for (const core::MendPoint& point : points) {
    if (point.state == state) {
      words += (words.empty() ? "" : ", ") + point.words;
    }
  }
  return words;
}

// What it wants in sight is there.
core::Expected<void> finds_source(const LessonStep& step, const core::Result& result) {
  if (!core::has_source(step, result)) {
    return core::usage_error(fmt::format("no file of {} has a line with \"{}\"",
                                         step.experiment.variant,
                                         fmt::join(step.source, "\" followed by one with \"")));
  }
  return {};
}

}  // namespace

core::Expected<void> has_workgroup(const LessonStep& step, const core::Result& result) {
  const std::uint64_t count = result.tiles.group_count();
  if (step.workgroup >= static_cast<std::int64_t>(count)) {
    return core::usage_error(
        fmt::format("workgroup {} does not exist: the launch has {} workgroups, counted from 0",
                    step.workgroup, count));
  }
  return {};
}

core::Catalogue with_text(const core::Catalogue& catalogue, const core::Variant& variant,
                          const std::string& text) {
  std::vector<core::Variant> all(catalogue.all().begin(), catalogue.all().end());
  for (core::Variant& one : all) {
    if (one.id() == variant.id()) {
      one = lab::read_variant(variant.file, variant.work, text);
    }
  }
  return {std::move(all), {catalogue.workloads().begin(), catalogue.workloads().end()}};
}

core::Expected<core::Catalogue> as_given(const core::Catalogue& catalogue, const LessonStep& step,
                                         bool mended) {
  if (!step.mend) {
    return catalogue;
  }
  const auto variant = TRY(catalogue.find(step.experiment.variant));
  const auto text = TRY(mended ? core::mended_text(step, variant.source)
                               : core::given_text(step, variant.source));
  return with_text(catalogue, variant, text);
}

LessonRuns::LessonRuns(const Bench& bench, const Library& library, const core::Lesson& lesson)
    : bench_(bench), library_(library), lesson_(lesson) {}

core::Steps LessonRuns::needs_from(std::size_t step) const {
  core::Steps needs;
  const auto& steps = lesson_.steps;
  for (std::size_t i = step; i < steps.size() && same_run(steps[i], steps[step]); ++i) {
    needs.merge(core::lesson_needs(steps[i].fact));
    if (steps[i].view == "tile" || steps[i].view == "banks" || steps[i].view == "advice") {
      needs.insert(core::Step::trace);
    } else if (steps[i].view == "occupancy") {
      needs.insert(core::Step::occupancy);
    } else if (steps[i].view == "timeline") {
      needs.insert(core::Step::timeline);
    }
  }
  return needs;
}

core::Expected<core::Result> LessonRuns::capture(const LessonStep& step, const core::Steps& needs,
                                                 const core::Catalogue& catalogue) const {
  lab::CaptureOptions options;
  options.ladder = false;
  options.measure = times();
  options.needs = needs;
  return lab::capture(*bench_.workbench, catalogue, library_.shaders, scene_of(step), options);
}

core::Expected<void> LessonRuns::measure_rivals(std::size_t first, core::Result& result) const {
  const auto& steps = lesson_.steps;
  for (std::size_t i = first; i < steps.size(); ++i) {
    const std::string rival = core::rival_of(steps[i]);
    if (!same_run(steps[i], steps[first])) {
      break;
    }
    if (rival.empty() || core::measured_rung(result, rival) != nullptr) {
      continue;
    }
    core::Rung rung = rung_named(library_.catalogue, rival);
    lab::measure_rung(
        *bench_.workbench, library_.catalogue, result.experiment, {times(), false},
        [](std::uint64_t) { return true; }, rung);
    if (rung.error) {
      return core::usage_error(fmt::format("{}: {}", rival, rung.error->message));
    }
    result.ladder.push_back(std::move(rung));
  }
  return {};
}

core::Expected<void> LessonRuns::mend(const LessonStep& step, StepRun& run) const {
  const auto variant = TRY(library_.catalogue.find(step.experiment.variant));
  const auto given = core::given_text(step, variant.source);
  const auto mended = core::mended_text(step, variant.source);
  if (!given || !mended) {
    return std::unexpected(!given ? given.error() : mended.error());
  }
  run.given = *given;
  run.mended = *mended;
  // As if somebody had typed just a space more: it must not pass as it is.
  if (auto before = capture(step, {}, with_text(library_.catalogue, variant, *given))) {
    if (!step.against.empty()) {
      core::Rung rung = rung_named(library_.catalogue, step.against);
      lab::measure_rung(
          *bench_.workbench, library_.catalogue, before->experiment, {times(), false},
          [](std::uint64_t) { return true; }, rung);
      before->ladder = {std::move(rung)};
    }
    if (core::passes(core::judge_mending(step, *before, "", *given, *given))) {
      return core::usage_error(
          "the kernel that the step gives already passes, so students have nothing to repair");
    }
  }
  // Where it is timed, a machine that is busy may need another try.
  constexpr int kMostTries = 5;
  for (int tries = 1;; ++tries) {
    auto after =
        TRY(capture(step, {core::Step::trace}, with_text(library_.catalogue, variant, *mended)));
    if (!step.against.empty()) {
      core::Rung rung = rung_named(library_.catalogue, step.against);
      lab::measure_rung(
          *bench_.workbench, library_.catalogue, after.experiment, {times(), false},
          [](std::uint64_t) { return true; }, rung);
      after.ladder = {std::move(rung)};
    }
    const auto points = core::judge_mending(step, after, *given, *mended, *mended);
    if (core::passes(points)) {
      if (const auto there = finds_source(step, after); !there) {
        return there;
      }
      run.said = "repaired: " + words_of(points, core::MendPoint::State::yes);
      run.result = std::make_shared<const core::Result>(std::move(after));
      return {};
    }
    if (step.against.empty() || tries == kMostTries) {
      return core::usage_error(fmt::format("the solution does not pass: it is not {}{}",
                                           words_of(points, core::MendPoint::State::no),
                                           words_of(points, core::MendPoint::State::pending)));
    }
  }
}

core::Expected<StepRun> LessonRuns::run(std::size_t number) {
  const LessonStep& step = lesson_.steps[number];
  StepRun run{.result = {}, .scene = scene_of(step), .said = "shown", .value = {}};
  if (step.mend) {
    TRY(mend(step, run));
    return run;
  }
  if (!ran_ || !same_run(lesson_.steps[*ran_], step)) {
    auto result = TRY(capture(step, needs_from(number), library_.catalogue));
    TRY(has_workgroup(step, result));
    TRY(measure_rivals(number, result));
    ran_ = number;
    result_ = std::make_shared<const core::Result>(std::move(result));
  }
  run.result = result_;
  TRY(finds_source(step, *result_));
  if (!step.asks()) {
    return run;
  }
  const auto read = read_off(step, run);
  return read ? core::Expected<StepRun>(std::move(run)) : std::unexpected(read.error());
}

}  // namespace cli
