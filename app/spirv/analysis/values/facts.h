// What an examined kernel's text tells, as plain data for those who show it.
#pragma once

#include <span>

#include "core/work/kernel_facts.h"
#include "spirv/analysis/examination.h"
#include "spirv/reflection/barriers.h"

namespace spirv {

/// `words` is the module that was examined, before the edits: barriers keep their numbers and kinds
/// from there. Errors: as of parse() and reflect().
[[nodiscard]] Expected<core::KernelFacts> facts_of(std::span<const std::uint32_t> words,
                                                   const SpecValues& spec_values,
                                                   const BarrierEdits& edits,
                                                   const Examination& examination);

/// A barrier that not all invocations reach alike, and the condition that decides it: `first` is
/// the condition's place. Files that are the kernel's own are left empty.
[[nodiscard]] core::Finding divergent_finding(const Program& program, const SourceLine& barrier,
                                              const SourceLine& condition);

}  // namespace spirv
