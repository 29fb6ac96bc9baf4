// The check for races in the interface: badge, findings, barriers to switch, marked tiles.
#include <algorithm>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/work/barrier_trials.h"
#include "ui/edits.h"
#include "ui/fixture.h"
#include "ui/panels/findings_state.h"
#include "ui/panels/source/source_fold.h"
#include "ui/panels/splitters.h"
#include "ui/traces.h"
#include "ui/views/grid/grid_marks.h"
#include "ui/widgets/badge.h"

namespace {

using core::BarrierKind;

core::Result racy() {
  core::Result result = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  tests::add_races(result);
  return result;
}

class Races : public tests::Keys {
 protected:
  Races() : Keys(racy()) {}
  // Where a text was put last; the middle of it.
  glm::vec2 place_of(const std::string& text) const {
    const auto& all = stage_.trace().entries;
    const auto found = std::ranges::find(all, text, &ui::TextTrace::Entry::text);
    EXPECT_NE(found, all.end()) << text;
    return found == all.end() ? glm::vec2(0.0F) : found->rect.centre();
  }
  ui::Requests click(glm::vec2 at) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {at.x, at.y};
    stage_.draw(result_);
    io.MouseDown[0] = true;
    ui::Requests requests = stage_.draw(result_);
    io.MouseDown[0] = false;
    const ui::Requests released = stage_.draw(result_);
    return released.experiment ? released : requests;
  }
};

TEST(Badge, SaysWhatWasCheckedAndHowMuchOfIt) {
  core::Result result = racy();
  EXPECT_EQ(ui::badge_of(result).texts.front(), "2 races · 12/12 tiles · 4/4 accesses");
  core::CheckReport clean = *result.races;
  clean.findings.clear();
  clean.verdict = core::Verdict::clean;
  result.races = std::make_shared<const core::CheckReport>(clean);
  EXPECT_EQ(ui::badge_of(result).texts.front(), "race-free · 12/12 tiles · 4/4 accesses");
  clean.verdict = core::Verdict::incomplete;
  clean.incomplete = {"no memory"};
  result.races = std::make_shared<const core::CheckReport>(clean);
  EXPECT_EQ(ui::badge_of(result).texts.front(), "not fully checked: no memory");
  result.races = nullptr;
  result.races_progress = 0.4;
  EXPECT_EQ(ui::badge_of(result).texts.front(), "checking 40 %");
}

core::Result refused() {
  core::Result result = racy();
  core::KernelFacts facts = *result.facts;
  core::Finding divergent;
  divergent.kind = core::FindingKind::divergent_barrier;
  divergent.line = 12;
  facts.divergent = {divergent};
  result.facts = std::make_shared<const core::KernelFacts>(facts);
  return result;
}

TEST(Badge, ARefusedKernelIsNamedSo) {
  EXPECT_EQ(ui::badge_of(refused()).texts[1], "refused: divergent barrier");
}

// Nothing of it will ever come, and what to do is said where its pictures would be.
TEST_F(Races, ARefusedKernelPromisesNothing) {
  result_ = refused();
  result_.timing = {};
  result_.check = {};
  result_.groups_done = 0;
  for (const char* view : {"grid", "tile"}) {
    stage_.app().state().view.name = view;
    stage_.draw(result_);
    stage_.draw(result_);
    for (const char* promise : {"Samples appear", "yet", "appears here"}) {
      EXPECT_FALSE(tests::shows(stage_.trace(), promise)) << view << ": " << promise;
    }
    EXPECT_TRUE(tests::shows(stage_.trace(), "not run")) << view;
    EXPECT_TRUE(tests::shows(stage_.trace(), "Move")) << view;
  }
}

