#include "core/base/bytes.h"

#include <array>
#include <charconv>
#include <fstream>

namespace core {

std::string bytes_in_words(std::uint64_t bytes) {
  if (bytes < 1024) {
    return std::to_string(bytes) + " bytes";
  }
  constexpr std::array units{" KiB", " MiB", " GiB"};
  double amount = static_cast<double>(bytes) / 1024.0;
  std::size_t unit = 0;
  for (; amount >= 1024.0 && unit + 1 < units.size(); ++unit) {
    amount /= 1024.0;
  }
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), amount,
                                 std::chars_format::fixed, 1)
                       .ptr;
  return std::string(digits.data(), end) + units[unit];
}

std::uint64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  for (std::string name, rest; info >> name; std::getline(info, rest)) {
    if (std::uint64_t kilobytes = 0; name == "MemAvailable:" && info >> kilobytes) {
      return kilobytes * 1024;
    }
  }
  return 0;
}

}  // namespace core
