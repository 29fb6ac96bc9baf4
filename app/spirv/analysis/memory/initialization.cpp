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
constexpr std::uint64_t most_own_cells = 32;     // a word's bits
constexpr std::uint64_t most_at_once = 64;       // cells of one access
constexpr std::uint64_t most_cells = 1U << 16U;  // of a read, or of one variable
constexpr std::uint64_t most_work = 1U << 22U;   // values worked out
constexpr std::uint32_t most_turns = 1U << 14U;
constexpr int depth_limit = 24;

}  // namespace

Initialization::Initialization(const Program& program, const Intervals& intervals)
    : program_(program),
      intervals_(intervals),
      known_(program, [](Id) { return false; }),
      order_(program.flow.size()) {
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
      drop(access.variable, ", which is copied as a whole");
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
                             " parts an invocation");
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
                             ", which is large");
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
    return add(place, i.word(0), i.op != spv::Op::OpAtomicStore, i.op != spv::Op::OpAtomicLoad);
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
        drop(v, ", to which pointers are handed on");
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
        drop(v, ", which is reached through pointers that are chosen as it runs");
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
    return drop(access.variable, ", of a type that is not understood");
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
    access.proven =
        own_write(access) || (variable.shared ? behind_barrier(access) : behind_own(access));
    variable.open = variable.open || !access.proven;
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
           std::ranges::equal(write.terms, read.terms, {}, &IndexTerm::index, &IndexTerm::index) &&
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
  Cells written(variables_[read.variable].cells());
  for (const FollowedAccess& write : accesses_) {
    if (write.variable == read.variable && write.writes && !write.reads) {
      write_before(write, read.place, 0, written);
    }
  }
  return touches_only(read, written);
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

// By the numbers that its indices lie between.
bool Initialization::touches_only(const FollowedAccess& read, const Cells& written) const {
  const FollowedVariable& variable = variables_[read.variable];
  std::vector<std::uint64_t> starts{read.offset};
  for (const IndexTerm& term : read.terms) {
    const Interval range = intervals_.of(term.index, read.place.first);
    const std::uint64_t last = std::min(range.high, term.length - 1);
    const std::uint64_t first = std::min(range.low, last);
    if ((last - first + 1) * starts.size() > most_cells) {
      return false;
    }
    std::vector<std::uint64_t> more;
    for (const std::uint64_t start : starts) {
      for (std::uint64_t index = first; index <= last; ++index) {
        more.push_back(start + index * term.stride);
      }
    }
    starts = std::move(more);
  }
  return std::ranges::all_of(starts, [&](std::uint64_t start) {
    for (std::uint64_t cell = start / variable.cell_scalars;
         cell < (start + read.width) / variable.cell_scalars; ++cell) {
      if (cell >= written.size() || !written[cell]) {
        return false;
      }
    }
    return true;
  });
}

// Adds what an invocation surely writes there before it comes to a place.
void Initialization::write_before(const FollowedAccess& write, const AccessPlace& until,
                                  std::uint32_t invocation, Cells& written) {
  std::vector<const ControlFlow::Loop*> loops;
  for (const ControlFlow::Loop& loop : program_.flow.loops()) {
    if (loop.contains[write.place.first] && !loop.contains[until.first]) {
      loops.push_back(&loop);
    }
  }
  // Outermost first.
  std::ranges::sort(loops, {}, [&](const auto* loop) { return order_[loop->header]; });
  const std::size_t anchor = loops.empty() ? write.place.first : loops.front()->header;
  const bool same_block = anchor == until.first;
  if ((same_block && write.place.second > until.second) ||
      (!same_block && order_[anchor] > order_[until.first]) ||
      !surely_runs(anchor, until, invocation, 0)) {
    return;
  }
  Values values;
  write_in_loops(write, std::move(loops), invocation, values, written);
}

