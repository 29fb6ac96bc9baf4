#include "spirv/reflection/cooperative_matrix.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace spirv {
namespace {

// Numbers of SPV_KHR_cooperative_matrix, which is younger than Debian 12's headers.
constexpr auto kTypeKhr = static_cast<spv::Op>(4456);
constexpr auto kLoadKhr = static_cast<spv::Op>(4457);
constexpr auto kStoreKhr = static_cast<spv::Op>(4458);
constexpr auto kMulAddKhr = static_cast<spv::Op>(4459);
constexpr std::uint32_t kCapabilityKhr = 6022;
// And of SPV_KHR_bfloat16.
constexpr std::uint32_t kCapabilityBfloat16 = 5116;
constexpr std::uint32_t kCapabilityBfloat16Matrix = 5118;
constexpr std::uint32_t kEncodingBfloat16 = 0;
constexpr auto kCapabilityNv = static_cast<std::uint32_t>(spv::Capability::CooperativeMatrixNV);

enum Use : std::uint32_t { kA, kB, kSum };

// The matrices of a module by what they are used as. Ids that must have one use are a class, named
// by one of them.
class Uses {
 public:
  explicit Uses(const Module& module) : definitions_(module) { understood_ = collect(module); }

  [[nodiscard]] bool understood() const { return understood_ && !used_.empty(); }
  /// The matrix type that a type is, or is an array of, or points to; 0: none.
  [[nodiscard]] Id matrix_in(Id type) const {
    const Instruction& i = definitions_.of(type);
    switch (i.op) {
      case spv::Op::OpTypeCooperativeMatrixNV:
        return type;
      case spv::Op::OpTypeArray:
        return matrix_in(i.word(0));
      case spv::Op::OpTypePointer:
        return matrix_in(i.word(1));
      default:
        return 0;
    }
  }
  /// Sum where no multiply-add tells: a matrix that is only filled and stored.
  [[nodiscard]] Use of(Id id) const {
    const auto found = used_.find(name(id));
    return found == used_.end() ? kSum : found->second;
  }
  /// Whether A and B are only loaded and multiplied: then what a number's bits mean is free.
  [[nodiscard]] bool only_loads(const Module& module) const;
  /// Every id that holds a matrix.
  [[nodiscard]] const std::map<Id, Id>& ids() const { return class_; }
  [[nodiscard]] const Definitions& definitions() const { return definitions_; }

 private:
  bool collect(const Module& module);
  bool collect(const Instruction& i);
  bool set(Id id, Use use) {
    join(id, id);
    return used_.try_emplace(name(id), use).first->second == use;
  }
  [[nodiscard]] Id name(Id id) const {
    for (auto found = class_.find(id); found != class_.end() && found->second != id;
         found = class_.find(id)) {
      id = found->second;
    }
    return id;
  }
  void join(Id a, Id b) {
    class_.try_emplace(a, a);
    class_.try_emplace(b, b);
    class_[name(b)] = name(a);
  }
  [[nodiscard]] std::vector<Id> holders(const Instruction& i) const;

