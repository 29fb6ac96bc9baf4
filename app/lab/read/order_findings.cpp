#include "lab/read/order_findings.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/report/happens_before.h"
#include "lab/read/race_causes.h"
#include "lab/read/race_findings.h"

namespace lab {
namespace {

using core::MemoryClass;
using spirv::OrderLayout;
using spirv::OrderStamp;

struct Stamp {
  std::uint32_t who = 0;  // of the launch
  std::uint32_t phase = 0;
  std::uint32_t events = 0;
  std::uint32_t site = 0;
};

Stamp stamp_of(std::uint32_t high, std::uint32_t low) {
  return {high - 1, low >> OrderStamp::phase_shift,
          low >> OrderStamp::event_shift & OrderStamp::most_events, low & OrderStamp::site_mask};
}

struct Met {
  Stamp first;
  Stamp second;
  std::uint32_t cell = 0;
};

// All that was found of two sites.
struct Tally {
  std::uint64_t count = 0;
  std::uint32_t flags = 0;
  std::optional<Met> example;  // the one of the smallest invocations
};

class OrderReader {
 public:
  OrderReader(const spirv::Examination& examination, const spirv::RaceProbe& probe,
              glm::uvec3 groups, const NumberedGroups& numbers,
              std::span<const std::uint32_t> words, const CutLoops& cut, core::CheckReport& report)
      : x_(examination),
        plan_(probe.order),
        groups_(groups),
        numbers_(numbers),
        words_(words),
        cut_(cut),
        report_(report) {}

  void read();

 private:
  void read_pairs();
  void read_candidates();
  void name_holders();
  void name_holder(const CutLoops::Cut& cut, core::Finding& finding) const;
  [[nodiscard]] std::vector<core::SyncEvent> events() const;
  [[nodiscard]] core::SyncEvent event(const std::uint32_t* w, std::uint32_t begun) const;
  [[nodiscard]] core::SyncPoint point(const Stamp& stamp) const;
  void tally(const Met& met, std::uint64_t count, std::uint32_t flags);
  void tell();
  // Is the access behind a loop that was cut short?
  [[nodiscard]] bool behind(const Stamp& stamp) const;
  void tell_cells();
  void tell_cells(const spirv::BufferMemory& memory, const std::set<std::uint64_t>& cells);
  [[nodiscard]] core::Finding finding(const Tally& tally) const;
  [[nodiscard]] core::RaceSide side(const Stamp& stamp) const;
  [[nodiscard]] RacingAccess access(std::uint32_t site) const;
  [[nodiscard]] bool can_be_ordered(std::uint32_t first, std::uint32_t second) const;
  [[nodiscard]] const spirv::OrderMemory& memory_of(std::uint32_t site) const {
    return plan_.memories[plan_.sites[site].memory];
  }
  [[nodiscard]] bool shared(std::uint32_t site) const {
    return memory_of(site).memory == MemoryClass::shared;
  }
  [[nodiscard]] core::Hazard hazard(std::uint32_t first, std::uint32_t second) const;
  [[nodiscard]] bool in_order(std::uint32_t first, std::uint32_t second) const;
  void race_in(const Stamp& stamp);
  [[nodiscard]] std::uint32_t invocations() const { return x_.program.invocations(); }
  [[nodiscard]] bool subgroups_hand_on() const;

