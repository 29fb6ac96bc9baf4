#include "spirv/analysis/memory/arrival.h"

#include <algorithm>

#include "spirv/analysis/memory/ticket.h"
#include "spirv/module/operations.h"
#include "spirv/reflection/barriers.h"

namespace spirv {
namespace {

constexpr std::size_t most_sites = 512;  // each is compared with all fences and barriers
constexpr std::uint64_t most_elements = std::uint64_t{1}
                                        << 32U;  // whose index does not wrap around

// A multiple of the workgroup's id along x, or of its team's number, and the same more everywhere.
bool is_of_group_id(const InvocationValues& values, const InvocationValue& value,
                    std::uint32_t dimension) {
  return value.known.size() == 1 && value.terms.size() == 1 &&
         values.group_dimension(value.terms.begin()->first) == dimension;
}

bool is_group_id(const InvocationValues& values, const InvocationValue& value) {
  return is_of_group_id(values, value, 0) && value.known.front() == 0 &&
         value.terms.begin()->second == 1;
}

// What the workgroup's id is divided by in an index: somewhere in its sums and products. 0:
// nothing.
std::uint64_t divisor_of_id(const Program& program, InvocationValues& values, Id index, int depth) {
  const Instruction& i = program.definitions.of(index);
  const bool shift = i.op == spv::Op::OpShiftRightLogical;
  if (shift || i.op == spv::Op::OpUDiv) {
    const InvocationValue* id = values.of(i.word(0));
    const InvocationValue* by = values.of(i.word(1));
    if (id == nullptr || by == nullptr || !by->constant() || !is_group_id(values, *id)) {
      return 0;
    }
    const std::uint64_t given = by->known.front();
    return !shift ? given : given < 32 ? std::uint64_t{1} << given : 0;
  }
  const bool inner = i.op == spv::Op::OpIAdd || i.op == spv::Op::OpIMul ||
                     i.op == spv::Op::OpShiftLeftLogical || i.op == spv::Op::OpBitwiseOr ||
                     i.op == spv::Op::OpPhi;
  constexpr int deepest = 6;
  const std::size_t apart = i.op == spv::Op::OpPhi ? 2 : 1;  // labels stand between
  std::uint64_t found = 0;
  for (std::size_t k = 0; inner && depth < deepest && k <= apart && found == 0; k += apart) {
    found = k < i.operands.size() ? divisor_of_id(program, values, i.word(k), depth + 1) : 0;
  }
  return found;
}

}  // namespace

// Where an instruction stands.
struct ArrivalPoint {
  std::size_t block = 0;
  std::size_t instruction = 0;
};

class ArrivalSearch {
 public:
  ArrivalSearch(const Program& program, const Uniformity& uniformity, const Proofs& runs,
                const BufferSites& sites, InvocationValues& values, const Arrival::Teams& teams)
      : program_(program),
        uniformity_(uniformity),
        runs_(runs),
        sites_(sites),
        values_(values),
        teams_(teams),
        drawn_(program),
        all_come_once_(program.flow.size()) {}

  std::optional<Arrival> run();

 private:
  using Point = ArrivalPoint;

  [[nodiscard]] const Instruction& at(const Point& p) const {
    return program_.function.blocks[p.block].body[p.instruction];
  }
  [[nodiscard]] std::vector<std::size_t> ways_from(std::size_t block);
  [[nodiscard]] bool all_come_to(std::size_t block);
  [[nodiscard]] bool all_come_once(std::size_t block);
  [[nodiscard]] bool leads_to(const Point& from, const Point& to) const;
  [[nodiscard]] bool comes_through(const Point& p, const Point& before) const;
  [[nodiscard]] bool counts(const BufferSite& site);
  [[nodiscard]] std::optional<Arrival::Words> words_of(const BufferSite& site);
  [[nodiscard]] bool is_result(Id value) const;
  [[nodiscard]] bool is_false_from(const Instruction& phi, std::size_t k) const;
  [[nodiscard]] std::optional<bool> last_where(Id condition, int depth);
  [[nodiscard]] std::optional<bool> told_by(const Instruction& comparison);
  [[nodiscard]] bool find_last();
  [[nodiscard]] bool counter_is_alone();
  void find_fences();
  [[nodiscard]] bool alone(const BufferSite& site) const;
  [[nodiscard]] bool released(const BufferSite& site);
  [[nodiscard]] bool acquires(const BufferSite& site) const;
  [[nodiscard]] Semantics of_atomic() const;

