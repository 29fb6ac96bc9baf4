// A lesson over the view: it asks before it shows, and answers with what the run says.
#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/lesson/lesson_panel.h"

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
  EXPECT_FALSE(press(U'N').experiment) << "a question gives nothing away";
  EXPECT_TRUE(says("a race"));
  press(U'N');
  EXPECT_TRUE(state().lesson) << "nobody goes on without an answer";
  state().answer = 1;
  const ui::Requests requests = stage_.draw(result_);
  ASSERT_TRUE(requests.experiment);
  EXPECT_TRUE(requests.experiment->barriers.contains(1));
  EXPECT_TRUE(says("It is being tried"));
  tests::add_races(result_);
  result_.experiment.barriers = {{1, core::BarrierKind::off}};
  stage_.draw(result_);
  EXPECT_TRUE(says("Not this time. The run says: a race"));
  EXPECT_TRUE(says("It was lucky."));
  state().answer = 2;
  stage_.draw(result_);
  EXPECT_TRUE(says("Right"));
  press(U'N');
  EXPECT_FALSE(state().lesson) << "that was its last step";
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
  EXPECT_TRUE(says("New here?"));
  press(U'm');
  EXPECT_FALSE(says("New here?"));
}

}  // namespace
