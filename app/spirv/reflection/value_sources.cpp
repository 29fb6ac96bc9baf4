#include "spirv/reflection/value_sources.h"

#include <algorithm>
#include <array>

#include "spirv/module/operations.h"
#include "spirv/reflection/accesses.h"

namespace spirv {
namespace {

bool is_chain(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain ||
         op == spv::Op::OpPtrAccessChain || op == spv::Op::OpInBoundsPtrAccessChain;
}

bool reads_image(spv::Op op) {
  return (op >= spv::Op::OpImageSampleImplicitLod && op <= spv::Op::OpImageRead) ||
         op == spv::Op::OpImageTexelPointer;
}

bool asks_length(spv::Op op) {
  return op == spv::Op::OpArrayLength || op == spv::Op::OpImageQuerySize ||
         op == spv::Op::OpImageQuerySizeLod;
}

template <class F>
void for_each_instruction(const Module& module, F&& visit) {
  for (const Function& function : module.functions) {
    for (const Block& block : function.blocks) {
      std::ranges::for_each(block.body, visit);
    }
  }
}

}  // namespace

ValueOrigins::ValueOrigins(const Module& module) : definitions_(module) {
  std::map<Id, const Function*> functions;
  for (const Function& function : module.functions) {
    functions[function.id()] = &function;
  }
  for (const Function& function : module.functions) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.body) {
        if (i.op == spv::Op::OpReturnValue) {
          returned_[function.id()].push_back(i.word(0));
        }
        const auto called =
            i.op == spv::Op::OpFunctionCall ? functions.find(i.word(0)) : functions.end();
        if (called != functions.end()) {
          const auto& parameters = called->second->parameters;
          for (std::size_t k = 0; k < parameters.size(); ++k) {
            arguments_[parameters[k].result].push_back(i.word(k + 1));
          }
        }
      }
    }
  }
  for_each_instruction(module, [this](const Instruction& i) { note(i); });
}

void ValueOrigins::note(const Instruction& i) {
  for (const MemoryAccess& access : memory_accesses(i)) {
    if (!access.writes) {
      continue;
    }
    const std::vector<Id> places = place_values(definitions_, i);
    const bool sets = i.op == spv::Op::OpAtomicExchange || i.op == spv::Op::OpAtomicStore ||
                      i.op == spv::Op::OpAtomicCompareExchange;
    const std::size_t value = i.op == spv::Op::OpAtomicCompareExchange ? 4 : i.operands.size() - 1;
    for (const Id root : roots(i.word(access.operand))) {
      placed_[root].insert(placed_[root].end(), places.begin(), places.end());
      if (sets && definitions_.op(i.word(value)) != spv::Op::OpConstant) {
        exchanged_.insert(root);
      }
      // The last operand of a store or an atomic is a value, of a copy the other pointer.
      for (const Operand& operand : i.operands) {
        if (operand.is_id && operand.word != i.word(access.operand)) {
          stored_[root].push_back(operand.word);
        }
      }
    }
  }
}

std::set<Id> ValueOrigins::roots(Id pointer) const {
  std::set<Id> found;
  std::set<Id> seen;
  std::vector<Id> left{pointer};
  while (!left.empty()) {
    const Id id = left.back();
    left.pop_back();
    if (!seen.insert(id).second) {
      continue;
    }
    const Instruction& i = definitions_.of(id);
    if (i.op == spv::Op::OpVariable) {
      found.insert(id);
    } else if (i.op == spv::Op::OpFunctionParameter) {
      if (const auto all = arguments_.find(id); all != arguments_.end()) {
        left.insert(left.end(), all->second.begin(), all->second.end());
      }
    } else if (is_chain(i.op) || i.op == spv::Op::OpCopyObject || i.op == spv::Op::OpLoad ||
               i.op == spv::Op::OpImage || i.op == spv::Op::OpSampledImage ||
               i.op == spv::Op::OpImageTexelPointer) {
      left.push_back(i.word(0));
    } else if (i.op == spv::Op::OpSelect) {
      left.insert(left.end(), {i.word(1), i.word(2)});
    } else if (i.op == spv::Op::OpPhi) {
      for (std::size_t k = 0; k < i.operands.size(); k += 2) {
        left.push_back(i.word(k));
      }
    }
  }
  return found;
}

ValueSources ValueOrigins::of(std::vector<Id> left, Follow follow) const {
  ValueSources found;
  std::set<Id> seen;
  while (!left.empty()) {
    const Id id = left.back();
    left.pop_back();
    if (!seen.insert(id).second) {
      continue;
    }
    const Instruction& i = definitions_.of(id);
    found.subgroup = found.subgroup || is_subgroup_operation(i.op);
    if (asks_length(i.op)) {
      found.length = true;
    } else if (reads_image(i.op)) {
      const auto images = roots(i.word(0));
      found.contents.insert(images.begin(), images.end());
    } else if (const auto accesses = memory_accesses(i); !accesses.empty()) {
      found.atomic = found.atomic || accesses.front().atomic;
      from_pointer(i.word(accesses.front().operand), found, left, seen);
      if (follow == Follow::choices) {
        for (const Id root : roots(i.word(accesses.front().operand))) {
          from_stores(root, found, left);
        }
      }
    } else if (i.op == spv::Op::OpSelect && follow == Follow::data) {
      left.insert(left.end(), {i.word(1), i.word(2)});
    } else if (i.op == spv::Op::OpFunctionCall) {
      if (const auto all = returned_.find(i.word(0)); all != returned_.end()) {
        left.insert(left.end(), all->second.begin(), all->second.end());
      }
    } else if (i.op == spv::Op::OpFunctionParameter) {
      if (const auto all = arguments_.find(id); all != arguments_.end()) {
        left.insert(left.end(), all->second.begin(), all->second.end());
      }
    } else if (i.op != spv::Op::OpVariable) {
      for (const Operand& operand : i.operands) {
        if (operand.is_id) {
          left.push_back(operand.word);
        }
      }
    }
  }
  return found;
}

