#include "spirv/analysis/memory/buffer_proofs.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "spirv/module/operations.h"

namespace spirv {
namespace {

constexpr std::uint64_t whole = std::uint64_t{1} << 32U;
constexpr std::uint64_t no_bound = ~std::uint64_t{0};
constexpr std::uint64_t most_places = std::uint64_t{1} << 20U;  // places worked out for one pair
constexpr int deepest_index = 24;
constexpr std::size_t many_sites = 64;  // of one memory: their pairs are not gone through
constexpr std::size_t by_ticket = 3;    // a workgroup's place in the launch in a single number

// Its first term is the index of a descriptor.
bool names_descriptor(const BufferSites& sites, const BufferSite& site) {
  return site.descriptor != 0 && sites.memories()[site.memory].descriptors != 0;
}

}  // namespace

BufferProofs::BufferProofs(const Program& program, const Uniformity& uniformity, const Proofs& runs,
                           const BufferSites& sites, const LaunchFacts& launch)
    : program_(program),
      sites_(sites),
      runs_(runs),
      values_(
          program, [&uniformity](Id id) { return uniformity.uniform(id); }, launch),
      intervals_(program),
      in_open_(sites.all().size()) {
  find_counters();
  for (std::uint32_t d = 0; d < 3; ++d) {
    counts_[d] = values_.groups(d);
  }
  teams_ = launch.team == 0 ? 1 : counts_[1];
  if (const std::uint64_t layer = counts_[0] * counts_[1];
      layer < whole && layer * counts_[2] < whole) {
    counts_[by_ticket] = layer * counts_[2];
    ticket_ = launch.ticket;
    if (launch.counts_from_zero && launch.told == launch.groups) {
      arrival_ = Arrival::of(program, uniformity, runs, sites, values_,
                             {teams_, counts_[by_ticket] / teams_});
    }
  }
  std::vector<std::vector<const BufferSite*>> by_memory(sites.memories().size());
  for (const BufferSite& site : sites.all()) {
    if (!program.launch.proofs || intervals_.may_run(site.block)) {
      by_memory[site.memory].push_back(&site);
    }
  }
  for (const auto& those : by_memory) {
    const bool proofs = program.launch.proofs;
    if (those.empty() || !sites.memories()[those.front()->memory].written ||
        (proofs && all_apart(those))) {
      continue;
    }
    const bool by_pairs = proofs && those.size() <= many_sites;
    for (auto a = those.begin(); a != those.end(); ++a) {
      for (auto b = a; b != those.end(); ++b) {
        if (hazardous(**a, **b) && (!by_pairs || !proven(**a, **b))) {
          open_.push_back(ordered(**a, **b));
          in_open_[(*a)->number] = in_open_[(*b)->number] = true;
        }
      }
    }
  }
}

void BufferProofs::find_counters() {
  for (const ControlFlow::Loop& loop : program_.flow.loops()) {
    const auto counted = counted_loop(program_, loop);
    if (counted && counted->iterations() <= short_loop) {
      counters_[counted->counter] = {*counted, &loop};
    }
  }
}

std::vector<std::uint64_t> BufferProofs::values_of(Id value, std::size_t block) {
  const Id counter = counter_in(value, 0);
  const auto found = counters_.find(counter);
  if (found == counters_.end()) {
    return up_to_limit(value);
  }
  const CountedLoop& counted = found->second.counted;
  std::vector<std::uint64_t> counts;
  const bool behind = counted.only_way_out && !found->second.loop->contains[block];
  for (std::uint64_t v = counted.first; !behind && v < counted.end; v += counted.step) {
    counts.push_back(v);
  }
  if (behind || counted.inside == ControlFlow::none ||
      !program_.flow.dominates(counted.inside, block)) {
    counts.push_back(counted.exit());
  }
  std::vector<std::uint64_t> values;
  for (const std::uint64_t count : counts) {
    const auto known = value_at(value, counter, count, 0);
    if (!known) {
      return up_to_limit(value);
    }
    values.push_back(*known);
  }
  std::ranges::sort(values);
  const auto same = std::ranges::unique(values);
  values.erase(same.begin(), same.end());
  return values;
}

// The one counter that a value is worked out from; 0: none, or several.
Id BufferProofs::counter_in(Id value, int depth) const {
  if (counters_.contains(value)) {
    return value;
  }
  const Instruction& i = program_.definitions.of(value);
  if (depth > deepest_index || program_.block_of(value) == ControlFlow::none ||
      i.op == spv::Op::OpPhi || i.op == spv::Op::OpLoad) {
    return 0;
  }
  Id found = 0;
  for (const Operand& operand : i.operands) {
    const Id inner = operand.is_id ? counter_in(operand.word, depth + 1) : 0;
    if (inner != 0 && found != 0 && inner != found) {
      return 0;
    }
    found = inner != 0 ? inner : found;
  }
  return found;
}

std::optional<std::uint64_t> BufferProofs::value_at(Id value, Id counter, std::uint64_t at,
                                                    int depth) {
  if (value == counter) {
    return at;
  }
  if (const auto constant = program_.constants.scalar(value)) {
    return constant;
  }
  if (const InvocationValue* known = values_.of(value); known != nullptr && known->constant()) {
    return known->known.front();
  }
  const Instruction& i = program_.definitions.of(value);
  const std::uint32_t width = scalar_width(program_.definitions, i.type);
  if (depth > deepest_index || program_.block_of(value) == ControlFlow::none || width != 32) {
    return std::nullopt;
  }
  const auto operand = [&](std::size_t k) { return value_at(i.word(k), counter, at, depth + 1); };
  switch (i.op) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpBitcast:
      return operand(0);
    case spv::Op::OpExtInst: {
      const auto x = is_minimum(program_.definitions, i)
                         ? value_at(i.word(2), counter, at, depth + 1)
                         : std::nullopt;
      const auto y = x ? value_at(i.word(3), counter, at, depth + 1) : std::nullopt;
      return y ? std::optional(std::min(*x, *y)) : std::nullopt;
    }
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor: {
      const auto x = operand(0);
      const auto y = x ? operand(1) : std::nullopt;
      return y ? fold(i.op, width, *x, *y) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

BufferProofs::Form BufferProofs::known_form(const InvocationValue& value, std::size_t block) {
  Form form{value.known, {}, {}, {}, whole};
  for (std::uint64_t& v : form.known) {
    v %= whole;
  }
  for (const auto& [unknown, factor] : value.terms) {
    if (const auto dimension = values_.group_dimension(unknown)) {
      form.group[*dimension] = factor % whole;
      continue;
    }
    const Id definition = values_.defined_by(unknown);
    if (definition != 0 && definition == ticket_) {
      form.group[by_ticket] = factor % whole;
      continue;
    }
    if (definition == 0) {
      form.given[unknown] = factor;
      continue;
    }
    std::vector<std::uint64_t> amounts = values_of(definition, block);
    if (amounts.empty() && turns_told_) {
      amounts = up_to(most_by_text(definition, block));
    }
    if (amounts.empty()) {
      form.modulus = std::gcd(form.modulus, factor);
      continue;
    }
    for (std::uint64_t& amount : amounts) {
      amount = amount * factor % whole;
    }
    form.more.push_back(std::move(amounts));
  }
  return form;
}

std::optional<BufferProofs::Form> BufferProofs::form_of(Id value, std::size_t block, int depth) {
  if (depth > deepest_index) {
    return std::nullopt;
  }
  const InvocationValue* known = values_.of(value);
  if (known != nullptr && (known->width == 32 || known->terms.empty())) {
    return known_form(*known, block);
  }
  // Whatever turn an invocation is in.
  const bool word = scalar_width(program_.definitions, program_.definitions.of(value).type) == 32;
  if (auto amounts = word ? values_of(value, block) : std::vector<std::uint64_t>();
      !amounts.empty()) {
    return Form{{0}, {}, {std::move(amounts)}, {}, whole};
  }
  return by_operation(program_.definitions.of(value), block, depth);
}

// All numbers that are not larger; none: they are many.
std::vector<std::uint64_t> BufferProofs::up_to(std::uint64_t most) {
  std::vector<std::uint64_t> each(most < short_loop ? most + 1 : 0);
  std::iota(each.begin(), each.end(), std::uint64_t{0});
  return each;
}

// All that min(c, n) can be, whatever n is; none: it is none, or may be many numbers.
std::vector<std::uint64_t> BufferProofs::up_to_limit(Id value) {
  const Instruction& i = program_.definitions.of(value);
  for (const std::size_t k : {2U, 3U}) {
    const InvocationValue* limit =
        is_minimum(program_.definitions, i) ? values_.of(i.word(k)) : nullptr;
    if (limit != nullptr && limit->constant() && limit->known.front() < short_loop) {
      return up_to(limit->known.front());
    }
  }
  return {};
}

BufferProofs::Form BufferProofs::scaled(Form form, std::uint64_t factor) {
  const auto scale = [factor](std::uint64_t& v) { v = v * factor % whole; };
  std::ranges::for_each(form.known, scale);
  std::ranges::for_each(form.group, scale);
  for (auto& amounts : form.more) {
    std::ranges::for_each(amounts, scale);
  }
  for (auto& [unknown, f] : form.given) {
    scale(f);
  }
  form.modulus = std::gcd(form.modulus * factor, whole);
  return form;
}

std::optional<BufferProofs::Form> BufferProofs::by_operation(const Instruction& i,
                                                             std::size_t block, int depth) {
  const auto times = [&](Id of, std::uint64_t factor) -> std::optional<Form> {
    auto form = form_of(of, block, depth + 1);
    return form ? std::optional(scaled(*std::move(form), factor)) : std::nullopt;
  };
  const auto constant = [&](Id of) -> std::optional<std::uint64_t> {
    const InvocationValue* v = values_.of(of);
    return v != nullptr && v->constant() ? std::optional(v->known.front()) : std::nullopt;
  };
  switch (i.op) {
    case spv::Op::OpBitcast:
    case spv::Op::OpCopyObject:
      return form_of(i.word(0), block, depth + 1);
    case spv::Op::OpPhi:
      return by_loop(i, block, depth);
    case spv::Op::OpUDiv:
    case spv::Op::OpShiftRightLogical: {
      const auto by = divisor_of(i);
      const auto form = by ? form_of(i.word(0), block, depth + 1) : std::nullopt;
      return form ? divided(*form, *by, block) : std::nullopt;
    }
    case spv::Op::OpIMul:
      for (const std::size_t k : {0U, 1U}) {
        if (const auto factor = constant(i.word(k)); factor && *factor != 0) {
          return times(i.word(1 - k), *factor);
        }
      }
      return std::nullopt;
    case spv::Op::OpShiftLeftLogical: {
      const auto by = constant(i.word(1));
      return by && *by < 32 ? times(i.word(0), std::uint64_t{1} << *by) : std::nullopt;
    }
    case spv::Op::OpIAdd:
    case spv::Op::OpISub: {
      auto a = form_of(i.word(0), block, depth + 1);
      const auto b = a ? times(i.word(1), i.op == spv::Op::OpISub ? whole - 1 : 1) : std::nullopt;
      if (!b) {
        return std::nullopt;
      }
      return sum_of(*a, *b);
    }
    default:
      return std::nullopt;
  }
}

BufferProofs::Form BufferProofs::sum_of(const Form& a, const Form& b) {
  Form sum{std::vector<std::uint64_t>(std::max(a.known.size(), b.known.size())),
           {},
           a.more,
           a.given,
           std::gcd(std::gcd(a.modulus, whole), b.modulus)};
  for (std::uint32_t n = 0; n < sum.known.size(); ++n) {
    sum.known[n] = (a.in(n) + b.in(n)) % whole;
  }
  for (std::size_t d = 0; d < sum.group.size(); ++d) {
    sum.group[d] = (a.group[d] + b.group[d]) % whole;
  }
  sum.more.insert(sum.more.end(), b.more.begin(), b.more.end());
  for (const auto& [unknown, f] : b.given) {
    sum.given[unknown] = (sum.given[unknown] + f) % whole;
  }
  return sum;
}

std::optional<BufferProofs::Form> BufferProofs::form_of_sum(const std::vector<Id>& parts,
                                                            std::size_t block) {
  std::optional<Form> sum = Form{{0}, {}, {}, {}, whole};
  for (const Id part : parts) {
    const auto form = sum ? form_of(part, block, 0) : std::nullopt;
    sum = form ? std::optional(sum_of(*sum, *form)) : std::nullopt;
  }
  return sum;
}

// By a number that divides all its parts, where the sum does not wrap.
std::optional<BufferProofs::Form> BufferProofs::divided(Form form, std::uint64_t by,
                                                        std::size_t block) const {
  const auto most = most_of(form, block);
  const auto divides = [by](std::uint64_t v) { return v % by == 0; };
  if (!most || *most >= whole || !std::ranges::all_of(form.known, divides) ||
      !std::ranges::all_of(form.group, divides) ||
      !std::ranges::all_of(form.more,
                           [&](const auto& m) { return std::ranges::all_of(m, divides); })) {
    return std::nullopt;
  }
  for (std::uint64_t& v : form.known) {
    v /= by;
  }
  for (std::uint64_t& f : form.group) {
    f /= by;
  }
  for (auto& amounts : form.more) {
    for (std::uint64_t& amount : amounts) {
      amount /= by;
    }
  }
  return form;
}

std::optional<std::uint64_t> BufferProofs::divisor_of(const Instruction& i) {
  const bool shift = i.op == spv::Op::OpShiftRightLogical;
  const InvocationValue* by = shift || i.op == spv::Op::OpUDiv ? values_.of(i.word(1)) : nullptr;
  if (by == nullptr || !by->constant() || by->known.front() == 0 ||
      (shift && by->known.front() > 31)) {
    return std::nullopt;
  }
  return shift ? std::uint64_t{1} << by->known.front() : by->known.front();
}

// A counter that starts from a place of its own and goes on in steps that the launch gives: equal
// modulo the step to what it started as, where it can't wrap.
std::optional<BufferProofs::Form> BufferProofs::by_loop(const Instruction& phi, std::size_t block,
                                                        int depth) {
  if (phi.operands.size() != 4) {
    return std::nullopt;
  }
  for (const std::size_t k : {0U, 2U}) {
    const Instruction& next = program_.definitions.of(phi.word(k));
    const std::size_t back = program_.block_of(next.result);
    const bool counts =
        next.op == spv::Op::OpIAdd && (next.word(0) == phi.result || next.word(1) == phi.result);
    if (!counts || back == ControlFlow::none) {
      continue;
    }
    const Id by = next.word(0) == phi.result ? next.word(1) : next.word(0);
    const InvocationValue* step = values_.of(by);
    if (step == nullptr || !step->constant() || step->known.front() == 0) {
      return std::nullopt;
    }
    const std::size_t from = program_.flow.index(phi.word(3 - k));
    auto start =
        from == ControlFlow::none ? std::nullopt : form_of(phi.word(2 - k), from, depth + 1);
    if (!start || start->modulus != whole) {
      return std::nullopt;
    }
    const std::uint64_t s = step->known.front();
    const std::uint64_t most = most_by_text(phi.result, back);
    const Extent first = extent(*start, from);
    // The start is a number of each workgroup, which must not wrap around either.
    const auto starts = most_of(*start, from);
    const bool wraps = most >= whole - s || !starts || *starts >= whole;
    if (turns_told_ && !wraps) {
      return turn_by_turn(std::move(*start), s, first.least, most_by_text(phi.result, block));
    }
    start->modulus = wraps ? std::gcd(s, whole) : s;
    return start;
  }
  return std::nullopt;
}

// What it started as, and so many steps more as are below what it is where it is used.
std::optional<BufferProofs::Form> BufferProofs::turn_by_turn(Form start, std::uint64_t step,
                                                             std::uint64_t least,
                                                             std::uint64_t most) {
  constexpr std::uint64_t most_turns = 64;
  const bool groups = std::ranges::any_of(start.group, [](std::uint64_t f) { return f != 0; });
  if (groups || !start.given.empty() || most < least || (most - least) / step >= most_turns) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> steps;
  for (std::uint64_t at = 0; least + at <= most; at += step) {
    steps.push_back(at);
  }
  start.more.push_back(std::move(steps));
  return start;
}

// Of what a workgroup's invocations add; the workgroup's id is left out.
BufferProofs::Extent BufferProofs::extent(const Form& form, std::size_t block) const {
  const std::vector<bool>& runs = runs_.may_run(block);
  Extent all{no_bound, 0};
  for (std::uint32_t n = 0; n < program_.invocations(); ++n) {
    if (n < runs.size() && runs[n]) {
      all.least = std::min(all.least, form.in(n));
      all.most = std::max(all.most, form.in(n));
    }
  }
  if (all.least > all.most) {
    return {};
  }
  for (const auto& amounts : form.more) {
    const auto [low, high] = std::ranges::minmax(amounts);
    all.least += low;
    all.most += high;
  }
  return all;
}

// Of all workgroups.
std::optional<std::uint64_t> BufferProofs::most_of(const Form& form, std::size_t block) const {
  if (form.modulus != whole || !form.given.empty()) {
    return std::nullopt;
  }
  std::uint64_t most = extent(form, block).most;
  for (std::size_t d = 0; d < counts_.size(); ++d) {
    if (form.group[d] != 0) {
      if (counts_[d] == 0) {
        return std::nullopt;
      }
      most += form.group[d] * (counts_[d] - 1);
    }
  }
  return most;
}

std::uint64_t BufferProofs::bound(Id value, std::size_t block) {
  const std::uint64_t by_text = most_by_text(value, block);
  const auto form = form_of(value, block, 0);
  const auto most = form ? most_of(*form, block) : std::nullopt;
  return most && *most < whole ? std::min(by_text, *most) : by_text;
}

// The bound of a sum. The kernel may compute the same sum in several places; a condition on one of
// them is used if that condition dominates the block (Intervals::of).
std::uint64_t BufferProofs::bound_of_sum(std::vector<Id> parts, const Form& form,
                                         std::size_t block) {
  const auto most = most_of(form, block);
  std::uint64_t best = most && *most < whole ? *most : no_bound;
  std::ranges::sort(parts);
  for (const Block& b : program_.function.blocks) {
    for (const Instruction& i : b.body) {
      if (i.op == spv::Op::OpIAdd) {
        std::vector<Id> own;
        addends(i.result, own, 0);
        std::ranges::sort(own);
        if (own == parts) {
          best = std::min(best, most_by_text(i.result, block));
        }
      }
    }
  }
  return parts.size() == 1 ? std::min(best, most_by_text(parts.front(), block)) : best;
}

Id BufferProofs::strip(Id value) const {
  for (int depth = 0; depth < deepest_index; ++depth) {
    const Instruction& i = program_.definitions.of(value);
    if (i.op != spv::Op::OpCopyObject && i.op != spv::Op::OpBitcast) {
      break;
    }
    value = i.word(0);
  }
  return value;
}

void BufferProofs::addends(Id value, std::vector<Id>& found, int depth) const {
  const Instruction& i = program_.definitions.of(strip(value));
  if (i.op == spv::Op::OpIAdd && depth < deepest_index) {
    addends(i.word(0), found, depth + 1);
    addends(i.word(1), found, depth + 1);
  } else {
    found.push_back(intervals_.same(strip(value)));
  }
}

BufferProofs::Digits BufferProofs::flat(Id index, std::size_t block) {
  auto form = form_of(index, block, 0);
  if (!form) {
    return std::nullopt;
  }
  std::vector<Digit> one(1);
  one.front().form = *std::move(form);
  return one;
}

// row · N + column, the row again if it is such a sum; and what divides such a sum.
BufferProofs::Digits BufferProofs::digits_of(Id index, std::size_t block, int depth) {
  const Instruction& sum = program_.definitions.of(strip(index));
  if (const auto by = divisor_of(sum); by && depth <= deepest_index) {
    auto inner = digits_of(sum.word(0), block, depth + 1);
    const bool splits = inner && inner->size() > 1 && inner->back().radix % *by == 0;
    const auto last = splits ? divided(inner->back().form, *by, block) : std::nullopt;
    if (last) {
      inner->back() = {inner->back().radix / *by, *last, inner->back().most / *by};
      return inner;
    }
    return flat(index, block);
  }
  if (sum.op != spv::Op::OpIAdd || depth > deepest_index) {
    return flat(index, block);
  }
  std::vector<Id> parts;
  addends(index, parts, 0);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Instruction& product = program_.definitions.of(parts[p]);
    std::vector<Id> column = parts;
    column.erase(column.begin() + static_cast<std::ptrdiff_t>(p));
    for (const std::size_t f : {1U, 0U}) {
      const InvocationValue* factor = values_.of(product.word(f));
      if (product.op != spv::Op::OpIMul || factor == nullptr || !factor->constant() ||
          factor->known.front() < 2) {
        continue;
      }
      const std::uint64_t n = factor->known.front();
      const Id row = product.word(1 - f);
      const std::uint64_t rows = bound(row, block);
      const auto inner = form_of_sum(column, block);
      const std::uint64_t most = inner ? bound_of_sum(column, *inner, block) : no_bound;
      if (rows >= whole || (rows + 1) * n > whole || most >= n) {
        continue;
      }
      if (auto outer = digits_of(row, block, depth + 1)) {
        outer->push_back({n, *inner, most});
        return outer;
      }
    }
  }
  const Digits moved = with_constant(sum, block, depth);
  return moved ? moved : flat(index, block);
}

BufferProofs::Digits BufferProofs::with_constant(const Instruction& sum, std::size_t block,
                                                 int depth) {
  for (const std::size_t k : {1U, 0U}) {
    const InvocationValue* added = values_.of(sum.word(k));
    if (added == nullptr || !added->constant()) {
      continue;
    }
    const std::uint64_t amount = added->known.front();
    auto digits = digits_of(sum.word(1 - k), block, depth + 1);
    if (!digits || digits->size() < 2 || digits->back().most >= digits->back().radix ||
        amount >= digits->back().radix - digits->back().most) {
      continue;
    }
    for (std::uint64_t& known : digits->back().form.known) {
      known += amount;
    }
    digits->back().most += amount;
    return digits;
  }
  return std::nullopt;
}

// A place in one descriptor is none in another: which one it is is a digit, and where that is not
// known the others may do.
BufferProofs::Digits BufferProofs::digits_of(const BufferSite& site, const Way& way) {
  const std::size_t chosen = names_descriptor(sites_, site) ? 1 : 0;
  std::vector<Digit> all;
  for (std::size_t n = way.descriptors ? 0 : chosen; n < site.terms.size(); ++n) {
    const PlaceTerm& term = site.terms[n];
    auto digits = way.apart && n >= chosen && site.terms.size() == 1 + chosen
                      ? digits_of(term.index, site.block, 0)
                      : flat(term.index, site.block);
    if (!digits || (term.length != 0 && bound(term.index, site.block) >= term.length)) {
      return std::nullopt;
    }
    digits->front().radix = term.length;
    all.insert(all.end(), digits->begin(), digits->end());
  }
  return all;
}

namespace {

bool overlap(const BufferSite& a, const BufferSite& b) {
  return std::ranges::any_of(a.runs, [&](const ByteRun& x) {
    return std::ranges::any_of(b.runs, [&](const ByteRun& y) {
      return a.offset + x.offset < b.offset + y.offset + y.bytes &&
             b.offset + y.offset < a.offset + x.offset + x.bytes;
    });
  });
}

std::uint64_t end_of(const BufferSite& site) {
  return site.offset + site.runs.back().offset + site.runs.back().bytes;
}

bool same_strides(const BufferSite& a, const BufferSite& b) {
  return std::ranges::equal(a.terms, b.terms, {}, &PlaceTerm::stride, &PlaceTerm::stride);
}

// Of arrays over the same bytes, whose elements are a multiple of the other's; 0: they are not
// such.
std::uint64_t common_stride(const BufferSite& a, const BufferSite& b) {
  const auto is_array = [](const BufferSite& site) {
    return site.terms.size() == 1 && site.terms.front().stride > 0 &&
           end_of(site) - site.offset <= site.terms.front().stride;
  };
  if (!is_array(a) || !is_array(b) || a.offset != b.offset) {
    return 0;
  }
  const auto [least, most] = std::minmax(a.terms.front().stride, b.terms.front().stride);
  return most % least == 0 && most / least <= 16 ? least : 0;
}

}  // namespace

// An element of several units is all of them.
BufferProofs::Digits BufferProofs::in_units(Digits digits, const BufferSite& site,
                                            std::uint64_t unit) {
  const std::uint64_t units = unit == 0 ? 1 : site.terms.front().stride / unit;
  if (!digits || units == 1) {
    return digits;
  }
  Digit& last = digits->back();
  last.radix *= units;
  last.form = scaled(std::move(last.form), units);
  std::vector<std::uint64_t> each(units);
  std::iota(each.begin(), each.end(), std::uint64_t{0});
  last.form.more.push_back(std::move(each));
  return digits;
}

bool BufferProofs::all_apart(const std::vector<const BufferSite*>& sites) {
  turns_told_ = false;
  if (sites.size() < 3 || program_.invocations() > evaluated_invocations) {
    return false;
  }
  std::vector<Placed> placed;
  for (const BufferSite* site : sites) {
    const BufferSite& first = *sites.front();
    const bool alike = same_strides(first, *site) && !site->terms.empty() &&
                       site->offset == first.offset && end_of(*site) == end_of(first) &&
                       end_of(*site) - site->offset <= site->terms.back().stride;
    const auto digits = alike ? digits_of(*site, Way()) : std::nullopt;
    if (!digits || (!placed.empty() && !comparable(placed.front().digits, *digits))) {
      return false;
    }
    placed.push_back({site, *digits});
  }
  return groups_apart(placed) && invocations_apart(placed);
}

BufferProofs::Handed BufferProofs::by_arrival(const BufferSite& a, const BufferSite& b) const {
  const bool across = a.orderable && b.orderable;
  if (across && arrival_ && arrival_->ordered(a, b)) {
    return Handed::to_the_last;
  }
  if (arrival_ && arrival_->of_the_last(a) && arrival_->of_the_last(b)) {
    return by_one(a, b) || !sites_.phases_of(a).meet(a.segment, b.segment) ? Handed::to_the_last
                                                                           : Handed::of_the_last;
  }
  return Handed::no;
}

// Does one invocation of a workgroup alone run both?
bool BufferProofs::by_one(const BufferSite& a, const BufferSite& b) const {
  std::uint32_t some = 0;
  const std::vector<bool>& runs_a = runs_.may_run(a.block);
  const std::vector<bool>& runs_b = runs_.may_run(b.block);
  for (std::uint32_t n = 0; n < program_.invocations(); ++n) {
    some += n < runs_a.size() && (runs_a[n] || runs_b[n]) ? 1 : 0;
  }
  return some <= 1 && !runs_a.empty();
}

// What the workgroups of a team may touch, whichever it is.
std::vector<BufferProofs::Digit> BufferProofs::of_any_seat(std::vector<Digit> digits) const {
  for (Digit& digit : digits) {
    const std::uint64_t factor = std::exchange(digit.form.group[0], 0);
    std::vector<std::uint64_t> seats;
    for (std::uint64_t seat = 0; factor != 0 && seat < counts_[0]; ++seat) {
      seats.push_back(seat * factor % whole);
    }
    if (!seats.empty()) {
      digit.form.more.push_back(std::move(seats));
    }
  }
  return digits;
}

bool BufferProofs::ordered_by_barrier(const BufferSite& a, const BufferSite& b) const {
  return a.orderable && b.orderable && !sites_.phases_of(a).meet(a.segment, b.segment);
}

bool BufferProofs::proven(const BufferSite& a, const BufferSite& b) {
  const Handed handed = by_arrival(a, b);
  if (handed == Handed::to_the_last && teams_ == 1) {
    return true;
  }
  if (a.terms.empty() && b.terms.empty() && !overlap(a, b)) {
    return true;
  }
  // An array that begins behind what the other touches.
  if ((a.terms.empty() && b.offset >= end_of(a)) || (b.terms.empty() && a.offset >= end_of(b))) {
    return true;
  }
  const bool alike = same_strides(a, b);
  const std::uint64_t unit = alike ? 0 : common_stride(a, b);
  if ((!alike && unit == 0) || program_.invocations() > evaluated_invocations) {
    return false;
  }
  if (alike && !a.terms.empty()) {
    const std::uint64_t span = std::max(end_of(a), end_of(b)) - std::min(a.offset, b.offset);
    if (span > a.terms.back().stride) {
      return false;
    }
    if (!overlap(a, b) && a.terms.size() == 1) {
      return true;  // other members of an element
    }
  }
  const auto in_one_way = [&](const Way& way) {
    const auto x = in_units(digits_of(a, way), a, unit);
    const auto y = x ? in_units(digits_of(b, way), b, unit) : std::nullopt;
    if (!y) {
      return false;
    }
    if (handed != Handed::no && teams_ > 1) {
      const std::vector<Placed> teams{{&a, of_any_seat(*x)}, {&b, of_any_seat(*y)}};
      if (!comparable(teams[0].digits, teams[1].digits) || !groups_apart(teams, true)) {
        return false;
      }
    }
    if (handed == Handed::to_the_last) {
      return true;
    }
    const std::vector<Placed> both{{&a, *x}, {&b, *y}};
    return comparable(*x, *y) && (handed == Handed::of_the_last || groups_apart(both)) &&
           (ordered_by_barrier(a, b) || invocations_apart(both));
  };
  for (const bool told : {false, true}) {
    turns_told_ = told;
    if (in_one_way({.apart = true}) || in_one_way({.apart = false})) {
      return true;
    }
    const bool chosen = alike && names_descriptor(sites_, a) && names_descriptor(sites_, b);
    if (chosen && (in_one_way({true, false}) || in_one_way({false, false}))) {
      return true;
    }
  }
  return false;
}

// Unknowns that all invocations share cancel, and a workgroup's id counts where both count it
// alike.
bool BufferProofs::comparable(const std::vector<Digit>& x, const std::vector<Digit>& y) {
  return std::ranges::equal(x, y, [](const Digit& a, const Digit& b) {
    return a.radix == b.radix && a.form.given == b.form.given && a.form.group == b.form.group &&
           a.form.modulus == b.form.modulus;
  });
}

bool BufferProofs::groups_apart(const std::vector<Placed>& sites, bool teams) const {
  std::array<bool, 4> told{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (counts_[d] == 0) {
      return false;
    }
    told[d] = counts_[d] == 1 || (teams && d == 0);
  }
  for (std::size_t k = 0; k < sites.front().digits.size(); ++k) {
    const Form& form = sites.front().digits[k].form;
    if (std::ranges::any_of(form.given,
                            [&](const auto& g) { return values_.varies_by_group(g.first); })) {
      continue;
    }
    Extent all{no_bound, 0};
    for (const Placed& placed : sites) {
      const Extent own = extent(placed.digits[k].form, placed.site->block);
      all = {std::min(all.least, own.least), std::max(all.most, own.most)};
    }
    std::vector<std::size_t> dimensions;
    for (std::size_t d = 0; d < counts_.size(); ++d) {
      if (counts_[d] > 1 && form.group[d] != 0) {
        dimensions.push_back(d);
      }
    }
    std::ranges::sort(dimensions, {}, [&](std::size_t d) { return form.group[d]; });
    std::uint64_t span = all.most - all.least;
    bool apart = !dimensions.empty();
    for (const std::size_t d : dimensions) {
      apart = apart && span < form.group[d];
      span += form.group[d] * (counts_[d] - 1);
      apart = apart && span < form.modulus;
    }
    for (const std::size_t d : dimensions) {
      told[d] = told[d] || apart;
    }
  }
  return told[by_ticket] || (told[0] && told[1] && told[2]);
}

// All that the digits of an invocation can be.
std::vector<std::vector<std::uint64_t>> BufferProofs::places(const std::vector<Digit>& digits,
                                                             std::uint32_t invocation) const {
  std::vector<std::vector<std::uint64_t>> found{{}};
  for (const Digit& digit : digits) {
    std::vector<std::uint64_t> values{digit.form.in(invocation)};
    for (const auto& amounts : digit.form.more) {
      std::vector<std::uint64_t> sums;
      for (const std::uint64_t base : values) {
        for (const std::uint64_t amount : amounts) {
          sums.push_back(base + amount);
        }
      }
      values = std::move(sums);
    }
    std::vector<std::vector<std::uint64_t>> longer;
    for (const auto& place : found) {
      for (const std::uint64_t value : values) {
        longer.push_back(place);
        longer.back().push_back(value % digit.form.modulus);
      }
    }
    found = std::move(longer);
  }
  return found;
}

std::uint64_t BufferProofs::work(const std::vector<Digit>& digits) const {
  std::uint64_t product = program_.invocations();
  for (const Digit& digit : digits) {
    for (const auto& amounts : digit.form.more) {
      product *= std::min<std::uint64_t>(amounts.size(), most_places);
      product = std::min(product, 2 * most_places);
    }
  }
  return product;
}

// Every invocation's digits at each site against every other's at each other; of one site alone,
// given twice, against its own.
bool BufferProofs::invocations_apart(const std::vector<Placed>& sites) const {
  const std::uint32_t count = program_.invocations();
  const bool pair = sites.size() == 2;
  std::vector<bool> some(count);
  std::uint64_t cost = 0;
  for (const Placed& placed : sites) {
    const std::vector<bool>& runs = runs_.may_run(placed.site->block);
    if (runs.size() != count) {
      return false;
    }
    for (std::uint32_t n = 0; n < count; ++n) {
      some[n] = some[n] || runs[n];
    }
    cost += work(placed.digits);
  }
  if (std::ranges::count(some, true) <= 1) {
    return true;
  }
  if (cost > most_places) {
    return false;
  }
  struct Visit {
    std::vector<std::uint64_t> place;
    std::size_t site = 0;
    std::uint32_t invocation = 0;
  };
  std::vector<Visit> visits;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const std::vector<bool>& runs = runs_.may_run(sites[s].site->block);
    for (std::uint32_t n = 0; n < count; ++n) {
      for (auto& place :
           runs[n] ? places(sites[s].digits, n) : std::vector<std::vector<std::uint64_t>>()) {
        visits.push_back({std::move(place), s, n});
      }
    }
  }
  std::ranges::sort(visits, {}, &Visit::place);
  for (auto first = visits.begin(); first != visits.end();) {
    const auto last =
        std::find_if(first, visits.end(), [&](const Visit& v) { return v.place != first->place; });
    for (auto a = first; a != last; ++a) {
      const auto& v = *a;
      const bool meets = std::any_of(first, last, [&](const Visit& w) {
        return w.invocation != v.invocation && (!pair || w.site != v.site);
      });
      if (meets) {
        return false;
      }
    }
    first = last;
  }
  return true;
}

SitePair BufferProofs::ordered(const BufferSite& a, const BufferSite& b) const {
  const Phases& phases = sites_.phases_of(a);
  return in_order(a, b, a.segment != b.segment && phases.follows(a.segment, b.segment),
                  a.segment != b.segment && phases.follows(b.segment, a.segment));
}

}  // namespace spirv
