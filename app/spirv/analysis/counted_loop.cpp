#include "spirv/analysis/counted_loop.h"

#include <algorithm>

namespace spirv {
namespace {

constexpr std::uint64_t furthest = 65536;

bool is_less(spv::Op op) {
  return op == spv::Op::OpULessThan || op == spv::Op::OpSLessThan ||
         op == spv::Op::OpULessThanEqual || op == spv::Op::OpSLessThanEqual;
}

bool includes_end(spv::Op op) {
  return op == spv::Op::OpULessThanEqual || op == spv::Op::OpSLessThanEqual;
}

std::optional<CountedLoop> by_condition(const Program& program, const ControlFlow::Loop& loop,
                                        const Instruction& condition) {
  const auto end = program.constants.scalar(condition.word(1));
  const Instruction& phi = program.definitions.of(condition.word(0));
  if (!is_less(condition.op) || !end || *end > furthest || phi.op != spv::Op::OpPhi ||
      program.block_of(phi.result) != loop.header || phi.operands.size() != 4) {
    return std::nullopt;
  }
  CountedLoop counted{phi.result, furthest + 1, *end + (includes_end(condition.op) ? 1 : 0), 0};
  for (std::size_t k = 0; k < 4; k += 2) {
    const std::size_t from = program.flow.index(phi.word(k + 1));
    if (from == ControlFlow::none || !loop.contains[from]) {
      counted.first = program.constants.scalar(phi.word(k)).value_or(furthest + 1);
      continue;
    }
    const Instruction& next = program.definitions.of(phi.word(k));
    if (next.op == spv::Op::OpIAdd && next.word(0) == phi.result) {
      counted.step = program.constants.scalar(next.word(1)).value_or(0);
    }
  }
  const bool sound = counted.first <= furthest && counted.step > 0 && counted.step <= furthest;
  return sound ? std::optional(counted) : std::nullopt;
}

}  // namespace

std::optional<CountedLoop> counted_loop(const Program& program, const ControlFlow::Loop& loop) {
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    const Instruction& end = program.function.blocks[b].terminator();
    if (!loop.contains[b] || end.op != spv::Op::OpBranchConditional) {
      continue;
    }
    const std::size_t yes = program.flow.index(end.word(1));
    const std::size_t no = program.flow.index(end.word(2));
    const bool every_time = std::ranges::all_of(
        loop.latches, [&](std::size_t latch) { return program.flow.dominates(b, latch); });
    if (!every_time || !loop.contains[yes] || loop.contains[no]) {
      continue;
    }
    if (const auto counted = by_condition(program, loop, program.definitions.of(end.word(0)))) {
      return counted;
    }
  }
  return std::nullopt;
}

}  // namespace spirv
