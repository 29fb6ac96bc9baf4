#include "spirv/analysis/memory/bounds.h"

#include <algorithm>
#include <functional>

#include "spirv/analysis/memory/texel_access.h"
#include "spirv/analysis/values/extents.h"
#include "spirv/reflection/addresses.h"

namespace spirv {
namespace {

bool is_chain(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain;
}

}  // namespace

Bounds::Bounds(const Program& program, const LaunchFacts& guessed)
    : program_(program), intervals_(program, guessed) {
  for (const std::size_t b : program.flow.order()) {
    for (std::size_t i = 0; i < program.function.blocks[b].body.size(); ++i) {
      visit({b, i});
    }
  }
  for (IndexUse& use : uses_) {
    const std::size_t home = program.block_of(use.link.first);
    use.proven =
        program.launch.proofs && std::ranges::all_of(use.accesses, [&](const AccessPlace& place) {
          // A pointer that is chosen from several may be used where its index is not known.
          const bool behind = program.flow.dominates(home, place.first);
          return !intervals_.may_run(place.first) || is_inside(use, behind ? place.first : home);
        });
  }
}

bool Bounds::is_inside(const IndexUse& use, std::size_t block) const {
  std::size_t first = 0;
  std::size_t last = use.rooms.size() - 1;
  if (use.descriptor != 0) {
    const Interval chosen = intervals_.of(use.descriptor, block);
    first = chosen.empty() ? 0 : std::min<std::size_t>(chosen.low, last);
    last = chosen.empty() ? last : std::min<std::size_t>(chosen.high, last);
  }
  for (std::size_t n = first; n <= last; ++n) {
    if (!intervals_.below(use.index, block, use.rooms[n].length)) {
      return false;
    }
  }
  return true;
}

void Bounds::visit(const AccessPlace& place) {
  const Instruction& i = program_.function.blocks[place.first].body[place.second];
  texel(i, place);
  switch (i.op) {
    case spv::Op::OpVectorExtractDynamic:
      return component(i, 1, place);
    case spv::Op::OpVectorInsertDynamic:
      return component(i, 2, place);
    case spv::Op::OpGroupNonUniformShuffle:
    case spv::Op::OpGroupNonUniformShuffleXor:
    case spv::Op::OpGroupNonUniformShuffleUp:
    case spv::Op::OpGroupNonUniformShuffleDown:
    case spv::Op::OpGroupNonUniformBroadcast:
      return lane(i, place);
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpCopyObject:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpPhi:
    case spv::Op::OpSelect:
      return;
    default:
      break;
  }
  for (const Operand& operand : i.operands) {
    const Id type = operand.is_id ? program_.definitions.of(operand.word).type : 0;
    if (type != 0 && program_.definitions.op(type) == spv::Op::OpTypePointer) {
      pointer(operand.word, place);
    }
  }
}

// All chains that make up a pointer, as far as they can be followed.
void Bounds::pointer(Id pointer, const AccessPlace& place) {
  std::vector<Id> left{pointer};
  std::vector<Id> seen;
  while (!left.empty()) {
    const Id id = left.back();
    left.pop_back();
    if (std::ranges::find(seen, id) != seen.end()) {
      continue;
    }
    seen.push_back(id);
    const Instruction& i = program_.definitions.of(id);
    if (is_chain(i.op)) {
      chain(i, place);
    }
    if (i.op == spv::Op::OpPtrAccessChain &&
        program_.constants.scalar(i.word(1)) != std::optional<std::uint64_t>(0)) {
      not_understood_.insert(
          "line " +
          std::to_string(program_.function.blocks[place.first].body[place.second].at.line) +
          ": the element that pointer arithmetic leads to is not checked");
    }
    if (is_chain(i.op) || i.op == spv::Op::OpCopyObject || i.op == spv::Op::OpPtrAccessChain) {
      left.push_back(i.word(0));
    } else if (i.op == spv::Op::OpSelect) {
      left.insert(left.end(), {i.word(1), i.word(2)});
    } else if (i.op == spv::Op::OpPhi) {
      for (std::size_t k = 0; k < i.operands.size(); k += 2) {
        left.push_back(i.word(k));
      }
    }
  }
}

Bounds::Step Bounds::start(Id base) const {
  Step at;
  at.type = program_.definitions.of(program_.definitions.of(base).type).word(1);
  const PointerPath path = program_.path(base);
  at.variable = path.variable;
  at.name = program_.definitions.name(path.variable);
  const Id whole = program_.definitions.of(program_.definitions.of(path.variable).type).word(1);
  at.known = path.variable != 0;
  if (path.indices.empty()) {
    return at;
  }
  Step from = at;
  from.type = whole;
  for (const Id index : path.indices) {
    enter(from, index, stride_of(from.type));
  }
  return from;
}

std::uint64_t Bounds::stride_of(Id type) const {
  const Instruction* stride = program_.definitions.decoration(type, spv::Decoration::ArrayStride);
  return stride != nullptr ? stride->word(2) : 0;
}

bool Bounds::is_array_of_descriptors(const Step& at) const {
  const Id whole = program_.definitions.of(program_.definitions.of(at.variable).type).word(1);
  const spv::Op op = program_.definitions.op(at.type);
  return at.variable != 0 && at.type == whole &&
         program_.definitions.decoration(at.variable, spv::Decoration::Binding) != nullptr &&
         (op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray);
}

// Into a descriptor, a member or an element.
void Bounds::enter(Step& at, Id index, std::uint64_t stride) const {
  if (is_array_of_descriptors(at)) {
    at.descriptor = index;
    at.type = program_.types.element(at.type);
    return;
  }
  const auto constant = program_.constants.scalar(index);
  if (program_.types.is_struct(at.type)) {
    const auto member = static_cast<std::uint32_t>(constant.value_or(0));
    const Instruction* offset =
        program_.definitions.decoration(at.type, member, spv::Decoration::Offset);
    at.offset += offset != nullptr ? offset->word(3) : 0;
    if (const std::string name = program_.definitions.member_name(at.type, member); !name.empty()) {
      at.name = name;
    }
    at.type = program_.types.element(at.type, member);
    return;
  }
  at.known = at.known && constant && *constant < 0xFFFFFFFF;
  at.offset += at.known ? *constant * stride : 0;
  at.type = program_.types.element(at.type);
}

// Of a buffer no more than is bound of it.
std::optional<std::uint64_t> Bounds::length_of(const Step& at, const BoundBuffer* buffer) const {
  const bool runtime = program_.definitions.op(at.type) == spv::Op::OpTypeRuntimeArray;
  const std::uint64_t length = program_.types.length(at.type);
  const std::uint64_t stride = stride_of(at.type);
  if (buffer == nullptr || !at.known || stride == 0) {
    return runtime || length == 0 ? std::nullopt : std::optional(length);
  }
  const std::uint64_t left = buffer->bytes < at.offset ? 0 : buffer->bytes - at.offset;
  if (runtime) {
    return left / stride;
  }
  const std::uint64_t one = program_.types.explicit_bytes(program_.types.element(at.type));
  const std::uint64_t whole = left < one ? 0 : (left - one) / stride + 1;
  return one == 0 ? length : std::min(length, whole);
}

std::vector<IndexRoom> Bounds::rooms_of(const Step& at) const {
  const auto all = bound_to(program_, at.variable);
  if (is_array_of_descriptors(at) && !all.empty()) {
    return {{all.size(), {}}};
  }
  std::vector<IndexRoom> rooms;
  const auto add = [&](const BoundBuffer* buffer) {
    const auto length = length_of(at, buffer);
    if (length) {
      rooms.push_back({*length, {}});
    }
  };
  const bool buffers = program_.buffer_of(at.variable) && !is_array_of_descriptors(at);
  for (const BoundBuffer& buffer : bound_to(program_, at.variable, at.descriptor)) {
    if (buffers) {
      add(&buffer);
    }
  }
  if (!buffers || all.empty()) {
    add(nullptr);
  }
  return rooms;
}

void Bounds::chain(const Instruction& i, const AccessPlace& place) {
  Step at = start(i.word(0));
  for (std::uint32_t k = 1; k < i.operands.size(); ++k) {
    step(at, i, k, place);
  }
}

void Bounds::step(Step& at, const Instruction& i, std::uint32_t operand, const AccessPlace& place) {
  const Id index = i.word(operand);
  if (!program_.types.is_struct(at.type)) {
    const auto constant = program_.constants.scalar(index);
    std::vector<IndexRoom> rooms = rooms_of(at);
    if (rooms.empty()) {
      const std::string why =
          "indices into " + (at.name.empty() ? "memory" : at.name) + ", whose length is not known";
      if (!is_address(program_.definitions, i.word(0))) {
        leave(why);
      }
    } else if (!constant || std::ranges::any_of(rooms, [&](const IndexRoom& room) {
                 return *constant >= room.length;
               })) {
      IndexUse found;
      found.link = {i.result, operand};
      found.index = index;
      found.rooms = std::move(rooms);
      found.descriptor = at.descriptor;
      found.variable = at.variable;
      found.name = at.name;
      found.storage = static_cast<spv::StorageClass>(
          program_.definitions.of(program_.definitions.of(i.word(0)).type).word(0));
      use(std::move(found), place);
    }
  }
  enter(at, index, stride_of(at.type));
}

void Bounds::leave(const std::string& why) {
  if (std::ranges::find(not_covered_, why) == not_covered_.end()) {
    not_covered_.push_back(why);
  }
}

void Bounds::texel(const Instruction& i, const AccessPlace& place) {
  const auto access = texel_access(program_, i);
  if (!access || !*access || (*access)->sampled) {
    if (!access && (i.op == spv::Op::OpImageWrite || i.op == spv::Op::OpImageRead)) {
      leave("coordinates of images in an array of arrays");
    }
    return;
  }
  const std::vector<Id> parts = coordinate_parts(program_, (*access)->coordinates);
  const auto extents = image_extents(program_, **access, parts.size());
  const std::string name = program_.definitions.name((*access)->variable);
  if (parts.empty() || extents.empty()) {
    leave("coordinates of " + (name.empty() ? "an image" : name) + ", whose extent is not known");
    return;
  }
  IndexUse found;
  found.variable = (*access)->variable;
  found.name = name.empty() ? "an image" : name;
  found.storage = spv::StorageClass::Image;
  found.descriptor = (*access)->descriptor;
  found.reads_texel = (*access)->access == core::Access::read && !(*access)->writes;
  for (std::uint32_t k = 0; k < parts.size(); ++k) {
    const auto constant = program_.constants.scalar(parts[k]);
    if (constant && std::ranges::all_of(extents, [&](const ImageExtent& extent) {
          return *constant < extent[k];
        })) {
      continue;
    }
    found.link = {(*access)->coordinates, k};
    found.index = parts[k];
    found.rooms.clear();
    for (const ImageExtent& extent : extents) {
      found.rooms.push_back({extent[k], extent});
    }
    found.coordinate = k;
    use(found, place);
  }
  constexpr std::uint32_t kOffsets =
      static_cast<std::uint32_t>(spv::ImageOperandsMask::ConstOffset) |
      static_cast<std::uint32_t>(spv::ImageOperandsMask::Offset);
  if (i.op == spv::Op::OpImageFetch && i.operands.size() > 2 && (i.word(2) & kOffsets) != 0) {
    leave("offsets of texelFetchOffset in " + found.name);
  }
  // There is one level of every image.
  const bool level = i.op == spv::Op::OpImageFetch && i.operands.size() > 3 &&
                     (i.word(2) & static_cast<std::uint32_t>(spv::ImageOperandsMask::Lod)) != 0;
  if (level && program_.constants.scalar(i.word(3)) != std::optional<std::uint64_t>(0)) {
    found.link = {i.result, 3};
    found.index = i.word(3);
    found.rooms = {{1, {}}};
    found.descriptor = 0;
    found.reads_texel = false;
    found.name += "'s levels";
    use(found, place);
  }
}

void Bounds::component(const Instruction& i, std::uint32_t operand, const AccessPlace& place) {
  IndexUse found;
  found.link = {i.result, operand};
  found.index = i.word(operand);
  found.rooms = {{program_.types.length(program_.definitions.of(i.word(0)).type), {}}};
  found.name = program_.definitions.name(i.word(0));
  if (found.name.empty()) {
    found.name = "a vector";
  }
  use(std::move(found), place);
}

// A lane, or what is added to the own one. The size of a subgroup is a power of two: lane ^ mask
// exists if the mask is below it. Up and down by less, some lanes get a defined value.
void Bounds::lane(const Instruction& i, const AccessPlace& place) {
  const std::uint32_t lanes = program_.launch.subgroup;
  const auto constant = program_.constants.scalar(i.word(2));
  if (lanes == 0 || (constant && *constant < lanes)) {
    return;
  }
  IndexUse found;
  found.link = {i.result, 2};
  found.index = i.word(2);
  found.rooms = {{lanes, {}}};
  found.name = "the lanes of a subgroup";
  use(std::move(found), place);
}

void Bounds::use(IndexUse found, const AccessPlace& place) {
  const auto known = std::ranges::find(uses_, found.link, &IndexUse::link);
  if (known != uses_.end()) {
    known->accesses.push_back(place);
    known->reads_texel = known->reads_texel && found.reads_texel;
    return;
  }
  if (std::ranges::adjacent_find(found.rooms, std::not_equal_to<>()) == found.rooms.end()) {
    found.rooms.resize(1);  // wherever it goes
    found.descriptor = 0;
  }
  const Instruction& type = program_.definitions.of(program_.definitions.of(found.index).type);
  found.is_signed = type.op == spv::Op::OpTypeInt && type.word(1) != 0;
  found.at = program_.function.blocks[place.first].body[place.second].at;
  found.accesses.push_back(place);
  uses_.push_back(std::move(found));
}

}  // namespace spirv
