#include "spirv/analysis/memory/ticket.h"

#include <algorithm>

#include "spirv/module/types.h"

namespace spirv {
namespace {

bool is_shared(const Program& program, Id id) {
  return program.definitions.of(id).op == spv::Op::OpVariable &&
         program.storage(id) == spv::StorageClass::Workgroup;
}

}  // namespace

bool all_come_once(const Program& program, std::size_t block) {
  return program.flow.post_dominates(block, program.flow.order().front()) &&
         std::ranges::none_of(program.flow.loops(),
                              [&](const auto& loop) { return loop.contains[block]; });
}

// Whatever names a shared variable and does not load it may write it.
DrawnNumbers::DrawnNumbers(const Program& program) : program_(program) {
  for (const Block& block : program.function.blocks) {
    for (const Instruction& i : block.body) {
      for (const Operand& operand : i.operands) {
        if (i.op != spv::Op::OpLoad && operand.is_id && is_shared(program, operand.word)) {
          const bool first = stores_.try_emplace(operand.word, &i).second;
          if (!first || by(i) == 0) {
            stores_[operand.word] = nullptr;
          }
        }
      }
    }
  }
}

const Instruction* DrawnNumbers::store_to(Id variable) const {
  const auto found = stores_.find(variable);
  return found == stores_.end() ? nullptr : found->second;
}

Id DrawnNumbers::by(const Instruction& store) const {
  if (store.op != spv::Op::OpStore) {
    return 0;
  }
  const Instruction* i = &program_.definitions.of(store.word(1));
  while (i->op == spv::Op::OpCopyObject || i->op == spv::Op::OpBitcast) {
    i = &program_.definitions.of(i->word(0));
  }
  const bool adds = i->op == spv::Op::OpAtomicIAdd || i->op == spv::Op::OpAtomicIIncrement;
  return adds && !is_shared(program_, program_.path(i->word(0)).variable) ? i->result : 0;
}

Id find_ticket(const Program& program, const Uniformity& uniformity) {
  const DrawnNumbers drawn(program);
  for (std::size_t b = 0; b < program.flow.size(); ++b) {
    if (!program.flow.reachable(b) || !all_come_once(program, b)) {
      continue;
    }
    for (const Instruction& i : program.function.blocks[b].body) {
      if (i.op == spv::Op::OpLoad && program.definitions.op(i.type) == spv::Op::OpTypeInt &&
          scalar_width(program.definitions, i.type) == 32 && drawn.store_to(i.word(0)) != nullptr &&
          uniformity.uniform(i.result)) {
        return i.result;
      }
    }
  }
  return 0;
}

}  // namespace spirv
