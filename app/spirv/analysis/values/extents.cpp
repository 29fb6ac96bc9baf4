#include "spirv/analysis/values/extents.h"

#include "spirv/analysis/memory/memory_layout.h"

namespace spirv {

std::optional<std::uint64_t> runtime_length(const Program& program, Id variable,
                                            std::uint32_t member) {
  const auto buffer = program.buffer_of(variable);
  const MemoryLayout layout(program);
  const Instruction* stride = program.definitions.decoration(layout.type_of(variable, member),
                                                             spv::Decoration::ArrayStride);
  if (!buffer || stride == nullptr || stride->word(2) == 0) {
    return std::nullopt;
  }
  const std::uint64_t bytes = program.launch.buffers[*buffer].bytes;
  const std::uint64_t offset = layout.member_offset(variable, member);
  return bytes < offset ? 0 : (bytes - offset) / stride->word(2);
}

}  // namespace spirv
