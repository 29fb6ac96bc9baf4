#include "spirv/analysis/memory/proofs.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_map>

#include "core/base/limits.h"
#include "spirv/analysis/memory/subgroup_order.h"

namespace spirv {
namespace {

constexpr std::uint64_t whole_range = std::uint64_t{1} << 32U;
constexpr std::uint32_t many = 0xFFFFFFFF;
constexpr std::uint64_t most_worked_out = std::uint64_t{1} << 20U;  // cells worked out for one pair
constexpr std::uint64_t most_trials = std::uint64_t{1} << 19U;      // for one pair
constexpr std::uint64_t most_of_variable = std::uint64_t{1}
                                           << 20U;  // of a variable; devices have 2^16

}  // namespace

Proofs::Proofs(const Program& program, const Phases& phases, const Uniformity& uniformity,
               const Sites& sites)
    : program_(program),
      phases_(phases),
      uniformity_(uniformity),
      sites_(sites),
      values_(program, [&uniformity](Id id) { return uniformity.uniform(id); }),
      in_open_(sites.all().size()),
      own_cells_(sites.all().size()) {
  find_counters();
  find_runs();
  find_guarded();
  for (const Site& site : sites.all()) {
    places_.push_back(place_of(site));
  }
  find_open();
}

// Near pairs come first: of a kernel with more pairs than are compared each site has some.
void Proofs::find_open() {
  const std::vector<Site>& all = sites_.all();
  std::uint64_t compared = 0;
  for (std::size_t apart = 0; apart < all.size() && complete_; ++apart) {
    for (std::size_t n = 0; n + apart < all.size(); ++n) {
      const Site& a = all[n];
      const Site& b = all[n + apart];
      if (!hazardous(a, b) || !phases_.meet(a.segment, b.segment)) {
        continue;
      }
      complete_ = ++compared <= core::limits::pairs && open_.size() < core::limits::open_pairs;
      if (!complete_) {
        in_open_.assign(all.size(), true);
        break;
      }
      // The check does not see the order that values impose: without proofs it counts as well.
      if (program_.launch.proofs ? !disjoint(a, b) : !ordered_by_subgroup(a, b)) {
        open_.push_back(ordered(a, b));
        in_open_[a.number] = in_open_[b.number] = true;
      }
    }
  }
  std::ranges::sort(open_, {}, [](const SitePair& p) {
    return std::pair(std::min(p.first, p.second), std::max(p.first, p.second));
  });
}

std::uint32_t Proofs::proven_sites() const {
  return static_cast<std::uint32_t>(std::ranges::count(in_open_, false));
}

void Proofs::find_counters() {
  for (const ControlFlow::Loop& loop : program_.flow.loops()) {
    for (SteppedLoop& stepped : stepped_loop(program_, loop)) {
      stepped_.emplace(stepped.counter, std::move(stepped));
    }
    if (auto strided = strided_loop(program_, values_, loop)) {
      const Id counter = strided->counter;
      stepped_.emplace(counter, *std::move(strided));
    }
    const auto counted = counted_loop(program_, loop);
    if (!counted || counted->iterations() > short_loop) {
      continue;
    }
    counters_[counted->counter] = {*counted, &loop};
  }
}

// What the counter can be in a block.
std::vector<std::uint64_t> Proofs::values_of(const Counter& counter, std::size_t block) const {
  const CountedLoop& counted = counter.counted;
  if (counted.only_way_out && !counter.loop->contains[block]) {
    return {counted.exit()};
  }
  std::vector<std::uint64_t> values;
  for (std::uint64_t v = counted.first; v < counted.end; v += counted.step) {
    values.push_back(v);
  }
  if (counted.inside == ControlFlow::none || !program_.flow.dominates(counted.inside, block)) {
    values.push_back(counted.exit());
  }
  return values;
}

// Follows every invocation through the branches that its ids decide.
void Proofs::find_runs() {
  const std::uint32_t count = program_.invocations();
  const bool evaluated = count <= evaluated_invocations;
  runs_.assign(program_.flow.size(), std::vector<bool>(evaluated ? count : 1, !evaluated));
  if (!evaluated || program_.flow.size() == 0) {
    return;
  }
  runs_[0].assign(count, true);
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t b : program_.flow.order()) {
      for (const std::size_t next : program_.flow.successors(b)) {
        std::vector<bool> along = runs_[b];
        limit_edge(b, next, along);
        for (std::uint32_t n = 0; n < count; ++n) {
          if (along[n] && !runs_[next][n]) {
            runs_[next][n] = changed = true;
          }
        }
      }
    }
  }
}

