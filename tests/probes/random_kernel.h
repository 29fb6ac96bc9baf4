// Kernels made at random: small, valid, bounded, and with races or without as it falls. What they
// access and in which order depends on ids, constants, loop counters and read-only inputs alone,
// never on what they read from shared memory, so that a race does not change who accesses what.
#pragma once

#include <cstdint>
#include <string>

namespace test {

/// The GLSL of one kernel; the same seed gives the same text.
[[nodiscard]] std::string random_kernel(std::uint64_t seed);

/// The GLSL of one that is about storage buffers, launched in three workgroups: what invocations
/// write differs between them. Either its barriers order buffers, or it has atomics, never both.
[[nodiscard]] std::string random_buffer_kernel(std::uint64_t seed);

}  // namespace test
