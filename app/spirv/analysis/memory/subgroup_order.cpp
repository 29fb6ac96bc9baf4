#include "spirv/analysis/memory/subgroup_order.h"

#include <compare>
#include <optional>
#include <set>
#include <vector>

#include "spirv/module/operations.h"

namespace spirv {
namespace {

constexpr std::uint32_t kQuad = 4;

const Instruction& at(const Program& program, const Site& site) {
  return program.function.blocks[site.block].body[site.instruction];
}

// Whether an invocation's result is made from its own operands. Operations of groups and subgroups,
// and most extensions, have numbers above or are left out here.
bool needs_own_operands(const Instruction& i) {
  const bool group = i.op >= spv::Op::OpGroupAsyncCopy && i.op <= spv::Op::OpGroupSMax;
  return i.op < spv::Op::OpGroupNonUniformElect && !group && !is_atomic(i.op) &&
         i.op != spv::Op::OpFunctionCall;
}

class Needs {
 public:
  Needs(const Program& program, const Site& store, const Site& load, LaneGroup group,
        const std::function<bool(std::size_t)>& reached_together)
      : program_(program),
        load_(load),
        read_(at(program, load)),
        write_(at(program, store)),
        group_(group),
        reached_together_(reached_together) {}

  [[nodiscard]] bool all() {
    if (read_.op != spv::Op::OpLoad || write_.op != spv::Op::OpStore) {
      return false;
    }
    for (std::uint32_t lane = 0; lane < group_.lanes; ++lane) {
      if (!all_of(lane)) {
        return false;
      }
    }
    return true;
  }

 private:
  // A value of a lane. `part`: of a vector or another composite it is not known which parts count.
  struct Need {
    Id id = 0;
    std::uint32_t lane = 0;
    bool part = false;
    auto operator<=>(const Need&) const = default;
  };

  [[nodiscard]] bool all_of(std::uint32_t storing) {
    std::set<std::uint32_t> lanes;
    std::set<Need> seen;
    left_ = {{write_.word(1), storing, false}};
    while (!left_.empty()) {
      Need need = left_.back();
      left_.pop_back();
      if (!seen.insert(need).second) {
        continue;
      }
      if (need.id == read_.result) {
        lanes.insert(need.lane);
        continue;
      }
      const Instruction& i = program_.definitions.of(need.id);
      need.part = need.part && is_composite(i.type);
      if (!follow_subgroup(i, need)) {
        follow(i, need);
      }
    }
    return lanes.size() == group_.lanes;
  }

  [[nodiscard]] bool is_composite(Id type) const {
    const spv::Op op = program_.definitions.op(type);
    return op != spv::Op::OpTypeInt && op != spv::Op::OpTypeFloat && op != spv::Op::OpTypeBool;
  }

  // False: it is no operation of a subgroup.
  bool follow_subgroup(const Instruction& i, const Need& need) {
    if (!is_subgroup_operation(i.op)) {
      return false;
    }
    const std::size_t block = program_.block_of(i.result);
    const bool has_all =
        block == load_.block || (block != ControlFlow::none && reached_together_(block));
    for (std::uint32_t lane = 0; lane < group_.lanes && has_all; ++lane) {
      if (const auto operand = operand_of(i, need.lane, lane)) {
        left_.push_back({i.word(*operand), lane, need.part});
      }
    }
    return true;
  }

