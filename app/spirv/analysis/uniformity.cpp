#include "spirv/analysis/uniformity.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace spirv {
namespace {

// The pointer that an instruction writes through; 0: it writes nothing.
Id written_pointer(const Instruction& i) {
  if (i.op == spv::Op::OpStore || i.op == spv::Op::OpCopyMemory ||
      (is_atomic(i.op) && i.op != spv::Op::OpAtomicLoad)) {
    return i.word(0);
  }
  return 0;
}

bool is_divergent_by_nature(spv::Op op) {
  if (is_atomic(op)) {
    return true;
  }
  const auto number = static_cast<std::uint32_t>(op);
  const bool subgroup = number >= static_cast<std::uint32_t>(spv::Op::OpGroupNonUniformElect) &&
                        number <= static_cast<std::uint32_t>(spv::Op::OpGroupNonUniformQuadSwap);
  return subgroup || op == spv::Op::OpReadClockKHR || op == spv::Op::OpFunctionCall ||
         op == spv::Op::OpGroupNonUniformRotateKHR || op == spv::Op::OpGroupNonUniformPartitionNV ||
         op == spv::Op::OpSubgroupBallotKHR || op == spv::Op::OpSubgroupFirstInvocationKHR ||
         op == spv::Op::OpSubgroupReadInvocationKHR || op == spv::Op::OpImageTexelPointer;
}

bool is_local(spv::StorageClass storage) {
  return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
}

bool is_uniform_built_in(spv::BuiltIn built_in) {
  switch (built_in) {
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::NumWorkgroups:
    case spv::BuiltIn::WorkgroupSize:
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::DeviceIndex:
      return true;
    default:
      return false;
  }
}

}  // namespace

Uniformity::Uniformity(const Program& program, const Phases& phases)
    : program_(program),
      phases_(phases),
      values_(program, [](Id) { return false; }),
      divergent_(program.module.bound),
      divergent_variable_(program.module.bound),
      written_(program.module.bound),
      writes_(program.module.bound),
      divergent_block_(program.flow.size()),
      join_(program.flow.size()) {
  find_writes();
  run();
}

bool Uniformity::uniform(Id value) const {
  return !divergent_[value];
}

void Uniformity::find_writes() {
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const auto& body = program_.function.blocks[b].body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (const Id pointer = written_pointer(body[i])) {
        const Id variable = program_.path(pointer).variable;
        written_[variable] = true;
        writes_[variable].push_back(phases_.segment(b, i));
      }
      if (body[i].op == spv::Op::OpImageWrite) {
        const Instruction& image = program_.definitions.of(body[i].word(0));
        written_[program_.path(image.word(0)).variable] = true;
      }
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
  if (const Id pointer = written_pointer(i)) {
    const Id variable = program_.path(pointer).variable;
    if (is_local(program_.storage(variable)) && !divergent_variable_[variable] &&
        (divergent_block_[block] || any_operand_divergent(block, i))) {
      divergent_variable_[variable] = true;
      return true;
    }
  }
  if (i.result == 0 || divergent_[i.result] || !divergent_result(block, i)) {
    return false;
  }
  // What looks divergent may still come out the same: `gl_LocalInvocationID.z < 1`.
  if (const InvocationValue* value = values_.of(i.result); value != nullptr && value->constant()) {
    return false;
  }
  divergent_[i.result] = true;
  return true;
}

bool Uniformity::divergent_result(std::size_t block, const Instruction& i) const {
  switch (i.op) {
    case spv::Op::OpLoad:
      return divergent_load(block, i);
    case spv::Op::OpPhi:
      return divergent_phi(block, i);
    case spv::Op::OpVariable:
      return false;
    default:
      return is_divergent_by_nature(i.op) || any_operand_divergent(block, i);
  }
}