  const Program& program_;
  const Uniformity& uniformity_;
  const Proofs& runs_;
  const BufferSites& sites_;
  InvocationValues& values_;
  Arrival::Teams teams_;
  DrawnNumbers drawn_;
  std::vector<std::optional<bool>> all_come_once_;  // by block, as far as asked for
  Arrival found_;
  const BufferSite* counter_ = nullptr;
  Point arrives_;              // the addition
  std::size_t parts_ = 0;      // the block whose branch leads the one invocation to it
  std::uint32_t who_ = 0;      // that invocation
  std::vector<bool> last_;     // by block
  std::vector<Point> fences_;  // of the whole device, and barriers of the workgroup that are
  std::vector<Point> barriers_;
};

// A branch that is known before has one.
std::vector<std::size_t> ArrivalSearch::ways_from(std::size_t block) {
  const Instruction& end = program_.function.blocks[block].terminator();
  const InvocationValue* way =
      end.op == spv::Op::OpBranchConditional ? values_.of(end.word(0)) : nullptr;
  if (way == nullptr || !way->constant()) {
    return program_.flow.successors(block);
  }
  return {program_.flow.index(end.word(way->known.front() != 0 ? 1 : 2))};
}

// Does no way through this launch's kernel end without it?
bool ArrivalSearch::all_come_to(std::size_t block) {
  std::vector<bool> seen(program_.flow.size());
  std::vector<std::size_t> work{program_.flow.order().front()};
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    if (b == block || seen[b]) {
      continue;
    }
    seen[b] = true;
    const auto next = ways_from(b);
    if (next.empty()) {
      return false;
    }
    work.insert(work.end(), next.begin(), next.end());
  }
  return true;
}

bool ArrivalSearch::all_come_once(std::size_t block) {
  std::optional<bool>& known = all_come_once_[block];
  if (!known) {
    known = all_come_to(block) &&
            std::ranges::none_of(program_.flow.loops(),
                                 [&](const auto& loop) { return loop.contains[block]; });
  }
  return *known;
}

// Can an invocation come from one to the other?
bool ArrivalSearch::leads_to(const Point& from, const Point& to) const {
  if (from.block == to.block && from.instruction < to.instruction) {
    return true;
  }
  std::vector<bool> seen(program_.flow.size());
  std::vector<std::size_t> work = program_.flow.successors(from.block);
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    if (!seen[b]) {
      seen[b] = true;
      const auto& next = program_.flow.successors(b);
      work.insert(work.end(), next.begin(), next.end());
    }
  }
  return seen[to.block];
}

// Does every way to `p` come through `before`, and none back?
bool ArrivalSearch::comes_through(const Point& p, const Point& before) const {
  const bool through = p.block == before.block ? before.instruction < p.instruction
                                               : program_.flow.dominates(before.block, p.block);
  return through && !leads_to(p, before);
}

// All workgroups count in one word, or each team in its own, no two in the same.
std::optional<Arrival::Words> ArrivalSearch::words_of(const BufferSite& site) {
  if (site.runs.size() != 1 || site.runs.front().bytes != 4) {
    return std::nullopt;
  }
  Arrival::Words words{site.memory, site.offset, teams_.count, 0};
  if (teams_.count == 1 || site.terms.size() != 1) {
    return teams_.count == 1 && site.terms.empty() ? std::optional(words) : std::nullopt;
  }
  const PlaceTerm& term = site.terms.front();
  const InvocationValue* team = values_.of(term.index);
  if (team == nullptr || !is_of_group_id(values_, *team, 1)) {
    return std::nullopt;
  }
  const std::uint64_t factor = team->terms.begin()->second;
  const std::uint64_t limit =
      std::min(term.length == 0 ? most_elements : term.length, most_elements);
  if (team->width != 32 || factor >= limit || team->known.front() >= limit ||
      (teams_.count - 1) * factor + team->known.front() >= limit) {
    return std::nullopt;
  }
  words.offset += team->known.front() * term.stride;
  words.stride = factor * term.stride;
  return words;
}

