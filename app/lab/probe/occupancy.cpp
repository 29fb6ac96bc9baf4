#include "lab/probe/occupancy.h"

#include <algorithm>

#include "lab/plan/plan.h"

namespace lab {
namespace {

core::Experiment at_tile(const Setup& setup, std::uint32_t tile) {
  core::Experiment other = setup.experiment;
  other.tile = tile;
  return other;
}

// A launch of a setup, whose occupancy it is.
struct Subject {
  const Setup& setup;
  std::size_t launch = 0;
  std::uint32_t subgroup_size = 0;
};

core::Expected<Plan> plan_of(const Subject& subject, const core::Experiment& experiment) {
  const auto& [setup, launch, subgroup_size] = subject;
  if (!setup.variant.work) {
    return plan_kernel(experiment, setup.kernel(launch).module, subgroup_size);
  }
  auto planned = TRY(plan_variant(setup.variant, experiment, setup.data->problem));
  const auto same =
      std::ranges::find(planned, setup.launches[launch].number, &PlannedLaunch::number);
  return same != planned.end()
             ? core::Expected<Plan>(std::move(same->plan))
             : core::usage_error(
                   "this kernel has no launches with this tile size; choose another one");
}

core::Expected<Plan> plan_at(const Subject& subject, std::uint32_t tile) {
  return plan_of(subject, at_tile(subject.setup, tile));
}

// What unused columns take, a constant at a time.
std::vector<core::PaddingCost> paddings_of(const Subject& subject, std::uint32_t tile,
                                           const Plan& plan) {
  std::vector<core::PaddingCost> paddings;
  for (const std::string& constant : plan.paddings) {
    core::Experiment without = at_tile(subject.setup, tile);
    without.settings[constant] = "0";
    const auto other = plan_of(subject, without);
    if (other && other->shared_bytes < plan.shared_bytes) {
      paddings.push_back({.constant = constant, .bytes = plan.shared_bytes - other->shared_bytes});
    }
  }
  return paddings;
}

core::TileOccupancy tile_of(const Subject& subject, std::uint32_t tile,
                            const core::DeviceInfo& device) {
  core::TileOccupancy t;
  t.tile = tile;
  const auto plan = plan_at(subject, tile);
  if (!plan) {
    t.impossible = plan.error().message;
    return t;
  }
  t.local_size = plan->tiles.local_size;
  t.use.invocations = t.local_size.x * t.local_size.y * t.local_size.z;
  t.use.subgroup_size = std::max(device.subgroup_size, 1U);
  t.use.shared_bytes = plan->shared_bytes;
  t.paddings = paddings_of(subject, tile, *plan);
  if (const auto ok = check_plan(*plan, tile, device); !ok) {
    t.impossible = ok.error().message;
  }
  return t;
}

std::vector<std::uint32_t> tiles_of(const Setup& setup) {
  std::vector<std::uint32_t> tiles = setup.variant.tile.values;
  if (std::ranges::find(tiles, setup.experiment.tile) == tiles.end()) {
    tiles.push_back(setup.experiment.tile);
  }
  std::ranges::sort(tiles);
  return tiles;
}

bool is_due(const core::TileOccupancy& tile) {
  return !tile.compiled && tile.impossible.empty();
}

std::size_t next_due(const core::Occupancy& occupancy) {
  const auto& tiles = occupancy.tiles;
  return is_due(occupancy.now())
             ? occupancy.chosen
             : static_cast<std::size_t>(std::ranges::find_if(tiles, is_due) - tiles.begin());
}

void take(core::TileOccupancy& tile, const core::PipelineStatistics& statistics) {
  tile.use.registers = statistics.registers;
  tile.use.shared_bytes = statistics.shared_bytes.value_or(tile.use.shared_bytes);
  if (statistics.subgroup_size > 0) {
    tile.use.subgroup_size = statistics.subgroup_size;
  }
}

}  // namespace

core::Occupancy occupancy_of(const Setup& setup, const core::DeviceInfo& device,
                             std::size_t launch) {
  core::Occupancy occupancy;
  occupancy.kernel = setup.launches.size() > 1 ? setup.kernel(launch).variant.id() : "";
  occupancy.multiprocessor = core::multiprocessor_of(device);
  if (!device.executable_statistics) {
    occupancy.no_statistics = "not reported by this device";
  }
  for (const std::uint32_t tile : tiles_of(setup)) {
    if (tile == setup.experiment.tile) {
      occupancy.chosen = occupancy.tiles.size();
    }
    occupancy.tiles.push_back(tile_of({setup, launch, device.subgroup_size}, tile, device));
  }
  core::model(occupancy);
  return occupancy;
}

bool can_refine(const core::Occupancy& occupancy, const core::DeviceInfo& device) {
  return device.executable_statistics && std::ranges::any_of(occupancy.tiles, is_due);
}

std::uint32_t tile_to_refine(const core::Occupancy& occupancy) {
  return occupancy.tiles[next_due(occupancy)].tile;
}

void leave_out(core::Occupancy& occupancy, const core::Error& why) {
  occupancy.tiles[next_due(occupancy)].impossible = why.message;
  core::model(occupancy);
}

core::Expected<void> refine(gpu::Device& device, const Setup& setup, std::size_t launch,
                            core::Occupancy& occupancy) {
  const bool first = is_due(occupancy.now());
  core::TileOccupancy& tile = occupancy.tiles[next_due(occupancy)];
  tile.compiled = true;
  const auto plan = plan_at({setup, launch, device.info().subgroup_size}, tile.tile);
  const auto plain = plan ? plain_kernel(plan->dispatch) : std::unexpected(plan.error());
  auto statistics = plain ? device.statistics(plain->spec()) : std::unexpected(plain.error());
  if (!statistics && statistics.error().device_lost) {
    return std::unexpected(statistics.error());
  }
  if (!statistics) {
    tile.compiled = false;
    tile.impossible = statistics.error().message;
  } else {
    take(tile, *statistics);
  }
  if (first && statistics) {
    occupancy.statistics = std::move(*statistics);
  }
  core::model(occupancy);
  return {};
}

}  // namespace lab
