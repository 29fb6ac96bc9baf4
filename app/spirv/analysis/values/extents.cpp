#include "spirv/analysis/values/extents.h"

#include <algorithm>

#include "spirv/analysis/memory/memory_layout.h"

namespace spirv {

std::span<const BoundBuffer> bound_to(const Program& program, Id variable) {
  const Instruction* binding = program.definitions.decoration(variable, spv::Decoration::Binding);
  const std::span<const BoundBuffer> buffers = program.launch.buffers;
  if (binding == nullptr || binding->word(2) >= buffers.size()) {
    return {};
  }
  const auto from = buffers.subspan(binding->word(2));
  const Id type = program.definitions.of(program.definitions.of(variable).type).word(1);
  const auto is_array = [&](Id t) {
    const spv::Op op = program.definitions.op(t);
    return op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray;
  };
  if (!is_array(type)) {
    return from.first(1);
  }
  if (is_array(program.types.element(type))) {
    return {};  // arrays of arrays are not understood
  }
  const std::uint64_t declared = program.types.length(type);  // 0: as many as there are
  const std::uint64_t bound = std::min<std::uint64_t>(from.front().descriptors, from.size());
  return from.first(declared == 0 ? bound : std::min(declared, bound));
}

std::span<const BoundBuffer> bound_to(const Program& program, Id variable, Id index) {
  const auto all = bound_to(program, variable);
  const auto known = index == 0 ? std::optional<std::uint64_t>(0) : program.constants.scalar(index);
  return known && !all.empty() ? all.subspan(std::min<std::size_t>(*known, all.size() - 1), 1)
                               : all;
}

std::uint64_t runtime_length(const Program& program, Id variable, std::uint32_t member,
                             const BoundBuffer& buffer) {
  const MemoryLayout layout(program);
  const Instruction* stride = program.definitions.decoration(layout.type_of(variable, member),
                                                             spv::Decoration::ArrayStride);
  const std::uint64_t offset = layout.member_offset(variable, member);
  return stride == nullptr || stride->word(2) == 0 || buffer.bytes < offset
             ? 0
             : (buffer.bytes - offset) / stride->word(2);
}

std::optional<std::uint64_t> runtime_length(const Program& program, Id pointer,
                                            std::uint32_t member) {
  const PointerPath path = program.path(pointer);
  if (path.variable == 0 || !program.buffer_of(path.variable) || path.indices.size() > 1) {
    return std::nullopt;
  }
  const Id index = path.indices.empty() ? 0 : path.indices.front();
  std::optional<std::uint64_t> length;
  for (const BoundBuffer& buffer : bound_to(program, path.variable, index)) {
    const std::uint64_t own = runtime_length(program, path.variable, member, buffer);
    if (length && *length != own) {
      return std::nullopt;
    }
    length = own;
  }
  return length;
}

}  // namespace spirv
