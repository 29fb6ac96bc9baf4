#include "core/precision.h"

#include <array>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

namespace {

TEST(Precision, EveryHalfReadsBackAsItself) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = core::from_half(half);
    if (!std::isnan(value)) {
      ASSERT_EQ(core::to_half(value), half) << bits;
    } else {
      ASSERT_TRUE(std::isnan(core::from_half(core::to_half(value)))) << bits;
    }
  }
}

// Between two neighbours the nearer one, halfway the even one.
TEST(Precision, RoundsToTheNearestEven) {
  for (std::uint16_t half = 0; half < 0x7BFF; ++half) {
    const float low = core::from_half(half);
    const float high = core::from_half(static_cast<std::uint16_t>(half + 1));
    const float middle = 0.5F * (low + high);
    const auto even = static_cast<std::uint16_t>(half + (half & 1U));
    ASSERT_EQ(core::to_half(middle), even) << low;
    ASSERT_EQ(core::to_half(std::nextafter(middle, low)), half) << low;
    ASSERT_EQ(core::to_half(std::nextafter(middle, high)), half + 1) << low;
    ASSERT_EQ(core::to_half(-middle), even | 0x8000U) << low;
  }
  EXPECT_EQ(core::to_half(65519.0F), 0x7BFF);
  EXPECT_EQ(core::to_half(65520.0F), 0x7C00) << "too large for any half";
}

TEST(Precision, StoredValuesAreHalvesInTheirOrder) {
  const std::array values{1.0F, -2.0F, 0.1F};
  const auto bytes = core::stored(core::Precision::fp16, values);
  ASSERT_EQ(bytes.size(), 6U);
  EXPECT_EQ(bytes[1], std::byte{0x3C});
  EXPECT_EQ(bytes[3], std::byte{0xC0});
  EXPECT_EQ(core::stored(core::Precision::fp32, values).size(), 12U);
  std::vector<float> rounded(values.begin(), values.end());
  core::round_to(core::Precision::fp16, rounded);
  EXPECT_EQ(rounded[2], 0.0999755859375F);
}

}  // namespace