  Definitions definitions_;
  std::map<Id, Id> class_;
  std::map<Id, Use> used_;
  bool understood_ = false;
};

std::vector<Id> Uses::holders(const Instruction& i) const {
  std::vector<Id> ids;
  if (i.result != 0 && matrix_in(i.type) != 0) {
    ids.push_back(i.result);
  }
  for (const Operand& operand : i.operands) {
    if (operand.is_id && matrix_in(definitions_.of(operand.word).type) != 0) {
      ids.push_back(operand.word);
    }
  }
  return ids;
}

bool Uses::collect(const Instruction& i) {
  const std::vector<Id> ids = holders(i);
  switch (i.op) {
    case spv::Op::OpSpecConstantOp:
      return static_cast<spv::Op>(i.word(0)) != spv::Op::OpCooperativeMatrixLengthNV;
    case spv::Op::OpCooperativeMatrixLengthNV:
      return false;
    case spv::Op::OpFunctionCall:
      return ids.empty();
    case spv::Op::OpCooperativeMatrixMulAddNV:
      return true;  // when all classes are known
    case spv::Op::OpCooperativeMatrixLoadNV:
    case spv::Op::OpCooperativeMatrixStoreNV: {
      const spv::Op order = definitions_.op(i.word(i.result != 0 ? 2 : 3));
      if (order != spv::Op::OpConstantTrue && order != spv::Op::OpConstantFalse) {
        return false;
      }
      break;
    }
    default:
      break;
  }
  for (const Id id : ids) {
    const auto type = [&](Id of) { return matrix_in(definitions_.of(of).type); };
    join(type(id) == type(ids.front()) ? ids.front() : id, id);
  }
  return true;
}

bool Uses::collect(const Module& module) {
  for (const Instruction& i : module.preamble) {
    if (i.op != spv::Op::OpEntryPoint && !collect(i)) {
      return false;
    }
  }
  std::vector<const Instruction*> products;
  for (const Function& function : module.functions) {
    if (!std::ranges::all_of(function.parameters,
                             [&](const Instruction& i) { return holders(i).empty(); })) {
      return false;
    }
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.body) {
        if (!collect(i)) {
          return false;
        }
        if (i.op == spv::Op::OpCooperativeMatrixMulAddNV) {
          products.push_back(&i);
        }
      }
    }
  }
  return std::ranges::all_of(products, [&](const Instruction* i) {
    return set(i->word(0), kA) && set(i->word(1), kB) && set(i->word(2), kSum) &&
           set(i->result, kSum);
  });
}

bool Uses::only_loads(const Module& module) const {
  const auto fine = [&](const Instruction& i) {
    const bool held = i.result != 0 && class_.contains(i.result) && of(i.result) != kSum;
    switch (i.op) {
      case spv::Op::OpVariable:
      case spv::Op::OpAccessChain:
      case spv::Op::OpLoad:
      case spv::Op::OpPhi:
      case spv::Op::OpUndef:
      case spv::Op::OpCooperativeMatrixLoadNV:
        return true;
      default:
        return !held;
    }
  };
  return std::ranges::all_of(module.preamble, fine) &&
         std::ranges::all_of(module.functions, [&](const Function& function) {
           return std::ranges::all_of(function.blocks, [&](const Block& block) {
             return std::ranges::all_of(block.body, fine);
           });
         });
}

class Rewriting {
 public:
  Rewriting(Module& module, const Uses& uses, Halves halves)
      : module_(module), uses_(uses), halves_(halves) {}

  void run() {
    for (const auto& [id, unused] : uses_.ids()) {
      (void)clone(uses_.definitions().of(id).type, uses_.of(id));
    }
    rewrite_preamble();
    for (Function& function : module_.functions) {
      for (Block& block : function.blocks) {
        for (Instruction& i : block.body) {
          rewrite(i);
        }
      }
    }
    module_.preamble = std::move(preamble_);
  }

 private:
  // The id of a type once for each use that its matrix has.
  Id clone(Id type, Use use) {
    const auto [found, fresh] = clones_.try_emplace({type, use}, 0);
    if (fresh) {
      found->second = module_.fresh();
      const Id made = found->second;
      const Instruction& i = uses_.definitions().of(type);
      if (i.op != spv::Op::OpTypeCooperativeMatrixNV) {
        (void)clone(i.word(i.op == spv::Op::OpTypePointer ? 1 : 0), use);
      }
      return made;
    }
    return found->second;
  }
  // The numbers of the uses; 0 and 1 are row-major and column-major too.
  void write_numbers(Id type) {
    for (std::uint32_t value = 0; value < numbers_.size(); ++value) {
      numbers_[value] = module_.fresh();
      preamble_.push_back({spv::Op::OpConstant, type, numbers_[value], {literal(value)}, {}});
    }
  }
  void write_bfloat();
  void write_type(const Instruction& type);
  void rewrite_preamble();
  void rewrite(Instruction& i);
  [[nodiscard]] Operand layout(Id column_major) const {
    return ref(numbers_[uses_.definitions().op(column_major) == spv::Op::OpConstantTrue ? 1 : 0]);
  }