  const spirv::Examination& x_;
  const spirv::OrderPlan& plan_;
  glm::uvec3 groups_;
  const NumberedGroups& numbers_;
  std::span<const std::uint32_t> words_;
  const CutLoops& cut_;
  core::CheckReport& report_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Tally> tallies_;
  std::map<std::uint32_t, std::set<std::uint64_t>> racing_;  // cells, by place in memories
};

void OrderReader::read() {
  report_.incomplete.insert(report_.incomplete.end(), plan_.left.begin(), plan_.left.end());
  report_.buffer_accesses = 0;
  report_.image_accesses = 0;
  for (const spirv::BufferSite& site : x_.buffers.all()) {
    const bool counts = x_.buffers.memories()[site.memory].written;
    const bool image = x_.buffers.memories()[site.memory].memory == MemoryClass::image;
    (image ? report_.image_accesses : report_.buffer_accesses) += counts ? 1 : 0;
    (image ? report_.images_proven : report_.buffers_proven) +=
        counts && plan_.proven[site.number] ? 1 : 0;
  }
  if (!plan_.any) {
    return;
  }
  if (plan_.events) {
    name_holders();
  }
  if (words_[OrderLayout::overflowed] != 0) {
    report_.incomplete.push_back(
        fmt::format("accesses to buffers were not checked: an invocation executed more than {} "
                    "barriers or {} synchronization events",
                    OrderStamp::most_phases, OrderStamp::most_events));
    return;
  }
  if (words_[OrderLayout::together] != 0) {
    report_.incomplete.push_back(fmt::format(
        "{} pairs of accesses in one subgroup were not checked: subgroup barriers may order them",
        words_[OrderLayout::together]));
  }
  const std::vector<std::uint32_t> racing_before = report_.racing_groups;
  const std::size_t findings_before = report_.findings.size();
  read_pairs();
  if (plan_.events) {
    read_candidates();
  }
  tell();
  if (report_.findings.size() == findings_before) {  // equal values alone are no race
    report_.racing_groups = racing_before;
  }
  if (!cut_.any()) {
    tell_cells();  // which of them are of accesses behind the loop is not known
  }
}

void OrderReader::read_pairs() {
  for (std::uint32_t a = 0; a < plan_.layout.sites; ++a) {
    for (std::uint32_t b = 0; b < plan_.layout.sites; ++b) {
      const std::uint32_t* w = &words_[plan_.layout.pair(a, b)];
      const std::uint32_t kept = std::min(w[0], OrderLayout::examples);
      for (std::uint32_t n = 0; n < kept; ++n) {
        const std::uint32_t* e = w + 2 + n * OrderLayout::example_words;
        if (e[0] == 0 || e[2] == 0) {
          continue;
        }
        tally({stamp_of(e[0], e[1]), stamp_of(e[2], e[3]), e[4]}, n == 0 ? w[0] : 0, w[1]);
      }
    }
  }
  for (std::uint64_t number = numbers_.first(); number < numbers_.end() && !tallies_.empty();
       ++number) {
    if ((words_[plan_.layout.racing() + number / 32] >> (number % 32) & 1U) != 0) {
      race_in({static_cast<std::uint32_t>(number * invocations()), 0, 0, 0});
    }
  }
}

bool OrderReader::subgroups_hand_on() const {
  return std::ranges::any_of(x_.synchronization.sites(), [](const spirv::SyncSite& s) {
    return s.scope == core::MemoryScope::subgroup && (s.acquires | s.releases) != 0;
  });
}

core::SyncEvent OrderReader::event(const std::uint32_t* w, std::uint32_t begun) const {
  const spirv::SyncSite& site = x_.synchronization.sites()[(w[0] - 1) / 2];
  const bool wrote = (w[0] - 1) % 2 != 0;
  core::SyncEvent e;
  e.invocation = w[1] - 1;
  e.number = w[3] >> OrderStamp::event_shift & OrderStamp::most_events;
  e.phase = {w[2] >> OrderStamp::phase_shift, w[3] >> OrderStamp::phase_shift,
             w[8] >> OrderStamp::phase_shift};
  e.fence = site.fence;
  const bool room = site.memory == MemoryClass::shared;
  const std::uint32_t variable = site.fence ? 0
                                 : room     ? x_.sites.all()[site.site].variable
                                            : x_.buffers.all()[site.site].memory;
  // Of shared memory each workgroup has its own.
  const std::uint64_t whose = room ? 1 + e.invocation / invocations() : 0;
  e.location = (whose * 4096 + variable * 2 + (room ? 1 : 0)) << 32U ^ w[4];
  e.reads = !site.fence && site.reads;
  e.writes = !site.fence && site.writes && wrote;
  e.value_read = w[5];
  e.value_written = w[6];
  e.any_value = w[6] == 0xFFFFFFFE;
  e.acquires = site.compares && !wrote ? site.on_failure : site.acquires;
  e.releases = e.writes || site.fence ? site.releases : 0;
  e.scope = site.scope;
  e.begun = begun;
  e.seen = w[7];
  return e;
}

std::vector<core::SyncEvent> OrderReader::events() const {
  std::vector<core::SyncEvent> all;
  const std::uint32_t count = std::min(words_[OrderLayout::events], plan_.layout.events_kept);
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::uint32_t* w = &words_[plan_.layout.event(n)];
    if (w[0] != 0) {
      all.push_back(event(w, n));
    }
  }
  return all;
}

core::SyncPoint OrderReader::point(const Stamp& stamp) const {
  const spirv::OrderSite& site = plan_.sites[stamp.site];
  const bool atomic =
      shared(stamp.site) ? x_.sites.all()[site.site].atomic : x_.buffers.all()[site.site].atomic;
  return {stamp.who, stamp.phase, stamp.events, atomic};
}

void OrderReader::read_candidates() {
  if (words_[OrderLayout::asked] > plan_.layout.candidates ||
      words_[OrderLayout::events] > plan_.layout.events_kept) {
    report_.incomplete.push_back(fmt::format(
        "whether atomics order the accesses was not checked: {} pairs of accesses and {} events "
        "are too many, at most {} pairs fit; launch fewer workgroups",
        words_[OrderLayout::asked], words_[OrderLayout::events], plan_.layout.candidates));
    return;
  }
  core::HappensBefore order(events(), invocations());
  const auto before = tallies_;
  std::uint64_t undecided = 0;
  const bool lanes = subgroups_hand_on();
  for (std::uint32_t n = 0; n < words_[OrderLayout::asked]; ++n) {
    const std::uint32_t* w = &words_[plan_.layout.candidate(n)];
    if (w[0] == 0 || w[2] == 0) {
      continue;  // the device ended the invocation before it wrote the record
    }
    const Met met{stamp_of(w[0], w[1]), stamp_of(w[2], w[3]), w[4]};
    const auto memory = memory_of(met.first.site).memory;
    const core::SyncPoint a = point(met.first);
    const core::SyncPoint b = point(met.second);
    const bool across = a.invocation / invocations() != b.invocation / invocations();
    if (can_be_ordered(met.first.site, met.second.site) &&
        (order.before(a, b, memory) || order.before(b, a, memory))) {
      continue;
    }
    if (lanes && !across) {
      ++undecided;
      continue;
    }
    tally(met, 1, w[5] % 4);
    if (!cut_.any() && w[5] % 4 != OrderLayout::equal && !shared(met.first.site)) {
      racing_[plan_.sites[met.first.site].memory].insert(met.cell);
    }
    race_in(met.first);
    race_in(met.second);
  }
  if (undecided > 0) {
    report_.incomplete.push_back(fmt::format(
        "{} pairs of accesses were not checked: atomics or fences of subgroup scope may order them",
        undecided));
  }
  if (order.exhausted()) {
    tallies_ = before;
    report_.incomplete.emplace_back(
        "whether atomics order the accesses was checked only in part; launch fewer workgroups");
  }
}

// Adds to each unfinished loop that waits for a lock the invocation that holds it.
void OrderReader::name_holders() {
  for (const CutLoops::Cut& cut : cut_.loops()) {
    const auto finding = std::ranges::find_if(report_.findings, [&](const core::Finding& f) {
      return f.kind == core::FindingKind::unfinished_loop && f.line == cut.at.line &&
             !f.variable.empty();
    });
    if (cut.loop != nullptr && finding != report_.findings.end()) {
      name_holder(cut, *finding);
    }
  }
}

// The invocation that wrote last what another invocation found in the lock.
void OrderReader::name_holder(const CutLoops::Cut& cut, core::Finding& finding) const {
  const std::uint32_t count = std::min(words_[OrderLayout::events], plan_.layout.events_kept);
  const auto site_of = [&](const std::uint32_t* w) -> const spirv::SyncSite& {
    return x_.synchronization.sites()[(w[0] - 1) / 2];
  };
  // It wrote another value than the one that it read.
  const auto changed = [](const std::uint32_t* w) { return (w[0] - 1) % 2 != 0 && w[5] != w[6]; };
  const std::uint32_t* waits = nullptr;
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::uint32_t* w = &words_[plan_.layout.event(n)];
    if (w[0] != 0 && !site_of(w).fence && cut.loop->contains[site_of(w).block] &&
        site_of(w).reads && !changed(w)) {
      waits = w;
    }
  }
  if (waits == nullptr) {
    return;
  }
  const core::SyncEvent waiting = event(waits, 0);
  const std::uint32_t* holds = nullptr;
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::uint32_t* w = &words_[plan_.layout.event(n)];
    if (w[0] != 0 && !site_of(w).fence) {
      const core::SyncEvent e = event(w, n);
      const bool found = changed(w) && w[6] == waits[5] && e.location == waiting.location;
      holds = found ? w : holds;
    }
  }
  if (holds == nullptr) {
    return;
  }
  const spirv::SyncSite& site = site_of(holds);
  const spirv::SourceLine& at = x_.program.function.blocks[site.block].body[site.instruction].at;
  const core::SyncEvent held = event(holds, 0);
  const auto& local = x_.program.interface.local_size;
  const std::uint32_t index = held.invocation % invocations();
  const glm::uvec3 group = numbers_.group(held.invocation / invocations());
  finding.second = {at.line,
                    x_.program.file(at),
                    {index % local[0], index / local[0] % local[1], index / local[0] / local[1]},
                    core::Access::atomic,
                    std::array<std::uint32_t, 3>{group.x, group.y, group.z}};
  if (site.memory != MemoryClass::shared) {
    const spirv::BufferSite& lock = x_.buffers.all()[site.site];
    const std::uint64_t byte = holds[4] * x_.buffers.memories()[lock.memory].cell_bytes;
    finding.memory = core::Memory::buffer;
    finding.index = x_.buffers.index_of(lock, byte);
    name_element(finding, x_.buffers.element_of(lock, byte));
  }
}

