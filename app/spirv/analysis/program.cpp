#include "spirv/analysis/program.h"

#include <algorithm>
#include <utility>

namespace spirv {

Program::Program(Module m, Interface i, std::size_t entry)
    : module(std::move(m)),
      definitions(module),
      constants(definitions, {}),
      types(definitions, constants),
      interface(std::move(i)),
      function(module.functions[entry]),
      flow(function),
      block_of_(module.bound, ControlFlow::none) {
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    for (const Instruction& instruction : function.blocks[b].body) {
      block_of_[instruction.result] = b;
    }
  }
}

Expected<std::unique_ptr<Program>> Program::open(std::span<const std::uint32_t> words) {
  auto module = parse(words);
  if (!module) {
    return std::unexpected(module.error());
  }
  auto interface = reflect(*module, {});
  if (!interface) {
    return std::unexpected(interface.error());
  }
  const Id id = compute_entry(*module)->word(1);
  const auto entry = std::ranges::find(module->functions, id, &Function::id);
  if (entry == module->functions.end() || entry->blocks.empty()) {
    return core::usage_error("the module's entry point has no body");
  }
  for (const Block& block : entry->blocks) {
    for (const Instruction& i : block.body) {
      if (i.op == spv::Op::OpFunctionCall) {
        return core::usage_error("a function call can't be inlined", static_cast<int>(i.at.line));
      }
    }
  }
  const auto number = static_cast<std::size_t>(entry - module->functions.begin());
  return std::unique_ptr<Program>(new Program(std::move(*module), std::move(*interface), number));
}

std::uint32_t Program::invocations() const {
  const auto& size = interface.local_size;
  const std::uint64_t count = std::uint64_t{size[0]} * size[1] * size[2];
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xFFFFFFFF));
}

PointerPath Program::path(Id pointer) const {
  PointerPath result;
  for (int depth = 0; depth < 64; ++depth) {
    const Instruction& i = definitions.of(pointer);
    switch (i.op) {
      case spv::Op::OpVariable:
        result.variable = pointer;
        return result;
      case spv::Op::OpCopyObject:
        pointer = i.word(0);
        break;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain: {
        std::vector<Id> indices;
        for (std::size_t k = 1; k < i.operands.size(); ++k) {
          indices.push_back(i.word(k));
        }
        result.indices.insert(result.indices.begin(), indices.begin(), indices.end());
        pointer = i.word(0);
        break;
      }
      default:
        return {};
    }
  }
  return {};
}

spv::StorageClass Program::storage(Id variable) const {
  const Instruction& i = definitions.of(variable);
  return i.op == spv::Op::OpVariable ? static_cast<spv::StorageClass>(i.word(0))
                                     : spv::StorageClass::Max;
}

std::optional<spv::BuiltIn> Program::built_in(Id variable) const {
  const Instruction* i = definitions.decoration(variable, spv::Decoration::BuiltIn);
  return i == nullptr ? std::nullopt : std::optional(static_cast<spv::BuiltIn>(i->word(2)));
}

std::size_t Program::block_of(Id value) const {
  return value < block_of_.size() ? block_of_[value] : ControlFlow::none;
}

std::string Program::file(const SourceLine& at) const {
  const Instruction& i = definitions.of(at.file);
  return i.op == spv::Op::OpString ? text(i, 0) : std::string();
}

}  // namespace spirv
