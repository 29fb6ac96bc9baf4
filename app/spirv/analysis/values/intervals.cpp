#include "spirv/analysis/values/intervals.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/base/ceil_div.h"
#include "spirv/analysis/values/extents.h"
#include "spirv/module/operations.h"

namespace spirv {
namespace {

constexpr int rounds_before_widening = 3;
constexpr int rounds_of_steps = 32;
constexpr int most_rounds = 64;
constexpr int narrowing_rounds = 4;
constexpr int query_depth = 7;  // operations worked out again where a value is used
constexpr int visit_depth = 2;
constexpr int condition_depth = 3;

bool is_integer_arithmetic(spv::Op op) {
  return combines_integers(op) || negates_integer(op);
}

bool is_conversion(spv::Op op) {
  return op == spv::Op::OpUConvert || op == spv::Op::OpSConvert || op == spv::Op::OpBitcast ||
         op == spv::Op::OpCopyObject;
}

// Worked out again from operands as a place sees them.
bool is_repeatable(spv::Op op) {
  return is_integer_arithmetic(op) || is_conversion(op) || op == spv::Op::OpSelect ||
         op == spv::Op::OpCompositeExtract || op == spv::Op::OpCompositeConstruct ||
         op == spv::Op::OpVectorShuffle || op == spv::Op::OpExtInst;
}

Interval nothing_of(std::uint32_t width) {
  return {width, 1, 0, 1, 0};
}

}  // namespace

Intervals::Intervals(const Program& program, const LaunchFacts& guessed)
    : program_(program),
      guessed_({.subgroup = guessed.subgroup, .ticket = guessed.ticket}),
      values_(
          program, [](Id) { return false; }, guessed_),
      same_(program.module.bound),
      facts_(program.flow.size()),
      value_(program.module.bound),
      known_(program.module.bound) {
  find_same();
  find_facts();
  find_steps();
  find_counters();
  find_known();
  run();
}

std::uint32_t Intervals::components_of(Id type) const {
  const bool vector = program_.definitions.op(type) == spv::Op::OpTypeVector;
  const Id scalar = vector ? program_.types.element(type) : type;
  const spv::Op op = program_.definitions.op(scalar);
  return op != spv::Op::OpTypeInt && op != spv::Op::OpTypeBool ? 0
         : vector ? static_cast<std::uint32_t>(program_.types.length(type))
                  : 1;
}

std::uint32_t Intervals::width_of(Id type) const {
  const bool vector = program_.definitions.op(type) == spv::Op::OpTypeVector;
  return scalar_width(program_.definitions, vector ? program_.types.element(type) : type);
}

// Value numbering: the first of all that are the same stands for them.
void Intervals::find_same() {
  for (Id id = 0; id < same_.size(); ++id) {
    same_[id] = id;
  }
  std::unordered_map<std::string, Id> first;
  for (const std::size_t b : program_.flow.order()) {
    for (const Instruction& i : program_.function.blocks[b].body) {
      const Id from = i.operands.empty() ? 0 : i.word(0);
      if (i.op == spv::Op::OpCopyObject ||
          (i.op == spv::Op::OpBitcast && components_of(i.type) != 0 &&
           components_of(program_.definitions.of(from).type) == components_of(i.type))) {
        same_[i.result] = same(from);
        continue;
      }
      const std::string key = key_of(i);
      if (!key.empty()) {
        same_[i.result] = first.try_emplace(key, i.result).first->second;
      }
    }
  }
}

std::string Intervals::key_of(const Instruction& i) const {
  if (components_of(i.type) == 0) {
    return {};
  }
  std::string key = std::to_string(static_cast<std::uint32_t>(i.op)) + ":" +
                    std::to_string(width_of(i.type)) + ":" + std::to_string(components_of(i.type));
  if (i.op == spv::Op::OpLoad) {
    const PointerPath path = program_.path(i.word(0));
    const spv::StorageClass storage = program_.storage(path.variable);
    if (storage != spv::StorageClass::PushConstant && storage != spv::StorageClass::Input) {
      return {};
    }
    key += ":" + std::to_string(path.variable);
    for (const Id index : path.indices) {
      const auto constant = program_.constants.scalar(index);
      if (!constant) {
        return {};
      }
      key += "." + std::to_string(*constant);
    }
    return key;
  }
  const bool extract = i.op == spv::Op::OpCompositeExtract;
  const bool comparison = mirrored(i.op) != spv::Op::OpNop;
  if (!extract && !comparison && !is_integer_arithmetic(i.op)) {
    return {};
  }
  for (const Operand& operand : i.operands) {
    const auto constant =
        operand.is_id ? program_.constants.scalar(operand.word) : std::optional<std::uint64_t>();
    key += constant        ? ":c" + std::to_string(*constant)
           : operand.is_id ? ":i" + std::to_string(same(operand.word))
                           : ":l" + std::to_string(operand.word);
  }
  return key;
}

std::optional<Intervals::Fact> Intervals::on_edge(std::size_t from, std::size_t to) const {
  const Instruction& end = program_.function.blocks[from].terminator();
  if (end.op != spv::Op::OpBranchConditional || end.word(1) == end.word(2)) {
    return std::nullopt;
  }
  return Fact{end.word(0), program_.flow.index(end.word(1)) == to, from};
}

void Intervals::find_facts() {
  for (const std::size_t b : program_.flow.order()) {
    const std::size_t above = program_.flow.dominator(b);
    if (above != b) {
      facts_[b] = facts_[above];
    }
    const auto& from = program_.flow.predecessors(b);
    if (from.size() == 1) {
      if (const auto fact = on_edge(from.front(), b)) {
        facts_[b].push_back(*fact);
      }
    }
  }
}

// What counters are compared with.
void Intervals::find_steps() {
  for (const std::size_t b : program_.flow.order()) {
    for (const Instruction& i : program_.function.blocks[b].body) {
      if (mirrored(i.op) == spv::Op::OpNop) {
        continue;
      }
      for (const Operand& operand : i.operands) {
        if (const auto bound = program_.constants.scalar(operand.word); bound && *bound > 0) {
          steps_.insert(steps_.end(), {*bound - 1, *bound, *bound + 1});
        }
      }
    }
  }
  std::ranges::sort(steps_);
  const auto same = std::ranges::unique(steps_);
  steps_.erase(same.begin(), same.end());
}

// The same without negations.
Intervals::Fact Intervals::plain(Fact fact) const {
  while (program_.definitions.op(fact.condition) == spv::Op::OpLogicalNot) {
    fact.condition = program_.definitions.of(fact.condition).word(0);
    fact.truth = !fact.truth;
  }
  return fact;
}

void Intervals::find_known() {
  for (const std::size_t b : program_.flow.order()) {
    for (const Instruction& i : program_.function.blocks[b].body) {
      if (components_of(i.type) != 1 || program_.definitions.op(i.type) == spv::Op::OpTypeVector) {
        continue;
      }
      if (const InvocationValue* value = values_.of(i.result);
          value != nullptr && value->terms.empty() && value->width == width_of(i.type)) {
        Interval all = nothing_of(value->width);
        for (const std::uint64_t v : value->known) {
          all = join(all, Interval::exactly(v, value->width));
        }
        known_[i.result] = all;
      }
    }
  }
  const auto& [x, y, z] = program_.launch.groups;
  const std::uint64_t groups = std::uint64_t{x} * y * z;
  if (guessed_.ticket != 0 && groups != 0 && groups <= 0xFFFFFFFF &&
      width_of(program_.definitions.of(guessed_.ticket).type) == 32) {
    known_[guessed_.ticket] = Interval::between(0, groups - 1, 32);
  }
}

void Intervals::run() {
  bool changed = true;
  int round = 0;
  for (; changed && round < most_rounds; ++round) {
    changed = false;
    for (const std::size_t b : program_.flow.order()) {
      for (const Instruction& i : program_.function.blocks[b].body) {
        changed = visit(i, b, round) || changed;
      }
    }
  }
  if (changed) {  // nothing is known then
    for (const std::size_t b : program_.flow.order()) {
      for (const Instruction& i : program_.function.blocks[b].body) {
        value_[i.result].assign(components_of(i.type), Interval::all(width_of(i.type)));
      }
    }
  }
  for (round = 0; round < narrowing_rounds; ++round) {
    changed = false;
    for (const std::size_t b : program_.flow.order()) {
      for (const Instruction& i : program_.function.blocks[b].body) {
        changed = narrow(i, b) || changed;
      }
    }
    if (!changed) {
      break;
    }
  }
}

bool Intervals::visit(const Instruction& i, std::size_t block, int round) {
  const std::uint32_t components = components_of(i.type);
  if (i.result == 0 || components == 0) {
    return false;
  }
  auto& values = value_[i.result];
  values.resize(components, nothing_of(width_of(i.type)));
  bool changed = false;
  for (std::uint32_t c = 0; c < components; ++c) {
    Interval now = join(values[c], evaluate(i, c, block, visit_depth));
    if (round >= rounds_before_widening && i.op == spv::Op::OpPhi && !values[c].empty()) {
      now =
          widened(values[c], now, round < rounds_of_steps ? steps_ : std::vector<std::uint64_t>());
    }
    changed = changed || now != values[c];
    values[c] = now;
  }
  return changed;
}

bool Intervals::narrow(const Instruction& i, std::size_t block) {
  bool changed = false;
  for (std::uint32_t c = 0; c < value_[i.result].size() && i.result != 0; ++c) {
    Interval& value = value_[i.result][c];
    const Interval now = meet(value, evaluate(i, c, block, visit_depth));
    changed = changed || now != value;
    value = now;
  }
  return changed;
}

Interval Intervals::of(Id value, std::size_t block) const {
  const std::uint32_t width = width_of(program_.definitions.of(value).type);
  if (components_of(program_.definitions.of(value).type) != 1) {
    return Interval::all(width == 0 ? 64 : width);
  }
  return at(value, 0, block, query_depth);
}

bool Intervals::below(Id value, std::size_t block, std::uint64_t length) const {
  const Interval i = of(value, block);
  return i.empty() || i.high < length;
}

bool Intervals::may_run(std::size_t block, int depth) const {
  return std::ranges::none_of(facts_[block], [&](const Fact& fact) {
    return always(fact.condition, fact.at, depth) == std::optional(!fact.truth);
  });
}

std::optional<bool> Intervals::always(Id condition, std::size_t block, int depth) const {
  const Instruction& i = program_.definitions.of(condition);
  if (const auto constant = program_.constants.scalar(condition)) {
    return *constant != 0;
  }
  if (depth < 0) {
    return std::nullopt;
  }
  if (i.op == spv::Op::OpLogicalNot) {
    const auto other = always(i.word(0), block, depth - 1);
    return other ? std::optional(!*other) : std::nullopt;
  }
  if (i.op == spv::Op::OpLogicalAnd || i.op == spv::Op::OpLogicalOr) {
    const bool decides = i.op == spv::Op::OpLogicalOr;
    const auto a = always(i.word(0), block, depth - 1);
    const auto b = always(i.word(1), block, depth - 1);
    return a == decides || b == decides ? std::optional(decides)
           : a && b                     ? std::optional(!decides)
                                        : std::nullopt;
  }
  if (i.op == spv::Op::OpPhi) {
    // Ways that are never gone bring nothing.
    std::optional<bool> all;
    for (std::size_t k = 0; k + 1 < i.operands.size(); k += 2) {
      const std::size_t from = program_.flow.index(i.word(k + 1));
      if (from == ControlFlow::none || !program_.flow.reachable(from) ||
          !may_run(from, depth - 1)) {
        continue;
      }
      const auto edge = on_edge(from, program_.block_of(condition));
      const auto gone = edge ? always(edge->condition, from, depth - 1) : std::nullopt;
      if (gone && *gone != edge->truth) {
        continue;
      }
      const auto one = always(i.word(k), from, depth - 1);
      if (!one || (all && *all != *one)) {
        return std::nullopt;
      }
      all = one;
    }
    return all;
  }
  if (mirrored(i.op) == spv::Op::OpNop ||
      components_of(program_.definitions.of(i.word(0)).type) != 1) {
    return std::nullopt;
  }
  const Interval a = at(i.word(0), 0, block, query_depth);
  const Interval b = at(i.word(1), 0, block, query_depth);
  if (a.empty() || b.empty() || a.width != b.width) {
    return std::nullopt;
  }
  if (where(i.op, true, a, b).empty()) {
    return false;
  }
  return where(i.op, false, a, b).empty() ? std::optional(true) : std::nullopt;
}

Interval Intervals::at(Id value, std::uint32_t component, std::size_t block, int depth) const {
  const Instruction& i = program_.definitions.of(value);
  const std::uint32_t width = width_of(i.type);
  const bool vector = program_.definitions.op(i.type) == spv::Op::OpTypeVector;
  const auto constant =
      vector ? program_.constants.component(value, component) : program_.constants.scalar(value);
  if (constant) {
    return Interval::exactly(*constant, width);
  }
  if (program_.block_of(value) == ControlFlow::none || component >= value_[value].size()) {
    const bool later = program_.block_of(value) != ControlFlow::none && components_of(i.type) != 0;
    return later ? nothing_of(width) : Interval::all(width == 0 ? 64 : width);
  }
  const bool holds = holds_at(value, block);
  Interval now = holds ? value_[value][component] : Interval::all(width);
  if (!holds && !is_repeatable(i.op)) {
    return now;
  }
  if (depth > 0 && is_repeatable(i.op) && !now.empty()) {
    now = meet(now, evaluate(i, component, block, depth - 1));
  }
  for (const Fact& fact : facts_[block]) {
    now = vector || now.empty() || now.single() ? now : by_fact(fact, value, now, condition_depth);
  }
  if (const auto stepped = stepped_.find(value); stepped != stepped_.end() && !now.empty()) {
    const auto& [least, most] = stepped->second;
    const Interval own = meet(now, Interval::between(least, most, now.width));
    now = own.empty() ? now : own;
  }
  const auto counted = counters_.find(value);
  return counted == counters_.end() || now.empty() ? now : on_its_steps(counted->second, now);
}

void Intervals::find_counters() {
  for (const ControlFlow::Loop& loop : program_.flow.loops()) {
    if (const auto counted = counted_loop(program_, loop)) {
      counters_[counted->counter] = *counted;
    }
    for (const SteppedLoop& stepped : stepped_loop(program_, loop)) {
      const auto [least, most] = std::ranges::minmax(stepped.in(program_, loop.header));
      stepped_[stepped.counter] = {least, most};
    }
  }
}

// The last number that is one of the counter's.
Interval Intervals::on_its_steps(const CountedLoop& counted, const Interval& now) {
  const std::uint64_t most = std::min(now.high, counted.exit());
  if (most < counted.first) {
    return now;
  }
  const std::uint64_t last = counted.first + (most - counted.first) / counted.step * counted.step;
  const Interval own = meet(now, Interval::between(counted.first, last, now.width));
  return own.empty() ? now : own;
}

Interval Intervals::evaluate(const Instruction& i, std::uint32_t component, std::size_t block,
                             int depth) const {
  const std::uint32_t width = width_of(i.type);
  const auto operand = [&](std::size_t k) { return at(i.word(k), component, block, depth); };
  Interval result = Interval::all(width);
  if (is_integer_arithmetic(i.op)) {
    const Interval a = operand(0);
    const Interval b = i.operands.size() > 1 ? operand(1) : Interval::exactly(0, width);
    result = a.empty() || b.empty() ? nothing_of(width) : apply(i.op, a, b);
  } else if (is_conversion(i.op)) {
    const bool alike =
        components_of(program_.definitions.of(i.word(0)).type) == components_of(i.type);
    const Interval a = alike ? operand(0) : Interval::all(width);
    result = a.empty() ? nothing_of(width) : convert(i.op, a, width);
  } else {
    switch (i.op) {
      case spv::Op::OpPhi:
        result = phi(i, component, depth);
        break;
      case spv::Op::OpLoad:
        result = load(i, component);
        break;
      case spv::Op::OpSelect:
        result = select(i, component, block, depth);
        break;
      case spv::Op::OpExtInst:
        result = glsl(i, component, block, depth);
        break;
      case spv::Op::OpCompositeExtract:
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpVectorShuffle:
        result = part(i, component, block, depth);
        break;
      case spv::Op::OpBitCount:
        result = Interval::between(0, width, width);
        break;
      case spv::Op::OpBitFieldUExtract:
        if (const auto bits = program_.constants.scalar(i.word(2)); bits && *bits < width) {
          result = Interval::between(0, (std::uint64_t{1} << *bits) - 1, width);
        }
        break;
      case spv::Op::OpArrayLength:
        if (const auto length = runtime_length(program_, i.word(0), i.word(1))) {
          result = Interval::exactly(*length, width);
        }
        break;
      default:
        break;
    }
  }
  return known_[i.result] && !result.empty() ? meet(result, *known_[i.result]) : result;
}

Interval Intervals::phi(const Instruction& i, std::uint32_t component, int depth) const {
  const std::size_t here = program_.block_of(i.result);
  Interval all = nothing_of(width_of(i.type));
  for (std::size_t k = 0; k + 1 < i.operands.size(); k += 2) {
    const std::size_t from = program_.flow.index(i.word(k + 1));
    if (from == ControlFlow::none || !program_.flow.reachable(from)) {
      continue;
    }
    Interval one = at(i.word(k), component, from, std::min(depth, visit_depth));
    const auto fact = on_edge(from, here);
    if (fact && components_of(i.type) == 1 && !one.empty()) {
      one = by_fact(*fact, i.word(k), one, condition_depth);
    }
    all = join(all, one);
  }
  return all;
}

Interval Intervals::built_in(spv::BuiltIn kind, std::uint32_t component) const {
  const Interval any = Interval::all(32);
  const std::uint32_t invocations = program_.invocations();
  if (component >= 3) {
    return any;
  }
  const std::uint64_t groups = program_.launch.groups[component];
  const std::uint64_t size = program_.interface.local_size[component];
  const std::uint32_t lanes = guessed_.subgroup == 0 ? 128 : guessed_.subgroup;
  const std::uint32_t most =
      guessed_.subgroup == 0 ? std::max(invocations, 1U) : core::ceil_div(invocations, lanes);
  switch (kind) {
    case spv::BuiltIn::LocalInvocationIndex:
      return Interval::between(0, std::max(invocations, 1U) - 1, 32);
    case spv::BuiltIn::LocalInvocationId:
      return Interval::between(0, std::max<std::uint64_t>(size, 1) - 1, 32);
    case spv::BuiltIn::GlobalInvocationId:
      return groups * size == 0 || groups * size > 0xFFFFFFFF
                 ? any
                 : Interval::between(0, groups * size - 1, 32);
    case spv::BuiltIn::WorkgroupId:
      return groups == 0 ? any : Interval::between(0, groups - 1, 32);
    case spv::BuiltIn::NumWorkgroups:
      return groups == 0 ? any : Interval::between(1, groups, 32);
    case spv::BuiltIn::SubgroupSize:
      return Interval::between(guessed_.subgroup == 0 ? 1 : lanes, lanes, 32);
    case spv::BuiltIn::SubgroupLocalInvocationId:
      return Interval::between(0, lanes - 1, 32);
    case spv::BuiltIn::SubgroupId:
      return Interval::between(0, most - 1, 32);
    case spv::BuiltIn::NumSubgroups:
      return Interval::between(guessed_.subgroup == 0 ? 1 : most, most, 32);
    default:
      return any;
  }
}

Interval Intervals::load(const Instruction& i, std::uint32_t component) const {
  const PointerPath path = program_.path(i.word(0));
  const Interval any = Interval::all(width_of(i.type));
  const auto kind = program_.built_in(path.variable);
  if (!kind || any.width != 32) {
    return any;
  }
  if (path.indices.empty()) {
    return built_in(*kind, component);
  }
  const auto index = program_.constants.scalar(path.indices.front());
  return index && *index < 3 ? built_in(*kind, static_cast<std::uint32_t>(*index)) : any;
}

Interval Intervals::select(const Instruction& i, std::uint32_t component, std::size_t block,
                           int depth) const {
  Interval yes = at(i.word(1), component, block, depth);
  Interval no = at(i.word(2), component, block, depth);
  if (components_of(i.type) == 1) {
    yes = yes.empty() ? yes : by_fact({i.word(0), true, block}, i.word(1), yes, 1);
    no = no.empty() ? no : by_fact({i.word(0), false, block}, i.word(2), no, 1);
  }
  return join(yes, no);
}

Interval Intervals::glsl(const Instruction& i, std::uint32_t component, std::size_t block,
                         int depth) const {
  const std::uint32_t width = width_of(i.type);
  const Interval any = Interval::all(width);
  if (program_.definitions.op(i.word(0)) != spv::Op::OpExtInstImport ||
      text(program_.definitions.of(i.word(0)), 0) != "GLSL.std.450") {
    return any;
  }
  // Numbers of GLSL.std.450's instructions.
  constexpr std::uint32_t u_min = 38;
  constexpr std::uint32_t s_min = 39;
  constexpr std::uint32_t u_max = 41;
  constexpr std::uint32_t s_max = 42;
  constexpr std::uint32_t u_clamp = 44;
  constexpr std::uint32_t s_clamp = 45;
  const std::uint32_t op = i.word(1);
  const bool is_signed = op == s_min || op == s_max || op == s_clamp;
  std::vector<Interval> operands;
  for (std::size_t k = 2; k < i.operands.size(); ++k) {
    if (components_of(program_.definitions.of(i.word(k)).type) != components_of(i.type)) {
      return any;
    }
    operands.push_back(at(i.word(k), component, block, depth));
    if (operands.back().empty()) {
      return nothing_of(width);
    }
  }
  switch (op) {
    case u_min:
    case s_min:
      return smaller(operands[0], operands[1], is_signed);
    case u_max:
    case s_max:
      return larger(operands[0], operands[1], is_signed);
    case u_clamp:
    case s_clamp: {
      // Undefined where the limits are the wrong way round.
      const bool right = is_signed ? operands[1].signed_high <= operands[2].signed_low
                                   : operands[1].high <= operands[2].low;
      return right ? smaller(larger(operands[0], operands[1], is_signed), operands[2], is_signed)
                   : any;
    }
    default:
      return any;
  }
}

Interval Intervals::part(const Instruction& i, std::uint32_t component, std::size_t block,
                         int depth) const {
  const Interval any = Interval::all(width_of(i.type));
  if (i.op == spv::Op::OpCompositeExtract) {
    const bool vector =
        program_.definitions.op(program_.definitions.of(i.word(0)).type) == spv::Op::OpTypeVector;
    return vector && i.operands.size() == 2 ? at(i.word(0), i.word(1), block, depth) : any;
  }
  if (i.op == spv::Op::OpVectorShuffle) {
    const std::uint32_t first = components_of(program_.definitions.of(i.word(0)).type);
    const std::uint32_t pick = i.word(2 + std::size_t{component});
    if (pick == 0xFFFFFFFF) {
      return any;
    }
    return pick < first ? at(i.word(0), pick, block, depth)
                        : at(i.word(1), pick - first, block, depth);
  }
  for (const Operand& operand : i.operands) {
    const std::uint32_t count = components_of(program_.definitions.of(operand.word).type);
    if (component < count) {
      return at(operand.word, component, block, depth);
    }
    component -= count;
  }
  return any;
}

Interval Intervals::by_fact(const Fact& fact, Id value, Interval now, int depth) const {
  const Instruction& condition = program_.definitions.of(fact.condition);
  const auto part = [&](std::size_t k, bool truth) {
    return by_fact({condition.word(k), truth, fact.at}, value, now, depth - 1);
  };
  if (depth < 0 || now.empty()) {
    return now;
  }
  switch (condition.op) {
    case spv::Op::OpLogicalNot:
      return part(0, !fact.truth);
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalOr: {
      const bool each = fact.truth == (condition.op == spv::Op::OpLogicalAnd);
      return each ? meet(part(0, fact.truth), part(1, fact.truth))
                  : join(part(0, fact.truth), part(1, fact.truth));
    }
    case spv::Op::OpPhi:
      return by_phi(condition, fact, value, now, depth);
    default:
      return mirrored(condition.op) != spv::Op::OpNop
                 ? by_comparison(condition, fact, value, now, depth)
                 : now;
  }
}

// What short-circuit operators become: each way into the merge that can have brought this truth
// says what its own conditions say.
Interval Intervals::by_phi(const Instruction& condition, const Fact& fact, Id value,
                           const Interval& now, int depth) const {
  const std::size_t here = program_.block_of(condition.result);
  Interval all = nothing_of(now.width);
  for (std::size_t k = 0; k + 1 < condition.operands.size(); k += 2) {
    const Id brought = condition.word(k);
    const std::size_t from = program_.flow.index(condition.word(k + 1));
    const auto constant = program_.constants.scalar(brought);
    if (from == ControlFlow::none || !program_.flow.reachable(from) ||
        (constant && (*constant != 0) != fact.truth)) {
      continue;
    }
    Interval one = now;
    const auto edge = on_edge(from, here);
    const Fact told = plain({brought, fact.truth, from});
    const Fact way = edge ? plain(*edge) : told;
    if (same(way.condition) == same(told.condition) && way.truth != told.truth) {
      continue;
    }
    // A way around a loop brings what held a turn before.
    const bool around = program_.flow.dominates(here, from);
    if (!around) {
      for (const Fact& known : facts_[from]) {
        one = by_fact(known, value, one, depth - 1);
      }
      one = edge ? by_fact(*edge, value, one, depth - 1) : one;
      one = constant ? one : by_fact({brought, fact.truth, from}, value, one, depth - 1);
    }
    all = join(all, one);
  }
  return all;
}

Interval Intervals::by_comparison(const Instruction& condition, const Fact& fact, Id value,
                                  const Interval& now, int depth) const {
  const Id left = condition.word(0);
  const Id right = condition.word(1);
  if (components_of(program_.definitions.of(left).type) != 1 ||
      width_of(program_.definitions.of(left).type) != now.width) {
    return now;
  }
  const auto other = [&](Id id) { return at(id, 0, fact.at, depth > 0 ? 1 : 0); };
  if (same(left) == same(value)) {
    return where(condition.op, fact.truth, now, other(right));
  }
  if (same(right) == same(value)) {
    return where(mirrored(condition.op), fact.truth, now, other(left));
  }
  for (const bool first : {true, false}) {
    const Instruction& operation = program_.definitions.of(first ? left : right);
    const bool takes =
        is_integer_arithmetic(operation.op) && operation.operands.size() == 2 &&
        (same(operation.word(0)) == same(value) || same(operation.word(1)) == same(value));
    if (takes) {
      const spv::Op op = first ? condition.op : mirrored(condition.op);
      const Interval result =
          where(op, fact.truth, Interval::all(now.width), other(first ? right : left));
      return result.empty() ? now : through(operation, value, result, now);
    }
  }
  return now;
}

// What the operand of an operation with a constant can be where the result is known, and could not
// have wrapped.
Interval Intervals::through(const Instruction& operation, Id value, const Interval& result,
                            const Interval& now) const {
  const bool first = same(operation.word(0)) == same(value);
  const auto constant = program_.constants.scalar(operation.word(first ? 1 : 0));
  const std::uint64_t most = Interval::all(now.width).high;
  if (!constant || (!first && operation.op == spv::Op::OpShiftRightLogical)) {
    return now;
  }
  const std::uint64_t by = *constant;
  switch (operation.op) {
    case spv::Op::OpIAdd: {
      if (by <= most && now.high <= most - by) {
        const std::uint64_t low = result.low > by ? result.low - by : 0;
        if (result.high < by) {
          return nothing_of(now.width);
        }
        return meet(now, Interval::between(low, result.high - by, now.width));
      }
      return now;
    }
    case spv::Op::OpIMul:
      return by != 0 && now.high <= most / by
                 ? meet(now, Interval::between(core::ceil_div(result.low, by), result.high / by,
                                               now.width))
                 : now;
    case spv::Op::OpShiftRightLogical:
      return by < now.width && result.high <= most >> by
                 ? meet(now, Interval::between(result.low << by,
                                               result.high << by | ((std::uint64_t{1} << by) - 1),
                                               now.width))
                 : now;
    default:
      return now;
  }
}

}  // namespace spirv
