#include "core/report/happens_before.h"

#include <algorithm>
#include <utility>

namespace core {
namespace {

// Answers; a run of many is asked about in their order.
constexpr std::size_t most_kept = 4096;
constexpr std::size_t most_pasts = 256;

std::uint32_t bit(MemoryClass memory) {
  return 1U << static_cast<std::uint32_t>(memory);
}

std::uint32_t phase_of(const SyncEvent& e, MemoryClass memory) {
  return e.phase[static_cast<std::size_t>(memory)];
}

bool passed_barrier(const SyncEvent& before, const SyncEvent& behind) {
  for (std::size_t c = 0; c < memory_classes; ++c) {
    if (before.phase.at(c) < behind.phase.at(c)) {
      return true;
    }
  }
  return false;
}

std::uint32_t end_in(const std::unordered_map<std::uint32_t, std::uint32_t>& map,
                     std::uint32_t id) {
  const auto found = map.find(id);
  return found == map.end() ? 0 : found->second;
}

}  // namespace

// An event numbered n comes behind n events; an access before it did, too.
bool HappensBefore::Past::has(const SyncPoint& point, std::uint32_t group) const {
  return point.phase < end_in(phases, group) || point.number < end_in(events, point.invocation) ||
         (point.atomic && point.number < end_in(atomics, point.invocation));
}

// Goes back from what was read to all that comes before it.
class HappensBefore::Search {
 public:
  Search(HappensBefore& all, MemoryClass memory, Past& past)
      : all_(all), memory_(memory), past_(past) {}

  void from(const std::vector<Read>& reads, std::uint32_t group) {
    for (const Read& read : reads) {
      reads_.push_back({read, group});
    }
    while (!reads_.empty() || !acquires_.empty()) {
      if (all_.exhausted()) {
        return;
      }
      if (!reads_.empty()) {
        const auto next = reads_.back();
        reads_.pop_back();
        const SyncEvent& e = all_.events_[next.read.event];
        if (!e.fence) {
          read_from(e, next.read.scope, next.group);
        } else if ((e.releases & bit(memory_)) != 0) {
          reach(e);
        }
        continue;
      }
      const std::uint32_t e = acquires_.back();
      acquires_.pop_back();
      std::vector<Read> found;
      all_.acquire(e, acquired_, found);
      for (const Read& r : found) {
        reads_.push_back({r, all_.group_of(all_.events_[e].invocation)});
      }
    }
  }

 private:
  struct Pending {
    Read read;
    std::uint32_t group = 0;  // of who acquires
  };

  // All that an event comes behind: its invocation's past, and its workgroup's before its barrier.
  void reach(const SyncEvent& e) {
    ++all_.work_;
    std::uint32_t& reached = past_.events[e.invocation];
    const std::uint32_t from = std::exchange(reached, std::max(reached, e.number + 1));
    const std::uint32_t group = all_.group_of(e.invocation);
    std::uint32_t& phases = past_.phases[group];
    const std::uint32_t first = std::exchange(phases, std::max(phases, phase_of(e, memory_)));
    if (from == reached && first == phases) {
      return;
    }
    const auto& those =
        first == phases ? all_.acquires_[e.invocation] : all_.groups_[group].acquires;
    for (const std::uint32_t n : those) {
      const SyncEvent& a = all_.events_[n];
      ++all_.work_;
      const bool own = a.invocation == e.invocation && a.number >= from && a.number <= e.number;
      const std::uint32_t phase = phase_of(a, memory_);
      if ((a.acquires & bit(memory_)) != 0 && (own || (phase >= first && phase < phases))) {
        acquires_.push_back(n);
      }
    }
  }

  // Those that wrote what an event read. What was begun when another event read the same is known.
  void read_from(const SyncEvent& r, MemoryScope scope, std::uint32_t group) {
    const bool narrow = scope != MemoryScope::device || all_.narrow_[r.location];
    std::uint32_t& done = done_[{r.location, r.value_read, scope, narrow ? group : 0xFFFFFFFFU}];
    const std::uint32_t from = std::exchange(done, std::max(done, r.seen));
    const auto through = [&](const std::vector<std::uint32_t>& writers) {
      for (const std::uint32_t n : writers) {
        const SyncEvent& w = all_.events_[n];
        ++all_.work_;
        if (w.begun >= from && w.begun < r.seen && &w != &r) {
          written_by(n, scope, group);
        }
      }
    };
    const auto known = all_.writers_.find({r.location, r.value_read});
    if (known != all_.writers_.end()) {
      through(known->second);
    }
    if (const auto any = all_.any_writers_.find(r.location); any != all_.any_writers_.end()) {
      through(any->second);
    }
  }

  void written_by(std::uint32_t writer, MemoryScope scope, std::uint32_t group) {
    const SyncEvent& w = all_.events_[writer];
    const bool together = group == all_.group_of(w.invocation);
    const auto mutual = [&](MemoryScope own) {
      const MemoryScope least = std::min(own, scope);
      return least == MemoryScope::device || (least == MemoryScope::workgroup && together);
    };
    if (mutual(w.scope)) {
      std::uint32_t& atomics = past_.atomics[w.invocation];
      atomics = std::max(atomics, w.number + 1);
      if ((w.releases & bit(memory_)) != 0) {
        reach(w);
      }
    }
    const std::uint32_t home = all_.group_of(w.invocation);
    const bool all_fences =
        goes_on(released_, home, mutual(w.scope) ? scope : MemoryScope::subgroup, w);
    const Group& writers = all_.groups_[home];
    const auto& own_fences = all_.fences_[w.invocation];
    for (const std::uint32_t n : all_fences ? writers.release_fences : own_fences) {
      const SyncEvent& f = all_.events_[n];
      ++all_.work_;
      const bool own = f.invocation == w.invocation && f.number < w.number;
      if ((f.releases & bit(memory_)) != 0 && (own || passed_barrier(f, w)) &&
          mutual(std::min(f.scope, w.scope))) {
        reach(f);
      }
    }
    if (w.reads) {
      // What reads and writes at once hands on what the one before it released.
      reads_.push_back({{writer, scope}, group});
    }
  }

