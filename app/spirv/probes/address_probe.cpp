#include "spirv/probes/address_probe.h"

#include <algorithm>
#include <utility>

namespace spirv {
namespace {

constexpr std::uint32_t most_rows = 8;          // that one access tells apart
constexpr std::uint32_t nought = 0x80000000;    // a number that is 0: no word may be
constexpr std::uint32_t far_away = 0x7FFFFFFF;  // bytes that don't fit into a word
constexpr std::uint32_t nowhere_bits = 36;      // of an offset: no memory is that large

}  // namespace

AddressProbe::AddressProbe(const Program& program, const Intervals& intervals, AddressTable table,
                           std::vector<std::uint32_t> ranges, bool tells)
    : program_(program), table_(table), ranges_(std::move(ranges)), sites_(program, intervals) {
  for (std::uint32_t n = 0; tells && n < sites_.all().size(); ++n) {
    if (!sites_.all()[n].proven) {
      choose(n);
    }
  }
  for (std::uint32_t n = 0; tells && n < sites_.all().size(); ++n) {
    const AddressSite& site = sites_.all()[n];
    if (!site.aligned) {
      CheckedAddress told{.at = site.at, .member = site.member, .writes = site.writes};
      told.block = site.block;
      told.alignment = site.alignment;
      misaligned_.push_back(n);
      checked_.push_back(std::move(told));
    }
  }
}

void AddressProbe::choose(std::uint32_t number) {
  const AddressSite& site = sites_.all()[number];
  const auto add = [&](std::optional<std::uint32_t> row, std::optional<std::uint32_t> buffer) {
    CheckedAddress told{
        .at = site.at, .member = site.member, .writes = site.writes, .buffer = buffer};
    told.block = site.block;
    if (buffer) {
      told.bytes = program_.launch.buffers[*buffer].bytes;
    }
    if (site.root.start) {
      told.length = AddressSites::length(site, told.bytes);
    }
    if (told.length) {
      const Instruction& type =
          program_.definitions.of(program_.definitions.of(site.place->terms.front().index).type);
      told.is_signed = type.op == spv::Op::OpTypeInt && type.word(1) != 0;
    }
    slots_.push_back({number, row});
    checked_.push_back(std::move(told));
  };
  if (site.root.buffer) {
    add(std::nullopt, site.root.buffer);
    return;
  }
  // More are told of together, as leading nowhere that is known.
  if (ranges_.size() > most_rows) {
    add(std::nullopt, std::nullopt);
    return;
  }
  add(0, std::nullopt);
  for (std::uint32_t r = 0; r < ranges_.size(); ++r) {
    add(r + 1, ranges_[r]);
  }
}

std::uint32_t AddressProbe::sites() const {
  return static_cast<std::uint32_t>(sites_.all().size());
}

std::uint32_t AddressProbe::proven() const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(sites_.all(), [](const AddressSite& site) { return site.proven; }));
}

void AddressProbe::write(Emitter& emitter, Insertions& code, const std::vector<Id>& found) {
  emitter_ = &emitter;
  insertions_ = &code;
  for (std::size_t n = 0; n < misaligned_.size(); ++n) {
    look_at_alignment(code, sites_.all()[misaligned_[n]], found[slots_.size() + n]);
  }
  std::optional<AddressGuard> guard;
  if (any() && table_.ranges > 0) {
    guard.emplace(emitter, program_.definitions, table_);
    guard->begin(code.before({0, first_instruction(code.function())}));
  }
  std::size_t slot = 0;
  for (std::uint32_t n = 0; n < sites_.all().size(); ++n) {
    const AddressSite& site = sites_.all()[n];
    if (site.proven) {
      continue;
    }
    const CodePlace at{site.block, site.instruction};
    auto& before = code.before(at);
    Instruction& access = code.function().blocks[at.first].body[at.second];
    if (!guard) {
      for (; slot < slots_.size() && slots_[slot].site == n; ++slot) {
        before.push_back(
            {spv::Op::OpStore, 0, 0, {ref(found[slot]), ref(emitter.constant(nought))}, {}});
      }
      drop_access(emitter, program_.definitions, access);
      continue;
    }
    const auto range = guard->range_of(before, site.root.value);
    const auto kept = guard->keep(before, site.pointer, range, site.bytes, site.writes);
    access.operands[site.operand] = ref(kept.pointer);
    const Id row = site.root.buffer || slots_.empty() ? 0 : row_of(*guard, before, range, kept);
    for (; slot < slots_.size() && slots_[slot].site == n; ++slot) {
      tell(*guard, before, slot, row, kept, found[slot]);
    }
  }
}

