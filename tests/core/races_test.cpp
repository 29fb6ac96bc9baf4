#include "core/report/races.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "core/report/check_report.h"

namespace {

using core::LoggedAccess;

LoggedAccess read(std::uint32_t invocation, std::uint32_t cell, std::uint32_t phase = 0) {
  return {.invocation = invocation, .phase = phase, .site = 1, .cell = cell};
}

LoggedAccess write(std::uint32_t invocation, std::uint32_t cell, std::uint32_t value = 0,
                   std::uint32_t phase = 0) {
  return {.invocation = invocation,
          .phase = phase,
          .site = 0,
          .cell = cell,
          .value = value,
          .writes = true};
}

TEST(Races, ReadsDoNotRace) {
  const std::vector<LoggedAccess> log{read(0, 5), read(1, 5), read(2, 5)};
  EXPECT_TRUE(core::find_races(log).empty());
}

TEST(Races, OneInvocationDoesNotRaceWithItself) {
  const std::vector<LoggedAccess> log{write(3, 5), read(3, 5), write(3, 5, 9)};
  EXPECT_TRUE(core::find_races(log).empty());
}

TEST(Races, WriteAndReadOfOneCell) {
  const std::vector<LoggedAccess> log{write(3, 5), read(4, 5), read(6, 5), read(4, 6)};
  const auto races = core::find_races(log);
  ASSERT_EQ(races.size(), 1U);
  EXPECT_EQ(races[0].count, 1U);
  EXPECT_EQ(races[0].a.invocation, 3U);
  EXPECT_EQ(races[0].b.invocation, 4U);
  EXPECT_FALSE(races[0].same_value);
}

TEST(Races, ABarrierSeparates) {
  const std::vector<LoggedAccess> log{write(3, 5), read(4, 5, 1)};
  EXPECT_TRUE(core::find_races(log).empty());
}

TEST(Races, EqualValues) {
  EXPECT_TRUE(core::find_races(std::vector{write(0, 1, 7), write(1, 1, 7)}).front().same_value);
  EXPECT_FALSE(core::find_races(std::vector{write(0, 1, 7), write(1, 1, 8)}).front().same_value);
  // Equal in one cell is not equal in all.
  EXPECT_FALSE(
      core::find_races(std::vector{write(0, 1, 7), write(1, 1, 7), write(0, 2, 1), write(1, 2, 2)})
          .front()
          .same_value);
}

TEST(Races, AtomicsAgainstEachOtherAndAgainstPlain) {
  LoggedAccess a = write(0, 1);
  LoggedAccess b = write(1, 1);
  a.atomic = b.atomic = true;
  EXPECT_TRUE(core::find_races(std::vector{a, b}).empty());
  b.atomic = false;
  b.site = 2;
  EXPECT_EQ(core::find_races(std::vector{a, b}).size(), 1U);
}

TEST(Races, SubgroupBarriersOrderWithinASubgroup) {
  LoggedAccess w = write(0, 1);
  LoggedAccess r = read(1, 1);
  r.subgroup_phase = 1;
  EXPECT_TRUE(core::find_races(std::vector{w, r}).empty());
  r.subgroup = 1;
  EXPECT_EQ(core::find_races(std::vector{w, r}).size(), 1U);
}

TEST(Races, OrderOfTheLogDoesNotMatter) {
  std::vector<LoggedAccess> log;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const auto r = static_cast<std::uint32_t>(core::mix(i));
    LoggedAccess a = r % 3 == 0 ? write(r >> 8U & 7U, r >> 12U & 3U, r >> 20U & 1U)
                                : read(r >> 8U & 7U, r >> 12U & 3U);
    a.site = r >> 16U & 3U;
    a.phase = r >> 24U & 1U;
    log.push_back(a);
  }
  const auto forward = core::find_races(log);
  std::ranges::reverse(log);
  EXPECT_FALSE(forward.empty());
  EXPECT_EQ(forward, core::find_races(log));
}