void Proofs::find_guarded() {
  guarded_.assign(program_.flow.size(), ControlFlow::none);
  for (const std::size_t b : program_.flow.order()) {
    const std::size_t d = program_.flow.dominator(b);
    if (d == b) {
      continue;
    }
    const Instruction& end = program_.function.blocks[d].terminator();
    const bool guarded = end.op == spv::Op::OpBranchConditional && end.word(1) != end.word(2) &&
                         program_.flow.predecessors(b).size() == 1;
    guarded_[b] = guarded ? b : guarded_[d];
  }
}

void Proofs::limit_edge(std::size_t from, std::size_t to, std::vector<bool>& runs) {
  const Instruction& end = program_.function.blocks[from].terminator();
  if (end.op != spv::Op::OpBranchConditional || end.word(1) == end.word(2)) {
    return;
  }
  const bool yes = program_.flow.index(end.word(1)) == to;
  const InvocationValue* condition = values_.of(end.word(0));
  if (condition == nullptr || !condition->terms.empty()) {
    limit_by_phi(from, yes, runs);
    return;
  }
  for (std::uint32_t n = 0; n < runs.size(); ++n) {
    runs[n] = runs[n] && (condition->in(n) != 0) == yes;
  }
}

// What is only one way's to decide (a && b) is decided by who came that way.
void Proofs::limit_by_phi(std::size_t block, bool yes, std::vector<bool>& runs) {
  const Instruction& end = program_.function.blocks[block].terminator();
  const Instruction& phi = program_.definitions.of(end.word(0));
  if (phi.op != spv::Op::OpPhi || program_.block_of(phi.result) != block) {
    return;
  }
  std::vector<bool> came(runs.size());
  for (std::size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
    const InvocationValue* value = values_.of(phi.word(k));
    const std::size_t way = program_.flow.index(phi.word(k + 1));
    if (way == ControlFlow::none) {
      return;
    }
    for (std::uint32_t n = 0; n < runs.size(); ++n) {
      const bool known = value != nullptr && value->terms.empty();
      came[n] = came[n] || (runs_[way][n] && (!known || (value->in(n) != 0) == yes));
    }
  }
  for (std::uint32_t n = 0; n < runs.size(); ++n) {
    runs[n] = runs[n] && came[n];
  }
}

Proofs::Place Proofs::place_of(const Site& site) {
  Place place{true, {32, {site.offset}, {}}};
  for (const IndexTerm& term : site.terms) {
    const InvocationValue* index = values_.of(term.index);
    if (index == nullptr || (index->width < 32 && !index->terms.empty())) {
      return {};
    }
    InvocationValue sum{32, {}, place.value.terms};
    const std::size_t count = std::max(place.value.known.size(), index->known.size());
    for (std::uint32_t n = 0; n < count; ++n) {
      sum.known.push_back((place.value.in(n) + index->in(n)*term.stride) % whole_range);
    }
    for (const auto& [unknown, factor] : index->terms) {
      sum.terms[unknown] = (sum.terms[unknown] + factor * term.stride) % whole_range;
    }
    std::erase_if(sum.terms, [](const auto& t) { return t.second == 0; });
    place.value = std::move(sum);
  }
  return place;
}

std::vector<Id> Proofs::leaves(Id value) const {
  std::vector<Id> found;
  std::vector<Id> work{value};
  std::vector<Id> seen;
  while (!work.empty()) {
    const Id id = work.back();
    work.pop_back();
    const Instruction& i = program_.definitions.of(id);
    if (program_.block_of(id) == ControlFlow::none || i.result == 0 ||
        std::ranges::find(seen, id) != seen.end()) {
      continue;  // constants and globals never change
    }
    seen.push_back(id);
    if (i.op == spv::Op::OpPhi || i.op == spv::Op::OpLoad) {
      found.push_back(id);
      continue;
    }
    for (const Operand& operand : i.operands) {
      if (operand.is_id) {
        work.push_back(operand.word);
      }
    }
  }
  return found;
}

