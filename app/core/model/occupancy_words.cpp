// What the occupancy model says in words.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/model/occupancy.h"
#include "core/work/result.h"

namespace core {
namespace {

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string percent(double share) {
  return std::to_string(std::lround(100.0 * share)) + " %";
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

// "tile 32 gives 2 workgroups, 64 warps"
std::string gives(const TileOccupancy& tile) {
  const std::string name = "tile " + std::to_string(tile.tile);
  if (!tile.impossible.empty()) {
    return name + " is not possible";
  }
  if (!tile.residency) {
    return {};
  }
  const Residency& r = *tile.residency;
  return name + " would give " + counted(r.workgroups, "workgroup", "workgroups") + ", " +
         counted(r.warps, "warp", "warps") + " (" + percent(r.share()) + ")";
}

}  // namespace

std::string to_string(SlotResource resource) {
  switch (resource) {
    case SlotResource::warps:
      return "warps";
    case SlotResource::workgroups:
      return "workgroup slots";
    case SlotResource::registers:
      return "registers";
    case SlotResource::shared_memory:
      break;
  }
  return "shared memory";
}

std::string headline(const Residency& r) {
  return counted(r.workgroups, "workgroup", "workgroups") +
         " per multiprocessor: " + std::to_string(r.warps) + " of " +
         counted(r.warps_most, "warp", "warps") + ", " + percent(r.share());
}

std::string limits_of(const Residency& r) {
  std::vector<std::string> names;
  for (const ResourceUse& resource : r.resources) {
    if (resource.limits) {
      names.push_back(to_string(resource.resource));
    }
  }
  return joined(names);
}

std::string limit_sentence(const Residency& r) {
  std::string text = limits_of(r);
  const bool plural = text != to_string(SlotResource::shared_memory);
  text += plural ? " are the limit: " : " is the limit: ";
  if (r.workgroups == 0) {
    text += "no workgroup fits on a multiprocessor";
  } else {
    text += "only " + counted(r.workgroups, "workgroup fits", "workgroups fit") +
            " on a multiprocessor";
  }
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + ".";
}

std::string rounding_sentence(const TileOccupancy& tile) {
  if (!tile.residency || !tile.use.registers) {
    return {};
  }
  const Residency& r = *tile.residency;
  for (const ResourceUse& resource : r.resources) {
    const std::uint64_t lanes = std::uint64_t{r.warps_each} * tile.use.subgroup_size;
    const std::uint64_t given = resource.each / std::max<std::uint64_t>(lanes, 1);
    if (resource.resource == SlotResource::registers && resource.limits &&
        given > *tile.use.registers) {
      return "The device allocates " + std::to_string(given) + " registers for the " +
             std::to_string(*tile.use.registers) + " that an invocation needs.";
    }
  }
  return {};
}

std::string padding_sentence(const TileOccupancy& tile) {
  std::string text;
  if (!tile.residency || tile.paddings.empty()) {
    return text;
  }
  for (const PaddingCost& padding : tile.paddings) {
    if (padding.workgroups > tile.residency->workgroups) {
      text += (text.empty() ? "" : " ") + std::string("Without the ") +
              std::to_string(padding.bytes) + " bytes of " + padding.constant + ", " +
              counted(padding.workgroups, "workgroup", "workgroups") + " would fit, not " +
              std::to_string(tile.residency->workgroups) + ".";
    }
  }
  return text.empty() ? "The padding does not reduce the number of workgroups." : text;
}

std::string neighbours_sentence(const Occupancy& occupancy, std::uint32_t tile) {
  const TileOccupancy* now = occupancy.of(tile);
  if (now == nullptr) {
    return {};
  }
  const auto at = static_cast<std::size_t>(now - occupancy.tiles.data());
  std::string text = at > 0 ? gives(occupancy.tiles[at - 1]) : std::string();
  if (at + 1 < occupancy.tiles.size()) {
    const std::string larger = gives(occupancy.tiles[at + 1]);
    text += (text.empty() || larger.empty() ? "" : "; ") + larger;
  }
  if (!text.empty()) {
    text.front() = 'T';
    text += ".";
  }
  return text;
}

std::string scope_sentence(const Result& result) {
  const std::size_t launches = result.launches.size();
  if (launches < 2 || !result.occupancy) {
    return {};
  }
  return "For launch " + std::to_string(result.launch + 1) + " of " + std::to_string(launches) +
         ", " + result.occupancy->kernel + ".";
}

std::uint64_t launched_groups(const Result& result) {
  return result.launch < result.launches.size() ? result.launches[result.launch].groups.count()
                                                : result.tiles.group_count();
}

std::string launch_sentence(const Residency& residency, const DeviceInfo& device,
                            std::uint64_t groups) {
  const std::uint64_t places = std::uint64_t{residency.workgroups} * device.multiprocessors;
  if (places == 0 || groups >= places) {
    return {};
  }
  char each[32];
  std::snprintf(each, sizeof each, "%.1f",
                static_cast<double>(groups) / static_cast<double>(device.multiprocessors));
  return "This launch is too small to fill the device: " +
         counted(groups, "workgroup", "workgroups") + " for " +
         std::to_string(device.multiprocessors) + " multiprocessors, " + each + " each.";
}

}  // namespace core
