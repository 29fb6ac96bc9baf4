#include "fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/random.h"

namespace fuzz {
namespace {

using spirv::Id;
using spirv::Instruction;
using spirv::Module;

constexpr std::array<std::uint32_t, 12> kTelling{
    0, 1, 2, 3, 4, 16, 32, 255, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};

std::vector<Instruction*> instructions(Module& module) {
  std::vector<Instruction*> all;
  for (Instruction& i : module.preamble) {
    all.push_back(&i);
  }
  for (spirv::Function& function : module.functions) {
    all.push_back(&function.header);
    for (spirv::Block& block : function.blocks) {
      for (Instruction& i : block.body) {
        all.push_back(&i);
      }
    }
  }
  return all;
}

// An id that stands where another of its type stood is often still valid.
void exchange_id(spirv::Operand& operand, const std::vector<Instruction*>& all, Dice& dice) {
  const auto old = std::ranges::find(all, operand.word, &Instruction::result);
  std::vector<Id> alike;
  for (const Instruction* i : all) {
    if (i->result != 0 && (old == all.end() || i->type == (*old)->type)) {
      alike.push_back(i->result);
    }
  }
  if (!alike.empty()) {
    operand.word = alike[dice.roll(alike.size())];
  }
}

void change_operand(Module& module, Dice& dice) {
  const auto all = instructions(module);
  Instruction& i = *all[dice.roll(all.size())];
  if (i.operands.empty()) {
    return;
  }
  spirv::Operand& operand = i.operands[dice.roll(i.operands.size())];
  if (operand.is_id) {
    exchange_id(operand, all, dice);
  } else {
    operand.word = dice.roll(2) == 0 ? kTelling[dice.roll(kTelling.size())]
                                     : static_cast<std::uint32_t>(dice.roll(70));
  }
}

void change_body(Module& module, Dice& dice) {
  if (module.functions.empty()) {
    return;
  }
  auto& blocks = module.functions[dice.roll(module.functions.size())].blocks;
  if (blocks.empty()) {
    return;
  }
  auto& body = blocks[dice.roll(blocks.size())].body;
  auto& other = blocks[dice.roll(blocks.size())].body;
  if (body.size() < 2 || other.empty()) {
    return;
  }
  const auto at = body.begin() + static_cast<std::ptrdiff_t>(dice.roll(body.size() - 1));
  Instruction taken = *at;
  if (dice.roll(3) != 0) {
    body.erase(at);
  } else if (taken.result != 0) {
    taken.result = module.fresh();
  }
  if (dice.roll(2) == 0) {
    other.insert(other.begin() + static_cast<std::ptrdiff_t>(dice.roll(other.size())), taken);
  }
}

void change_word(spirv::Words& words, Dice& dice) {
  std::uint32_t& word = words[dice.roll(words.size())];
  switch (dice.roll(4)) {
    case 0:
      word = kTelling[dice.roll(kTelling.size())];
      return;
    case 1:
      word = words[dice.roll(words.size())];
      return;
    case 2:
      words.resize(words.size() - dice.roll(words.size()));
      return;
    default:
      word ^= std::uint32_t{1} << dice.roll(32);
      return;
  }
}

}  // namespace

std::uint64_t Dice::roll(std::uint64_t sides) {
  state_ = core::mix(state_ + 1);
  return state_ % sides;
}

void mutate(spirv::Words& words, Dice& dice) {
  if (words.empty()) {
    return;
  }
  auto module = spirv::parse(words);
  const std::uint64_t way = dice.roll(10);
  if (!module || way == 0 || instructions(*module).empty()) {
    change_word(words, dice);
    return;
  }
  if (way < 6) {
    change_operand(*module, dice);
  } else {
    change_body(*module, dice);
  }
  words = spirv::write(*module);
}

}  // namespace fuzz