TEST_F(Races, ARightAnswerBesideARaceIsCalledLuck) {
  stage_.draw(result_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "by luck"));
  core::Scene wide = scene();
  wide.view.width = 1920;
  tests::Stage other(wide);
  other.draw(result_);
  EXPECT_TRUE(tests::shows(other.trace(), "correct by luck"));
  EXPECT_FALSE(tests::shows(other.trace(), "…")) << "the error is told to the mouse";
  core::CheckReport clean = *result_.races;
  clean.findings.clear();
  result_.races = std::make_shared<const core::CheckReport>(clean);
  stage_.draw(result_);
  EXPECT_FALSE(tests::shows(stage_.trace(), "by luck"));
  EXPECT_TRUE(tests::shows(stage_.trace(), "correct"));
}

TEST(Trials, AreAllAgainstTheSameTimeAndAboveOneIsFaster) {
  core::BarrierTrials trials;
  trials.list.resize(3);
  const double spread[3][2] = {{27.37, 14.5}, {24.74, 52.0}, {30.0, 27.0}};
  for (std::size_t i = 0; i < 3; ++i) {  // the clocks drift between one trial and the next
    trials.list[i].spread = core::spread_of(std::vector{spread[i][0]});
    trials.list[i].written = core::spread_of(std::vector{spread[i][1]});
  }
  core::derive(trials);
  EXPECT_EQ(trials.written.count, 3U);
  EXPECT_DOUBLE_EQ(trials.written.median, 27.0);
  EXPECT_DOUBLE_EQ(*trials.speed_up(trials.list[2]), 27.0 / 30.0);
  EXPECT_GT(*trials.speed_up(trials.list[1]), *trials.speed_up(trials.list[0]))
      << "the shorter time is the faster, whatever the clock did meanwhile";
  EXPECT_GT(*trials.speed_up(trials.list[0]), *trials.speed_up(trials.list[2]));
  core::BarrierTrial noisy;
  noisy.spread = core::spread_of(std::vector{9.0, 10.0, 11.0});
  EXPECT_NEAR(noisy.noise(), 0.1, 0.02);
  EXPECT_FALSE(trials.speed_up(core::BarrierTrial{}));
  EXPECT_GT(trials.noise(trials.list[2]), 0.0) << "that much is chance";
  EXPECT_EQ(trials.list[2].noise(), 0.0);
}

// A race of some length, with lines as far apart as in the catalogue's kernels and further.
core::Result far_apart(std::uint32_t lines) {
  core::Result result = racy();
  core::CheckReport report = *result.races;
  for (core::Finding& f : report.findings) {
    f.first.line = 9;
    f.second.line = 9 + lines;
    f.workgroup = {12, 17, 0};
    f.first.invocation = {15, 13, 0};
    f.count = 16384;
  }
  result.races = std::make_shared<const core::CheckReport>(report);
  std::string source;
  for (int line = 1; line < 60; ++line) {
    source += "  sum += tile_a[row][" + std::to_string(line) + "];\n";
  }
  result.variant.source = source;
  for (core::Launch& launch : result.launches) {
    launch.source = source;
    launch.sources.clear();
  }
  return result;
}

// Whatever the window's height, the last row of the list is a whole line of text.
TEST(Findings, EndAtAWholeLineAndCountTheRest) {
  core::Result result = racy();
  core::CheckReport report = *result.races;
  report.findings.resize(15, report.findings.front());
  result.races = std::make_shared<const core::CheckReport>(report);
  for (std::uint32_t height = 1080; height > 1060; height -= 3) {
    core::Scene scene;
    scene.experiment = result.experiment;
    scene.view.width = 1920;
    scene.view.height = height;
    tests::Stage stage(scene);
    stage.draw(result);
    stage.draw(result);
    std::size_t cut = 0;
    std::size_t hidden = 0;
    const auto head = std::ranges::find_if(stage.trace().entries, [&](const auto& e) {
      return e.text == ui::found_text(*result.races) && e.rect.low.x > 1500.0F;
    });
    ASSERT_NE(head, stage.trace().entries.end());
    for (const auto& e : stage.trace().entries) {
      const bool listed = e.scrolls && e.rect.low.x > 1500.0F && e.clip.low.y > head->rect.low.y;
      const bool below = e.rect.low.y >= e.clip.high.y - 1.0F;
      hidden += listed && below ? 1 : 0;
      cut += listed && !below && e.rect.high.y > e.clip.high.y + 1.0F ? 1 : 0;
    }
    EXPECT_GT(hidden, 0U) << height;
    EXPECT_EQ(cut, 0U) << height;
    EXPECT_TRUE(std::ranges::any_of(stage.trace().entries, [](const auto& e) {
      return !e.scrolls && e.text.starts_with("and ") && e.text.ends_with(" more") &&
             e.rect.low.x > 1500.0F;
    })) << height;
  }
}

