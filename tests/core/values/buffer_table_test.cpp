// A buffer as a table: names, values, and what is found in it.
#include "core/values/buffer_table.h"

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/field.h"

namespace {

using core::BufferTable;
using core::ValueState;

core::BufferContent content(std::vector<float> words, core::BlockLayout layout = {}) {
  return {.words = std::make_shared<const std::vector<float>>(std::move(words)),
          .layout = std::move(layout)};
}

core::BufferSpec matrix(std::uint32_t rows, std::uint32_t columns) {
  core::BufferSpec spec;
  spec.name = "C";
  spec.rows = rows;
  spec.columns = columns;
  return spec;
}

core::TablePlace found(const BufferTable& table, std::string_view text,
                       core::TablePlace from = {}) {
  const auto query = core::parse_value_query(text);
  EXPECT_TRUE(query) << text;
  const auto at = table.find(*query, from);
  return at.value_or(core::TablePlace{~0U, ~0U});
}

TEST(BufferTable, AMatrixHasItsRowsAndColumns) {
  const BufferTable table(matrix(2, 3), content({0, 1, 2, 3, 4.5F, 5}), {}, 0.0);
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.columns(), 3U);
  EXPECT_EQ(table.name({1, 1}), "C[1][1]");
  EXPECT_EQ(table.text({1, 1}), "4.5");
  EXPECT_EQ(table.row_name(1), "1");
  EXPECT_EQ(table.column_name(2), "2");
  EXPECT_EQ(found(table, "C[1][2]"), (core::TablePlace{1, 2}));
  EXPECT_EQ(found(table, "1, 2"), (core::TablePlace{1, 2}));
  EXPECT_EQ(found(table, "4"), (core::TablePlace{1, 1})) << "an element by its number";
  EXPECT_EQ(found(table, "= 4.5"), (core::TablePlace{1, 1}));
  EXPECT_FALSE(table.find(*core::parse_value_query("2,0"), {})) << "no such row";
}

TEST(BufferTable, AVectorHasEightElementsInARow) {
  core::BufferSpec spec = matrix(1, 17);
  spec.whole = spec.is_signed = true;
  std::vector<float> words(17);
  for (int i = 0; i < 17; ++i) {
    words[static_cast<std::size_t>(i)] = std::bit_cast<float>(-i);
  }
  const BufferTable table(spec, content(words), {}, 0.0);
  EXPECT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.columns(), 8U);
  EXPECT_EQ(table.row_name(2), "16");
  EXPECT_EQ(table.column_name(3), "+3");
  EXPECT_EQ(table.name({1, 3}), "C[11]");
  EXPECT_EQ(table.text({1, 3}), "-11");
  EXPECT_EQ(table.text({2, 1}), "") << "behind the end";
  EXPECT_EQ(table.name({2, 1}), "");
  EXPECT_EQ(found(table, "C[16]"), (core::TablePlace{2, 0}));
  EXPECT_EQ(found(table, "= -9"), (core::TablePlace{1, 1}));
}

TEST(BufferTable, ABlockHasItsMembers) {
  core::BlockLayout layout;
  layout.fixed = {{.name = "n", .offset = 0, .number = core::NumberKind::whole, .bits = 32}};
  layout.array = "parts";
  layout.array_offset = 8;
  layout.stride = 8;
  layout.element = {{.name = ".x", .offset = 0, .number = core::NumberKind::floating, .bits = 32},
                    {.name = ".id", .offset = 4, .number = core::NumberKind::whole, .bits = 16}};
  const BufferTable table(matrix(1, 6),
                          content({std::bit_cast<float>(2U), 0.0F, 1.5F, std::bit_cast<float>(7U),
                                   -2.0F, std::bit_cast<float>(0x10009U)},
                                  layout),
                          {}, 0.0);
  EXPECT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.row_name(0), "n");
  EXPECT_EQ(table.row_name(2), "1");
  EXPECT_EQ(table.column_name(1), "id");
  EXPECT_EQ(table.text({0, 0}), "2");
  EXPECT_EQ(table.text({0, 1}), "") << "a member alone in its row";
  EXPECT_EQ(table.name({2, 1}), "parts[1].id");
  EXPECT_EQ(table.text({2, 1}), "9");
  EXPECT_EQ(found(table, "parts[1].id"), (core::TablePlace{2, 1}));
  EXPECT_EQ(found(table, "n"), (core::TablePlace{0, 0}));
}

TEST(BufferTable, FindsWhatIsWrong) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float unwritten = std::bit_cast<float>(core::kUnwritten);
  const std::vector<float> wanted{1, 2, 3, nan, 5, 100};
  const BufferTable table(matrix(2, 3), content({1, 2.5F, unwritten, 9, nan, 100.00001F}), wanted,
                          1e-3);
  EXPECT_EQ(table.state({0, 0}), ValueState::plain);
  EXPECT_EQ(table.state({0, 1}), ValueState::wrong);
  EXPECT_EQ(table.state({0, 2}), ValueState::unwritten);
  EXPECT_EQ(table.state({1, 0}), ValueState::plain) << "not compared";
  EXPECT_EQ(table.state({1, 1}), ValueState::wrong) << "NaN instead of a number";
  EXPECT_EQ(table.state({1, 2}), ValueState::plain) << "within the tolerance";
  EXPECT_EQ(table.wanted({0, 1}), 2.0);
  EXPECT_FALSE(table.wanted({1, 0}));
  EXPECT_EQ(found(table, "wrong"), (core::TablePlace{0, 1}));
  EXPECT_EQ(found(table, "wrong", {0, 1}), (core::TablePlace{1, 1}));
  EXPECT_EQ(found(table, "wrong", {1, 1}), (core::TablePlace{0, 1})) << "from the start again";
  EXPECT_EQ(found(table, "nan"), (core::TablePlace{1, 1}));
  EXPECT_EQ(found(table, "unwritten"), (core::TablePlace{0, 2}));
}

TEST(BufferTable, AQueryThatMeansNothingIsASentence) {
  EXPECT_EQ(core::parse_value_query("= x").error().message, "\"x\" is not a number");
  EXPECT_FALSE(core::parse_value_query("  "));
  const BufferTable table(matrix(2, 3), content({0, 1, 2, 3, 4, 5}), {}, 0.0);
  for (const char* text :
       {"C[", "C[x]", "[1][2][3]", "word", "[18446744073709551616]", "],[", ","}) {
    const auto query = core::parse_value_query(text);
    EXPECT_FALSE(query && table.find(*query, {})) << text;
  }
}

TEST(BufferTable, WithoutContentIsEmpty) {
  const BufferTable table(matrix(2, 3), {}, {}, 0.0);
  EXPECT_EQ(table.rows(), 0U);
  EXPECT_EQ(table.text({0, 0}), "");
  EXPECT_FALSE(table.find(*core::parse_value_query("nan"), {}));
}

}  // namespace
