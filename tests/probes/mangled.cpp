#include "probes/mangled.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "spirv/analysis/flow/control_flow.h"
#include "spirv/module/constants.h"
#include "spirv/module/emitter.h"

namespace test {
namespace {

class Mangler {
 public:
  Mangler(const spirv::Module& original, spirv::Module& module, std::uint64_t seed)
      : definitions_(original), emitter_(module), seed_(seed) {}

  void run() {
    for (spirv::Function& function : emitter_.module().functions) {
      shuffle(function);
      for (spirv::Block& block : function.blocks) {
        convert(block);
      }
    }
    if (longs_) {
      emitter_.capability(spv::Capability::Int64);
    }
    if (shorts_) {
      emitter_.capability(spv::Capability::Int16);
    }
    if (bytes_) {
      emitter_.capability(spv::Capability::Int8);
    }
  }

 private:
  std::uint32_t draw(std::uint32_t below) {
    return static_cast<std::uint32_t>(core::mix(core::mix(seed_) + drawn_++) % below);
  }
  void shuffle(spirv::Function& function);
  void convert(spirv::Block& block);
  [[nodiscard]] spirv::Id converted(spirv::Id index, std::vector<spirv::Instruction>& code);

  spirv::Definitions definitions_;
  spirv::Emitter emitter_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  bool longs_ = false;
  bool shorts_ = false;
  bool bytes_ = false;
};

// A block stands behind the block that dominates it, and otherwise anywhere.
void Mangler::shuffle(spirv::Function& function) {
  if (function.blocks.size() < 3) {
    return;
  }
  const spirv::ControlFlow flow(function);
  std::vector<std::size_t> order{0};
  std::vector<bool> placed(function.blocks.size());
  placed[0] = true;
  while (order.size() < function.blocks.size()) {
    std::vector<std::size_t> ready;
    for (std::size_t b = 0; b < placed.size(); ++b) {
      const bool free = !flow.reachable(b) || placed[flow.dominator(b)];
      if (!placed[b] && free) {
        ready.push_back(b);
      }
    }
    const std::size_t next = ready[draw(static_cast<std::uint32_t>(ready.size()))];
    placed[next] = true;
    order.push_back(next);
  }
  std::vector<spirv::Block> blocks;
  for (const std::size_t b : order) {
    blocks.push_back(std::move(function.blocks[b]));
  }
  function.blocks = std::move(blocks);
}

void Mangler::convert(spirv::Block& block) {
  std::vector<spirv::Instruction> body;
  for (spirv::Instruction& i : block.body) {
    for (std::size_t k = 1; i.op == spv::Op::OpAccessChain && k < i.operands.size(); ++k) {
      const spirv::Instruction& index = definitions_.of(i.word(k));
      const bool constant = index.op == spv::Op::OpConstant || index.op == spv::Op::OpSpecConstant;
      if (!constant && scalar_width(definitions_, index.type) == 32 && draw(100) < 12) {
        i.operands[k] = spirv::ref(converted(i.word(k), body));
      }
    }
    body.push_back(std::move(i));
  }
  block.body = std::move(body);
}

spirv::Id Mangler::converted(spirv::Id index, std::vector<spirv::Instruction>& code) {
  const auto emit = [&](spv::Op op, spirv::Id type, std::vector<spirv::Operand> operands) {
    const spirv::Id id = emitter_.module().fresh();
    code.push_back({op, type, id, std::move(operands), {}});
    return id;
  };
  const std::uint32_t kind = draw(10);
  const std::uint32_t width = kind < 2 ? 8 : kind < 5 ? 16 : 64;
  bytes_ = bytes_ || width == 8;
  shorts_ = shorts_ || width == 16;
  longs_ = longs_ || width == 64;
  const bool extended = draw(2) == 0;
  const spirv::Id type = emitter_.type(spv::Op::OpTypeInt,
                                       {spirv::literal(width), spirv::literal(extended ? 1U : 0U)});
  spirv::Id id =
      emit(extended ? spv::Op::OpSConvert : spv::Op::OpUConvert, type, {spirv::ref(index)});
  if (width == 64 && draw(8) == 0) {
    const spirv::Id far = emitter_.module().fresh();
    emitter_.module().preamble.push_back(
        {spv::Op::OpConstant, type, far, {spirv::literal(0), spirv::literal(1)}, {}});
    id = emit(spv::Op::OpIAdd, type, {spirv::ref(id), spirv::ref(far)});
  }
  return id;
}

}  // namespace

spirv::Expected<spirv::Words> mangled(std::span<const std::uint32_t> words, std::uint64_t seed) {
  auto module = spirv::parse(words);
  if (!module) {
    return std::unexpected(module.error());
  }
  const spirv::Module original = *module;
  Mangler(original, *module, core::mix(seed ^ 0x3A9)).run();
  return spirv::write(*module);
}

}  // namespace test