void OrderReader::race_in(const Stamp& stamp) {
  const glm::uvec3 group = numbers_.group(stamp.who / invocations());
  const std::uint64_t place = group.x + groups_.x * (group.y + std::uint64_t{groups_.y} * group.z);
  report_.racing_groups.resize(std::max<std::size_t>(report_.racing_groups.size(),
                                                     (core::Box{{}, groups_}.count() + 31) / 32));
  report_.racing_groups[place / 32] |= 1U << (place % 32);
}

// As the text has the two.
bool OrderReader::in_order(std::uint32_t first, std::uint32_t second) const {
  const auto& pairs = shared(first) ? x_.proofs.handed_over() : plan_.open;
  const std::uint32_t a = plan_.sites[first].site;
  const std::uint32_t b = plan_.sites[second].site;
  const bool other_way = std::ranges::any_of(
      pairs, [&](const spirv::SitePair& p) { return p.first == b && p.second == a; });
  return a == b || !other_way;
}

bool OrderReader::behind(const Stamp& stamp) const {
  const std::uint32_t site = plan_.sites[stamp.site].site;
  return cut_.behind(shared(stamp.site) ? x_.sites.all()[site].block
                                        : x_.buffers.all()[site].block);
}

void OrderReader::tally(const Met& met, std::uint64_t count, std::uint32_t flags) {
  if (behind(met.first) || behind(met.second)) {
    return;
  }
  Met ordered = met;
  if (!in_order(met.first.site, met.second.site) ||
      (met.first.site == met.second.site && met.second.who < met.first.who)) {
    std::swap(ordered.first, ordered.second);
  }
  Tally& all = tallies_[{ordered.first.site, ordered.second.site}];
  all.count += count;
  all.flags |= flags;
  const auto rank = [](const Met& m) { return std::tuple(m.first.who, m.second.who, m.cell); };
  if (!all.example || rank(ordered) < rank(*all.example)) {
    all.example = ordered;
  }
}

