#include "spirv/analysis/flow/witness.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "spirv/analysis/values/invocation_values.h"

namespace spirv {
namespace {

constexpr std::uint32_t longest = 16384;   // instructions of one invocation
constexpr std::uint32_t most_turns = 256;  // of a loop; what it has gone through by then is known

class Witness {
 public:
  Witness(const Program& program, std::array<std::uint32_t, 3> workgroup)
      : program_(program), known_(program, [](Id) { return false; }, facts(program, workgroup)) {}

  void follow(std::uint32_t invocation, std::vector<bool>& ran);

 private:
  static LaunchFacts facts(const Program& program, std::array<std::uint32_t, 3> workgroup) {
    LaunchFacts facts;
    facts.told = program.launch.groups;
    facts.group = workgroup;
    return facts;
  }
  [[nodiscard]] std::optional<std::uint64_t> value(Id id, std::uint32_t invocation);
  [[nodiscard]] std::optional<std::uint64_t> result(const Instruction& i, std::uint32_t invocation);
  [[nodiscard]] std::optional<std::uint64_t> folded(const Instruction& i, std::uint32_t invocation);
  void enter(std::size_t block, std::size_t from, std::uint32_t invocation);
  [[nodiscard]] std::size_t next(std::size_t block, std::uint32_t invocation);
  [[nodiscard]] std::size_t where_all_come(std::size_t block);
  [[nodiscard]] std::size_t behind_long_loop(std::size_t header);
  void forget_loops(std::size_t from, std::size_t to);

