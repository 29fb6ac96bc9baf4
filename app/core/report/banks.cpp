#include "core/report/banks.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace core {
namespace {

// What each lane asks for in one request; null: nothing.
using LaneTable = std::array<const LaneAccess*, kRequestLanes>;

LaneTable lanes_of(std::span<const LaneAccess> accesses, std::uint32_t request) {
  LaneTable lanes{};
  for (const LaneAccess& a : accesses) {
    if (a.request == request) {
      lanes[a.lane] = &a;
    }
  }
  return lanes;
}

// Each of these lanes wants what the lane beside it wants, or has no such lane.
bool in_pairs(const LaneTable& lanes, std::uint32_t first, std::uint32_t last,
              std::uint32_t apart) {
  for (std::uint32_t lane = first; lane < last; ++lane) {
    const LaneAccess* own = lanes[lane];
    const LaneAccess* other = lanes[lane ^ apart];
    if (own != nullptr && other != nullptr && own->address != other->address) {
      return false;
    }
  }
  return true;
}

using LaneRange = std::pair<std::uint32_t, std::uint32_t>;

// Lanes that are served together.
std::vector<LaneRange> parts_of(const LaneTable& lanes, Access access) {
  std::uint32_t bytes = 0;
  for (const LaneAccess* a : lanes) {
    bytes = std::max(bytes, a == nullptr ? 0 : a->bytes);
  }
  if (bytes <= kBankBytes) {
    return {{0, kRequestLanes}};
  }
  const std::uint32_t part = kRequestLanes * kBankBytes / bytes;
  std::vector<LaneRange> parts;
  for (std::uint32_t first = 0; first < kRequestLanes; first += 2 * part) {
    const std::uint32_t last = first + 2 * part;
    if (access == Access::read &&
        (in_pairs(lanes, first, last, 1) || in_pairs(lanes, first, last, 2))) {
      parts.emplace_back(first, last);
    } else {
      parts.emplace_back(first, first + part);
      parts.emplace_back(first + part, last);
    }
  }
  return parts;
}

struct Fullest {
  std::uint32_t turns = 0;
  std::uint32_t words = 0;
  std::uint32_t bank = 0;
};

// The bank that takes most turns: one for each word, of atomics one for each lane's.
Fullest fullest(std::vector<std::uint64_t>& wanted, Access access) {
  std::ranges::sort(wanted);
  std::array<std::uint32_t, kBanks> turns{};
  std::array<std::uint32_t, kBanks> words{};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::uint64_t bank = wanted[i] % kBanks;
    const bool another = i == 0 || wanted[i] != wanted[i - 1];
    words[bank] += another ? 1 : 0;
    turns[bank] += another || access == Access::atomic ? 1 : 0;
  }
  const auto bank = static_cast<std::uint32_t>(std::ranges::max_element(turns) - turns.begin());
  return {turns[bank], words[bank], bank};
}

std::uint32_t lane_count(std::span<const LaneAccess> accesses) {
  std::uint64_t lanes = 0;
  for (const LaneAccess& a : accesses) {
    lanes |= std::uint64_t{1} << a.lane;
  }
  return static_cast<std::uint32_t>(std::popcount(lanes));
}

std::vector<SiteInstructions> sites_of(const Instructions& instructions) {
  std::vector<SiteInstructions> sites;
  for (std::uint32_t i = 0; i < instructions.list.size(); ++i) {
    const std::uint32_t site = instructions.list[i].site;
    if (sites.empty() || sites.back().site != site) {
      sites.push_back({.site = site, .first = i, .last = i, .worst = i});
    }
    ++sites.back().last;
  }
  return sites;
}

SharedSite shared_site(const Trace& trace, const Instructions& all, SiteInstructions own,
                       const Padding& padding) {
  const Access access = trace.sites[own.site].access;
  SharedSite site;
  std::uint32_t dearest = 0;
  std::uint64_t ways = 0;
  own.lanes = 0;
  for (std::uint32_t i = own.first; i < own.last; ++i) {
    const BankUse use = bank_use(lane_accesses(trace, all, all.list[i], padding), access);
    site.worst_ways = std::max(site.worst_ways, use.ways);
    own.lanes = std::max(own.lanes, use.lanes);
    ways += use.ways;
    site.passes += use.passes;
    site.least += use.least;
    if (use.passes > dearest) {
      dearest = use.passes;
      own.worst = i;
    }
  }
  site.mean_ways = static_cast<double>(ways) / static_cast<double>(own.count());
  site.instructions = own;
  return site;
}

GlobalSite global_site(const Trace& trace, const Instructions& all, SiteInstructions own) {
  GlobalSite site;
  site.worst = 2.0;  // more than any
  for (std::uint32_t i = own.first; i < own.last; ++i) {
    const SectorUse use = sector_use(lane_accesses(trace, all, all.list[i]));
    own.lanes = std::max(own.lanes, use.lanes);
    site.asked += use.asked;
    site.used += use.used;
    site.sectors += use.sectors;
    const double efficiency =
        static_cast<double>(use.used) / static_cast<double>(use.sectors * kSectorBytes);
    if (efficiency < site.worst) {
      site.worst = efficiency;
      own.worst = i;
    }
  }
  site.instructions = own;
  return site;
}

