// A lesson over the view: it asks before it shows, and answers with what the run says.
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/editor/editor.h"
#include "ui/fixture.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/panels/panel_sizes.h"
#include "ui/picking.h"
#include "ui/presenter/presenter.h"
#include "ui/traces.h"
#include "ui/views/tile/tile_state.h"

namespace {

core::Lesson lesson() {
  core::LessonStep first;
  first.text = "This is tiled multiplication.";
  first.experiment = {.variant = "matmul/tiled", .size = {64, 48, 80}, .tile = 16};
  core::LessonStep question = first;
  question.text = "What happens without barrier 1?";
  question.experiment.barriers = {{1, core::BarrierKind::off}};
  question.fact = "verdict";
  question.choices = {"nothing at all", "a race"};
  question.means = {{"clean", 1}, {"racy", 2}};
  question.told = "It was lucky.";
  return {.name = "l", .title = "Barriers", .about = "", .steps = {first, question}};
}

class LessonTest : public testing::Test {
 protected:
  LessonTest() : result_(tests::result_of("matmul/tiled", {64, 48, 80}, 16)), stage_(scene()) {
    state().lessons = {lesson()};
    stage_.draw(result_);
  }
  core::Scene scene() const {
    core::Scene scene;
    scene.experiment = result_.experiment;
    return scene;
  }
  // As on a projector.
  core::Scene large_letters() const {
    core::Scene large = scene();
    large.view.height = 720;
    large.view.scale = 2.0F;
    return large;
  }
  // Of a long text with barriers in these lines.
  core::Result with_barriers(const std::vector<std::uint32_t>& lines) const {
    std::string text;
    core::KernelFacts facts;
    for (std::uint32_t line = 1; line <= 200; ++line) {
      const bool waits = std::ranges::find(lines, line) != lines.end();
      text += waits ? "barrier();\n" : "x = " + std::to_string(line) + ";\n";
    }
    for (const std::uint32_t line : lines) {
      facts.barriers.push_back({.at = {line, 1, ""}});
    }
    core::Result result = result_;
    result.facts = std::make_shared<const core::KernelFacts>(facts);
    result.variant.source = text;
    result.launches.clear();
    return result;
  }
  ui::Requests press(char32_t key) {
    stage_.app().press(ui::letter(key));
    return stage_.draw(result_);
  }
  ui::LessonState& state() { return stage_.app().state().of<ui::LessonState>(); }
  bool says(const std::string& part) { return tests::shows(stage_.trace(), part); }

