#include "spirv/analysis/flow/uniformity.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "spirv/module/operations.h"

namespace spirv {
namespace {

// Returns the pointer that an instruction writes through. 0 if it writes nothing.
Id written_pointer(const Definitions& definitions, const Instruction& i) {
  if (const std::size_t operand = result_pointer(definitions, i)) {
    return i.word(operand);
  }
  if (i.op == spv::Op::OpStore || i.op == spv::Op::OpCopyMemory ||
      (is_atomic(i.op) && i.op != spv::Op::OpAtomicLoad)) {
    return i.word(0);
  }
  return 0;
}

bool raise(Alike& alike, Alike to) {
  const bool higher = to > alike;
  alike = std::max(alike, to);
  return higher;
}

// What memory holds there decides: the place may differ or not.
Alike by_content(Alike place) {
  return std::min(place, Alike::undecided);
}

bool is_local(spv::StorageClass storage) {
  return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
}

bool reads_image(spv::Op op) {
  const auto number = static_cast<std::uint32_t>(op);
  return op == spv::Op::OpImageRead || op == spv::Op::OpImageSparseRead ||
         (number >= static_cast<std::uint32_t>(spv::Op::OpImageSampleImplicitLod) &&
          number <= static_cast<std::uint32_t>(spv::Op::OpImageDrefGather));
}

}  // namespace

Uniformity::Uniformity(const Program& program, const Phases& phases)
    : program_(program),
      phases_(phases),
      values_(program, [](Id) { return false; }),
      relative_(program, [this](Id id) { return alike_[id] != Alike::divergent; }),
      alike_(program.module.bound),
      variable_(program.module.bound),
      written_(program.module.bound),
      writes_(program.module.bound),
      block_(program.flow.size()),
      join_(program.flow.size()) {
  if (program.invocations() > 1) {
    find_writes();
    run();
  }
}

Id Uniformity::written_variable(const Instruction& i) const {
  if (i.op == spv::Op::OpImageWrite) {
    return program_.path(program_.definitions.of(i.word(0)).word(0)).variable;
  }
  const Id pointer = written_pointer(program_.definitions, i);
  const Instruction& texel = program_.definitions.of(pointer);
  return program_.shared_memory_of(
      program_.path(texel.op == spv::Op::OpImageTexelPointer ? texel.word(0) : pointer).variable);
}

void Uniformity::find_writes() {
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const auto& body = program_.function.blocks[b].body;
    for (std::size_t i = 0; program_.flow.reachable(b) && i < body.size(); ++i) {
      if (written_pointer(program_.definitions, body[i]) != 0 ||
          body[i].op == spv::Op::OpImageWrite) {
        const Id variable = written_variable(body[i]);
        written_[variable] = true;
        writes_[variable].push_back({b, i, phases_.segment(b, i)});
      }
    }
  }
  // A buffer is written as well if the kernel writes another binding of the same memory.
  const auto memory = [&](Id variable) -> std::optional<std::uint32_t> {
    const auto buffer = program_.buffer_of(variable);
    return buffer && *buffer < program_.launch.buffers.size()
               ? std::optional(program_.launch.buffers[*buffer].memory_of.value_or(*buffer))
               : std::nullopt;
  };
  std::map<std::uint32_t, std::vector<Id>> variables;  // by memory
  for (const Instruction& i : program_.module.preamble) {
    if (const auto its = i.op == spv::Op::OpVariable ? memory(i.result) : std::nullopt) {
      variables[*its].push_back(i.result);
    }
  }
  for (const auto& [its, all] : variables) {
    if (std::ranges::any_of(all, [&](Id variable) { return written_[variable]; })) {
      std::ranges::for_each(all, [&](Id variable) { written_[variable] = true; });
    }
  }
}

void Uniformity::run() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t b : program_.flow.order()) {
      for (const Instruction& i : program_.function.blocks[b].body) {
        changed |= visit(b, i);
      }
    }
    changed |= spread_control();
  }
}

