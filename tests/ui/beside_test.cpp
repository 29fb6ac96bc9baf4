// A and B: two columns of the same view, each of its own result.
#include "ui/beside/beside.h"

#include <gtest/gtest.h>

#include "ui/beside/beside_values.h"
#include "ui/edits.h"
#include "ui/fixture.h"

namespace {

class BesideTest : public testing::Test {
 protected:
  BesideTest()
      : first_(tests::result_of("matmul/tiled", {64, 64, 64}, 8)),
        second_(tests::result_of("matmul/naive", {64, 64, 64}, 8)),
        stage_(scene()) {
    stage_.draw(first_);
  }
  core::Scene scene() const {
    core::Scene scene;
    scene.experiment = first_.experiment;
    scene.view.name = "grid";
    return scene;
  }
  ui::Requests press(const ui::KeyPress& key) {
    stage_.app().press(key);
    return stage_.draw(first_, &second_);
  }
  std::size_t count(const std::string& part) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(stage_.trace().entries, [&](const ui::TextTrace::Entry& entry) {
          return entry.text.find(part) != std::string::npos;
        }));
  }
  core::Result first_, second_;
  tests::Stage stage_;
};

TEST_F(BesideTest, AKeyPutsAnotherVariantBeside) {
  EXPECT_FALSE(stage_.draw(first_).beside);
  const auto requests = press(ui::letter('T'));
  ASSERT_TRUE(requests.beside);
  EXPECT_NE(requests.beside->variant, first_.experiment.variant);
  EXPECT_EQ(requests.beside->size, first_.experiment.size);
  EXPECT_TRUE(tests::shows(stage_.trace(), "A"));
  EXPECT_TRUE(tests::shows(stage_.trace(), "B"));
  EXPECT_FALSE(press(ui::letter('T')).beside) << "the same key ends it";
}

TEST_F(BesideTest, BothTimesAndVerdictsAreShown) {
  tests::add_races(second_);
  second_.check.done = true;
  second_.check.correct = false;
  second_.check.max_error = 0.25;
  press(ui::letter('T'));
  stage_.draw(first_, &second_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "wrong"));
  EXPECT_TRUE(tests::shows(stage_.trace(), "2 races"));
}

TEST_F(BesideTest, ValuesThatDifferAndOutputsAreSaid) {
  second_.experiment.tile = 16;
  second_.like = std::make_shared<const core::LaunchedLike>(core::LaunchedLike{
      .experiment = first_.experiment,
      .source = first_.variant.source,
      .outputs = {.done = true, .correct = false, .worst = "C[1][2] is 5, not 7"}});
  press(ui::letter('T'));
  stage_.draw(first_, &second_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "M 64, N 64, W 64, tile 8")) << "those of A";
  EXPECT_TRUE(tests::shows(stage_.trace(), "tile 16 (A: 8)")) << "no more than what differs";
  EXPECT_EQ(ui::outputs_text(first_, second_), "outputs differ from A: C[1][2] is 5, not 7");
  EXPECT_TRUE(tests::shows(stage_.trace(), "outputs differ"));

  first_.experiment.barriers = {{1, core::BarrierKind::off}};
  EXPECT_EQ(ui::outputs_text(first_, second_), "") << "compared with another one's";
}

// "no n (A: 200)" stood beside a kernel that was still compiled.
TEST(BesideValues, OfAKernelThatIsNotSetUpAreNotKnown) {
  core::Result first, second;
  first.chosen = {"--groups 4,1,1", "--set n=200"};
  second.text_only = true;
  EXPECT_EQ(ui::other_values_text(first, second).front(), "");
}

TEST(BesideValues, OfFilesAreWhatRepeatsTheLaunch) {
  core::Result first, second;
  first.chosen = {"--groups 4,1,1", "--set n=50", "--set m=9", "--buffer 0.1=512:iota"};
  second.chosen = {"--groups 4,1,1", "--set n=60", "--buffer 0.1=512", "--push 1,2"};
  EXPECT_EQ(ui::values_text(first).front(), "workgroups 4,1,1, n 50, m 9, buffer 0.1 512:iota");
  EXPECT_EQ(ui::other_values_text(first, second).front(),
            "n 60 (A: 50), push constants 1,2 (not in A), no m (A: 9)");
  EXPECT_EQ(ui::other_values_text(first, first).front(), "same values as A");
}

TEST_F(BesideTest, OfWhatIsEditedTheOriginalIsBeside) {
  first_.experiment.barriers = {{1, core::BarrierKind::off}};
  stage_.app().state().wanted = first_.experiment;
  const auto requests = press(ui::letter('T'));
  ASSERT_TRUE(requests.beside);
  EXPECT_EQ(requests.beside->variant, first_.experiment.variant);
  EXPECT_TRUE(requests.beside->barriers.empty());
  EXPECT_TRUE(tests::shows(stage_.trace(), "barrier 1 off"));
}

TEST_F(BesideTest, AnotherViewIsShownInBoth) {
  press(ui::letter('T'));
  press(ui::letter('v'));
  const auto asked = stage_.draw(first_, &second_);
  EXPECT_EQ(stage_.app().scene({first_, tests::catalogue(), {}}).view.beside,
            asked.beside->variant);
}

TEST(Beside, RatiosAreOfWhatIsMeasuredAndAboveTheNoise) {
  const core::Spread one{10, 1.0, 0.9, 1.1, 0.8, 1.2};
  const core::Spread two{10, 2.0, 1.9, 2.1, 1.8, 2.2};
  EXPECT_EQ(ui::ratio_text(two, one).front(), "2.00× the time of A");
  EXPECT_EQ(ui::ratio_text(one, two).front(), "0.50× the time of A");
  EXPECT_EQ(ui::ratio_text(one, one).front(), "1.00× the time of A, within the spread");
  EXPECT_EQ(ui::ratio_text({}, one).front(), "");
  const core::Spread few{3, 2.0, 2.0, 2.0, 2.0, 2.0};
  EXPECT_EQ(ui::ratio_text(few, one).front(), "2.00× the time of A, unsteady");
}

TEST(Beside, OtherWorkIsDoneAtItsOwnSizes) {
  const core::Catalogue catalogue = tests::catalogue();
  core::Experiment from;
  from.variant = "matmul/tiled";
  from.size = {64, 64, 64};
  from.barriers = {{1, core::BarrierKind::off}};
  EXPECT_EQ(ui::beside_of(from, catalogue, "matmul/naive").size, from.size);
  EXPECT_TRUE(ui::beside_of(from, catalogue, "transpose/naive").size.empty());
  EXPECT_TRUE(ui::beside_of(from, catalogue, "/x/k.comp").barriers.empty());
}

}  // namespace
