// The tile view: its story, its ways through the moments, and what a click chooses.
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/picking.h"
#include "ui/traces.h"
#include "ui/views/tile/tile_cache.h"
#include "ui/views/tile/tile_layout.h"
#include "ui/views/tile/tile_state.h"
#include "ui/views/tile/trace_story.h"
#include "ui/widgets/step_buttons.h"

namespace {

core::Finding finding_at(std::uint32_t line, core::FindingKind kind) {
  core::Finding f;
  f.kind = kind;
  f.line = line;
  f.workgroup = {3, 2, 0};
  return f;
}

// Invocation 1 reads x[2] at line 20, which is outside; 0 writes x[1] at line 17.
std::shared_ptr<const core::Trace> outside_trace() {
  auto trace = std::make_shared<core::Trace>(*tests::two_cells_trace());
  trace->outside.push_back(trace->accesses.back());
  trace->outside.back().offset = 8;
  trace->accesses.pop_back();
  trace->phases.back().last = trace->accesses.size();
  return trace;
}

TEST(TraceStory, AFindingHasAPhaseAMomentAndAnInvocation) {
  ui::TraceStory story(tests::two_cells_trace());
  core::Finding f = finding_at(20, core::FindingKind::uninitialized);
  f.variable = "x";
  f.index = {0};
  f.first.invocation = {1, 0, 0};
  const auto place = story.place_of(f);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->invocation, 1U);
  ASSERT_TRUE(place->access);
  EXPECT_EQ(story.trace().accesses[*place->access].invocation, 1U);
  EXPECT_GT(place->moment, 0U);
  f.workgroup = {0, 0, 0};
  EXPECT_FALSE(story.place_of(f)) << "of another workgroup";
  f = finding_at(17, core::FindingKind::race);
  EXPECT_FALSE(story.place_of(f)) << "races have two sides";
}

TEST(TraceStory, AnIndexOutsideIsFoundThoughItTouchesNoElement) {
  ui::TraceStory story(outside_trace());
  core::Finding f = finding_at(20, core::FindingKind::out_of_bounds);
  f.first.invocation = {1, 0, 0};
  const auto place = story.place_of(f);
  ASSERT_TRUE(place);
  EXPECT_TRUE(place->outside);
  EXPECT_EQ(place->invocation, 1U);
}

TEST(TraceStory, PhasesAreNamedAndCountTheirTurns) {
  const ui::TraceStory story(tests::matmul_trace(4, 3));
  const auto& phases = story.phases();
  ASSERT_EQ(phases.size(), 7U);
  EXPECT_EQ(phases[0].name, "load");
  EXPECT_EQ(phases[1].name, "compute");
  EXPECT_EQ(phases[3].turn, 1U);
  EXPECT_EQ(phases[3].turns, 3U);
  EXPECT_EQ(phases[6].name, "store");
  EXPECT_EQ(story.telling_phase(), 1U);
}

// As the source's legend has them, where atomics read and write, too.
TEST(TraceStory, PhasesWithAtomicsAreNamedAsTheTextsAre) {
  core::Trace trace;
  trace.local_size = {1, 1, 1};
  trace.subgroup = trace.lane = {0};
  const auto add = [&trace](core::MemoryKind memory, core::Access access, bool writes) {
    core::TracedVariable variable;
    variable.memory = memory;
    variable.bytes = 4;
    trace.variables.push_back(variable);
    const auto site = static_cast<std::uint32_t>(trace.sites.size());
    trace.sites.push_back({.variable = site, .access = access, .writes = writes});
    core::TracedAccess touched;
    touched.site = site;
    touched.phase = static_cast<std::uint32_t>(trace.phases.size() - 1);
    trace.accesses.push_back(touched);
    trace.phases.back().last = trace.accesses.size();
  };
  using enum core::MemoryKind;
  const auto phase = [&trace] {
    trace.phases.push_back({.first = trace.accesses.size(), .last = trace.accesses.size()});
  };
  phase();
  add(global, core::Access::read, false);
  add(shared, core::Access::atomic, true);
  phase();
  add(shared, core::Access::read, false);
  add(global, core::Access::atomic, true);
  phase();
  add(global, core::Access::read, false);
  phase();
  const ui::TraceStory story(std::make_shared<const core::Trace>(trace));
  ASSERT_EQ(story.phases().size(), 4U);
  EXPECT_EQ(story.phases()[0].name, "read and write");
  EXPECT_EQ(story.phases()[1].name, "compute");
  EXPECT_EQ(story.phases()[2].name, "read");
  EXPECT_EQ(story.phases()[3].name, "empty");
}