// By one invocation of each workgroup, once: behind a branch that all come to.
bool ArrivalSearch::counts(const BufferSite& site) {
  const Point here{site.block, site.instruction};
  const Instruction& i = at(here);
  const bool one = i.op == spv::Op::OpAtomicIIncrement ||
                   (i.op == spv::Op::OpAtomicIAdd && program_.constants.scalar(i.word(3)) == 1);
  const auto& ways = program_.flow.predecessors(site.block);
  const BufferMemory& memory = sites_.memories()[site.memory];
  const bool bound = memory.memory == MemoryClass::buffer && memory.set == 0 &&
                     memory.descriptors == 0 && site.variable != 0;
  const auto words = words_of(site);
  if (!one || !words || site.scope != MemoryScope::device || ways.size() != 1 || !bound ||
      !all_come_once(ways.front())) {
    return false;
  }
  const Instruction& branch = program_.function.blocks[ways.front()].terminator();
  const InvocationValue* known =
      branch.op == spv::Op::OpBranchConditional ? values_.of(branch.word(0)) : nullptr;
  const std::vector<bool>& who = runs_.may_run(site.block);
  if (known == nullptr || !known->terms.empty() || std::ranges::count(who, true) != 1) {
    return false;
  }
  counter_ = &site;
  found_.words_ = *words;
  arrives_ = here;
  parts_ = ways.front();
  who_ = static_cast<std::uint32_t>(std::ranges::find(who, true) - who.begin());
  return true;
}

// What the addition returned, or what it left in shared memory for all of the workgroup.
bool ArrivalSearch::is_result(Id value) const {
  const Instruction* i = &program_.definitions.of(value);
  while (i->op == spv::Op::OpCopyObject || i->op == spv::Op::OpBitcast) {
    i = &program_.definitions.of(i->word(0));
  }
  const Id result = at(arrives_).result;
  if (i->op != spv::Op::OpLoad) {
    return i->result == result;
  }
  const Instruction* store = drawn_.store_to(i->word(0));
  if (store == nullptr || drawn_.by(*store) != result || !uniformity_.uniform(i->result)) {
    return false;
  }
  const auto& body = program_.function.blocks[arrives_.block].body;
  const bool at_once =
      std::ranges::any_of(body, [&](const Instruction& other) { return &other == store; });
  const std::size_t block = program_.block_of(i->result);
  const auto& home = program_.function.blocks[block].body;
  const auto place = std::ranges::find(home, i->result, &Instruction::result);
  const Point load{block, static_cast<std::size_t>(place - home.begin())};
  return at_once && program_.flow.dominates(parts_, block) && !leads_to(load, arrives_);
}

// Is what merges there what its way was left for, as it was not so?
bool ArrivalSearch::is_false_from(const Instruction& phi, std::size_t k) const {
  const std::size_t from = program_.flow.index(phi.word(k + 1));
  if (from == ControlFlow::none) {
    return false;
  }
  const Instruction& end = program_.function.blocks[from].terminator();
  return end.op == spv::Op::OpBranchConditional && end.word(0) == phi.word(k) &&
         end.word(1) != end.word(2) &&
         program_.flow.index(end.word(2)) == program_.block_of(phi.result);
}