bool Proofs::steady_leaf(Id leaf, const Site& a, const Site& b) const {
  const std::size_t block = program_.block_of(leaf);
  const auto& body = program_.function.blocks[block].body;
  const auto at = std::ranges::find(body, leaf, &Instruction::result);
  const std::size_t home = phases_.segment(block, static_cast<std::size_t>(at - body.begin()));
  for (std::size_t p = 0; p < phases_.openings().size(); ++p) {
    if (!phases_.reaches(p, a.segment) || !phases_.reaches(p, b.segment) ||
        !phases_.reaches(p, home)) {
      continue;
    }
    // Computed more than once in the phase, or not on every way to both sites: two invocations may
    // hold two of its values.
    if (phases_.follows(home, home)) {
      return false;
    }
    const auto computed = [&](std::size_t use) {
      return use == home || phases_.follows(home, use);
    };
    const auto not_computed = [&](std::size_t use) {
      return use != home && phases_.reaches_around(p, use, home);
    };
    // Both sites come only behind it, or only before it.
    const bool some = computed(a.segment) || computed(b.segment);
    if (some && (not_computed(a.segment) || not_computed(b.segment))) {
      return false;
    }
  }
  return true;
}

bool Proofs::steady(Unknown unknown, const Site& a, const Site& b) {
  const Id definition = values_.defined_by(unknown);
  return definition == 0 || steady_value(definition, a, b);
}

bool Proofs::steady_value(Id definition, const Site& a, const Site& b) const {
  return uniformity_.uniform_in(definition, a.block) &&
         uniformity_.uniform_in(definition, b.block) &&
         std::ranges::all_of(leaves(definition), [&](Id leaf) { return steady_leaf(leaf, a, b); });
}

// Places are compared modulo the greatest common divisor of what is not known about their
// difference: whatever the unknowns are, they move it by a multiple of that. Counters of short
// loops are tried out instead.
std::uint64_t Proofs::modulus(const Site& a, const Site& b, Amounts& more_a, Amounts& more_b) {
  std::uint64_t divisor = whole_range;
  const auto rest = [&](const Site& site, const Site& with, Amounts& more) {
    const InvocationValue& y = places_[with.number].value;
    for (const auto& [unknown, factor] : places_[site.number].value.terms) {
      const auto other = y.terms.find(unknown);
      if (other != y.terms.end() && steady(unknown, a, b)) {
        divisor = std::gcd(divisor, (factor - other->second) % whole_range);
        continue;
      }
      const auto counter = counters_.find(values_.defined_by(unknown));
      if (counter == counters_.end()) {
        divisor = std::gcd(divisor, factor);
        continue;
      }
      std::vector<std::uint64_t>& amounts =
          more.emplace_back(values_of(counter->second, site.block));
      for (std::uint64_t& amount : amounts) {
        amount = amount * factor % whole_range;
      }
    }
  };
  rest(a, b, more_a);
  rest(b, a, more_b);
  return divisor;
}

std::vector<std::uint64_t> Proofs::cells(const Site& site, std::uint32_t invocation,
                                         const Amounts& more, std::uint64_t m) const {
  std::vector<std::uint64_t> found{places_[site.number].value.in(invocation)};
  for (const auto& amounts : more) {
    std::vector<std::uint64_t> sums;
    for (const std::uint64_t base : found) {
      for (const std::uint64_t amount : amounts) {
        sums.push_back((base + amount) % whole_range);
      }
    }
    found = std::move(sums);
  }
  std::vector<std::uint64_t> all;
  for (const std::uint64_t first : found) {
    for (std::uint64_t w = 0; w < site.width; ++w) {
      all.push_back((first + w) % m);
    }
  }
  return all;
}

