#include "core/bytes.h"

#include <array>
#include <charconv>

namespace core {

std::string bytes_in_words(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1U << 20U);
  const bool large = mib >= 1024.0;
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 large ? mib / 1024.0 : mib, std::chars_format::fixed, 1)
                       .ptr;
  return std::string(digits.data(), end) + (large ? " GiB" : " MiB");
}

}  // namespace core
