// The form that all analyses and probes work on: specialization constants frozen to their values,
// one function with everything inlined, local variables lifted to SSA, branches on constants gone,
// indices of 32 bits.
// Accesses to shared memory and buffers are all still there, each with its source line.
#pragma once

#include <span>
#include <string>

#include "spirv/module/constants.h"
#include "spirv/module/module.h"

namespace spirv {

/// SPIRV-Tools' validator for Vulkan 1.3. The error holds the validator's first message.
[[nodiscard]] Expected<void> validate(std::span<const std::uint32_t> words);

/// Validates, then brings into canonical form. Errors: not valid; no compute entry point; functions
/// that can't be inlined.
[[nodiscard]] Expected<Words> canonical(std::span<const std::uint32_t> words,
                                        const SpecValues& spec_values);

/// The module with its specialization constants frozen to their values, and folded. Drivers compile
/// plain numbers better than constants that are only filled in when the pipeline is made: register
/// tiling on an NVIDIA H200 runs 1.1 times faster. Errors: SPIRV-Tools can't read it.
[[nodiscard]] Expected<Words> specialize(std::span<const std::uint32_t> words,
                                         const SpecValues& spec_values);

/// The module after SPIRV-Tools' performance passes, which unroll what the text asks to be
/// unrolled. Drivers that do so themselves give up where a probe has written beside it: sums in
/// registers then lie in memory (matmul/registers under the race probe on an NVIDIA H200: 21 times
/// as slow). As it came where it is larger than core::limits::optimized_words, or can't be
/// transformed.
[[nodiscard]] Words quickened(Words words);

/// Lifts local variables to SSA and folds constants, for a module that was canonical before an edit
/// of ours.
[[nodiscard]] Expected<Words> lift(std::span<const std::uint32_t> words);

/// Variables with more scalars are not marked.
inline constexpr std::uint32_t most_unset_scalars = 32;
/// Gives each local variable that lift() turns into values an OpUndef as its first value, which
/// bears the variable's name. A value that comes from it was read before it was written.
void mark_unset_variables(Module& module);
/// Removes the marks that no instruction uses, and those of variables that stayed variables.
void drop_unset_marks(Module& module);
/// The variable's name if the instruction is such a mark, else empty.
[[nodiscard]] std::string unset_variable(const Definitions& definitions, const Instruction& i);

}  // namespace spirv
