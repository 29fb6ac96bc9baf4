#include <algorithm>
#include <memory>

#include <spirv-tools/libspirv.hpp>

#include "spirv/module/line_repair.h"
#include "spirv/module/module.h"
#include "spirv/module/readable.h"

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
    return fail("an instruction is between two functions");
  }
  module.preamble.push_back(std::move(instruction));
  return SPV_SUCCESS;
}

spv_result_t Reader::take_in_function(Instruction instruction) {
  switch (instruction.op) {
    case spv::Op::OpFunctionParameter:
      if (!function->blocks.empty()) {
        return fail("a function parameter comes after the first block of the function");
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
    return fail("an instruction is outside a block");
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
    return reader.fail("its id bound is above the limit of 4194304");
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
    return reader.fail("an id is not below the id bound of the module");
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
        return reader.fail("an id is not below the id bound of the module");
      }
      instruction.operands.push_back({word, is_id});
    }
  }
  return reader.take(std::move(instruction));
}

}  // namespace

Expected<Module> parse(std::span<const std::uint32_t> words) {
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
      spvContextCreate(SPV_ENV_UNIVERSAL_1_6), &spvContextDestroy);
  Reader reader;
  spv_diagnostic diagnostic = nullptr;
  const Words known = readable(words);
  const spv_result_t status = spvBinaryParse(context.get(), &reader, known.data(), known.size(),
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
  return std::unexpected(unreadable("cannot read the SPIR-V module: ", why));
}

}  // namespace spirv