bool Proofs::disjoint(const Site& a, const Site& b) {
  const std::uint32_t count = program_.invocations();
  if (count <= 1) {
    return true;
  }
  if (count > evaluated_invocations) {
    return false;
  }
  const std::vector<bool>& runs_a = runs_[a.block];
  const std::vector<bool>& runs_b = runs_[b.block];
  std::uint32_t some = 0;
  for (std::uint32_t n = 0; n < count && some <= 1; ++n) {
    some += runs_a[n] || runs_b[n] ? 1 : 0;
  }
  if (some <= 1) {
    return true;  // only one invocation comes to either
  }
  if (own_cells(a).known && own_cells(b).known) {
    const bool apart = apart_by_own_cells(a, b) || apart_by_subgroup(a, b);
    if (apart || stepped_.empty()) {
      return apart || ordered_by_subgroup(a, b);  // no counter: nothing else is known of the two
    }
  }
  return apart_by_form(a, b) || apart_by_subgroup(a, b) || apart_by_trial(a, b, false) ||
         apart_by_trial(a, b, true) || ordered_by_subgroup(a, b);
}

// Only lanes of one group touch a cell that both sites touch, and the store needs what all lanes of
// the group loaded.
bool Proofs::ordered_by_subgroup(const Site& a, const Site& b) {
  constexpr std::uint32_t kQuad = 4;
  const Site& load = a.writes ? b : a;
  const Site& store = a.writes ? a : b;
  const bool load_first = (load.segment == store.segment && load.number < store.number) ||
                          phases_.follows(load.segment, store.segment);
  if (!load.reads || load.writes || !store.writes || store.reads || !load_first ||
      phases_.follows(store.segment, load.segment) ||
      program_.interface.local_size[0] % kQuad != 0) {
    return false;
  }
  const std::uint32_t most = std::max(program_.launch.subgroup, kQuad);
  for (std::uint32_t lanes = kQuad; lanes <= most; lanes *= 2) {
    const LaneGroup group{lanes, lanes == program_.launch.subgroup};
    if (program_.invocations() % lanes == 0 &&
        needs_all_lanes(program_, store, load, group,
                        [this](std::size_t block) { return reached_together(block, 0); }) &&
        (apart_by_trial(a, b, false, lanes) || apart_by_trial(a, b, true, lanes))) {
      return true;
    }
  }
  return false;
}

const Proofs::OwnCells& Proofs::own_cells(const Site& site) {
  std::optional<OwnCells>& own = own_cells_[site.number];
  if (own) {
    return *own;
  }
  own.emplace();
  const std::uint64_t scalars = sites_.variables()[site.variable].scalars;
  Trial trial{&site, evaluation(), {}, {}, {}};
  for (const IndexTerm& term : site.terms) {
    const auto place = trial.evaluation.add(term.index);
    if (!place) {
      return *own;
    }
    trial.terms.emplace_back(*place, term.stride);
  }
  if (!trial.evaluation.counters().empty() || scalars > most_of_variable ||
      turns(trial) > most_trials) {
    return *own;
  }
  add_conditions(trial, {});
  own->known = visit_cells(trial, {}, {}, [&](std::uint32_t n, std::uint64_t cell) {
    if (cell < scalars) {
      own->cells.emplace_back(n, static_cast<std::uint32_t>(cell));
    }
    return cell < scalars;
  });
  return *own;
}

bool Proofs::apart_by_own_cells(const Site& a, const Site& b) {
  if (owned_by_ != a.number + 1) {
    if (owned_by_ != 0) {
      for (const auto& [n, cell] : own_cells_[owned_by_ - 1]->cells) {
        owners_[cell] = 0;
      }
    }
    owned_by_ = a.number + 1;
    owners_.resize(std::max<std::size_t>(owners_.size(), sites_.variables()[a.variable].scalars));
    for (const auto& [n, cell] : own_cells(a).cells) {
      owners_[cell] = owners_[cell] == 0 || owners_[cell] == n + 1 ? n + 1 : many;
    }
  }
  return std::ranges::all_of(own_cells(b).cells, [&](const auto& touch) {
    return owners_[touch.second] == 0 || owners_[touch.second] == touch.first + 1;
  });
}

