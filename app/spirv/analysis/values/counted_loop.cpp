#include "spirv/analysis/values/counted_loop.h"

#include <algorithm>
#include <iterator>

#include "spirv/analysis/values/evaluation.h"

namespace spirv {
namespace {

constexpr std::uint64_t furthest = 65536;

// counter < end or counter <= end, in whatever form the module has it.
struct Test {
  Id counter = 0;
  Id end = 0;
  bool is_signed = false;
  bool includes_end = false;
};

// What stays true for as long as the loop goes on; `goes_on` is what the condition then is.
std::optional<Test> test_of(const Instruction& condition, bool goes_on) {
  const Id a = condition.word(0);
  const Id b = condition.word(1);
  switch (condition.op) {
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual: {
      const bool less =
          condition.op == spv::Op::OpULessThan || condition.op == spv::Op::OpSLessThan;
      const bool is_signed =
          condition.op == spv::Op::OpSLessThan || condition.op == spv::Op::OpSGreaterThanEqual;
      // a < b and its opposite, b <= a.
      return less == goes_on ? Test{a, b, is_signed, false} : Test{b, a, is_signed, true};
    }
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan: {
      const bool less =
          condition.op == spv::Op::OpULessThanEqual || condition.op == spv::Op::OpSLessThanEqual;
      const bool is_signed =
          condition.op == spv::Op::OpSLessThanEqual || condition.op == spv::Op::OpSGreaterThan;
      return less == goes_on ? Test{a, b, is_signed, true} : Test{b, a, is_signed, false};
    }
    default:
      return std::nullopt;
  }
}

// A number of the loop's header, and the constant that each turn adds to it; 0: it adds no such.
struct Counting {
  Id start = 0;
  std::uint64_t step = 0;
};

std::optional<Counting> counting_of(const Program& program, const ControlFlow::Loop& loop,
                                    Id counter) {
  const Instruction& phi = program.definitions.of(counter);
  if (phi.op != spv::Op::OpPhi || program.block_of(counter) != loop.header ||
      phi.operands.size() != 4) {
    return std::nullopt;
  }
  Counting found;
  for (std::size_t k = 0; k < 4; k += 2) {
    const std::size_t from = program.flow.index(phi.word(k + 1));
    if (from == ControlFlow::none || !loop.contains[from]) {
      found.start = phi.word(k);
      continue;
    }
    const Instruction& next = program.definitions.of(phi.word(k));
    if (next.op == spv::Op::OpIAdd && next.word(0) == counter) {
      found.step = program.constants.scalar(next.word(1)).value_or(0);
    }
  }
  return found;
}

std::optional<CountedLoop> by_condition(const Program& program, const ControlFlow::Loop& loop,
                                        const Test& test) {
  const auto end = program.constants.scalar(test.end);
  const Instruction& phi = program.definitions.of(test.counter);
  if (!end || *end > furthest) {
    return std::nullopt;
  }
  const auto way = counting_of(program, loop, phi.result);
  const auto first = way ? program.constants.scalar(way->start) : std::nullopt;
  if (!first) {
    return std::nullopt;
  }
  const CountedLoop counted{phi.result, *first, *end + (test.includes_end ? 1 : 0), way->step};
  if (counted.first > furthest || counted.step == 0 || counted.step > furthest) {
    return std::nullopt;
  }
  // What the counter's width can hold, by the test's reckoning.
  const std::uint32_t width = scalar_width(program.definitions, phi.type);
  const std::uint32_t bits = test.is_signed ? width - 1 : width;
  const std::uint64_t last = std::max({counted.first, counted.end, counted.exit()});
  return bits >= 63 || last >> bits == 0 ? std::optional(counted) : std::nullopt;
}

bool only_way_out(const Program& program, const ControlFlow::Loop& loop, std::size_t test) {
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    const auto& next = program.flow.successors(b);
    const bool ends = next.empty();
    if (loop.contains[b] && b != test &&
        (ends || !std::ranges::all_of(next, [&](auto t) { return loop.contains[t]; }))) {
      return false;
    }
  }
  return true;
}

// Behind a test that every turn comes to: where a turn goes on, and whether the condition is then
// true.
struct EveryTurn {
  std::size_t block = 0;
  std::size_t on = 0;
  bool goes_on = true;
};

std::optional<EveryTurn> every_turn(const Program& program, const ControlFlow::Loop& loop,
                                    std::size_t b) {
  const Instruction& end = program.function.blocks[b].terminator();
  if (!loop.contains[b] || end.op != spv::Op::OpBranchConditional) {
    return std::nullopt;
  }
  const std::size_t yes = program.flow.index(end.word(1));
  const std::size_t no = program.flow.index(end.word(2));
  const bool always = std::ranges::all_of(
      loop.latches, [&](std::size_t latch) { return program.flow.dominates(b, latch); });
  if (!always || loop.contains[yes] == loop.contains[no]) {
    return std::nullopt;
  }
  return EveryTurn{b, loop.contains[yes] ? yes : no, loop.contains[yes]};
}

// The test of a counter, whichever way round the module has it.
std::optional<Test> test_of(const Program& program, const EveryTurn& turn) {
  const auto at = [&](Id id) { return &program.definitions.of(id); };
  bool goes_on = turn.goes_on;
  const Instruction* condition = at(program.function.blocks[turn.block].terminator().word(0));
  for (; condition->op == spv::Op::OpLogicalNot; goes_on = !goes_on) {
    condition = at(condition->word(0));
  }
  return test_of(*condition, goes_on);
}

std::size_t inside_of(const Program& program, const EveryTurn& turn) {
  return program.flow.predecessors(turn.on).size() == 1 ? turn.on : ControlFlow::none;
}

// A number of a loop's header that starts at a constant, and what it becomes.
struct Stepping {
  Id phi = 0;
  std::uint64_t first = 0;
  Id next = 0;
};

std::vector<Stepping> steppings(const Program& program, const ControlFlow::Loop& loop) {
  std::vector<Stepping> found;
  for (const Instruction& phi : program.function.blocks[loop.header].body) {
    if (phi.op != spv::Op::OpPhi || phi.operands.size() != 4) {
      continue;
    }
    const std::size_t way = program.flow.index(phi.word(1));
    const bool back_first = way != ControlFlow::none && loop.contains[way];
    if (const auto first = program.constants.scalar(phi.word(back_first ? 2 : 0))) {
      found.push_back({phi.result, *first, phi.word(back_first ? 0 : 2)});
    }
  }
  return found;
}

// Those that follow from each other alone.
std::vector<Stepping> that_follow(const Program& program, std::vector<Stepping> all) {
  for (std::size_t before = all.size() + 1; all.size() < before;) {
    before = all.size();
    Evaluation turn(program, nullptr,
                    [&](Id id) { return std::ranges::find(all, id, &Stepping::phi) != all.end(); });
    std::vector<Stepping> still;
    std::ranges::copy_if(all, std::back_inserter(still),
                         [&](const Stepping& s) { return turn.add(s.next).has_value(); });
    all = std::move(still);
  }
  return all;
}

// Their values, turn by turn, until the test ends the loop.
bool go_through(const Program& program, const std::vector<Stepping>& all, Id condition,
                bool goes_on, std::vector<SteppedLoop>& found) {
  const auto place = [&](Id id) {
    return static_cast<std::size_t>(std::ranges::find(all, id, &Stepping::phi) - all.begin());
  };
  Evaluation turn(program, nullptr, [&](Id id) { return place(id) < all.size(); });
  const auto test = turn.add(condition);
  if (!test || turn.counters().empty()) {
    return false;
  }
  std::vector<std::size_t> after;
  std::vector<std::uint64_t> now;
  for (const Stepping& s : all) {
    after.push_back(*turn.add(s.next));
    now.push_back(s.first);
  }
  for (std::size_t turns = 0; turns <= short_loop; ++turns) {
    std::vector<std::uint64_t> settings;
    for (const Id counter : turn.counters()) {
      settings.push_back(now[place(counter)]);
    }
    turn.run(0, settings);
    if (!turn.at(*test)) {
      return false;
    }
    const bool over = (*turn.at(*test) != 0) != goes_on;
    for (std::size_t n = 0; n < all.size(); ++n) {
      over ? void(found[n].exit = now[n]) : found[n].values.push_back(now[n]);
      if (!over && !turn.at(after[n])) {
        return false;
      }
      now[n] = over ? now[n] : *turn.at(after[n]);
    }
    if (over) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::uint64_t> SteppedLoop::in(const Program& program, std::size_t block) const {
  if (only_way_out && !loop->contains[block]) {
    return {exit};
  }
  std::vector<std::uint64_t> all = values;
  if (inside == ControlFlow::none || !program.flow.dominates(inside, block)) {
    all.push_back(exit);
  }
  std::ranges::sort(all);
  const auto same = std::ranges::unique(all);
  all.erase(same.begin(), same.end());
  return all;
}

std::vector<SteppedLoop> stepped_loop(const Program& program, const ControlFlow::Loop& loop) {
  const std::vector<Stepping> all = that_follow(program, steppings(program, loop));
  for (std::size_t b = 0; !all.empty() && b < loop.contains.size(); ++b) {
    const auto test = every_turn(program, loop, b);
    if (!test) {
      continue;
    }
    SteppedLoop one{0, &loop, {}, 0, ControlFlow::none, only_way_out(program, loop, b)};
    one.inside = inside_of(program, *test);
    std::vector<SteppedLoop> found(all.size(), one);
    for (std::size_t n = 0; n < all.size(); ++n) {
      found[n].counter = all[n].phi;
    }
    const Id condition = program.function.blocks[b].terminator().word(0);
    if (go_through(program, all, condition, test->goes_on, found)) {
      return found;
    }
  }
  return {};
}

std::optional<CountedLoop> counted_loop(const Program& program, const ControlFlow::Loop& loop) {
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    const auto turn = every_turn(program, loop, b);
    const auto test = turn ? test_of(program, *turn) : std::nullopt;
    if (auto counted = test ? by_condition(program, loop, *test) : std::nullopt) {
      counted->inside = inside_of(program, *turn);
      counted->only_way_out = only_way_out(program, loop, b);
      return counted;
    }
  }
  return std::nullopt;
}

std::optional<CountingLoop> counting_loop(const Program& program, const ControlFlow::Loop& loop) {
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    const auto turn = every_turn(program, loop, b);
    const auto test = turn ? test_of(program, *turn) : std::nullopt;
    const auto way = test ? counting_of(program, loop, test->counter) : std::nullopt;
    if (way && way->step != 0) {
      return CountingLoop{test->counter, way->start,      test->end,
                          way->step,     test->is_signed, test->includes_end};
    }
  }
  return std::nullopt;
}

std::optional<SteppedLoop> strided_loop(const Program& program, InvocationValues& numbers,
                                        const ControlFlow::Loop& loop) {
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    const auto turn = every_turn(program, loop, b);
    const auto test = turn ? test_of(program, *turn) : std::nullopt;
    const auto way = test ? counting_of(program, loop, test->counter) : std::nullopt;
    const auto end = way ? program.constants.scalar(test->end) : std::nullopt;
    const InvocationValue* start = end ? numbers.of(way->start) : nullptr;
    if (start == nullptr || !start->terms.empty() || way->step == 0 || way->step > furthest ||
        *end > furthest || std::ranges::max(start->known) > furthest) {
      continue;
    }
    // The counter must not wrap around at its own width, by the test's reckoning.
    const std::uint32_t width =
        scalar_width(program.definitions, program.definitions.of(test->counter).type);
    const std::uint64_t last = std::max(*end, std::ranges::max(start->known)) + way->step + 1;
    const std::uint32_t bits = test->is_signed ? width - 1 : width;
    if (bits < 63 && last >> bits != 0) {
      continue;
    }
    SteppedLoop strided{test->counter, &loop, {}, 0, inside_of(program, *turn), false, way->start};
    const std::uint64_t least = std::ranges::min(start->known);
    while (least + strided.exit < *end + (test->includes_end ? 1 : 0)) {
      strided.values.push_back(strided.exit);
      strided.exit += way->step;
    }
    if (strided.values.size() <= short_loop) {
      return strided;
    }
  }
  return std::nullopt;
}

}  // namespace spirv
