// How a launch fills a device: its workgroups are dealt out to multiprocessors, a wave at a time,
// and the launch lasts as long as the multiprocessor that gets most. From that and from what was
// measured of each tile (core/catalogue/wave_offers.h) follows which tile, and how many workgroups
// a tile, should be fastest for a problem.
//
// The model. P multiprocessors hold R workgroups each. Of G workgroups one multiprocessor gets
// n = ceil(G / P). With r at once it does rate(r) = min(full, r · alone) of its ceiling, so that n
// of c multiply-adds last
//   floor(n / R) · R · c / full + (n mod R) · c / rate(n mod R).
// c counts all items that a tile covers, also those over the edge, times the rounds of its loop and
// those that its start costs. Quantization into waves is described in NVIDIA's "Matrix
// Multiplication Background User's Guide", Wave Quantization; that tiles are shared only in the
// last wave follows Osama et al., "Stream-K" (PPoPP 2023), section 3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/device_info.h"
#include "core/catalogue/variant.h"
#include "core/catalogue/workload.h"
#include "core/work/experiment.h"

namespace core {

/// One way to launch a kernel, modelled.
struct WavePlan {
  std::uint32_t tile = 0;
  Settings settings;         ///< constants, those that share tiles included
  std::uint64_t tiles = 0;   ///< of the launch
  std::uint64_t whole = 0;   ///< that one workgroup does alone
  std::uint32_t slices = 1;  ///< workgroups for each of the others
  std::uint64_t workgroups = 0;
  std::uint32_t multiprocessors = 0;
  std::uint32_t holds = 0;  ///< workgroups at once, a multiprocessor
  std::uint64_t waves = 0;  ///< begun, of multiprocessors that hold all they can
  double filled = 0.0;      ///< of the time that the busiest multiprocessor works, 0 to 1
  double useful = 0.0;      ///< of the items that tiles cover: the others lie over the edge
  double cost = 0.0;        ///< of the busiest multiprocessor, in multiply-adds at its ceiling
};

/// Who decided how a kernel is launched.
enum class ChosenBy { preset, user, tuner, model };

struct WaveReport {
  ChosenBy by = ChosenBy::preset;
  std::optional<WavePlan> now;   ///< of this launch; nothing: it is none of those that are modelled
  std::vector<WavePlan> offers;  ///< all there are, the fastest first
};

/// What the model makes of every offer with every sharing, fastest first. Empty where the kernel
/// has no offers for such a problem or the device does not tell its multiprocessors.
[[nodiscard]] std::vector<WavePlan> plan_waves(const Variant& variant, const Workload& workload,
                                               const Sizes& sizes, const DeviceInfo& device);
/// Is the plan as the experiment says, in all that the experiment says?
[[nodiscard]] bool agrees(const WavePlan& plan, const Variant& variant, const Experiment& given);
/// The fastest of each tile and constants, however its tiles are shared.
[[nodiscard]] std::vector<WavePlan> best_of_each(const std::vector<WavePlan>& plans,
                                                 const Variant& variant);

/// "98 tiles on 132 multiprocessors: one wave, 74 % filled".
[[nodiscard]] std::string sentence(const WavePlan& plan);
/// "tile 128 BN=256 SLICES=4".
[[nodiscard]] std::string choice_words(const WavePlan& plan);
/// "preset", "user", "tuner", "model".
[[nodiscard]] std::string to_string(ChosenBy by);

}  // namespace core
