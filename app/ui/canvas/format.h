// Numbers as text: four significant digits, so that live figures keep their width.
#pragma once

#include <cstdint>
#include <string>

#include "core/report/timing.h"

namespace ui {

/// "12.35": at least four significant digits, always the same number of characters from 0.001 to
/// 9999.
[[nodiscard]] std::string significant(double value);
/// "240.1 ms", "12.35 µs", "1.234 s".
[[nodiscard]] std::string time_text(double milliseconds);
/// The median: "12.35 µs", "12.35 µs, unsteady".
[[nodiscard]] std::string time_text(const core::Spread& spread);
/// "1.83×", "~1.83×" of an unsteady time.
[[nodiscard]] std::string ratio_of(double ratio, bool unsteady);
/// Why a time is unsteady; empty if it is not.
[[nodiscard]] std::string unsteady_text(const core::Spread& spread);
/// "8.213 TFLOP/s" from 8213 with unit "FLOP/s": `giga` counts 10⁹ of the unit.
[[nodiscard]] std::string rate_text(double giga, const std::string& unit);
/// "262,144".
[[nodiscard]] std::string count_text(std::uint64_t count);
/// "64.0 KiB".
[[nodiscard]] std::string bytes_text(double bytes);
/// "3e-7".
[[nodiscard]] std::string short_scientific(double value);
/// A value on a colour bar or axis: "-1.25", "3.2e+06".
[[nodiscard]] std::string tick_text(double value);

}  // namespace ui
