// Reads of shared memory in a loop or behind it, whose turns write what later ones read.
#include <algorithm>

#include "spirv/analysis/flow/phases.h"
#include "spirv/analysis/memory/initialization.h"

namespace spirv {
namespace {

constexpr std::uint32_t most_turns_behind = 1024;

}  // namespace

// Some barrier that every turn comes through is behind writes of all that later turns, or whoever
// comes behind the loop, read.
bool Initialization::behind_turns(const FollowedAccess& read) {
  if (program_.invocations() > evaluated_invocations) {
    return false;
  }
  return std::ranges::any_of(program_.flow.loops(), [&](const ControlFlow::Loop& loop) {
    return loop.latches.size() == 1 && program_.flow.dominates(loop.header, read.place.first) &&
           only_test(loop) &&
           std::ranges::any_of(barriers_of_turns(loop), [&](const AccessPlace& barrier) {
             return turn_by_turn(read, loop, barrier, before_loop(read.variable, loop));
           });
  });
}

// Those that every turn comes through, once.
std::vector<AccessPlace> Initialization::barriers_of_turns(const ControlFlow::Loop& loop) const {
  std::vector<AccessPlace> found;
  for (const std::size_t b : program_.flow.order()) {
    const bool once = std::ranges::none_of(program_.flow.loops(), [&](const auto& inner) {
      return inner.header != loop.header && inner.contains[b] && loop.contains[inner.header];
    });
    const Block& block = program_.function.blocks[b];
    for (std::size_t i = 0; loop.contains[b] && once && i < block.body.size(); ++i) {
      if (program_.flow.dominates(b, loop.latches.front()) && Phases::closes(program_, block, i)) {
        found.emplace_back(b, i);
      }
    }
  }
  return found;
}

// What was written in front of some barrier that is in front of the loop.
Initialization::Cells Initialization::before_loop(std::uint32_t variable,
                                                  const ControlFlow::Loop& loop) {
  Cells written(variables_[variable].cells());
  for (const std::size_t b : program_.flow.order()) {
    const Block& block = program_.function.blocks[b];
    const bool in_front = !loop.contains[b] && program_.flow.dominates(b, loop.header);
    for (std::size_t i = 0; in_front && i < block.body.size(); ++i) {
      if (Phases::closes(program_, block, i)) {
        const Cells& here = before(variable, {b, i});
        for (std::size_t cell = 0; cell < written.size(); ++cell) {
          written[cell] = written[cell] || here[cell];
        }
      }
    }
  }
  return written;
}

// All invocations make the same turns together, because the barrier is in each.
bool Initialization::turn_by_turn(const FollowedAccess& read, const ControlFlow::Loop& loop,
                                  const AccessPlace& barrier, Cells written) {
  const std::uint32_t count = program_.invocations();
  const std::size_t test = *only_test(loop);
  const bool inside = loop.contains[read.place.first];
  const bool in_front = program_.flow.dominates(read.place.first, test);
  std::vector<std::vector<Counter>> counted;
  std::vector<Values> values(count);
  for (std::uint32_t n = 0; n < count; ++n) {
    counted.push_back(counters(loop, n, {}));
  }
  const auto all_written = [&](const Cells& cells) {
    for (std::uint32_t n = 0; n < count; ++n) {
      if (comes(read.place.first, n, values[n]) && !reads_only(read, n, values[n], cells)) {
        return false;
      }
    }
    return true;
  };
  const bool same_each_turn = std::ranges::all_of(
      read.terms, [&](const IndexTerm& term) { return value(term.index, 0, {}, 0).has_value(); });
  const auto written_for_good = [&](const Cells& cells) {
    for (std::uint32_t n = 0; same_each_turn && n < count; ++n) {
      if (!reads_only(read, n, {}, cells)) {
        return false;
      }
    }
    return same_each_turn;
  };
  for (std::uint32_t turn = 0; turn < most_turns_behind; ++turn) {
    std::uint32_t going = 0;
    for (std::uint32_t n = 0; n < count; ++n) {
      for (const Counter& counter : counted[n]) {
        values[n][counter.phi] = counter.now;
      }
      const auto on = goes_on(loop, test, n, values[n]);
      if (!on) {
        return false;
      }
      going += *on ? 1 : 0;
    }
    if (going != 0 && going != count) {
      return false;
    }
    Cells after = written;
    if (going != 0) {
      write_in_turn(read.variable, barrier, values, after);
    }
    const bool behind = is_precedent(barrier, read.place);
    if (inside && (going != 0 || in_front) && !all_written(behind ? after : written)) {
      return false;
    }
    if (going == 0) {
      return inside || all_written(written);
    }
    written = std::move(after);
    if (written_for_good(written)) {
      return true;
    }
    bool other = false;
    for (std::uint32_t n = 0; n < count; ++n) {
      other = step(counted[n], n, values[n]) || other;
    }
    if (!other) {
      return false;  // nobody comes out
    }
  }
  return false;
}

std::optional<bool> Initialization::goes_on(const ControlFlow::Loop& loop, std::size_t test,
                                            std::uint32_t invocation, const Values& values) {
  const Instruction& end = program_.function.blocks[test].terminator();
  const auto condition = value(unbounded(end.word(0)), invocation, values, 0);
  const bool yes = loop.contains[program_.flow.index(end.word(1))];
  return condition ? std::optional((*condition != 0) == yes) : std::nullopt;
}

// What is surely written in front of the barrier, in the turn that the values are of.
void Initialization::write_in_turn(std::uint32_t variable, const AccessPlace& barrier,
                                   std::vector<Values>& values, Cells& written) {
  for (const FollowedAccess& write : accesses_) {
    if (write.variable != variable || !write.writes || write.reads) {
      continue;
    }
    const auto loops = loops_before(write, barrier);
    const std::size_t anchor = loops.empty() ? write.place.first : loops.front()->header;
    const bool around = std::ranges::all_of(program_.flow.loops(), [&](const auto& loop) {
      return !loop.contains[barrier.first] || loop.contains[anchor];
    });
    for (std::uint32_t n = 0; around && n < values.size(); ++n) {
      if (is_in_front(write, anchor, barrier) && surely_runs(anchor, barrier, n, values[n], 0)) {
        write_in_loops(write, loops, n, values[n], written);
      }
    }
  }
}

// Does none of the conditions that the block is behind keep the invocation from it?
bool Initialization::comes(std::size_t block, std::uint32_t invocation, const Values& values) {
  for (std::size_t d = block; d != program_.flow.dominator(d);) {
    const std::size_t next = d;
    d = program_.flow.dominator(d);
    const Instruction& end = program_.function.blocks[d].terminator();
    if (end.op != spv::Op::OpBranchConditional || end.word(1) == end.word(2) ||
        program_.flow.predecessors(next).size() != 1) {
      continue;
    }
    const auto condition = value(unbounded(end.word(0)), invocation, values, 0);
    if (condition && (*condition != 0) != (program_.flow.index(end.word(1)) == next)) {
      return false;
    }
  }
  return true;
}

bool Initialization::reads_only(const FollowedAccess& read, std::uint32_t invocation,
                                const Values& values, const Cells& written) {
  std::uint64_t start = read.offset;
  for (const IndexTerm& term : read.terms) {
    const auto index = value(term.index, invocation, values, 0);
    if (!index || *index >= term.length) {
      return false;
    }
    start += *index * term.stride;
  }
  const std::uint64_t size = variables_[read.variable].cell_scalars;
  for (std::uint64_t cell = start / size; cell < (start + read.width) / size; ++cell) {
    if (cell >= written.size() || !written[cell]) {
      return false;
    }
  }
  return true;
}

}  // namespace spirv