bool Uniformity::visit(std::size_t block, const Instruction& i) {
  bool changed = false;
  if (const Id pointer = written_pointer(program_.definitions, i)) {
    const Id variable = program_.path(pointer).variable;
    if (is_local(program_.storage(variable))) {
      Alike to = std::max(block_[block], operands(block, i));
      // The copied content is no operand.
      to = i.op == spv::Op::OpCopyMemory ? std::max(to, content(block, i, i.word(1))) : to;
      changed = raise(variable_[variable], to);
    }
  }
  if (i.result == 0 || alike_[i.result] == Alike::divergent) {
    return changed;
  }
  const Alike result = result_of(block, i);
  if (result <= alike_[i.result]) {
    return changed;
  }
  // What looks divergent may still come out the same: `gl_GlobalInvocationID.z < 1`.
  if (const InvocationValue* value = values_.of(i.result);
      value != nullptr && value->known.size() == 1) {
    return changed;
  }
  alike_[i.result] = result;
  return true;
}

Alike Uniformity::result_of(std::size_t block, const Instruction& i) {
  switch (i.op) {
    case spv::Op::OpLoad:
    case spv::Op::OpAtomicLoad:
      return load(block, i);
    case spv::Op::OpPhi:
      return phi(block, i);
    case spv::Op::OpVariable:
      return Alike::uniform;
    case spv::Op::OpReadClockKHR:
    case spv::Op::OpFunctionCall:
    case spv::Op::OpGroupNonUniformPartitionNV:
      return Alike::divergent;
    case spv::Op::OpSubgroupBallotKHR:
    case spv::Op::OpSubgroupFirstInvocationKHR:
    case spv::Op::OpSubgroupReadInvocationKHR:
      return Alike::undecided;
    case spv::Op::OpGroupNonUniformRotateKHR:
      return std::max(Alike::undecided, operands(block, i));
    default:
      break;
  }
  if (is_atomic(i.op)) {
    return Alike::divergent;
  }
  if (is_subgroup_operation(i.op)) {
    return subgroup(block, i);
  }
  if (reads_image(i.op)) {
    return image_read(block, i);
  }
  const Alike all = operands(block, i);
  const bool both_differ = compares_integers(i.op) && alike_[i.word(0)] == Alike::divergent &&
                           alike_[i.word(1)] == Alike::divergent;
  return both_differ && same_offsets(i.word(0), i.word(1)) ? Alike::undecided : all;
}

Alike Uniformity::alike_in(Id value, std::size_t block) const {
  Alike result = alike_[value];
  // A uniform value of each iteration is not uniform behind a loop that invocations leave at
  // different iterations.
  const std::size_t home = program_.block_of(value);
  if (home == ControlFlow::none) {
    return result;
  }
  for (const ControlFlow::Loop& loop : program_.flow.loops()) {
    if (!loop.contains[home] || loop.contains[block]) {
      continue;
    }
    for (std::size_t b = 0; b < loop.contains.size(); ++b) {
      const auto& next = program_.flow.successors(b);
      const bool leaves = std::ranges::any_of(next, [&](auto t) { return !loop.contains[t]; });
      if (loop.contains[b] && leaves) {
        result = std::max({result, branch(b), block_[b]});
      }
    }
  }
  return result;
}

Alike Uniformity::operands(std::size_t block, const Instruction& i) const {
  Alike result = Alike::uniform;
  for (const Operand& operand : i.operands) {
    result = operand.is_id ? std::max(result, alike_in(operand.word, block)) : result;
  }
  return result;
}

Alike Uniformity::phi(std::size_t block, const Instruction& i) const {
  bool same = true;
  Alike result = Alike::uniform;
  for (std::size_t k = 0; k + 1 < i.operands.size(); k += 2) {
    result = std::max(result, alike_in(i.word(k), block));
    same = same && (i.word(k) == i.word(0) || i.word(k) == i.result);
  }
  return same ? result : std::max(result, join_[block]);
}

Alike Uniformity::load(std::size_t block, const Instruction& i) const {
  return content(block, i, i.word(0));
}

