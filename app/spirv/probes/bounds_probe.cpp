#include "spirv/probes/bounds_probe.h"

#include <algorithm>

namespace spirv {
namespace {

constexpr std::uint32_t empty_array = 0x80000000;

}  // namespace

BoundsProbe::BoundsProbe(const Bounds& bounds, bool tells) : bounds_(bounds), tells_(tells) {
  for (std::size_t n = 0; n < bounds.all().size(); ++n) {
    const IndexUse& use = bounds.all()[n];
    if (!use.proven) {
      uses_.push_back(n);
      checked_.push_back({use.at, use.name, use.storage,
                          std::min<std::uint64_t>(use.length, 0xFFFFFFFF), use.is_signed,
                          use.coordinate, use.extent});
    }
  }
}

void BoundsProbe::write(const Program& program, Emitter& emitter, Insertions& code,
                        const std::vector<Id>& found) {
  const Id uint = emitter.uint_type();
  for (std::size_t n = 0; n < uses_.size(); ++n) {
    const IndexUse& use = bounds_.all()[uses_[n]];
    const CodePlace at = code.place_of(use.link.first);
    std::vector<Instruction>& before = code.before(at);
    const Id index = code.as_word(before, use.index);
    const auto length = static_cast<std::uint32_t>(checked_[n].length);
    const Id outside = code.emit(before, spv::Op::OpUGreaterThanEqual, emitter.bool_type(),
                                 {ref(index), ref(emitter.constant(length))});
    const Id last = emitter.constant(length == 0 ? 0 : length - 1);
    const Id inside =
        code.emit(before, spv::Op::OpSelect, uint, {ref(outside), ref(last), ref(index)});
    kept_[use.link] = {inside, outside};
    // Coordinates make up a vector of their own type.
    const Id type = program.definitions.of(use.index).type;
    const bool as_it_was = use.storage == spv::StorageClass::Image && type != uint;
    const Id operand =
        as_it_was ? code.emit(before, spv::Op::OpBitcast, type, {ref(inside)}) : inside;
    code.function().blocks[at.first].body[at.second].operands[use.link.second] = ref(operand);
    if (!tells_) {
      continue;
    }
    // Told of where the access is: a pointer may be made where nobody uses it.
    const bool here =
        std::ranges::all_of(use.accesses,
                            [&](const AccessPlace& access) { return access.first == at.first; }) ||
        !std::ranges::all_of(use.accesses, [&](const AccessPlace& access) {
          return program.flow.dominates(at.first, access.first);
        });
    const auto tell = [&](std::vector<Instruction>& place) {
      const Id word = length == 0 ? code.emit(place, spv::Op::OpBitwiseOr, uint,
                                              {ref(index), ref(emitter.constant(empty_array))})
                                  : index;
      const Id old = code.emit(place, spv::Op::OpLoad, uint, {ref(found[n])});
      const Id now = code.emit(place, spv::Op::OpSelect, uint, {ref(outside), ref(word), ref(old)});
      place.push_back({spv::Op::OpStore, 0, 0, {ref(found[n]), ref(now)}, {}});
    };
    if (here) {
      tell(before);
      continue;
    }
    for (const AccessPlace& access : use.accesses) {
      tell(code.before(access));
    }
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
