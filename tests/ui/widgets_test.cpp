// The helpers that place: what a table gives up where room is short, a legend's shorter wordings,
// an axis whose numbers stay apart.
#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/widgets/background.h"
#include "ui/widgets/legend.h"
#include "ui/widgets/table.h"

namespace {

class Widgets : public testing::Test {
 protected:
  Widgets() : stage_(core::Scene()), list_(ImGui::GetDrawListSharedData()) {
    stage_.draw(tests::result_of("matmul/tiled", {64, 64, 64}, 16));  // loads the fonts
    ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
    theme_ = ui::make_theme(true, 1.0F, {.text = font, .title = font, .mono = font});
    list_._ResetForNewFrame();
    list_.PushClipRect({-1e5F, -1e5F}, {1e5F, 1e5F});
    list_.PushTextureID(ImGui::GetIO().Fonts->TexID);
  }
  bool says(const std::string& part) const { return tests::shows(trace_, part); }
  const ui::TextTrace::Entry& entry(const std::string& text) const {
    return *std::ranges::find(trace_.entries, text, &ui::TextTrace::Entry::text);
  }
  // So wide a room that it does not matter, or as wide as it says.
  static ui::Rect room(float width = 1000.0F, float height = 500.0F) {
    return {{0.0F, 0.0F}, {width, height}};
  }