// One invocation of a subgroup writes at its subgroup's number.
bool Proofs::apart_by_subgroup(const Site& a, const Site& b) const {
  const auto& size = program_.interface.local_size;
  if (a.number != b.number || a.terms.size() != 1 || a.terms.front().stride < a.width ||
      size[1] != 1 || size[2] != 1 ||
      !is_built_in(a.terms.front().index, spv::BuiltIn::SubgroupId)) {
    return false;
  }
  for (std::size_t g = guarded_[a.block]; g != ControlFlow::none; g = guarded_[guard(g)]) {
    const Instruction& end = program_.function.blocks[guard(g)].terminator();
    if (program_.flow.index(end.word(1)) == g && one_lane(end.word(0), guard(g))) {
      return true;
    }
  }
  return false;
}

bool Proofs::is_built_in(Id value, spv::BuiltIn built_in) const {
  const Instruction* i = &program_.definitions.of(value);
  while (i->op == spv::Op::OpCopyObject || i->op == spv::Op::OpBitcast) {
    i = &program_.definitions.of(i->word(0));
  }
  return i->op == spv::Op::OpLoad && program_.built_in(i->word(0)) == built_in;
}

// Is the condition true for one invocation of a subgroup at most, each time the same one?
bool Proofs::one_lane(Id condition, std::size_t block) const {
  const Instruction& i = program_.definitions.of(condition);
  if (i.op == spv::Op::OpGroupNonUniformElect) {
    return reached_together(program_.block_of(condition), 0) && reached_together(block, 0);
  }
  const auto fixed = [&](Id value) {
    const Instruction& number = program_.definitions.of(value);
    const bool below = number.op == spv::Op::OpISub || number.op == spv::Op::OpIAdd;
    return program_.constants.scalar(value).has_value() ||
           is_built_in(value, spv::BuiltIn::SubgroupSize) ||
           (below && is_built_in(number.word(0), spv::BuiltIn::SubgroupSize) &&
            program_.constants.scalar(number.word(1)));
  };
  const auto lane = [&](Id value) {
    return is_built_in(value, spv::BuiltIn::SubgroupLocalInvocationId);
  };
  return i.op == spv::Op::OpIEqual &&
         ((lane(i.word(0)) && fixed(i.word(1))) || (lane(i.word(1)) && fixed(i.word(0))));
}

// By all invocations of a workgroup or by none, as often as by each other.
bool Proofs::reached_together(std::size_t block, int depth) const {
  return depth < 8 && std::ranges::all_of(
                          program_.flow.controllers(block),
                          [&](std::size_t by) {
                            const Instruction& end = program_.function.blocks[by].terminator();
                            return end.op == spv::Op::OpBranchConditional &&
                                   uniformity_.uniform(end.word(0)) &&
                                   (by == block || reached_together(by, depth + 1));
                          });
}

bool Proofs::apart_by_form(const Site& a, const Site& b) {
  if (!places_[a.number].known || !places_[b.number].known) {
    return false;
  }
  const std::uint32_t count = program_.invocations();
  const std::vector<bool>& runs_a = runs_[a.block];
  const std::vector<bool>& runs_b = runs_[b.block];
  Amounts more_a;
  Amounts more_b;
  const std::uint64_t m = modulus(a, b, more_a, more_b);
  const auto work = [count](const Site& site, const Amounts& more) {
    std::uint64_t product = site.width * count;
    for (const auto& amounts : more) {
      product *= std::min<std::uint64_t>(amounts.size(), most_worked_out);
      product = std::min(product, 2 * most_worked_out);
    }
    return product;
  };
  if (m < a.width + b.width || work(a, more_a) > most_worked_out ||
      work(b, more_b) > most_worked_out) {
    return false;
  }
  std::unordered_map<std::uint64_t, std::uint32_t> owner;
  for (std::uint32_t n = 0; n < count; ++n) {
    if (!runs_a[n]) {
      continue;
    }
    for (const std::uint64_t cell : cells(a, n, more_a, m)) {
      const auto [entry, fresh] = owner.try_emplace(cell, n);
      if (!fresh && entry->second != n) {
        entry->second = many;
      }
    }
  }
  for (std::uint32_t n = 0; n < count; ++n) {
    if (!runs_b[n]) {
      continue;
    }
    for (const std::uint64_t cell : cells(b, n, more_b, m)) {
      const auto entry = owner.find(cell);
      if (entry != owner.end() && entry->second != n) {
        return false;
      }
    }
  }
  return true;
}

Evaluation Proofs::evaluation() {
  return {program_, &values_, [this](Id id) { return stepped_.contains(id); },
          [this](Id id) { return stepped_.at(id).start; }};
}