  // The operand of `from` that the result of `lane` needs; empty: none for sure.
  [[nodiscard]] std::optional<std::uint32_t> operand_of(const Instruction& i, std::uint32_t lane,
                                                        std::uint32_t from) const {
    const auto when = [](bool needed, std::uint32_t operand) {
      return needed ? std::optional(operand) : std::nullopt;
    };
    switch (i.op) {
      case spv::Op::OpGroupNonUniformAll:
      case spv::Op::OpGroupNonUniformAny:
      case spv::Op::OpGroupNonUniformAllEqual:
      case spv::Op::OpGroupNonUniformBallot:
        return 1;
      case spv::Op::OpGroupNonUniformQuadSwap:
      case spv::Op::OpGroupNonUniformQuadBroadcast:
      case spv::Op::OpGroupNonUniformShuffleXor:
      case spv::Op::OpGroupNonUniformShuffle:
      case spv::Op::OpGroupNonUniformBroadcast:
      case spv::Op::OpGroupNonUniformShuffleUp:
      case spv::Op::OpGroupNonUniformShuffleDown:
        return when(source_of(i, lane) == from, 1);
      default:
        break;
    }
    if (i.op < spv::Op::OpGroupNonUniformIAdd || i.op > spv::Op::OpGroupNonUniformLogicalXor) {
      return std::nullopt;
    }
    switch (static_cast<spv::GroupOperation>(i.word(1))) {
      case spv::GroupOperation::Reduce:
        return 2;
      case spv::GroupOperation::InclusiveScan:
        return when(from <= lane, 2);
      case spv::GroupOperation::ExclusiveScan:
        return when(from < lane, 2);
      case spv::GroupOperation::ClusteredReduce: {
        const auto size = program_.constants.scalar(i.word(3));
        return when(size && *size != 0 && lane / *size == from / *size, 2);
      }
      default:
        return std::nullopt;
    }
  }

  // The lane whose value an exchange returns; empty: it is not known, or of another group.
  [[nodiscard]] std::optional<std::uint64_t> source_of(const Instruction& i,
                                                       std::uint32_t lane) const {
    const auto number = program_.constants.scalar(i.word(2));
    if (!number) {
      return std::nullopt;
    }
    switch (i.op) {
      case spv::Op::OpGroupNonUniformQuadSwap:  // horizontal, vertical, diagonal
        return *number < 3 ? std::optional(lane ^ (*number + 1)) : std::nullopt;
      case spv::Op::OpGroupNonUniformQuadBroadcast:
        return *number < kQuad ? std::optional((lane & ~(kQuad - 1)) | *number) : std::nullopt;
      case spv::Op::OpGroupNonUniformShuffleXor:
        return lane ^ *number;
      case spv::Op::OpGroupNonUniformShuffleUp:
        return *number <= lane ? std::optional(lane - *number) : std::nullopt;
      case spv::Op::OpGroupNonUniformShuffleDown:
        return lane + *number;
      default:  // a lane of the subgroup
        return group_.whole_subgroup ? number : std::nullopt;
    }
  }

  void follow(const Instruction& i, const Need& need) {
    const auto add = [&](std::uint32_t operand, bool part) {
      left_.push_back({i.word(operand), need.lane, part});
    };
    switch (i.op) {
      case spv::Op::OpPhi:
      case spv::Op::OpSelect:
      case spv::Op::OpLoad:
        return;  // not needed on every way
      case spv::Op::OpCompositeExtract:
      case spv::Op::OpVectorExtractDynamic:
        return add(0, true);
      case spv::Op::OpCompositeInsert:  // of the second operand a part is replaced
        return need.part ? void() : add(0, false);
      case spv::Op::OpVectorShuffle:
        return;
      case spv::Op::OpCompositeConstruct:
        if (need.part) {
          return;
        }
        break;
      default:
        break;
    }
    for (std::uint32_t k = 0; k < i.operands.size() && needs_own_operands(i); ++k) {
      if (i.operands[k].is_id) {
        add(k, need.part);
      }
    }
  }

  const Program& program_;
  const Site& load_;
  const Instruction& read_;
  const Instruction& write_;
  const LaneGroup group_;
  const std::function<bool(std::size_t)>& reached_together_;
  std::vector<Need> left_;
};

}  // namespace

bool needs_all_lanes(const Program& program, const Site& store, const Site& load, LaneGroup group,
                     const std::function<bool(std::size_t)>& reached_together) {
  return Needs(program, store, load, group, reached_together).all();
}

}  // namespace spirv
