// Reads the ledger of a check that follows memory across workgroups and through atomics.
#pragma once

#include <cstdint>
#include <span>

#include "core/report/check_report.h"
#include "lab/read/cut_loops.h"
#include "lab/run/launch.h"
#include "spirv/analysis/examination.h"
#include "spirv/probes/race/race_probe.h"

namespace lab {

/// Adds races on buffers, and on shared memory that atomics hand on, to a report; and what was not
/// followed, and why. The probed workgroups are `numbers` of the launch's `groups`. Nothing that
/// was found behind a loop that was cut short is added.
void add_order_findings(const spirv::Examination& examination, const spirv::RaceProbe& probe,
                        glm::uvec3 groups, const NumberedGroups& numbers,
                        std::span<const std::uint32_t> ledger, const CutLoops& cut,
                        core::CheckReport& report);

}  // namespace lab