core::Hazard OrderReader::hazard(std::uint32_t first, std::uint32_t second) const {
  const auto writes = [&](std::uint32_t s) {
    return shared(s) ? x_.sites.all()[plan_.sites[s].site].writes
                     : x_.buffers.all()[plan_.sites[s].site].writes;
  };
  return writes(first) && writes(second) ? core::Hazard::write_after_write
         : writes(first)                 ? core::Hazard::read_after_write
                                         : core::Hazard::write_after_read;
}

core::RaceSide OrderReader::side(const Stamp& stamp) const {
  const auto told = [&](const auto& site) {
    core::RaceSide side;
    side.line = site.at.line;
    side.file = x_.program.file(site.at);
    side.access = site.atomic   ? core::Access::atomic
                  : site.writes ? core::Access::write
                                : core::Access::read;
    return side;
  };
  const std::uint32_t number = plan_.sites[stamp.site].site;
  core::RaceSide side =
      shared(stamp.site) ? told(x_.sites.all()[number]) : told(x_.buffers.all()[number]);
  const auto& local = x_.program.interface.local_size;
  const std::uint32_t index = stamp.who % invocations();
  side.invocation = {index % local[0], index / local[0] % local[1], index / local[0] / local[1]};
  if (!shared(stamp.site)) {
    const glm::uvec3 group = numbers_.group(stamp.who / invocations());
    side.workgroup = {group.x, group.y, group.z};
  }
  return side;
}

