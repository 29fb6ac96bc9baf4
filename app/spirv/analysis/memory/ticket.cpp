#include "spirv/analysis/memory/ticket.h"

#include <algorithm>
#include <map>

#include "spirv/module/types.h"

namespace spirv {
namespace {

class TicketSearch {
 public:
  TicketSearch(const Program& program, const Uniformity& uniformity)
      : program_(program), uniformity_(uniformity) {}

  Id run() {
    find_writes();
    for (std::size_t b = 0; b < program_.flow.size(); ++b) {
      if (program_.flow.reachable(b) && all_come_once(b)) {
        for (const Instruction& i : program_.function.blocks[b].body) {
          if (is_ticket(i)) {
            return i.result;
          }
        }
      }
    }
    return 0;
  }

 private:
  enum class Written : std::uint8_t { drawn, otherwise };

  // Whatever names a shared variable and is neither a load nor a store of what was drawn may write
  // something else.
  void find_writes() {
    for (const Block& block : program_.function.blocks) {
      for (const Instruction& i : block.body) {
        if (i.op == spv::Op::OpLoad) {
          continue;
        }
        for (const Operand& operand : i.operands) {
          if (operand.is_id && is_shared(operand.word)) {
            Written& so_far = written_.try_emplace(operand.word, Written::drawn).first->second;
            so_far = stores_drawn(i) ? so_far : Written::otherwise;
          }
        }
      }
    }
  }

  [[nodiscard]] bool is_shared(Id id) const {
    const Instruction& i = program_.definitions.of(id);
    return i.op == spv::Op::OpVariable && program_.storage(id) == spv::StorageClass::Workgroup;
  }

  [[nodiscard]] bool stores_drawn(const Instruction& store) const {
    if (store.op != spv::Op::OpStore) {
      return false;
    }
    Id value = store.word(1);
    for (const Instruction* i = &program_.definitions.of(value);
         i->op == spv::Op::OpCopyObject || i->op == spv::Op::OpBitcast;
         i = &program_.definitions.of(value)) {
      value = i->word(0);
    }
    const Instruction& drawn = program_.definitions.of(value);
    const bool adds = drawn.op == spv::Op::OpAtomicIAdd || drawn.op == spv::Op::OpAtomicIIncrement;
    return adds && !is_shared(program_.path(drawn.word(0)).variable);
  }

  [[nodiscard]] bool all_come_once(std::size_t block) const {
    return program_.flow.post_dominates(block, program_.flow.order().front()) &&
           std::ranges::none_of(program_.flow.loops(),
                                [&](const auto& loop) { return loop.contains[block]; });
  }

  [[nodiscard]] bool is_ticket(const Instruction& i) const {
    if (i.op != spv::Op::OpLoad || scalar_width(program_.definitions, i.type) != 32 ||
        program_.definitions.op(i.type) != spv::Op::OpTypeInt) {
      return false;
    }
    const auto written = written_.find(i.word(0));
    return written != written_.end() && written->second == Written::drawn &&
           uniformity_.uniform(i.result);
  }

  const Program& program_;
  const Uniformity& uniformity_;
  std::map<Id, Written> written_;
};

}  // namespace

Id find_ticket(const Program& program, const Uniformity& uniformity) {
  return TicketSearch(program, uniformity).run();
}

}  // namespace spirv
