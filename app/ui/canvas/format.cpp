#include "ui/canvas/format.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace ui {

std::string significant(double value) {
  const double size = std::abs(value);
  if (size >= 999.95) {
    return fmt::format("{:5.0f}", value);
  }
  return fmt::format("{:.{}f}", value, size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3);
}

std::string time_text(double milliseconds) {
  if (milliseconds >= 999.95) {
    return significant(milliseconds * 1e-3) + " s";
  }
  if (milliseconds >= 0.99995) {
    return significant(milliseconds) + " ms";
  }
  return significant(milliseconds * 1e3) + " µs";
}

std::string time_text(const core::Spread& spread) {
  return time_text(spread.median) + (spread.unsteady() ? ", unsteady" : "");
}

std::string ratio_of(double ratio, bool unsteady) {
  return fmt::format("{}{:.2f}×", unsteady ? "~" : "", ratio);
}

std::string unsteady_text(const core::Spread& spread) {
  constexpr std::size_t kEnough = 10;
  return !spread.unsteady() ? std::string()
         : spread.count < kEnough
             ? fmt::format("unsteady: {} sample{}", spread.count, spread.count == 1 ? "" : "s")
             : fmt::format("unsteady: the range p5 – p95 is {:.0f} % of the median",
                           100.0 * (spread.p95 - spread.p5) / spread.median);
}

std::string rate_text(double giga, const std::string& unit) {
  if (giga >= 999.95) {
    return significant(giga * 1e-3) + " T" + unit;
  }
  if (giga >= 0.99995 || giga <= 0.0) {
    return significant(giga) + " G" + unit;
  }
  return significant(giga * 1e3) + " M" + unit;
}

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3) {
    digits.insert(static_cast<std::size_t>(place), 1, ',');
  }
  return digits;
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024.0 && unit + 1 < units.size()) {
    bytes /= 1024.0;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

std::string short_scientific(double value) {
  if (value == 0.0) {
    return "0";
  }
  if (!std::isfinite(value)) {
    return "∞";
  }
  const auto exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  const double mantissa = std::round(value / std::pow(10.0, exponent));
  return std::abs(mantissa) >= 10.0 ? fmt::format("1e{}", exponent + 1)
                                    : fmt::format("{:.0f}e{}", mantissa, exponent);
}

std::string tick_text(double value) {
  if (value != 0.0 && (std::abs(value) >= 1e5 || std::abs(value) < 1e-3)) {
    return fmt::format("{:.1e}", value);
  }
  return fmt::format("{:.3g}", value);
}

}  // namespace ui
