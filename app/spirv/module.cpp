#include "spirv/module.h"

#include <algorithm>
#include <memory>

#include <spirv-tools/libspirv.hpp>

#include "spirv/line_repair.h"

namespace spirv {
namespace {

// The reader's state while SPIRV-Tools' grammar walks the words.
struct Reader {
  Module module;
  std::string error;
  SourceLine line;
  bool carried = false;
  Function* function = nullptr;
  Block* block = nullptr;

  spv_result_t fail(std::string why) {
    error = std::move(why);
    return SPV_ERROR_INVALID_BINARY;
  }
  spv_result_t take(Instruction instruction);
  spv_result_t take_in_function(Instruction instruction);
};

spv_result_t Reader::take(Instruction instruction) {
  if (instruction.op == spv::Op::OpLine) {
    line = {instruction.word(0), instruction.word(1), instruction.word(2)};
    carried = false;
    return SPV_SUCCESS;
  }
  if (instruction.op == spv::Op::OpNoLine) {
    line = {};
    carried = false;
    return SPV_SUCCESS;
  }
  instruction.at = line;
  instruction.carried = carried;
  if (instruction.op == spv::Op::OpFunction) {
    if (function != nullptr) {
      return fail("a function starts inside another one");
    }
    function = &module.functions.emplace_back();
    function->header = std::move(instruction);
    return SPV_SUCCESS;
  }
  if (function != nullptr) {
    return take_in_function(std::move(instruction));
  }
  if (!module.functions.empty()) {
    return fail("an instruction stands between functions");
  }
  module.preamble.push_back(std::move(instruction));
  return SPV_SUCCESS;
}

spv_result_t Reader::take_in_function(Instruction instruction) {
  switch (instruction.op) {
    case spv::Op::OpFunctionParameter:
      if (!function->blocks.empty()) {
        return fail("a function parameter stands after the first block");
      }
      function->parameters.push_back(std::move(instruction));
      return SPV_SUCCESS;
    case spv::Op::OpFunctionEnd:
      if (block != nullptr) {
        return fail("a function ends inside a block");
      }
      function->end = line;
      function = nullptr;
      line = {};
      return SPV_SUCCESS;
    case spv::Op::OpLabel:
      if (block != nullptr) {
        return fail("a block starts inside another one");
      }
      block = &function->blocks.emplace_back();
      block->label = instruction.result;
      block->at = line;
      return SPV_SUCCESS;
    default:
      break;
  }
  if (block == nullptr) {
    return fail("an instruction stands outside of a block");
  }
  const bool ends = is_terminator(instruction.op);
  block->body.push_back(std::move(instruction));
  if (ends) {
    // By the letter a line ends with its block. glslang writes a line only where it changes, so
    // what stands at the start of the next block is still of this one.
    block = nullptr;
    carried = true;
  }
  return SPV_SUCCESS;
}

bool names_id(spv_operand_type_t type) {
  return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_SCOPE_ID ||
         type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID || type == SPV_OPERAND_TYPE_TYPE_ID;
}

spv_result_t on_header(void* user, spv_endianness_t, std::uint32_t, std::uint32_t version,
                       std::uint32_t generator, std::uint32_t bound, std::uint32_t) {
  Reader& reader = *static_cast<Reader*>(user);
  reader.module.version = version;
  reader.module.generator = generator;
  if (bound > id_limit) {
    return reader.fail("its bound of ids is above the limit of 4194304");
  }
  reader.module.bound = std::max<Id>(bound, 1);
  return SPV_SUCCESS;
}

spv_result_t on_instruction(void* user, const spv_parsed_instruction_t* parsed) {
  Reader& reader = *static_cast<Reader*>(user);
  Instruction instruction;
  instruction.op = static_cast<spv::Op>(parsed->opcode);
  instruction.type = parsed->type_id;
  instruction.result = parsed->result_id;
  if (std::max(instruction.type, instruction.result) >= reader.module.bound) {
    return reader.fail("an id is not below the module's bound");
  }
  const std::size_t skipped =
      1U + (instruction.type != 0 ? 1U : 0U) + (instruction.result != 0 ? 1U : 0U);
  instruction.operands.reserve(parsed->num_words -
                               std::min<std::size_t>(parsed->num_words, skipped));
  for (std::uint16_t i = 0; i < parsed->num_operands; ++i) {
    const spv_parsed_operand_t& operand = parsed->operands[i];
    if (operand.offset < skipped) {
      continue;  // the result and its type
    }
    const bool is_id = names_id(operand.type);
    for (std::uint16_t w = 0; w < operand.num_words; ++w) {
      const std::uint32_t word = parsed->words[operand.offset + w];
      if (is_id && word >= reader.module.bound) {
        return reader.fail("an id is not below the module's bound");
      }
      instruction.operands.push_back({word, is_id});
    }
  }
  return reader.take(std::move(instruction));
}

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

const Instruction& nothing() {
  static const Instruction nop;
  return nop;
}

}  // namespace

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

Expected<Module> parse(std::span<const std::uint32_t> words) {
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
      spvContextCreate(SPV_ENV_UNIVERSAL_1_6), &spvContextDestroy);
  Reader reader;
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t status = spvBinaryParse(context.get(), &reader, words.data(), words.size(),
                                             on_header, on_instruction, &diagnostic);
  const std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> owned(
      diagnostic, &spvDiagnosticDestroy);
  if (status == SPV_SUCCESS && reader.function != nullptr) {
    reader.error = "it ends inside a function";
  }
  if (status == SPV_SUCCESS && reader.error.empty()) {
    repair_lines(reader.module);
    return std::move(reader.module);
  }
  std::string why = reader.error;
  if (why.empty()) {
    why = diagnostic != nullptr && diagnostic->error != nullptr ? diagnostic->error
                                                                : "it is not SPIR-V";
    why +=
        diagnostic != nullptr ? " (word " + std::to_string(diagnostic->position.index) + ")" : "";
  }
  return core::usage_error("the SPIR-V module can't be read: " + why);
}

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