core::Finding OrderReader::finding(const Tally& tally) const {
  const Met& met = *tally.example;
  core::Finding finding;
  finding.hazard = hazard(met.first.site, met.second.site);
  const spirv::OrderMemory& memory = memory_of(met.first.site);
  if (memory.memory == MemoryClass::shared) {
    const spirv::SharedCells& variable = x_.sites.variables()[memory.index];
    finding.variable = variable.name;
    finding.index = x_.sites.index_of(memory.index, met.cell * variable.cell_scalars);
    name_element(finding,
                 spirv::named_place(x_.program, variable.name, variable.type, finding.index));
  } else {
    const spirv::BufferSite& site = x_.buffers.all()[plan_.sites[met.first.site].site];
    const bool image = memory.memory == MemoryClass::image;
    finding.memory = image ? core::Memory::image : core::Memory::buffer;
    const std::uint64_t byte = met.cell * x_.buffers.memories()[memory.index].cell_bytes;
    finding.extent = x_.buffers.extent_of(site, byte);
    finding.variable = x_.buffers.name_of(site);
    finding.descriptor = x_.buffers.descriptor_of(site, byte);
    finding.index = x_.buffers.index_of(site, byte);
    name_element(finding, x_.buffers.element_of(site, byte));
  }
  const glm::uvec3 group = numbers_.group(met.first.who / invocations());
  finding.workgroup = {group.x, group.y, group.z};
  finding.same_value =
      finding.hazard == core::Hazard::write_after_write && tally.flags == OrderLayout::equal;
  finding.count = tally.count;
  finding.first = side(met.first);
  finding.second = side(met.second);
  finding.between =
      why_unordered(x_, finding, memory.memory, access(met.first.site), access(met.second.site))
          .sentence;
  return finding;
}

