#include "core/base/bytes.h"

#include <limits>

#include <gtest/gtest.h>

namespace {

TEST(Bytes, AreWordedInTheLargestUnitThatFits) {
  EXPECT_EQ(core::bytes_in_words(0), "0 bytes");
  EXPECT_EQ(core::bytes_in_words(1536), "1.5 KiB");
  EXPECT_EQ(core::bytes_in_words(3U << 19U), "1.5 MiB");
  EXPECT_EQ(core::bytes_in_words(std::uint64_t{1023} << 20U), "1023.0 MiB");
  EXPECT_EQ(core::bytes_in_words(std::uint64_t{1} << 30U), "1.0 GiB");
  EXPECT_EQ(core::bytes_in_words(std::numeric_limits<std::uint64_t>::max()), "17179869184.0 GiB");
}

}  // namespace
