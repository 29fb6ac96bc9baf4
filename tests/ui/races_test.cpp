// The check for races in the interface: badge, findings, barriers to switch, marked tiles.
#include <algorithm>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/work/barrier_trials.h"
#include "ui/edits.h"
#include "ui/fixture.h"
#include "ui/panels/findings_state.h"
#include "ui/views/grid/grid_marks.h"
#include "ui/widgets/badge.h"

namespace {

using core::BarrierKind;

core::Result racy() {
  core::Result result = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  tests::add_races(result);
  return result;
}

class Races : public testing::Test {
 protected:
  Races() : result_(racy()), stage_(scene()) {
    stage_.draw(result_);
    stage_.draw(result_);
  }
  core::Scene scene() const {
    core::Scene scene;
    scene.experiment = result_.experiment;
    return scene;
  }
  ui::Requests press(const ui::KeyPress& key) {
    stage_.app().press(key);
    return stage_.draw(result_);
  }
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

  core::Result result_;
  tests::Stage stage_;
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

TEST(Badge, ARefusedKernelIsNamedSo) {
  core::Result result = racy();
  core::KernelFacts facts = *result.facts;
  core::Finding divergent;
  divergent.kind = core::FindingKind::divergent_barrier;
  divergent.line = 12;
  facts.divergent = {divergent};
  result.facts = std::make_shared<const core::KernelFacts>(facts);
  EXPECT_EQ(ui::badge_of(result).texts[1], "refused: divergent barrier");
}

TEST_F(Races, ARightAnswerBesideARaceIsCalledLuck) {
  stage_.draw(result_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "by luck"));
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
  EXPECT_DOUBLE_EQ(*trials.speed_up(trials.list[2]), 27.0 / 30.0);
  EXPECT_GT(*trials.speed_up(trials.list[1]), *trials.speed_up(trials.list[0]))
      << "the shorter time is the faster, whatever the clock did meanwhile";
  EXPECT_GT(*trials.speed_up(trials.list[0]), *trials.speed_up(trials.list[2]));
  core::BarrierTrial noisy;
  noisy.spread = core::spread_of(std::vector{9.0, 10.0, 11.0});
  EXPECT_NEAR(noisy.noise(), 0.1, 0.02);
  EXPECT_FALSE(trials.speed_up(core::BarrierTrial{}));
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

TEST(Findings, HaveAPageInTheManualAndTwoSentences) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/assets/manual/method.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  for (const auto kind : {core::FindingKind::race, core::FindingKind::divergent_barrier,
                          core::FindingKind::out_of_bounds, core::FindingKind::unfinished_loop,
                          core::FindingKind::uninitialized, core::FindingKind::arithmetic}) {
    core::Finding finding;
    finding.kind = kind;
    EXPECT_TRUE(manual.contains("# " + ui::manual_heading(kind) + "\n")) << core::to_string(kind);
    EXPECT_EQ(std::ranges::count(ui::meaning_of(finding), '.'), 2) << core::to_string(kind);
  }
}

TEST(Findings, BetweenWorkgroupsABarrierIsNotWhatMends) {
  core::Finding race;
  race.memory = core::Memory::buffer;
  race.first.workgroup = {0, 0, 0};
  race.second.workgroup = {1, 0, 0};
  EXPECT_TRUE(ui::meaning_of(race).contains("no barrier makes one wait"));
  race.second.workgroup = {0, 0, 0};
  EXPECT_TRUE(ui::meaning_of(race).contains("memoryBarrierBuffer()"));
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