// Which way a condition comes out for the last to arrive and for nobody else.
std::optional<bool> ArrivalSearch::last_where(Id condition, int depth) {
  const Instruction& i = program_.definitions.of(condition);
  if (depth > 8) {
    return std::nullopt;
  }
  if (i.op == spv::Op::OpLogicalNot) {
    const auto inner = last_where(i.word(0), depth + 1);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (i.op != spv::Op::OpPhi) {
    return told_by(i);
  }
  // a && b: false from every way but one.
  Id open = 0;
  for (std::size_t k = 0; k + 1 < i.operands.size(); k += 2) {
    if (program_.constants.scalar(i.word(k)) == 0 || is_false_from(i, k)) {
      continue;
    }
    if (open != 0) {
      return std::nullopt;
    }
    open = i.word(k);
  }
  return open != 0 && last_where(open, depth + 1) == true ? std::optional(true) : std::nullopt;
}

// Of a number below that of the workgroups of a team, as it is or with a little added, beside one
// that is known.
std::optional<bool> ArrivalSearch::told_by(const Instruction& comparison) {
  if (!compares_integers(comparison.op)) {
    return std::nullopt;
  }
  const auto constant = [&](Id id) -> std::optional<std::uint64_t> {
    const InvocationValue* v = values_.of(id);
    return v != nullptr && v->constant() ? std::optional(v->known.front()) : std::nullopt;
  };
  for (const std::size_t side : {0U, 1U}) {
    const auto with = constant(comparison.word(1 - side));
    const Instruction& sum = program_.definitions.of(comparison.word(side));
    std::uint64_t added = 0;
    bool counted = is_result(comparison.word(side));
    if (!counted && sum.op == spv::Op::OpIAdd) {
      for (const std::size_t k : {0U, 1U}) {
        const auto more = constant(sum.word(1 - k));
        if (more && *more <= 1 && is_result(sum.word(k))) {
          counted = true;
          added = *more;
        }
      }
    }
    if (!with || !counted) {
      continue;
    }
    const auto at_number = [&](std::uint64_t number) {
      const std::uint64_t own = number + added;
      return fold(comparison.op, 32, side == 0 ? own : *with, side == 0 ? *with : own);
    };
    // One that goes up or down with the number, or holds of one alone, is told by three.
    const auto last = at_number(teams_.workgroups - 1);
    const auto before = at_number(teams_.workgroups - 2);
    const auto first = at_number(0);
    if (last && before && first && *before == *first && *last != *before) {
      return *last != 0;
    }
  }
  return std::nullopt;
}

bool ArrivalSearch::find_last() {
  last_.assign(program_.flow.size(), false);
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const Instruction& end = program_.function.blocks[b].terminator();
    if (!program_.flow.reachable(b) || end.op != spv::Op::OpBranchConditional ||
        end.word(1) == end.word(2)) {
      continue;
    }
    const auto where = last_where(end.word(0), 0);
    const std::size_t next = where ? program_.flow.index(end.word(*where ? 1 : 2)) : b;
    if (!where || program_.flow.predecessors(next).size() != 1) {
      continue;
    }
    for (std::size_t inner = 0; inner < last_.size(); ++inner) {
      last_[inner] =
          last_[inner] || (program_.flow.reachable(inner) && program_.flow.dominates(next, inner));
    }
  }
  return std::ranges::find(last_, true) != last_.end() && !last_[arrives_.block];
}

// Nothing else writes the word but the last one does, and of a team's the team's.
bool ArrivalSearch::counter_is_alone() {
  const Arrival::Words& counted = found_.words_;
  const auto own = [&](const BufferSite& s) {
    const auto words = words_of(s);
    return teams_.count == 1 ||
           (words && words->offset == counted.offset && words->stride == counted.stride);
  };
  return std::ranges::all_of(sites_.all(), [&](const BufferSite& s) {
    const std::uint64_t end =
        s.offset + (s.runs.empty() ? 0 : s.runs.back().offset + s.runs.back().bytes);
    const bool behind = teams_.count == 1 && s.offset >= counted.offset + 4;
    const bool apart = s.terms.empty() && (end <= counted.offset || behind);
    return s.number == counter_->number || s.memory != counted.memory || !s.writes || apart ||
           (last_[s.block] && own(s));
  });
}

void ArrivalSearch::find_fences() {
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const auto& body = program_.function.blocks[b].body;
    for (std::size_t n = 0; program_.flow.reachable(b) && n < body.size(); ++n) {
      if (is_workgroup_barrier(program_.constants, body[n])) {
        barriers_.push_back({b, n});
      }
      if (semantics(program_.constants, body[n]).device_scope) {
        fences_.push_back({b, n});
      }
    }
  }
}

Semantics ArrivalSearch::of_atomic() const {
  const Instruction& i = at(arrives_);
  const auto word = [&](std::size_t k) { return program_.constants.scalar(i.word(k)).value_or(0); };
  return semantics(word(1), word(2));
}

// Run by the invocation that counts, and by no other.
bool ArrivalSearch::alone(const BufferSite& site) const {
  const std::vector<bool>& who = runs_.may_run(site.block);
  return who.size() > who_ && who[who_] && std::ranges::count(who, true) == 1;
}

