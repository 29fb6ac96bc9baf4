#include "spirv/analysis/values/undefined_values.h"

#include <algorithm>
#include <set>

#include "spirv/analysis/memory/scalar_place.h"
#include "spirv/module/canonical.h"
#include "spirv/module/operations.h"
#include "spirv/reflection/barriers.h"

namespace spirv {
namespace {

constexpr std::size_t most_parts = 16;  // that a scalar is said to come from

void add_parts(std::vector<UndefinedPart>& to, const std::vector<UndefinedPart>& from) {
  for (const UndefinedPart& part : from) {
    const auto at = std::ranges::lower_bound(to, part);
    if ((at == to.end() || *at != part) && to.size() < most_parts) {
      to.insert(at, part);
    }
  }
}

std::string lane_operation(const Instruction& i) {
  switch (i.op) {
    case spv::Op::OpGroupNonUniformBroadcast:
      return "subgroupBroadcast";
    case spv::Op::OpGroupNonUniformShuffle:
      return "subgroupShuffle";
    case spv::Op::OpGroupNonUniformShuffleXor:
      return "subgroupShuffleXor";
    case spv::Op::OpGroupNonUniformShuffleUp:
      return "subgroupShuffleUp";
    case spv::Op::OpGroupNonUniformShuffleDown:
      return "subgroupShuffleDown";
    case spv::Op::OpGroupNonUniformQuadBroadcast:
      return "subgroupQuadBroadcast";
    default:
      return "subgroupQuadSwap";
  }
}

// Operations whose result has as many components as an operand, each of which depends on all.
bool mixes_components(const Program& program, const Instruction& i) {
  switch (i.op) {
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpTranspose:
    case spv::Op::OpOuterProduct:
    case spv::Op::OpVectorInsertDynamic:
    case spv::Op::OpVectorExtractDynamic:
      return true;
    case spv::Op::OpExtInst: {
      // GLSL.std.450: MatrixInverse; Cross, Normalize, FaceForward, Reflect, Refract.
      const std::uint32_t number = i.word(1);
      return number == 34 || (number >= 68 && number <= 72) ||
             program.definitions.op(i.type) == spv::Op::OpTypeStruct;
    }
    default:
      return false;
  }
}

}  // namespace

bool reads_lane(spv::Op op) {
  switch (op) {
    case spv::Op::OpGroupNonUniformBroadcast:
    case spv::Op::OpGroupNonUniformShuffle:
    case spv::Op::OpGroupNonUniformShuffleXor:
    case spv::Op::OpGroupNonUniformShuffleUp:
    case spv::Op::OpGroupNonUniformShuffleDown:
    case spv::Op::OpGroupNonUniformQuadBroadcast:
    case spv::Op::OpGroupNonUniformQuadSwap:
      return true;
    default:
      return false;
  }
}

UndefinedValues::UndefinedValues(const Program& program, const Wanted& wanted)
    : program_(program), wanted_(wanted) {
  for (const std::size_t b : program.flow.order()) {
    for (std::size_t i = 0; i < program.function.blocks[b].body.size(); ++i) {
      const Instruction& instruction = program.function.blocks[b].body[i];
      if (auto parts = first_of(instruction, {b, i}); !parts.empty()) {
        values_[instruction.result] = std::move(parts);
      }
    }
  }
  for (bool more = !values_.empty(); more;) {
    more = false;
    for (const std::size_t b : program.flow.order()) {
      for (std::size_t i = 0; i < program.function.blocks[b].body.size(); ++i) {
        const Instruction& instruction = program.function.blocks[b].body[i];
        UndefinedParts parts = result_of(instruction, {b, i});
        if (parts.empty()) {
          continue;
        }
        UndefinedParts& known = values_[instruction.result];
        known.resize(parts.size());
        for (std::size_t k = 0; k < parts.size(); ++k) {
          const std::size_t before = known[k].size();
          add_parts(known[k], parts[k]);
          more = more || known[k].size() > before;
        }
      }
    }
  }
  for (const std::size_t b : program.flow.order()) {
    for (std::size_t i = 0; i < program.function.blocks[b].body.size(); ++i) {
      find_uses(program.function.blocks[b].body[i], {b, i});
    }
  }
  keep_used();
}

std::uint32_t UndefinedValues::scalars(Id value) const {
  const std::uint64_t count = program_.types.scalars(program_.definitions.of(value).type);
  return count <= most_unset_scalars ? static_cast<std::uint32_t>(count) : 0;
}

UndefinedParts UndefinedValues::first_of(const Instruction& i, const Place& place) {
  const std::string variable = unset_variable(program_.definitions, i);
  const bool lane = wanted_.lanes && reads_lane(i.op);
  const std::uint32_t count = scalars(i.result);
  if ((!lane && (variable.empty() || !wanted_.variables)) || count == 0) {
    return {};
  }
  const auto source = static_cast<std::uint32_t>(sources_.size());
  sources_.push_back({i.result, variable, lane ? lane_operation(i) : std::string()});
  UndefinedParts parts(count);
  for (std::uint32_t k = 0; k < count; ++k) {
    parts[k].push_back({source, k, lane ? std::optional(place) : std::nullopt});
  }
  return parts;
}

std::pair<std::uint32_t, std::uint32_t> UndefinedValues::part_of(Id type, const Instruction& i,
                                                                 std::size_t from) const {
  const Types& types = program_.types;
  std::uint64_t first = 0;
  for (std::size_t k = from; k < i.operands.size(); ++k) {
    const std::uint32_t member = i.word(k);
    if (types.is_struct(type)) {
      for (std::uint32_t m = 0; m < member; ++m) {
        first += types.scalars(types.element(type, m));
      }
      type = types.element(type, member);
    } else {
      type = types.element(type);
      first += member * types.scalars(type);
    }
  }
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(types.scalars(type))};
}

