#include "core/report/timing.h"

#include <array>

#include <gtest/gtest.h>

namespace core {
namespace {

TEST(Timing, InterpolatesPercentiles) {
  const std::array sorted{1.0, 2.0, 3.0, 4.0};
  EXPECT_DOUBLE_EQ(percentile(sorted, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(percentile(sorted, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(percentile(sorted, 1.0), 4.0);
  EXPECT_DOUBLE_EQ(percentile(sorted, 0.25), 1.75);
}

TEST(Timing, SpreadDoesNotDependOnOrder) {
  const std::array samples{5.0, 1.0, 4.0, 2.0, 3.0};
  const Spread spread = spread_of(samples);
  EXPECT_EQ(spread.count, 5U);
  EXPECT_DOUBLE_EQ(spread.median, 3.0);
  EXPECT_DOUBLE_EQ(spread.low, 1.0);
  EXPECT_DOUBLE_EQ(spread.high, 5.0);
  EXPECT_DOUBLE_EQ(spread.p5, 1.2);
  EXPECT_DOUBLE_EQ(spread.p95, 4.8);
}

TEST(Timing, FewSamplesOrALargeSpreadAreUnsteady) {
  EXPECT_FALSE(Spread{}.unsteady()) << "there is no time";
  EXPECT_TRUE((Spread{9, 1.0, 1.0, 1.0, 1.0, 1.0}).unsteady());
  EXPECT_FALSE((Spread{10, 1.0, 0.9, 1.1, 0.5, 9.0}).unsteady());
  EXPECT_TRUE((Spread{100, 1.0, 0.9, 1.2, 0.9, 1.2}).unsteady());
}

TEST(Timing, NoSamplesNoSpread) {
  EXPECT_EQ(spread_of({}).count, 0U);
  EXPECT_DOUBLE_EQ(spread_of({}).median, 0.0);
}

TEST(Timing, HistogramCountsEverySample) {
  const std::array samples{0.0, 0.5, 1.0, 9.9, 10.0, 11.0, -1.0};
  const auto bins = histogram(samples, 0.0, 10.0, 10);
  EXPECT_EQ(bins[0], 3U);
  EXPECT_EQ(bins[1], 1U);
  EXPECT_EQ(bins[9], 3U);
  EXPECT_EQ(histogram(samples, 1.0, 1.0, 4)[0], samples.size());
}

}  // namespace
}  // namespace core