TEST(TraceStory, AMomentIsOneAccessOfEachInvocation) {
  ui::TraceStory story(tests::matmul_trace(4, 2));
  EXPECT_EQ(story.moments(1), 8U);
  const ui::Moment& m = story.at(1, 3);  // the second k, reading tile_a
  ASSERT_EQ(m.touches.size(), 16U);
  for (const ui::Touch& t : m.touches) {
    EXPECT_EQ(t.element, t.invocation / 4 * 4 + 1);
  }
  EXPECT_EQ(m.counts[3][1].reads, 4U);
  EXPECT_EQ(m.counts[3][0].reads, 0U);
}

TEST(TraceStory, SharedMemoryHoldsWhatWasWritten) {
  ui::TraceStory story(tests::matmul_trace(4, 2));
  EXPECT_EQ(story.at(0, 1).memory[3][0].bytes, 0U) << "nothing is written at the first moment";
  EXPECT_EQ(story.at(0, 2).memory[3][5].bytes, 4U);
  EXPECT_EQ(story.at(0, 2).memory[4][5].bytes, 0U);
  const auto first = story.at(1, 0).memory[3][5].bits;
  const auto second = story.at(3, 0).memory[3][5].bits;
  EXPECT_NE(first, second) << "the next turn loads another tile";
  EXPECT_EQ(story.at(1, 0).memory[3][5].bits, first) << "and back again";
}

TEST(TraceStory, InvocationsThatSkipSomethingStayInStep) {
  auto trace = *tests::matmul_trace(4, 1);
  // Invocation 3 does not read `a`: its moments are one earlier.
  std::erase_if(trace.accesses,
                [](const core::TracedAccess& a) { return a.invocation == 3 && a.site == 0; });
  trace.phases[0].last -= 1;
  for (std::size_t p = 1; p < trace.phases.size(); ++p) {
    trace.phases[p].first -= 1;
    trace.phases[p].last -= 1;
  }
  ui::TraceStory story(std::make_shared<const core::Trace>(trace));
  EXPECT_EQ(story.moments(0), 4U);
  EXPECT_EQ(story.at(0, 1).touches.size(), 15U);
  EXPECT_EQ(story.at(0, 2).touches.size(), 16U);
}

TEST(TraceStory, NamesAreAsInTheSource) {
  const auto trace = tests::transpose_trace();
  EXPECT_EQ(ui::element_name(trace->variables[2], 34), "tile[1][1]");
  EXPECT_EQ(ui::invocation_name(*trace, 33), "(1, 1)");
  EXPECT_EQ(ui::invocation_name(*tests::nbody_trace(64), 33), "33");
}

// An app that looks into a workgroup.
class TileViewTest : public testing::Test {
 protected:
  explicit TileViewTest(bool first_barrier = true)
      : result_(tests::result_of("matmul/tiled", {64, 64, 64}, 8)), stage_(scene()) {
    result_.trace = tests::matmul_trace(8, 3, first_barrier);
    stage_.draw(result_);
  }
  core::Scene scene() const {
    core::Scene scene;
    scene.experiment = result_.experiment;
    scene.view.name = "tile";
    return scene;
  }
  const core::View& view() { return stage_.app().view(); }
  ui::TileState& tile() { return stage_.app().state().of<ui::TileState>(); }
  void press(const ui::KeyPress& key) {
    stage_.app().press(key);
    stage_.draw(result_);
  }
  // Where a text was put, in the last frame.
  std::optional<ui::Rect> find(const std::string& text) const {
    for (const auto& entry : stage_.trace().entries) {
      if (entry.text.find(text) != std::string::npos) {
        return entry.rect;
      }
    }
    return std::nullopt;
  }
  void point_at(glm::vec2 at) {
    ImGui::GetIO().MousePos = ui::im(at);
    stage_.draw(result_);
    stage_.draw(result_);
  }
  void click(glm::vec2 at) {
    point_at(at);
    ImGui::GetIO().MouseDown[0] = true;
    stage_.draw(result_);
    ImGui::GetIO().MouseDown[0] = false;
    stage_.draw(result_);
    stage_.draw(result_);
  }

  core::Result result_;
  tests::Stage stage_;
};

