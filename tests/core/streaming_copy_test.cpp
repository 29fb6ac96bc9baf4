#include "core/stream/streaming_copy.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace core {
namespace {

// All alignments of both sides and the lengths around a vector's, with what lies beside left alone.
TEST(StreamingCopy, CopiesAnyPartAnywhere) {
  constexpr std::size_t kRoom = 160;
  constexpr std::byte kOld{0xEE};
  std::vector<std::byte> from(kRoom);
  for (std::size_t i = 0; i < kRoom; ++i) {
    from[i] = static_cast<std::byte>(i + 1);
  }
  for (std::size_t to_at = 0; to_at < 17; ++to_at) {
    for (std::size_t from_at = 0; from_at < 17; ++from_at) {
      for (std::size_t bytes = 0; bytes < 100; ++bytes) {
        std::vector<std::byte> to(kRoom, kOld);
        copy_streaming(to.data() + to_at, from.data() + from_at, bytes);
        finish_streaming();
        std::vector<std::byte> wanted(kRoom, kOld);
        std::ranges::copy_n(from.begin() + static_cast<std::ptrdiff_t>(from_at),
                            static_cast<std::ptrdiff_t>(bytes),
                            wanted.begin() + static_cast<std::ptrdiff_t>(to_at));
        ASSERT_EQ(to, wanted) << to_at << ' ' << from_at << ' ' << bytes;
      }
    }
  }
}

}  // namespace
}  // namespace core