// How alike the invocations find what `i` reads through a pointer.
Alike Uniformity::content(std::size_t block, const Instruction& i, Id pointer) const {
  const PointerPath path = program_.path(pointer);
  const Alike place = operands(block, i);
  if (path.variable == 0 || i.op == spv::Op::OpAtomicLoad ||
      program_.definitions.decoration(path.variable, spv::Decoration::Volatile) != nullptr) {
    return Alike::undecided;
  }
  switch (program_.storage(path.variable)) {
    case spv::StorageClass::PushConstant:
    case spv::StorageClass::UniformConstant:  // which image or sampler; not what it holds
      return by_content(place);
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
      return written_[path.variable] ? Alike::undecided : by_content(place);
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
      return std::max(place, variable_[path.variable]);
    case spv::StorageClass::Workgroup:
      return place != Alike::uniform ? Alike::undecided : shared_load(block, i, path.variable);
    case spv::StorageClass::Input:
      return std::max(place, input(path.variable));
    default:
      return Alike::divergent;
  }
}

Alike Uniformity::shared_load(std::size_t block, const Instruction& i, Id variable) const {
  // Found again by its place: the segment of this very instruction.
  const auto& body = program_.function.blocks[block].body;
  const auto at = static_cast<std::size_t>(&i - body.data());
  const std::size_t here = phases_.segment(block, at);
  Alike result = Alike::uniform;
  // A pointer that is chosen when the kernel runs may lead here.
  for (const Write& write : writes_[0]) {
    if (phases_.meet(here, write.segment)) {
      result = Alike::undecided;
    }
  }
  for (const Write& write : writes_[program_.shared_memory_of(variable)]) {
    if (!phases_.meet(here, write.segment)) {
      continue;
    }
    result = std::max(result, Alike::undecided);
    // All have just written the one cell, each a value of its own.
    const Instruction& w = program_.function.blocks[write.block].body[write.instruction];
    const bool before =
        (write.segment == here && write.instruction < at) || phases_.follows(write.segment, here);
    if (before && w.op == spv::Op::OpStore && alike_in(w.word(0), write.block) == Alike::uniform &&
        block_[write.block] == Alike::uniform &&
        alike_in(w.word(1), write.block) == Alike::divergent) {
      result = Alike::divergent;
    }
  }
  return result;
}

Alike Uniformity::image_read(std::size_t block, const Instruction& i) const {
  const Instruction& image = program_.definitions.of(i.word(0));
  const bool written =
      image.op == spv::Op::OpLoad && written_[program_.path(image.word(0)).variable];
  return written ? Alike::undecided : by_content(operands(block, i));
}

Alike Uniformity::input(Id variable) const {
  const auto built_in = program_.built_in(variable);
  if (!built_in) {
    return Alike::divergent;
  }
  switch (*built_in) {
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::NumWorkgroups:
    case spv::BuiltIn::WorkgroupSize:
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::DeviceIndex:
      return Alike::uniform;
    case spv::BuiltIn::SubgroupId:  // a workgroup may be one subgroup
      return Alike::undecided;
    default:
      return Alike::divergent;
  }
}

Alike Uniformity::subgroup(std::size_t block, const Instruction& i) const {
  const Alike all = operands(block, i);
  const auto group_operation = static_cast<spv::GroupOperation>(i.word(1));
  const bool reduces = group_operation == spv::GroupOperation::Reduce ||
                       group_operation == spv::GroupOperation::ClusteredReduce;
  switch (i.op) {
    case spv::Op::OpGroupNonUniformElect:
    case spv::Op::OpGroupNonUniformInverseBallot:
      return Alike::divergent;
    case spv::Op::OpGroupNonUniformAll:
    case spv::Op::OpGroupNonUniformAny:
    case spv::Op::OpGroupNonUniformBroadcast:
    case spv::Op::OpGroupNonUniformBroadcastFirst:
      return by_content(all);
    case spv::Op::OpGroupNonUniformAllEqual:
    case spv::Op::OpGroupNonUniformBallot:
      return Alike::undecided;
    case spv::Op::OpGroupNonUniformBallotBitExtract:
    case spv::Op::OpGroupNonUniformBallotFindLSB:
    case spv::Op::OpGroupNonUniformBallotFindMSB:
      return all;
    case spv::Op::OpGroupNonUniformBallotBitCount:
      return reduces ? all : Alike::divergent;
    case spv::Op::OpGroupNonUniformShuffle:
    case spv::Op::OpGroupNonUniformShuffleXor:
    case spv::Op::OpGroupNonUniformShuffleUp:
    case spv::Op::OpGroupNonUniformShuffleDown:
    case spv::Op::OpGroupNonUniformQuadBroadcast:
    case spv::Op::OpGroupNonUniformQuadSwap:
      return std::max(Alike::undecided, alike_in(i.word(1), block));
    default:
      return reduces ? Alike::undecided : Alike::divergent;
  }
}