struct Seen {
  bool first = false, second = false, sentence = true;
};

// The two lines by their text; the sentence if all its words are inside of what is drawn.
Seen seen(const ui::TextTrace& trace, const core::Finding& finding) {
  Seen seen;
  std::string words;
  for (const auto& e : trace.entries) {
    const bool whole = e.clip.contains(e.rect.inset(1.5F, 1.5F));
    seen.first |= whole && e.text == std::to_string(finding.first.line);
    seen.second |= whole && e.text == std::to_string(finding.second.line);
    words += whole ? e.text + " " : "";
  }
  seen.sentence = words.find(finding.sentence()) != std::string::npos;
  return seen;
}

// On a projector and on small laptops.
TEST(RaceInSight, SourceBothLinesAndTheSentence) {
  struct Window {
    std::uint32_t width, height;
    float scale;
  };
  for (const std::uint32_t lines : {5U, 40U}) {
    const core::Result result = far_apart(lines);
    for (const Window w : {Window{1280, 720, 2.0F}, {1024, 768, 1.0F}, {1366, 768, 1.0F}}) {
      for (const std::int64_t chosen : {-1, 0}) {
        core::Scene scene;
        scene.experiment = result.experiment;
        scene.view.width = w.width;
        scene.view.height = w.height;
        scene.view.scale = w.scale;
        scene.view.finding = chosen;
        tests::Stage stage(scene);
        for (int i = 0; i < 4; ++i) {
          stage.draw(result);
        }
        const Seen what = seen(stage.trace(), result.races->findings[0]);
        const std::string where = std::to_string(w.width) + " × " + std::to_string(w.height) +
                                  ", " + std::to_string(lines) + " lines apart, chosen " +
                                  std::to_string(chosen);
        EXPECT_TRUE(what.first) << where;
        EXPECT_TRUE(what.second) << where;
        EXPECT_TRUE(what.sentence) << where;
      }
    }
  }
}

TEST(RaceInSight, WhatLiesBetweenIsFoldedButForBarriers) {
  using Folds = std::vector<ui::LineRun>;
  const auto folds = [](std::vector<std::size_t> kept, std::size_t rows) {
    return ui::folds_between(kept, rows);
  };
  EXPECT_EQ(folds({28, 30, 33}, 6), Folds{}) << "there is room";
  EXPECT_EQ(folds({28, 30, 33}, 5), (Folds{{31, 32}}));
  EXPECT_FALSE(folds({28, 30, 33}, 4)) << "the barrier has no room";
  EXPECT_EQ(folds({28, 33}, 4), (Folds{{29, 32}}));
  EXPECT_EQ(folds({10, 30, 90}, 5), (Folds{{11, 29}, {31, 89}}));
  EXPECT_EQ(folds({10}, 5), Folds{});
}