bool UndefinedValues::by_component(const Instruction& i) const {
  const std::uint32_t count = scalars(i.result);
  return !mixes_components(program_, i) &&
         std::ranges::all_of(i.operands, [&](const Operand& operand) {
           const std::uint32_t own =
               operand.is_id && values_.contains(operand.word) ? scalars(operand.word) : 0;
           return own <= 1 || own == count;
         });
}

// The undefined values that an instruction's result may contain; empty if it is defined.
UndefinedParts UndefinedValues::result_of(const Instruction& i, const Place& place) const {
  const std::uint32_t count = i.result == 0 || i.type == 0 ? 0 : scalars(i.result);
  if (count == 0 || i.op == spv::Op::OpLoad || is_atomic(i.op)) {
    return {};
  }
  UndefinedParts parts(count);
  bool any = false;
  const auto of = [&](std::size_t k) -> const UndefinedParts* {
    const auto known =
        i.operands.size() > k && i.operands[k].is_id ? values_.find(i.word(k)) : values_.end();
    any = any || known != values_.end();
    return known == values_.end() ? nullptr : &known->second;
  };
  const auto move = [&](const UndefinedParts* from, std::size_t first, std::size_t to,
                        std::size_t number) {
    for (std::size_t k = 0; from != nullptr && k < number; ++k) {
      if (first + k < from->size() && to + k < count) {
        add_parts(parts[to + k], (*from)[first + k]);
      }
    }
  };
  switch (i.op) {
    case spv::Op::OpPhi:
      for (std::size_t k = 0; k < i.operands.size(); k += 2) {
        move(of(k), 0, 0, count);
      }
      break;
    case spv::Op::OpCopyObject:
    case spv::Op::OpCopyLogical:
      move(of(0), 0, 0, count);
      break;
    case spv::Op::OpCompositeExtract: {
      const auto [first, number] = part_of(program_.definitions.of(i.word(0)).type, i, 1);
      move(of(0), first, 0, number);
      break;
    }
    case spv::Op::OpCompositeInsert: {
      const auto [first, number] = part_of(i.type, i, 2);
      move(of(1), 0, 0, first);
      move(of(1), first + number, first + number, count - std::min(count, first + number));
      move(of(0), 0, first, number);
      break;
    }
    case spv::Op::OpCompositeConstruct: {
      std::uint32_t first = 0;
      for (std::size_t k = 0; k < i.operands.size(); ++k) {
        move(of(k), 0, first, scalars(i.word(k)));
        first += scalars(i.word(k));
      }
      break;
    }
    case spv::Op::OpVectorShuffle: {
      const std::uint32_t length = scalars(i.word(0));
      for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t from = i.word(k + 2);
        if (from != 0xFFFFFFFF) {
          move(of(from < length ? 0 : 1), from < length ? from : from - length, k, 1);
        }
      }
      break;
    }
    default: {
      const bool apart = by_component(i);
      const bool select = i.op == spv::Op::OpSelect;
      for (std::size_t k = 0; k < i.operands.size(); ++k) {
        const UndefinedParts* from = of(k);
        for (std::size_t s = 0; from != nullptr && s < from->size(); ++s) {
          std::vector<UndefinedPart> read = (*from)[s];
          for (UndefinedPart& part : read) {
            // A selection moves what it selects.
            part.reader = select && k > 0 ? part.reader : part.reader.value_or(place);
          }
          std::ranges::sort(read);
          for (std::uint32_t to = 0; to < count; ++to) {
            if (!apart || from->size() == 1 || to == s) {
              add_parts(parts[to], read);
            }
          }
        }
      }
    }
  }
  const bool some = any && std::ranges::any_of(parts, [](const auto& p) { return !p.empty(); });
  return some ? parts : UndefinedParts();
}

