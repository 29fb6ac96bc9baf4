#include "core/base/field.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace core {
namespace {

TEST(Field, KeepsSmallMatricesAsTheyAre) {
  std::vector<float> data(6);
  std::iota(data.begin(), data.end(), 0.0F);
  const Field field = reduce("C", data, 2, 3);
  EXPECT_EQ(field.texels, data);
  EXPECT_EQ(field.low, 0.0F);
  EXPECT_EQ(field.high, 5.0F);
  EXPECT_EQ(field.at(0.99, 0.5), 4.0F);
  EXPECT_TRUE(std::isnan(field.at(1.0, 0.5)));
}

TEST(Field, MeansOverWhatATexelCovers) {
  // 999 columns on 100 texels: every column counts once, so the weighted mean stays the same.
  std::vector<float> data(std::size_t{3} * 999);
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] = static_cast<float>(i % 999);
  }
  const Field field = reduce("C", data, 3, 999, 100);
  EXPECT_EQ(field.texel_rows, 3U);
  EXPECT_EQ(field.texel_columns, 100U);
  EXPECT_FLOAT_EQ(field.texels.front(), 4.0F);
  EXPECT_NEAR(field.texels[99], 993.5F, 0.6F);
}

TEST(Field, CountsWhatIsNotFinite) {
  const std::vector<float> data{1.0F, std::numeric_limits<float>::quiet_NaN(), 3.0F};
  const Field field = reduce("C", data, 1, 3);
  EXPECT_EQ(field.not_finite, 1U);
  EXPECT_EQ(field.low, 1.0F);
  EXPECT_EQ(field.high, 3.0F);
}

}  // namespace
}  // namespace core
