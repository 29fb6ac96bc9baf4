// What a lesson may ask for, read off results made by hand.
#include "core/lessons/lesson.h"

#include <gtest/gtest.h>

#include "core/lessons/lesson_scene.h"
#include "core/model/occupancy.h"
#include "core/report/advice.h"
#include "core/report/banks.h"

namespace core {
namespace {

using Value = std::optional<std::string>;

// 32 invocations put a column of `a`, 1024 bytes apart, into a column of `tile`, 128 bytes apart;
// all of them then read tile[0]; the first adds atomically to `sum`, and writes `b` twice.
Result traced() {
  Trace trace;
  trace.local_size = {32, 1, 1};
  trace.subgroup_size = 32;
  trace.variables = {{.name = "a", .memory = MemoryKind::global, .bytes = 32768},
                     {.name = "tile", .dimensions = {32, 32}, .bytes = 4096},
                     {.name = "sum", .memory = MemoryKind::global, .bytes = 4, .binding = 1},
                     {.name = "b", .memory = MemoryKind::global, .bytes = 8, .binding = 2}};
  trace.sites = {{.variable = 0},
                 {.variable = 1, .access = Access::write, .writes = true},
                 {.variable = 1},
                 {.variable = 2, .access = Access::atomic, .writes = true},
                 {.variable = 3, .access = Access::write, .writes = true}};
  for (std::uint32_t i = 0; i < 32; ++i) {
    trace.subgroup.push_back(0);
    trace.lane.push_back(i);
    trace.accesses.push_back({.invocation = i, .moment = 0, .site = 0, .offset = 1024ULL * i});
    trace.accesses.push_back({.invocation = i, .moment = 1, .site = 1, .offset = 128ULL * i});
  }
  for (std::uint32_t i = 0; i < 32; ++i) {
    trace.accesses.push_back({.invocation = i, .phase = 1, .moment = 2, .site = 2});
  }
  trace.accesses.push_back({.phase = 1, .moment = 3, .site = 3});
  trace.accesses.push_back({.phase = 1, .moment = 4, .site = 4});
  trace.accesses.push_back({.phase = 1, .moment = 5, .site = 4, .offset = 4});
  trace.phases = {{.first = 0, .last = 64}, {.opened_by = 1, .first = 64, .last = 99}};
  Result result;
  result.tiles = {{64, 1, 1}, {32, 1, 1}, {32, 1, 1}};
  result.banks = std::make_shared<BankReport>(bank_report(trace));
  result.advice = std::make_shared<Advice>(advice_of(trace, 2));
  result.trace = std::make_shared<Trace>(std::move(trace));
  return result;
}

// A lesson of two steps, of which the second asks.
Lesson of_two(const LessonStep& second) {
  LessonStep first{.text = "t",
                   .experiment = {.variant = "matmul/tiled", .size = {64, 64, 64}, .tile = 16},
                   .view = "tile",
                   .look = {{"phase", std::int64_t{2}}}};
  return {.name = "l", .title = "t", .about = "", .steps = {first, second}};
}

TEST(LessonScenes, AnotherTextIsSealedBeforeItsAnswer) {
  LessonStep step{.text = "t", .experiment = {.variant = "matmul/tiled", .size = {64, 64, 64}}};
  step.experiment.tile = 16;
  step.experiment.barriers = {{1, BarrierKind::off}};
  step.view = "grid";
  step.fact = "verdict";
  const LessonScene before = lesson_scene(of_two(step), 1, false);
  EXPECT_TRUE(before.sealed);
  EXPECT_EQ(before.experiment, step.experiment);
  const LessonScene after = lesson_scene(of_two(step), 1, true);
  EXPECT_FALSE(after.sealed);
  EXPECT_EQ(after.view, "grid");
  step.experiment.barriers.clear();
  step.experiment.variant = "matmul/naive";
  EXPECT_TRUE(lesson_scene(of_two(step), 1, false).sealed);
  step.sealed = false;
  EXPECT_EQ(lesson_scene(of_two(step), 1, false), lesson_scene(of_two(step), 0, true));
  step.fact.clear();
  EXPECT_EQ(lesson_scene(of_two(step), 1, false).view, "grid") << "it asks nothing";
}

TEST(LessonScenes, OtherSizesLeaveWhatIsThere) {
  LessonStep step{.text = "t", .experiment = {.variant = "matmul/tiled", .size = {32, 32, 32}}};
  step.view = "grid";
  step.fact = "workgroups";
  const LessonScene before = lesson_scene(of_two(step), 1, false);
  EXPECT_EQ(before, lesson_scene(of_two(step), 0, true)) << "with its view and how that is set";
  step.sealed = true;
  EXPECT_TRUE(lesson_scene(of_two(step), 1, false).sealed);
  EXPECT_EQ(lesson_scene(of_two(step), 1, false).experiment, step.experiment);
}

TEST(LessonScenes, WhatIsClickedOnIsSeenInTheRunBefore) {
  LessonStep step{.text = "t", .experiment = {.variant = "matmul/tiled", .size = {64, 64, 64}}};
  step.experiment.tile = 16;
  step.experiment.barriers = {{1, BarrierKind::off}};
  step.view = "tile";
  step.fact = "racing tile_a";
  const LessonScene before = lesson_scene(of_two(step), 1, false);
  EXPECT_FALSE(before.sealed);
  EXPECT_TRUE(before.experiment.barriers.empty());
  EXPECT_EQ(before.view, "tile");
  EXPECT_EQ(before.look.at("phase"), ViewSetting(std::int64_t{2})) << "what was hidden stays so";
  step.look = {{"phase", std::int64_t{3}}, {"invocation", std::int64_t{9}}};
  const core::ViewSettings asked = lesson_scene(of_two(step), 1, false).look;
  EXPECT_EQ(asked.at("phase"), ViewSetting(std::int64_t{3})) << "it is asked about that";
  EXPECT_FALSE(asked.contains("invocation")) << "that would answer";
}

TEST(LessonScenes, AWorkgroupIsItsOwnSteps) {
  LessonStep step{.text = "t", .experiment = {.variant = "matmul/tiled", .size = {64, 64, 64}}};
  step.experiment.tile = 16;
  step.workgroup = 3;
  EXPECT_EQ(lesson_scene(of_two(step), 1, true).workgroup, 3);
  EXPECT_EQ(lesson_scene(of_two(step), 0, true).workgroup, -1);
  step.fact = "workgroups";
  EXPECT_EQ(lesson_scene(of_two(step), 1, false).workgroup, -1) << "what was there stays";
}

TEST(LessonPlaces, WhatAWorkgroupTellsIsReadOffTheStepsOwn) {
  LessonStep step{.experiment = {.variant = ""}, .workgroup = 1, .fact = "times a"};
  Result result = traced();
  result.experiment.variant = "";
  EXPECT_FALSE(judge(step, result, 1)) << "workgroup 0 was traced";
  Trace trace = *result.trace;
  trace.workgroup = {1, 0, 0};
  result.trace = std::make_shared<Trace>(trace);
  EXPECT_TRUE(judge(step, result, 1));
  step.workgroup = 2;
  EXPECT_FALSE(judge(step, result, 1)) << "there are two";
}

TEST(LessonScenes, AFirstQuestionIsAskedOfTheKernelAsItIsWritten) {
  LessonStep step{.text = "t", .experiment = {.variant = "matmul/tiled"}};
  step.experiment.barriers = {{1, BarrierKind::off}};
  step.fact = "verdict";
  const Lesson lesson{.name = "l", .title = "t", .about = "", .steps = {step}};
  EXPECT_TRUE(lesson_scene(lesson, 0, false).experiment.barriers.empty());
  EXPECT_FALSE(lesson_scene(lesson, 0, true).experiment.barriers.empty());
}

TEST(LessonFacts, OfATracedWorkgroup) {
  const Result result = traced();
  EXPECT_EQ(lesson_fact("phases", result), Value("2"));
  EXPECT_EQ(lesson_fact("global-reads", result), Value("1")) << "33 for 32 results, rounded";
  EXPECT_EQ(lesson_fact("shared-reads", result), Value("1"));
  EXPECT_EQ(lesson_fact("reads a", result), Value("1"));
  EXPECT_EQ(lesson_fact("writes b", result), Value("2")) << "of the first invocation";
  EXPECT_EQ(lesson_fact("atomics sum", result), Value("1"));
  EXPECT_EQ(lesson_fact("times a", result), Value("1"));
  EXPECT_EQ(lesson_fact("times tile", result), Value("32"));
  EXPECT_EQ(lesson_fact("elements a", result), Value("32"));
  EXPECT_EQ(lesson_fact("elements tile", result), Value("1"));
  EXPECT_EQ(lesson_fact("readers tile", result), Value("32"));
  EXPECT_EQ(lesson_fact("readers b", result), Value("0"));
  EXPECT_EQ(lesson_fact("tiling a", result), Value("staged")) << "it goes into tile";
}

TEST(LessonFacts, OfMemoryByThirtyTwoLanes) {
  const Result result = traced();
  EXPECT_EQ(lesson_fact("ways", result), Value("32"));
  EXPECT_EQ(lesson_fact("ways tile", result), Value("32"));
  EXPECT_EQ(lesson_fact("sectors a", result), Value("32"));
  EXPECT_EQ(lesson_fact("used a", result), Value("13")) << "4 of 32 bytes: 12.5 percent";
  EXPECT_EQ(lesson_fact("requests tile", result), Value("2"));
  EXPECT_EQ(lesson_fact("requests a", result), Value("1"));
  EXPECT_EQ(lesson_fact("sectors tile", result), Value()) << "that is shared memory";
}

TEST(LessonFacts, WhatIsNotKnownOrNotWholeIsNoAnswer) {
  Result result = traced();
  EXPECT_EQ(lesson_fact("times nobody", result), Value());
  EXPECT_EQ(lesson_fact("verdict", result), Value());
  EXPECT_EQ(lesson_fact("shared-bytes", result), Value());
  Trace lost = *result.trace;
  lost.lost = 1;
  result.trace = std::make_shared<Trace>(lost);
  EXPECT_EQ(lesson_fact("times a", result), Value()) << "accesses are missing";
  result.trace = nullptr;
  EXPECT_EQ(lesson_fact("phases", result), Value());
}

TEST(LessonFacts, OfTheLaunchAndItsCheck) {
  Result result;
  result.tiles = {{40, 40, 1}, {16, 8, 1}, {16, 16, 1}};
  result.launches.resize(3);
  EXPECT_EQ(lesson_fact("launches", result), Value("3"));
  EXPECT_EQ(lesson_fact("results", result), Value("256"));
  EXPECT_EQ(lesson_fact("invocations", result), Value("128"));
  CheckReport report;
  report.verdict = Verdict::clean;
  result.races = std::make_shared<CheckReport>(report);
  EXPECT_EQ(lesson_fact("hazards", result), Value("none"));
  report.findings = {{.hazard = Hazard::write_after_read},
                     {.hazard = Hazard::read_after_write},
                     {.kind = FindingKind::uninitialized, .hazard = Hazard::write_after_write}};
  result.races = std::make_shared<CheckReport>(report);
  EXPECT_EQ(lesson_fact("hazards", result), Value("RAW, WAR"));
}

TEST(LessonFacts, WhatFitsOnAKnownMultiprocessor) {
  Occupancy occupancy;
  occupancy.tiles = {{.tile = 16, .use = {.invocations = 256, .subgroup_size = 8}}};
  Result result;
  const auto with = [&](std::uint64_t bytes) {
    occupancy.tiles[0].use.shared_bytes = bytes;
    result.occupancy = std::make_shared<Occupancy>(occupancy);
  };
  with(2048);
  EXPECT_EQ(lesson_fact("shared-bytes", result), Value("2048"));
  EXPECT_EQ(lesson_fact("fit-h200", result), Value("8")) << "64 warps, 8 a workgroup";
  EXPECT_EQ(lesson_fact("limit-h200", result), Value("warps"));
  with(48 * 1024);
  EXPECT_EQ(lesson_fact("fit-h200", result), Value("4")) << "of 228 KiB, a KiB more each";
  EXPECT_EQ(lesson_fact("limit-h200", result), Value("shared memory"));
}

TEST(LessonFacts, NamesAreTakenWithTheArraysThatTheyNeed) {
  EXPECT_TRUE(is_lesson_fact("times a"));
  EXPECT_FALSE(is_lesson_fact("times"));
  EXPECT_FALSE(is_lesson_fact("verdict a"));
  EXPECT_TRUE(is_lesson_fact("ways"));
  EXPECT_TRUE(is_lesson_fact("ways tile"));
  EXPECT_FALSE(is_lesson_fact("nothing"));
  EXPECT_FALSE(is_lesson_fact(""));
  EXPECT_EQ(lesson_needs("ways"), Steps{Step::trace});
  EXPECT_EQ(lesson_needs("verdict"), Steps{});
}

using Places = std::optional<std::vector<std::uint64_t>>;

Places places(std::vector<std::uint64_t> all) {
  return all;
}

TEST(LessonPlaces, OfTheTracedWorkgroup) {
  const Result result = traced();
  EXPECT_EQ(lesson_places("written-by 3,0,0 tile", result), places({96})) << "tile[3][0]";
  EXPECT_EQ(lesson_places("read-by 3 tile", result), places({0}));
  EXPECT_EQ(lesson_places("writers-of 96 tile", result), places({3}));
  EXPECT_EQ(lesson_places("readers-of 96 tile", result), places({}));
  const Places bank = lesson_places("bank-of 1 tile", result);
  ASSERT_TRUE(bank);
  EXPECT_EQ(bank->size(), 31U);
  EXPECT_EQ(bank->front(), 33U) << "a row of 32 words further on";
  EXPECT_EQ(lesson_places("read-by 0 a", result), Places()) << "that is global memory";
  EXPECT_EQ(place_words(*clicked_on("read-by 0 tile"), 97, result), "tile[3][1]");
  EXPECT_EQ(place_words(*clicked_on("readers-of 0 tile"), 5, result), "invocation 5");
}

TEST(LessonPlaces, OfRacesAndOfTiles) {
  Result result = traced();
  Trace trace = *result.trace;
  EXPECT_EQ(lesson_places("racing tile", result), places({}));
  for (TracedAccess& access : trace.accesses) {
    access.phase = 0;  // the barrier between writing tile and reading it is gone
  }
  trace.phases = {{.first = 0, .last = 99}};
  result.trace = std::make_shared<Trace>(trace);
  EXPECT_EQ(lesson_places("racing tile", result), places({0})) << "what all of them read";
  result.tiles = {{40, 40, 1}, {16, 16, 1}, {16, 16, 1}};
  EXPECT_EQ(lesson_places("idle-tiles", result), places({2, 5, 6, 7, 8}));
  EXPECT_EQ(lesson_places("tile-of 20,39", result), places({5})) << "row 1, column 2 of 3";
  EXPECT_EQ(place_words(*clicked_on("idle-tiles"), 5, result), "workgroup (2, 1)");
}

TEST(LessonPlaces, NamesAreTakenWithAllThatTheyNeed) {
  EXPECT_TRUE(is_lesson_fact("racing tile"));
  EXPECT_FALSE(is_lesson_fact("racing"));
  EXPECT_FALSE(is_lesson_fact("read-by tile"));
  EXPECT_FALSE(is_lesson_fact("read-by 1,x tile"));
  EXPECT_FALSE(is_lesson_fact("racing tile more"));
  EXPECT_TRUE(is_lesson_fact("idle-tiles"));
  EXPECT_EQ(lesson_needs("racing tile"), Steps{Step::trace});
  EXPECT_EQ(lesson_needs("idle-tiles"), Steps{});
}

TEST(LessonPlaces, AClickIsJudgedByTheRun) {
  const LessonStep step{.experiment = {.variant = ""}, .fact = "written-by 3,0,0 tile"};
  EXPECT_EQ(step.by(), AnswerBy::click);
  Result result = traced();
  result.experiment.variant = "";
  const auto right = judge(step, result, 96);
  ASSERT_TRUE(right);
  EXPECT_TRUE(right->right);
  const auto wrong = judge(step, result, 97);
  ASSERT_TRUE(wrong);
  EXPECT_FALSE(wrong->right);
  EXPECT_EQ(wrong->value, "tile[3][0]");
}

TEST(LessonFacts, WhichIsFasterIsMeasured) {
  Result result;
  result.timing.spread = {.count = 9, .median = 2.0, .p5 = 1.9, .p95 = 2.1};
  Rung rung{.variant = "matmul/naive", .name = {}, .title = {}, .tile = 16, .measured = true};
  rung.spread = {.count = 9, .median = 4.0, .p5 = 3.9, .p95 = 4.1};
  EXPECT_EQ(lesson_fact("faster matmul/naive", result), Value()) << "it is not measured yet";
  result.ladder = {rung};
  EXPECT_EQ(lesson_fact("faster matmul/naive", result), Value("faster"));
  EXPECT_EQ(lesson_fact("faster matmul/naive@16", result), Value("faster"));
  EXPECT_EQ(lesson_fact("faster matmul/naive@8", result), Value());
  result.ladder[0].spread = {.count = 9, .median = 2.0, .p5 = 1.0, .p95 = 3.0};
  EXPECT_EQ(lesson_fact("faster matmul/naive", result), Value("alike"));
  result.ladder[0].spread = {.count = 9, .median = 1.0, .p5 = 0.9, .p95 = 1.1};
  EXPECT_EQ(lesson_fact("faster matmul/naive", result), Value("slower"));
  result.ladder[0].due = true;
  EXPECT_EQ(lesson_fact("faster matmul/naive", result), Value()) << "measured anew";
}

class MendTest : public testing::Test {
 protected:
  MendTest() {
    step_.mend = true;
    step_.experiment.variant = "";
    result_.experiment.variant = "";
    result_.tiles = {{64, 1, 1}, {32, 1, 1}, {32, 1, 1}};
    result_.check.done = result_.check.correct = true;
    verdict(Verdict::clean);
  }
  void verdict(Verdict v) {
    CheckReport report;
    report.verdict = v;
    result_.races = std::make_shared<CheckReport>(report);
  }
  bool passed(const std::string& typed = "new", const std::string& runs = "new") {
    return passes(judge_mending(step_, result_, "old", typed, runs));
  }
  LessonStep step_;
  Result result_;
};

TEST_F(MendTest, ItPassesWhenItIsRightAndFreeOfRaces) {
  EXPECT_TRUE(passed());
  EXPECT_FALSE(passed("old", "old")) << "nothing was changed";
  EXPECT_FALSE(passed("newer", "new")) << "an older text runs";
  verdict(Verdict::racy);
  EXPECT_FALSE(passed());
  verdict(Verdict::clean);
  result_.check.correct = false;
  EXPECT_FALSE(passed());
  result_.check.correct = true;
  result_.races.reset();
  EXPECT_FALSE(passed()) << "not checked yet";
}

TEST_F(MendTest, WhereItIsAskedItMustBeFast) {
  step_.against = "matmul/naive";
  step_.at_most = 0.5;
  EXPECT_FALSE(passed()) << "not measured yet";
  Rung rung{.variant = "matmul/naive", .name = {}, .title = {}, .tile = 0, .measured = true};
  rung.spread = {.count = 9, .median = 4.0};
  result_.ladder = {rung};
  result_.timing.spread = {.count = 9, .median = 1.9};
  EXPECT_TRUE(passed());
  result_.timing.spread.median = 2.1;
  EXPECT_FALSE(passed());
}

TEST_F(MendTest, TextsAreGivenAndMended) {
  step_.given = {{"barrier();", ""}};
  EXPECT_EQ(given_text(step_, "a; barrier(); b;").value_or(""), "a;  b;");
  EXPECT_EQ(mended_text(step_, "a; barrier(); b;").value_or(""), "a; barrier(); b;");
  EXPECT_FALSE(given_text(step_, "a; b;")) << "there is nothing to be taken away";
  step_.solution = {{"a; ", "a; barrier();"}};
  EXPECT_EQ(mended_text(step_, "a; barrier(); b;").value_or(""), "a; barrier(); b;");
}

TEST(Lesson, AResultShowsAStepOnlyWithItsSettings) {
  LessonStep step{.experiment = {.variant = "scan/blelloch-padded", .settings = {{"PAD", "0"}}}};
  Result result;
  result.experiment = {.variant = "scan/blelloch-padded",
                       .settings = {{"BLOCK", "64"}, {"PAD", "1"}}};
  EXPECT_FALSE(shows_step(step, result));
  result.experiment.settings["PAD"] = "0";
  EXPECT_TRUE(shows_step(step, result));
}

TEST(Lesson, ALineIsFoundByPartOfItButNotInTheHeader) {
  const std::string text = "//! claim = \"one barrier\"\nx = 1;\nbarrier();\nx = 2;";
  const auto lines = [&text](std::vector<std::string> parts) { return lines_with(text, parts); };
  using Lines = std::vector<std::size_t>;
  EXPECT_EQ(lines({"barrier"}), (Lines{3}));
  EXPECT_EQ(lines({"x ="}), (Lines{2})) << "the first of several";
  EXPECT_EQ(lines({"= 2;"}), (Lines{4})) << "the last line needs no end";
  EXPECT_EQ(lines({"claim"}), Lines());
  EXPECT_EQ(lines({"x =", "x ="}), (Lines{2, 4})) << "each behind the one before";
  EXPECT_EQ(lines({"barrier", "= 1;"}), Lines()) << "all, or none";
  EXPECT_EQ(lines_with("", std::vector<std::string>{"x"}), Lines());
}

TEST(Lesson, AWantedLineStandsInOneOfTheKernelsFiles) {
  LessonStep step;
  Result result;
  EXPECT_TRUE(has_source(step, result)) << "none is wanted";
  step.source = {"last = 1"};
  result.variant.source = "last = 1;";
  EXPECT_TRUE(has_source(step, result));
  result.launches.push_back(
      {.kernel = "k", .title = {}, .source = "first = 1;", .sources = {{"k.comp", "first = 1;"}}});
  EXPECT_FALSE(has_source(step, result)) << "that is not what is launched";
  result.launches[0].sources.push_back({"end.glsl", "\nlast = 1;\n"});
  EXPECT_TRUE(has_source(step, result));
}

}  // namespace
}  // namespace core