class TileViewRaceTest : public TileViewTest {
 protected:
  TileViewRaceTest() : TileViewTest(false) {}
  // Where a caption stands without a race's arrows, for which it may step aside.
  std::optional<ui::Rect> unmoved(const std::string& caption) {
    tile().choose(0, {}, -1);
    stage_.draw(result_);
    const auto found = find(caption);
    tile().choose(ui::TileState::kExample, {}, -1);
    stage_.draw(result_);
    return found;
  }
};

TEST_F(TileViewTest, AsksForTheWorkgroupThatIsPointedAt) {
  EXPECT_EQ(stage_.draw(result_).trace, 0U);
  stage_.app().state().view.tile = 9;
  EXPECT_EQ(stage_.draw(result_).trace, 9U);
  stage_.app().state().view.name = "grid";
  EXPECT_FALSE(stage_.draw(result_).trace);
}

TEST_F(TileViewTest, KeysGoFromMomentToMomentAndFromPhaseToPhase) {
  EXPECT_TRUE(find("phase 2 of 7: compute")) << "it opens where shared memory is used";
  press(ui::letter('l'));
  EXPECT_EQ(tile().phase, 2U);
  EXPECT_EQ(tile().moment, 1U);
  press(ui::letter('j'));
  EXPECT_EQ(tile().phase, 1U);
  EXPECT_EQ(tile().moment, 4U) << "the last of the phase before";
  press(ui::letter('L'));
  press(ui::letter('L'));
  EXPECT_EQ(tile().phase, 3U);
  for (int i = 0; i < 30; ++i) {
    press(ui::letter('L'));
  }
  EXPECT_EQ(tile().phase, 7U);
  press(ui::letter('l'));
  press(ui::letter('l'));
  EXPECT_EQ(tile().phase, 7U) << "there is nothing behind the last moment";
}

TEST_F(TileViewTest, PlayingGoesOnToTheEndAndStops) {
  press(ui::letter('L'));
  stage_.app().state().of<ui::TileState>().phase = 7;
  press(ui::letter('k'));
  for (int i = 0; i < 200; ++i) {
    stage_.draw(result_);
  }
  EXPECT_EQ(tile().moment, 1U);
  EXPECT_FALSE(stage_.app().state().of<ui::StepState>().playing);
}

TEST_F(TileViewTest, EnterGoesToTheGridAndBack) {
  press({ui::Key::enter});
  EXPECT_EQ(view().name, "grid");
  press({ui::Key::enter});
  EXPECT_EQ(view().name, "tile");
}

TEST_F(TileViewTest, ADoubleClickInTheGridLooksIntoTheTile) {
  stage_.app().state().view.name = "grid";
  stage_.draw(result_);
  const glm::vec2 inside{690.0F, 360.0F};  // C, to the right below the middle
  point_at(inside - 3.0F);                 // only a mouse that moves points at tiles
  click(inside);
  EXPECT_EQ(view().name, "grid");
  click(inside);
  EXPECT_EQ(view().name, "tile");
  EXPECT_GE(view().tile, 0);
}

// Beside the pointer stands a name; who touches it would be the answer.
TEST_F(TileViewTest, WhoIsAskedForAClickIsToldNamesAlone) {
  const auto caption = find("tile_a");
  ASSERT_TRUE(caption);
  const glm::vec2 first = caption->low + glm::vec2(8.0F, caption->height() + 14.0F);
  point_at(first);
  EXPECT_TRUE(find("tile_a[0][0]"));
  stage_.app().state().of<ui::Picking>().wanted = core::clicked_on("read-by 5,2 tile_a");
  tile().choose_nobody();
  point_at(first + 1.0F);
  EXPECT_FALSE(find("tile_a[0][0]"));
  EXPECT_TRUE(find("accesses in this phase"));
  EXPECT_FALSE(find("to see only its")) << "clicks are answers";
}

TEST_F(TileViewTest, AClickChoosesAnInvocationAndLetsItGo) {
  const auto caption = find("invocations");
  ASSERT_TRUE(caption);
  const glm::vec2 first = caption->low + glm::vec2(8.0F, caption->height() + 14.0F);
  click(first);
  EXPECT_EQ(tile().invocation, 0);
  EXPECT_TRUE(find("Invocation (0, 0) makes 16 accesses"));
  click(first);
  EXPECT_EQ(tile().invocation, ui::TileState::kNobody);
}

TEST_F(TileViewTest, AClickOnACellTellsWhoTouchesIt) {
  const auto caption = find("tile_a");
  ASSERT_TRUE(caption);
  click(caption->low + glm::vec2(8.0F, caption->height() + 14.0F));
  EXPECT_EQ(tile().variable, "tile_a");
  EXPECT_EQ(tile().cell, 0);
  EXPECT_TRUE(find("read 8 times in this phase"));
  const auto saved = stage_.app().scene({result_, tests::catalogue(), {}});
  EXPECT_EQ(saved.view.settings.at("cell"), core::ViewSetting(std::int64_t{0}))
      << "the scene holds what is chosen";
}