  const Program& program_;
  InvocationValues known_;
  std::unordered_map<Id, std::optional<std::uint64_t>> now_;  // of the block's last turn
  std::unordered_map<std::size_t, std::uint32_t> turns_;      // of a loop, by its header
};

std::optional<std::uint64_t> Witness::value(Id id, std::uint32_t invocation) {
  if (const auto found = now_.find(id); found != now_.end()) {
    return found->second;
  }
  const InvocationValue* known = known_.of(id);
  return known != nullptr && known->terms.empty() ? std::optional(known->in(invocation))
                                                  : std::nullopt;
}

std::optional<std::uint64_t> Witness::folded(const Instruction& i, std::uint32_t invocation) {
  const bool unary = i.operands.size() == 1;
  const auto a = value(i.word(0), invocation);
  const auto b = unary ? std::optional<std::uint64_t>(0) : value(i.word(1), invocation);
  // One false is enough for false, one true for true.
  for (const auto& side : {a, b}) {
    if (side && ((i.op == spv::Op::OpLogicalAnd && *side == 0) ||
                 (i.op == spv::Op::OpLogicalOr && *side != 0))) {
      return *side;
    }
  }
  const std::uint32_t width =
      scalar_width(program_.definitions, program_.definitions.of(i.word(0)).type);
  return a && b && width != 0 && width <= 64 ? fold(i.op, width, *a, *b) : std::nullopt;
}

std::optional<std::uint64_t> Witness::result(const Instruction& i, std::uint32_t invocation) {
  const std::uint32_t width = scalar_width(program_.definitions, i.type);
  if (width == 0 || width > 64 || i.operands.empty()) {
    return std::nullopt;
  }
  switch (i.op) {
    case spv::Op::OpSelect: {
      const auto condition = value(i.word(0), invocation);
      return condition ? value(i.word(*condition != 0 ? 1 : 2), invocation) : std::nullopt;
    }
    case spv::Op::OpCopyObject:
    case spv::Op::OpBitcast:
      return scalar_width(program_.definitions, program_.definitions.of(i.word(0)).type) == width
                 ? value(i.word(0), invocation)
                 : std::nullopt;
    default:
      return i.operands.size() <= 2 && i.operands.front().is_id &&
                     (i.operands.size() == 1 || i.operands[1].is_id)
                 ? folded(i, invocation)
                 : std::nullopt;
  }
}

// Phis all take what their values were before the block.
void Witness::enter(std::size_t block, std::size_t from, std::uint32_t invocation) {
  const Block& entered = program_.function.blocks[block];
  std::vector<std::pair<Id, std::optional<std::uint64_t>>> merged;
  for (const Instruction& i : entered.body) {
    if (i.op != spv::Op::OpPhi) {
      break;
    }
    std::optional<std::uint64_t> came;
    for (std::size_t k = 0; from != ControlFlow::none && k + 1 < i.operands.size(); k += 2) {
      if (program_.flow.index(i.word(k + 1)) == from) {
        came = value(i.word(k), invocation);
      }
    }
    merged.emplace_back(i.result, came);
  }
  for (const auto& [phi, came] : merged) {
    now_[phi] = came;
  }
  for (const Instruction& i : entered.body) {
    if (i.op == spv::Op::OpPhi || i.result == 0) {
      continue;
    }
    now_.erase(i.result);  // InvocationValues may know it
    if (!value(i.result, invocation)) {
      now_[i.result] = result(i, invocation);
    }
  }
}

std::size_t Witness::where_all_come(std::size_t block) {
  const std::size_t meeting = program_.flow.post_dominator(block);
  if (meeting < program_.flow.size()) {
    forget_loops(block, meeting);
    return meeting;
  }
  return ControlFlow::none;
}

// Of a loop that has turned often: where it ends; none: not here.
std::size_t Witness::behind_long_loop(std::size_t header) {
  const auto& loops = program_.flow.loops();
  const auto loop = std::ranges::find(loops, header, &ControlFlow::Loop::header);
  if (loop == loops.end() || ++turns_[header] <= most_turns) {
    return ControlFlow::none;
  }
  turns_[header] = 0;
  std::size_t end = header;
  while (end < program_.flow.size() && loop->contains[end]) {
    end = program_.flow.post_dominator(end);
  }
  if (end >= program_.flow.size()) {
    return ControlFlow::none;
  }
  forget_loops(header, end);
  return end;
}

// What the turns that were not gone through left is not known.
void Witness::forget_loops(std::size_t from, std::size_t to) {
  for (const ControlFlow::Loop& loop : program_.flow.loops()) {
    if (!loop.contains[from] || loop.contains[to]) {
      continue;
    }
    for (std::size_t b = 0; b < loop.contains.size(); ++b) {
      for (const Instruction& i : program_.function.blocks[b].body) {
        if (loop.contains[b] && i.result != 0 && now_.contains(i.result)) {
          now_[i.result] = std::nullopt;
        }
      }
    }
  }
}

std::size_t Witness::next(std::size_t block, std::uint32_t invocation) {
  const Instruction& end = program_.function.blocks[block].terminator();
  switch (end.op) {
    case spv::Op::OpBranch:
      return program_.flow.index(end.word(0));
    case spv::Op::OpBranchConditional: {
      const auto condition = value(end.word(0), invocation);
      return condition ? program_.flow.index(end.word(*condition != 0 ? 1 : 2)) : ControlFlow::none;
    }
    default:
      return ControlFlow::none;
  }
}

void Witness::follow(std::uint32_t invocation, std::vector<bool>& ran) {
  now_.clear();
  turns_.clear();
  std::size_t from = ControlFlow::none;
  std::size_t block = 0;
  for (std::uint32_t done = 0; block != ControlFlow::none && done < longest;) {
    ran[block] = true;
    enter(block, from, invocation);
    done += static_cast<std::uint32_t>(program_.function.blocks[block].body.size());
    if (const std::size_t end = behind_long_loop(block); end != ControlFlow::none) {
      from = ControlFlow::none;
      block = end;
      continue;
    }
    const std::size_t to = next(block, invocation);
    for (const ControlFlow::Loop& loop : program_.flow.loops()) {
      if (to != ControlFlow::none && loop.contains[block] && !loop.contains[to]) {
        turns_.erase(loop.header);
      }
    }
    from = to == ControlFlow::none ? ControlFlow::none : block;
    block = to == ControlFlow::none ? where_all_come(block) : to;
  }
}

}  // namespace

std::vector<bool> surely_run(const Program& program, std::array<std::uint32_t, 3> workgroup) {
  std::vector<bool> ran(program.flow.size(), false);
  const std::uint32_t count = program.invocations();
  if (count == 0 || count > evaluated_invocations) {
    return ran;
  }
  Witness witness(program, workgroup);
  for (const std::uint32_t invocation : std::set<std::uint32_t>{0, count / 2, count - 1}) {
    witness.follow(invocation, ran);
  }
  return ran;
}

}  // namespace spirv
