// Options that `tilescope capture` gives to the layer. They are environment variables, because the
// captured program runs between the two.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace capture {

struct Options {
  std::string folder;                       ///< TILESCOPE_CAPTURE; empty: the layer does nothing
  std::string pipelines = "*";              ///< TILESCOPE_CAPTURE_PIPELINES
  std::uint64_t skip = 0;                   ///< TILESCOPE_CAPTURE_SKIP
  std::uint64_t count = ~std::uint64_t{0};  ///< TILESCOPE_CAPTURE_COUNT
  std::uint64_t every = 1;                  ///< TILESCOPE_CAPTURE_EVERY
  std::uint64_t max_bytes = std::uint64_t{2} << 30U;  ///< TILESCOPE_CAPTURE_MAX_BYTES
  bool contents = true;                               ///< TILESCOPE_CAPTURE_CONTENTS=0: sizes alone
  std::uint64_t start_ns = 0;  ///< TILESCOPE_CAPTURE_START: of the monotonic clock; 0: now
};

[[nodiscard]] Options read_options();

/// `*` stands for any text, `?` for one character.
[[nodiscard]] bool matches_glob(std::string_view glob, std::string_view text);

/// Nanoseconds of the monotonic clock.
[[nodiscard]] std::uint64_t now_ns();

}  // namespace capture