// Sites in the order of the text, file by file.
template <class Site>
void sort_by_place(const Trace& trace, std::vector<Site>& sites) {
  std::ranges::stable_sort(sites, {}, [&trace](const Site& site) {
    const SourcePlace& at = trace.sites[site.instructions.site].at;
    return std::tie(at.file, at.line, at.column);
  });
}

// One column more, or those away that nobody touches.
std::vector<std::int32_t> other_columns(const Trace& trace,
                                        const std::vector<std::vector<bool>>& touched) {
  std::vector<std::int32_t> columns;
  for (std::size_t v = 0; v < trace.variables.size(); ++v) {
    const bool rows = trace.variables[v].dimensions.size() > 1 && !touched[v].empty();
    const auto padding = static_cast<std::int32_t>(padding_columns(trace.variables[v], touched[v]));
    columns.push_back(!rows ? 0 : padding > 0 ? -padding : 1);
  }
  return columns;
}

std::shared_ptr<const LaneReport> lane_report(const Trace& trace, Lanes lanes,
                                              const std::vector<std::int32_t>& columns) {
  auto report = std::make_shared<LaneReport>();
  report->instructions = instructions_of(trace, lanes);
  for (const SiteInstructions& own : sites_of(report->instructions)) {
    const std::uint32_t variable = trace.sites[own.site].variable;
    if (trace.variables[variable].memory == MemoryKind::shared) {
      report->shared.push_back(shared_site(trace, report->instructions, own, {}));
    } else if (!trace.variables[variable].image) {
      report->global.push_back(global_site(trace, report->instructions, own));
    }
  }
  sort_by_place(trace, report->shared);
  sort_by_place(trace, report->global);
  for (const SharedSite& site : report->shared) {
    const std::uint32_t variable = trace.sites[site.instructions.site].variable;
    const Padding other{variable, columns[variable]};
    report->padded.push_back(
        {other.columns, other.columns == 0
                            ? site
                            : shared_site(trace, report->instructions, site.instructions, other)});
  }
  return report;
}

std::vector<std::vector<bool>> touched_words(const Trace& trace) {
  std::vector<std::vector<bool>> touched(trace.variables.size());
  for (std::size_t v = 0; v < touched.size(); ++v) {
    const TracedVariable& variable = trace.variables[v];
    if (variable.memory == MemoryKind::shared) {
      touched[v].resize((variable.bytes + kBankBytes - 1) / kBankBytes);
    }
  }
  for (const TracedAccess& a : trace.accesses) {
    const TracedSite& site = trace.sites[a.site];
    std::vector<bool>& words = touched[site.variable];
    for (std::uint64_t at = a.offset; at < a.offset + site.scalar_bytes; at += kBankBytes) {
      if (at / kBankBytes < words.size()) {
        words[at / kBankBytes] = true;
      }
    }
  }
  return touched;
}

// Atomics read as well; the trace has what was there before.
std::vector<Reuse> reuse_of(const Trace& trace) {
  std::map<std::uint32_t, std::vector<std::uint64_t>> offsets;
  for (const TracedAccess& a : trace.accesses) {
    const TracedSite& site = trace.sites[a.site];
    if (trace.variables[site.variable].memory == MemoryKind::global &&
        site.access != Access::write) {
      offsets[site.variable].push_back(a.offset);
    }
  }
  std::vector<Reuse> all;
  for (auto& [variable, read] : offsets) {
    std::ranges::sort(read);
    Reuse reuse{.variable = variable, .reads = read.size()};
    for (auto first = read.begin(); first != read.end();) {
      const auto last = std::upper_bound(first, read.end(), *first);
      reuse.most = std::max(reuse.most, static_cast<std::uint64_t>(last - first));
      ++reuse.elements;
      first = last;
    }
    all.push_back(reuse);
  }
  return all;
}

// Those that want a word of a bank.
std::uint32_t lanes_at(std::uint32_t bank, std::span<const LaneAccess* const> lanes) {
  return static_cast<std::uint32_t>(std::ranges::count_if(lanes, [bank](const LaneAccess* a) {
    for (std::uint64_t at = 0; a != nullptr && at < a->bytes; at += kBankBytes) {
      if (bank_of(a->address + at) == bank) {
        return true;
      }
    }
    return false;
  }));
}

}  // namespace