// A barrier that not all reach, and the condition that parts them.
TEST(RaceInSight, ABarrierAndItsConditionAreBothSeen) {
  core::Result result = far_apart(30);
  core::CheckReport report = *result.races;
  report.verdict = core::Verdict::divergent;
  core::Finding divergent;
  divergent.kind = core::FindingKind::divergent_barrier;
  divergent.line = 41;
  divergent.condition_line = 9;
  report.findings = {divergent};
  result.races = std::make_shared<const core::CheckReport>(report);
  core::KernelFacts facts = *result.facts;
  facts.divergent = {divergent};
  result.facts = std::make_shared<const core::KernelFacts>(facts);
  for (const float scale : {1.0F, 2.0F}) {
    core::Scene scene;
    scene.experiment = result.experiment;
    scene.view.width = 1280;
    scene.view.height = 720;
    scene.view.scale = scale;
    tests::Stage stage(scene);
    for (int i = 0; i < 4; ++i) {
      stage.draw(result);
    }
    core::Finding as_race;
    as_race.first.line = 41;
    as_race.second.line = 9;
    const Seen both = seen(stage.trace(), as_race);
    EXPECT_TRUE(both.first) << scale;
    EXPECT_TRUE(both.second) << scale;
  }
}

TEST(RaceInSight, ACaptionOfATileIsNeverCutWithinItsWords) {
  core::Result result = tests::result_of("matmul/tiled", {128, 128, 128}, 16);
  result.trace = tests::matmul_trace(16, 3, false);
  for (const glm::uvec2 size : {glm::uvec2(1280, 720), {1024, 768}, {1366, 768}}) {
    for (const float scale : {1.0F, 2.0F}) {
      core::Scene scene;
      scene.experiment = result.experiment;
      scene.view.name = "tile";
      scene.view.tile = 19;
      scene.view.width = size.x;
      scene.view.height = size.y;
      scene.view.scale = scale;
      tests::Stage stage(scene);
      stage.draw(result);
      stage.draw(result);
      EXPECT_TRUE(tests::shows(stage.trace(), "read")) << size.x << " at " << scale;
      for (const auto& e : stage.trace().entries) {
        EXPECT_FALSE(e.text.find("written") != std::string::npos && e.text.ends_with("…"))
            << size.x << " at " << scale << ": " << e.text;
      }
    }
  }
}

TEST_F(Races, ALineBetweenPanelsIsDraggedAndKept) {
  core::Scene given = scene();
  const auto top_of_source = [&] { return place_of("12").y; };
  const ui::Layout own = ui::arrange({1280, 800}, 1.0F, true);
  const glm::vec2 line{0.5F * (own.source.low.x + own.source.high.x), own.source.low.y};
  const float before = top_of_source();
  ImGuiIO& io = ImGui::GetIO();
  const auto move = [&](glm::vec2 to) {
    io.MousePos = {to.x, to.y};
    stage_.draw(result_);
  };
  move(line);
  io.MouseDown[0] = true;
  move(line);
  move(line - glm::vec2(0.0F, 90.0F));
  io.MouseDown[0] = false;
  move(line - glm::vec2(0.0F, 90.0F));
  stage_.draw(result_);
  EXPECT_LT(top_of_source(), before - 40.0F);
  const core::Catalogue all = tests::catalogue();
  const core::Scene kept = stage_.app().scene({result_, all, {}});
  EXPECT_GT(std::get<double>(kept.view.settings.at("panel_source")), 0.2);
  tests::Stage again(kept);
  again.draw(result_);
  EXPECT_EQ(again.app().state().of<ui::PanelSizes>().shares,
            stage_.app().state().of<ui::PanelSizes>().shares);
}

TEST_F(Races, ADigitSwitchesItsBarrierOffAndOnAgain) {
  const auto off = press(ui::letter('1'));
  ASSERT_TRUE(off.experiment);
  EXPECT_EQ(off.experiment->barriers, (core::BarrierEdits{{1, BarrierKind::off}}));
  const auto on = press(ui::letter('1'));
  ASSERT_TRUE(on.experiment);
  EXPECT_TRUE(on.experiment->barriers.empty());
  EXPECT_FALSE(press(ui::letter('2')).experiment) << "there is one barrier";
}