  core::Result result_;
  tests::Stage stage_;
};

TEST_F(LessonTest, ItAsksBeforeItShowsAndTheRunAnswers) {
  press(U'N');
  EXPECT_TRUE(says("This is tiled multiplication."));
  EXPECT_TRUE(says("Barriers, 1 of 2"));
  const ui::Requests asked = press(U'N');
  ASSERT_TRUE(asked.experiment) << "what is asked about is run while its reader thinks";
  EXPECT_TRUE(asked.experiment->barriers.contains(1));
  EXPECT_TRUE(says("a race"));
  press(U'N');
  EXPECT_TRUE(state().lesson) << "nobody goes on without an answer";
  state().answer = 1;
  stage_.draw(result_);
  EXPECT_TRUE(says("Running on this device"));
  tests::add_races(result_);
  result_.experiment.barriers = {{1, core::BarrierKind::off}};
  stage_.draw(result_);
  EXPECT_TRUE(says("Not correct. The run shows: a race"));
  EXPECT_TRUE(says("It was lucky."));
  state().answer = 2;
  stage_.draw(result_);
  EXPECT_TRUE(says("Correct"));
  press(U'N');
  EXPECT_FALSE(state().lesson) << "that was its last step";
}

// Digits would switch barriers, and letters views, workloads and devices.
TEST_F(LessonTest, AQuestionHasTheKeyboard) {
  press(U'N');
  press(U'N');
  const std::string view = stage_.app().view().name;
  for (const char32_t key : {U'1', U'2', U'v', U'w', U'd', U'q', U'z'}) {
    const ui::Requests requests = press(key);
    EXPECT_FALSE(requests.experiment || requests.quit) << static_cast<char>(key);
    EXPECT_FALSE(state().answer) << static_cast<char>(key);
  }
  EXPECT_EQ(stage_.app().view().name, view);
  press(U'b');
  EXPECT_EQ(state().answer, 2U);
  EXPECT_TRUE(press(U'q').quit) << "it is answered: keys are keys again";
}

TEST_F(LessonTest, ANumberIsTypedAtOnceAndEnterGivesIt) {
  core::LessonStep& question = state().lessons[0].steps[1];
  question.choices.clear();
  question.means.clear();
  question.fact = "idle";
  press(U'N');
  press(U'N');
  for (const char32_t key : {U'1', U'9', U'x', U'2', U'3'}) {
    EXPECT_FALSE(press(key).experiment);
  }
  stage_.app().press({ui::Key::backspace});
  stage_.draw(result_);
  EXPECT_TRUE(says("192"));
  EXPECT_FALSE(state().answer);
  stage_.app().press({ui::Key::enter});
  stage_.draw(result_);
  EXPECT_EQ(state().answer, 192U);
}

// What is on the screen already stays there, but for the counts that are asked for, by a later step
// too.
TEST_F(LessonTest, WhatIsOnTheScreenDoesNotCountBeforeTheAnswer) {
  core::Lesson idle = lesson();
  core::LessonStep& question = idle.steps[1];
  question.experiment.barriers.clear();
  question.choices.clear();
  question.means.clear();
  question.fact = "idle";
  for (core::LessonStep& step : idle.steps) {
    step.experiment.size = {60, 48, 80};
    step.view = "grid";
  }
  core::Scene wide = scene();
  wide.view.width = 1920;
  wide.view.height = 1080;
  tests::Stage stage(wide);
  auto& lessons = stage.app().state().of<ui::LessonState>();
  lessons.lessons = {idle};
  core::Result result = tests::result_of("matmul/tiled", {60, 48, 80}, 16);
  tests::add_occupancy(result, true);
  result.races = std::make_shared<const core::CheckReport>(core::CheckReport{
      .verdict = core::Verdict::clean, .workgroups = 12, .workgroups_checked = 12});
  const auto shown = [&](const char* words) { return tests::shows(stage.trace(), words); };
  const auto next = [&] {
    stage.app().press(ui::letter('N'));
    stage.draw(result);
    stage.draw(result);
  };
  next();
  EXPECT_TRUE(shown("invocations beyond the edge (Shift+O"));
  EXPECT_FALSE(shown("192 idle")) << "the next step asks for it";
  EXPECT_TRUE(shown("12/12"));
  next();
  ASSERT_FALSE(lessons.sealed());
  EXPECT_TRUE(shown("invocations beyond the edge (Shift+O"));
  EXPECT_TRUE(shown("race-free"));
  for (const char* told : {"192", "of 12", "12/12", "12 workgroups"}) {
    EXPECT_FALSE(shown(told)) << told;
  }
  stage.app().state().view.name = "occupancy";
  stage.draw(result);
  EXPECT_FALSE(shown("Every tile size"));
  lessons.answer = 192;
  stage.draw(result);
  stage.draw(result);
  EXPECT_TRUE(shown("192 invocations beyond the edge, in 3 of 12 tiles"));
  stage.app().state().view.name = "occupancy";
  stage.draw(result);
  EXPECT_TRUE(shown("Every tile size"));
  EXPECT_TRUE(shown("12/12"));
}

// Who is asked about another text reads it, and nothing that a run said of it.
TEST_F(LessonTest, AQuestionShowsItsTextWithoutItsResults) {
  press(U'N');
  press(U'N');
  result_.experiment.barriers = {{1, core::BarrierKind::off}};
  tests::add_races(result_);
  result_.check.done = result_.check.correct = true;
  auto facts = std::make_shared<core::KernelFacts>(*result_.facts);
  facts->divergent.emplace_back();
  result_.facts = facts;
  result_.error = core::Error{.message = "a sentence that tells"};
  stage_.draw(result_);
  EXPECT_TRUE(says("tile_a")) << "the source";
  EXPECT_TRUE(says("results appear after you answer"));
  EXPECT_TRUE(says("hidden"));
  for (const char* told : {"race-free", "correct", "racy", "refused", "not run", "ms", "RAW",
                           "of 12", "matmul/tiled", "claim", "a sentence that tells"}) {
    EXPECT_FALSE(says(told)) << told;
  }
  EXPECT_TRUE(state().sealed());
  state().answer = 2;
  result_.error.reset();
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_FALSE(state().sealed());
  EXPECT_FALSE(says("results appear after you answer"));
  EXPECT_TRUE(says("refused"));
}

// It takes a while to be read, in which the text of the step before would pass for it.
TEST_F(LessonTest, AQuestionNeverShowsAnotherKernelsText) {
  auto& question = state().lessons.front().steps[1].experiment;
  question.variant = "matmul/naive";
  question.barriers.clear();
  press(U'N');
  EXPECT_TRUE(says("tile_a"));
  press(U'N');
  stage_.draw(result_);
  ASSERT_TRUE(state().sealed());
  EXPECT_TRUE(says("Preparing the kernel"));
  for (const char* before : {"tile_a", "The question is about", "you answer"}) {
    EXPECT_FALSE(says(before)) << before;
  }
  result_ = tests::result_of("matmul/naive", {64, 48, 80}, 16);
  stage_.draw(result_);
  EXPECT_FALSE(says("Preparing the kernel"));
  EXPECT_TRUE(says("you answer"));
}

// One step's choices of a view are not the next one's.
TEST_F(LessonTest, WhatALookDoesNotNameIsTheViewsOwnChoice) {
  auto& steps = state().lessons.front().steps;
  steps[0].view = "tile";
  steps[0].look = {{"by_bank", true}};
  steps[1] = steps[0];
  steps[1].look.clear();
  press(U'N');
  auto& tile = stage_.app().state().of<ui::TileState>();
  EXPECT_TRUE(tile.by_bank);
  stage_.app().state().of<ui::PanelSizes>().shares.source = 0.4F;
  press(U'N');
  EXPECT_FALSE(tile.by_bank);
  EXPECT_EQ(stage_.app().state().of<ui::PanelSizes>().shares.source, 0.4F)
      << "that is the reader's";
}

TEST_F(LessonTest, AStepLooksIntoItsOwnWorkgroup) {
  auto& steps = state().lessons.front().steps;
  steps[0].view = "tile";
  steps[0].workgroup = 5;
  steps[1] = steps[0];
  steps[1].workgroup = -1;
  press(U'N');
  EXPECT_EQ(stage_.app().state().view.tile, 5);
  EXPECT_EQ(stage_.draw(result_).trace, 5U);
  press(U'N');
  EXPECT_EQ(stage_.app().state().view.tile, -1) << "one step's is not the next one's";
}

TEST_F(LessonTest, WhichTimesWereComparedIsSaid) {
  auto& steps = state().lessons.front().steps;
  steps[1] = steps[0];
  steps[1].fact = "faster matmul/naive";
  steps[1].choices = {"faster", "slower", "alike"};
  steps[1].means = {{"faster", 1}, {"slower", 2}, {"alike", 3}};
  result_.timing.spread = {.count = 9, .median = 2.0, .p5 = 1.5, .p95 = 2.5};
  core::Rung* naive = &*std::ranges::find(result_.ladder, "matmul/naive", &core::Rung::variant);
  naive->spread = {.count = 9, .median = 8.0, .p5 = 7.0, .p95 = 9.0};
  press(U'N');
  press(U'N');
  EXPECT_FALSE(says("Measured medians")) << "that would answer";
  state().answer = 1;
  stage_.draw(result_);
  EXPECT_TRUE(says("Measured medians"));
  EXPECT_TRUE(says("2.000"));
  EXPECT_TRUE(says("8.000"));
}

core::Catalogue with_text(const std::string& text) {
  const core::Catalogue all = tests::catalogue();
  std::vector<core::Variant> variants(all.all().begin(), all.all().end());
  for (core::Variant& variant : variants) {
    variant.source = variant.id() == "matmul/tiled" ? text : variant.source;
  }
  return {std::move(variants), {all.workloads().begin(), all.workloads().end()}};
}

// What is said of it takes the source's room just then.
TEST_F(LessonTest, WhatWasMendedIsInSight) {
  core::Result result = with_barriers({});
  const std::string given = result.variant.source;
  auto& step = state().lessons.front().steps[0];
  step.mend = true;
  step.solution = {{"x = 150;\n", "x = 150;\nmended = here;\n"}};
  step.told = "This is a sentence that takes some of the room that the source has had.";
  tests::Stage stage(large_letters(), with_text(given));
  auto& lessons = stage.app().state().of<ui::LessonState>();
  lessons.lessons = state().lessons;
  const auto draw = [&] {
    for (int i = 0; i < 3; ++i) {
      stage.draw(result);
    }
  };
  stage.app().press(ui::letter('N'));
  draw();
  EXPECT_FALSE(tests::shows(stage.trace(), "mended"));
  lessons.clicked = true;
  lessons.steps = 1;
  draw();
  EXPECT_TRUE(tests::shows(stage.trace(), "mended"));
  result.variant.source = stage.app().state().of<ui::Editor>().sheet_of("matmul/tiled")->sent;
  result.races =
      std::make_shared<const core::CheckReport>(core::CheckReport{.verdict = core::Verdict::clean});
  draw();
  EXPECT_TRUE(tests::shows(stage.trace(), "Repaired."));
  EXPECT_TRUE(tests::shows(stage.trace(), "mended"));
  EXPECT_TRUE(tests::shows(stage.trace(), "151"));
}

// A phase less would say that a barrier does nothing any more.
TEST_F(LessonTest, WhichPhasesAreLeftIsNotToldBeforeTheAnswer) {
  tests::add_races(result_);
  const auto phases_told = [&] { return says("after barrier 1") || says("from the start"); };
  press(U'N');
  EXPECT_TRUE(phases_told());
  press(U'N');
  ASSERT_TRUE(state().sealed());
  EXPECT_FALSE(phases_told());
  result_.experiment.barriers = {{1, core::BarrierKind::off}};
  state().answer = 2;
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_TRUE(phases_told());
}

TEST_F(LessonTest, OneWhoGoesBackToAQuestionSeesWhatStoodBeforeIt) {
  auto& steps = state().lessons.front().steps;
  steps[1].experiment.barriers.clear();
  steps[1].experiment.tile = 8;  // the same text
  press(U'N');
  EXPECT_FALSE(press(U'N').experiment) << "it leaves what is there";
  EXPECT_FALSE(state().sealed());
  state().answer = 1;
  const ui::Requests told = stage_.draw(result_);
  ASSERT_TRUE(told.experiment);
  EXPECT_EQ(told.experiment->tile, 8U);
  steps.push_back(steps[1]);
  press(U'N');
  const ui::Requests back = press(U'H');
  ASSERT_TRUE(back.experiment);
  EXPECT_EQ(back.experiment->tile, 16U);
}

// What the text is about is in sight: the barrier that was switched off, not the first one.
TEST_F(LessonTest, ASealedTextIsBroughtToTheBarrierThatIsChanged) {
  result_ = with_barriers({20, 180});
  result_.experiment.barriers = {{2, core::BarrierKind::off}};
  state().lessons.front().steps[1].experiment.barriers = result_.experiment.barriers;
  press(U'N');
  stage_.app().state().lit_lines = {{.line = 3}};  // of the view that was there before
  press(U'N');
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_TRUE(says("180"));
  EXPECT_TRUE(stage_.app().state().lit_lines.empty());
}

// On a projector a first question has room for little of the source: for what it asks about.
TEST_F(LessonTest, TheBarrierThatAFirstQuestionIsAboutIsSeen) {
  core::Lesson asks_first = lesson();
  asks_first.steps.erase(asks_first.steps.begin());
  const core::Result result = with_barriers({20, 180});
  asks_first.steps[0].experiment.barriers = {{2, core::BarrierKind::off}};
  tests::Stage stage(large_letters());
  auto& lessons = stage.app().state().of<ui::LessonState>();
  lessons.lessons = {asks_first};
  stage.draw(result);
  stage.app().press(ui::letter('N'));
  stage.draw(result);
  stage.app().state().lit_lines = {{.line = 3}};
  stage.draw(result);
  stage.draw(result);
  ASSERT_FALSE(lessons.sealed());
  EXPECT_TRUE(tests::shows(stage.trace(), "What happens without barrier 1?"));
  EXPECT_TRUE(tests::shows(stage.trace(), "180"));
}

// It was just in sight in the letters of the presenter; those of the window are larger here.
TEST_F(LessonTest, TheBarrierThatIsAskedAboutStaysInSightWhenLettersGrow) {
  core::Result result = with_barriers({2, 13});
  result.experiment.barriers = {{2, core::BarrierKind::off}};
  core::Lesson asks = lesson();
  asks.steps[1].experiment.barriers = result.experiment.barriers;
  tests::Stage stage(large_letters());
  stage.app().state().of<ui::LessonState>().lessons = {asks};
  const auto press = [&](const ui::KeyPress& key) {
    stage.app().press(key);
    for (int i = 0; i < 3; ++i) {
      stage.draw(result);
    }
  };
  stage.draw(result);
  press({ui::Key::f5});
  press(ui::letter('N'));
  press(ui::letter('N'));
  ASSERT_TRUE(stage.app().state().of<ui::LessonState>().sealed());
  EXPECT_TRUE(tests::shows(stage.trace(), "13"));
  press({ui::Key::f5});
  EXPECT_TRUE(tests::shows(stage.trace(), "13"));
}

// The line that the text speaks of, not those of the accesses that the view shows, before the
// answer and after it; nor does it move when what lies around it is in sight.
TEST_F(LessonTest, TheLineThatAStepWantsIsInSight) {
  core::Lesson asks = lesson();
  core::LessonStep& asked = asks.steps[1];
  asked = asks.steps[0];
  asked.text = "How many?";
  asked.fact = "barriers";
  asked.source = {"x = 120;"};
  const core::Result result = with_barriers({20, 180});
  tests::Stage stage(large_letters());
  auto& lessons = stage.app().state().of<ui::LessonState>();
  lessons.lessons = {asks};
  const auto draw = [&] {
    for (int i = 0; i < 3; ++i) {
      stage.app().state().lit_lines = {{.line = 3}};
      stage.draw(result);
    }
  };
  draw();
  stage.app().press(ui::letter('N'));
  draw();
  stage.app().press(ui::letter('N'));
  draw();
  EXPECT_TRUE(tests::shows(stage.trace(), "120"));
  EXPECT_TRUE(tests::shows(stage.trace(), "121"));
  lessons.answer = 2;
  draw();
  EXPECT_TRUE(tests::shows(stage.trace(), "Correct"));
  EXPECT_TRUE(tests::shows(stage.trace(), "120"));
}

// What lies between them is folded.
TEST_F(LessonTest, LinesThatAStepWantsAreInSightTogether) {
  core::Lesson reads = lesson();
  reads.steps[0].source = {"x = 30;", "x = 160;"};
  const core::Result result = with_barriers({20, 180});
  tests::Stage stage(large_letters());
  stage.app().state().of<ui::LessonState>().lessons = {reads};
  stage.app().press(ui::letter('N'));
  for (int i = 0; i < 3; ++i) {
    stage.draw(result);
  }
  EXPECT_TRUE(tests::shows(stage.trace(), "30"));
  EXPECT_TRUE(tests::shows(stage.trace(), "160"));
  EXPECT_FALSE(tests::shows(stage.trace(), "100"));
}

// Beside an answer "correct" could be meant of that.
TEST_F(LessonTest, TheKernelIsRightNotTheAnswer) {
  EXPECT_FALSE(says("kernel right"));
  press(U'N');
  EXPECT_TRUE(says("kernel right"));
  EXPECT_FALSE(says("correct"));
}

TEST_F(LessonTest, AWantedLineOfAnIncludedFileIsShownInItsTab) {
  core::Result result = with_barriers({20});
  result.launches = {
      {.kernel = "matmul/tiled",
       .title = {},
       .tiles = result.tiles,
       .groups = {{0, 0, 0}, result.tiles.groups()},
       .source = result.variant.source,
       .sources = {{"tiled.comp", result.variant.source}, {"end.glsl", "first = 1;\nlast = 1;\n"}},
       .facts = result.facts}};
  state().lessons.front().steps[0].source = {"last = 1"};
  press(U'N');
  for (int i = 0; i < 3; ++i) {
    stage_.draw(result);
  }
  EXPECT_EQ(stage_.app().state().source_path, "end.glsl");
}

TEST_F(LessonTest, OfSeveralLessonsOneIsChosen) {
  state().lessons = {lesson(), lesson(), lesson()};
  state().lessons[1].title = "Banks";
  press(U'N');
  EXPECT_FALSE(state().lesson);
  EXPECT_TRUE(says("3 lessons"));
  EXPECT_TRUE(says("Banks"));
  press(U'H');
  EXPECT_FALSE(says("3 lessons"));
  press(U'N');
  press(U'N');
  EXPECT_TRUE(says("Barriers, 1 of 2"));
  press(U'N');
  state().answer = 1;
  press(U'N');
  EXPECT_TRUE(says("3 lessons")) << "after its end the next one stands there";
  press(U'N');
  EXPECT_TRUE(says("Banks, 1 of 2"));
}

TEST_F(LessonTest, TheOfferBeginsTheFirst) {
  state().lessons = {lesson(), lesson()};
  state().offered = true;
  stage_.draw(result_);
  press(U'N');
  EXPECT_TRUE(says("Barriers, 1 of 2"));
}

TEST_F(LessonTest, TheOfferGoesWithTheFirstKey) {
  state().offered = true;
  stage_.draw(result_);
  EXPECT_TRUE(says("New to Tilescope?"));
  press(U'm');
  EXPECT_FALSE(says("New to Tilescope?"));
}

TEST_F(LessonTest, AKeyHidesTheOfferAndDeclinesNothing) {
  state().offered = true;
  stage_.draw(result_);
  EXPECT_FALSE(state().progress.declined) << "a key only hides it";
  press(U'N');
  EXPECT_FALSE(state().progress.declined);
}

TEST_F(LessonTest, HowFarOneCameIsKeptAndGoneOnWith) {
  press(U'N');
  EXPECT_EQ(state().progress.of("l"), 0U);
  press(U'N');
  EXPECT_EQ(state().progress.of("l"), 1U);
  state().lesson.reset();
  press(U'N');
  EXPECT_TRUE(says("Barriers, 2 of 2")) << "it goes on where it was left";
  state().answer = 1;
  press(U'N');
  EXPECT_EQ(state().progress.of("l"), 2U);
}

TEST_F(LessonTest, AClickOnACellIsAnAnswer) {
  auto& steps = state().lessons.front().steps;
  steps[1] = steps[0];
  steps[1].fact = "read-by 10,5 tile_a";
  steps[1].view = "tile";
  press(U'N');
  press(U'N');
  EXPECT_TRUE(says("Click on a cell of tile_a"));
  ui::Picking& picking = stage_.app().state().of<ui::Picking>();
  ASSERT_TRUE(picking.wanted);
  using What = core::ClickedOn::What;
  EXPECT_TRUE(picking.take(What::cells, "tile_b", 3)) << "views do nothing else with it";
  stage_.draw(result_);
  EXPECT_FALSE(state().answer) << "that was another array";
  EXPECT_TRUE(picking.take(What::cells, "tile_a", 83));
  stage_.draw(result_);
  EXPECT_EQ(state().answer, 83U);
  EXPECT_FALSE(picking.wanted) << "clicks do again what they did";
  EXPECT_TRUE(says("Your answer"));
}

// Of cells that are too small to be told apart, the one that the text speaks of is brought near.
TEST_F(LessonTest, ACellThatAQuestionSpeaksOfIsLargeEnoughToBeSeen) {
  result_ = tests::result_of("transpose/tiled", {64, 64}, 32);
  result_.trace = tests::transpose_trace();
  auto& steps = state().lessons.front().steps;
  steps[0].experiment = result_.experiment;
  steps[0].view = "tile";
  steps[1] = steps[0];
  tests::Stage stage(large_letters());
  auto& lessons = stage.app().state().of<ui::LessonState>();
  lessons.lessons = state().lessons;
  stage.app().settle(true);
  const auto next = [&] {
    stage.app().press(ui::letter('N'));
    stage.draw(result_);
    stage.draw(result_);
  };
  next();
  const ui::TileState& tile = stage.app().state().of<ui::TileState>();
  EXPECT_EQ(tile.zoom, 1.0F);
  lessons.lessons.front().steps[1].fact = "bank-of 5 tile";
  next();
  EXPECT_GT(tile.zoom, 1.0F);
  EXPECT_TRUE(tile.sought);
  const float enlarged = tile.zoom;
  stage.app().press(ui::letter('-'));  // a reader who looks elsewhere is not brought back
  stage.draw(result_);
  stage.draw(result_);
  EXPECT_LT(tile.zoom, enlarged);
  EXPECT_FALSE(tile.sought);
}

// Which cell was asked about, which one was said and which ones it is, on the array itself.
TEST_F(LessonTest, CellsThatWereAskedAboutAreShownWithTheAnswer) {
  result_ = tests::result_of("transpose/tiled", {64, 64}, 32);
  result_.trace = tests::transpose_trace();
  auto& steps = state().lessons.front().steps;
  steps[0].experiment = result_.experiment;
  steps[0].view = "tile";
  steps[1] = steps[0];
  steps[1].fact = "bank-of 5 tile";
  tests::Stage stage(scene());
  auto& lessons = stage.app().state().of<ui::LessonState>();
  lessons.lessons = state().lessons;
  stage.app().settle(true);
  const ui::Picking& picking = stage.app().state().of<ui::Picking>();
  for (int i = 0; i < 2; ++i) {
    stage.app().press(ui::letter('N'));
    stage.draw(result_);
    stage.draw(result_);
  }
  ASSERT_TRUE(picking.wanted);
  EXPECT_TRUE(picking.told.empty()) << "nobody is told before the answer";
  lessons.answer = 7;
  stage.draw(result_);
  EXPECT_EQ(picking.told, "bank-of 5 tile");
  EXPECT_EQ(picking.said, 7U);
  stage.app().press(ui::letter('N'));
  stage.draw(result_);
  stage.draw(result_);
  EXPECT_TRUE(picking.told.empty()) << "the lesson is over";
}

TEST_F(LessonTest, AKernelIsLentToBeMendedAndTakenBack) {
  auto& steps = state().lessons.front().steps;
  const std::string file = tests::catalogue().find("matmul/tiled")->source;
  steps[1] = steps[0];
  steps[1].mend = true;
  steps[1].given = {{file.substr(0, 4), "xxxx"}};
  press(U'N');
  const ui::Requests lent = press(U'N');
  ASSERT_TRUE(lent.edit);
  EXPECT_EQ(lent.edit->variant, "matmul/tiled");
  EXPECT_EQ(lent.edit->text->substr(0, 4), "xxxx");
  EXPECT_FALSE(press(U'N').edit) << "nobody goes on before it is mended";
  EXPECT_TRUE(state().lesson);
  const ui::Requests back = press(U'H');
  ASSERT_TRUE(back.edit);
  EXPECT_FALSE(back.edit->text) << "the file's text runs again";
}

// To try it takes seconds, in which what ran before would pass for it.
TEST_F(LessonTest, AKernelThatIsLentIsReadWhileItIsMadeReady) {
  auto& steps = state().lessons.front().steps;
  const std::string file = tests::catalogue().find("matmul/naive")->source;
  steps[1] = steps[0];
  steps[1].experiment.variant = "matmul/naive";
  steps[1].mend = true;
  steps[1].given = {{file.substr(0, 4), "xxxx"}};
  tests::add_races(result_);
  press(U'N');
  const ui::Requests lent = press(U'N');
  ASSERT_TRUE(lent.edit);
  stage_.draw(result_);
  EXPECT_TRUE(says("This is tiled multiplication."));
  EXPECT_TRUE(says("xxxx"));
  EXPECT_TRUE(says("Preparing this kernel"));
  for (const char* before : {"racy", "RAW", "ms", "of 12", "hidden", "you answer"}) {
    EXPECT_FALSE(says(before)) << before;
  }
  core::Result given = tests::result_of("matmul/naive", {64, 48, 80}, 16);
  given.variant.source = *lent.edit->text;
  given.launches.clear();
  stage_.draw(given);
  stage_.draw(given);
  EXPECT_FALSE(says("Preparing this kernel"));
  EXPECT_FALSE(state().sealed());
}

// Where there is little room, what is new comes first; so it does when it was answered by --answer.
TEST_F(LessonTest, AKernelThatWasMendedKeepsItsQuestion) {
  core::Lesson lesson_of_one = lesson();
  core::LessonStep& step = lesson_of_one.steps[1];
  step = lesson_of_one.steps[0];
  step.mend = true;
  step.given = {{tests::catalogue().find("matmul/tiled")->source.substr(0, 4), "xxxx"}};
  step.told = "It was four letters.";
  tests::Stage stage(large_letters());
  ui::LessonState& lessons = stage.app().state().of<ui::LessonState>();
  lessons.lessons = {lesson_of_one};
  const auto press = [&](char32_t key) {
    stage.app().press(ui::letter(key));
    return stage.draw(result_);
  };
  stage.draw(result_);
  press(U'N');
  press(U'N');
  ASSERT_TRUE(lessons.lent);
  const std::string mended = lessons.lent->file;
  stage.app().state().of<ui::Editor>().sheets.insert_or_assign(
      "matmul/tiled", ui::Sheet{.buffer = ui::TextBuffer(mended), .begun = mended, .sent = mended});
  tests::add_races(result_);
  core::CheckReport clean = *result_.races;
  clean.verdict = core::Verdict::clean;
  clean.findings.clear();
  result_.races = std::make_shared<const core::CheckReport>(clean);
  result_.variant.source = mended;
  result_.launches.clear();
  lessons.revealed = true;
  stage.draw(result_);
  stage.draw(result_);
  ASSERT_TRUE(lessons.low);
  EXPECT_TRUE(tests::shows(stage.trace(), "Repaired. It was four"));
  const auto asked = std::ranges::count_if(stage.trace().entries, [](const auto& entry) {
    return entry.text.starts_with("This is tiled");
  });
  EXPECT_EQ(asked, 1);
}

TEST_F(LessonTest, WhyAKernelThatIsLentCannotRunIsSaid) {
  auto& steps = state().lessons.front().steps;
  steps[1] = steps[0];
  steps[1].mend = true;
  steps[1].given = {{tests::catalogue().find("matmul/tiled")->source.substr(0, 4), "xxxx"}};
  press(U'N');
  press(U'N');
  EXPECT_TRUE(state().sealed());
  result_.error = core::Error{.message = "xxxx is no word"};
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_FALSE(state().sealed());
  EXPECT_TRUE(says("xxxx is no word"));
}

// Whose rows are whose is what the lesson on several devices asks.
TEST_F(LessonTest, AStreamTellsNobodysRowsBeforeTheAnswer) {
  auto& steps = state().lessons.front().steps;
  steps[0].view = "stream";
  steps[1] = steps[0];
  steps[1].fact = "share-rows";
  result_.stream = tests::stream({64, 48, 80}, 2, false);
  press(U'N');
  stage_.draw(result_);
  EXPECT_TRUE(says("rows 0 to 31"));
  press(U'N');
  stage_.draw(result_);
  EXPECT_TRUE(says("blocks"));
  EXPECT_FALSE(says("rows 0 to 31"));
  state().answer = 32;
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_TRUE(says("rows 0 to 31"));
}

TEST_F(LessonTest, AClickerIsToldTheAnswer) {
  stage_.app().press({ui::Key::f5});
  stage_.draw(result_);
  const auto click = [&](ui::Key key) {
    stage_.app().press({key});
    return stage_.draw(result_);
  };
  click(ui::Key::page_down);
  EXPECT_TRUE(says("Barriers, 1 of 2"));
  click(ui::Key::right);
  EXPECT_TRUE(says("What happens without"));
  click(ui::Key::page_down);
  tests::add_races(result_);
  result_.experiment.barriers = {{1, core::BarrierKind::off}};
  stage_.draw(result_);
  EXPECT_TRUE(says("The run shows: a race"));
  EXPECT_FALSE(says("Your answer"));
  click(ui::Key::page_up);
  EXPECT_TRUE(says("Barriers, 1 of 2"));
}

TEST_F(LessonTest, NotesAreShownOnlyWhenAskedFor) {
  state().lessons.front().steps[0].notes = "Let them vote.";
  press(U'N');
  EXPECT_FALSE(says("Let them vote."));
  stage_.app().press({ui::Key::f7});
  stage_.draw(result_);
  EXPECT_TRUE(says("Let them vote."));
}

TEST_F(LessonTest, TheSmallestTextIsReadFromTheLastRow) {
  EXPECT_FLOAT_EQ(ui::presenter_scale({1280.0F, 720.0F}), 1.5F) << "24 pixels";
  EXPECT_FLOAT_EQ(ui::presenter_scale({1920.0F, 1080.0F}), 2.25F);
  EXPECT_FLOAT_EQ(ui::presenter_scale({3840.0F, 2160.0F}), 4.5F);
  EXPECT_FLOAT_EQ(ui::presenter_scale({1024.0F, 768.0F}), 1.2F) << "the narrower side counts";
}

TEST_F(LessonTest, BackNextAndEndNeverChangePlaces) {
  const auto place_of = [this](const std::string& word) {
    const auto& all = stage_.trace().entries;
    const auto found = std::ranges::find(all, word, &ui::TextTrace::Entry::text);
    return found == all.end() ? glm::vec2(-1.0F) : found->rect.low;
  };
  press(U'N');
  const glm::vec2 back = place_of("Back (Shift+H)"), next = place_of("Next (Shift+N)"),
                  end = place_of("End");
  EXPECT_GT(back.x, 0.0F);
  EXPECT_GT(next.x, back.x);
  EXPECT_GT(end.x, next.x);
  press(U'N');  // a question, and the last step
  for (int answered = 0; answered < 2; ++answered) {
    EXPECT_EQ(place_of("Back (Shift+H)").x, back.x) << answered;
    EXPECT_EQ(place_of("Done (Shift+N)").x, next.x) << answered;
    EXPECT_EQ(place_of("End").x, end.x) << answered;
    press(U'a');
  }
}

TEST_F(LessonTest, OnAProjectorThePictureAndTheSourceAreAloneOutsideALesson) {
  EXPECT_TRUE(says("Time of a launch"));
  stage_.app().press({ui::Key::f5});
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_FALSE(says("Time of a launch"));
  EXPECT_TRUE(says("tile_a")) << "the source";
  bool& over = stage_.app().state().findings_over;
  over = true;
  stage_.app().press({ui::Key::escape});
  stage_.draw(result_);
  EXPECT_FALSE(over) << "what lies over the picture is closed first";
  EXPECT_TRUE(stage_.app().state().of<ui::Presenter>().on);
  press(U'N');
  EXPECT_TRUE(state().lesson);
}

TEST_F(LessonTest, ABlankScreenWakesWithAnyKey) {
  const auto& presenter = stage_.app().state().of<ui::Presenter>();
  stage_.app().press({ui::Key::f6});
  stage_.draw(result_);
  EXPECT_TRUE(presenter.blank);
  press(U'w');
  EXPECT_FALSE(presenter.blank);
  stage_.app().press({ui::Key::f5});
  press(U'.');
  EXPECT_TRUE(presenter.blank) << "as a clicker has it";
  EXPECT_TRUE(presenter.full_screen);
  press(U'.');
  stage_.app().press({ui::Key::escape});
  stage_.draw(result_);
  EXPECT_FALSE(presenter.on);
  EXPECT_FALSE(presenter.full_screen);
}

}  // namespace
