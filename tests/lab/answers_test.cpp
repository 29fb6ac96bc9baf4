// What references answered is kept for the same question, and for no other.
#include "lab/ready/answers.h"

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace lab {
namespace {

core::Dispatch launch() {
  core::Dispatch dispatch;
  dispatch.module = std::make_shared<const core::KernelModule>();
  dispatch.push_constants = {7};
  dispatch.resources.resize(2);
  dispatch.resources[1].bytes = 64;
  return dispatch;
}

TEST(Answers, AreForTheSameLaunchAlone) {
  const auto data = std::make_shared<const int>(1);
  const auto other = std::make_shared<const int>(1);
  Answers answers;
  const core::Dispatch asked = launch();
  answers.keep({asked}, 3, data, {{}, {1.0F, 2.0F}});
  ASSERT_NE(answers.of({asked}, 3, data), nullptr);
  EXPECT_EQ((*answers.of({asked}, 3, data))[1][1], 2.0F);
  EXPECT_EQ(answers.of({asked}, 4, data), nullptr);
  EXPECT_EQ(answers.of({asked}, 3, other), nullptr);
  EXPECT_EQ(answers.of({asked}, 3, nullptr), nullptr);
  EXPECT_EQ(answers.of({asked, asked}, 3, data), nullptr);
  core::Dispatch changed = asked;
  changed.push_constants = {8};
  EXPECT_EQ(answers.of({changed}, 3, data), nullptr);
  changed = asked;
  changed.resources[1].content.fill = core::Fill::iota;
  EXPECT_EQ(answers.of({changed}, 3, data), nullptr);
  changed = asked;
  changed.module = launch().module;
  EXPECT_EQ(answers.of({changed}, 3, data), nullptr);
}

TEST(Answers, EndWithTheirData) {
  auto data = std::make_shared<const int>(1);
  Answers answers;
  const core::Dispatch asked = launch();
  answers.keep({asked}, 1, data, {{1.0F}});
  answers.keep_found(data, {{1.0F}}, {});
  data.reset();
  EXPECT_EQ(answers.of({asked}, 1, data), nullptr);
  EXPECT_EQ(answers.found(std::make_shared<const int>(1), {{1.0F}}), nullptr);
}

TEST(Answers, AnAnswerIsKnownBitForBit) {
  const auto data = std::make_shared<const int>(1);
  Answers answers;
  core::Check check;
  check.compared = 17;
  answers.keep_found(data, {{0.0F, NAN}}, {check, {}});
  ASSERT_NE(answers.found(data, {{0.0F, NAN}}), nullptr);
  EXPECT_EQ(answers.found(data, {{0.0F, NAN}})->check.compared, 17U);
  EXPECT_EQ(answers.found(data, {{-0.0F, NAN}}), nullptr);
  EXPECT_EQ(answers.found(data, {{0.0F}}), nullptr);
}

}  // namespace
}  // namespace lab
