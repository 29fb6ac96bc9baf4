// The banks view, and the tile view coloured by bank: what they say, and what keys do.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/report/banks.h"
#include "ui/fixture.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/traces.h"
#include "ui/views/banks/banks_state.h"
#include "ui/views/tile/tile_state.h"

namespace {

class BanksViewTest : public testing::Test {
 protected:
  BanksViewTest() : result_(tests::result_of("transpose/tiled", {512, 512}, 32)), stage_(scene()) {
    result_.trace = tests::transpose_trace();  // padded, subgroups of 8
    result_.banks = std::make_shared<const core::BankReport>(core::bank_report(*result_.trace));
    stage_.draw(result_);
    stage_.draw(result_);
  }
  core::Scene scene() const {
    core::Scene scene;
    scene.experiment = result_.experiment;
    scene.view.name = "banks";
    scene.view.width = 1600;
    scene.view.height = 1000;
    return scene;
  }
  void press(char32_t key) {
    stage_.app().press(ui::letter(key));
    stage_.draw(result_);
    stage_.draw(result_);
  }
  bool says(const std::string& part) const {
    return std::ranges::any_of(stage_.trace().entries, [&part](const auto& entry) {
      return entry.text.find(part) != std::string::npos;
    });
  }
  ui::BanksState& banks() { return stage_.app().state().of<ui::BanksState>(); }
  core::View& view() { return stage_.app().state().view; }