TEST_F(TileViewTest, AnotherKernelForgetsPhaseAndCell) {
  stage_.app().state().of<ui::TileState>().phase = 3;
  stage_.app().state().of<ui::TileState>().cell = 5;
  press({ui::Key::tab, 0, false});
  EXPECT_EQ(tile().phase, 0U);
  EXPECT_EQ(tile().cell, -1);
  EXPECT_EQ(view().name, "tile");
}

TEST_F(TileViewTest, LinesOfTheMomentAreLit) {
  ASSERT_FALSE(stage_.app().state().lit_lines.empty());
  for (const core::SourcePlace& at : stage_.app().state().lit_lines) {
    EXPECT_EQ(at.line, 12U);
  }
}

// Eight reads of one cell, and no line for each: "tile_a[0][0]", not "tile_a[0][0] … [0][0]".
TEST_F(TileViewTest, ARangeOfOneIsACell) {
  auto trace = *result_.trace;
  for (core::TracedAccess& access : trace.accesses) {
    if (trace.variables[trace.sites[access.site].variable].name == "tile_a" &&
        !trace.sites[access.site].writes) {
      access.offset = 0;
    }
  }
  result_.trace = std::make_shared<const core::Trace>(trace);
  tile().choose(9, {}, -1);
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_TRUE(find("8 times"));
  EXPECT_TRUE(find("tile_a[0][0]"));
  EXPECT_FALSE(find("tile_a[0][0] …"));
  EXPECT_TRUE(find("tile_b[0][1] … [7][1]"));
}

// Of 128 rows and 16 columns: upright, however small; a list of as many is folded.
TEST_F(TileViewTest, ASlimMatrixKeepsItsShape) {
  auto trace = *result_.trace;
  trace.variables[1].bytes = 128 * 16 * 4;
  trace.variables[1].dimensions = {128 * 16};
  for (core::TracedAccess& access : trace.accesses) {
    access.offset %= trace.variables[trace.sites[access.site].variable].bytes;
  }
  trace.variables[1].binding = 1;
  result_.trace = std::make_shared<const core::Trace>(trace);
  result_.buffers[1].rows = 128;
  result_.buffers[1].columns = 16;
  stage_.app().settle(true);
  stage_.draw(result_);
  const auto& plates = stage_.app().state().of<ui::TileCache>().plates;
  ASSERT_EQ(plates.size(), 3U);
  EXPECT_EQ(plates[1].shape, "128 × 16");
  EXPECT_EQ(plates[1].block.columns, 16U);
}

TEST_F(TileViewTest, WithoutATraceItSaysWhatComes) {
  result_.trace = nullptr;
  stage_.draw(result_);
  EXPECT_TRUE(find("Tracing all reads and writes of workgroup (0, 0)"));
}

// It must not be taken for all that there is, and nothing of the rest lies over other things.
TEST_F(TileViewTest, AnArrayThatIsNotSeenWholeSaysSo) {
  EXPECT_FALSE(find(" of 8 columns"));
  const auto beyond = [] {
    return tests::draws(ui::make_theme(true, 1.0F, {}).colours.accent,
                        {{2000.0F, -1e5F}, {1e5F, 1e5F}});
  };
  auto& picking = stage_.app().state().of<ui::Picking>();
  picking.wanted = core::ClickedOn{};
  picking.wanted->what = core::ClickedOn::What::cells;
  picking.wanted->array = "tile_b";
  picking.wanted->about = 63;
  tile().zoom = 6.0F;
  tile().centre = {0.2F, 0.4F};
  stage_.draw(result_);
  EXPECT_FALSE(beyond());
  bool told = false;
  tile().zoom = 3.0F;
  for (const float y : {0.1F, 0.2F, 0.3F, 0.4F}) {  // captions come into sight with the first row
    for (const float x : {0.1F, 0.2F, 0.3F, 0.5F, 0.7F, 0.9F}) {
      tile().centre = {x, y};
      stage_.draw(result_);
      told = told || find(" of 8 columns") || find(" of 8 rows");
    }
  }
  EXPECT_TRUE(told);
}