// The kernel's own pointer, whatever it is replaced by.
void AddressProbe::look_at_alignment(Insertions& code, const AddressSite& site, Id found) {
  auto& before = code.before({site.block, site.instruction});
  const Id uint = emitter_->uint_type();
  emitter_->capability(spv::Capability::Int64);
  const Id address =
      code.emit(before, spv::Op::OpConvertPtrToU, emitter_->long_type(), {ref(site.pointer)});
  const Id low = code.emit(before, spv::Op::OpUConvert, uint, {ref(address)});
  const Id above = code.emit(before, spv::Op::OpBitwiseAnd, uint,
                             {ref(low), ref(emitter_->constant(site.alignment - 1))});
  const Id none = code.emit(before, spv::Op::OpIEqual, emitter_->bool_type(),
                            {ref(above), ref(emitter_->constant(0))});
  const Id old = code.emit(before, spv::Op::OpLoad, uint, {ref(found)});
  const Id now = code.emit(before, spv::Op::OpSelect, uint, {ref(none), ref(old), ref(above)});
  before.push_back({spv::Op::OpStore, 0, 0, {ref(found), ref(now)}, {}});
}

// What is far away from the memory before it leads nowhere.
Id AddressProbe::row_of(AddressGuard& guard, std::vector<Instruction>& code,
                        const AddressGuard::Range& range, const AddressGuard::Kept& kept) {
  const Id uint = emitter_->uint_type();
  const Id high = guard.emit(code, spv::Op::OpShiftRightArithmetic, emitter_->long_type(),
                             {ref(kept.offset), ref(emitter_->constant(nowhere_bits))});
  const Id some = guard.emit(code, spv::Op::OpUConvert, uint, {ref(high)});
  const Id one_more =
      guard.emit(code, spv::Op::OpIAdd, uint, {ref(some), ref(emitter_->constant(1))});
  const Id far = guard.emit(code, spv::Op::OpUGreaterThan, emitter_->bool_type(),
                            {ref(one_more), ref(emitter_->constant(1))});
  return guard.emit(code, spv::Op::OpSelect, uint,
                    {ref(far), ref(emitter_->constant(0)), ref(range.row)});
}

void AddressProbe::tell(AddressGuard& guard, std::vector<Instruction>& code, std::size_t number,
                        Id row, const AddressGuard::Kept& kept, Id found) {
  const Slot& slot = slots_[number];
  const Id uint = emitter_->uint_type();
  const Id boolean = emitter_->bool_type();
  Id told = kept.outside;
  if (slot.row) {
    const Id here = guard.emit(code, spv::Op::OpIEqual, boolean,
                               {ref(row), ref(emitter_->constant(*slot.row))});
    told = guard.emit(code, spv::Op::OpLogicalAnd, boolean, {ref(told), ref(here)});
  }
  const Id word = word_of(guard, code, slot, checked_[number], kept);
  const Id old = guard.emit(code, spv::Op::OpLoad, uint, {ref(found)});
  const Id now = guard.emit(code, spv::Op::OpSelect, uint, {ref(told), ref(word), ref(old)});
  code.push_back({spv::Op::OpStore, 0, 0, {ref(found), ref(now)}, {}});
}

Id AddressProbe::word_of(AddressGuard& guard, std::vector<Instruction>& code, const Slot& slot,
                         const CheckedAddress& told, const AddressGuard::Kept& kept) {
  const Id uint = emitter_->uint_type();
  const Id boolean = emitter_->bool_type();
  const AddressSite& site = sites_.all()[slot.site];
  Id word = 0;
  if (told.length) {
    word = insertions_->as_word(code, site.place->terms.front().index);
  } else {
    word = guard.emit(code, spv::Op::OpUConvert, uint, {ref(kept.offset)});
    const Id back = guard.emit(code, spv::Op::OpSConvert, emitter_->long_type(), {ref(word)});
    const Id fits = guard.emit(code, spv::Op::OpIEqual, boolean, {ref(back), ref(kept.offset)});
    word = guard.emit(code, spv::Op::OpSelect, uint,
                      {ref(fits), ref(word), ref(emitter_->constant(far_away))});
  }
  const Id none =
      guard.emit(code, spv::Op::OpIEqual, boolean, {ref(word), ref(emitter_->constant(0))});
  return guard.emit(code, spv::Op::OpSelect, uint,
                    {ref(none), ref(emitter_->constant(nought)), ref(word)});
}

std::int64_t number_of(const CheckedAddress& address, std::uint32_t word) {
  if (word == nought) {
    return 0;
  }
  return address.is_signed || !address.length
             ? static_cast<std::int64_t>(static_cast<std::int32_t>(word))
             : word;
}

}  // namespace spirv