bool ArrivalSearch::released(const BufferSite& site) {
  const Point here{site.block, site.instruction};
  if (site.number == counter_->number) {
    return true;
  }
  if (leads_to(arrives_, here)) {
    return false;
  }
  const MemoryClass memory = sites_.memories()[site.memory].memory;
  const Semantics own = of_atomic();
  const bool itself = own.releases && own.device_scope && own.about(memory);
  const auto releases = [&](const Point& p) {
    const Semantics s = semantics(program_.constants, at(p));
    return s.releases && s.about(memory) && !leads_to(p, here);
  };
  const auto fence = [&](auto&& where) {
    return std::ranges::any_of(fences_, [&](const Point& f) { return releases(f) && where(f); });
  };
  if (alone(site)) {
    return itself || fence([&](const Point& f) { return comes_through(arrives_, f); });
  }
  return std::ranges::any_of(barriers_, [&](const Point& c) {
    if (leads_to(c, here) || !all_come_once(c.block) || !comes_through(arrives_, c)) {
      return false;
    }
    const bool first = fence([&](const Point& f) {
      return all_come_once(f.block) &&
             ((f.block == c.block && f.instruction == c.instruction) || comes_through(c, f));
    });
    const bool orders =
        Phases::closes(program_, program_.function.blocks[c.block], c.instruction, memory);
    return first || (orders && (itself || fence([&](const Point& f) {
                                  return comes_through(f, c) && comes_through(arrives_, f);
                                })));
  });
}

bool ArrivalSearch::acquires(const BufferSite& site) const {
  const Point here{site.block, site.instruction};
  if (!last_[site.block]) {
    return false;
  }
  const MemoryClass memory = sites_.memories()[site.memory].memory;
  const Semantics own = of_atomic();
  const bool itself = own.acquires && own.device_scope && own.about(memory);
  const Point parts{parts_, program_.function.blocks[parts_].body.size() - 1};
  const auto behind = [&](const Point& p) {
    return (p.block == arrives_.block ? p.instruction > arrives_.instruction
                                      : comes_through(p, parts)) &&
           !leads_to(p, arrives_);
  };
  const auto fence = [&](auto&& where) {
    return std::ranges::any_of(fences_, [&](const Point& f) {
      const Semantics s = semantics(program_.constants, at(f));
      return s.acquires && s.about(memory) && behind(f) && where(f);
    });
  };
  if (alone(site)) {
    return itself || fence([&](const Point& f) { return comes_through(here, f); });
  }
  return std::ranges::any_of(barriers_, [&](const Point& c) {
    if (!behind(c) || !comes_through(here, c)) {
      return false;
    }
    const bool then = fence([&](const Point& f) {
      return comes_through(here, f) &&
             ((f.block == c.block && f.instruction == c.instruction) || comes_through(f, c));
    });
    const bool orders =
        Phases::closes(program_, program_.function.blocks[c.block], c.instruction, memory);
    return then ||
           (orders && (itself || fence([&](const Point& f) { return comes_through(c, f); })));
  });
}

std::optional<Arrival> ArrivalSearch::run() {
  if (teams_.workgroups < 2 || program_.flow.order().empty() || sites_.all().size() > most_sites) {
    return std::nullopt;
  }
  find_fences();
  for (const BufferSite& site : sites_.all()) {
    if (site.atomic && counts(site) && find_last() && counter_is_alone()) {
      for (const BufferSite& other : sites_.all()) {
        found_.released_.push_back(released(other));
        found_.acquires_.push_back(acquires(other));
        found_.last_.push_back(last_[other.block]);
      }
      return std::move(found_);
    }
  }
  return std::nullopt;
}

std::optional<Arrival> Arrival::of(const Program& program, const Uniformity& uniformity,
                                   const Proofs& runs, const BufferSites& sites,
                                   InvocationValues& values, const Teams& teams) {
  return ArrivalSearch(program, uniformity, runs, sites, values, teams).run();
}

std::uint32_t find_team(const Program& program, const Uniformity& uniformity,
                        const BufferSites& sites, const LaunchFacts& launch) {
  const auto& groups = launch.groups;
  if (groups[1] != 1 || groups[2] != 1 || launch.told != groups) {
    return 0;
  }
  InvocationValues values(program, [&uniformity](Id id) { return uniformity.uniform(id); }, launch);
  for (const BufferSite& site : sites.all()) {
    const std::uint64_t size = site.atomic && site.terms.size() == 1
                                   ? divisor_of_id(program, values, site.terms.front().index, 0)
                                   : 0;
    if (size > 1 && size < groups[0] && groups[0] % size == 0) {
      return static_cast<std::uint32_t>(size);
    }
  }
  return 0;
}

}  // namespace spirv
