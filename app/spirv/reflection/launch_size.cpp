#include "spirv/reflection/launch_size.h"

#include <map>
#include <optional>

#include "spirv/module/emitter.h"

namespace spirv {
namespace {

Id variable_of(const Module& module, spv::BuiltIn built_in) {
  for (const Instruction& i : module.preamble) {
    if (i.op == spv::Op::OpDecorate && spv::Decoration(i.word(1)) == spv::Decoration::BuiltIn &&
        spv::BuiltIn(i.word(2)) == built_in) {
      return i.word(0);
    }
  }
  return 0;
}

// Pointers to one component of a vector variable: which one, by the pointer's id.
using Components = std::map<Id, Operand>;

Components components_of(const Module& module, Id variable) {
  Components found;
  for (const Function& function : module.functions) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.body) {
        const bool chain = i.op == spv::Op::OpAccessChain || i.op == spv::Op::OpInBoundsAccessChain;
        if (chain && i.word(0) == variable && i.operands.size() == 2) {
          found[i.result] = i.operands[1];
        }
      }
    }
  }
  return found;
}

}  // namespace

void freeze_launch_size(Module& module, const std::array<std::uint32_t, 3>& groups) {
  const Id variable = variable_of(module, spv::BuiltIn::NumWorkgroups);
  if (variable == 0) {
    return;
  }
  const Components components = components_of(module, variable);
  Emitter emitter(module);
  const Id uint = emitter.uint_type();
  const Id vector = emitter.vector_type(uint, 3);
  std::vector<Operand> size;
  for (const std::uint32_t count : groups) {
    size.push_back(ref(emitter.constant(count)));
  }
  for (Function& function : module.functions) {
    for (Block& block : function.blocks) {
      std::vector<Instruction> body;
      for (Instruction& i : block.body) {
        const auto component = components.find(i.word(0));
        if (i.op == spv::Op::OpLoad && i.word(0) == variable && i.type == vector) {
          i.op = spv::Op::OpCompositeConstruct;
          i.operands = size;
        } else if (i.op == spv::Op::OpLoad && component != components.end() && i.type == uint) {
          body.push_back({spv::Op::OpCompositeConstruct, vector, module.fresh(), size, i.at});
          i.op = spv::Op::OpVectorExtractDynamic;
          i.operands = {ref(body.back().result), component->second};
        }
        body.push_back(std::move(i));
      }
      block.body = std::move(body);
    }
  }
}

void set_local_size(Module& module, const std::string& entry,
                    const std::array<std::uint32_t, 3>& size) {
  Id function = 0;
  for (Instruction& i : module.preamble) {
    if (i.op == spv::Op::OpEntryPoint && text(i, 2) == entry) {
      function = i.word(1);
    }
    const bool mode = i.op == spv::Op::OpExecutionMode && i.word(0) == function &&
                      spv::ExecutionMode(i.word(1)) == spv::ExecutionMode::LocalSize;
    for (std::size_t d = 0; mode && d < size.size(); ++d) {
      i.operands[2 + d] = literal(size[d]);
    }
  }
}

}  // namespace spirv