// Indices that both sites share, and see the same value of, cancel.
std::optional<Proofs::Trial> Proofs::trial_of(const Site& site, const Site& other) {
  Trial trial{&site, evaluation(), {}, {}, {}};
  for (const IndexTerm& term : site.terms) {
    if (const auto place = trial.evaluation.add(term.index)) {
      trial.terms.emplace_back(*place, term.stride);
      continue;
    }
    const auto alike = [&](const IndexTerm& t) {
      return t.index == term.index && t.stride == term.stride;
    };
    const bool both =
        std::ranges::count_if(site.terms, alike) == std::ranges::count_if(other.terms, alike);
    if (!both || !steady_value(term.index, site, other)) {
      return std::nullopt;
    }
  }
  return trial;
}

// Those that the indices depend on, or also those of all loops that both sites are in or behind,
// where both see the same value of them.
std::vector<Id> Proofs::shared_counters(const Trial& a, const Trial& b, bool of_all_loops) const {
  std::vector<Id> candidates = a.evaluation.counters();
  std::ranges::copy(b.evaluation.counters(), std::back_inserter(candidates));
  for (const auto& [counter, stepped] : stepped_) {
    const std::size_t header = stepped.loop->header;
    if (of_all_loops && program_.flow.dominates(header, a.site->block) &&
        program_.flow.dominates(header, b.site->block)) {
      candidates.push_back(counter);
    }
  }
  std::vector<Id> shared;
  for (const Id counter : candidates) {
    if (std::ranges::find(shared, counter) == shared.end() &&
        steady_value(counter, *a.site, *b.site)) {
      shared.push_back(counter);
    }
  }
  return shared;
}

void Proofs::add_conditions(Trial& trial, const std::vector<Id>& shared) {
  const std::vector<Id> own = trial.evaluation.counters();
  const std::size_t block = trial.site->block;
  for (std::size_t g = guarded_[block]; g != ControlFlow::none; g = guarded_[guard(g)]) {
    const Instruction& end = program_.function.blocks[guard(g)].terminator();
    Evaluation alone = evaluation();
    const auto known = alone.add(end.word(0));
    const bool fits = known && std::ranges::all_of(alone.counters(), [&](Id counter) {
                        return std::ranges::find(shared, counter) != shared.end() ||
                               std::ranges::find(own, counter) != own.end();
                      });
    const auto place = fits ? trial.evaluation.add(end.word(0)) : std::nullopt;
    if (place) {
      trial.conditions.emplace_back(*place, program_.flow.index(end.word(1)) == g);
    }
  }
  for (const Id counter : trial.evaluation.counters()) {
    const bool is_shared = std::ranges::find(shared, counter) != shared.end();
    trial.own.push_back(is_shared ? std::vector<std::uint64_t>()
                                  : stepped_.at(counter).in(program_, block));
  }
}

std::uint64_t Proofs::turns(const Trial& trial) const {
  std::uint64_t product = trial.site->width * program_.invocations();
  for (const auto& values : trial.own) {
    product *= std::max<std::uint64_t>(values.size(), 1);
    product = std::min(product, 2 * most_worked_out);
  }
  return product;
}

