#include "core/findings/allowances.h"

#include <gtest/gtest.h>

#include "core/work/checks.h"

namespace {

core::Finding race(const std::string& variable, std::uint32_t first, std::uint32_t second) {
  core::Finding f;
  f.variable = variable;
  f.first.line = first;
  f.second.line = second;
  return f;
}

TEST(Allowances, AreReadFromComments) {
  const auto found = core::allowances_in(
      {{"a.comp",
        "x = 1;\ny = 2; // tilescope: allow race on tile, benign same value\n"
        "z; // tilescope: allow out-of-bounds\nw; // tilescope: allow rain on tile\n"
        "tilescope: allow race\n"}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, "race");
  EXPECT_EQ(found[0].variable, "tile");
  EXPECT_EQ(found[0].line, 2U);
  EXPECT_TRUE(found[0].own);
  EXPECT_EQ(found[1].kind, "out-of-bounds");
  EXPECT_TRUE(found[1].variable.empty());
}

TEST(Allowances, SilenceOneFindingEachAndAreCounted) {
  const auto allowances =
      core::allowances_in({{"a.comp", "x; // tilescope: allow race on tile, once"}});
  core::CheckReport report;
  report.findings = {race("other", 1, 5), race("tile", 4, 1), race("tile", 1, 7)};
  core::allow(allowances, report);
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].variable, "other");
  EXPECT_EQ(report.findings[1].second.line, 7U);
  EXPECT_EQ(report.allowed, 1U);
}

TEST(Checks, AreNamedOrAll) {
  EXPECT_EQ(*core::parse_checks(""), core::Checks{});
  const auto some = core::parse_checks("bounds,init");
  ASSERT_TRUE(some);
  EXPECT_TRUE(some->bounds && some->init);
  EXPECT_FALSE(some->races || some->sync || some->arithmetic);
  const auto wrong = core::parse_checks("bounds,rain");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("races, bounds, init, sync, arithmetic"), std::string::npos);
}

}  // namespace