RacingAccess OrderReader::access(std::uint32_t site) const {
  const std::uint32_t number = plan_.sites[site].site;
  if (shared(site)) {
    const spirv::Site& s = x_.sites.all()[number];
    return {s.block, s.instruction, s.writes};
  }
  const spirv::BufferSite& s = x_.buffers.all()[number];
  return {s.block, s.instruction, s.writes, s.orderable};
}

// Returns true if barriers and atomics can order accesses of two sites at all.
bool OrderReader::can_be_ordered(std::uint32_t first, std::uint32_t second) const {
  return access(first).orderable && access(second).orderable;
}

// Sites that stand for one place of the text (an inlined function, an unrolled loop) are one
// finding. Equal values in one place of a buffer are told, and are no finding: every launch of
// several workgroups that sets a flag does that.
void OrderReader::tell() {
  std::vector<core::Finding> found;
  for (const auto& [sites, tally] : tallies_) {
    const core::Finding one = finding(tally);
    const auto key = [](const core::Finding& f) {
      return std::tuple(f.memory, f.variable, f.hazard, f.first.line, f.first.file, f.first.access,
                        f.second.line, f.second.file, f.second.access);
    };
    const auto known =
        std::ranges::find_if(found, [&](const core::Finding& f) { return key(f) == key(one); });
    if (known == found.end()) {
      found.push_back(one);
      continue;
    }
    known->count += one.count;
    known->same_value = known->same_value && one.same_value;
  }
  for (core::Finding& f : found) {
    if (f.same_value && f.memory != core::Memory::shared) {
      report_.remarks.push_back("several invocations write the same value: " + f.sentence());
    } else {
      report_.findings.push_back(std::move(f));
    }
  }
}

// All of them, but of more than a million the first.
void OrderReader::tell_cells() {
  constexpr std::size_t most = std::size_t{1} << 20U;
  for (std::uint32_t m = 0; m < plan_.memories.size(); ++m) {
    const spirv::OrderMemory& memory = plan_.memories[m];
    if (memory.memory == MemoryClass::shared) {
      continue;
    }
    std::set<std::uint64_t>& cells = racing_[m];
    const std::uint32_t first = plan_.layout.racing_cells() + memory.racing;
    for (std::uint64_t word = 0; word * 32 < memory.cells && cells.size() < most; ++word) {
      for (std::uint32_t bits = words_[first + word]; bits != 0; bits &= bits - 1) {
        cells.insert(word * 32 + static_cast<std::uint64_t>(std::countr_zero(bits)));
      }
    }
    tell_cells(x_.buffers.memories()[memory.index], cells);
  }
}

// Each of an array of descriptors is a resource of its own.
void OrderReader::tell_cells(const spirv::BufferMemory& memory,
                             const std::set<std::uint64_t>& cells) {
  const std::uint64_t each = memory.descriptor_bytes / memory.cell_bytes;
  for (auto first = cells.begin(); first != cells.end();) {
    const std::uint64_t descriptor = each == 0 ? 0 : *first / each;
    const auto last = each == 0 ? cells.end() : cells.lower_bound((descriptor + 1) * each);
    core::RacingCells racing{{}, memory.name, memory.binding + descriptor, memory.cell_bytes, {}};
    if (each != 0) {
      racing.variable += fmt::format("[{}]", descriptor);
    }
    for (; first != last; ++first) {
      racing.cells.push_back(*first - descriptor * each);
    }
    report_.racing_cells.push_back(std::move(racing));
  }
}

}  // namespace

void add_order_findings(const spirv::Examination& examination, const spirv::RaceProbe& probe,
                        glm::uvec3 groups, const NumberedGroups& numbers,
                        std::span<const std::uint32_t> ledger, const CutLoops& cut,
                        core::CheckReport& report) {
  if (probe.order.wanted) {
    OrderReader(examination, probe, groups, numbers, ledger, cut, report).read();
  }
}

}  // namespace lab
