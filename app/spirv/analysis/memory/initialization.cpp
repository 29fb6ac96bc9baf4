#include "spirv/analysis/memory/initialization.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "spirv/analysis/flow/phases.h"
#include "spirv/reflection/barriers.h"

namespace spirv {
namespace {

constexpr std::uint64_t most_private = 1024;  // scalars of an invocation's variable
constexpr std::uint64_t most_shared = 1U << 18U;
constexpr std::uint64_t most_own_cells = 32;      // a word's bits
constexpr std::uint64_t most_at_once = 64;        // cells of one access
constexpr std::uint64_t most_cells = 1U << 16U;   // of a read, or of one variable
constexpr std::uint64_t most_values = 1U << 22U;  // values worked out
constexpr std::uint32_t most_turns = 1U << 14U;
constexpr int depth_limit = 24;
constexpr std::uint32_t every_invocation = 0xFFFFFFFF;  // what they all have alike

}  // namespace

Initialization::Initialization(const Program& program, const Intervals& intervals,
                               const LaunchFacts& guessed)
    : program_(program),
      intervals_(intervals),
      known_(program, [](Id) { return false; }, {.subgroup = guessed.subgroup}),
      order_(program.flow.size()),
      asked_for_(program.module.bound) {
  for (std::size_t n = 0; n < program.flow.order().size(); ++n) {
    order_[program.flow.order()[n]] = n;
  }
  find_variables();
  find_parts();
  dropped_.resize(variables_.size());
  for (const std::size_t b : program.flow.order()) {
    for (std::size_t i = 0; i < program.function.blocks[b].body.size(); ++i) {
      visit({b, i});
    }
  }
  std::erase_if(accesses_, [&](const FollowedAccess& a) { return dropped_[a.variable]; });
  divide_into_cells();
  for (const FollowedAccess& access : accesses_) {
    if (access.width / variables_[access.variable].cell_scalars > most_at_once) {
      drop(access.variable, ", because it is copied as a whole");
    }
  }
  std::erase_if(accesses_, [&](const FollowedAccess& a) { return dropped_[a.variable]; });
  prove();
  for (FollowedVariable& v : variables_) {
    if (v.open && v.shared) {
      v.first_bit = shared_bits_;
      shared_bits_ += v.cells();
    } else if (v.open && v.cells() > most_own_cells) {
      not_covered_.push_back("initialization of " + v.name + ", of " + std::to_string(v.cells()) +
                             " parts per invocation");
    }
  }
}

void Initialization::find_variables() {
  for (const Instruction& i : program_.module.preamble) {
    follow(i);
  }
  for (const Instruction& i : program_.function.blocks.front().body) {
    follow(i);
  }
}

void Initialization::follow(const Instruction& i) {
  const spv::StorageClass storage = program_.storage(i.result);
  const bool shared = storage == spv::StorageClass::Workgroup;
  const bool own = storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
  const std::string name = program_.definitions.name(i.result);
  if (i.op != spv::Op::OpVariable || (!shared && !own) || i.operands.size() > 1 ||
      name.starts_with("tilescope_")) {
    return;
  }
  const Id type = program_.definitions.of(i.type).word(1);
  const std::uint64_t scalars = program_.types.scalars(type);
  if (program_.definitions.decoration(type, spv::Decoration::Block) != nullptr) {
    not_covered_.push_back("initialization of shared block " + program_.block_name(i.result));
    return;
  }
  if (scalars == 0 || scalars > (own ? most_private : most_shared)) {
    if (scalars != 0) {
      not_covered_.push_back("initialization of " + (name.empty() ? "an array" : name) +
                             ", because it is too large");
    }
    return;
  }
  FollowedVariable variable;
  variable.variable = i.result;
  variable.name = name.empty() ? "a variable" : name;
  variable.type = type;
  variable.shared = shared;
  variable.scalars = scalars;
  variables_.push_back(std::move(variable));
}

bool Initialization::is_used(Id value) const {
  return std::ranges::any_of(program_.function.blocks, [&](const Block& block) {
    return std::ranges::any_of(block.body, [&](const Instruction& i) {
      return std::ranges::any_of(i.operands, [&](const Operand& operand) {
        return operand.is_id && operand.word == value;
      });
    });
  });
}

void Initialization::visit(const AccessPlace& place) {
  const Instruction& i = program_.function.blocks[place.first].body[place.second];
  switch (i.op) {
    case spv::Op::OpLoad:
      return add_load(place, i);
    case spv::Op::OpStore:
      return add_store(place, i.word(0), i.word(1));
    case spv::Op::OpCopyMemory:
      add(place, i.word(1), true, false);
      return add(place, i.word(0), false, true);
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpCopyObject:
      return;
    default:
      break;
  }
  if (is_atomic(i.op)) {
    // An exchange whose result is not used is a store.
    const bool stores =
        i.op == spv::Op::OpAtomicStore || (i.op == spv::Op::OpAtomicExchange && !is_used(i.result));
    return add(place, i.word(0), !stores, i.op != spv::Op::OpAtomicLoad);
  }
  // Any other use of a pointer: what it does is not followed.
  for (const Operand& operand : i.operands) {
    const Id type = operand.is_id ? program_.definitions.of(operand.word).type : 0;
    if (type == 0 || program_.definitions.op(type) != spv::Op::OpTypePointer) {
      continue;
    }
    const Id variable = program_.path(operand.word).variable;
    const auto known = std::ranges::find(variables_, variable, &FollowedVariable::variable);
    const auto storage = static_cast<spv::StorageClass>(program_.definitions.of(type).word(0));
    for (std::uint32_t v = 0; v < variables_.size(); ++v) {
      const bool may =
          variable == 0 && variables_[v].shared && storage == spv::StorageClass::Workgroup;
      if (may || (known != variables_.end() && variable == variables_[v].variable)) {
        drop(v, ", because pointers to it are stored or passed to functions");
      }
    }
  }
}

void Initialization::drop(std::uint32_t variable, const std::string& why) {
  if (!dropped_[variable]) {
    dropped_[variable] = true;
    not_covered_.push_back("initialization of " + variables_[variable].name + why);
  }
}

// "v.y = v.x" may come as a load of v, an extraction, an insertion, and a store of the whole: only
// v.x is read, and v.y written.
void Initialization::find_parts() {
  std::set<Id> whole;
  for (const Block& block : program_.function.blocks) {
    for (const Instruction& i : block.body) {
      if (i.op == spv::Op::OpLoad) {
        in_parts_.try_emplace(i.result);
      }
      for (std::size_t k = 0; k < i.operands.size(); ++k) {
        const Id id = i.operands[k].is_id ? i.word(k) : 0;
        if (i.op == spv::Op::OpCompositeExtract && in_parts_.contains(id)) {
          in_parts_[id].push_back(std::span(i.operands).subspan(1));
        } else if (i.op != spv::Op::OpCompositeInsert || k != 1) {
          whole.insert(id);
        }
      }
    }
  }
  std::erase_if(in_parts_, [&](const auto& load) { return whole.contains(load.first); });
}

void Initialization::add_load(const AccessPlace& place, const Instruction& load) {
  const auto parts = in_parts_.find(load.result);
  if (parts == in_parts_.end()) {
    return add(place, load.word(0), true, false);
  }
  for (const auto& part : parts->second) {
    add(place, load.word(0), true, false, part);
  }
}

void Initialization::add_store(const AccessPlace& place, Id pointer, Id value) {
  std::vector<std::span<const Operand>> parts;
  const Instruction* from = &program_.definitions.of(value);
  for (; from->op == spv::Op::OpCompositeInsert; from = &program_.definitions.of(from->word(1))) {
    parts.push_back(std::span(from->operands).subspan(2));
  }
  if (!in_parts_.contains(from->result) || from->word(0) != pointer) {
    return add(place, pointer, false, true);
  }
  for (const auto& part : parts) {
    add(place, pointer, false, true, part);
  }
}

void Initialization::add(const AccessPlace& place, Id pointer, bool reads, bool writes,
                         std::span<const Operand> part) {
  const PointerPath path = program_.path(pointer);
  const Instruction& type = program_.definitions.of(program_.definitions.of(pointer).type);
  if (path.variable == 0) {
    for (std::uint32_t v = 0; v < variables_.size(); ++v) {
      if (variables_[v].shared &&
          static_cast<spv::StorageClass>(type.word(0)) == spv::StorageClass::Workgroup) {
        drop(v, ", because it is accessed through pointers that are selected at run time");
      }
    }
    return;
  }
  const auto known = std::ranges::find(variables_, path.variable, &FollowedVariable::variable);
  if (known == variables_.end()) {
    return;
  }
  FollowedAccess access;
  access.place = place;
  access.variable = static_cast<std::uint32_t>(known - variables_.begin());
  access.at = program_.function.blocks[place.first].body[place.second].at;
  access.reads = reads;
  access.writes = writes;
  auto where =
      scalar_place(program_, variables_[access.variable].type, links_of(program_, pointer), part);
  if (!where) {
    return drop(access.variable, ", because its type is not supported");
  }
  access.offset = where->offset;
  access.terms = std::move(where->terms);
  access.width = where->width;
  accesses_.push_back(std::move(access));
}

void Initialization::divide_into_cells() {
  for (std::uint32_t v = 0; v < variables_.size(); ++v) {
    std::uint64_t common = variables_[v].scalars;
    for (const FollowedAccess& access : accesses_) {
      if (access.variable == v) {
        common = std::gcd(std::gcd(common, access.width), access.offset);
        for (const IndexTerm& term : access.terms) {
          common = std::gcd(common, term.stride);
        }
      }
    }
    variables_[v].cell_scalars = std::max<std::uint64_t>(common, 1);
  }
}

void Initialization::prove() {
  for (FollowedAccess& access : accesses_) {
    if (!access.reads) {
      continue;
    }
    FollowedVariable& variable = variables_[access.variable];
    if (!program_.launch.proofs) {
      variable.open = true;
      continue;
    }
    access.proven =
        own_write(access) || (variable.shared ? behind_barrier(access) : behind_own(access));
  }
  for (FollowedAccess& access : accesses_) {
    FollowedVariable& variable = variables_[access.variable];
    if (access.reads && !access.proven && program_.launch.proofs) {
      access.proven = variable.shared && behind_turns(access);
      variable.open = variable.open || !access.proven;
    }
  }
}

// Does `a` come before `b` on every way to it?
bool Initialization::is_precedent(const AccessPlace& a, const AccessPlace& b) const {
  return a.first == b.first ? a.second < b.second : program_.flow.dominates(a.first, b.first);
}

// The same place, by the same numbers, written by the same invocation.
bool Initialization::own_write(const FollowedAccess& read) const {
  return std::ranges::any_of(accesses_, [&](const FollowedAccess& write) {
    return write.writes && write.variable == read.variable && write.width == read.width &&
           write.offset == read.offset && !write.reads &&
           std::ranges::equal(write.terms, read.terms,
                              [](const IndexTerm& a, const IndexTerm& b) {
                                return a.index == b.index && a.stride == b.stride;
                              }) &&
           is_precedent(write.place, read.place);
  });
}

// A barrier dominates the read, and before it all that the read can touch was written.
bool Initialization::behind_barrier(const FollowedAccess& read) {
  for (const std::size_t b : program_.flow.order()) {
    const Block& block = program_.function.blocks[b];
    for (std::size_t i = 0; i < block.body.size(); ++i) {
      const AccessPlace barrier{b, i};
      if (is_precedent(barrier, read.place) && Phases::closes(program_, block, i) &&
          touches_only(read, before(read.variable, barrier))) {
        return true;
      }
    }
  }
  return false;
}

bool Initialization::behind_own(const FollowedAccess& read) {
  return touches_only(read, own_before(read)) ||
         std::ranges::any_of(program_.flow.order(), [&](std::size_t branch) {
           return decides_once(branch, read) && touches_only(read, either_way(read, branch));
         });
}

// What an invocation surely wrote of its own before the read, where a branch goes as assumed_ says.
Initialization::Cells Initialization::own_before(const FollowedAccess& read) {
  Cells written(variables_[read.variable].cells());
  for (const FollowedAccess& write : accesses_) {
    if (write.variable == read.variable && write.writes && !write.reads) {
      write_before(write, read.place, every_invocation, written);
    }
  }
  return written;
}

// Is the read behind the branch, which whoever comes there has taken once, and is there a write on
// one of its ways?
bool Initialization::decides_once(std::size_t branch, const FollowedAccess& read) const {
  const Instruction& end = program_.function.blocks[branch].terminator();
  const auto depends = [&](const FollowedAccess& write) {
    const bool own = write.variable == read.variable && write.writes;
    return own && write.place.first != branch &&
           program_.flow.dominates(branch, write.place.first) &&
           !program_.flow.dominates(write.place.first, read.place.first);
  };
  return end.op == spv::Op::OpBranchConditional && branch != read.place.first &&
         program_.flow.dominates(branch, read.place.first) &&
         std::ranges::none_of(program_.flow.loops(),
                              [&](const auto& loop) { return loop.contains[branch]; }) &&
         std::ranges::any_of(accesses_, depends);
}

Initialization::Cells Initialization::either_way(const FollowedAccess& read, std::size_t branch) {
  assumed_ = Assumed{branch, true};
  Cells written = own_before(read);
  assumed_ = Assumed{branch, false};
  const Cells other = own_before(read);
  assumed_.reset();
  for (std::size_t cell = 0; cell < written.size(); ++cell) {
    written[cell] = written[cell] && other[cell];
  }
  return written;
}

const Initialization::Cells& Initialization::before(std::uint32_t variable,
                                                    const AccessPlace& barrier) {
  const auto [entry, fresh] = before_.try_emplace({variable, barrier});
  Cells& written = entry->second;
  if (!fresh) {
    return written;
  }
  written.resize(variables_[variable].cells());
  const std::uint32_t invocations = program_.invocations();
  for (const FollowedAccess& write : accesses_) {
    for (std::uint32_t n = 0; write.variable == variable && write.writes && !write.reads &&
                              invocations <= evaluated_invocations && n < invocations;
         ++n) {
      write_before(write, barrier, n, written);
    }
  }
  return written;
}

std::optional<std::vector<std::uint64_t>> Initialization::may_touch(
    const FollowedAccess& access) const {
  if (!program_.launch.proofs) {
    return std::nullopt;
  }
  const FollowedVariable& variable = variables_[access.variable];
  std::vector<std::uint64_t> starts{access.offset};
  for (const IndexTerm& term : access.terms) {
    const Interval range = intervals_.of(term.index, access.place.first);
    const std::uint64_t last = std::min(range.high, term.length - 1);
    const std::uint64_t first = std::min(range.low, last);
    if ((last - first + 1) * starts.size() > most_cells) {
      return std::nullopt;
    }
    std::vector<std::uint64_t> more;
    for (const std::uint64_t start : starts) {
      for (std::uint64_t index = first; index <= last; ++index) {
        more.push_back(start + index * term.stride);
      }
    }
    starts = std::move(more);
  }
  std::vector<std::uint64_t> cells;
  for (const std::uint64_t start : starts) {
    for (std::uint64_t cell = start / variable.cell_scalars;
         cell < (start + access.width) / variable.cell_scalars; ++cell) {
      cells.push_back(cell);
    }
  }
  return cells;
}

bool Initialization::touches_only(const FollowedAccess& read, const Cells& written) const {
  const auto cells = may_touch(read);
  return cells && std::ranges::all_of(*cells, [&](std::uint64_t cell) {
           return cell < written.size() && written[cell];
         });
}

// Loops around a write that end before a place is reached, the outermost first.
std::vector<const ControlFlow::Loop*> Initialization::loops_before(const FollowedAccess& write,
                                                                   const AccessPlace& until) const {
  std::vector<const ControlFlow::Loop*> loops;
  for (const ControlFlow::Loop& loop : program_.flow.loops()) {
    if (loop.contains[write.place.first] && !loop.contains[until.first]) {
      loops.push_back(&loop);
    }
  }
  std::ranges::sort(loops, {}, [&](const auto* loop) { return order_[loop->header]; });
  return loops;
}

// In the text; `anchor` is where the outermost of those loops begins, or the write's block.
bool Initialization::is_in_front(const FollowedAccess& write, std::size_t anchor,
                                 const AccessPlace& until) const {
  return anchor == until.first ? write.place.second <= until.second
                               : order_[anchor] <= order_[until.first];
}

// Adds what an invocation surely writes there before it comes to a place.
void Initialization::write_before(const FollowedAccess& write, const AccessPlace& until,
                                  std::uint32_t invocation, Cells& written) {
  auto loops = loops_before(write, until);
  const std::size_t anchor = loops.empty() ? write.place.first : loops.front()->header;
  if (!is_in_front(write, anchor, until)) {
    return;
  }
  Values values = in_first_turn(anchor, until, invocation);
  if (surely_runs(anchor, until, invocation, values, 0)) {
    write_in_loops(write, std::move(loops), invocation, values, written);
  }
}

// What the counters of the innermost loop around both are in its first turn. Whoever comes to
// `until` in a later one made the first whole, and the block ran in it.
Initialization::Values Initialization::in_first_turn(std::size_t block, const AccessPlace& until,
                                                     std::uint32_t invocation) {
  const ControlFlow::Loop* around = nullptr;
  for (const ControlFlow::Loop& loop : program_.flow.loops()) {
    const bool both = loop.contains[block] && loop.contains[until.first];
    around = both && (around == nullptr || around->contains[loop.header]) ? &loop : around;
  }
  Values values;
  if (around == nullptr || around->latches.size() != 1 || block == around->header) {
    return values;
  }
  for (const Instruction& phi : program_.function.blocks[around->header].body) {
    for (std::size_t k = 0; phi.op == spv::Op::OpPhi && phi.operands.size() == 4 && k < 4; k += 2) {
      const std::size_t from = program_.flow.index(phi.word(k + 1));
      const auto first = from != ControlFlow::none && !around->contains[from]
                             ? value(phi.word(k), invocation, {}, 0)
                             : std::nullopt;
      if (first) {
        values[phi.result] = *first;
      }
    }
  }
  return surely_runs(block, {around->latches.front(), 0}, invocation, values, 0) ? values
                                                                                 : Values{};
}

bool Initialization::surely_runs(std::size_t block, const AccessPlace& until,
                                 std::uint32_t invocation, const Values& values, int depth) {
  if (block == until.first || program_.flow.dominates(block, until.first)) {
    return true;
  }
  // Whoever has to come to a loop's header is there in the first turn already.
  std::vector<std::size_t> controllers = program_.flow.controllers(block);
  std::erase_if(controllers, [&](std::size_t by) {
    return std::ranges::any_of(program_.flow.loops(), [&](const auto& loop) {
      return loop.header == block && loop.contains[by];
    });
  });
  // Where no loop has both, nobody comes to the block behind `until`: whoever must come by, did.
  const bool once = std::ranges::none_of(program_.flow.loops(), [&](const auto& loop) {
    return loop.contains[block] && loop.contains[until.first];
  });
  if (depth > 4 || controllers.size() != 1 ||
      !(once || program_.flow.post_dominates(until.first, block))) {
    return false;
  }
  const std::size_t by = controllers.front();
  const Instruction& end = program_.function.blocks[by].terminator();
  if (by == block || end.op != spv::Op::OpBranchConditional ||
      !surely_runs(by, until, invocation, values, depth + 1)) {
    return false;
  }
  const auto known = value(end.word(0), invocation, values, 0);
  const auto condition = assumed_ && assumed_->branch == by ? std::optional(assumed_->taken)
                         : known                            ? std::optional(*known != 0)
                                                            : intervals_.always(end.word(0), by);
  if (!condition) {
    return false;
  }
  const std::size_t next = program_.flow.index(end.word(*condition ? 1 : 2));
  return next == block || program_.flow.post_dominates(block, next);
}

// The way out that bound_loops() makes.
bool Initialization::is_loop_bound(Id condition) const {
  const Instruction& i = program_.definitions.of(condition);
  if (i.op == spv::Op::OpLogicalAnd) {
    return is_loop_bound(i.word(0)) && is_loop_bound(i.word(1));
  }
  const Instruction& sum = program_.definitions.of(i.word(0));
  const Instruction& load = program_.definitions.of(sum.word(0));
  return i.op == spv::Op::OpULessThan && sum.op == spv::Op::OpIAdd && load.op == spv::Op::OpLoad &&
         program_.definitions.name(load.word(0)).starts_with("tilescope_");
}

// A condition without what bound_loops() asks beside it.
Id Initialization::unbounded(Id condition) const {
  const Instruction& i = program_.definitions.of(condition);
  if (i.op != spv::Op::OpLogicalAnd || is_loop_bound(condition)) {
    return condition;
  }
  return is_loop_bound(i.word(1)) ? i.word(0) : is_loop_bound(i.word(0)) ? i.word(1) : condition;
}

// The block of a loop that every turn comes through and that alone leaves it, but for what
// bound_loops() adds.
std::optional<std::size_t> Initialization::only_test(const ControlFlow::Loop& loop) const {
  std::optional<std::size_t> test;
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    const auto& successors = program_.flow.successors(b);
    const bool leaves =
        std::ranges::any_of(successors, [&](std::size_t to) { return !loop.contains[to]; });
    if (!loop.contains[b] || (!leaves && !successors.empty())) {
      continue;
    }
    const Instruction& end = program_.function.blocks[b].terminator();
    if (end.op != spv::Op::OpBranchConditional) {
      return std::nullopt;
    }
    if (is_loop_bound(end.word(0))) {
      continue;
    }
    const bool stays =
        std::ranges::any_of(successors, [&](std::size_t to) { return loop.contains[to]; });
    if (test || !stays) {
      return std::nullopt;
    }
    test = b;
  }
  const bool every_turn =
      test && loop.latches.size() == 1 && program_.flow.dominates(*test, loop.latches.front());
  return every_turn ? test : std::nullopt;
}

