// Measurements as comma-separated values.
#include "core/report/measurement_table.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/core/built_in.h"

namespace core {
namespace {

// RFC 4180: cells in quotes may hold commas, quotes and line breaks.
std::vector<std::vector<std::string>> parse(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const bool twice = quoted && i + 1 < text.size() && text[i + 1] == '"';
      if (twice) {
        rows.back().back() += text[++i];
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      rows.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      rows.push_back({""});
    } else if (c != '\r' || quoted) {
      rows.back().back() += c;
    }
  }
  rows.pop_back();  // what follows the last line break
  return rows;
}

std::string cell(const std::vector<std::vector<std::string>>& rows, std::size_t row,
                 const std::string& column) {
  const auto found = std::ranges::find(rows.front(), column);
  return rows[row][static_cast<std::size_t>(found - rows.front().begin())];
}

Result measured() {
  Result result;
  result.experiment = {.variant = "matmul/tiled", .size = {64, 32, 16}, .tile = 8};
  result.problem = {.sizes = {64, 32, 16}, .seed = 3};
  result.timing.samples_ms = {0.25, 0.125, 0.5};
  result.timing.spread = spread_of(result.timing.samples_ms);
  result.timing.warm_up = 7;
  result.flops = 65536.0;
  return result;
}

TEST(MeasurementTable, HasARowForEachSampleAndOneThatSumsThemUp) {
  MeasurementTable table({.name = "a \"fast\", new device", .driver = "d 1"},
                         "2026-11-21T00:00:00Z");
  table.add_kernel(measured());
  const auto rows = parse(table.csv());
  ASSERT_EQ(rows.size(), 5U);
  for (const auto& row : rows) {
    EXPECT_EQ(row.size(), rows.front().size());
  }
  EXPECT_EQ(cell(rows, 1, "record"), "kernel");
  EXPECT_EQ(cell(rows, 1, "device"), "a \"fast\", new device");
  EXPECT_EQ(cell(rows, 1, "median_ms"), "0.25");
  EXPECT_EQ(cell(rows, 1, "warm_up"), "7");
  EXPECT_EQ(cell(rows, 1, "sizes"), "64x32x16");
  EXPECT_EQ(cell(rows, 1, "parameters"), "seed=3");
  EXPECT_EQ(std::stod(cell(rows, 1, "gflops")), 65536.0 / 0.25 * 1e-6);
  EXPECT_EQ(cell(rows, 3, "record"), "sample");
  EXPECT_EQ(cell(rows, 3, "sample"), "2");
  EXPECT_EQ(cell(rows, 3, "ms"), "0.125");
  EXPECT_EQ(cell(rows, 3, "median_ms"), "");
}

TEST(MeasurementTable, ARungWithoutTimesSaysWhy) {
  const Workload& workload = *built_in("matmul");
  Rung fast{.variant = "matmul/tiled", .tile = 16, .measured = true};
  fast.spread = spread_of(std::vector{2.0, 2.0});
  fast.speedup = 1.5;
  Rung large{.variant = "matmul/tiled", .tile = 64};
  large.error = Error{Fault::usage, "tile 64 needs 4096 invocations, too many"};
  MeasurementTable table({.type = DeviceType::cpu}, "now");
  table.add_ladder(workload, {.sizes = {8, 8, 8}}, {{"BLOCK", "4"}},
                   std::vector{fast, large, Rung{}});
  const auto rows = parse(table.csv());
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(cell(rows, 1, "speedup"), "1.5");
  EXPECT_EQ(cell(rows, 1, "emulated"), "yes");
  EXPECT_EQ(cell(rows, 1, "parameters"), "BLOCK=4 seed=1");
  EXPECT_EQ(cell(rows, 2, "not_measured"), "tile 64 needs 4096 invocations, too many");
  EXPECT_EQ(cell(rows, 2, "median_ms"), "");
  EXPECT_EQ(cell(rows, 3, "not_measured"), "not measured yet");
}

TEST(MeasurementTable, TheDateIsInUtc) {
  const std::string now = utc_now();
  ASSERT_EQ(now.size(), 20U);
  EXPECT_EQ(now.back(), 'Z');
  EXPECT_EQ(now[10], 'T');
}

}  // namespace
}  // namespace core