bool Proofs::visit_cells(Trial& trial, const std::vector<Id>& shared,
                         const std::vector<std::uint64_t>& setting, const Visit& visit) const {
  const std::vector<Id>& counters = trial.evaluation.counters();
  std::vector<std::uint64_t> settings(counters.size());
  std::vector<std::size_t> turn(counters.size());
  const auto is_shared = [&](Id counter) {
    return std::ranges::find(shared, counter) != shared.end();
  };
  for (std::size_t c = 0; c < counters.size(); ++c) {
    if (!is_shared(counters[c]) && trial.own[c].empty()) {
      return true;  // in a loop without any turn
    }
  }
  for (;;) {
    for (std::size_t c = 0; c < counters.size(); ++c) {
      const auto at = std::ranges::find(shared, counters[c]);
      settings[c] = at != shared.end() ? setting[static_cast<std::size_t>(at - shared.begin())]
                                       : trial.own[c][turn[c]];
    }
    for (std::uint32_t n = 0; n < program_.invocations(); ++n) {
      if (!runs_[trial.site->block][n]) {
        continue;
      }
      trial.evaluation.run(n, settings);
      const bool comes = std::ranges::all_of(trial.conditions, [&](const auto& condition) {
        const auto& value = trial.evaluation.at(condition.first);
        return !value || (*value != 0) == condition.second;
      });
      std::uint64_t place = trial.site->offset;
      for (const auto& [term, stride] : trial.terms) {
        const auto& index = trial.evaluation.at(term);
        if (comes && !index) {
          return false;
        }
        place += index.value_or(0) * stride;
      }
      for (std::uint64_t w = 0; comes && w < trial.site->width; ++w) {
        if (!visit(n, (place + w) % whole_range)) {
          return false;
        }
      }
    }
    std::size_t c = 0;
    while (c < turn.size() && ++turn[c] >= std::max<std::size_t>(trial.own[c].size(), 1)) {
      turn[c++] = 0;
    }
    if (c == turn.size()) {
      return true;
    }
  }
}

bool Proofs::apart_by_trial(const Site& a, const Site& b, bool of_all_loops,
                            std::uint32_t neighbours) {
  auto x = trial_of(a, b);
  auto y = x ? trial_of(b, a) : std::nullopt;
  if (!y) {
    return false;
  }
  const std::vector<Id> shared = shared_counters(*x, *y, of_all_loops);
  add_conditions(*x, shared);
  add_conditions(*y, shared);
  std::vector<std::vector<std::uint64_t>> settings{{}};
  for (const Id counter : shared) {
    const auto there = stepped_.at(counter).in(program_, a.block);
    const auto here = stepped_.at(counter).in(program_, b.block);
    std::vector<std::vector<std::uint64_t>> longer;
    for (const auto& setting : settings) {
      for (const std::uint64_t value : there) {
        if (std::ranges::find(here, value) != here.end()) {
          longer.push_back(setting);
          longer.back().push_back(value);
        }
      }
    }
    settings = std::move(longer);
    if (settings.size() > most_worked_out) {
      return false;
    }
  }
  const std::uint64_t scalars = sites_.variables()[a.variable].scalars;
  if (scalars > most_of_variable || (turns(*x) + turns(*y)) * settings.size() > most_trials) {
    return false;
  }
  std::vector<std::uint32_t> owner;
  return std::ranges::all_of(settings, [&](const auto& setting) {
    owner.assign(scalars, 0);
    const bool known = visit_cells(*x, shared, setting, [&](std::uint32_t who, std::uint64_t cell) {
      const std::uint32_t n = who / neighbours;
      if (cell < scalars) {
        owner[cell] = owner[cell] == 0 || owner[cell] == n + 1 ? n + 1 : many;
      }
      return cell < scalars;
    });
    return known && visit_cells(*y, shared, setting, [&](std::uint32_t who, std::uint64_t cell) {
             const std::uint32_t n = who / neighbours;
             return cell < scalars && (owner[cell] == 0 || owner[cell] == n + 1);
           });
  });
}

bool Proofs::in_bounds(const Site& site, const IndexTerm& term) {
  if (!program_.launch.proofs) {
    return false;
  }
  if (const InvocationValue* index = values_.of(term.index);
      index != nullptr && index->terms.empty() && program_.invocations() <= evaluated_invocations) {
    bool inside = true;
    for (std::uint32_t n = 0; n < program_.invocations(); ++n) {
      inside = inside && (!runs_[site.block][n] || index->in(n) < term.length);
    }
    if (inside) {
      return true;
    }
  }
  if (!intervals_) {
    intervals_.emplace(program_);
  }
  return intervals_->below(term.index, site.block, term.length);
}

SitePair Proofs::ordered(const Site& a, const Site& b) const {
  // In program order within a phase; around a loop when there is no other way.
  const auto before = [&](const Site& x, const Site& y) {
    return (x.segment == y.segment && x.number < y.number) ||
           (x.segment != y.segment && phases_.follows(x.segment, y.segment)) ||
           (x.segment == y.segment && phases_.follows(x.segment, y.segment));
  };
  return in_order(a, b, before(a, b), before(b, a));
}

}  // namespace spirv
