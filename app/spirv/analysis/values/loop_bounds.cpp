#include "spirv/analysis/values/loop_bounds.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "spirv/analysis/values/counted_loop.h"
#include "spirv/analysis/values/intervals.h"
#include "spirv/module/canonical.h"
#include "spirv/module/emitter.h"

namespace spirv {
namespace {

// The iterations of a loop whose counter goes up to a number, whatever it is in an iteration, in
// few steps, and cannot wrap.
std::optional<std::uint64_t> few_steps(const Program& program, const Intervals& intervals,
                                       const ControlFlow::Loop& loop) {
  constexpr std::uint64_t soon = 65536;
  constexpr std::uint64_t most = std::uint64_t{1} << 30U;  // far from where either sign wraps
  const auto counting = counting_loop(program, loop);
  const std::size_t before = counting ? program.block_of(counting->counter) : ControlFlow::none;
  if (!counting || counting->step > soon) {
    return std::nullopt;
  }
  // The end may be computed in each iteration, behind the header.
  const auto range = [&](Id value) {
    const std::size_t home = program.block_of(value);
    const bool later = home != ControlFlow::none && !program.flow.dominates(home, before);
    return intervals.of(value, later ? home : before);
  };
  const Interval start = range(counting->start);
  const Interval end = range(counting->end);
  const std::uint64_t steps = end.high <= start.low ? 0 : (end.high - start.low) / counting->step;
  const bool known = start.width == 32 && end.width == 32 && start.high <= most &&
                     end.high <= most && steps <= soon;
  return known ? std::optional(steps + 1) : std::nullopt;
}

// The most iterations of a loop each time it is entered; nothing: it may not end.
std::optional<std::uint64_t> iterations_of(const Program& program, const Intervals& intervals,
                                           const ControlFlow::Loop& loop) {
  if (const auto counted = counted_loop(program, loop)) {
    return counted->iterations();
  }
  if (const auto stepped = stepped_loop(program, loop); !stepped.empty()) {
    return stepped.front().values.size();
  }
  return few_steps(program, intervals, loop);
}

// The name of the private word that counts a loop.
std::string counter_name(std::size_t loop) {
  return "tilescope_loop_" + std::to_string(loop + 1);
}

class Bounding {
 public:
  Bounding(const Examination& x, const LoopLimits& limits)
      : program_(x.program), limits_(limits), module_(x.program.module), emitter_(module_) {}

  Expected<LoopBounds> run();

 private:
  using Loop = ControlFlow::Loop;
  [[nodiscard]] bool has_barrier(const Loop& loop) const;
  [[nodiscard]] SourceLine line(const Loop& loop) const;
  [[nodiscard]] const Loop& outermost(const Loop& loop) const;
  void bound(const Loop& loop, bool ends);
  void start_count(const Loop& loop, Id counter);
  void keep_phis_whole(Id merge, Id from);
  Expected<void> repair_dominance();
  Expected<void> find_headers();
  void move_to_memory(Id value, Id type, std::size_t home);
  Function& function() { return module_.functions[function_]; }
  Block& block(std::size_t b) { return function().blocks[b]; }

  const Program& program_;
  LoopLimits limits_;
  Module module_;
  Emitter emitter_;
  std::size_t function_ = 0;
  Id bad_loop_ = 0;
  Id steps_ = 0;   // iterations of loops without a barrier, all together
  Id rounds_ = 0;  // iterations of loops with one; the same in every invocation
  LoopBounds result_;
};

Expected<LoopBounds> Bounding::run() {
  function_ = static_cast<std::size_t>(&program_.function - program_.module.functions.data());
  const Intervals intervals(program_);
  for (const Loop& loop : program_.flow.loops()) {
    const bool ends = iterations_of(program_, intervals, loop).has_value();
    if (limits_.all || !ends) {
      bound(loop, ends);
    }
  }
  if (result_.loops.empty()) {
    result_.words = write(module_);
    return std::move(result_);
  }
  TRY(repair_dominance());
  result_.words = TRY(lift(write(module_)));
  TRY(find_headers());
  return std::move(result_);
}

// Ids are others now. The latch of a loop reads the loop's own counter and branches to its header.
Expected<void> Bounding::find_headers() {
  const auto module = TRY(parse(result_.words));
  const Definitions definitions(module);
  for (const Function& function : module.functions) {
    for (const Block& latch : function.blocks) {
      for (const Instruction& i : latch.body) {
        const std::string name =
            i.op == spv::Op::OpLoad ? definitions.name(i.word(0)) : std::string();
        for (std::size_t n = 0; n < result_.loops.size() && !name.empty(); ++n) {
          if (name == counter_name(n) && latch.terminator().op == spv::Op::OpBranchConditional) {
            result_.loops[n].header = latch.terminator().word(1);
          }
        }
      }
    }
  }
  return {};
}

bool Bounding::has_barrier(const Loop& loop) const {
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    if (loop.contains[b] &&
        std::ranges::any_of(program_.function.blocks[b].body, [&](const Instruction& i) {
          return is_workgroup_barrier(program_.constants, i);
        })) {
      return true;
    }
  }
  return false;
}

SourceLine Bounding::line(const Loop& loop) const {
  for (const Instruction& i : program_.function.blocks[loop.header].body) {
    if (i.op == spv::Op::OpLoopMerge && i.at.line != 0) {
      return i.at;
    }
  }
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    if (loop.contains[b] && program_.function.blocks[b].terminator().at.line != 0) {
      return program_.function.blocks[b].terminator().at;
    }
  }
  return {};
}

