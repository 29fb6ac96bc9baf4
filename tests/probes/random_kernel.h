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

/// The GLSL of one that is about facts which hold in one place and not in another: sums that stand
/// behind different guards, indices of 8 and 16 bits, values passed through functions, tiles
/// with halos, texels and images. It is launched in two or three workgroups.
[[nodiscard]] std::string random_guarded_kernel(std::uint64_t seed);

}  // namespace test
