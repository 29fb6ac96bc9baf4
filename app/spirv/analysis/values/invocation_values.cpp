#include "spirv/analysis/values/invocation_values.h"

#include <algorithm>
#include <utility>

#include "core/base/ceil_div.h"
#include "spirv/analysis/memory/memory_layout.h"
#include "spirv/module/operations.h"

namespace spirv {
namespace {

std::uint64_t mask_of(std::uint32_t width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

InvocationValue constant(std::uint64_t value, std::uint32_t width) {
  return {width, {value & mask_of(width)}, {}};
}

void shorten(InvocationValue& value) {
  if (value.known.size() > 1 &&
      std::ranges::all_of(value.known, [&](auto v) { return v == value.known.front(); })) {
    value.known.resize(1);
  }
}

// a + factor · b
InvocationValue add(const InvocationValue& a, const InvocationValue& b, std::uint64_t factor) {
  const std::uint64_t mask = mask_of(a.width);
  InvocationValue sum{a.width, std::vector<std::uint64_t>(std::max(a.known.size(), b.known.size())),
                      a.terms};
  for (std::uint32_t i = 0; i < sum.known.size(); ++i) {
    sum.known[i] = (a.in(i) + factor * b.in(i)) & mask;
  }
  for (const auto& [unknown, f] : b.terms) {
    sum.terms[unknown] = (sum.terms[unknown] + factor * f) & mask;
  }
  std::erase_if(sum.terms, [](const auto& term) { return term.second == 0; });
  shorten(sum);
  return sum;
}

bool is_comparison(spv::Op op) {
  return compares_integers(op) || op == spv::Op::OpLogicalEqual || op == spv::Op::OpLogicalNotEqual;
}

bool is_unary(spv::Op op) {
  return negates_integer(op) || op == spv::Op::OpLogicalNot;
}

// Operations on numbers alone that fold() knows.
bool is_arithmetic(spv::Op op) {
  return combines_integers(op) || op == spv::Op::OpLogicalAnd || op == spv::Op::OpLogicalOr ||
         is_comparison(op) || is_unary(op);
}

}  // namespace

InvocationValues::InvocationValues(const Program& program, std::function<bool(Id)> uniform,
                                   LaunchFacts launch)
    : program_(program), uniform_(std::move(uniform)), launch_(std::move(launch)) {}

std::optional<std::uint32_t> InvocationValues::group_dimension(Unknown unknown) const {
  const auto found = group_ids_.find(unknown);
  return found == group_ids_.end() ? std::nullopt : std::optional(found->second);
}

const InvocationValue* InvocationValues::of(Id id, std::uint32_t component) {
  if (program_.invocations() > evaluated_invocations) {
    return nullptr;
  }
  const std::uint64_t key = std::uint64_t{id} << 32U | component;
  if (const auto found = cache_.find(key); found != cache_.end()) {
    return found->second ? &*found->second : nullptr;
  }
  cache_[key] = std::nullopt;  // what is asked for while it is being computed goes in a circle
  Result result = compute(id, component);
  if (!result && element_width(program_.definitions.of(id).type) != 0 && uniform_(id)) {
    const std::string key_text = "v" + std::to_string(id) + "." + std::to_string(component);
    result = unknown(key_text, id, element_width(program_.definitions.of(id).type));
  }
  Result& slot = cache_[key];
  slot = std::move(result);
  return slot ? &*slot : nullptr;
}

std::uint32_t InvocationValues::element_width(Id type) const {
  if (program_.definitions.op(type) == spv::Op::OpTypeVector) {
    type = program_.types.element(type);
  }
  const spv::Op op = program_.definitions.op(type);
  return op == spv::Op::OpTypeInt || op == spv::Op::OpTypeBool
             ? scalar_width(program_.definitions, type)
             : 0;
}

InvocationValues::Result InvocationValues::unknown(const std::string& key, Id definition,
                                                   std::uint32_t width) {
  const auto [entry, fresh] = unknown_of_.try_emplace(key, static_cast<Unknown>(unknowns_.size()));
  if (fresh) {
    unknowns_.push_back(definition);
  }
  return InvocationValue{width, {0}, {{entry->second, 1}}};
}

InvocationValues::Result InvocationValues::compute(Id id, std::uint32_t component) {
  const Instruction& i = program_.definitions.of(id);
  const std::uint32_t width = element_width(i.type);
  if (width == 0) {
    return std::nullopt;
  }
  const auto bits = component == whole ? program_.constants.scalar(id)
                                       : program_.constants.component(id, component);
  return bits ? Result(constant(*bits, width)) : instruction(i, component);
}

InvocationValues::Result InvocationValues::instruction(const Instruction& i,
                                                       std::uint32_t component) {
  switch (i.op) {
    case spv::Op::OpLoad:
      return load(i, component);
    case spv::Op::OpCompositeExtract:
      return component == whole ? extract(i) : std::nullopt;
    case spv::Op::OpVectorShuffle:
      return shuffle(i, component);
    case spv::Op::OpCompositeConstruct:
      return construct(i, component);
    case spv::Op::OpSelect:
      return select(i, component);
    case spv::Op::OpPhi:
      return merged(i, component);
    case spv::Op::OpExtInst:
      return least(i, component);
    case spv::Op::OpCopyObject:
    case spv::Op::OpBitcast:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
      return convert(i, component);
    default:
      return is_arithmetic(i.op) ? binary(i, component) : std::nullopt;
  }
}

// What comes from the one way that is ever taken, behind branches that are known before. Of a
// loop's counters nothing is asked, whose conditions may lead back to them.
InvocationValues::Result InvocationValues::merged(const Instruction& phi, std::uint32_t component) {
  const std::size_t block = program_.block_of(phi.result);
  Id only = 0;
  for (std::size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
    const std::size_t from = program_.flow.index(phi.word(k + 1));
    if (from == ControlFlow::none || !program_.flow.reachable(from) ||
        program_.flow.dominates(block, from)) {
      return std::nullopt;
    }
    if (!is_taken(from, block)) {
      continue;
    }
    if (only != 0 && only != phi.word(k)) {
      return std::nullopt;
    }
    only = phi.word(k);
  }
  const InvocationValue* value = only != 0 ? of(only, component) : nullptr;
  return value != nullptr ? Result(*value) : std::nullopt;
}

// False: a branch on the way to this one, or at it, always goes elsewhere.
bool InvocationValues::is_taken(std::size_t from, std::size_t to) {
  constexpr int most_branches = 16;
  std::size_t at = from;
  for (int n = 0; n < most_branches; ++n) {
    const Instruction& end = program_.function.blocks[at].terminator();
    const bool parts = end.op == spv::Op::OpBranchConditional && end.word(1) != end.word(2);
    const InvocationValue* way = parts ? of(end.word(0)) : nullptr;
    if (way != nullptr && way->constant()) {
      const std::size_t never = program_.flow.index(end.word(way->known.front() != 0 ? 2 : 1));
      const bool alone = program_.flow.predecessors(never).size() == 1;
      if (at == from ? never == to : alone && program_.flow.dominates(never, from)) {
        return false;
      }
    }
    const std::size_t above = program_.flow.dominator(at);
    if (above == at) {
      break;
    }
    at = above;
  }
  return true;
}

InvocationValues::Result InvocationValues::load(const Instruction& i, std::uint32_t component) {
  const PointerPath path = program_.path(i.word(0));
  if (const auto kind = program_.built_in(path.variable)) {
    std::uint32_t c = component;
    if (!path.indices.empty()) {
      const auto index = program_.constants.scalar(path.indices.front());
      if (!index) {
        return std::nullopt;
      }
      c = static_cast<std::uint32_t>(*index);
    }
    return built_in(*kind, c);
  }
  const spv::StorageClass storage = program_.storage(path.variable);
  const bool block = program_.definitions.decoration(
                         program_.types.element(program_.definitions.of(path.variable).type),
                         spv::Decoration::BufferBlock) != nullptr;
  if (storage != spv::StorageClass::PushConstant &&
      (storage != spv::StorageClass::Uniform || block)) {
    return std::nullopt;
  }
  if (auto given = push_constant(path, i, component)) {
    return given;
  }
  // The same words of a constant block are the same number wherever they are loaded.
  std::string key = "m" + std::to_string(path.variable) + "." + std::to_string(component);
  for (const Id index : path.indices) {
    const auto value = program_.constants.scalar(index);
    if (!value) {
      return std::nullopt;
    }
    key += "." + std::to_string(*value);
  }
  return unknown(key, 0, element_width(i.type));
}

InvocationValues::Result InvocationValues::push_constant(const PointerPath& path,
                                                         const Instruction& i,
                                                         std::uint32_t component) const {
  if (launch_.push_constants.empty() ||
      program_.storage(path.variable) != spv::StorageClass::PushConstant ||
      element_width(i.type) != 32) {
    return std::nullopt;
  }
  const MemoryLayout layout(program_);
  const auto place = layout.place(path, 4);
  const std::uint32_t part = component == whole ? 0 : component;
  if (!place || !place->member || !place->terms.empty() || part >= place->scalars.size()) {
    return std::nullopt;
  }
  const std::uint64_t word = (layout.member_offset(path.variable, *place->member) + place->offset +
                              place->scalars[part].offset) /
                             4;
  return word < launch_.push_constants.size() ? Result(constant(launch_.push_constants[word], 32))
                                              : std::nullopt;
}

InvocationValue InvocationValues::per_invocation(std::uint32_t dimension) const {
  const auto& size = program_.interface.local_size;
  InvocationValue value{32, std::vector<std::uint64_t>(program_.invocations()), {}};
  for (std::uint32_t n = 0; n < value.known.size(); ++n) {
    const std::array<std::uint32_t, 3> at{n % size[0], n / size[0] % size[1],
                                          n / size[0] / size[1]};
    value.known[n] = dimension == 3 ? n : at[dimension];
  }
  if (value.known.empty()) {
    value.known.push_back(0);
  }
  shorten(value);
  return value;
}

InvocationValues::Result InvocationValues::global_id(std::uint32_t component) {
  const auto group = built_in(spv::BuiltIn::WorkgroupId, component);
  return add(per_invocation(component), *group, program_.interface.local_size[component]);
}

InvocationValues::Result InvocationValues::built_in(spv::BuiltIn built_in,
                                                    std::uint32_t component) {
  const std::string key =
      "b" + std::to_string(static_cast<std::uint32_t>(built_in)) + "." + std::to_string(component);
  switch (built_in) {
    case spv::BuiltIn::LocalInvocationIndex:
      return per_invocation(3);
    case spv::BuiltIn::LocalInvocationId:
      return component < 3 ? Result(per_invocation(component)) : std::nullopt;
    case spv::BuiltIn::GlobalInvocationId:
      return component < 3 ? global_id(component) : std::nullopt;
    case spv::BuiltIn::WorkgroupSize:
      return component < 3 ? Result(constant(program_.interface.local_size[component], 32))
                           : std::nullopt;
    case spv::BuiltIn::WorkgroupId: {
      if (component >= 3) {
        return std::nullopt;
      }
      if (launch_.group) {
        return constant((*launch_.group)[component], 32);
      }
      if (launch_.groups[component] == 1) {
        return constant(0, 32);
      }
      if (launch_.team != 0) {
        return add(group_id(key + " seat", 0), group_id(key + " team", 1), launch_.team);
      }
      return group_id(key, component);
    }
    case spv::BuiltIn::NumWorkgroups:
      if (component < 3 && launch_.told[component] != 0) {
        return constant(launch_.told[component], 32);
      }
      return unknown(key, 0, 32);
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::SubgroupId:
    case spv::BuiltIn::SubgroupLocalInvocationId:
      return of_subgroup(built_in, key);
    default:
      return std::nullopt;
  }
}

InvocationValue InvocationValues::group_id(const std::string& key, std::uint32_t dimension) {
  InvocationValue id = *unknown(key, 0, 32);
  group_ids_[id.terms.begin()->first] = dimension;
  return id;
}

InvocationValues::Result InvocationValues::of_subgroup(spv::BuiltIn built_in,
                                                       const std::string& key) {
  const std::uint32_t size = launch_.subgroup;
  if (built_in == spv::BuiltIn::SubgroupSize || built_in == spv::BuiltIn::NumSubgroups) {
    const std::uint32_t count = size == 0 ? 0 : core::ceil_div(program_.invocations(), size);
    return size == 0 ? unknown(key, 0, 32)
                     : constant(built_in == spv::BuiltIn::SubgroupSize ? size : count, 32);
  }
  if (size == 0) {
    return std::nullopt;
  }
  InvocationValue value = per_invocation(3);
  for (std::uint64_t& n : value.known) {
    n = built_in == spv::BuiltIn::SubgroupId ? n / size : n % size;
  }
  shorten(value);
  return value;
}

InvocationValues::Result InvocationValues::extract(const Instruction& i) {
  const Id from = i.word(0);
  const bool vector =
      program_.definitions.op(program_.definitions.of(from).type) == spv::Op::OpTypeVector;
  if (!vector || i.operands.size() != 2) {
    return std::nullopt;
  }
  const InvocationValue* value = of(from, i.word(1));
  return value != nullptr ? Result(*value) : std::nullopt;
}

InvocationValues::Result InvocationValues::shuffle(const Instruction& i, std::uint32_t component) {
  const auto first =
      static_cast<std::uint32_t>(program_.types.length(program_.definitions.of(i.word(0)).type));
  const std::uint32_t pick = i.word(2 + std::size_t{component});
  if (component == whole) {
    return std::nullopt;
  }
  const InvocationValue* value = pick < first ? of(i.word(0), pick) : of(i.word(1), pick - first);
  return value != nullptr ? Result(*value) : std::nullopt;
}

InvocationValues::Result InvocationValues::construct(const Instruction& i,
                                                     std::uint32_t component) {
  // Only from scalars; parts that are vectors themselves are rare in index arithmetic.
  if (component == whole || i.operands.size() != program_.types.length(i.type)) {
    return std::nullopt;
  }
  const InvocationValue* value = of(i.word(component));
  return value != nullptr ? Result(*value) : std::nullopt;
}

InvocationValues::Result InvocationValues::select(const Instruction& i, std::uint32_t component) {
  const bool vector_condition =
      program_.definitions.op(program_.definitions.of(i.word(0)).type) == spv::Op::OpTypeVector;
  const InvocationValue* condition = of(i.word(0), vector_condition ? component : whole);
  const InvocationValue* yes = of(i.word(1), component);
  const InvocationValue* no = of(i.word(2), component);
  if (condition == nullptr || yes == nullptr || no == nullptr || !condition->terms.empty() ||
      yes->terms != no->terms) {
    return std::nullopt;
  }
  InvocationValue result{yes->width, {}, yes->terms};
  const std::uint32_t count = program_.invocations();
  for (std::uint32_t n = 0; n < count; ++n) {
    result.known.push_back(condition->in(n) != 0 ? yes->in(n) : no->in(n));
  }
  shorten(result);
  return result;
}

InvocationValues::Result InvocationValues::convert(const Instruction& i, std::uint32_t component) {
  const std::uint32_t width = element_width(i.type);
  const InvocationValue* from = of(i.word(0), component);
  if (from == nullptr || (i.op == spv::Op::OpBitcast && from->width != width) ||
      (from->width < width && !from->terms.empty())) {
    return std::nullopt;
  }
  InvocationValue result{width, from->known, from->terms};
  const std::uint64_t sign = std::uint64_t{1} << (from->width - 1);
  for (std::uint64_t& v : result.known) {
    v = (i.op == spv::Op::OpSConvert ? (v ^ sign) - sign : v) & mask_of(width);
  }
  for (auto& [unknown, factor] : result.terms) {
    factor &= mask_of(width);
  }
  std::erase_if(result.terms, [](const auto& term) { return term.second == 0; });
  return result;
}

InvocationValues::Result InvocationValues::binary(const Instruction& i, std::uint32_t component) {
  const InvocationValue* a = of(i.word(0), component);
  const InvocationValue zero = constant(0, a != nullptr ? a->width : 32);
  const InvocationValue* b = is_unary(i.op) ? &zero : of(i.word(1), component);
  if (a == nullptr || b == nullptr) {
    return std::nullopt;
  }
  switch (i.op) {
    case spv::Op::OpIAdd:
      return add(*a, *b, 1);
    case spv::Op::OpISub:
      return add(*a, *b, ~std::uint64_t{0});
    case spv::Op::OpSNegate:
      return add(zero, *a, ~std::uint64_t{0});
    case spv::Op::OpIMul:
      if (a->constant() || b->constant()) {
        const InvocationValue& factor = a->constant() ? *a : *b;
        return add(zero, a->constant() ? *b : *a, factor.known.front());
      }
      break;
    case spv::Op::OpShiftLeftLogical:
      if (b->constant() && b->known.front() < a->width) {
        return add(zero, *a, std::uint64_t{1} << b->known.front());
      }
      break;
    default:
      break;
  }
  if (!a->terms.empty() || !b->terms.empty()) {
    return is_comparison(i.op) ? decided(i.op, *a, *b) : divide(i.op, *a, *b);
  }
  InvocationValue result{is_comparison(i.op) ? 1 : a->width, {}, {}};
  const std::size_t count = std::max(a->known.size(), b->known.size());
  for (std::uint32_t n = 0; n < count; ++n) {
    const auto value = fold(i.op, a->width, a->in(n), b->in(n));
    if (!value) {
      return std::nullopt;
    }
    result.known.push_back(*value);
  }
  shorten(result);
  return result;
}

// A comparison of what is one number in each workgroup that comes out alike in all of them.
InvocationValues::Result InvocationValues::decided(spv::Op op, const InvocationValue& a,
                                                   const InvocationValue& b) const {
  const auto of_a = over_all_groups(a);
  const auto of_b = over_all_groups(b);
  const bool grows = op == spv::Op::OpULessThan || op == spv::Op::OpULessThanEqual ||
                     op == spv::Op::OpUGreaterThan || op == spv::Op::OpUGreaterThanEqual;
  if (!grows || a.width != 32 || !of_a || !of_b) {
    return std::nullopt;
  }
  const auto one = fold(op, 32, of_a->first, of_b->second);
  const auto other = fold(op, 32, of_a->second, of_b->first);
  return one && other && *one == *other ? Result(constant(*one, 1)) : std::nullopt;
}

// The workgroup's id divided by how many are in a team: the team's number and the seat.
InvocationValues::Result InvocationValues::of_team(bool quotient, std::uint64_t by,
                                                   const InvocationValue& id) const {
  if (launch_.team == 0 || by != launch_.team || id.known != std::vector<std::uint64_t>{0} ||
      id.terms.size() != 2) {
    return std::nullopt;
  }
  InvocationValue part{id.width, {0}, {}};
  for (const auto& [unknown, factor] : id.terms) {
    const auto dimension = group_dimension(unknown);
    if (!dimension || factor != (*dimension == 0 ? 1 : by)) {
      return std::nullopt;
    }
    if (*dimension == (quotient ? 1 : 0)) {
      part.terms[unknown] = 1;
    }
  }
  return part;
}

// min(c, n) of a constant and of what is one number in each workgroup, where one of them is never
// above the other in the launch.
InvocationValues::Result InvocationValues::least(const Instruction& i, std::uint32_t component) {
  const std::uint32_t width = element_width(i.type);
  if (!is_minimum(program_.definitions, i) || (width != 32 && width != 64)) {
    return std::nullopt;
  }
  const InvocationValue* a = of(i.word(2), component);
  const InvocationValue* b = of(i.word(3), component);
  if (a == nullptr || b == nullptr || !(a->constant() || b->constant())) {
    return std::nullopt;
  }
  const InvocationValue& limit = a->constant() ? *a : *b;
  const InvocationValue& other = a->constant() ? *b : *a;
  const std::uint64_t most = limit.known.front();
  const auto range = over_all_groups(other);
  if (!range) {
    return most == 0 ? Result(limit) : std::nullopt;
  }
  return range->first >= most ? Result(limit) : range->second <= most ? Result(other) : Result();
}

// The least and the most that a sum of what is known and of the workgroup's id is; nothing: it has
// other terms, or may wrap around.
std::optional<std::pair<std::uint64_t, std::uint64_t>> InvocationValues::over_all_groups(
    const InvocationValue& value) const {
  constexpr std::int64_t wraps = std::int64_t{1} << 32;
  const auto [least, most] = std::ranges::minmax(value.known);
  if (most >= static_cast<std::uint64_t>(wraps)) {
    return std::nullopt;
  }
  std::int64_t low = static_cast<std::int64_t>(least);
  std::int64_t high = static_cast<std::int64_t>(most);
  for (const auto& [unknown, factor] : value.terms) {
    const auto dimension = group_dimension(unknown);
    const std::int64_t count = dimension ? groups(*dimension) : 0;
    const std::int64_t step = value.width == 32
                                  ? static_cast<std::int32_t>(static_cast<std::uint32_t>(factor))
                                  : static_cast<std::int64_t>(factor);
    if (count == 0 || step <= -wraps || step >= wraps) {
      return std::nullopt;
    }
    std::int64_t& end = step < 0 ? low : high;
    std::int64_t more = 0;
    if (__builtin_mul_overflow(step, count - 1, &more) || __builtin_add_overflow(end, more, &end)) {
      return std::nullopt;
    }
  }
  return low >= 0 && high < wraps ? std::optional(std::pair(static_cast<std::uint64_t>(low),
                                                            static_cast<std::uint64_t>(high)))
                                  : std::nullopt;
}

std::uint32_t InvocationValues::groups(std::uint32_t dimension) const {
  if (launch_.team == 0 || dimension == 2) {
    return launch_.groups[dimension];
  }
  return dimension == 0 ? launch_.team : launch_.groups[0] / launch_.team;
}

// Quotients and remainders by a power of two that divides every factor: the remainder is that of
// what is known alone; the quotient is one unknown number where what is known adds the same to it
// in every invocation, so that no carry tells them apart.
InvocationValues::Result InvocationValues::divide(spv::Op op, const InvocationValue& a,
                                                  const InvocationValue& b) {
  if (!b.constant()) {
    return std::nullopt;
  }
  std::uint64_t by = b.known.front();
  const bool quotient = op == spv::Op::OpUDiv || op == spv::Op::OpShiftRightLogical;
  if (op == spv::Op::OpShiftRightLogical) {
    by = by < a.width ? std::uint64_t{1} << by : 0;
  } else if (op == spv::Op::OpBitwiseAnd) {
    by += 1;
  } else if (op != spv::Op::OpUDiv && op != spv::Op::OpUMod) {
    return std::nullopt;
  }
  const bool power = by != 0 && (by & (by - 1)) == 0 && (by - 1) <= mask_of(a.width);
  if (op == spv::Op::OpBitwiseAnd && !power) {
    return std::nullopt;
  }
  if (auto of_id = of_team(quotient, by, a)) {
    return of_id;
  }
  if (const auto range = a.width == 32 ? over_all_groups(a) : std::nullopt;
      range && range->second < by) {
    return quotient ? constant(0, 32) : a;
  }
  if (!power || !std::ranges::all_of(a.terms, [&](const auto& t) { return t.second % by == 0; })) {
    return std::nullopt;
  }
  InvocationValue result{a.width, {}, {}};
  for (const std::uint64_t v : a.known) {
    result.known.push_back(quotient ? v / by : v % by);
  }
  shorten(result);
  if (!quotient) {
    return result;
  }
  if (result.known.size() != 1) {
    return std::nullopt;
  }
  std::string key = "q" + std::to_string(a.width) + "." + std::to_string(by) + "." +
                    std::to_string(result.known.front());
  Id definition = 0;
  bool by_group = false;
  for (const auto& [term, factor] : a.terms) {
    by_group = by_group || group_dimension(term) || varies_by_group(term);
    key += "." + std::to_string(term) + "*" + std::to_string(factor);
    definition = std::max(definition, unknowns_[term]);
  }
  // A value that changes during a launch would need another name each time.
  if (definition != 0) {
    return std::nullopt;
  }
  auto named = unknown(key, 0, a.width);
  if (by_group) {
    quotients_of_ids_.insert(named->terms.begin()->first);
  }
  return named;
}

}  // namespace spirv
