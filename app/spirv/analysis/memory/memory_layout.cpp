#include "spirv/analysis/memory/memory_layout.h"

#include <algorithm>

#include "core/base/ceil_div.h"

namespace spirv {

bool MemoryLayout::is_block(Id variable) const {
  const Id type = type_of(variable, std::nullopt);
  return program_.definitions.decoration(type, spv::Decoration::Block) != nullptr ||
         program_.definitions.decoration(type, spv::Decoration::BufferBlock) != nullptr;
}

Id MemoryLayout::type_of(Id variable, std::optional<std::uint32_t> member) const {
  const Id pointer = program_.definitions.of(variable).type;
  Id type = program_.definitions.of(pointer).word(1);
  if (is_array_of_blocks(variable)) {
    type = program_.types.element(type);
  }
  return member ? program_.types.element(type, *member) : type;
}

bool MemoryLayout::is_array_of_blocks(Id variable) const {
  const spv::StorageClass storage = program_.storage(variable);
  const Id type = program_.definitions.of(program_.definitions.of(variable).type).word(1);
  const spv::Op op = program_.definitions.op(type);
  return (storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform) &&
         (op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray);
}

std::uint64_t MemoryLayout::member_offset(Id variable, std::uint32_t member) const {
  const Id type = type_of(variable, std::nullopt);
  return enter({type, is_block(variable)}, member).offset;
}

std::uint64_t MemoryLayout::block_member_offset(Id block, std::uint32_t member) const {
  return enter({block, true}, member).offset;
}

MemoryLayout::Step MemoryLayout::enter_struct(const Node& node, std::uint32_t member) const {
  const auto decoration = [&](spv::Decoration d) {
    return program_.definitions.decoration(node.type, member, d);
  };
  Step step{{program_.types.element(node.type, member), node.laid_out}};
  if (node.laid_out) {
    const Instruction* offset = decoration(spv::Decoration::Offset);
    const Instruction* stride = decoration(spv::Decoration::MatrixStride);
    step.offset = offset != nullptr ? offset->word(3) : 0;
    step.to.matrix_stride = stride != nullptr ? stride->word(3) : 0;
    step.to.row_major = decoration(spv::Decoration::RowMajor) != nullptr;
    return step;
  }
  for (std::uint32_t m = 0; m <= member; ++m) {
    const Id type = program_.types.element(node.type, m);
    const std::uint64_t alignment = std::max<std::uint64_t>(program_.types.alignment(type), 1);
    step.offset = core::round_up(step.offset, alignment);
    step.offset += m < member ? program_.types.bytes(type) : 0;
  }
  return step;
}

MemoryLayout::Step MemoryLayout::enter(const Node& node, std::uint32_t member) const {
  if (program_.types.is_struct(node.type)) {
    return enter_struct(node, member);
  }
  Step step{node};
  step.to.type = program_.types.element(node.type);
  step.stride = program_.types.bytes(step.to.type);
  switch (program_.definitions.op(node.type)) {
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      if (const Instruction* stride =
              program_.definitions.decoration(node.type, spv::Decoration::ArrayStride);
          node.laid_out && stride != nullptr) {
        step.stride = stride->word(2);
      }
      break;
    case spv::Op::OpTypeMatrix:
      if (node.matrix_stride != 0 && node.row_major) {
        step.to.component_step = node.matrix_stride;
        step.stride = program_.types.bytes(program_.types.element(step.to.type));
      } else if (node.matrix_stride != 0) {
        step.stride = node.matrix_stride;
      }
      break;
    default:
      step.stride = node.component_step != 0 ? node.component_step : step.stride;
      break;
  }
  step.offset = member * step.stride;
  return step;
}

std::optional<MemoryPlace> MemoryLayout::place(const PointerPath& path, std::uint64_t most) const {
  MemoryPlace place;
  place.variable = path.variable;
  const std::uint32_t first = is_array_of_blocks(path.variable) ? 1 : 0;
  if (first == 1) {
    if (path.indices.empty()) {
      return std::nullopt;
    }
    const auto known = program_.constants.scalar(path.indices[0]);
    place.descriptor = static_cast<std::uint32_t>(known.value_or(0));
    place.chosen = known ? 0 : path.indices[0];
  }
  const Node node{type_of(path.variable, std::nullopt), is_block(path.variable)};
  return descend(std::move(place), node, path.indices, first, most);
}

std::optional<MemoryPlace> MemoryLayout::place(const AddressedPath& path,
                                               std::uint64_t most) const {
  return descend({}, {path.block, true}, path.indices, 0, most);
}

std::optional<MemoryPlace> MemoryLayout::descend(MemoryPlace place, Node node,
                                                 const std::vector<Id>& indices,
                                                 std::uint32_t first, std::uint64_t most) const {
  const bool block = node.laid_out && program_.types.is_struct(node.type);
  for (std::uint32_t k = first; k < indices.size(); ++k) {
    const auto known = program_.constants.scalar(indices[k]);
    const std::uint64_t length = program_.types.length(node.type);
    const bool inside = known && (*known < length || (length == 0 && *known >> 32U == 0));
    if (program_.types.is_struct(node.type) && !inside) {
      return std::nullopt;
    }
    const Step step = enter(node, inside ? static_cast<std::uint32_t>(*known) : 0);
    if (block && k == first && inside) {
      place.member = static_cast<std::uint32_t>(*known);
    } else if (inside) {
      place.offset += step.offset;
    } else {
      place.terms.push_back({indices[k], step.stride, length, k});
    }
    node = step.to;
  }
  place.type = node.type;
  const std::uint64_t scalars = program_.types.scalars(node.type);
  if (scalars == 0 || scalars > most) {
    return std::nullopt;
  }
  collect(node, {}, place.scalars);
  return place;
}

void MemoryLayout::collect(const Node& node, PlacedScalar at,
                           std::vector<PlacedScalar>& scalars) const {
  if (program_.types.is_scalar(node.type)) {
    at.type = node.type;
    scalars.push_back(std::move(at));
    return;
  }
  const auto members = static_cast<std::uint32_t>(program_.types.length(node.type));
  for (std::uint32_t m = 0; m < members; ++m) {
    const Step step = enter(node, m);
    PlacedScalar inner = at;
    inner.path.push_back(m);
    inner.offset += step.offset;
    collect(step.to, std::move(inner), scalars);
  }
}

}  // namespace spirv
