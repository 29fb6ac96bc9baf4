// The view of values: goes to elements by keys, and tells what is wrong with them.
#include <bit>

#include <gtest/gtest.h>

#include "core/base/field.h"
#include "core/report/difference.h"
#include "ui/fixture.h"
#include "ui/views/values/values_state.h"

namespace {

// C[3][5] is not what the reference says, and C[7][1] was not written.
core::Result with_wrong_values() {
  core::Result result = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  auto difference = std::make_shared<core::Difference>();
  auto values = *result.contents[2].words;
  difference->wanted_words = values;
  values[3 * 48 + 5] += 1.0F;
  values[7 * 48 + 1] = std::bit_cast<float>(core::kUnwritten);
  result.contents[2].words = std::make_shared<const std::vector<float>>(values);
  result.differences = {nullptr, nullptr, difference};
  result.check.tolerance = 1e-5;
  return result;
}

class Values : public tests::Keys {
 protected:
  Values() : Keys(with_wrong_values()) { press(ui::ctrl(U'g')); }
  void type(const std::string& text) {
    for (const char c : text) {
      press(ui::letter(static_cast<char32_t>(c)));
    }
    press({ui::Key::enter});
  }
  [[nodiscard]] bool shows(const std::string& text) const {
    return tests::shows(stage_.trace(), text);
  }
};

TEST_F(Values, AnElementIsTyped) {
  EXPECT_EQ(stage_.app().view().name, "values");
  EXPECT_TRUE(shows("Values of C"));
  type("18,3");
  EXPECT_TRUE(shows("C[18][3] = "));
  press(ui::letter('n'));
  EXPECT_EQ(stage_.app().view().name, "values") << "letters are text";
  press({ui::Key::escape});
  press({ui::Key::down});
  EXPECT_TRUE(shows("C[19][3] = "));
}

TEST_F(Values, WrongAndUnwrittenElementsAreFound) {
  type("wrong");
  EXPECT_TRUE(shows("C[3][5] = "));
  EXPECT_TRUE(shows(", difference 1"));
  press({ui::Key::enter});
  EXPECT_TRUE(shows("C[3][5] = ")) << "it is the only one";
  stage_.app().state().of<ui::ValuesState>().line = ui::TextBuffer();
  type("unwritten");
  EXPECT_TRUE(shows("C[7][1] = not written"));
  stage_.app().state().of<ui::ValuesState>().line = ui::TextBuffer();
  type("nan");
  EXPECT_TRUE(shows("all values are finite"));
}

TEST_F(Values, NoSuchElementIsSaid) {
  type("64,0");
  EXPECT_TRUE(shows("no such element"));
}

TEST_F(Values, KeysGoToTheNextBuffer) {
  press({ui::Key::escape});
  press(ui::letter('l'));
  EXPECT_TRUE(shows("Values of A"));
  press(ui::letter('j'));
  EXPECT_TRUE(shows("Values of C"));
}

// Its line has the keyboard only while it is seen.
TEST_F(Values, AnotherViewGetsTheKeys) {
  stage_.app().state().view.name = "grid";
  press(ui::letter('a'));
  EXPECT_EQ(stage_.app().view().name, "compare");
}

}  // namespace
