// Amounts of memory in words.
#pragma once

#include <cstdint>
#include <string>

namespace core {

/// "512.0 MiB", "2.5 GiB", "100 bytes".
[[nodiscard]] std::string bytes_in_words(std::uint64_t bytes);

/// Bytes that this machine can still give without swapping; 0 where it doesn't tell.
[[nodiscard]] std::uint64_t available_memory();

}  // namespace core
