// Reads the race probe's buffer.
#pragma once

#include <cstdint>
#include <span>

#include "core/catalogue/tile_map.h"
#include "core/report/check_report.h"
#include "lab/read/cut_loops.h"
#include "lab/run/launch.h"
#include "spirv/analysis/examination.h"
#include "spirv/probes/race/race_probe.h"

namespace lab {

/// One more finding; what stands for the same place of the text (an inlined function, an unrolled
/// loop) as one that is there is counted with it.
void add_finding(core::CheckReport& report, const core::Finding& finding);

/// Gives a finding the name that the source has for its element, unless place() says the same.
void name_element(core::Finding& finding, const std::string& element);

/// Adds what the probe found to a report: races by pair of lines, and the workgroups in which races
/// were. The probed ones are `numbers` of the launch's `groups`. Nothing that was found behind a
/// loop that was cut short is added.
void add_race_findings(const spirv::Examination& examination, const spirv::RaceProbe& probe,
                       glm::uvec3 groups, const NumberedGroups& numbers,
                       std::span<const std::uint32_t> words, const CutLoops& cut,
                       core::CheckReport& report);

}  // namespace lab
