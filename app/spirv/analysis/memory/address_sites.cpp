#include "spirv/analysis/memory/address_sites.h"

#include <algorithm>

#include "spirv/reflection/addresses.h"

namespace spirv {
namespace {

constexpr std::uint64_t most_addressed = 4096;  // of one access
constexpr int deepest_root = 16;
constexpr std::uint32_t most_alignment = 16;  // of the begin of a buffer's memory, bytes

// Follows an address back to where it is loaded from.
class Roots {
 public:
  explicit Roots(const Program& program) : program_(program), layout_(program) {}

  [[nodiscard]] AddressRoot of(Id value, int depth) const {
    const Instruction& i = program_.definitions.of(value);
    const AddressRoot unknown{value, {}, false};
    if (depth > deepest_root) {
      return unknown;
    }
    switch (i.op) {
      case spv::Op::OpCopyObject:
      case spv::Op::OpBitcast:
      case spv::Op::OpConvertUToPtr:
      case spv::Op::OpConvertPtrToU:
        return of(i.word(0), depth + 1);
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
      case spv::Op::OpPtrAccessChain:
      case spv::Op::OpInBoundsPtrAccessChain:
      case spv::Op::OpISub:
        return moved(of(i.word(0), depth + 1), unknown);
      case spv::Op::OpIAdd: {
        const AddressRoot first = of(i.word(0), depth + 1);
        return moved(first.buffer ? first : of(i.word(1), depth + 1), unknown);
      }
      case spv::Op::OpCompositeExtract: {
        const Instruction& whole = program_.definitions.of(i.word(0));
        return whole.op == spv::Op::OpLoad ? held(value, whole.word(0), member_offset(whole, i))
                                           : unknown;
      }
      case spv::Op::OpLoad:
        return held(value, i.word(0), 0);
      default:
        return unknown;
    }
  }

 private:
  [[nodiscard]] static AddressRoot moved(AddressRoot from, const AddressRoot& unknown) {
    from.start = false;
    return from.buffer ? from : unknown;
  }

  // Of a member of a struct that was loaded whole.
  [[nodiscard]] std::optional<std::uint64_t> member_offset(const Instruction& load,
                                                           const Instruction& extract) const {
    Id type = load.type;
    std::uint64_t offset = 0;
    for (std::size_t k = 1; k < extract.operands.size(); ++k) {
      const Instruction* at =
          program_.definitions.decoration(type, extract.word(k), spv::Decoration::Offset);
      if (!program_.types.is_struct(type) || at == nullptr) {
        return std::nullopt;
      }
      offset += at->word(3);
      type = program_.types.element(type, extract.word(k));
    }
    return offset;
  }

  [[nodiscard]] AddressRoot held(Id value, Id pointer, std::optional<std::uint64_t> more) const {
    const AddressRoot unknown{value, {}, false};
    std::size_t holder = KnownAddress::push_constants;
    std::optional<MemoryPlace> place;
    std::uint64_t offset = more.value_or(0);
    const PointerPath path = program_.path(pointer);
    if (path.variable != 0) {
      if (program_.storage(path.variable) != spv::StorageClass::PushConstant) {
        const auto buffer = program_.buffer_of(path.variable);
        if (!buffer || layout_.is_array_of_blocks(path.variable)) {
          return unknown;
        }
        holder = *buffer;
      }
      place = layout_.place(path, most_addressed);
      offset += place && place->member ? layout_.member_offset(path.variable, *place->member) : 0;
    } else {
      const AddressedPath addressed = program_.addressed_path(pointer);
      const AddressRoot from =
          addressed.block != 0 ? of(addressed.base, deepest_root / 2) : unknown;
      if (!from.buffer || !from.start) {
        return unknown;
      }
      holder = *from.buffer;
      place = layout_.place(addressed, most_addressed);
      offset +=
          place && place->member ? layout_.block_member_offset(addressed.block, *place->member) : 0;
    }
    if (!more || !place || !place->terms.empty()) {
      return unknown;
    }
    offset += place->offset;
    const auto& known = program_.launch.addresses;
    const auto found = std::ranges::find_if(
        known, [&](const KnownAddress& a) { return a.holder == holder && a.offset == offset; });
    return found == known.end() ? unknown : AddressRoot{value, found->buffer, true};
  }