TEST_F(Races, AClickOnItsDotSwitchesABarrierOff) {
  const auto off = click(place_of("1"));
  ASSERT_TRUE(off.experiment);
  EXPECT_EQ(off.experiment->barriers, (core::BarrierEdits{{1, BarrierKind::off}}));
}

TEST_F(Races, KindsGoRound) {
  press(ui::letter('b'));
  EXPECT_EQ(press(ui::letter('g')).experiment->barriers.at(1), BarrierKind::off);
  EXPECT_EQ(press(ui::letter('g')).experiment->barriers.at(1), BarrierKind::all);
  EXPECT_EQ(press(ui::letter('G')).experiment->barriers.at(1), BarrierKind::off);
}

TEST_F(Races, AClickOnATrialRunsTheKernelLikeThat) {
  EXPECT_TRUE(press(ui::letter('K')).try_barriers);
  EXPECT_EQ(stage_.app().view().name, "barriers");
  tests::add_trials(result_);
  stage_.draw(result_);
  const auto racy = click(place_of("races: RAW"));
  ASSERT_TRUE(racy.experiment);
  EXPECT_EQ(racy.experiment->barriers, (core::BarrierEdits{{1, BarrierKind::global}}));
}

TEST_F(Races, FindingsLeadToTheirTiles) {
  press(ui::letter('c'));
  EXPECT_EQ(stage_.app().view().finding, 0);
  EXPECT_EQ(stage_.app().view().tile, 5) << "workgroup (2,1,0) of three a row";
  press(ui::letter('c'));
  EXPECT_EQ(stage_.app().view().tile, 6);
  press(ui::letter('c'));
  EXPECT_EQ(stage_.app().view().finding, 0) << "going round";
  press(ui::letter('1'));
  EXPECT_EQ(stage_.app().view().finding, -1) << "another kernel";
}

TEST_F(Races, AClickOnTheBadgeChoosesAFinding) {
  const auto& texts = ui::badge_of(result_).texts;
  const auto& all = stage_.trace().entries;
  const auto badge = std::ranges::find_if(all, [&](const ui::TextTrace::Entry& entry) {
    return std::ranges::find(texts, entry.text) != texts.end();
  });
  ASSERT_NE(badge, all.end());
  click(badge->rect.centre());
  EXPECT_EQ(stage_.app().view().finding, 0);
  EXPECT_EQ(stage_.app().view().tile, 5);
}

// Two races and an index outside, and a line that nobody came to.
core::Result of_two_kinds() {
  core::Result result = racy();
  core::CheckReport report = *result.races;
  core::Finding outside;
  outside.kind = core::FindingKind::out_of_bounds;
  outside.variable = "tile_b";
  outside.line = 12;
  report.findings.push_back(outside);
  report.unreached = {{"", 13, ""}};
  result.races = std::make_shared<const core::CheckReport>(report);
  return result;
}

TEST_F(Races, AKindIsAFilterOfTheList) {
  result_ = of_two_kinds();
  stage_.draw(result_);
  stage_.draw(result_);
  const auto shown = [&](const std::string& text) {
    return std::ranges::count(stage_.trace().entries, text, &ui::TextTrace::Entry::text);
  };
  EXPECT_EQ(shown("RAW on tile_a"), 2);
  EXPECT_EQ(shown("index outside tile_b"), 1);
  EXPECT_GT(shown("never executed"), 0);
  click(place_of("bounds 1"));
  stage_.draw(result_);
  EXPECT_EQ(shown("RAW on tile_a"), 0);
  EXPECT_EQ(shown("index outside tile_b"), 1);
  press(ui::letter('c'));
  EXPECT_EQ(stage_.app().view().finding, 2) << "the next of those that are shown";
  click(place_of("all 3"));
  stage_.draw(result_);
  EXPECT_EQ(shown("RAW on tile_a"), 2);
}

