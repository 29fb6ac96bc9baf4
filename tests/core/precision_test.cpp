#include "core/catalogue/precision.h"

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

TEST(Precision, BfloatsAreTheNearestTiesToEven) {
  EXPECT_EQ(core::to_bfloat(1.0F), 0x3F80);
  EXPECT_EQ(core::to_bfloat(-2.0F), 0xC000);
  EXPECT_EQ(core::to_bfloat(1.0F + 0x1p-8F), 0x3F80) << "halfway, down to even";
  EXPECT_EQ(core::to_bfloat(1.0F + 0x3p-8F), 0x3F82) << "halfway, up to even";
  EXPECT_EQ(core::to_bfloat(1.0F + 0x1p-8F + 0x1p-20F), 0x3F81) << "above halfway";
  EXPECT_EQ(core::to_bfloat(std::nextafter(2.0F, 1.0F)), 0x4000) << "carries into the exponent";
  EXPECT_EQ(core::to_bfloat(std::numeric_limits<float>::max()), 0x7F80) << "becomes infinite";
  EXPECT_EQ(core::to_bfloat(-0.0F), 0x8000);
  EXPECT_TRUE(std::isnan(core::from_bfloat(core::to_bfloat(std::nanf("")))));
  EXPECT_TRUE(std::isnan(core::from_bfloat(core::to_bfloat(std::bit_cast<float>(0x7F800001U)))))
      << "whose digits are all in the lower half";
}

TEST(Precision, ABfloatIsStoredAndReadBackAsItIs) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = core::from_bfloat(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value)) {
      ASSERT_EQ(core::to_bfloat(value), bits);
    }
  }
  EXPECT_EQ(core::to_string(core::Precision::bf16), "bf16");
  EXPECT_EQ(core::bytes_of(core::Precision::bf16), 2U);
  const std::array values{1.0F, 0.1F};
  const auto bytes = core::stored(core::Precision::bf16, values);
  ASSERT_EQ(bytes.size(), 4U);
  EXPECT_EQ(bytes[1], std::byte{0x3F});
  std::vector<float> rounded(values.begin(), values.end());
  core::round_to(core::Precision::bf16, rounded);
  EXPECT_EQ(rounded[1], 0.10009765625F);
}

}  // namespace