bool Uniformity::divergent_in(Id value, std::size_t block) const {
  if (divergent_[value]) {
    return true;
  }
  // A uniform value of each iteration is not uniform behind a loop that invocations leave at
  // different iterations.
  const std::size_t home = program_.block_of(value);
  if (home == ControlFlow::none) {
    return false;
  }
  return std::ranges::any_of(program_.flow.loops(), [&](const ControlFlow::Loop& loop) {
    if (!loop.contains[home] || loop.contains[block]) {
      return false;
    }
    for (std::size_t b = 0; b < loop.contains.size(); ++b) {
      const auto& next = program_.flow.successors(b);
      const bool leaves = std::ranges::any_of(next, [&](auto t) { return !loop.contains[t]; });
      if (loop.contains[b] && leaves && (branches_divergently(b) || divergent_block_[b])) {
        return true;
      }
    }
    return false;
  });
}

bool Uniformity::any_operand_divergent(std::size_t block, const Instruction& i) const {
  return std::ranges::any_of(i.operands, [&](const Operand& operand) {
    return operand.is_id && divergent_in(operand.word, block);
  });
}

bool Uniformity::divergent_phi(std::size_t block, const Instruction& i) const {
  bool same = true;
  for (std::size_t k = 0; k + 1 < i.operands.size(); k += 2) {
    if (divergent_in(i.word(k), block)) {
      return true;
    }
    same = same && (i.word(k) == i.word(0) || i.word(k) == i.result);
  }
  return join_[block] && !same;
}

bool Uniformity::divergent_load(std::size_t block, const Instruction& i) const {
  const PointerPath path = program_.path(i.word(0));
  if (path.variable == 0 || any_operand_divergent(block, i)) {
    return true;
  }
  if (program_.definitions.decoration(path.variable, spv::Decoration::Volatile) != nullptr) {
    return true;
  }
  switch (program_.storage(path.variable)) {
    case spv::StorageClass::PushConstant:
      return false;
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::UniformConstant:
      return written_[path.variable];
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
      return divergent_variable_[path.variable];
    case spv::StorageClass::Workgroup: {
      // Found again by its place: the segment of this very instruction.
      const auto& body = program_.function.blocks[block].body;
      const auto at = static_cast<std::size_t>(&i - body.data());
      const std::size_t here = phases_.segment(block, at);
      return std::ranges::any_of(writes_[path.variable],
                                 [&](std::size_t s) { return phases_.meet(here, s); });
    }
    case spv::StorageClass::Input: {
      const auto built_in = program_.built_in(path.variable);
      return !built_in || !is_uniform_built_in(*built_in);
    }
    default:
      return true;
  }
}

bool Uniformity::branches_divergently(std::size_t block) const {
  const Instruction& end = program_.function.blocks[block].terminator();
  if (end.op != spv::Op::OpBranchConditional && end.op != spv::Op::OpSwitch) {
    return false;
  }
  return program_.flow.successors(block).size() > 1 && divergent_in(end.word(0), block);
}

bool Uniformity::spread_control() {
  bool changed = false;
  for (const std::size_t b : program_.flow.order()) {
    const auto& controllers = program_.flow.controllers(b);
    if (!divergent_block_[b] && std::ranges::any_of(controllers, [&](std::size_t c) {
          return divergent_block_[c] || branches_divergently(c);
        })) {
      divergent_block_[b] = changed = true;
    }
    if (!branches_divergently(b)) {
      continue;
    }
    for (const std::size_t j : program_.flow.influence(b)) {
      if (!join_[j] && program_.flow.predecessors(j).size() > 1) {
        join_[j] = changed = true;
      }
    }
  }
  return changed;
}

SourceLine Uniformity::condition_line(std::size_t block) const {
  // The nearest divergent branch, outwards.
  std::vector<bool> seen(program_.flow.size());
  std::deque<std::size_t> work{block};
  while (!work.empty()) {
    const std::size_t b = work.front();
    work.pop_front();
    for (const std::size_t c : program_.flow.controllers(b)) {
      if (branches_divergently(c)) {
        const Instruction& end = program_.function.blocks[c].terminator();
        const SourceLine at = program_.definitions.of(end.word(0)).at;
        return end.at.line != 0 ? end.at : at;
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
    if (!divergent_block_[b]) {
      continue;
    }
    for (const Instruction& i : program_.function.blocks[b].body) {
      if (is_workgroup_barrier(program_.constants, i)) {
        const DivergentBarrier d{i.at, condition_line(b), program_.interface.entry_line};
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

}  // namespace spirv
