#include "spirv/reflection/synchronized_words.h"

#include <algorithm>
#include <optional>

#include "spirv/module/operations.h"
#include "spirv/reflection/accesses.h"

namespace spirv {
namespace {

// A pointer as a variable and the indices from it, outermost first.
struct Chain {
  const Instruction* variable = nullptr;  // null: not one known variable
  std::vector<Id> indices;
};

class Touching {
 public:
  Touching(const Definitions& definitions, const Constants& constants, const Types& types)
      : definitions_(definitions), constants_(constants), types_(types) {}

  // False: it is not known which variable the instruction touches.
  bool note(const Instruction& i) {
    if (i.op == spv::Op::OpLoad || i.op == spv::Op::OpImageTexelPointer) {
      const Chain to = chain(i.word(0));
      if (to.variable != nullptr && is_image(to)) {
        const bool synchronized = i.op != spv::Op::OpLoad || is_coherent(to, i, 1);
        add(*to.variable, {}, synchronized);
        return true;
      }
    }
    for (const MemoryAccess& access : memory_accesses(i)) {
      const Chain to = chain(i.word(access.operand));
      if (to.variable == nullptr) {
        if (is_in_buffer(i.word(access.operand))) {
          return false;
        }
        continue;
      }
      if (const auto words = touched(to)) {
        const std::size_t mask = memory_operands(i, access.copy_source);
        add(*to.variable, *words, access.atomic || is_coherent(to, i, mask));
      }
    }
    return true;
  }

  [[nodiscard]] std::map<Id, Touches> all() && { return std::move(all_); }

 private:
  void add(const Instruction& variable, const TouchedWords& words, bool synchronized) {
    Touches& touches = all_[variable.result];
    auto& list = synchronized ? touches.synchronized : touches.plain;
    if (std::ranges::find(list, words) == list.end()) {
      list.push_back(words);
    }
  }

  [[nodiscard]] Chain chain(Id pointer) const {
    Chain found;
    const Instruction* i = &definitions_.of(pointer);
    for (int depth = 0; depth < 64; ++depth) {
      if (i->op == spv::Op::OpAccessChain || i->op == spv::Op::OpInBoundsAccessChain) {
        std::vector<Id> own;
        for (std::size_t k = 1; k < i->operands.size(); ++k) {
          own.push_back(i->word(k));
        }
        found.indices.insert(found.indices.begin(), own.begin(), own.end());
      } else if (i->op != spv::Op::OpCopyObject && i->op != spv::Op::OpImageTexelPointer) {
        break;
      }
      i = &definitions_.of(i->word(0));
    }
    found.variable = i->op == spv::Op::OpVariable ? i : nullptr;
    return found;
  }

  [[nodiscard]] bool is_in_buffer(Id pointer) const {
    const Instruction& type = definitions_.of(definitions_.of(pointer).type);
    const auto storage = static_cast<spv::StorageClass>(type.word(0));
    return type.op == spv::Op::OpTypePointer &&
           (storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform);
  }

  [[nodiscard]] Id type_of(const Instruction& variable) const {
    return definitions_.of(variable.type).word(1);
  }

  [[nodiscard]] bool is_image(const Chain& to) const {
    Id type = type_of(*to.variable);
    for (int depth = 0; depth < 8 && (definitions_.op(type) == spv::Op::OpTypeArray ||
                                      definitions_.op(type) == spv::Op::OpTypeRuntimeArray);
         ++depth) {
      type = types_.element(type);
    }
    return definitions_.op(type) == spv::Op::OpTypeImage;
  }