TEST(Races, TheSentenceSaysWhatEachSideDoes) {
  core::Finding finding{.hazard = core::Hazard::write_after_write, .variable = "sum"};
  finding.first = {.line = 5, .access = core::Access::atomic};
  finding.second = {.line = 7, .invocation = {1, 0, 0}, .access = core::Access::write};
  const std::string sentence = finding.sentence();
  EXPECT_NE(sentence.find("invocation (0,0,0) changes it atomically at line 5, and "
                          "invocation (1,0,0) writes it at line 7"),
            std::string::npos)
      << sentence;
  EXPECT_EQ(core::deed(core::Access::read, "sum[3]"), "reads sum[3]");
}

TEST(Races, TheSentenceCountsTheOtherInvocations) {
  core::Finding index{.kind = core::FindingKind::out_of_bounds,
                      .memory = core::Memory::buffer,
                      .variable = "a",
                      .count = 28,
                      .line = 12,
                      .outside = 100,
                      .limit = 100};
  index.first.invocation = {36, 0, 0};
  EXPECT_EQ(index.sentence(),
            "line 12: index 100 is outside a, which has 100 elements (in a buffer): invocation "
            "(36,0,0) of workgroup (0,0,0) and 27 other invocations");
  index.count = 1;
  EXPECT_TRUE(index.sentence().ends_with("of workgroup (0,0,0)"));
}

core::Finding finding(core::FindingKind kind, std::uint32_t line) {
  core::Finding f;
  f.kind = kind;
  f.line = line;
  return f;
}

TEST(Severity, IsDecidedByTheFinding) {
  using core::Severity;
  core::Finding race = finding(core::FindingKind::race, 1);
  EXPECT_EQ(race.severity(), Severity::error);
  race.chosen = {"n"};
  EXPECT_EQ(race.severity(), Severity::assumed);
  race.same_value = true;
  EXPECT_EQ(race.severity(), Severity::note);
  EXPECT_FALSE(race.is_optional());
  core::Finding index = finding(core::FindingKind::out_of_bounds, 1);
  index.chosen = {"the length of img", "n"};
  EXPECT_TRUE(index.sentence().ends_with("; Tilescope chose the length of img and n"));
  EXPECT_EQ(index.label(), "assumed: ");
  index.defined = true;
  EXPECT_EQ(index.severity(), Severity::note);
  EXPECT_TRUE(index.is_optional());
  core::Finding barrier = finding(core::FindingKind::divergent_barrier, 1);
  EXPECT_EQ(barrier.label(), "");
  barrier.other_sizes = true;
  EXPECT_EQ(barrier.severity(), Severity::warning);
  EXPECT_EQ(finding(core::FindingKind::arithmetic, 1).severity(), Severity::note);
}

TEST(Severity, OfErrorsMakesTheVerdict) {
  core::CheckReport report;
  core::Finding index = finding(core::FindingKind::out_of_bounds, 9);
  index.chosen = {"the length of img"};
  report.findings = {index, finding(core::FindingKind::arithmetic, 3)};
  report.judge();
  EXPECT_EQ(report.verdict, core::Verdict::clean);
  EXPECT_TRUE(report.counts_as_found(false));
  EXPECT_FALSE(report.counts_as_found(true));
  report.incomplete = {"why"};
  report.judge();
  EXPECT_EQ(report.verdict, core::Verdict::incomplete);
  report.findings.push_back(finding(core::FindingKind::uninitialized, 7));
  report.judge();
  EXPECT_EQ(report.verdict, core::Verdict::faulty);
  EXPECT_TRUE(report.counts_as_found(true));
  report.sort_findings();
  EXPECT_EQ(report.findings[0].line, 7U);
  EXPECT_EQ(report.findings[1].line, 9U);
  EXPECT_EQ(report.findings[2].line, 3U);
}

TEST(Severity, OfOptionalNotesIsCountedWhereTheyAreHidden) {
  core::CheckReport report;
  core::Finding texel = finding(core::FindingKind::out_of_bounds, 9);
  texel.defined = true;
  report.findings = {texel, finding(core::FindingKind::arithmetic, 3)};
  report.hide_optional();
  EXPECT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.hidden, 1U);
}

}  // namespace