const Bounding::Loop& Bounding::outermost(const Loop& loop) const {
  const auto size = [](const Loop& l) { return std::ranges::count(l.contains, true); };
  const Loop* found = &loop;
  for (const Loop& other : program_.flow.loops()) {
    found = other.contains[loop.header] && size(other) > size(*found) ? &other : found;
  }
  return *found;
}

// The back edge becomes conditional: round again, or out through the loop's merge block.
void Bounding::bound(const Loop& loop, bool ends) {
  const auto& header = program_.function.blocks[loop.header].body;
  const auto merge = std::ranges::find(header, spv::Op::OpLoopMerge, &Instruction::op);
  if (merge == header.end() || loop.latches.size() != 1) {
    return;  // no structured loop; there are none in a valid compute kernel
  }
  if (bad_loop_ == 0) {
    bad_loop_ = emitter_.private_word(bad_loop_name);
    steps_ = emitter_.private_word("tilescope_steps");
    rounds_ = emitter_.private_word("tilescope_rounds");
  }
  const Id out = merge->word(0);
  Block& latch = block(loop.latches.front());
  const Id again = program_.function.blocks[loop.header].label;
  const Instruction end = latch.terminator();
  const bool barrier = has_barrier(loop);
  const Id counter = barrier ? rounds_ : steps_;
  const Id uint = emitter_.uint_type();
  const Id truth = emitter_.bool_type();
  std::vector<Instruction>& body = latch.body;
  body.pop_back();
  const auto emit = [&](spv::Op op, Id type, std::vector<Operand> operands) {
    const Id id = module_.fresh();
    body.push_back({op, type, id, std::move(operands), end.at});
    return id;
  };
  const auto number = static_cast<std::uint32_t>(result_.loops.size()) + 1;
  const Id own = emitter_.private_word(counter_name(result_.loops.size()));
  const auto below = [&](Id count, std::uint32_t limit) {
    const Id before = emit(spv::Op::OpLoad, uint, {ref(count)});
    const Id now = emit(spv::Op::OpIAdd, uint, {ref(before), ref(emitter_.constant(1))});
    body.push_back({spv::Op::OpStore, 0, 0, {ref(count), ref(now)}, end.at});
    return emit(spv::Op::OpULessThan, truth, {ref(now), ref(emitter_.constant(limit))});
  };
  const Id in_loop = below(own, limits_.loop);
  const Id in_total = below(counter, limits_.total);
  const Id inside = emit(spv::Op::OpLogicalAnd, truth, {ref(in_loop), ref(in_total)});
  const Id bad = emit(spv::Op::OpLoad, uint, {ref(bad_loop_)});
  const Id none = emit(spv::Op::OpIEqual, truth, {ref(bad), ref(emitter_.constant(0))});
  const Id first =
      emit(spv::Op::OpSelect, uint, {ref(none), ref(emitter_.constant(number)), ref(bad)});
  const Id word = emit(spv::Op::OpSelect, uint, {ref(inside), ref(bad), ref(first)});
  body.push_back({spv::Op::OpStore, 0, 0, {ref(bad_loop_), ref(word)}, end.at});
  Id go = inside;
  if (end.op == spv::Op::OpBranchConditional) {
    Id condition = end.word(0);
    if (end.word(1) != again) {
      condition = emit(spv::Op::OpLogicalNot, truth, {ref(condition)});
    }
    go = emit(spv::Op::OpLogicalAnd, truth, {ref(inside), ref(condition)});
  } else {
    keep_phis_whole(out, latch.label);
  }
  body.push_back({spv::Op::OpBranchConditional, 0, 0, {ref(go), ref(again), ref(out)}, end.at});
  start_count(loop, own);
  result_.loops.push_back({line(ends ? outermost(loop) : loop)});
}

// Where the loop is entered from outside.
void Bounding::start_count(const Loop& loop, Id counter) {
  for (const std::size_t b : program_.flow.predecessors(loop.header)) {
    if (loop.contains[b]) {
      continue;
    }
    auto& body = block(b).body;
    auto at = body.end() - 1;
    while (at != body.begin() &&
           ((at - 1)->op == spv::Op::OpSelectionMerge || (at - 1)->op == spv::Op::OpLoopMerge)) {
      --at;
    }
    body.insert(at, {spv::Op::OpStore, 0, 0, {ref(counter), ref(emitter_.constant(0))}, {}});
  }
}