TEST(Findings, OfAKindThatIsNotThereAllAreShown) {
  const core::Result result = of_two_kinds();
  ui::FindingsState state;
  EXPECT_EQ(ui::shown_findings(state, *result.races), (std::vector<std::size_t>{0, 1, 2}));
  state.kind = "out-of-bounds";
  EXPECT_EQ(ui::shown_findings(state, *result.races), std::vector<std::size_t>{2});
  state.kind = "arithmetic";
  EXPECT_EQ(ui::shown_findings(state, *result.races).size(), 3U);
}

TEST(Findings, SayWhatGoesWrongAndHowToFixIt) {
  for (const auto kind : {core::FindingKind::race, core::FindingKind::divergent_barrier,
                          core::FindingKind::out_of_bounds, core::FindingKind::unfinished_loop,
                          core::FindingKind::uninitialized, core::FindingKind::arithmetic}) {
    core::Finding finding;
    finding.kind = kind;
    EXPECT_GE(std::ranges::count(ui::meaning_of(finding), '.'), 2) << core::to_string(kind);
  }
}

TEST(Findings, BetweenWorkgroupsABarrierIsNotWhatMends) {
  core::Finding race;
  race.memory = core::Memory::buffer;
  race.first.workgroup = {0, 0, 0};
  race.second.workgroup = {1, 0, 0};
  EXPECT_TRUE(ui::meaning_of(race).contains("no barrier orders them"));
  race.second.workgroup = {0, 0, 0};
  EXPECT_TRUE(ui::meaning_of(race).contains("memoryBarrierBuffer()"));
}

TEST(Findings, SayWhyABarrierBetweenTheLinesDoesNotOrderThem) {
  core::Finding race;
  race.first.line = 21;
  race.second.line = 17;
  core::KernelFacts facts;
  facts.barriers = {{.at = {.line = 19}, .written = core::BarrierKind::all, .now = {}}};
  const auto meaning = [&](std::optional<core::BarrierKind> now) {
    facts.barriers.front().now = now;
    return ui::meaning_of(race, &facts);
  };
  EXPECT_TRUE(
      meaning(core::BarrierKind::fence_shared).contains("line 19 between them is only a fence"));
  EXPECT_TRUE(meaning(core::BarrierKind::global).contains("orders only global memory"));
  EXPECT_TRUE(meaning(core::BarrierKind::off).contains("is off"));
  EXPECT_TRUE(meaning(core::BarrierKind::all).contains("orders them"));
  facts.barriers.front().at.line = 30;
  EXPECT_TRUE(meaning(core::BarrierKind::off).contains("orders them"));
}

TEST(GridMarks, RacingCellsAreElementsOfTheBuffer) {
  core::CheckReport report;
  report.racing_cells = {{"", "C", 2, 4, {1, 5}}};
  core::BufferSpec spec{.name = "C", .rows = 2, .columns = 3};
  EXPECT_TRUE(ui::racing_elements(report, 1, spec).empty());
  EXPECT_EQ(ui::racing_elements(report, 2, spec), std::vector<std::uint32_t>{0b100'010U});
  spec.transposed = true;  // element 1 is row 1 of column 0, the last is where it was
  EXPECT_EQ(ui::racing_elements(report, 2, spec), std::vector<std::uint32_t>{0b101'000U});
  spec.transposed = false;
  spec.components = 2;  // cells of half an element
  EXPECT_EQ(ui::racing_elements(report, 2, spec), std::vector<std::uint32_t>{0b000'101U});
}

TEST(GridMarks, EqualRowsAreOneBox) {
  core::CheckReport report;
  report.racing_groups = {0b0110'0110U};
  const auto boxes = ui::racing_boxes(report.racing_groups, 8, 4, 8, 1);
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_EQ(boxes[0], (ui::TileBox{{1, 0}, {3, 2}}));
  EXPECT_EQ(ui::racing_boxes(report.racing_groups, 8, 4, 8, 2),
            (std::vector<ui::TileBox>{{{0, 0}, {4, 2}}}));
}

}  // namespace
