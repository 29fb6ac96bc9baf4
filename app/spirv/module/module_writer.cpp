#include "spirv/module/module.h"

namespace spirv {
namespace {

// Writes instructions, with OpLine wherever the line changes.
class Writer {
 public:
  explicit Writer(const Module& module) {
    words_ = {spv::MagicNumber, module.version, module.generator, module.bound, 0};
  }

  void line(const SourceLine& at) {
    if (at == line_) {
      return;
    }
    if (at.file == 0) {
      words_.push_back(std::uint32_t{1} << 16U | static_cast<std::uint32_t>(spv::Op::OpNoLine));
    } else {
      words_.insert(words_.end(),
                    {std::uint32_t{4} << 16U | static_cast<std::uint32_t>(spv::Op::OpLine), at.file,
                     at.line, at.column});
    }
    line_ = at;
  }

  void plain(spv::Op op, Id type, Id result, std::span<const Operand> operands) {
    const std::size_t count =
        1U + (type != 0 ? 1U : 0U) + (result != 0 ? 1U : 0U) + operands.size();
    words_.push_back(static_cast<std::uint32_t>(count) << 16U | static_cast<std::uint32_t>(op));
    if (type != 0) {
      words_.push_back(type);
    }
    if (result != 0) {
      words_.push_back(result);
    }
    for (const Operand& operand : operands) {
      words_.push_back(operand.word);
    }
  }

  void instruction(const Instruction& i) {
    line(i.at);
    plain(i.op, i.type, i.result, i.operands);
  }

  void block(const Block& block) {
    line(block.at);
    plain(spv::Op::OpLabel, 0, block.label, {});
    bool after_merge = false;
    for (const Instruction& i : block.body) {
      // Nothing may stand between a merge instruction and the branch it belongs to.
      if (!after_merge) {
        line(i.at);
      }
      plain(i.op, i.type, i.result, i.operands);
      after_merge = i.op == spv::Op::OpSelectionMerge || i.op == spv::Op::OpLoopMerge;
    }
    line_ = {};
  }

  void function(const Function& function) {
    instruction(function.header);
    for (const Instruction& parameter : function.parameters) {
      instruction(parameter);
    }
    for (const Block& b : function.blocks) {
      block(b);
    }
    line(function.end);
    plain(spv::Op::OpFunctionEnd, 0, 0, {});
    line_ = {};
  }

  Words words() && { return std::move(words_); }

 private:
  Words words_;
  SourceLine line_;
};

}  // namespace

Words write(const Module& module) {
  Writer writer(module);
  for (const Instruction& i : module.preamble) {
    writer.instruction(i);
  }
  for (const Function& function : module.functions) {
    writer.function(function);
  }
  return std::move(writer).words();
}

}  // namespace spirv