// What the phis of a loop's header begin with, as far as it is known, and become.
std::vector<Initialization::Counter> Initialization::counters(const ControlFlow::Loop& loop,
                                                              std::uint32_t invocation,
                                                              const Values& values) {
  std::vector<Counter> found;
  for (const Instruction& phi : program_.function.blocks[loop.header].body) {
    Counter counter{phi.result, 0, 0};
    bool known = false;
    for (std::size_t k = 0; phi.op == spv::Op::OpPhi && phi.operands.size() == 4 && k < 4; k += 2) {
      const std::size_t from = program_.flow.index(phi.word(k + 1));
      if (from != ControlFlow::none && loop.contains[from]) {
        counter.next = phi.word(k);
      } else if (const auto first = value(phi.word(k), invocation, values, 0)) {
        counter.now = *first;
        known = true;
      }
    }
    if (known && counter.next != 0) {
      found.push_back(counter);
    }
  }
  return found;
}

// The turns that a loop's test surely lets through, and what runs in front of the test in the turn
// behind them.
void Initialization::write_in_loops(const FollowedAccess& write,
                                    std::vector<const ControlFlow::Loop*> loops,
                                    std::uint32_t invocation, Values& values, Cells& written) {
  if (loops.empty()) {
    return write_cells(write, invocation, values, written);
  }
  const ControlFlow::Loop& loop = *loops.front();
  loops.erase(loops.begin());
  const std::size_t inner = loops.empty() ? write.place.first : loops.front()->header;
  const auto test = only_test(loop);
  if (!test) {
    return;
  }
  const Instruction& end = program_.function.blocks[*test].terminator();
  const bool goes_on = loop.contains[program_.flow.index(end.word(1))];
  const bool in_front = program_.flow.dominates(inner, *test);
  std::vector<Counter> counted = counters(loop, invocation, values);
  for (std::uint32_t turn = 0; turn < most_turns; ++turn) {
    for (const Counter& counter : counted) {
      values[counter.phi] = counter.now;
    }
    const auto on = value(unbounded(end.word(0)), invocation, values, 0);
    const bool whole = on && (*on != 0) == goes_on;
    const std::uint64_t from = ++asked_;
    if (in_front ||
        (whole && surely_runs(inner, {loop.latches.front(), 0}, invocation, values, 0))) {
      write_in_loops(write, loops, invocation, values, written);
    }
    // What asks for no counter of the loop writes the same in every turn.
    const bool same = std::ranges::none_of(
        counted, [&](const Counter& counter) { return asked_for_[counter.phi] >= from; });
    if (!whole || same || !step(counted, invocation, values)) {
      break;
    }
  }
  for (const Counter& counter : counted) {
    values.erase(counter.phi);
  }
}