  tests::Stage stage_;
  ImDrawList list_;
  ui::Theme theme_;
  ui::TextTrace trace_;
  ui::Canvas canvas_{list_, theme_, &trace_};
  tests::NoTextures textures_;
};

ui::Table three_columns() {
  return {.columns = {{.importance = 3},
                      {.align = ui::Align::left, .importance = 2, .least = 3.0F},
                      {.importance = 1},
                      {.importance = 4}},
          .rows = {{.cells = {"number", "words", "extra", "nothing"}, .heading = true},
                   {.cells = {"1", "one", "10", ""}},
                   {.cells = {"2", "two", "20", ""}}},
          .choosable = false};
}

TEST_F(Widgets, LinesBreakNoProduct) {
  ImFont* font = theme_.fonts.text;
  const auto wide = [&](const char* text) { return canvas_.width(text) + 1.0F; };
  const auto lines = [&](const char* text, float width) { return canvas_.wrap(text, font, width); };
  EXPECT_EQ(lines("Of 16 × 16 it is 50 % more", wide("Of 16 × 16")),
            (std::vector<std::string>{"Of 16 × 16", "it is 50 %", "more"}));
  EXPECT_EQ(lines("Of 16 × 16 it is 50 % more", wide("Of 16 ×")),
            (std::vector<std::string>{"Of", "16 × 16", "it is", "50 %", "more"}));
  EXPECT_EQ(lines("as 256 × 256 × 256 floats", wide("256 × 256")),
            (std::vector<std::string>{"as", "256 × 256", "× 256", "floats"}));
  EXPECT_EQ(lines("4 or 16× each", wide("4 or 16×")),
            (std::vector<std::string>{"4 or 16×", "each"}));
}

TEST_F(Widgets, ATableHasNoColumnOfWhichNothingIsKnown) {
  const auto drawn = ui::draw_table(canvas_, room(), "t", three_columns());
  EXPECT_EQ(drawn.shown, 3U);
  EXPECT_TRUE(drawn.columns[3].empty());
  EXPECT_FALSE(says("nothing"));
  EXPECT_FLOAT_EQ(entry("10").rect.high.x, entry("20").rect.high.x);
  EXPECT_NEAR(drawn.columns[2].high.x, 1000.0F, 1.0F) << "the words take what is left";
}

TEST_F(Widgets, ATableGivesUpWhatIsLeastImportant) {
  const float line = canvas_.line_height();
  const float both = canvas_.width("number") + 3.0F * line + theme_.gap.large;
  const auto drawn = ui::draw_table(canvas_, room(both + 2.0F), "t", three_columns());
  EXPECT_FALSE(says("extra"));
  EXPECT_TRUE(says("one"));
  EXPECT_TRUE(drawn.columns[2].empty());
}

TEST_F(Widgets, ALowTableShowsTheChosenRowAndCountsTheRest) {
  ui::Table table{.columns = {{}}, .rows = {}, .choosable = false};
  for (int i = 0; i < 20; ++i) {
    table.rows.push_back({.cells = {"row " + std::to_string(i)}, .chosen = i == 15});
  }
  ui::draw_table(canvas_, room(400.0F, ui::table_height(canvas_, table) / 4.0F), "t", table);
  EXPECT_TRUE(says("row 15"));
  EXPECT_FALSE(says("row 0"));
  EXPECT_TRUE(says("more"));
}

// Also where the last row that has room is the chosen one; names of columns are no rows.
TEST_F(Widgets, ALowTableCountsWhatIsBelowTheChosenRow) {
  ui::Table table{
      .columns = {{}}, .rows = {{.cells = {"name"}, .heading = true}}, .choosable = false};
  for (int i = 0; i < 19; ++i) {
    table.rows.push_back({.cells = {"row " + std::to_string(i)}, .chosen = i == 3});
  }
  ui::draw_table(canvas_, room(400.0F, ui::table_height(canvas_, table) / 4.0F), "t", table);
  EXPECT_TRUE(says("name"));
  EXPECT_TRUE(says("row 3"));
  EXPECT_FALSE(says("row 4"));
  EXPECT_TRUE(says("and 15 more"));
}

TEST_F(Widgets, ATableCutsNamesAndNeverWhatIsKeptBehindThem) {
  ui::TableCell element("tile_of_keys[15][3] … [15][12]");
  element.brief = "tile_of_keys[15][3] …";
  element.kept = std::string_view("[15][3] …").size();
  const ui::Table table{.columns = {{}}, .rows = {{.cells = {element}}}, .choosable = false};
  const auto draw = [&](const std::string& words) {
    trace_.entries.clear();
    ui::draw_table(canvas_, room(canvas_.width(words, ui::pen::mono) + 2.0F), "t", table);
    return trace_.entries.at(0).text;
  };
  EXPECT_EQ(draw(element.text), element.text);
  EXPECT_EQ(draw(element.brief + "..."), element.brief);
  const std::string shorter = draw("tile…[15][3] …");
  EXPECT_TRUE(shorter.starts_with("ti")) << shorter;
  EXPECT_TRUE(shorter.ends_with("…[15][3] …") || shorter.ends_with("s[15][3] …")) << shorter;
}

TEST_F(Widgets, ALegendGetsShorterThenLosesWhatIsLeastImportant) {
  const std::vector<ui::LegendItem> items{
      {ui::mark::fill(theme_.colours.global), "a long explanation", "brief", 1},
      {ui::mark::line(theme_.colours.shared), "another explanation", "other", 2}};
  const auto draw = [&](float width) {
    trace_.entries.clear();
    ui::draw_legend(canvas_, textures_, room(width, canvas_.line_height()), items);
  };
  draw(1000.0F);
  EXPECT_TRUE(says("a long explanation") && says("another explanation"));
  draw(canvas_.width("another explanation") + canvas_.width("brief") + 5.0F * theme_.gap.large);
  EXPECT_TRUE(says("brief") && says("another explanation"));
  draw(canvas_.width("brief") + canvas_.width("other") + 5.0F * theme_.gap.large);
  EXPECT_TRUE(says("brief") && says("other"));
  EXPECT_FALSE(says("another explanation"));
  EXPECT_FALSE(says("+1"));
  draw(canvas_.width("other") + canvas_.width("+1") + 3.0F * theme_.gap.large);
  EXPECT_FALSE(says("brief"));
  EXPECT_TRUE(says("other"));
  EXPECT_TRUE(says("+1")) << "nothing is dropped without a word";
}

// Modules without debug names have buffers without names.
TEST_F(Widgets, AScaleWithoutANameIsAScale) {
  ui::draw_legend(canvas_, textures_, room(),
                  {ui::legend_scale({.name = "", .low = "0.5", .high = "7"}),
                   ui::legend_scale({.name = "b", .low = "1", .high = "2"})});
  EXPECT_TRUE(says("0.5") && says("7") && says("b"));
  ui::draw_legend(canvas_, textures_, room(1.0F),
                  {ui::legend_scale({.name = "", .low = "0.5", .high = "7"})});
}

// An item makes way for the words; only the last one does not.
TEST_F(Widgets, WhatALegendLeavesOutIsCountedInWords) {
  const std::vector<ui::LegendItem> items{
      {ui::mark::fill(theme_.colours.global), "one of all", "", 1},
      {ui::mark::fill(theme_.colours.shared), "another of all", "", 2},
      {ui::mark::fill(theme_.colours.race), "third", "", 3}};
  const float mark = canvas_.line_height();
  const float two = canvas_.width("another of all") + canvas_.width("third") + 2.0F * mark +
                    2.0F * theme_.gap.large;
  ui::draw_legend(canvas_, textures_, room(two + canvas_.width("+1"), mark), items);
  EXPECT_TRUE(says("third"));
  EXPECT_TRUE(says("and 2 more"));
  EXPECT_FALSE(says("+"));
}

TEST_F(Widgets, AStackSaysNothingWhereThereIsNoRoom) {
  ui::Stack stack{canvas_, room(300.0F, 1.5F * canvas_.line_height())};
  stack.say("first");
  stack.say("second");
  EXPECT_TRUE(says("first"));
  EXPECT_FALSE(says("second"));
  EXPECT_FALSE(stack.foot("below", ui::pen::text, 1.0F));
}

TEST(Background, MakesWhatIsWantedAndKeepsIt) {
  ui::Background<int, int> background;
  int made = 0;
  const auto twice = [&made](int wanted) { return ++made, 2 * wanted; };
  EXPECT_EQ(*background.newest(3, true, twice), 6);
  EXPECT_EQ(*background.newest(3, true, twice), 6);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(*background.newest(5, true, twice), 10);
  EXPECT_EQ(background.version(), 2U);
  EXPECT_FALSE(background.busy());
}

}  // namespace