// What a value is more than something that is the same in all: to counters of loops through what
// they start from.
std::optional<std::vector<std::uint64_t>> Uniformity::offsets(Id value, int depth) {
  const Instruction& i = program_.definitions.of(value);
  const auto shared = [&](Id id) { return alike_[id] != Alike::divergent; };
  if (depth > 8) {
    return std::nullopt;
  }
  if (i.op == spv::Op::OpPhi) {
    const std::size_t header = program_.block_of(value);
    std::optional<std::vector<std::uint64_t>> start;
    for (std::size_t k = 0; k + 1 < i.operands.size(); k += 2) {
      const std::size_t from = program_.flow.index(i.word(k + 1));
      const Instruction& next = program_.definitions.of(i.word(k));
      if (from == ControlFlow::none || !program_.flow.dominates(header, from)) {
        start = start ? std::nullopt : offsets(i.word(k), depth + 1);
      } else if ((next.op != spv::Op::OpIAdd && next.op != spv::Op::OpISub) ||
                 next.word(0) != value || !shared(next.word(1))) {
        return std::nullopt;
      }
    }
    return start;
  }
  if ((i.op == spv::Op::OpIAdd || i.op == spv::Op::OpISub) && shared(i.word(1))) {
    return offsets(i.word(0), depth + 1);
  }
  if (i.op == spv::Op::OpIAdd && shared(i.word(0))) {
    return offsets(i.word(1), depth + 1);
  }
  const InvocationValue* known = relative_.of(value);
  return known != nullptr ? std::optional(known->known) : std::nullopt;
}

bool Uniformity::same_offsets(Id a, Id b) {
  const auto first = offsets(a, 0);
  const auto second = offsets(b, 0);
  if (!first || !second || first->size() != second->size()) {
    return false;
  }
  const std::uint64_t apart = first->front() - second->front();
  for (std::size_t n = 0; n < first->size(); ++n) {
    if ((*first)[n] - (*second)[n] != apart) {
      return false;
    }
  }
  return true;
}

Alike Uniformity::branch(std::size_t block) const {
  const Instruction& end = program_.function.blocks[block].terminator();
  if ((end.op != spv::Op::OpBranchConditional && end.op != spv::Op::OpSwitch) ||
      program_.flow.successors(block).size() < 2) {
    return Alike::uniform;
  }
  const Alike alike = alike_in(end.word(0), block);
  return alike == Alike::undecided && !votable(block) ? Alike::divergent : alike;
}

bool Uniformity::votable(std::size_t block) const {
  const Instruction& end = program_.function.blocks[block].terminator();
  const Id type = program_.definitions.of(end.word(0)).type;
  return end.op == spv::Op::OpBranchConditional || scalar_width(program_.definitions, type) == 32;
}

// Blocks whose branches decide whether a block runs, outwards.
std::vector<std::size_t> Uniformity::all_controllers(std::size_t block) const {
  std::vector<bool> seen(program_.flow.size());
  std::vector<std::size_t> found{block};
  for (std::size_t n = 0; n < found.size(); ++n) {
    for (const std::size_t c : program_.flow.controllers(found[n])) {
      if (!seen[c]) {
        seen[c] = true;
        found.push_back(c);
      }
    }
  }
  found.erase(found.begin());
  return found;
}