// On a projector there is room for some of the marks' meanings only.
TEST_F(TileViewTest, WhatInvocationsAreDrawnInIsSaidFirst) {
  core::Scene large = scene();
  large.view.width = 1280;
  large.view.height = 720;
  large.view.scale = 2.0F;
  tests::Stage stage(large);
  stage.draw(result_);
  stage.draw(result_);
  stage.app().state().of<ui::TileState>().phase = 1;  // reads global memory, writes shared
  stage.draw(result_);
  const auto& all = stage.trace().entries;
  const auto shared = std::ranges::find(all, "shared", &ui::TextTrace::Entry::text);
  ASSERT_NE(shared, all.end());
  EXPECT_TRUE(std::ranges::any_of(all, [&](const ui::TextTrace::Entry& e) {
    return e.text.starts_with("global") && e.rect.low.y == shared->rect.low.y;
  }));
}

TEST_F(TileViewRaceTest, ARaceIsASentence) {
  EXPECT_TRUE(find("race: invocation"));
  const auto caption = unmoved("tile_a");
  ASSERT_TRUE(caption);
  point_at(caption->low + glm::vec2(8.0F, caption->height() + 14.0F));
  EXPECT_TRUE(find("RAW race: invocation (0, 0) writes tile_a[0][0]")) << "as RAW is read";
}

// Of two by two invocations, where one stands between another and the cell that both touch.
TEST_F(TileViewRaceTest, BothSidesAreNamedAndNoArrowStrikesThroughACell) {
  result_.trace = tests::matmul_trace(2, 2, false);
  stage_.app().settle(true);
  stage_.draw(result_);
  stage_.draw(result_);
  const auto label = [](const auto& e) {
    return e.text == "(0, 0) reads" || e.text == "(1, 0) writes";
  };
  EXPECT_EQ(std::ranges::count_if(stage_.trace().entries, label), 2);
  const auto caption = unmoved("invocations");
  ASSERT_TRUE(caption);
  const float line = caption->height();
  const glm::vec2 low = glm::vec2(caption->low.x, caption->high.y) + 0.6F * line;
  EXPECT_FALSE(tests::draws(ui::make_theme(true, 1.0F, {}).colours.race, {low, low + 2.5F * line}))
      << "inside of (0, 0)";
}

// Behind a question that shows nothing, another trace may lie where one lay before.
TEST(TileViews, AnotherTraceIsNotTakenForTheOneThatWasThere) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  core::Trace place = *tests::matmul_trace(8, 3);
  const auto here = [&place] { return std::shared_ptr<const core::Trace>(&place, [](auto*) {}); };
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.name = "tile";
  tests::Stage stage(scene);
  const auto draw = [&] {
    stage.app().settle(true);
    stage.draw(result);
    stage.draw(result);
  };
  result.trace = here();
  draw();
  EXPECT_FALSE(tests::shows(stage.trace(), "position"));
  result.trace = nullptr;
  draw();
  place = *tests::nbody_trace(64);
  result.trace = here();
  draw();
  EXPECT_TRUE(tests::shows(stage.trace(), "position")) << "the maps are those of its buffers";
}

// Of two cells one is written and one is read: which is which matters.
TEST_F(TileViewTest, FewCellsAreToldByName) {
  result_.trace = tests::two_cells_trace();
  stage_.app().settle(true);
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_TRUE(find("[1] written, [0] read"));
}

TEST_F(TileViewTest, AListSaysWhetherElementsAreReadAgain) {
  press(ui::letter('l'));
  stage_.app().state().of<ui::TileState>().moment = 0;
  stage_.draw(result_);
  EXPECT_TRUE(find("once each")) << "a row of tile_a, each element of it";
}

// The arc leaves the left one of two invocations, whose caption or note stands where it does.
TEST_F(TileViewRaceTest, NoArrowStrikesThroughWords) {
  const ui::Colour race = ui::make_theme(true, 1.0F, {}).colours.race;
  for (const bool written_first : {false, true}) {
    result_.trace = tests::shared_cell_trace(written_first);
    stage_.app().settle(true);
    stage_.draw(result_);
    stage_.draw(result_);
    EXPECT_TRUE(find("(0) writes")) << written_first;
    for (const char* words : {"invocations", "all 2 active", "written", "float"}) {
      const auto at = find(words);
      ASSERT_TRUE(at) << words;
      EXPECT_FALSE(tests::draws(race, *at)) << words;
    }
  }
}

