#include "spirv/analysis/flow/phases.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace spirv {
namespace {

// Instructions over which a fence still stands beside a barrier.
bool touches_memory(const Instruction& i) {
  switch (i.op) {
    case spv::Op::OpLoad:
    case spv::Op::OpStore:
    case spv::Op::OpCopyMemory:
    case spv::Op::OpControlBarrier:
    case spv::Op::OpImageRead:
    case spv::Op::OpImageWrite:
      return true;
    default:
      return is_atomic(i.op);
  }
}

// What the fences on one side of a barrier add.
template <class Range>
Semantics beside(const Program& program, Range&& instructions, MemoryClass memory) {
  Semantics all;
  for (const Instruction& i : instructions) {
    if (touches_memory(i)) {
      break;
    }
    const Semantics s = semantics(program.constants, i);
    if (s.about(memory) && s.workgroup_scope) {
      all.acquires |= s.acquires;
      all.releases |= s.releases;
    }
  }
  return all;
}

std::vector<Instruction> before(const Block& block, std::size_t instruction) {
  std::vector<Instruction> found(block.body.begin(),
                                 block.body.begin() + static_cast<std::ptrdiff_t>(instruction));
  std::ranges::reverse(found);
  return found;
}

}  // namespace

bool Phases::closes(const Program& program, const Block& block, std::size_t instruction,
                    MemoryClass memory) {
  const Instruction& i = block.body[instruction];
  if (!is_workgroup_barrier(program.constants, i)) {
    return false;
  }
  const Semantics own = semantics(program.constants, i);
  const bool itself = own.about(memory) && own.workgroup_scope;
  const std::span<const Instruction> body(block.body);
  const Semantics above = beside(program, before(block, instruction), memory);
  const Semantics below = beside(program, body.subspan(instruction + 1), memory);
  const bool either = memory != MemoryClass::shared;
  const bool releases = (itself && own.releases) || above.releases || (either && below.releases);
  const bool acquires = (itself && own.acquires) || below.acquires || (either && above.acquires);
  return releases && acquires;
}

bool Phases::beside_barrier(const Program& program, const Block& block, std::size_t fence) {
  const auto meets = [&](auto&& instructions) {
    const auto end =
        std::ranges::find_if(instructions, [](const Instruction& i) { return touches_memory(i); });
    return end != instructions.end() && is_workgroup_barrier(program.constants, *end);
  };
  const std::span<const Instruction> body(block.body);
  return meets(body.subspan(fence + 1)) || meets(before(block, fence));
}

Phases::Phases(const Program& program, MemoryClass memory) {
  split(program, memory);
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    if (segments_[s].opens) {
      openings_.push_back(s);
      reached_.push_back(flood({s}, ControlFlow::none));
    }
    after_.push_back(flood(next_[s], ControlFlow::none));
  }
}

void Phases::split(const Program& program, MemoryClass memory) {
  const auto& blocks = program.function.blocks;
  std::vector<std::size_t> last_of(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    first_of_.push_back(segments_.size());
    segments_.push_back({b, 0, blocks[b].body.size(), b == 0});
    for (std::size_t i = 0; program.flow.reachable(b) && i < blocks[b].body.size(); ++i) {
      if (closes(program, blocks[b], i, memory)) {
        segments_.back().last = i;
        segments_.push_back({b, i + 1, blocks[b].body.size(), true});
      }
    }
    last_of[b] = segments_.size() - 1;
  }
  next_.resize(segments_.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const std::size_t target : program.flow.successors(b)) {
      next_[last_of[b]].push_back(first_of_[target]);
    }
  }
}

std::vector<bool> Phases::flood(std::vector<std::size_t> from, std::size_t avoid) const {
  std::vector<bool> seen(segments_.size());
  while (!from.empty()) {
    const std::size_t s = from.back();
    from.pop_back();
    if (s == avoid || seen[s]) {
      continue;
    }
    seen[s] = true;
    from.insert(from.end(), next_[s].begin(), next_[s].end());
  }
  return seen;
}

namespace {

// What a turn of a loop begins with, up to the test that could pass the loop over.
struct FirstTurn {
  std::vector<std::size_t> blocks;  // the last of them tests
  std::vector<std::size_t> inside;  // where it goes on into the loop; empty: nothing tests
};

// Of the loop that an edge enters, if it does.
FirstTurn first_turn(const ControlFlow& flow, std::size_t from, std::size_t to) {
  FirstTurn turn;
  const auto loop = std::ranges::find(flow.loops(), to, &ControlFlow::Loop::header);
  if (from == ControlFlow::none || loop == flow.loops().end() || loop->contains[from]) {
    return turn;
  }
  const auto in = [&loop](std::size_t b) { return loop->contains[b]; };
  for (std::size_t b = to; std::ranges::find(turn.blocks, b) == turn.blocks.end();) {
    turn.blocks.push_back(b);
    const auto& next = flow.successors(b);
    if (next.size() != 1) {
      if (!std::ranges::all_of(next, in)) {
        std::ranges::copy_if(next, std::back_inserter(turn.inside), in);
      }
      break;
    }
    b = next.front();
  }
  return turn;
}

}  // namespace

std::vector<bool> Phases::reached_in_turns(const Program& program, std::size_t phase) const {
  std::vector<bool> seen(segments_.size());    // gone on from
  std::vector<bool> passed(segments_.size());  // in a first turn
  const auto has_barrier = [this](std::size_t b) { return next_[first_of_[b]].empty(); };
  // Blocks that are come from, and segments.
  std::vector<std::pair<std::size_t, std::size_t>> open{{ControlFlow::none, openings_[phase]}};
  while (!open.empty()) {
    const auto [from, s] = open.back();
    open.pop_back();
    const FirstTurn turn = first_turn(program.flow, from, segments_[s].block);
    if (!turn.inside.empty() && std::ranges::none_of(turn.blocks, has_barrier)) {
      for (const std::size_t next : passed[s] ? std::vector<std::size_t>() : turn.inside) {
        open.emplace_back(turn.blocks.back(), first_of_[next]);
      }
      for (const std::size_t b : turn.blocks) {
        passed[first_of_[b]] = true;
      }
    } else if (!seen[s]) {
      seen[s] = true;
      for (const std::size_t next : next_[s]) {
        open.emplace_back(segments_[s].block, next);
      }
    }
  }
  for (std::size_t s = 0; s < seen.size(); ++s) {
    seen[s] = seen[s] || passed[s];
  }
  return seen;
}

std::size_t Phases::segment(std::size_t block, std::size_t instruction) const {
  std::size_t s = first_of_[block];
  while (instruction >= segments_[s].last && s + 1 < segments_.size() &&
         segments_[s + 1].block == block) {
    ++s;
  }
  return s;
}

std::size_t Phases::ended_by(std::size_t block, std::size_t barrier) const {
  std::size_t s = first_of_[block];
  while (segments_[s].last != barrier && s + 1 < segments_.size() &&
         segments_[s + 1].block == block) {
    ++s;
  }
  return s;
}

bool Phases::meet(std::size_t a, std::size_t b) const {
  return std::ranges::any_of(reached_, [&](const auto& phase) { return phase[a] && phase[b]; });
}

bool Phases::reaches_around(std::size_t phase, std::size_t segment, std::size_t avoid) const {
  return flood({openings_[phase]}, avoid)[segment];
}

}  // namespace spirv
