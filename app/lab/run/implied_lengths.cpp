#include "lab/run/implied_lengths.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "lab/plan/members.h"
#include "spirv/module/operations.h"

namespace lab {
namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kMostTerms = 64;   // of a sum
constexpr std::size_t kMostFactors = 4;  // of a product
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 24U;

// A number that the text does not take apart: an id's component, a member of a block, another
// value.
struct Atom {
  enum class Kind : std::uint8_t { workgroup, local, workgroups, member, other } kind;
  std::uint32_t a = 0;          // direction; the variable; the value
  spirv::MemberPath path = {};  // of a member
  std::uint32_t component = 0;
  auto operator<=>(const Atom&) const = default;
};

using Product = std::vector<Atom>;  // sorted; none: the number 1
using Sum = std::map<Product, std::int64_t>;

Sum number(std::int64_t value) {
  return value == 0 ? Sum{} : Sum{{{}, value}};
}

// Coefficients wrap around, as the kernel's do.
std::int64_t times_wrapped(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t plus_wrapped(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

Sum sum(Sum a, const Sum& b, std::int64_t factor = 1) {
  for (const auto& [product, times] : b) {
    std::int64_t& all = a[product];
    all = plus_wrapped(all, times_wrapped(factor, times));
    if (all == 0) {
      a.erase(product);
    }
  }
  return a;
}

Sum product(const Sum& a, const Sum& b) {
  Sum all;
  for (const auto& [left, m] : a) {
    for (const auto& [right, n] : b) {
      Product both = left;
      both.insert(both.end(), right.begin(), right.end());
      std::ranges::sort(both);
      all = sum(std::move(all), {{both, times_wrapped(m, n)}});
    }
  }
  return all;
}

class Implied {
 public:
  Implied(const spirv::Examination& x, const core::Dispatch& dispatch, const ItemsOfLaunch& launch)
      : x_(x), dispatch_(dispatch), launch_(launch), size_(x.program.interface.local_size) {
    find_guards();
  }

  ImpliedLengths run() {
    for (const spirv::BufferSite& site : x_.buffers.all()) {
      const spirv::BufferMemory& memory = x_.buffers.memories()[site.memory];
      if (site.variable == 0 || site.descriptor != 0 ||
          memory.binding >= dispatch_.resources.size() ||
          core::shares_memory(dispatch_.resources, memory.binding)) {
        continue;
      }
      if (memory.memory == core::MemoryClass::image) {
        note_image(site, memory.binding);
      } else {
        note_buffer(site, memory.binding);
      }
    }
    ImpliedLengths found;
    for (const auto& [resource, entry] : entries_) {
      const auto& lengths = entry.exact     ? entry.of_exact
                            : entry.written ? entry.of_writes
                                            : entry.of_reads;
      if (!entry.open && lengths[0] != 0) {
        found[resource] = {lengths, entry.exact};
      }
    }
    return found;
  }

 private:
  struct Guard {
    Sum what;
    std::uint64_t below = 0;
  };
  struct Length {
    std::uint64_t length = 0;
    bool exact = false;  // it follows from a number of items
  };
  struct Entry {
    std::array<std::uint64_t, 3> of_reads{};
    std::array<std::uint64_t, 3> of_writes{};
    std::array<std::uint64_t, 3> of_exact{};  // reads and writes
    bool written = false;
    bool exact = false;
    bool open = false;  // an access implies no length
  };

  // Comparisons with members alone: "i < n", "y < height", "i < width * height".
  void find_guards() {
    for (const spirv::Block& block : x_.program.function.blocks) {
      for (const spirv::Instruction& i : block.body) {
        if (!spirv::orders_integers(i.op)) {
          continue;
        }
        for (const auto& [a, b] : {std::pair(0U, 1U), std::pair(1U, 0U)}) {
          const auto& type = x_.program.definitions.of(x_.program.definitions.of(i.word(a)).type);
          const std::uint32_t count = type.op == spv::Op::OpTypeVector ? type.word(1) : 1;
          for (std::uint32_t c = 0; c < count; ++c) {
            note_guard(of(i.word(a), c, 0), of(i.word(b), c, 0));
          }
        }
      }
    }
  }

  void note_guard(Sum what, const Sum& limit) {
    if (limit.size() != 1 || limit.begin()->first.empty() || value_of(what)) {
      return;
    }
    if (const auto below = value_of(limit); below && *below > 0 && *below <= kMostElements) {
      guards_.push_back({std::move(what), *below});
    }
  }

  void note_buffer(const spirv::BufferSite& site, std::size_t resource) {
    const auto& bindings = x_.program.interface.bindings;
    const auto b = std::ranges::find(bindings, site.variable, &spirv::Binding::variable);
    if (b == bindings.end() || b->runtime_stride == 0 || site.whole == 0) {
      return;
    }
    const bool header = site.offset < b->bytes && site.terms.empty();
    if (header) {
      return;
    }
    const auto term = std::ranges::find_if(site.terms, [&](const spirv::PlaceTerm& t) {
      return t.length == 0 && t.stride == b->runtime_stride;
    });
    const Sum index =
        term != site.terms.end()
            ? of(term->index, 0, 0)
            : number(static_cast<std::int64_t>((site.offset - b->bytes) / b->runtime_stride));
    note(resource, 0, site.writes, length_of(index));
  }

  void note_image(const spirv::BufferSite& site, std::size_t resource) {
    const std::size_t count = site.terms.size();
    for (std::size_t k = 0; k < count && k < 3; ++k) {
      note(resource, k, site.writes, length_of(of(site.terms[count - 1 - k].index, 0, 0)));
    }
  }

  void note(std::size_t resource, std::size_t k, bool writes, const std::optional<Length>& length) {
    Entry& entry = entries_[resource];
    entry.written = entry.written || writes;
    entry.open = entry.open || !length;
    if (length) {
      const auto raise = [&](std::array<std::uint64_t, 3>& lengths) {
        lengths.at(k) = std::max(lengths.at(k), length->length);
      };
      raise(writes ? entry.of_writes : entry.of_reads);
      if (length->exact) {
        raise(entry.of_exact);
        entry.exact = true;
      }
    }
  }

  // One more than the largest that an index is, if it stays below what the kernel compares it or
  // its parts with.
  [[nodiscard]] std::optional<Length> length_of(const Sum& index) const {
    if (const std::uint64_t below = guard_of(index); below != 0) {
      return Length{below, true};
    }
    // A whole step of a strided loop ahead: the kernel has to compare that, too.
    if (std::ranges::any_of(
            guards_, [&](const Guard& guard) { return is_step(sum(index, guard.what, -1)); })) {
      return Length{1, false};
    }
    if (const auto found = by_parts(index, 0)) {
      return found;
    }
    return by_rows(index);
  }

  // Returns true for the step of a loop that all invocations of a workgroup, or of the launch, go
  // through together. Members may be the distance of two arrays in one buffer.
  [[nodiscard]] bool is_step(const Sum& ahead) const {
    const auto has = [&](Atom::Kind kind) {
      return std::ranges::any_of(ahead, [&](const auto& part) {
        return std::ranges::find(part.first, kind, &Atom::kind) != part.first.end();
      });
    };
    const auto value = signed_value_of(ahead);
    if (!value || has(Atom::Kind::member)) {
      return false;
    }
    const std::int64_t step =
        std::max<std::int64_t>(std::int64_t{size_[0]} * size_[1] * size_[2], 2);
    return has(Atom::Kind::workgroups) ? *value >= step : *value == step;
  }

  // The largest number that it is compared with; 0: none.
  [[nodiscard]] std::uint64_t guard_of(const Sum& what) const {
    std::uint64_t most = 0;
    for (const Guard& guard : guards_) {
      most = guard.what == what ? std::max(most, guard.below) : most;
    }
    return most;
  }

  [[nodiscard]] std::optional<Length> by_parts(const Sum& index, int depth) const {
    Sum rest = index;
    Length all{1, false};
    for (std::uint32_t d = 0; d < 3; ++d) {
      if (const auto part = take_direction(rest, d)) {
        all.length += part->length;
        all.exact = all.exact || part->exact;
      }
    }
    if (const auto constant = signed_value_of(rest)) {
      const auto length = static_cast<std::int64_t>(all.length) + *constant;
      all.length = static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1));
      return all.length <= kMostElements ? std::optional(all) : std::nullopt;
    }
    for (const Guard& guard : guards_) {
      for (const Sum& factor : factors_of(index)) {
        const auto times = value_of(factor);
        Sum left = sum(index, product(factor, guard.what), -1);
        if (!times || *times == 0 || left.size() >= index.size() || depth >= 3) {
          continue;
        }
        if (auto found = by_parts(left, depth + 1)) {
          found->length += *times * (guard.below - 1);
          found->exact = true;
          return found;
        }
      }
    }
    return std::nullopt;
  }

  // Row by row: the rows that there are, times a member that is the length of one.
  [[nodiscard]] std::optional<Length> by_rows(const Sum& index) const {
    for (const Sum& factor : factors_of(index)) {
      const auto times = value_of(factor);
      if (!times || *times < 2 || factor.begin()->first.empty()) {
        continue;
      }
      for (const Guard& guard : guards_) {
        const Sum rows = product(factor, guard.what);
        const bool inside = std::ranges::all_of(rows, [&](const auto& part) {
          const auto found = index.find(part.first);
          return found != index.end() && found->second == part.second;
        });
        if (inside && !rows.empty() && *times * guard.below <= kMostElements) {
          return Length{*times * guard.below, true};
        }
      }
    }
    return std::nullopt;
  }

  // 1, and the members that products have as factors.
  [[nodiscard]] static std::vector<Sum> factors_of(const Sum& index) {
    std::set<Sum> found{number(1)};
    for (const auto& [parts, times] : index) {
      Product members;
      std::ranges::copy_if(parts, std::back_inserter(members),
                           [](const Atom& a) { return a.kind == Atom::Kind::member; });
      if (!members.empty()) {
        found.insert(Sum{{members, 1}});
      }
    }
    return {found.begin(), found.end()};
  }

  // Takes factor · (workgroup's id · size + local id) out of a sum: what it adds at most.
  [[nodiscard]] std::optional<Length> take_direction(Sum& rest, std::uint32_t d) const {
    const Atom local{Atom::Kind::local, d};
    const Atom group{Atom::Kind::workgroup, d};
    Sum factor;
    Sum groups;
    for (const auto& [parts, times] : rest) {
      for (const auto& [atom, to] : {std::pair(&local, &factor), std::pair(&group, &groups)}) {
        Product others = parts;
        if (const auto at = std::ranges::find(others, *atom); at != others.end()) {
          others.erase(at);
          *to = sum(std::move(*to), {{others, times}});
        }
      }
    }
    const auto times = value_of(factor);
    if (factor.empty() && !groups.empty()) {  // a workgroup's own
      const auto each = value_of(groups);
      if (!each) {
        return std::nullopt;
      }
      rest = sum(std::move(rest), product(groups, {{{group}, 1}}), -1);
      return Length{*each * (launch_.groups.at(d) - 1), false};
    }
    if (!times || *times == 0) {
      return std::nullopt;
    }
    if (groups.empty()) {  // the same in each workgroup
      rest = sum(std::move(rest), product(factor, {{{local}, 1}}), -1);
      return Length{*times * (size_.at(d) - 1), false};
    }
    if (groups != product(factor, number(size_.at(d)))) {
      return std::nullopt;
    }
    const Sum id = global_id(d);
    rest = sum(std::move(rest), product(factor, id), -1);
    if (const std::uint64_t below = guard_of(id); below != 0) {
      return Length{*times * (below - 1), true};
    }
    const std::uint64_t items = launch_.items.at(d);
    return Length{*times * (items - 1), items % size_.at(d) != 0};
  }

  [[nodiscard]] Sum global_id(std::uint32_t d) const {
    return sum(product({{{Atom{Atom::Kind::workgroup, d}}, 1}}, number(size_.at(d))),
               {{{Atom{Atom::Kind::local, d}}, 1}});
  }

  // Returns nothing if the sum depends on more than members and the number of workgroups.
  [[nodiscard]] std::optional<std::uint64_t> value_of(const Sum& all) const {
    const auto value = signed_value_of(all);
    return value && *value >= 0 ? std::optional<std::uint64_t>(*value) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::int64_t> signed_value_of(const Sum& all) const {
    std::int64_t value = 0;
    for (const auto& [parts, times] : all) {
      std::int64_t one = times;
      for (const Atom& atom : parts) {
        const auto own = value_of(atom);
        if (!own) {
          return std::nullopt;
        }
        if (__builtin_mul_overflow(one, static_cast<std::int64_t>(*own), &one)) {
          return std::nullopt;
        }
      }
      if (__builtin_add_overflow(value, one, &value)) {
        return std::nullopt;
      }
    }
    return value;
  }

  [[nodiscard]] std::optional<std::uint64_t> value_of(const Atom& atom) const {
    if (atom.kind == Atom::Kind::workgroups) {
      return launch_.groups.at(atom.a);
    }
    return atom.kind == Atom::Kind::member ? member(atom) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::uint64_t> member(const Atom& atom) const {
    const auto& bindings = x_.program.interface.bindings;
    const auto b = std::ranges::find(bindings, atom.a, &spirv::Binding::variable);
    const auto& members = b != bindings.end() ? b->members : x_.program.interface.push_constants;
    const auto found = std::ranges::find(members, atom.path, &spirv::BlockMember::path);
    if (found == members.end() || found->address || !is_whole(found->type)) {
      return std::nullopt;
    }
    if (b != bindings.end() && (b->written || b->binding >= dispatch_.resources.size())) {
      return std::nullopt;
    }
    std::vector<std::uint32_t> words;
    if (b == bindings.end()) {
      words = dispatch_.push_constants;
    } else {
      const auto& bytes = dispatch_.resources[b->binding].content.bytes;
      words.resize(bytes.size() / 4);
      std::memcpy(words.data(), bytes.data(), words.size() * 4);
    }
    if (dispatch_.chosen.members.contains(found->name)) {
      core::TileMap tiles;
      tiles.local_size = tiles.covers = {size_[0], size_[1], size_[2]};
      tiles.extent = {launch_.items[0], launch_.items[1], launch_.items[2]};
      words.resize(std::max<std::size_t>(words.size(), (found->offset + found->bytes) / 4));
      choose_members({*found}, tiles, words);
    }
    const std::size_t at = found->offset / 4 + atom.component;
    const bool inside = at < words.size() && atom.component < found->bytes / 4;
    return inside && words[at] <= 0x7FFFFFFFU ? std::optional<std::uint64_t>(words[at])
                                              : std::nullopt;
  }

  [[nodiscard]] std::uint32_t components_of(spirv::Id type) const {
    const spirv::Instruction& t = x_.program.definitions.of(type);
    return t.op == spv::Op::OpTypeVector ? t.word(1) : 1;
  }

  [[nodiscard]] spirv::Id scalar_of(spirv::Id type) const {
    const spirv::Instruction& t = x_.program.definitions.of(type);
    return t.op == spv::Op::OpTypeVector ? t.word(0) : type;
  }

  [[nodiscard]] static Sum other(spirv::Id value, std::uint32_t component) {
    return {{{Atom{Atom::Kind::other, value, {}, component}}, 1}};
  }

  // A value as a sum. A sum with too many terms is kept as one value.
  [[nodiscard]] Sum of(spirv::Id value, std::uint32_t component, int depth) const {
    const auto known = sums_.find({value, component});
    if (known != sums_.end()) {
      return known->second;
    }
    Sum found = taken_apart(value, component, depth);
    const bool large =
        found.size() > kMostTerms || std::ranges::any_of(found, [](const auto& part) {
          return part.first.size() > kMostFactors;
        });
    if (large) {
      found = other(value, component);
    }
    if (depth <= kDeepest) {
      sums_[{value, component}] = found;
    }
    return found;
  }

  [[nodiscard]] Sum taken_apart(spirv::Id value, std::uint32_t component, int depth) const {
    const spirv::Instruction& i = x_.program.definitions.of(value);
    if (depth > kDeepest) {
      return other(value, component);
    }
    // Members have their values from the launch; see ItemsOfLaunch.
    if (i.op == spv::Op::OpConstant || i.op == spv::Op::OpConstantNull) {
      return number(static_cast<std::int32_t>(x_.program.constants.scalar(value).value_or(0)));
    }
    if (i.op == spv::Op::OpConstantComposite) {
      return of(i.word(component), 0, depth + 1);
    }
    const auto operand = [&](std::size_t k) { return of(i.word(k), component, depth + 1); };
    switch (i.op) {
      case spv::Op::OpIAdd:
        return sum(operand(0), operand(1));
      case spv::Op::OpISub:
        return sum(operand(0), operand(1), -1);
      case spv::Op::OpIMul:
        return product(operand(0), operand(1));
      case spv::Op::OpShiftLeftLogical: {
        const auto by = value_of(operand(1));
        return by && *by < 31 ? product(operand(0), number(std::int64_t{1} << *by))
                              : other(value, component);
      }
      case spv::Op::OpBitcast:
      case spv::Op::OpUConvert:
      case spv::Op::OpSConvert: {
        const spirv::Id from = x_.program.definitions.of(i.word(0)).type;
        const bool alike = spirv::scalar_width(x_.program.definitions, scalar_of(from)) == 32 &&
                           spirv::scalar_width(x_.program.definitions, scalar_of(i.type)) == 32 &&
                           components_of(from) == components_of(i.type);
        return alike ? operand(0) : other(value, component);
      }
      case spv::Op::OpCopyObject:
        return operand(0);
      case spv::Op::OpCompositeExtract:
        return i.operands.size() == 2 ? of(i.word(0), i.word(1), depth + 1)
                                      : other(value, component);
      case spv::Op::OpCompositeConstruct: {
        std::uint32_t rest = component;  // in the part that it is in
        for (std::size_t k = 0; k < i.operands.size(); ++k) {
          const std::uint32_t count = components_of(x_.program.definitions.of(i.word(k)).type);
          if (rest < count) {
            return of(i.word(k), rest, depth + 1);
          }
          rest -= count;
        }
        return other(value, component);
      }
      case spv::Op::OpVectorShuffle: {
        const auto& first = x_.program.definitions.of(x_.program.definitions.of(i.word(0)).type);
        const std::uint32_t length = first.op == spv::Op::OpTypeVector ? first.word(1) : 0;
        const std::uint32_t from = i.word(component + 2);
        return from < length ? of(i.word(0), from, depth + 1)
                             : of(i.word(1), from - length, depth + 1);
      }
      case spv::Op::OpLoad:
        return loaded(value, i.word(0), component);
      default:
        return other(value, component);
    }
  }

  [[nodiscard]] Sum loaded(spirv::Id value, spirv::Id pointer, std::uint32_t component) const {
    const spirv::PointerPath path = x_.program.path(pointer);
    if (path.variable == 0) {
      return other(value, component);
    }
    std::vector<std::uint32_t> indices;
    for (const spirv::Id id : path.indices) {
      const auto index = x_.program.constants.scalar(id);
      if (!index) {
        return other(value, component);
      }
      indices.push_back(static_cast<std::uint32_t>(*index));
    }
    if (const auto built_in = x_.program.built_in(path.variable)) {
      const std::uint32_t d = indices.empty() ? component : indices.front();
      const auto one = [&](Atom::Kind kind, std::uint32_t of) {
        return Sum{{{Atom{kind, of}}, 1}};
      };
      switch (*built_in) {
        case spv::BuiltIn::GlobalInvocationId:
          return global_id(d);
        case spv::BuiltIn::LocalInvocationId:
          return one(Atom::Kind::local, d);
        case spv::BuiltIn::WorkgroupId:
          return one(Atom::Kind::workgroup, d);
        case spv::BuiltIn::NumWorkgroups:
          return one(Atom::Kind::workgroups, d);
        case spv::BuiltIn::LocalInvocationIndex:
          return sum(
              sum(one(Atom::Kind::local, 0), product(one(Atom::Kind::local, 1), number(size_[0]))),
              product(one(Atom::Kind::local, 2), number(std::int64_t{size_[0]} * size_[1])));
        default:
          return other(value, component);
      }
    }
    const auto storage = x_.program.storage(path.variable);
    const auto& bindings = x_.program.interface.bindings;
    const auto b = std::ranges::find(bindings, path.variable, &spirv::Binding::variable);
    const bool block =
        storage == spv::StorageClass::PushConstant || (b != bindings.end() && !b->written);
    if (!block) {
      return other(value, component);
    }
    // The last index may be a vector's.
    const auto& members = b != bindings.end() ? b->members : x_.program.interface.push_constants;
    if (std::ranges::find(members, indices, &spirv::BlockMember::path) == members.end() &&
        !indices.empty()) {
      component = indices.back();
      indices.pop_back();
    }
    return {{{Atom{Atom::Kind::member, path.variable, indices, component}}, 1}};
  }

  const spirv::Examination& x_;
  const core::Dispatch& dispatch_;
  const ItemsOfLaunch& launch_;
  const std::array<std::uint32_t, 3> size_;
  std::vector<Guard> guards_;
  std::map<std::size_t, Entry> entries_;
  mutable std::map<std::pair<spirv::Id, std::uint32_t>, Sum> sums_;  // what of() has found
};

}  // namespace

ItemsOfLaunch ItemsOfLaunch::of(const spirv::Examination& examination,
                                const core::Dispatch& dispatch) {
  ItemsOfLaunch launch;
  for (std::size_t d = 0; d < 3; ++d) {
    launch.groups.at(d) = dispatch.groups[static_cast<int>(d)];
    launch.items.at(d) = launch.groups.at(d) * examination.program.interface.local_size.at(d);
  }
  return launch;
}

ImpliedLengths implied_lengths(const spirv::Examination& examination,
                               const core::Dispatch& dispatch, const ItemsOfLaunch& launch) {
  return Implied(examination, dispatch, launch).run();
}

}  // namespace lab