void UndefinedValues::use(const Place& place, Id value, std::uint32_t scalars) {
  const auto known = values_.find(value);
  if (known == values_.end()) {
    return;
  }
  std::uint32_t matter = 0;
  for (std::uint32_t k = 0; k < known->second.size(); ++k) {
    matter |= known->second[k].empty() ? 0U : std::uint32_t{1} << k;
  }
  if ((matter & scalars) != 0) {
    uses_.push_back({place, value, matter & scalars});
  }
}

void UndefinedValues::use_texel(const Instruction& i, const Place& place) {
  using enum spv::ImageFormat;
  const Instruction& image = program_.definitions.of(program_.definitions.of(i.word(0)).type);
  std::uint32_t components = 4;
  switch (static_cast<spv::ImageFormat>(image.word(6))) {
    case Unknown:
    case R32f:
    case R16f:
    case R16:
    case R8:
    case R16Snorm:
    case R8Snorm:
    case R32i:
    case R16i:
    case R8i:
    case R32ui:
    case R16ui:
    case R8ui:
    case R64ui:
    case R64i:
      components = 1;
      break;
    case Rg32f:
    case Rg16f:
    case Rg16:
    case Rg8:
    case Rg16Snorm:
    case Rg8Snorm:
    case Rg32i:
    case Rg16i:
    case Rg8i:
    case Rg32ui:
    case Rg16ui:
    case Rg8ui:
      components = 2;
      break;
    case R11fG11fB10f:
      components = 3;
      break;
    default:
      break;
  }
  use(place, i.word(2), (1U << components) - 1);
}

void UndefinedValues::find_uses(const Instruction& i, const Place& place) {
  const auto all = [&](std::size_t from) {
    for (std::size_t k = from; k < i.operands.size(); ++k) {
      if (i.operands[k].is_id) {
        use(place, i.word(k));
      }
    }
  };
  switch (i.op) {
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
      return use(place, i.word(0));
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      return all(1);
    case spv::Op::OpStore: {
      const spv::StorageClass storage = static_cast<spv::StorageClass>(
          program_.definitions.of(program_.definitions.of(i.word(0)).type).word(0));
      const bool own =
          storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
      return own ? void() : use(place, i.word(1));
    }
    case spv::Op::OpImageTexelPointer:
    case spv::Op::OpImageRead:
    case spv::Op::OpImageFetch:
      return use(place, i.word(1));
    case spv::Op::OpImageWrite:
      use(place, i.word(1));
      return use_texel(i, place);
    default:
      return is_atomic(i.op) ? all(1) : void();
  }
}

// Values that reach no use are left out.
void UndefinedValues::keep_used() {
  std::set<Id> used;
  std::vector<Id> open;
  const auto add = [&](Id value) {
    if (values_.contains(value) && used.insert(value).second) {
      open.push_back(value);
    }
  };
  for (const UndefinedUse& use : uses_) {
    add(use.value);
  }
  while (!open.empty()) {
    const Instruction& i = program_.definitions.of(open.back());
    open.pop_back();
    for (const Operand& operand : i.operands) {
      if (operand.is_id) {
        add(operand.word);
      }
    }
  }
  std::erase_if(values_, [&](const auto& value) { return !used.contains(value.first); });
}

std::vector<std::uint32_t> UndefinedValues::index_of(const UndefinedPart& part) const {
  const UndefinedSource& source = sources_[part.source];
  return source.variable.empty()
             ? std::vector<std::uint32_t>()
             : index_of_scalar(program_, program_.definitions.of(source.value).type, part.scalar,
                               1);
}

}  // namespace spirv