  core::Result result_;
  tests::Stage stage_;
};

TEST_F(BanksViewTest, ShowsBothSidesOfThePaddingOnAnEmulatedDeviceFor32) {
  EXPECT_TRUE(says("line 13 reads tile"));
  EXPECT_TRUE(says("1 way, no conflict: invocations 0 to 31"));
  EXPECT_TRUE(says("32 ways: invocations 0 to 31 need 32 words of bank 0"))
      << "without the padding";
  EXPECT_TRUE(says("float[32][33], in rows of 32 words, one word per bank"));
  EXPECT_TRUE(says("float[32][32], without the padding (modelled)"));
  ASSERT_EQ(stage_.app().state().lit_lines.size(), 1U);
  EXPECT_EQ(stage_.app().state().lit_lines.front().line, 13U);
}

TEST_F(BanksViewTest, KeysChooseLanesInstructionsAndSites) {
  press(U'B');
  EXPECT_EQ(banks().lanes, "subgroups");
  EXPECT_TRUE(says("1 way, no conflict: 8 lanes of subgroup 0"));
  EXPECT_TRUE(says("8 ways: 8 lanes of subgroup 0 need 8 words of bank 0"));
  press(U'l');
  EXPECT_EQ(banks().instruction, 2U);
  EXPECT_TRUE(says("instruction 2 of 128"));
  press(U'j');
  press(U'j');
  EXPECT_TRUE(says("instruction 128 of 128")) << "round the corner";
  press(U'L');
  EXPECT_EQ(banks().instruction, 0U);
  EXPECT_TRUE(says("line 11 reads a")) << "the first global site";
  EXPECT_TRUE(says("8 lanes of subgroup 0 request 32 bytes: 1 sector, 32 of 32 bytes used"));
}

TEST_F(BanksViewTest, TheTileViewPointsOutTheDearestInstruction) {
  for (int views = 0; views < 8 && view().name != "tile"; ++views) {
    press(U'V');
  }
  ASSERT_EQ(view().name, "tile");
  EXPECT_FALSE(says("1 way, no conflict"));
  press(U'B');
  EXPECT_TRUE(stage_.app().state().of<ui::TileState>().by_bank);
  EXPECT_TRUE(says("1 way, no conflict: invocations 0 to 31"));
  const ui::Colour link = ui::fade(ui::make_theme(true, 1.0F, {}).colours.dim, 0.3F);
  EXPECT_FALSE(tests::draws(link, {{0.0F, 0.0F}, {1600.0F, 1000.0F}}))
      << "no bank is asked twice: there is nothing to lead to";
  press(U'i');  // an invocation of the reader's own comes first
  EXPECT_FALSE(says("1 way, no conflict"));
}

// Two lines of one number, one of them in a file that the kernel includes.
TEST_F(BanksViewTest, ASiteOfAnIncludedFileSaysWhich) {
  auto trace = *result_.trace;
  for (core::TracedSite& site : trace.sites) {
    site.at.file = site.at.line == 13 ? "a/body.glsl" : "a/kernel.comp";
  }
  result_.trace = std::make_shared<const core::Trace>(trace);
  result_.banks = std::make_shared<const core::BankReport>(core::bank_report(trace));
  core::Launch launch;
  launch.kernel = result_.variant.id();
  launch.sources = {{"a/kernel.comp", "void main() {}\n"}, {"a/body.glsl", "\n"}};
  launch.groups = {{0, 0, 0}, result_.tiles.groups()};
  result_.launches = {launch};
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_TRUE(says("reads tile · body.glsl"));
  EXPECT_TRUE(says("reads a"));
  EXPECT_FALSE(says("kernel.comp")) << "the kernel's own needs no name";
}

// However narrow, and however unsteady its launches were: the variant's own time is there, and how
// many others there are.
TEST_F(BanksViewTest, AnUnsteadyTimeIsStillTold) {
  result_.ladder.clear();
  for (const char* name : {"transpose/tiled", "transpose/naive", "transpose/padded"}) {
    result_.ladder.push_back(
        {.variant = name, .name = name, .title = name, .tile = 32, .measured = true});
    result_.ladder.back().spread = {.count = 9, .median = 2.0, .p5 = 1.0, .p95 = 9.0};
  }
  for (const std::uint32_t width : {640U, 1000U, 1600U}) {
    core::Scene narrow = scene();
    narrow.view.width = width;
    tests::Stage stage(narrow);
    stage.draw(result_);
    EXPECT_TRUE(tests::shows(stage.trace(), "transpose/tiled 2.000 ms")) << width;
    EXPECT_TRUE(tests::shows(stage.trace(), "and ")) << "the others are counted, at " << width;
  }
  stage_.draw(result_);
  EXPECT_TRUE(says("unsteady: to 9.000 ms"));
}

// What is asked for most stays longest: the line and the access, then the worst, then the mean.
TEST_F(BanksViewTest, ANarrowTableGivesUpItsColumnsFromTheLeastAsked) {
  const auto columns_at = [&](std::uint32_t width) {
    core::Scene narrow = scene();
    narrow.view.width = width;
    narrow.view.height = 900;
    tests::Stage stage(narrow);
    stage.draw(result_);
    std::vector<bool> there;
    for (const char* name : {"instructions", "conflicts", "mean", "most ways"}) {
      there.push_back(tests::shows(stage.trace(), name));
    }
    return there;
  };
  EXPECT_EQ(columns_at(1900), std::vector<bool>(4, true));
  std::vector<bool> before(4, true);
  for (std::uint32_t width = 1900; width >= 500; width -= 20) {
    const auto now = columns_at(width);
    EXPECT_TRUE(std::ranges::is_sorted(now)) << "the first goes first, at " << width;
    before = now;
  }
  EXPECT_FALSE(before.front());
}

// As a histogram with copies of its bins has them: many rows of words, one of which is wanted.
TEST_F(BanksViewTest, OfRowsThatWouldBeHairlinesThoseThatAreWantedAreShown) {
  core::Trace trace = *result_.trace;
  for (core::TracedVariable& v : trace.variables) {
    if (v.memory == core::MemoryKind::shared) {
      v.dimensions = {8192};
      v.bytes = 32768;
      v.type = "float[8192]";
    }
  }
  for (core::TracedAccess& access : trace.accesses) {
    if (trace.variables[trace.sites[access.site].variable].memory == core::MemoryKind::shared) {
      access.offset = 100 * 128 + access.offset % 128;
    }
  }
  result_.trace = std::make_shared<const core::Trace>(trace);
  result_.banks = std::make_shared<const core::BankReport>(core::bank_report(trace));
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_TRUE(says("of 256, unchanged"));
  EXPECT_FALSE(says("rows 1 to")) << "row 101 is in the middle";
}

TEST_F(BanksViewTest, WhatALessonAsksLaterIsNotInTheTable) {
  core::LessonStep told;
  told.text = "It is read down its columns.";
  told.experiment = result_.experiment;
  told.view = "banks";
  core::LessonStep question = told;
  question.fact = "ways tile";
  auto& lessons = stage_.app().state().of<ui::LessonState>();
  lessons.lessons = {{.name = "l", .title = "Banks", .about = "", .steps = {told, question}}};
  const auto unsaid = [this] {
    return std::ranges::count(stage_.trace().entries, "?", &ui::TextTrace::Entry::text);
  };
  const auto before = unsaid();
  press(U'N');
  ASSERT_TRUE(says("It is read down"));
  EXPECT_GT(unsaid(), before);
  press(U'N');
  lessons.answer = 1;
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_EQ(unsaid(), before);
}

TEST(BanksView, SaysWhatItWaitsFor) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.name = "banks";
  scene.view.tile = 3;
  tests::Stage stage(scene);
  const ui::Requests requests = stage.draw(result);
  EXPECT_EQ(requests.trace, 3U);
}

}  // namespace
