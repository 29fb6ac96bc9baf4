// Reads the race probe's buffer.
#pragma once

#include <cstdint>
#include <span>

#include "core/report/check_report.h"
#include "core/work/tile_map.h"
#include "lab/run/launch.h"
#include "spirv/analysis/examination.h"
#include "spirv/probes/race_probe.h"

namespace lab {

/// Adds what the probe found to a report: races by pair of lines, indices outside, loops that did
/// not end, and the workgroups in which races were. The probed ones are `numbers` of
/// the launch's `groups`.
void add_race_findings(const spirv::Examination& examination, const spirv::RaceProbe& probe,
                       glm::uvec3 groups, const NumberedGroups& numbers,
                       std::span<const std::uint32_t> words, core::CheckReport& report);

}  // namespace lab