  // `mask` is the operand with the memory operands.
  [[nodiscard]] bool is_coherent(const Chain& to, const Instruction& i, std::size_t mask) const {
    constexpr auto kNonPrivate =
        static_cast<std::uint32_t>(spv::MemoryAccessMask::NonPrivatePointer);
    if ((i.word(mask) & kNonPrivate) != 0 && i.operands.size() > mask && !i.operands[mask].is_id) {
      return true;
    }
    if (definitions_.decoration(to.variable->result, spv::Decoration::Coherent) != nullptr) {
      return true;
    }
    Id type = type_of(*to.variable);
    for (const Id index : to.indices) {
      const auto number = static_cast<std::uint32_t>(constants_.scalar(index).value_or(0));
      if (types_.is_struct(type) &&
          definitions_.decoration(type, number, spv::Decoration::Coherent) != nullptr) {
        return true;
      }
      type = types_.element(type, types_.is_struct(type) ? number : 0);
    }
    return false;
  }

  // Returns nothing for memory that is no block.
  [[nodiscard]] std::optional<TouchedWords> touched(const Chain& to) const {
    Id type = type_of(*to.variable);
    std::size_t k = 0;
    for (; !types_.is_struct(type); ++k) {  // an array of descriptors
      if (k >= to.indices.size() || definitions_.op(type) == spv::Op::OpNop) {
        return std::nullopt;
      }
      type = types_.element(type);
    }
    const auto storage = static_cast<spv::StorageClass>(to.variable->word(0));
    if (storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::Uniform) {
      return std::nullopt;
    }
    TouchedWords words;
    for (; k < to.indices.size(); ++k) {
      const auto index = constants_.scalar(to.indices[k]);
      if (types_.is_struct(type)) {
        const auto member = static_cast<std::uint32_t>(index.value_or(0));
        const Instruction* offset = definitions_.decoration(type, member, spv::Decoration::Offset);
        words.offset += offset == nullptr ? 0 : offset->operands.back().word;
        type = types_.element(type, member);
        continue;
      }
      const Instruction* given = definitions_.decoration(type, spv::Decoration::ArrayStride);
      const Id element = types_.element(type);
      const std::uint64_t stride =
          given != nullptr ? given->operands.back().word : types_.explicit_bytes(element);
      if (definitions_.op(type) == spv::Op::OpTypeMatrix) {
        break;  // as a whole
      }
      if (index && types_.length(type) != 0) {
        words.offset += *index * stride;
      } else {
        words.arrays.push_back({stride, types_.length(type)});
      }
      type = element;
    }
    words.bytes = std::max<std::uint64_t>(types_.explicit_bytes(type), 1);
    return words;
  }

  const Definitions& definitions_;
  const Constants& constants_;
  const Types& types_;
  std::map<Id, Touches> all_;
};

// Calls visit(word) for each word of so many.
template <class F>
void for_each_word(const TouchedWords& touched, std::size_t array, std::uint64_t offset,
                   std::uint64_t words, F&& visit) {
  if (array < touched.arrays.size()) {
    const auto& [stride, length] = touched.arrays[array];
    for (std::uint64_t n = 0; (length == 0 || n < length) && offset + n * stride < words * 4; ++n) {
      for_each_word(touched, array + 1, offset + n * stride, words, visit);
      if (stride == 0) {
        break;
      }
    }
    return;
  }
  for (std::uint64_t w = offset / 4; w < std::min((offset + touched.bytes + 3) / 4, words); ++w) {
    visit(w);
  }
}

}  // namespace

std::map<Id, Touches> touched_words(const Module& module, const Definitions& definitions,
                                    const Constants& constants, const Types& types) {
  Touching touching(definitions, constants, types);
  for (const Function& function : module.functions) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.body) {
        if (!touching.note(i)) {
          return {};
        }
      }
    }
  }
  return std::move(touching).all();
}

void clear_synchronized(const Touches& touches, std::vector<std::uint32_t>& words) {
  std::vector<bool> clear(words.size());
  const auto mark = [&](const std::vector<TouchedWords>& list, bool as) {
    for (const TouchedWords& touched : list) {
      for_each_word(touched, 0, touched.offset, words.size(),
                    [&](std::uint64_t w) { clear[w] = as; });
    }
  };
  mark(touches.synchronized, true);
  mark(touches.plain, false);
  for (std::size_t w = 0; w < words.size(); ++w) {
    words[w] = clear[w] ? 0 : words[w];
  }
}

}  // namespace spirv