// Behind a loop that was cut short nothing is known; zero is as good as anything.
void Bounding::keep_phis_whole(Id merge, Id from) {
  for (Block& b : function().blocks) {
    if (b.label != merge) {
      continue;
    }
    for (Instruction& i : b.body) {
      if (i.op == spv::Op::OpPhi) {
        i.operands.push_back(ref(emitter_.null(i.type)));
        i.operands.push_back(ref(from));
      }
    }
  }
}

// The new edges can lead past a definition to its uses. Such values go through memory.
Expected<void> Bounding::repair_dominance() {
  const ControlFlow flow(function());
  std::map<Id, std::pair<Id, std::size_t>> homes;  // value: type, block
  for (std::size_t b = 0; b < flow.size(); ++b) {
    for (const Instruction& i : block(b).body) {
      if (i.result != 0) {
        homes[i.result] = {i.type, b};
      }
    }
  }
  std::set<Id> broken;
  for (std::size_t b = 0; b < flow.size(); ++b) {
    for (const Instruction& i : block(b).body) {
      for (std::size_t k = 0; flow.reachable(b) && k < i.operands.size(); ++k) {
        const auto home = homes.find(i.operands[k].is_id ? i.word(k) : 0);
        if (home == homes.end()) {
          continue;
        }
        const std::size_t use =
            i.op == spv::Op::OpPhi && k % 2 == 0 ? flow.index(i.word(k + 1)) : b;
        if (use != ControlFlow::none && flow.reachable(use) &&
            !flow.dominates(home->second.second, use)) {
          broken.insert(home->first);
        }
      }
    }
  }
  for (const Id value : broken) {
    if (program_.definitions.op(homes[value].first) == spv::Op::OpTypePointer) {
      return core::usage_error("a loop computes a pointer that is used after the loop");
    }
    move_to_memory(value, homes[value].first, homes[value].second);
  }
  return {};
}

void Bounding::move_to_memory(Id value, Id type, std::size_t home) {
  const Id variable = module_.fresh();
  emitter_.name(variable, "tilescope_moved");
  const Id pointer = emitter_.pointer_type(spv::StorageClass::Function, type);
  const auto load = [&](std::vector<Instruction>& body, std::size_t at) {
    const Id id = module_.fresh();
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(at),
                {spv::Op::OpLoad, type, id, {ref(variable)}, {}});
    return id;
  };
  for (std::size_t b = 0; b < function().blocks.size(); ++b) {
    auto& body = block(b).body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      for (std::size_t k = 0; k < body[i].operands.size(); ++k) {
        if (!body[i].operands[k].is_id || body[i].word(k) != value) {
          continue;
        }
        if (body[i].op == spv::Op::OpPhi) {
          const auto from =
              std::ranges::find(function().blocks, body[i].word(k + 1), &Block::label);
          // Before the branch, and before the merge instruction that stands in front of it.
          std::size_t at = from->body.size() - 1;
          while (at > 0 && (from->body[at - 1].op == spv::Op::OpSelectionMerge ||
                            from->body[at - 1].op == spv::Op::OpLoopMerge)) {
            --at;
          }
          const bool same = &from->body == &body;
          const Id loaded = load(from->body, at);
          body[i + (same && at <= i ? 1 : 0)].operands[k] = ref(loaded);
        } else if (b != home) {
          std::size_t at = i;
          while (at > 0 && (body[at - 1].op == spv::Op::OpSelectionMerge ||
                            body[at - 1].op == spv::Op::OpLoopMerge)) {
            --at;
          }
          const Id loaded = load(body, at);
          ++i;
          body[i].operands[k] = ref(loaded);
        }
      }
    }
  }
  auto& body = block(home).body;
  auto at = std::ranges::find(body, value, &Instruction::result) + 1;
  while (at->op == spv::Op::OpPhi || at->op == spv::Op::OpVariable) {
    ++at;
  }
  body.insert(at, {spv::Op::OpStore, 0, 0, {ref(variable), ref(value)}, {}});
  auto& first = block(0).body;
  first.insert(first.begin(), {spv::Op::OpVariable,
                               pointer,
                               variable,
                               {literal(static_cast<std::uint32_t>(spv::StorageClass::Function))},
                               {}});
}

}  // namespace

std::optional<std::uint64_t> most_iterations(const Program& program) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  const Intervals intervals(program);
  std::map<std::size_t, std::uint64_t> each;  // by header
  for (const ControlFlow::Loop& loop : program.flow.loops()) {
    const auto iterations = iterations_of(program, intervals, loop);
    if (!iterations) {
      return std::nullopt;
    }
    each[loop.header] = *iterations;
  }
  std::uint64_t all = 0;
  for (const ControlFlow::Loop& loop : program.flow.loops()) {
    std::uint64_t product = 1;
    for (const ControlFlow::Loop& around : program.flow.loops()) {
      // The test of a loop runs once more than its body.
      product *= around.contains[loop.header] ? each[around.header] + 1 : 1;
      product = std::min(product, most);
    }
    all += product;
  }
  return all;
}

Expected<LoopBounds> bound_loops(const Examination& examination, const LoopLimits& limits) {
  return Bounding(examination, limits).run();
}

}  // namespace spirv
