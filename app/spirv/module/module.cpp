#include "spirv/module/module.h"

#include <algorithm>

namespace spirv {
namespace {

const Instruction& nothing() {
  static const Instruction nop;
  return nop;
}

}  // namespace

const Instruction* compute_entry(const Module& module) {
  for (const Instruction& i : module.preamble) {
    if (i.op == spv::Op::OpEntryPoint &&
        i.word(0) == static_cast<std::uint32_t>(spv::ExecutionModel::GLCompute)) {
      return &i;
    }
  }
  return nullptr;
}

bool is_terminator(spv::Op op) {
  switch (op) {
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpKill:
    case spv::Op::OpUnreachable:
    case spv::Op::OpTerminateInvocation:
    case spv::Op::OpIgnoreIntersectionKHR:
    case spv::Op::OpTerminateRayKHR:
    case spv::Op::OpEmitMeshTasksEXT:
      return true;
    default:
      return false;
  }
}

std::vector<Id> Block::successors() const {
  std::vector<Id> labels;
  if (body.empty()) {
    return labels;
  }
  const auto add = [&labels](Id target) {
    if (std::ranges::find(labels, target) == labels.end()) {
      labels.push_back(target);
    }
  };
  const Instruction& end = terminator();
  switch (end.op) {
    case spv::Op::OpBranch:
      add(end.word(0));
      break;
    case spv::Op::OpBranchConditional:
      add(end.word(1));
      add(end.word(2));
      break;
    case spv::Op::OpSwitch:
      for (std::size_t i = 1; i < end.operands.size(); ++i) {
        if (end.operands[i].is_id) {
          add(end.operands[i].word);
        }
      }
      break;
    default:
      break;
  }
  return labels;
}

std::string text(const Instruction& instruction, std::size_t first, std::size_t* length) {
  std::string result;
  std::size_t i = first;
  for (; i < instruction.operands.size(); ++i) {
    std::uint32_t word = instruction.operands[i].word;
    for (int byte = 0; byte < 4; ++byte, word >>= 8U) {
      const char c = static_cast<char>(word & 0xFFU);
      if (c == '\0') {
        if (length != nullptr) {
          *length = i + 1 - first;
        }
        return result;
      }
      result.push_back(c);
    }
  }
  if (length != nullptr) {
    *length = i - std::min(i, first);
  }
  return result;
}

std::vector<Operand> text_operands(const std::string& text) {
  std::vector<Operand> operands(text.size() / 4 + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    operands[i / 4].word |= std::uint32_t{static_cast<unsigned char>(text[i])} << (8U * (i % 4));
  }
  return operands;
}

Definitions::Definitions(const Module& module) : defined_(module.bound), about_(module.bound) {
  for (const Instruction& i : module.preamble) {
    note(i);
  }
  for (const Function& function : module.functions) {
    note(function.header);
    for (const Instruction& i : function.parameters) {
      note(i);
    }
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.body) {
        note(i);
      }
    }
  }
}

void Definitions::note(const Instruction& instruction) {
  if (instruction.result != 0 && instruction.result < defined_.size()) {
    defined_[instruction.result] = &instruction;
  }
  switch (instruction.op) {
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpMemberDecorate:
      if (instruction.word(0) < about_.size()) {
        about_[instruction.word(0)].push_back(&instruction);
      }
      break;
    default:
      break;
  }
}

const Instruction& Definitions::of(Id id) const {
  return id < defined_.size() && defined_[id] != nullptr ? *defined_[id] : nothing();
}

std::string Definitions::name(Id id) const {
  if (id < about_.size()) {
    for (const Instruction* i : about_[id]) {
      if (i->op == spv::Op::OpName) {
        return text(*i, 1);
      }
    }
  }
  return {};
}

std::string Definitions::member_name(Id type, std::uint32_t member) const {
  if (type < about_.size()) {
    for (const Instruction* i : about_[type]) {
      if (i->op == spv::Op::OpMemberName && i->word(1) == member) {
        return text(*i, 2);
      }
    }
  }
  return {};
}

const Instruction* Definitions::decoration(Id id, spv::Decoration decoration) const {
  if (id < about_.size()) {
    for (const Instruction* i : about_[id]) {
      if ((i->op == spv::Op::OpDecorate || i->op == spv::Op::OpDecorateId) &&
          i->word(1) == static_cast<std::uint32_t>(decoration)) {
        return i;
      }
    }
  }
  return nullptr;
}

const Instruction* Definitions::decoration(Id type, std::uint32_t member,
                                           spv::Decoration decoration) const {
  if (type < about_.size()) {
    for (const Instruction* i : about_[type]) {
      if (i->op == spv::Op::OpMemberDecorate && i->word(1) == member &&
          i->word(2) == static_cast<std::uint32_t>(decoration)) {
        return i;
      }
    }
  }
  return nullptr;
}

}  // namespace spirv