// Of invocations in one line "0 reads" would be taken for a count; and no label is read on from a
// caption.
TEST_F(TileViewRaceTest, LabelsNameInvocationsAndKeepADistance) {
  auto line_up = *tests::matmul_trace(2, 2, false);
  line_up.local_size = {4, 1, 1};
  result_.trace = std::make_shared<const core::Trace>(std::move(line_up));
  stage_.app().settle(true);
  stage_.draw(result_);
  stage_.draw(result_);
  const auto is_label = [](const ui::TextTrace::Entry& e) {
    return e.text == "invocation 0 reads" || e.text == "(0) reads" ||
           e.text == "invocation 1 writes" || e.text == "(1) writes";
  };
  const auto& all = stage_.trace().entries;
  EXPECT_EQ(std::ranges::count_if(all, is_label), 2);
  const auto in_full = [&](const auto& e) {
    return is_label(e) && e.text.starts_with("invocation");
  };
  EXPECT_NE(std::ranges::count_if(all, in_full), 1) << "both in the same words";
  for (const auto& label : all) {
    EXPECT_NE(label.text, "0 reads");
    EXPECT_NE(label.text, "1 writes");
    if (!is_label(label)) {
      continue;
    }
    const ui::Rect around = label.rect.inset(-0.45F * label.rect.height(), 0.0F);
    for (const auto& other : all) {
      const bool word = other.text.ends_with(" active") || other.text == "invocations" ||
                        (is_label(other) && &other != &label);
      EXPECT_FALSE(word && other.rect.overlaps(around)) << label.text << " and " << other.text;
    }
  }
}

TEST_F(TileViewRaceTest, AKeyGoesFromRaceToRace) {
  press(ui::letter('x'));
  EXPECT_EQ(tile().cell, 0);
  press(ui::letter('x'));
  EXPECT_EQ(tile().cell, 1);
  press(ui::letter('X'));
  press(ui::letter('X'));
  EXPECT_EQ(tile().variable, "tile_b") << "round to the last one";
}

// Of the trace's own workgroup, in its first phase; `reader` is not the one that stands nearest.
core::Finding race_of(const std::string& variable, std::vector<std::uint32_t> index,
                      std::array<std::uint32_t, 3> reader) {
  core::Finding finding;
  finding.variable = variable;
  finding.index = std::move(index);
  finding.workgroup = {3, 2, 0};
  finding.count = 64;
  finding.first = {11, {}, {finding.index[1], finding.index[0], 0}, core::Access::write};
  finding.second = {12, {}, reader, core::Access::read};
  return finding;
}

TEST_F(TileViewRaceTest, AFindingsCardAndTheViewTellOfTheSameTwo) {
  tests::add_races(result_);
  core::CheckReport report = *result_.races;
  report.findings = {race_of("tile_a", {5, 2}, {6, 5, 0}), race_of("tile_b", {1, 6}, {6, 4, 0})};
  result_.races = std::make_shared<const core::CheckReport>(report);
  stage_.draw(result_);
  EXPECT_TRUE(find("race: invocation (2, 5) writes tile_a[5][2] (line 11)"))
      << "the first in the list, where none was chosen";
  press(ui::letter('L'));  // to another phase, and to a cell in it
  press(ui::letter('x'));
  ASSERT_FALSE(find("race: invocation (6, 1) writes"));
  press(ui::letter('c'));
  press(ui::letter('c'));
  stage_.draw(result_);
  ASSERT_EQ(view().finding, 1);
  EXPECT_TRUE(find("(6,4,0)")) << "the card";
  EXPECT_TRUE(find("race: invocation (6, 1) writes tile_b[1][6] (line 11)"));
  EXPECT_TRUE(find("phase 1 of"));
}

// Small ones in a corner, side by side, as most races have them on a projector.
TEST_F(TileViewRaceTest, BothSidesOfNeighboursAreNamedAtScaleTwo) {
  core::Scene large = scene();
  large.view.width = 1280;
  large.view.height = 740;
  large.view.scale = 2.0F;
  tests::add_races(result_);
  core::CheckReport report = *result_.races;
  report.findings = {race_of("tile_a", {0, 0}, {1, 0, 0})};
  result_.races = std::make_shared<const core::CheckReport>(report);
  tests::Stage stage(large);
  stage.draw(result_);
  stage.app().settle(true);
  stage.draw(result_);
  stage.draw(result_);
  for (const char* label : {"(0, 0) writes", "(1, 0) reads"}) {
    EXPECT_TRUE(tests::shows(stage.trace(), label)) << label;
  }
}

