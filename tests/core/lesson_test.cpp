// What a lesson may ask for, read off results made by hand.
#include "core/lessons/lesson.h"

#include <gtest/gtest.h>

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
  report.findings = {{.hazard = RaceHazard::write_after_read},
                     {.hazard = RaceHazard::read_after_write},
                     {.kind = FindingKind::uninitialized, .hazard = RaceHazard::write_after_write}};
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

TEST(Lesson, AResultShowsAStepOnlyWithItsSettings) {
  LessonStep step{.experiment = {.variant = "scan/blelloch-padded", .settings = {{"PAD", "0"}}}};
  Result result;
  result.experiment = {.variant = "scan/blelloch-padded",
                       .settings = {{"BLOCK", "64"}, {"PAD", "1"}}};
  EXPECT_FALSE(shows_step(step, result));
  result.experiment.settings["PAD"] = "0";
  EXPECT_TRUE(shows_step(step, result));
}

}  // namespace
}  // namespace core