  const Program& program_;
  MemoryLayout layout_;
};

}  // namespace

AddressRoot address_root(const Program& program, Id pointer) {
  AddressRoot root = Roots(program).of(pointer, 0);
  return root.buffer ? root : AddressRoot{pointer, {}, false};
}

AddressSites::AddressSites(const Program& program, const Intervals& intervals)
    : program_(program), layout_(program) {
  for (const std::size_t b : program.flow.order()) {
    const auto& body = program.function.blocks[b].body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      for (const MemoryAccess& through : accesses_by_address(body[i], program.definitions)) {
        add(b, i, through.operand, through.writes);
      }
      if (touches_matrix(body[i].op) && is_address(program.definitions, body[i].word(0))) {
        problems_.push_back("line " + std::to_string(body[i].at.line) +
                            ": a cooperative matrix is accessed by address, which is not checked");
      }
    }
  }
  for (AddressSite& site : sites_) {
    site.proven = program.launch.proofs && proven(site, intervals);
  }
}

void AddressSites::add(std::size_t block, std::size_t instruction, std::uint32_t operand,
                       bool writes) {
  const Instruction& i = program_.function.blocks[block].body[instruction];
  const AddressedPath path = program_.addressed_path(i.word(operand));
  AddressSite site{.block = block,
                   .instruction = instruction,
                   .operand = operand,
                   .pointer = i.word(operand),
                   .at = i.at,
                   .root = address_root(program_, path.base),
                   .place = layout_.place(path, most_addressed),
                   .writes = writes};
  const Id type = program_.definitions.of(program_.definitions.of(site.pointer).type).word(1);
  site.bytes = std::max<std::uint64_t>(program_.types.explicit_bytes(type), 1);
  if (site.place) {
    site.offset = site.place->offset;
    if (site.place->member) {
      site.offset += layout_.block_member_offset(path.block, *site.place->member);
      site.member = program_.definitions.member_name(path.block, *site.place->member);
    }
    for (const PlacedScalar& scalar : site.place->scalars) {
      const std::uint64_t width = (scalar_width(program_.definitions, scalar.type) + 7) / 8;
      site.bytes = std::max(site.bytes, scalar.offset + width);
    }
  }
  // Buffers begin at multiples of all alignments that scalars and vectors can have.
  site.alignment = alignment_of(i, operand);
  site.aligned =
      site.alignment <= 1 || (site.root.start && site.place && site.alignment <= most_alignment &&
                              site.offset % site.alignment == 0 &&
                              std::ranges::all_of(site.place->terms, [&](const PlaceTerm& term) {
                                return term.stride % site.alignment == 0;
                              }));
  if (site.bytes > kAddressSink) {
    problems_.push_back("line " + std::to_string(site.at.line) +
                        ": an access by address is too large to be checked");
  }
  sites_.push_back(std::move(site));
}

// The alignment in the memory operands of a load, a store, or a copy's target.
std::uint32_t AddressSites::alignment_of(const Instruction& i, std::uint32_t operand) const {
  const bool has_mask =
      i.op == spv::Op::OpLoad || i.op == spv::Op::OpStore || i.op == spv::Op::OpCopyMemory;
  const std::size_t mask = has_mask ? memory_operands(i, operand != 0) : i.operands.size();
  const bool aligned =
      (i.word(mask) & static_cast<std::uint32_t>(spv::MemoryAccessMask::Aligned)) != 0;
  return aligned ? std::max(i.word(mask + 1), 1U) : 1;
}

std::optional<std::uint64_t> AddressSites::length(const AddressSite& site, std::uint64_t bytes) {
  if (!site.place || site.place->terms.empty()) {
    return std::nullopt;
  }
  const PlaceTerm& term = site.place->terms.front();
  const std::uint64_t left = bytes < site.offset ? 0 : bytes - site.offset;
  const std::uint64_t whole = term.stride == 0 ? 0 : left / term.stride;
  return term.length == 0 ? whole : std::min(whole, term.length);
}

// Inner indices are looked at as those of arrays are.
bool AddressSites::proven(const AddressSite& site, const Intervals& intervals) const {
  if (!site.root.buffer || !site.root.start || !site.place) {
    return false;
  }
  const std::uint64_t bytes = program_.launch.buffers[*site.root.buffer].bytes;
  const auto& terms = site.place->terms;
  if (terms.empty()) {
    return site.offset + site.bytes <= bytes;
  }
  const auto many = length(site, bytes);
  return terms.front().stride >= site.bytes && many && terms.size() == 1 &&
         intervals.below(terms.front().index, site.block, *many);
}

}  // namespace spirv
