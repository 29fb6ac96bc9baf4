// Reads what invocations told the probe of besides races: indices outside, reads of what nothing
// wrote, arithmetic.
#pragma once

#include <cstdint>
#include <span>

#include "core/report/check_report.h"
#include "core/work/dispatch.h"
#include "lab/read/cut_loops.h"
#include "lab/run/launch.h"
#include "spirv/analysis/examination.h"
#include "spirv/probes/race/race_probe.h"

namespace lab {

/// `words` is the buffer of findings; the probed workgroups are `numbers`. The examination is of
/// the dispatch. Nothing that was found behind a loop that was cut short is added.
void add_told_findings(const spirv::Examination& examination, const core::Dispatch& dispatch,
                       const spirv::RaceProbe& probe, const NumberedGroups& numbers,
                       std::span<const std::uint32_t> words, const CutLoops& cut,
                       core::CheckReport& report);

}  // namespace lab