TEST(CellBlocks, AreRowsOfTheInnermostDimension) {
  const auto blocks = ui::cell_blocks(*tests::transpose_trace());
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_TRUE(blocks[0].invocations);
  EXPECT_EQ(blocks[0].columns, 32U);
  EXPECT_EQ(blocks[1].columns, 33U);
  EXPECT_EQ(blocks[1].rows(), 32U);
}

TEST(CellBlocks, LinesAreWrapped) {
  for (const std::uint32_t size : {64U, 256U, 1024U}) {
    const auto blocks = ui::cell_blocks(*tests::nbody_trace(size));
    for (const ui::CellBlock& block : blocks) {
      EXPECT_TRUE(block.wrapped);
      EXPECT_LE(block.columns, 32U);
      EXPECT_LE(block.rows(), 32U);
      EXPECT_EQ(std::uint64_t{block.columns} * block.rows(), size);
    }
  }
}

TEST(CellBlocks, StandInTheRoomAndApart) {
  for (const glm::vec2 size : {glm::vec2(300, 120), {800, 260}, {1400, 800}, {400, 900}}) {
    auto blocks = ui::cell_blocks(*tests::matmul_trace(16, 1));
    const ui::Rect room{{10, 20}, glm::vec2(10, 20) + size};
    ui::place_blocks(blocks, room, {20, 20, 16, 40, 64});
    for (const ui::CellBlock& a : blocks) {
      EXPECT_TRUE(room.inset(-1, -1).contains(a.slot));
      EXPECT_EQ(a.cell_at(a.cell(37).centre()), 37U);
      for (const ui::CellBlock& b : blocks) {
        EXPECT_TRUE(&a == &b || !a.slot.overlaps(b.slot));
      }
    }
  }
}

// As wide as three captions that are given all of the room; some of those sums are a bit wider.
TEST(CellBlocks, CaptionsThatFillTheRoomLeaveCellsTheirs) {
  for (float width = 300.0F; width < 900.0F; width += 0.37F) {
    auto blocks = ui::cell_blocks(*tests::matmul_trace(16, 1));
    const float fair = (width + 37.3F) / 3.0F - 37.3F;
    ui::place_blocks(blocks, {{0, 0}, {width, 90}}, {20, 20, 37.3F, fair, 64});
    ASSERT_GT(blocks.front().cell_size().y, 1.0F) << width;
  }
}

// 16 rows of 33 vectors of four are no thin strip where there is room above and below.
TEST(CellBlocks, WideArraysAreDrawnHigherWhereThereIsRoom) {
  core::Trace trace = *tests::matmul_trace(16, 1);
  for (core::TracedVariable& variable : trace.variables) {
    if (variable.memory == core::MemoryKind::shared) {
      variable.dimensions = {16, 33};
      variable.bytes = 16 * 33 * 16;
      variable.scalar_bytes = 4;
    }
  }
  for (const float height : {60.0F, 90.0F, 400.0F}) {
    auto blocks = ui::cell_blocks(trace);
    ui::place_blocks(blocks, {{0, 0}, {500, height}}, {20, 20, 16, 40, 64});
    const glm::vec2 cell = blocks.front().cell_size();
    const glm::vec2 square = blocks[1].cell_size();
    ASSERT_TRUE(blocks[1].invocations);
    EXPECT_FLOAT_EQ(square.x, square.y);
    EXPECT_FLOAT_EQ(cell.x, 2.0F * square.x) << "of four floats each";
    EXPECT_LE(blocks.front().slot.high.y, height + 1.0F);
    EXPECT_LE(blocks.front().area.height(), blocks.front().area.width());
    EXPECT_EQ(cell.y > square.y, height > 100.0F) << height;
  }
}

// Links between two invocations and what stands beside them cross neither.
TEST(CellBlocks, FewInvocationsStandBelowEachOther) {
  auto blocks = ui::cell_blocks(*tests::shared_cell_trace(true));
  ui::place_blocks(blocks, {{0, 0}, {400, 200}}, {20, 20, 16, 40, 64});
  ASSERT_TRUE(blocks[0].invocations);
  EXPECT_EQ(blocks[0].columns, 1U);
  EXPECT_LE(blocks[0].cell(0).high.y, blocks[0].cell(1).low.y);
  EXPECT_FLOAT_EQ(blocks[1].area.height(), blocks[0].area.height()) << "as high as both";
  EXPECT_FLOAT_EQ(blocks[1].area.width(), 2.0F * blocks[0].area.width());
}

