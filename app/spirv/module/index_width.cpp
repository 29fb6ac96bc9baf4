#include "spirv/module/index_width.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/module/constants.h"
#include "spirv/module/emitter.h"

namespace spirv {
namespace {

// Operands of an instruction that are indices: from the first to behind the last.
std::pair<std::size_t, std::size_t> indices_of(const Instruction& i) {
  switch (i.op) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      return {1, i.operands.size()};
    case spv::Op::OpVectorExtractDynamic:
      return {1, 2};
    case spv::Op::OpVectorInsertDynamic:
      return {2, 3};
    default:
      return {0, 0};
  }
}

class IndexWidener {
 public:
  explicit IndexWidener(Module& module)
      : original_(module), definitions_(original_), emitter_(module) {}

  void run() {
    for (Function& function : emitter_.module().functions) {
      for (Block& block : function.blocks) {
        rewrite(block);
      }
    }
  }

 private:
  void rewrite(Block& block);
  [[nodiscard]] Id widened(Id index, SourceLine at);
  [[nodiscard]] Id narrowed(Id index, SourceLine at);
  [[nodiscard]] std::uint32_t width_of(Id value) const {
    const Instruction& type = definitions_.of(definitions_.of(value).type);
    return type.op == spv::Op::OpTypeInt ? type.word(0) : 0;
  }
  Id emit(spv::Op op, Id type, std::vector<Operand> operands, SourceLine at);
  [[nodiscard]] Id int_type() {
    return emitter_.type(spv::Op::OpTypeInt, {literal(32), literal(1)});
  }
  [[nodiscard]] Id longest_word();

  const Module original_;
  Definitions definitions_;
  Emitter emitter_;
  std::vector<Instruction> code_;
  Id longest_word_ = 0;
};

void IndexWidener::rewrite(Block& block) {
  std::vector<Instruction> body;
  body.reserve(block.body.size());
  for (Instruction& i : block.body) {
    const auto [first, last] = indices_of(i);
    for (std::size_t k = first; k < last; ++k) {
      const std::uint32_t width = width_of(i.word(k));
      if (width != 32 && width != 0) {
        i.operands[k] = ref(widened(i.word(k), i.at));
      }
    }
    std::ranges::move(code_, std::back_inserter(body));
    code_.clear();
    body.push_back(std::move(i));
  }
  block.body = std::move(body);
}

Id IndexWidener::emit(spv::Op op, Id type, std::vector<Operand> operands, SourceLine at) {
  const Id id = emitter_.module().fresh();
  code_.push_back({op, type, id, std::move(operands), at});
  return id;
}

Id IndexWidener::widened(Id index, SourceLine at) {
  const Instruction& i = definitions_.of(index);
  const std::uint32_t width = width_of(index);
  // Members of structs are constants and must stay so.
  if (i.op == spv::Op::OpConstant || i.op == spv::Op::OpConstantNull) {
    const bool null = i.op == spv::Op::OpConstantNull;
    const std::uint32_t low = null ? 0 : i.word(0);
    const std::uint32_t high = null || width < 64 ? 0 : i.word(1);
    const std::uint32_t most = width < 32 ? (1U << (width - 1)) - 1 : 0x7FFFFFFF;
    if (high == 0 && low <= most) {
      return emitter_.constant(low);
    }
  }
  return width < 32 ? emit(spv::Op::OpSConvert, int_type(), {ref(index)}, at) : narrowed(index, at);
}

Id IndexWidener::narrowed(Id index, SourceLine at) {
  const Instruction& i = definitions_.of(index);
  const bool converts = i.op == spv::Op::OpUConvert || i.op == spv::Op::OpSConvert;
  if (converts && width_of(i.word(0)) == 32) {
    return i.word(0);  // a negative number is outside as a word, too
  }
  if (converts && width_of(i.word(0)) < 32) {
    const bool is_signed = i.op == spv::Op::OpSConvert;
    return emit(i.op, is_signed ? int_type() : emitter_.uint_type(), {ref(i.word(0))}, at);
  }
  const Id type = emitter_.long_type();
  const Id plain = i.type == type ? index : emit(spv::Op::OpBitcast, type, {ref(index)}, at);
  const Id kept =
      emit(spv::Op::OpExtInst, type,
           {ref(emitter_.glsl()), literal(38) /* UMin */, ref(plain), ref(longest_word())}, at);
  return emit(spv::Op::OpUConvert, emitter_.uint_type(), {ref(kept)}, at);
}

Id IndexWidener::longest_word() {
  if (longest_word_ == 0) {
    const Id type = emitter_.long_type();
    longest_word_ = emitter_.module().fresh();
    emitter_.module().preamble.push_back(
        {spv::Op::OpConstant, type, longest_word_, {literal(0xFFFFFFFF), literal(0)}, {}});
  }
  return longest_word_;
}

bool has_other_widths(const Module& module) {
  return std::ranges::any_of(module.preamble, [](const Instruction& i) {
    return i.op == spv::Op::OpTypeInt && i.word(0) != 32;
  });
}

}  // namespace

void widen_indices(Module& module) {
  if (has_other_widths(module)) {
    IndexWidener(module).run();
  }
}

}  // namespace spirv
