#include "spirv/probes/bounds_probe.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace spirv {
namespace {

constexpr std::uint32_t empty_array = 0x80000000;

}  // namespace

BoundsProbe::BoundsProbe(const Bounds& bounds, bool tells) : bounds_(bounds), tells_(tells) {
  for (std::size_t n = 0; n < bounds.all().size(); ++n) {
    if (!bounds.all()[n].proven) {
      add(n);
    }
  }
}

void BoundsProbe::add(std::size_t number) {
  const IndexUse& use = bounds_.all()[number];
  Use added{number, checked_.size(), {}};
  std::vector<IndexRoom> different;
  for (const IndexRoom& room : use.rooms) {
    const auto known = std::ranges::find(different, room);
    added.told_as.push_back(static_cast<std::uint64_t>(known - different.begin()));
    if (known == different.end()) {
      different.push_back(room);
      std::vector<std::size_t> blocks;
      std::ranges::transform(use.accesses, std::back_inserter(blocks), &AccessPlace::first);
      checked_.push_back({use.at, use.name, use.storage,
                          std::min<std::uint64_t>(room.length, 0xFFFFFFFF), use.is_signed,
                          use.coordinate, room.extent, use.index, use.variable, use.reads_texel,
                          std::move(blocks)});
    }
  }
  uses_.push_back(std::move(added));
}

void BoundsProbe::write(const Program& program, Emitter& emitter, Insertions& code,
                        const std::vector<Id>& found) {
  const Id uint = emitter.uint_type();
  for (const Use& checked : uses_) {
    const IndexUse& use = bounds_.all()[checked.number];
    const CodePlace at = code.place_of(use.link.first);
    std::vector<Instruction>& before = code.before(at);
    const Id index = code.as_word(before, use.index);
    const Id descriptor = use.descriptor == 0 ? 0 : code.as_word(before, use.descriptor);
    std::vector<std::uint64_t> lengths;
    std::vector<std::uint64_t> lasts;
    for (const IndexRoom& room : use.rooms) {
      lengths.push_back(room.length);
      lasts.push_back(room.length == 0 ? 0 : room.length - 1);
    }
    const Id outside = code.emit(before, spv::Op::OpUGreaterThanEqual, emitter.bool_type(),
                                 {ref(index), ref(code.one_of(before, descriptor, lengths))});
    const Id last = code.one_of(before, descriptor, lasts);
    const Id inside =
        code.emit(before, spv::Op::OpSelect, uint, {ref(outside), ref(last), ref(index)});
    kept_[use.link] = {inside, outside};
    // Coordinates make up a vector of their own type.
    const Id type = program.definitions.of(use.index).type;
    const bool as_it_was = use.storage == spv::StorageClass::Image && type != uint;
    Instruction& user = code.function().blocks[at.first].body[at.second];
    // Before SPIR-V 1.5 a broadcast takes a constant.
    const bool constant = user.op == spv::Op::OpGroupNonUniformBroadcast &&
                          program.constants.scalar(use.index).has_value();
    const Id operand = as_it_was  ? code.emit(before, spv::Op::OpBitcast, type, {ref(inside)})
                       : constant ? emitter.constant(static_cast<std::uint32_t>(lasts.front()))
                                  : inside;
    user.operands[use.link.second] = ref(operand);
    const std::size_t several = std::ranges::max(checked.told_as) + 1;
    const Id which = code.one_of(before, descriptor, checked.told_as);
    for (std::size_t n = 0; n < several && tells_; ++n) {
      Told told{index, outside, found[checked.first + n]};
      if (several > 1) {
        const Id own = emitter.constant(static_cast<std::uint32_t>(n));
        const Id here =
            code.emit(before, spv::Op::OpIEqual, emitter.bool_type(), {ref(which), ref(own)});
        told.outside = code.emit(before, spv::Op::OpLogicalAnd, emitter.bool_type(),
                                 {ref(outside), ref(here)});
      }
      if (checked_[checked.first + n].length == 0) {
        told.index = code.emit(before, spv::Op::OpBitwiseOr, uint,
                               {ref(index), ref(emitter.constant(empty_array))});
      }
      tell(program, use, emitter, code, told);
    }
  }
}

// Told of where the access is: a pointer may be made where nobody uses it.
void BoundsProbe::tell(const Program& program, const IndexUse& use, Emitter& emitter,
                       Insertions& code, const Told& told) {
  const std::size_t at = code.place_of(use.link.first).first;
  const Id uint = emitter.uint_type();
  const auto store = [&](std::vector<Instruction>& place) {
    const Id old = code.emit(place, spv::Op::OpLoad, uint, {ref(told.found)});
    const Id now =
        code.emit(place, spv::Op::OpSelect, uint, {ref(told.outside), ref(told.index), ref(old)});
    place.push_back({spv::Op::OpStore, 0, 0, {ref(told.found), ref(now)}, {}});
  };
  const bool here =
      std::ranges::all_of(use.accesses,
                          [&](const AccessPlace& access) { return access.first == at; }) ||
      !std::ranges::all_of(use.accesses, [&](const AccessPlace& access) {
        return program.flow.dominates(at, access.first);
      });
  if (here) {
    store(code.before(code.place_of(use.link.first)));
    return;
  }
  for (const AccessPlace& access : use.accesses) {
    store(code.before(access));
  }
}

const KeptIndex* BoundsProbe::kept(const IndexLink& link) const {
  const auto found = kept_.find(link);
  return found == kept_.end() ? nullptr : &found->second;
}

std::int64_t number_of(const CheckedIndex& index, std::uint32_t word) {
  if (index.length == 0) {
    return word & ~empty_array;
  }
  return index.is_signed ? static_cast<std::int64_t>(static_cast<std::int32_t>(word)) : word;
}

}  // namespace spirv