  HappensBefore& all_;
  MemoryClass memory_;
  Past& past_;
  std::vector<std::uint32_t> acquires_;
  std::vector<Pending> reads_;
  Passed acquired_;
  Passed released_;
  std::map<std::tuple<std::uint64_t, std::uint32_t, MemoryScope, std::uint32_t>, std::uint32_t>
      done_;
};

HappensBefore::HappensBefore(std::vector<SyncEvent> events, std::uint32_t per_workgroup)
    : events_(std::move(events)), per_workgroup_(std::max(per_workgroup, 1U)) {
  for (std::uint32_t n = 0; n < events_.size(); ++n) {
    const SyncEvent& e = events_[n];
    Group& group = groups_[group_of(e.invocation)];
    if (e.acquires != 0) {
      group.acquires.push_back(n);
      acquires_[e.invocation].push_back(n);
    }
    if (e.fence) {
      if (e.releases != 0) {
        group.release_fences.push_back(n);
        fences_[e.invocation].push_back(n);
      }
      continue;
    }
    if (e.reads) {
      group.reads.push_back(n);
      reads_[e.invocation].push_back(n);
    }
    if (e.writes) {
      narrow_[e.location] = narrow_[e.location] || e.scope != MemoryScope::device;
      (e.any_value ? any_writers_[e.location] : writers_[{e.location, e.value_written}])
          .push_back(n);
    }
  }
}

bool HappensBefore::goes_on(Passed& passed, std::uint32_t group, MemoryScope scope,
                            const SyncEvent& e) {
  const auto [entry, fresh] = passed.try_emplace({group, scope}, e.phase);
  bool more = fresh;
  for (std::size_t c = 0; c < memory_classes; ++c) {
    std::uint32_t& known = entry->second.at(c);
    more = more || e.phase.at(c) > known;
    known = std::max(known, e.phase.at(c));
  }
  return more;
}

// An atomic's own read; or those before a fence, and the fences with a barrier in between.
void HappensBefore::acquire(std::uint32_t event, Passed& passed, std::vector<Read>& found) {
  const SyncEvent& e = events_[event];
  if (!e.fence) {
    found.push_back({event, e.scope});
    return;
  }
  const std::uint32_t home = group_of(e.invocation);
  const bool all = goes_on(passed, home, e.scope, e);
  const Group& group = groups_[home];
  for (const std::uint32_t n : all ? group.reads : reads_[e.invocation]) {
    const SyncEvent& r = events_[n];
    ++work_;
    if ((r.invocation == e.invocation && r.number < e.number) || passed_barrier(r, e)) {
      found.push_back({n, std::min(r.scope, e.scope)});
    }
  }
  for (const std::uint32_t n : all ? group.release_fences : std::vector<std::uint32_t>()) {
    const SyncEvent& f = events_[n];
    ++work_;
    if (passed_barrier(f, e) && f.scope != MemoryScope::subgroup &&
        e.scope != MemoryScope::subgroup) {
      found.push_back({n, f.scope});
    }
  }
}

const std::vector<HappensBefore::Read>& HappensBefore::acquired_before(const SyncPoint& point,
                                                                       MemoryClass memory) {
  if (acquired_.size() > most_kept) {
    acquired_.clear();
  }
  const auto [entry, fresh] =
      acquired_.try_emplace({point.invocation, point.phase, point.number, memory});
  if (!fresh) {
    return entry->second;
  }
  std::vector<Read>& found = entry->second;
  Passed passed;
  for (const std::uint32_t n : groups_[group_of(point.invocation)].acquires) {
    const SyncEvent& e = events_[n];
    const bool before = (e.invocation == point.invocation && e.number < point.number) ||
                        phase_of(e, memory) < point.phase;
    if ((e.acquires & bit(memory)) != 0 && before) {
      acquire(n, passed, found);
    }
  }
  std::ranges::sort(found);
  const auto same = std::ranges::unique(found);
  found.erase(same.begin(), same.end());
  return found;
}

const HappensBefore::Past& HappensBefore::past(const std::vector<Read>& reads, std::uint32_t group,
                                               MemoryClass memory) {
  if (pasts_.size() > most_pasts) {
    pasts_.clear();
  }
  const auto [entry, fresh] = pasts_.try_emplace({reads, group, memory});
  if (fresh) {
    Search(*this, memory, entry->second).from(reads, group);
  }
  return entry->second;
}

bool HappensBefore::before(const SyncPoint& first, const SyncPoint& second, MemoryClass memory) {
  if (first.invocation == second.invocation) {
    return first.number <= second.number;
  }
  const std::uint32_t group = group_of(first.invocation);
  if (group == group_of(second.invocation) && first.phase < second.phase) {
    return true;
  }
  const std::vector<Read>& reads = acquired_before(second, memory);
  return !reads.empty() && past(reads, group_of(second.invocation), memory).has(first, group);
}

}  // namespace core