void ValueOrigins::from_pointer(Id pointer, ValueSources& found, std::vector<Id>& left,
                                std::set<Id>& seen) const {
  std::vector<Id> indices;
  const Instruction* i = &definitions_.of(pointer);
  while (is_chain(i->op) || i->op == spv::Op::OpCopyObject ||
         i->op == spv::Op::OpImageTexelPointer) {
    std::vector<Id> own;
    for (std::size_t k = 1; k < i->operands.size() && is_chain(i->op); ++k) {
      own.push_back(i->word(k));
    }
    indices.insert(indices.begin(), own.begin(), own.end());
    i = &definitions_.of(i->word(0));
  }
  if (i->op == spv::Op::OpVariable) {
    return from_variable(*i, indices, found, left);
  }
  for (const Id root : roots(pointer)) {
    if (seen.insert(root).second) {
      from_variable(definitions_.of(root), {}, found, left);
    }
  }
}

void ValueOrigins::from_variable(const Instruction& variable, const std::vector<Id>& indices,
                                 ValueSources& found, std::vector<Id>& left) const {
  switch (static_cast<spv::StorageClass>(variable.word(0))) {
    case spv::StorageClass::Input:
      return from_built_in(variable.result, found);
    case spv::StorageClass::PushConstant:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer: {
      MemberPath path;
      for (const Id index : indices) {
        const Instruction& i = definitions_.of(index);
        if (i.op != spv::Op::OpConstant) {
          found.contents.insert(variable.result);
          return;
        }
        path.push_back(i.word(0));
      }
      found.members.insert({variable.result, path});
      return;
    }
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Image:
      found.contents.insert(variable.result);
      return;
    default:
      break;
  }
  found.variables.insert(variable.result);
  if (const auto all = stored_.find(variable.result); all != stored_.end()) {
    left.insert(left.end(), all->second.begin(), all->second.end());
  }
}

void ValueOrigins::from_stores(Id variable, ValueSources& found, std::vector<Id>& left) const {
  for (const auto* by_variable : {&stored_, &placed_}) {
    if (const auto all = by_variable->find(variable); all != by_variable->end()) {
      left.insert(left.end(), all->second.begin(), all->second.end());
    }
  }
  found.atomic = found.atomic || exchanged_.contains(variable);
}

void ValueOrigins::from_built_in(Id variable, ValueSources& found) const {
  const Instruction* i = definitions_.decoration(variable, spv::Decoration::BuiltIn);
  const auto built_in = i == nullptr ? spv::BuiltIn::Max : static_cast<spv::BuiltIn>(i->word(2));
  found.workgroup = found.workgroup || built_in == spv::BuiltIn::WorkgroupId ||
                    built_in == spv::BuiltIn::GlobalInvocationId;
  static constexpr std::array kOfSubgroups{
      spv::BuiltIn::SubgroupSize,   spv::BuiltIn::SubgroupLocalInvocationId,
      spv::BuiltIn::SubgroupId,     spv::BuiltIn::NumSubgroups,
      spv::BuiltIn::SubgroupEqMask, spv::BuiltIn::SubgroupGeMask,
      spv::BuiltIn::SubgroupGtMask, spv::BuiltIn::SubgroupLeMask,
      spv::BuiltIn::SubgroupLtMask};
  found.subgroup =
      found.subgroup || std::ranges::find(kOfSubgroups, built_in) != kOfSubgroups.end();
}

std::vector<Id> place_values(const Definitions& definitions, const Instruction& i) {
  if (reads_image(i.op) || i.op == spv::Op::OpImageWrite) {
    return {i.word(1)};
  }
  std::vector<Id> all;
  for (const MemoryAccess& access : memory_accesses(i)) {
    const Instruction* at = &definitions.of(i.word(access.operand));
    while (is_chain(at->op) || at->op == spv::Op::OpCopyObject ||
           at->op == spv::Op::OpImageTexelPointer) {
      for (std::size_t k = 1; k < at->operands.size() && at->op != spv::Op::OpCopyObject; ++k) {
        all.push_back(at->word(k));
      }
      at = &definitions.of(at->word(0));
    }
  }
  return all;
}

std::vector<Id> index_values(const Module& module) {
  std::vector<Id> all;
  for_each_instruction(module, [&](const Instruction& i) {
    if (is_chain(i.op)) {
      for (std::size_t k = 1; k < i.operands.size(); ++k) {
        all.push_back(i.word(k));
      }
    } else if (i.op == spv::Op::OpImageRead || i.op == spv::Op::OpImageFetch ||
               i.op == spv::Op::OpImageWrite || i.op == spv::Op::OpImageTexelPointer) {
      all.push_back(i.word(1));
    }
  });
  return all;
}

std::vector<Id> shift_amounts(const Module& module) {
  std::vector<Id> all;
  for_each_instruction(module, [&](const Instruction& i) {
    if (i.op == spv::Op::OpShiftLeftLogical || i.op == spv::Op::OpShiftRightLogical ||
        i.op == spv::Op::OpShiftRightArithmetic) {
      all.push_back(i.word(1));
    }
  });
  return all;
}

}  // namespace spirv
