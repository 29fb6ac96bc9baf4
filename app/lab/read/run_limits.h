// What one run of a kernel can't show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/dispatch.h"
#include "spirv/analysis/examination.h"
#include "spirv/analysis/flow/coverage.h"

namespace lab {

/// Makes the report incomplete if the kernel stores to buffers or images and no store ran. `marks`
/// are those of the coverage.
void add_no_store(const spirv::Examination& examination, const spirv::Coverage& coverage,
                  const std::vector<std::uint32_t>& marks, core::CheckReport& report);

/// Returns the specialization constants that alone decide a branch, "ON (8), FAST (9)": names and
/// ids. Empty if there is none.
[[nodiscard]] std::string deciding_constants(const core::KernelModule& module);

/// Makes the report incomplete if the kernel declares outputs and has no store that can be reached.
void add_nothing_stored(const spirv::Examination& examination, const core::Dispatch& dispatch,
                        core::CheckReport& report);

/// Adds a remark if values that atomics return decide which code runs or which elements are read:
/// another order of execution may show what this one did not. A kernel whose accesses are all
/// proven gets none.
void add_decided_by_atomics(const spirv::Examination& examination, core::CheckReport& report);

}  // namespace lab
