#include "core/model/instructions.h"

#include <algorithm>
#include <compare>
#include <tuple>

namespace core {
namespace {

// Which group and lane each invocation is.
struct Place {
  std::uint32_t group = 0;
  std::uint32_t lane = 0;
};

std::uint32_t invocations_of(const Trace& trace) {
  return trace.local_size[0] * trace.local_size[1] * trace.local_size[2];
}

std::vector<Place> places(const Trace& trace, Lanes lanes) {
  std::vector<Place> all(invocations_of(trace));
  const bool told = trace.subgroup.size() >= all.size() && trace.lane.size() >= all.size();
  const std::uint32_t parts =
      std::max(1U, (trace.subgroup_size + kRequestLanes - 1) / kRequestLanes);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    all[i] = told && lanes == Lanes::subgroups
                 ? Place{trace.subgroup[i] * parts + trace.lane[i] / kRequestLanes,
                         trace.lane[i] % kRequestLanes}
                 : Place{i / kRequestLanes, i % kRequestLanes};
  }
  return all;
}

// An access and what it is sorted by.
struct Keyed {
  std::uint32_t site, phase, turn, group, invocation, scalar, access;
  [[nodiscard]] auto instruction() const { return std::tie(site, phase, turn, group); }
  auto operator<=>(const Keyed&) const = default;
};

// Turns are counted anew in every phase, so that lanes which left out a turn of a loop around it
// are together again.
std::vector<Keyed> keyed(const Trace& trace, const std::vector<Place>& places) {
  struct Start {
    std::uint32_t phase = UINT32_MAX;
    std::uint32_t turn = 0;
  };
  const std::size_t sites = trace.sites.size();
  std::vector<Start> starts(places.size() * sites);
  std::vector<Keyed> all;
  all.reserve(trace.accesses.size());
  for (std::uint32_t n = 0; n < trace.accesses.size(); ++n) {
    const TracedAccess& a = trace.accesses[n];
    Start& start = starts[a.invocation * sites + a.site];
    if (start.phase != a.phase) {
      start = {a.phase, a.turn};
    }
    all.push_back({a.site, a.phase, a.turn - start.turn, places[a.invocation].group, a.invocation,
                   a.scalar, n});
  }
  return all;
}

// The widest request that begins here.
std::uint32_t widest(std::uint64_t address, std::uint64_t left) {
  std::uint32_t width = 16;
  while (width > left || address % width != 0) {
    width /= 2;
  }
  return width;
}

}  // namespace

Instructions instructions_of(const Trace& trace, Lanes lanes) {
  std::vector<Keyed> all = keyed(trace, places(trace, lanes));
  std::ranges::sort(all);
  Instructions made{.lanes = lanes,
                    .width = lanes == Lanes::subgroups && trace.subgroup_size > 0
                                 ? std::min(trace.subgroup_size, kRequestLanes)
                                 : kRequestLanes,
                    .list = {},
                    .accesses = {}};
  made.accesses.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Keyed& k = all[i];
    if (i == 0 || all[i - 1].instruction() != k.instruction()) {
      const auto at = static_cast<std::uint32_t>(i);
      made.list.push_back({k.site, k.phase, k.turn, k.group, at, at});
    }
    made.accesses.push_back(k.access);
    ++made.list.back().last;
  }
  return made;
}

bool subgroups_are_32(const Trace& trace) {
  const std::uint32_t count = invocations_of(trace);
  if (trace.subgroup_size != kRequestLanes || trace.subgroup.size() < count) {
    return false;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (trace.subgroup[i] != i / kRequestLanes || trace.lane[i] != i % kRequestLanes) {
      return false;
    }
  }
  return true;
}

std::vector<LaneAccess> lane_accesses(const Trace& trace, const Instructions& all,
                                      const Instruction& one, const Padding& padding) {
  const TracedSite& site = trace.sites[one.site];
  const TracedVariable& variable = trace.variables[site.variable];
  const bool moves = padding.columns != 0 && padding.variable == site.variable;
  const auto address_of = [&](const TracedAccess& a) {
    return variable.address +
           (moves ? padded_offset(variable, a.offset, padding.columns) : a.offset);
  };
  std::vector<LaneAccess> made;
  for (std::uint32_t i = one.first; i < one.last;) {
    const TracedAccess& a = trace.accesses[all.accesses[i]];
    const std::uint32_t lane = all.lanes == Lanes::subgroups && a.invocation < trace.lane.size()
                                   ? trace.lane[a.invocation] % kRequestLanes
                                   : a.invocation % kRequestLanes;
    std::uint64_t at = address_of(a);
    std::uint64_t end = at;
    std::uint32_t request = 0;
    for (; i < one.last; ++i) {  // scalars side by side are asked for together
      const TracedAccess& next = trace.accesses[all.accesses[i]];
      if (next.invocation != a.invocation) {
        break;
      }
      const std::uint64_t begin = address_of(next);
      if (begin != end) {
        for (; at < end; ++request) {
          made.push_back({lane, request, at, widest(at, end - at)});
          at += made.back().bytes;
        }
        at = begin;
      }
      end = begin + site.scalar_bytes;
    }
    for (; at < end; ++request) {
      made.push_back({lane, request, at, widest(at, end - at)});
      at += made.back().bytes;
    }
  }
  return made;
}

std::uint32_t element_bytes(const TracedVariable& variable) {
  std::uint64_t count = 1;
  for (const std::uint32_t length : variable.dimensions) {
    count *= std::max(length, 1U);
  }
  return std::max(static_cast<std::uint32_t>(variable.bytes / count), variable.scalar_bytes);
}

std::uint64_t padded_offset(const TracedVariable& variable, std::uint64_t offset,
                            std::int32_t columns) {
  if (variable.dimensions.size() < 2) {
    return offset;
  }
  const std::uint64_t bytes = element_bytes(variable);
  const std::uint64_t row = offset / (bytes * std::max(variable.dimensions.back(), 1U));
  return offset + row * bytes * static_cast<std::uint64_t>(std::int64_t{columns});
}

}  // namespace core
