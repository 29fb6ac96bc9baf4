// Occupancy: how many workgroups of a kernel a multiprocessor holds at once, and what runs out
// first. Modelled from what the kernel takes and what the device has; observed residency comes from
// the timeline and stands beside it.
//
// The arithmetic is that of NVIDIA's occupancy calculator (cuda_occupancy.h,
// cudaOccMaxActiveBlocksPerMultiprocessor): each resource by itself allows so many workgroups, and
// the smallest number counts. Registers are given to warps, within a partition of the
// multiprocessor; shared memory to workgroups.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "core/base/device_info.h"
#include "core/model/multiprocessor.h"
#include "core/model/pipeline_statistics.h"

namespace core {

struct Result;

/// What one workgroup of a kernel takes.
struct KernelUse {
  std::uint32_t invocations = 0;
  std::uint32_t subgroup_size = 32;
  std::uint64_t shared_bytes = 0;  ///< as declared, or as the driver lays it out where it tells
  /// Of 32 bits, an invocation; nothing: not known.
  std::optional<std::uint32_t> registers = std::nullopt;
};

enum class SlotResource { warps, workgroups, registers, shared_memory };

/// One resource of a multiprocessor, with the units that it is given out in rounded up.
struct ResourceUse {
  SlotResource resource = SlotResource::warps;
  bool known = true;       ///< false: it is not known what the kernel takes
  std::uint64_t each = 0;  ///< what a workgroup takes
  std::uint64_t has = 0;   ///< what the multiprocessor has
  std::uint32_t fit = 0;   ///< workgroups that this resource allows
  bool limits = false;     ///< no other allows fewer
};

/// What a multiprocessor holds of one kernel at once.
struct Residency {
  std::uint32_t warps_each = 0;  ///< a workgroup
  std::uint32_t workgroups = 0;
  std::uint32_t warps = 0;
  std::uint32_t warps_most = 0;        ///< that the multiprocessor has places for
  std::vector<ResourceUse> resources;  ///< one of each

  /// Warps of the most that there can be, 0 to 1: what is called occupancy.
  [[nodiscard]] double share() const;
  /// The first resource that limits.
  [[nodiscard]] const ResourceUse& limiter() const;
};

[[nodiscard]] Residency residency_of(const KernelUse& use, const Multiprocessor& has);

/// What the unused columns that a constant PAD… of the kernel adds take from a multiprocessor.
struct PaddingCost {
  std::string constant;          ///< "PAD_A"
  std::uint64_t bytes = 0;       ///< of shared memory, a workgroup
  std::uint32_t workgroups = 0;  ///< that would fit without; 0: not known
};

/// One value of the kernel's tile range.
struct TileOccupancy {
  std::uint32_t tile = 0;  ///< 0: the kernel has no tile to choose
  glm::uvec3 local_size{1};
  KernelUse use;
  bool compiled = false;   ///< `use` is of this tile's own build; false: registers are assumed
  std::string impossible;  ///< why it can't be launched here, in words; empty: it can
  std::optional<Residency> residency;  ///< nothing: not known for this device, or impossible
  std::vector<PaddingCost> paddings;
};

struct Occupancy {
  std::optional<Multiprocessor> multiprocessor;  ///< nothing: not known for this device
  PipelineStatistics statistics;                 ///< of the chosen tile's kernel
  std::string no_statistics;         ///< why there are none, in words; empty: there are, or will be
  std::vector<TileOccupancy> tiles;  ///< ascending; one where there is nothing to choose
  std::size_t chosen = 0;            ///< of `tiles`
  std::string kernel;                ///< whose it is, where it is the first launch's of several

  [[nodiscard]] const TileOccupancy& now() const { return tiles[chosen]; }
  /// Of that tile; null: it is not in the range.
  [[nodiscard]] const TileOccupancy* of(std::uint32_t tile) const;
};

/// Works out Residency of every tile. A tile that was not compiled takes the chosen one's
/// registers.
void model(Occupancy& occupancy);

/// Most workgroups that were seen on a multiprocessor at once; nothing: no timeline was recorded,
/// or the device does not tell.
[[nodiscard]] std::optional<std::uint32_t> observed_workgroups(const Result& result);

/// "warps", "workgroup slots", "registers", "shared memory".
[[nodiscard]] std::string to_string(SlotResource resource);
/// "8 workgroups a multiprocessor: 64 of 64 warps, 100 %".
[[nodiscard]] std::string headline(const Residency& residency);
/// "warps and registers": all resources that limit.
[[nodiscard]] std::string limits_of(const Residency& residency);
/// Which resource runs out first, as a sentence.
[[nodiscard]] std::string limit_sentence(const Residency& residency);
/// "33 registers an invocation are given out as 40.": where registers limit and are rounded up;
/// else empty.
[[nodiscard]] std::string rounding_sentence(const TileOccupancy& tile);
/// "Without PAD_A's 960 bytes 7 workgroups would fit, not 6.": what padding costs; empty: the
/// kernel has none, or nothing is known.
[[nodiscard]] std::string padding_sentence(const TileOccupancy& tile);
/// What the next smaller and the next larger tile would give, as a sentence; empty: there are none.
[[nodiscard]] std::string neighbours_sentence(const Occupancy& occupancy, std::uint32_t tile);
/// "Of the first of 3 launches, transpose/divided; …": empty where there is one.
[[nodiscard]] std::string scope_sentence(const Result& result);
/// Workgroups of the launch that the model is of.
[[nodiscard]] std::uint64_t launched_groups(const Result& result);
/// "at most 7.8 workgroups a multiprocessor in this launch": where a launch is too small to fill
/// the device; empty: it is not, or the device does not tell its multiprocessors.
[[nodiscard]] std::string launch_sentence(const Residency& residency, const DeviceInfo& device,
                                          std::uint64_t groups);

/// A launch as rounds in which every multiprocessor is full, the last one with what is left.
struct LaunchWaves {
  std::uint64_t groups = 0;
  std::uint64_t places = 0;  ///< workgroups of a wave
  std::uint64_t count = 0;
  std::uint64_t last = 0;  ///< workgroups of the last wave

  /// Of the last wave's places, those that are taken.
  [[nodiscard]] double filled() const {
    return static_cast<double>(last) / static_cast<double>(places);
  }
};
/// Nothing: none would be held, or the multiprocessors are not known.
[[nodiscard]] std::optional<LaunchWaves> launch_waves(std::uint64_t groups,
                                                      const Residency& residency,
                                                      std::uint32_t multiprocessors);

}  // namespace core