// Is a value worked out from what a launch gives: sizes, contents, the number of workgroups?
bool Uniformity::by_launch(Id value) const {
  std::vector<Id> work{value};
  std::set<Id> seen;
  while (!work.empty()) {
    const Instruction& i = program_.definitions.of(work.back());
    work.pop_back();
    if (i.result == 0 || program_.block_of(i.result) == ControlFlow::none ||
        !seen.insert(i.result).second) {
      continue;
    }
    const Id variable = i.op == spv::Op::OpLoad ? program_.path(i.word(0)).variable : 0;
    const auto built_in = program_.built_in(variable);
    const bool own = built_in == spv::BuiltIn::LocalInvocationId ||
                     built_in == spv::BuiltIn::LocalInvocationIndex ||
                     built_in == spv::BuiltIn::SubgroupLocalInvocationId ||
                     built_in == spv::BuiltIn::SubgroupId || is_local(program_.storage(variable));
    if ((i.op == spv::Op::OpLoad && !own) || is_atomic(i.op) || reads_image(i.op) ||
        i.op == spv::Op::OpArrayLength || i.op == spv::Op::OpImageQuerySize ||
        i.op == spv::Op::OpImageQuerySizeLod) {
      return true;
    }
    for (const Operand& operand : i.operands) {
      if (operand.is_id) {
        work.push_back(operand.word);
      }
    }
  }
  return false;
}

bool Uniformity::spread_control() {
  bool changed = false;
  for (const std::size_t b : program_.flow.order()) {
    for (const std::size_t c : program_.flow.controllers(b)) {
      changed |= raise(block_[b], std::max(block_[c], branch(c)));
    }
    const Alike parts = branch(b);
    if (parts == Alike::uniform) {
      continue;
    }
    for (const std::size_t j : program_.flow.joins(b)) {
      changed |= raise(join_[j], parts);
    }
  }
  return changed;
}

SourceLine Uniformity::branch_line(std::size_t block) const {
  const Instruction& end = program_.function.blocks[block].terminator();
  return end.at.line != 0 ? end.at : program_.definitions.of(end.word(0)).at;
}

SourceLine Uniformity::condition_line(std::size_t block) const {
  // The nearest divergent branch, outwards.
  std::vector<bool> seen(program_.flow.size());
  std::deque<std::size_t> work{block};
  while (!work.empty()) {
    const std::size_t b = work.front();
    work.pop_front();
    for (const std::size_t c : program_.flow.controllers(b)) {
      if (branch(c) == Alike::divergent) {
        return branch_line(c);
      }
      if (!seen[c]) {
        seen[c] = true;
        work.push_back(c);
      }
    }
  }
  return {};
}

std::vector<DivergentBarrier> Uniformity::divergent_barriers() const {
  std::vector<DivergentBarrier> found;
  for (const std::size_t b : program_.flow.order()) {
    if (block_[b] != Alike::divergent) {
      continue;
    }
    for (const Instruction& i : program_.function.blocks[b].body) {
      if (is_workgroup_barrier(program_.constants, i)) {
        DivergentBarrier d{i.at, condition_line(b), program_.interface.entry_line};
        d.by_launch = std::ranges::any_of(all_controllers(b), [&](std::size_t c) {
          return branch(c) != Alike::uniform &&
                 by_launch(program_.function.blocks[c].terminator().word(0));
        });
        if (std::ranges::none_of(found, [&](const auto& f) { return f.barrier == d.barrier; })) {
          found.push_back(d);
        }
      }
    }
  }
  std::ranges::sort(found, {}, [](const DivergentBarrier& d) {
    return std::pair(d.barrier.line, d.barrier.column);
  });
  return found;
}

std::vector<PartingBranch> Uniformity::parting_branches() const {
  std::vector<PartingBranch> found;
  for (const std::size_t b : program_.flow.order()) {
    const auto& body = program_.function.blocks[b].body;
    const auto barrier = std::ranges::find_if(
        body, [&](const Instruction& i) { return is_workgroup_barrier(program_.constants, i); });
    if (block_[b] == Alike::uniform || barrier == body.end()) {
      continue;
    }
    for (const std::size_t c : all_controllers(b)) {
      const Alike alike = branch(c);
      if (alike == Alike::uniform) {
        continue;
      }
      auto known = std::ranges::find(found, c, &PartingBranch::block);
      if (known == found.end()) {
        known = found.insert(found.end(), {c, branch_line(c), {}, alike, votable(c)});
      }
      if (std::ranges::find(known->barriers, barrier->at) == known->barriers.end()) {
        known->barriers.push_back(barrier->at);
      }
    }
  }
  return found;
}

}  // namespace spirv
