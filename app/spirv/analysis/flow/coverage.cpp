#include "spirv/analysis/flow/coverage.h"

#include <algorithm>

#include "spirv/analysis/flow/witness.h"

namespace spirv {

Coverage::Coverage(const Program& program, const Intervals& intervals,
                   std::array<std::uint32_t, 3> workgroup)
    : mark_(program.flow.size(), always) {
  const ControlFlow& flow = program.flow;
  const std::vector<bool> runs = surely_run(program, workgroup);
  for (const std::size_t b : flow.order()) {  // dominators first
    if (runs[b]) {
      continue;
    }
    const std::size_t above = flow.dominator(b);
    if (flow.post_dominates(b, above)) {
      mark_[b] = mark_[above];
      continue;
    }
    if (mark_[above] == never || !intervals.may_run(b)) {
      mark_[b] = never;
      continue;
    }
    mark_[b] = watched_.size();
    watched_.push_back(b);
  }
}

bool Coverage::ran(std::size_t block, const std::vector<std::uint32_t>& marks) const {
  const std::size_t mark = mark_[block];
  return mark == always || (mark != never && (marks[mark / 32] >> (mark % 32) & 1U) != 0);
}

namespace {

SourceLine first_line(const Block& block) {
  const auto told = std::ranges::find_if(block.body, [](const Instruction& i) {
    return i.at.line != 0 && !i.carried && i.op != spv::Op::OpPhi && i.op != spv::Op::OpBranch;
  });
  return told == block.body.end() ? SourceLine{} : told->at;
}

}  // namespace

std::vector<NeverTaken> never_taken(const Program& program, const Coverage& coverage,
                                    const std::vector<std::uint32_t>& marks) {
  std::vector<NeverTaken> found;
  const ControlFlow& flow = program.flow;
  for (const std::size_t b : flow.order()) {
    if (flow.successors(b).size() < 2 || !coverage.ran(b, marks)) {
      continue;
    }
    const auto loop = std::ranges::find_if(flow.loops(), [&](const ControlFlow::Loop& l) {
      return l.contains[b] &&
             std::ranges::any_of(flow.successors(b), [&](std::size_t s) { return !l.contains[s]; });
    });
    for (const std::size_t next : flow.successors(b)) {
      const bool inside = loop != flow.loops().end() && loop->contains[next];
      if (flow.predecessors(next).size() != 1 || coverage.ran(next, marks) ||
          (loop != flow.loops().end() && !inside)) {
        continue;
      }
      const Instruction& end = program.function.blocks[b].terminator();
      const SourceLine at = end.at.line != 0 ? end.at : program.definitions.of(end.word(0)).at;
      const NeverTaken never{at, first_line(program.function.blocks[next]), inside};
      if (never.first.line != 0 && std::ranges::none_of(found, [&](const NeverTaken& n) {
            return n.branch == never.branch && n.first == never.first;
          })) {
        found.push_back(never);
      }
    }
  }
  return found;
}

}  // namespace spirv