TEST(CellBlocks, ShortLinesAreFoldedOnceMoreWhereThatMakesCellsLarger) {
  const auto columns = [](glm::vec2 room) {
    auto blocks = ui::cell_blocks(*tests::nbody_trace(64));
    ui::place_blocks(blocks, {{0, 0}, room}, {20, 20, 16, 40, 64});
    EXPECT_EQ(blocks[0].columns, blocks[1].columns) << "cells stand where invocations do";
    return blocks[0].columns;
  };
  EXPECT_EQ(columns({400, 200}), 8U);
  EXPECT_EQ(columns({800, 90}), 16U);
}

// A stencil's tile is as much wider as it is higher than its workgroup; padding is not.
TEST(CellBlocks, HalosAreKnownByTheWorkgroup) {
  core::Trace trace = *tests::matmul_trace(16, 1);
  const auto halo = [&](std::uint32_t rows, std::uint32_t columns) {
    for (core::TracedVariable& variable : trace.variables) {
      if (variable.memory == core::MemoryKind::shared) {
        variable.dimensions = {rows, columns};
        variable.bytes = std::uint64_t{rows} * columns * 4;
      }
    }
    return ui::cell_blocks(trace).front().halo;
  };
  EXPECT_EQ(halo(20, 20), 2U);
  EXPECT_EQ(halo(18, 18), 1U);
  for (const auto& [rows, columns] : {std::pair(16U, 16U),
                                      {16U, 17U},
                                      {17U, 17U},
                                      {18U, 20U},
                                      {16U, 18U},
                                      {14U, 14U},
                                      {14U, 18U}}) {
    EXPECT_EQ(halo(rows, columns), 0U) << rows << " x " << columns;
  }
  trace.local_size = {16, 8, 1};
  EXPECT_EQ(halo(12, 20), 2U);
  auto blocks = ui::cell_blocks(trace);
  ui::place_blocks(blocks, {{0, 0}, {600, 300}}, {20, 20, 16, 40, 64});
  EXPECT_FLOAT_EQ(blocks.front().inner().width(), 16.0F * blocks.front().cell_size().x);
  EXPECT_FLOAT_EQ(blocks.front().inner().height(), 8.0F * blocks.front().cell_size().y);
  trace.local_size = {16, 1, 1};
  EXPECT_EQ(halo(5, 20), 0U) << "a row of invocations";
}

// Beside arrays of long rows cells are small; who touches them is drawn larger.
TEST(CellBlocks, SmallInvocationsAreDrawnLargerWhereThereIsRoom) {
  core::Trace trace = *tests::matmul_trace(16, 1);
  for (core::TracedVariable& variable : trace.variables) {
    if (variable.memory == core::MemoryKind::shared) {
      variable.dimensions = {16, 64};
      variable.bytes = 16 * 64 * 16;
    }
  }
  const auto cell = [&](float readable, glm::vec2 room) {
    auto blocks = ui::cell_blocks(trace);
    ui::place_blocks(blocks, {{0, 0}, room}, {20, 20, 16, 100, 64, readable});
    EXPECT_TRUE(blocks[1].invocations);
    EXPECT_TRUE(blocks[1].slot.contains(blocks[1].area));
    return blocks[1].cell_size().x;
  };
  const glm::vec2 room{500, 400};
  const float small = cell(0.0F, room);
  EXPECT_LT(small, 4.0F);
  EXPECT_FLOAT_EQ(cell(5.0F, room), 2.0F * small);
  EXPECT_FLOAT_EQ(cell(3.0F * small, {500, 380}), 2.0F * small) << "three times has no room";
  EXPECT_FLOAT_EQ(cell(5.0F, {4000, 800}), cell(0.0F, {4000, 800})) << "large enough";
}

TEST(CellRuns, RowsAndColumnsAreOneRectangleEach) {
  ui::CellBlock block;
  block.count = 64;
  block.columns = 8;
  const std::vector<std::uint64_t> row{16, 17, 18, 19, 20, 21, 22, 23};
  EXPECT_EQ(ui::runs_of(block, row), (std::vector<ui::CellRun>{{2, 0, 1, 8}}));
  const std::vector<std::uint64_t> column{3, 11, 19, 27, 35, 43, 51, 59};
  EXPECT_EQ(ui::runs_of(block, column), (std::vector<ui::CellRun>{{0, 3, 8, 1}}));
  const std::vector<std::uint64_t> two{0, 1, 8, 9, 30};
  EXPECT_EQ(ui::runs_of(block, two), (std::vector<ui::CellRun>{{0, 0, 2, 2}, {3, 6, 1, 1}}));
}

}  // namespace