BankUse bank_use(std::span<const LaneAccess> accesses, Access access) {
  BankUse use{.lanes = lane_count(accesses)};
  std::uint32_t requests = 0;
  for (const LaneAccess& a : accesses) {
    requests = std::max(requests, a.request + 1);
  }
  for (std::uint32_t request = 0; request < requests; ++request) {
    const LaneTable lanes = lanes_of(accesses, request);
    for (const auto& [first, last] : parts_of(lanes, access)) {
      std::vector<std::uint64_t> words;
      for (std::uint32_t lane = first; lane < last; ++lane) {
        const LaneAccess* a = lanes[lane];
        for (std::uint64_t at = 0; a != nullptr && at < a->bytes; at += kBankBytes) {
          words.push_back((a->address + at) / kBankBytes);
        }
      }
      if (words.empty()) {
        continue;
      }
      const Fullest most = fullest(words, access);
      if (most.turns > use.ways) {
        use.ways = most.turns;
        use.words = most.words;
        use.bank = most.bank;
        use.among = lanes_at(most.bank, std::span(lanes).subspan(first, last - first));
      }
      use.passes += most.turns;
      ++use.least;
    }
  }
  return use;
}

SectorUse sector_use(std::span<const LaneAccess> accesses) {
  SectorUse use{.lanes = lane_count(accesses)};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const LaneAccess& a : accesses) {
    use.asked += a.bytes;
    ranges.emplace_back(a.address, a.address + a.bytes);
  }
  std::ranges::sort(ranges);
  std::uint64_t covered = 0;      // bytes below this are counted
  std::uint64_t next_sector = 0;  // sectors below this are counted
  for (const auto& [begin, end] : ranges) {
    use.used += end - std::min(end, std::max(begin, covered));
    covered = std::max(covered, end);
    const std::uint64_t first = std::max(begin / kSectorBytes, next_sector);
    const std::uint64_t last = (end + kSectorBytes - 1) / kSectorBytes;
    use.sectors += static_cast<std::uint32_t>(last - std::min(last, first));
    next_sector = std::max(next_sector, last);
  }
  return use;
}

double GlobalSite::efficiency() const {
  return sectors == 0 ? 1.0 : static_cast<double>(used) / static_cast<double>(fetched());
}

double Reuse::mean() const {
  return elements == 0 ? 0.0 : static_cast<double>(reads) / static_cast<double>(elements);
}

BankReport bank_report(const Trace& trace) {
  BankReport report;
  report.touched = touched_words(trace);
  const auto columns = other_columns(trace, report.touched);
  report.subgroups = lane_report(trace, Lanes::subgroups, columns);
  report.of_32 =
      subgroups_are_32(trace) ? report.subgroups : lane_report(trace, Lanes::of_32, columns);
  report.reuse = reuse_of(trace);
  return report;
}

std::uint32_t padding_columns(const TracedVariable& variable, const std::vector<bool>& touched) {
  if (variable.dimensions.size() < 2) {
    return 0;
  }
  const std::uint32_t columns = std::max(variable.dimensions.back(), 1U);
  const std::uint64_t bytes = element_bytes(variable);
  std::uint32_t used = 0;
  for (std::uint64_t word = 0; word < touched.size(); ++word) {
    if (touched[word]) {
      used = std::max(used, static_cast<std::uint32_t>(word * kBankBytes / bytes % columns) + 1);
    }
  }
  return used == 0 ? 0 : columns - used;
}

std::string group_name(const Trace& trace, Lanes lanes, std::uint32_t group) {
  if (lanes == Lanes::subgroups && !trace.subgroup.empty()) {
    const std::uint32_t parts = std::max(1U, trace.subgroup_size / kRequestLanes);
    return "subgroup " + std::to_string(group / parts);
  }
  const std::uint32_t all = trace.local_size[0] * trace.local_size[1] * trace.local_size[2];
  const std::uint32_t first = group * kRequestLanes;
  return "invocations " + std::to_string(first) + " to " +
         std::to_string(std::min(first + kRequestLanes, all) - 1);
}

std::string lanes_text(const Trace& trace, Lanes lanes, std::uint32_t group, std::uint32_t count) {
  const std::string name = group_name(trace, lanes, group);
  if (lanes == Lanes::of_32) {
    return count == kRequestLanes ? name : std::to_string(count) + " of " + name;
  }
  return std::to_string(count) + (count == 1 ? " lane of " : " lanes of ") + name;
}

std::string wanted_text(const BankUse& use) {
  const std::string bank = " of bank " + std::to_string(use.bank);
  const std::string words = use.words == 1 ? "1 word" : std::to_string(use.words) + " words";
  return use.words == use.ways ? words + bank
                               : std::to_string(use.ways) + " updates of " + words + bank;
}

std::string sentence(const BankUse& use, const std::string& lanes) {
  if (use.ways <= 1) {
    return "1 way, no conflict: " + lanes;
  }
  const std::string head = std::to_string(use.ways) + " ways: " + lanes;
  return use.words == use.ways ? head + " need " + wanted_text(use)
                               : head + " make " + wanted_text(use) + ", one after the other";
}

}  // namespace core