  Module& module_;
  const Uses& uses_;
  Halves halves_;
  std::map<std::pair<Id, Use>, Id> clones_;
  std::array<Id, 3> numbers_{};
  Id bfloat_ = 0;
  std::vector<Instruction> preamble_;
};

void Rewriting::write_bfloat() {
  bfloat_ = module_.fresh();
  preamble_.push_back(
      {spv::Op::OpTypeFloat, 0, bfloat_, {literal(16), literal(kEncodingBfloat16)}, {}});
}

void Rewriting::write_type(const Instruction& type) {
  const bool matrix = type.op == spv::Op::OpTypeCooperativeMatrixNV;
  if (matrix && numbers_[0] == 0) {
    write_numbers(uses_.definitions().of(type.word(2)).type);
    if (halves_ == Halves::bfloat16) {
      write_bfloat();
    }
  }
  for (const Use use : {kA, kB, kSum}) {
    const auto made = clones_.find({type.result, use});
    if (made == clones_.end()) {
      continue;
    }
    Instruction i = type;
    i.result = made->second;
    if (matrix) {
      i.op = kTypeKhr;
      i.operands.push_back(ref(numbers_[use]));
      if (bfloat_ != 0 && use != kSum) {
        i.operands[0] = ref(bfloat_);
      }
    } else {
      Operand& inner = i.operands[type.op == spv::Op::OpTypePointer ? 1 : 0];
      inner = ref(clones_.at({inner.word, use}));
    }
    preamble_.push_back(std::move(i));
  }
}

void Rewriting::rewrite_preamble() {
  for (Instruction& i : module_.preamble) {
    if (i.result != 0 && uses_.matrix_in(i.result) != 0) {
      write_type(i);
      continue;
    }
    const bool about = i.op == spv::Op::OpName || i.op == spv::Op::OpDecorate;
    if (about && uses_.matrix_in(i.word(0)) != 0) {
      continue;
    }
    if (i.op == spv::Op::OpCapability && i.word(0) == kCapabilityNv) {
      i.operands = {literal(kCapabilityKhr)};
      for (const std::uint32_t more : {kCapabilityBfloat16, kCapabilityBfloat16Matrix}) {
        if (halves_ == Halves::bfloat16) {
          preamble_.push_back({spv::Op::OpCapability, 0, 0, {literal(more)}, {}});
        }
      }
    } else if (i.op == spv::Op::OpExtension && text(i, 0) == "SPV_NV_cooperative_matrix") {
      i.operands = text_operands("SPV_KHR_cooperative_matrix");
      if (halves_ == Halves::bfloat16) {
        preamble_.push_back({spv::Op::OpExtension, 0, 0, text_operands("SPV_KHR_bfloat16"), {}});
      }
    }
    rewrite(i);
    preamble_.push_back(std::move(i));
  }
}

void Rewriting::rewrite(Instruction& i) {
  if (i.result != 0 && uses_.ids().contains(i.result)) {
    i.type = clones_.at({i.type, uses_.of(i.result)});
  }
  if (i.op == spv::Op::OpCooperativeMatrixMulAddNV) {
    i.op = kMulAddKhr;
  } else if (i.op == spv::Op::OpCooperativeMatrixLoadNV) {
    i.op = kLoadKhr;
    i.operands[2] = std::exchange(i.operands[1], layout(i.word(2)));
  } else if (i.op == spv::Op::OpCooperativeMatrixStoreNV) {
    i.op = kStoreKhr;
    i.operands[3] = std::exchange(i.operands[2], layout(i.word(3)));
  }
}

}  // namespace

bool use_khr_cooperative_matrices(Module& module, Halves halves) {
  const Uses uses(module);
  if (!uses.understood() || (halves == Halves::bfloat16 && !uses.only_loads(module))) {
    return false;
  }
  Rewriting(module, uses, halves).run();
  return true;
}

}  // namespace spirv
