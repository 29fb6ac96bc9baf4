// What a kernel's header says of the ways it can be launched, so that a model can choose among them
// (core/model/wave_model.h): its [model] table.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "core/work/experiment.h"

namespace core {

/// One [[model.offer]]: a tile and constants, and what was measured of workgroups like that.
struct WaveOffer {
  std::uint32_t tile = 0;  ///< 0: the kernel has none
  Settings settings;       ///< constants of the kernel, by name
  /// Facts of the problem that it is for, by Workload::facts: {"ALIGNED", 1}.
  std::map<std::string, std::uint32_t> facts;
  glm::uvec3 covers{1};     ///< work items a workgroup
  std::uint32_t holds = 1;  ///< workgroups that a multiprocessor holds at once
  /// Share of the ceiling of multiply-adds that a multiprocessor reaches with one workgroup, and
  /// with as many as it holds.
  double alone = 1.0, full = 1.0;
  double start = 0.0;  ///< what comes before and after the loop, in rounds of it
};

struct WaveOffers {
  std::string
      depth;  ///< the size that is the rounds of a workgroup's loop, "W"; empty: one; empty: one
  std::string slices;        ///< constant: workgroups that share a tile, each a part of the rounds
  std::string whole;         ///< constant: tiles that are not shared; they come first
  std::uint32_t step = 1;    ///< rounds are shared in multiples of it
  std::uint32_t most = 256;  ///< workgroups that may share a tile
  double word = 0.0;         ///< what leaving and fetching a partial sum costs, in multiply-adds
  double meeting = 0.0;      ///< what waiting for each other costs a tile's workgroups, likewise
  std::vector<WaveOffer> offers;  ///< empty: the kernel has no model
};

}  // namespace core
