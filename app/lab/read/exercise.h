// What a checked launch exercised: from the probe's marks and votes to a report.
#pragma once

#include <cstdint>
#include <span>

#include "core/report/check_report.h"
#include "lab/read/cut_loops.h"
#include "spirv/analysis/examination.h"
#include "spirv/probes/race/race_probe.h"

namespace lab {

/// `words` is the buffer of findings. Code behind a loop that was cut short counts as not executed.
void add_exercise(const spirv::Examination& examination, const spirv::RaceProbe& probe,
                  std::span<const std::uint32_t> words, const CutLoops& cut,
                  core::CheckReport& report);

/// Adds barriers that some invocations came to without the others, and warnings of those that the
/// text allows to diverge (`divergent`) and that did not in this launch.
void add_votes(const spirv::Examination& examination, const spirv::RaceProbe& probe,
               std::span<const spirv::DivergentBarrier> divergent,
               std::span<const std::uint32_t> words, core::CheckReport& report);

}  // namespace lab
