// The most that is taken from somebody else's kernel or file, each with its reason. Past one of
// them it is said which, with what was done by then. The manual has the table ("Limits").
#pragma once

#include <cstddef>
#include <cstdint>

namespace core::limits {

// A kernel's text and its includes.
inline constexpr std::size_t source_bytes = 16U << 20U;  ///< of all files: a compiler takes minutes
inline constexpr std::size_t includes = 4096;     ///< directives followed: doubling ones end here
inline constexpr std::size_t include_depth = 64;  ///< what includes itself ends here

// Other files.
inline constexpr std::size_t text_bytes = 64U << 20U;  ///< any: more is not what it says it is
inline constexpr std::size_t toml_bytes = 4U << 20U;   ///< scenes, settings, headers
/// Parts of a dotted key ("a.b.c" has 3), each a recursion. Tables within tables are limited by
/// toml++ (256).
inline constexpr std::size_t toml_parts = 32;

// A module.
/// Loads, stores and atomics that a kernel may be written with: pairs of them are compared, so that
/// examining more takes minutes. The largest met yet have a few thousand.
inline constexpr std::size_t accesses = 60'000;
/// Pairs of accesses to shared memory that are compared before the run: a few million a second.
inline constexpr std::uint64_t pairs = 50'000'000;
/// Of these, the ones that may race and are checked during the run: each is a table's row, and an
/// iteration at every barrier.
inline constexpr std::size_t open_pairs = 16'384;
/// Words of a probe that SPIRV-Tools' performance passes go over: some hundreds a millisecond.
inline constexpr std::size_t optimized_words = 200'000;
/// Of all resources: each takes a name, contents and memory.
inline constexpr std::uint64_t descriptors = 4096;

// Time. Steps have seconds of one processor, and ten times that of the clock's
// (core/base/watched_step.h).
// A kernel that is larger by far than any met yet takes a few seconds.
inline constexpr double compile_seconds = 30.0;    ///< text to SPIR-V
inline constexpr double examine_seconds = 60.0;    ///< SPIR-V: what is uniform, what may race
inline constexpr double pipeline_seconds = 120.0;  ///< SPIR-V to the device's code, by its driver
inline constexpr double trial_seconds = 300.0;     ///< a trial of the window's, all of it
inline constexpr double call_seconds = 600.0;      ///< --timeout when left out: a command's, all

// Memory of the probes.
inline constexpr std::uint64_t shared_shadow_bytes = std::uint64_t{256} << 20U;  ///< in slices
inline constexpr std::uint64_t buffer_shadow_bytes =
    (std::uint64_t{1} << 32U) - 4096;  ///< a buffer
/// The same on an emulated device, whose memory is the machine's.
inline constexpr std::uint64_t emulated_shadow_bytes = std::uint64_t{1} << 30U;
inline constexpr std::uint64_t trace_bytes = std::uint64_t{64} << 20U;      ///< then counted only
inline constexpr std::uint64_t timeline_bytes = std::uint64_t{256} << 20U;  ///< then in slices
/// Of outputs, compared with what stood there before: who wrote nothing.
inline constexpr std::uint64_t output_bytes = std::uint64_t{64} << 20U;

}  // namespace core::limits