bool Initialization::surely_runs(std::size_t block, const AccessPlace& until,
                                 std::uint32_t invocation, int depth) {
  if (block == until.first || program_.flow.dominates(block, until.first)) {
    return true;
  }
  const auto& controllers = program_.flow.controllers(block);
  if (depth > 4 || controllers.size() != 1 || !program_.flow.post_dominates(until.first, block)) {
    return false;
  }
  const std::size_t by = controllers.front();
  const Instruction& end = program_.function.blocks[by].terminator();
  if (by == block || end.op != spv::Op::OpBranchConditional ||
      !surely_runs(by, until, invocation, depth + 1)) {
    return false;
  }
  const auto known = value(end.word(0), invocation, {}, 0);
  const auto condition = known ? std::optional(*known != 0) : intervals_.always(end.word(0), by);
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

// Loops with one test, at their header, and a counter that the test is about.
void Initialization::write_in_loops(const FollowedAccess& write,
                                    std::vector<const ControlFlow::Loop*> loops,
                                    std::uint32_t invocation, Values& values, Cells& written) {
  if (loops.empty()) {
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
    return;
  }
  const ControlFlow::Loop& loop = *loops.front();
  loops.erase(loops.begin());
  const std::size_t inner = loops.empty() ? write.place.first : loops.front()->header;
  const Instruction& test = program_.function.blocks[loop.header].terminator();
  // In each turn, or behind conditions that always hold.
  if (loop.latches.size() != 1 || test.op != spv::Op::OpBranchConditional ||
      !surely_runs(inner, {loop.latches.front(), 0}, invocation, 0)) {
    return;
  }
  const bool goes_on = loop.contains[program_.flow.index(test.word(1))];
  if (goes_on == loop.contains[program_.flow.index(test.word(2))]) {
    return;
  }
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    const Instruction& end = program_.function.blocks[b].terminator();
    const bool leaves = std::ranges::any_of(program_.flow.successors(b),
                                            [&](std::size_t to) { return !loop.contains[to]; });
    const bool ends = program_.flow.successors(b).empty();
    if (loop.contains[b] && b != loop.header &&
        (ends ||
         (leaves && !(end.op == spv::Op::OpBranchConditional && is_loop_bound(end.word(0)))))) {
      return;
    }
  }
  const Instruction* counter = nullptr;
  Id next = 0;
  for (const Instruction& phi : program_.function.blocks[loop.header].body) {
    const bool takes =
        phi.op == spv::Op::OpPhi && phi.operands.size() == 4 && phi.result != 0 &&
        std::ranges::any_of(program_.definitions.of(test.word(0)).operands,
                            [&](const Operand& o) { return o.is_id && o.word == phi.result; });
    counter = takes ? &phi : counter;
  }
  std::optional<std::uint64_t> now;
  for (std::size_t k = 0; counter != nullptr && k < 4; k += 2) {
    const std::size_t from = program_.flow.index(counter->word(k + 1));
    if (from != ControlFlow::none && loop.contains[from]) {
      next = counter->word(k);
    } else {
      now = value(counter->word(k), invocation, values, 0);
    }
  }
  for (std::uint32_t turn = 0; now && next != 0 && turn < most_turns; ++turn) {
    values[counter->result] = *now;
    const auto on = value(test.word(0), invocation, values, 0);
    if (!on || (*on != 0) != goes_on) {
      break;
    }
    write_in_loops(write, loops, invocation, values, written);
    now = value(next, invocation, values, 0);
  }
  if (counter != nullptr) {
    values.erase(counter->result);
  }
}

std::optional<std::uint64_t> Initialization::value(Id id, std::uint32_t invocation,
                                                   const Values& values, int depth) {
  if (const auto constant = program_.constants.scalar(id)) {
    return constant;
  }
  if (const auto counter = values.find(id); counter != values.end()) {
    return counter->second;
  }
  if (depth > depth_limit || ++work_ > most_work) {
    return std::nullopt;
  }
  if (const InvocationValue* known = known_.of(id); known != nullptr && known->terms.empty()) {
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