// To the next turn; what is no longer known is left out. False where it is as this one, as all
// behind it are then.
bool Initialization::step(std::vector<Counter>& counted, std::uint32_t invocation, Values& values) {
  std::vector<Counter> still;
  for (Counter counter : counted) {
    if (const auto next = value(counter.next, invocation, values, 0)) {
      counter.now = *next;
      still.push_back(counter);
    }
  }
  for (const Counter& counter : counted) {
    values.erase(counter.phi);
  }
  const bool other = !std::ranges::equal(counted, still, {}, &Counter::now, &Counter::now);
  counted = std::move(still);
  return other;
}

void Initialization::write_cells(const FollowedAccess& write, std::uint32_t invocation,
                                 const Values& values, Cells& written) {
  std::uint64_t start = write.offset;
  for (const IndexTerm& term : write.terms) {
    const auto index = value(term.index, invocation, values, 0);
    if (!index || *index >= term.length) {
      return;
    }
    start += *index * term.stride;
  }
  const std::uint64_t size = variables_[write.variable].cell_scalars;
  for (std::uint64_t cell = start / size; cell < (start + write.width) / size; ++cell) {
    written[cell] = true;
  }
}

std::optional<std::uint64_t> Initialization::value(Id id, std::uint32_t invocation,
                                                   const Values& values, int depth) {
  if (const auto constant = program_.constants.scalar(id)) {
    return constant;
  }
  if (const auto counter = values.find(id); counter != values.end()) {
    asked_for_[id] = asked_;
    return counter->second;
  }
  if (depth > depth_limit || ++work_ > most_values) {
    return std::nullopt;
  }
  if (const InvocationValue* known = known_.of(id);
      known != nullptr && known->terms.empty() &&
      (invocation != every_invocation || known->known.size() == 1)) {
    return known->in(invocation);
  }
  const Instruction& i = program_.definitions.of(id);
  const auto operand = [&](std::size_t k) {
    return value(i.word(k), invocation, values, depth + 1);
  };
  const std::uint32_t width = scalar_width(
      program_.definitions, program_.definitions.of(i.operands.empty() ? 0 : i.word(0)).type);
  switch (i.op) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpBitcast:
      return scalar_width(program_.definitions, i.type) == width ? operand(0) : std::nullopt;
    case spv::Op::OpSelect: {
      const auto condition = operand(0);
      return condition ? operand(*condition != 0 ? 1 : 2) : std::nullopt;
    }
    case spv::Op::OpPhi:
    case spv::Op::OpLoad:
    case spv::Op::OpExtInst:
    case spv::Op::OpCompositeExtract:
      return std::nullopt;
    default:
      break;
  }
  if (width == 0 || i.operands.empty() || i.operands.size() > 2 || !i.operands[0].is_id ||
      (i.operands.size() == 2 && !i.operands[1].is_id) ||
      program_.definitions.op(program_.definitions.of(i.word(0)).type) == spv::Op::OpTypeFloat) {
    return std::nullopt;
  }
  const auto a = operand(0);
  const auto b = a && i.operands.size() == 2 ? operand(1) : std::optional<std::uint64_t>(0);
  return a && b ? fold(i.op, width, *a, *b) : std::nullopt;
}

std::vector<std::uint32_t> Initialization::index_of(std::uint32_t variable,
                                                    std::uint64_t cell) const {
  const std::uint64_t size = variables_[variable].cell_scalars;
  return index_of_scalar(program_, variables_[variable].type, cell * size, size);
}

}  // namespace spirv
