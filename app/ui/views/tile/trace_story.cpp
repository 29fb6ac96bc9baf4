#include "ui/views/tile/trace_story.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <list>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/model/instructions.h"
#include "core/report/trace_races.h"
#include "ui/widgets/names.h"

namespace ui {
namespace {

// Stories are made on several threads.
std::uint64_t next_number() {
  static std::atomic<std::uint64_t> numbers = 0;
  return ++numbers;
}

ElementShape shape_of(const core::TracedVariable& v) {
  ElementShape shape;
  shape.count = core::element_count(v);
  shape.bytes = core::element_bytes(v);
  shape.slices = std::max(1U, shape.bytes / std::max(v.scalar_bytes, 1U));
  if (v.memory == core::MemoryKind::shared) {
    shape.touched.assign(shape.count, false);
  }
  shape.low = std::numeric_limits<float>::infinity();
  shape.high = -std::numeric_limits<float>::infinity();
  return shape;
}

using MomentKey = std::pair<std::uint32_t, std::uint32_t>;  // site, turn in the phase

// What each invocation does, in its own order.
std::vector<std::vector<MomentKey>> keys_of(const std::vector<Touch>& touches,
                                            std::uint32_t invocations, std::size_t sites) {
  std::vector<std::vector<MomentKey>> keys(invocations);
  std::vector<std::uint32_t> turns(invocations * sites, 0);
  for (const Touch& t : touches) {
    keys[t.invocation].emplace_back(t.site, turns[t.invocation * sites + t.site]++);
  }
  return keys;
}

// What invocations do at the same place and in the same turn is one moment, though one of them may
// have skipped what came before. Each invocation's own order is kept.
std::map<MomentKey, std::uint32_t> numbers_of(std::vector<std::vector<MomentKey>> keys) {
  std::ranges::stable_sort(keys, std::greater<>(), &std::vector<MomentKey>::size);
  std::set<std::vector<MomentKey>> known;
  std::list<MomentKey> order;
  std::map<MomentKey, std::list<MomentKey>::iterator> places;
  for (const auto& own : keys) {
    if (!known.insert(own).second) {
      continue;
    }
    auto place = order.begin();
    for (const MomentKey& key : own) {
      const auto found = places.find(key);
      if (found != places.end()) {
        place = std::next(found->second);
      } else {
        places[key] = order.insert(place, key);
      }
    }
  }
  std::map<MomentKey, std::uint32_t> numbers;
  for (const MomentKey& key : order) {
    numbers.emplace(key, static_cast<std::uint32_t>(numbers.size()) + 1);
  }
  return numbers;
}

// Gives each touch its moment; returns how many there are.
std::uint32_t number_moments(std::vector<Touch>& touches, std::uint32_t invocations,
                             std::size_t sites) {
  const auto keys = keys_of(touches, invocations, sites);
  const auto numbers = numbers_of(keys);
  std::vector<std::size_t> next(invocations, 0);
  for (Touch& t : touches) {
    t.moment = numbers.at(keys[t.invocation][next[t.invocation]++]);
  }
  return static_cast<std::uint32_t>(numbers.size());
}

std::uint8_t doing_of(core::MemoryKind memory, bool write) {
  if (memory == core::MemoryKind::shared) {
    return write ? Doing::writes_shared : Doing::reads_shared;
  }
  return write ? Doing::writes_global : Doing::reads_global;
}

}  // namespace

std::string invocation_name(const core::Trace& trace, std::uint32_t invocation) {
  const auto& size = trace.local_size;
  return invocation_name(
      {invocation % size[0], invocation / size[0] % size[1], invocation / size[0] / size[1]}, size);
}

std::optional<SharedCell> shared_cell(const core::Trace& trace, const std::string& name,
                                      std::span<const std::uint32_t> index) {
  const auto found = std::ranges::find_if(trace.variables, [&name](const core::TracedVariable& v) {
    return v.memory == core::MemoryKind::shared && v.name == name;
  });
  if (found == trace.variables.end()) {
    return std::nullopt;
  }
  SharedCell cell{static_cast<std::uint32_t>(found - trace.variables.begin())};
  for (std::size_t d = 0; d < found->dimensions.size() && d < index.size(); ++d) {
    cell.element = cell.element * found->dimensions[d] + index[d];
  }
  return cell;
}

TraceStory::TraceStory(std::shared_ptr<const core::Trace> trace)
    : number_(next_number()), trace_(std::move(trace)) {
  std::ranges::transform(trace_->variables, std::back_inserter(shapes_), shape_of);
  for (std::size_t v = 0; v < shapes_.size(); ++v) {
    const bool shared = trace_->variables[v].memory == core::MemoryKind::shared;
    before_.emplace_back(shared ? shapes_[v].count * shapes_[v].slices : 0);
  }
  scan();
  name_phases();
  find_races();
}

std::uint32_t TraceStory::invocations() const {
  return trace_->local_size[0] * trace_->local_size[1] * trace_->local_size[2];
}

bool TraceStory::has_shared() const {
  return std::ranges::any_of(trace_->variables, [](const core::TracedVariable& v) {
    return v.memory == core::MemoryKind::shared;
  });
}

void TraceStory::scan() {
  for (const core::TracedAccess& a : trace_->accesses) {
    const core::TracedSite& site = trace_->sites[a.site];
    ElementShape& shape = shapes_[site.variable];
    const std::uint64_t element = a.offset / shape.bytes;
    if (element < shape.touched.size()) {
      shape.touched[element] = true;
    }
    const auto value = static_cast<float>(number_of(a.value, site.scalar, site.scalar_bytes));
    if (std::isfinite(value)) {
      shape.low = std::min(shape.low, value);
      shape.high = std::max(shape.high, value);
    }
  }
  for (ElementShape& shape : shapes_) {
    if (shape.low > shape.high) {
      shape.low = shape.high = 0.0F;
    }
  }
}

void TraceStory::name_phases() {
  std::map<std::uint32_t, std::uint32_t> turns;
  for (const core::TracedPhase& p : trace_->phases) {
    LivedPhase lived;
    for (std::uint64_t i = p.first; i < p.last; ++i) {
      const core::TracedSite& site = trace_->sites[trace_->accesses[i].site];
      const core::MemoryKind memory = trace_->variables[site.variable].memory;
      lived.facts.note(memory, site.access, site.writes);
      const bool shared = memory == core::MemoryKind::shared;
      lived.shared_reads += shared && site.access != core::Access::write ? 1 : 0;
    }
    lived.name = lived.facts.name();
    lived.opened_by = p.opened_by;
    lived.turn = turns[p.opened_by]++;
    phases_.push_back(lived);
  }
  for (LivedPhase& p : phases_) {
    p.turns = turns[p.opened_by];
  }
}

void TraceStory::find_races() {
  for (const core::RacingCell& cell : core::racing_cells(*trace_)) {
    const std::uint64_t element = cell.offset / shapes_[cell.variable].bytes;
    const bool same_element = !races_.empty() && races_.back().phase == cell.phase &&
                              races_.back().variable == cell.variable &&
                              races_.back().element == element;
    if (!same_element) {
      races_.push_back({cell.phase, cell.variable, element, cell.first, cell.second});
    }
  }
}

std::uint32_t TraceStory::invocation_of(const std::array<std::uint32_t, 3>& id) const {
  const auto& size = trace_->local_size;
  return (id[2] * size[1] + id[1]) * size[0] + id[0];
}

const RacingPair* TraceStory::pair_of(const core::Finding& f) {
  const bool here = f.kind == core::FindingKind::race && f.workgroup == trace_->workgroup;
  const auto cell = here ? shared_cell(*trace_, f.variable, f.index) : std::nullopt;
  if (!cell) {
    return nullptr;
  }
  const Named named{cell->variable, cell->element,
                    f.first.line,   invocation_of(f.first.invocation),
                    f.second.line,  invocation_of(f.second.invocation)};
  const auto [known, fresh] = pairs_.try_emplace(named);
  if (fresh) {
    known->second = find_pair(named);
  }
  return known->second ? &*known->second : nullptr;
}

std::optional<RacingPair> TraceStory::find_pair(const Named& named) const {
  const auto& [variable, element, line, invocation, other_line, other_invocation] = named;
  for (std::size_t p = 0; p < trace_->phases.size(); ++p) {
    std::optional<std::uint64_t> one, other;
    for (std::uint64_t i = trace_->phases[p].first; i < trace_->phases[p].last; ++i) {
      const core::TracedAccess& a = trace_->accesses[i];
      const core::TracedSite& site = trace_->sites[a.site];
      if (site.variable != variable || a.offset / shapes_[variable].bytes != element) {
        continue;
      }
      if (!one && a.invocation == invocation && site.at.line == line) {
        one = i;
      } else if (!other && a.invocation == other_invocation && site.at.line == other_line) {
        other = i;
      }
    }
    if (one && other) {
      return RacingPair{p, variable, element, *one, *other};
    }
  }
  return std::nullopt;
}

std::optional<FindingPlace> TraceStory::place_of(const core::Finding& f) {
  using Kind = core::FindingKind;
  const bool told =
      f.kind == Kind::out_of_bounds || f.kind == Kind::uninitialized || f.kind == Kind::arithmetic;
  if (!told || f.workgroup != trace_->workgroup || phases_.empty()) {
    return std::nullopt;
  }
  FindingPlace place{.phase = telling_phase(), .invocation = invocation_of(f.first.invocation)};
  const auto is_at = [&](const core::TracedAccess& a) {
    const core::SourcePlace& at = trace_->sites[a.site].at;
    return a.invocation == place.invocation && at.line == f.line &&
           (f.file.empty() || at.file.empty() || at.file == f.file);
  };
  const auto outside = std::ranges::find_if(trace_->outside, is_at);
  if (f.kind == Kind::out_of_bounds && outside != trace_->outside.end()) {
    place.phase = outside->phase;
    place.moment = moment_of(*outside);
    place.outside = static_cast<std::size_t>(outside - trace_->outside.begin());
    return place;
  }
  // If the line has several accesses, take the one that agrees with most facts of the finding.
  int best = 0;
  const auto cell = shared_cell(*trace_, f.variable, f.index);
  for (std::size_t i = 0; i < trace_->accesses.size(); ++i) {
    const core::TracedAccess& a = trace_->accesses[i];
    const core::TracedSite& site = trace_->sites[a.site];
    const core::TracedVariable& v = trace_->variables[site.variable];
    if (a.invocation != place.invocation) {
      continue;
    }
    if (!is_at(a)) {
      place.phase = best == 0 && site.at.line < f.line ? a.phase : place.phase;
      continue;
    }
    const bool here = cell && cell->variable == site.variable &&
                      a.offset / shapes_[site.variable].bytes == cell->element;
    const bool strange = !std::isfinite(number_of(a.value, site.scalar, site.scalar_bytes));
    const int score = 1 + (v.name == f.variable ? 2 : 0) +
                      (site.writes == (f.kind == Kind::arithmetic) ? 1 : 0) +
                      ((f.kind == Kind::arithmetic ? strange : here) ? 4 : 0);
    if (score > best) {
      best = score;
      place.phase = a.phase;
      place.access = i;
    }
  }
  place.moment = place.access ? moment_of(trace_->accesses[*place.access]) : 0;
  return place;
}

// The moment of an access. An access outside its variable has none, so it gets the moment of other
// invocations at the same place in the source.
std::uint32_t TraceStory::moment_of(const core::TracedAccess& access) {
  open(access.phase);
  std::uint32_t before = 0;
  for (const Touch& t : touches_) {
    const core::TracedAccess& a = trace_->accesses[t.access];
    if (t.site == access.site && a.turn == access.turn) {
      return t.moment;
    }
    if (t.invocation == access.invocation && a.moment <= access.moment) {
      before = std::max(before, t.moment);
    }
  }
  return before;
}

const RacingPair* TraceStory::told_apart(const RacingPair& race) {
  if (apart_of_ == race) {
    return &apart_;
  }
  apart_ = apart_of_ = race;
  const core::TracedAccess& one = trace_->accesses[race.first];
  const core::TracedAccess& other = trace_->accesses[race.second];
  const std::uint32_t across = trace_->local_size[0];
  const auto distance = [&](const core::TracedAccess& a) {
    const auto apart = [](std::uint32_t p, std::uint32_t q) { return p > q ? p - q : q - p; };
    return apart(a.invocation % across, one.invocation % across) +
           apart(a.invocation / across, one.invocation / across);
  };
  const auto subgroup = [this](const core::TracedAccess& a) {
    return a.invocation < trace_->subgroup.size() ? trace_->subgroup[a.invocation] : 0;
  };
  std::uint32_t farthest = distance(other);
  const core::TracedPhase& phase = trace_->phases[race.phase];
  for (std::uint64_t i = phase.first; i < phase.last; ++i) {
    const core::TracedAccess& a = trace_->accesses[i];
    const bool ordered = subgroup(a) == subgroup(one) && a.subgroup_phase != one.subgroup_phase;
    if (a.site == other.site && a.offset == other.offset && a.invocation != one.invocation &&
        !ordered && distance(a) > farthest) {
      farthest = distance(a);
      apart_.second = i;
    }
  }
  return &apart_;
}

std::size_t TraceStory::telling_phase() const {
  const auto most = std::ranges::max_element(phases_, {}, &LivedPhase::shared_reads);
  if (most != phases_.end() && most->shared_reads > 0) {
    return static_cast<std::size_t>(most - phases_.begin());
  }
  const auto shared = std::ranges::find_if(
      phases_, [](const LivedPhase& p) { return p.facts.reads_shared || p.facts.writes_shared; });
  const auto any = std::ranges::find_if(
      phases_, [](const LivedPhase& p) { return p.facts.reads_global || p.facts.writes_global; });
  const auto found = shared != phases_.end() ? shared : any;
  return found != phases_.end() ? static_cast<std::size_t>(found - phases_.begin()) : 0;
}

std::vector<Touch> TraceStory::gather(std::size_t phase) const {
  std::vector<Touch> touches;
  const core::TracedPhase& p = trace_->phases[phase];
  for (std::uint64_t i = p.first; i < p.last; ++i) {
    const core::TracedAccess& a = trace_->accesses[i];
    const core::TracedSite& site = trace_->sites[a.site];
    const std::uint64_t element = a.offset / shapes_[site.variable].bytes;
    const bool goes_on =
        a.scalar > 0 && !touches.empty() && touches.back().invocation == a.invocation &&
        touches.back().site == a.site && trace_->accesses[touches.back().access].moment == a.moment;
    if (goes_on) {
      Touch& touch = touches.back();
      ++touch.scalars;
      touch.elements = static_cast<std::uint32_t>(
          std::max<std::uint64_t>(touch.elements, element - std::min(element, touch.element) + 1));
      continue;
    }
    touches.push_back({.invocation = a.invocation,
                       .site = a.site,
                       .variable = site.variable,
                       .element = element,
                       .access = i,
                       .writes = site.writes});
  }
  return touches;
}

void TraceStory::open(std::size_t phase) {
  if (opened_ == phase) {
    return;
  }
  opened_ = phase;
  touches_ = gather(phase);
  const std::uint32_t count = number_moments(touches_, invocations(), trace_->sites.size());
  std::ranges::stable_sort(touches_, [](const Touch& a, const Touch& b) {
    return std::pair(a.moment, a.invocation) < std::pair(b.moment, b.invocation);
  });
  starts_.assign(count + 1, touches_.size());
  for (std::size_t i = touches_.size(); i-- > 0;) {
    starts_[touches_[i].moment - 1] = i;
  }
  if (phase < before_phase_) {
    before_phase_ = 0;
    for (auto& slices : before_) {
      slices.assign(slices.size(), {});
    }
  }
  for (; before_phase_ < phase; ++before_phase_) {
    replay(before_phase_, before_);
  }
}

void TraceStory::apply(const core::TracedAccess& a, std::vector<std::vector<Slice>>& memory) const {
  const core::TracedSite& site = trace_->sites[a.site];
  auto& slices = memory[site.variable];
  if (slices.empty()) {
    return;
  }
  const ElementShape& shape = shapes_[site.variable];
  const std::uint64_t element = a.offset / shape.bytes;
  const std::uint64_t inside = a.offset % shape.bytes / std::max(1U, shape.bytes / shape.slices);
  const std::uint64_t at =
      element * shape.slices + std::min<std::uint64_t>(inside, shape.slices - 1);
  if (at < slices.size() && (site.writes || slices[at].bytes == 0)) {
    slices[at] = {a.value, site.scalar, site.scalar_bytes};
  }
}

void TraceStory::replay(std::size_t phase, std::vector<std::vector<Slice>>& memory) const {
  const core::TracedPhase& p = trace_->phases[phase];
  for (std::uint64_t i = p.first; i < p.last; ++i) {
    apply(trace_->accesses[i], memory);
  }
}

std::uint32_t TraceStory::moments(std::size_t phase) {
  open(phase);
  return static_cast<std::uint32_t>(starts_.size() - 1);
}

const Moment& TraceStory::at(std::size_t phase, std::uint32_t moment) {
  open(phase);
  const auto count = static_cast<std::uint32_t>(starts_.size() - 1);
  moment = std::min(moment, count);
  if (made_ && moment_.phase == phase && moment_.moment == moment) {
    return moment_;
  }
  made_ = true;
  moment_.phase = phase;
  moment_.moment = moment;
  moment_.moments = count;
  moment_.version = next_number();
  const std::size_t first = moment == 0 ? 0 : starts_[moment - 1];
  const std::size_t last = moment == 0 ? touches_.size() : starts_[moment];
  moment_.touches = std::span(touches_).subspan(first, last - first);
  moment_.memory = before_;
  for (std::size_t i = 0; i < last; ++i) {
    for (std::uint64_t s = 0; s < touches_[i].scalars; ++s) {
      apply(trace_->accesses[touches_[i].access + s], moment_.memory);
    }
  }
  moment_.doing.assign(invocations(), 0);
  moment_.counts.assign(shapes_.size(), {});
  for (std::size_t v = 0; v < shapes_.size(); ++v) {
    moment_.counts[v].resize(shapes_[v].touched.size());
  }
  for (const Touch& t : moment_.touches) {
    moment_.doing[t.invocation] |= doing_of(trace_->variables[t.variable].memory, t.writes);
    auto& counts = moment_.counts[t.variable];
    for (std::uint64_t e = t.element;
         e < std::min<std::uint64_t>(t.element + t.elements, counts.size()); ++e) {
      ++(t.writes ? counts[e].writes : counts[e].reads);
    }
  }
  return moment_;
}

}  // namespace ui
