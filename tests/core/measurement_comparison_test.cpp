// Two tables of measurements side by side.
#include "core/report/measurement_comparison.h"

#include <gtest/gtest.h>

namespace core {
namespace {

constexpr const char* kHead =
    "record,date,device,driver,variant,sizes,tile,parameters,samples,median_ms,p5_ms,p95_ms,"
    "not_measured\r\n";

std::string row(const std::string& variant, const std::string& spread,
                const std::string& parameters = "seed=1", const std::string& error = "") {
  return "rung,2026-11-22,\"one, GPU\",1.0," + variant + ",64x64,16," + parameters + "," + spread +
         "," + error + "\r\n";
}

std::vector<MeasuredKernel> table(const std::string& rows) {
  auto kernels = read_measurements(kHead + rows);
  EXPECT_TRUE(kernels) << kernels.error().message;
  return kernels ? *kernels : std::vector<MeasuredKernel>{};
}

Change change(const std::string& before, const std::string& now) {
  const auto changes = compare_measurements(table(row("a/b", before)), table(row("a/b", now)));
  EXPECT_EQ(changes.size(), 1U);
  return changes.front().change;
}

TEST(MeasurementComparison, OnlyWhatHasNoTimeInCommonDiffers) {
  EXPECT_EQ(change("9,1.0,0.9,1.1", "9,1.3,1.2,1.4"), Change::slower);
  EXPECT_EQ(change("9,1.0,0.9,1.1", "9,1.2,1.05,1.4"), Change::alike);
  EXPECT_EQ(change("9,1.0,0.9,1.1", "9,0.5,0.4,0.6"), Change::faster);
  EXPECT_EQ(change("2,1.0,1.0,1.0", "9,9.0,8.9,9.1"), Change::alike) << "two samples";
}

TEST(MeasurementComparison, WorkIsTheSameWhateverTheSeed) {
  const auto before =
      table(row("a/b", "9,1,1,1", "\"K=1, seed=4\"") + row("a/b", "9,5,5,5", "K=2"));
  const auto now = table(row("a/b", "9,2,2,2", "\"K=1, seed=9\""));
  const auto changes = compare_measurements(before, now);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].ratio, 2.0);
  EXPECT_EQ(changes[1].change, Change::absent);
  EXPECT_EQ(changes[0].now.device, "one, GPU");
}

TEST(MeasurementComparison, SaysWhatIsLostAndWhatIsNew) {
  const auto before = table(row("a/lost", "9,1,1,1") + row("a/never", ",,,", "", "no room"));
  const auto now = table(row("a/lost", ",,,", "seed=1", "no room") + row("a/new", "9,1,1,1") +
                         row("a/never", ",,,", "", "no room"));
  const auto changes = compare_measurements(before, now);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].change, Change::lost);
  EXPECT_TRUE(changes[0].worse_than(1000.0));
  EXPECT_EQ(changes[1].change, Change::added);
  EXPECT_FALSE(changes[1].worse_than(0.0));
}

TEST(MeasurementComparison, PercentIsOfTheEarlierMedian) {
  const auto changes = compare_measurements(table(row("a/b", "9,1.0,0.99,1.01")),
                                            table(row("a/b", "9,1.1,1.09,1.11")));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_TRUE(changes[0].worse_than(9.9));
  EXPECT_FALSE(changes[0].worse_than(10.1));
}

TEST(MeasurementComparison, OtherFilesAreRefused) {
  for (const std::string& text :
       {std::string(), std::string("a,b\n1,2\n"), kHead + std::string("rung,1\n"),
        kHead + row("a/b", "9,fast,1,1"), kHead + row("a/b", "9,-1,1,1"),
        kHead + row("a/b", "9,nan,1,1"), kHead + row("a/b", "3,0,0,0")}) {
    EXPECT_FALSE(read_measurements(text)) << text;
  }
}

}  // namespace
}  // namespace core
