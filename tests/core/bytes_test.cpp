#include "core/base/bytes.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/base/ceil_div.h"

namespace {

TEST(Bytes, AreWordedInTheLargestUnitThatFits) {
  EXPECT_EQ(core::bytes_in_words(0), "0 bytes");
  EXPECT_EQ(core::bytes_in_words(1536), "1.5 KiB");
  EXPECT_EQ(core::bytes_in_words(3U << 19U), "1.5 MiB");
  EXPECT_EQ(core::bytes_in_words(std::uint64_t{1023} << 20U), "1023.0 MiB");
  EXPECT_EQ(core::bytes_in_words(std::uint64_t{1} << 30U), "1.0 GiB");
  EXPECT_EQ(core::bytes_in_words(std::numeric_limits<std::uint64_t>::max()), "17179869184.0 GiB");
}

TEST(CeilDiv, RoundsUpRightToTheLargestNumber) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(core::ceil_div(0U, 16U), 0U);
  EXPECT_EQ(core::ceil_div(1U, 16U), 1U);
  EXPECT_EQ(core::ceil_div(16U, 16U), 1U);
  EXPECT_EQ(core::ceil_div(17U, 16U), 2U);
  EXPECT_EQ(core::ceil_div(most, 16U), most / 16 + 1) << "what is added first would wrap";
  EXPECT_EQ(core::ceil_div(std::uint64_t{most} + 1, 16U), std::uint64_t{most} / 16 + 1);
  EXPECT_EQ(core::round_up(666U, 16U), 672U);
  EXPECT_EQ(core::round_up(672U, 16U), 672U);
}

}  // namespace
