#include "spirv/analysis/memory/quad_order.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace spirv {
namespace {

constexpr std::uint32_t kQuad = 4;

const Instruction& at(const Program& program, const Site& site) {
  return program.function.blocks[site.block].body[site.instruction];
}

// The bits of a lane that differ between the invocation and the one whose value it gets.
std::optional<std::uint32_t> swapped_bits(const Program& program, const Instruction& i) {
  if (i.op == spv::Op::OpGroupNonUniformQuadSwap) {
    const auto direction = program.constants.scalar(i.word(2));  // horizontal, vertical, diagonal
    return direction && *direction < 3 ? std::optional(static_cast<std::uint32_t>(*direction) + 1)
                                       : std::nullopt;
  }
  if (i.op == spv::Op::OpGroupNonUniformShuffleXor) {
    const auto mask = program.constants.scalar(i.word(2));
    return mask && *mask < kQuad ? std::optional(static_cast<std::uint32_t>(*mask)) : std::nullopt;
  }
  return std::nullopt;
}

// Whether an invocation's result is made from its own operands. Operations of groups and subgroups,
// and most extensions, have numbers above or are left out here.
bool needs_own_operands(const Instruction& i) {
  const bool group = i.op >= spv::Op::OpGroupAsyncCopy && i.op <= spv::Op::OpGroupSMax;
  return i.op < spv::Op::OpGroupNonUniformElect && !group && !is_atomic(i.op);
}

bool reduces_subgroup(const Instruction& i) {
  const bool arithmetic =
      i.op >= spv::Op::OpGroupNonUniformIAdd && i.op <= spv::Op::OpGroupNonUniformLogicalXor;
  return arithmetic && i.word(1) == static_cast<std::uint32_t>(spv::GroupOperation::Reduce);
}

}  // namespace

bool needs_all_of_quad(const Program& program, const Site& store, const Site& load,
                       const std::function<bool(std::size_t)>& reached_together) {
  const Instruction& read = at(program, load);
  const Instruction& write = at(program, store);
  if (read.op != spv::Op::OpLoad || write.op != spv::Op::OpStore) {
    return false;
  }
  const auto has_all = [&](Id value) {
    const std::size_t block = program.block_of(value);
    return block == load.block || (block != ControlFlow::none && reached_together(block));
  };
  std::set<std::uint32_t> lanes;
  std::set<std::pair<Id, std::uint32_t>> seen;
  std::vector<std::pair<Id, std::uint32_t>> left{{write.word(1), 0}};
  while (!left.empty()) {
    const auto [id, lane] = left.back();
    left.pop_back();
    if (!seen.insert({id, lane}).second) {
      continue;
    }
    if (id == read.result) {
      lanes.insert(lane);
      continue;
    }
    const Instruction& i = program.definitions.of(id);
    if (i.op == spv::Op::OpPhi || i.op == spv::Op::OpSelect || i.op == spv::Op::OpLoad) {
      continue;  // not needed on every way
    }
    if (const auto bits = swapped_bits(program, i)) {
      if (has_all(id)) {
        left.emplace_back(i.word(1), lane ^ *bits);
      }
    } else if (reduces_subgroup(i)) {
      for (std::uint32_t other = 0; other < kQuad && has_all(id); ++other) {
        left.emplace_back(i.word(2), other);
      }
    } else if (needs_own_operands(i)) {
      for (const Operand& operand : i.operands) {
        if (operand.is_id) {
          left.emplace_back(operand.word, lane);
        }
      }
    }
  }
  return lanes.size() == kQuad;
}

}  // namespace spirv
