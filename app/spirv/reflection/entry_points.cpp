#include "spirv/reflection/entry_points.h"

#include <algorithm>
#include <set>

namespace spirv {
namespace {

bool is_compute(const Instruction& i) {
  return i.op == spv::Op::OpEntryPoint &&
         i.word(0) == static_cast<std::uint32_t>(spv::ExecutionModel::GLCompute);
}

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) {
    all += (all.empty() ? "" : ", ") + name;
  }
  return all.empty() ? "none" : all;
}

std::set<Id> reached_from(const Module& module, Id entry) {
  std::set<Id> reached{entry};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const Function& function : module.functions) {
      for (const Block& block : function.blocks) {
        for (const Instruction& i : block.body) {
          if (i.op == spv::Op::OpFunctionCall && reached.contains(function.id())) {
            reached.insert(i.word(0));
          }
        }
      }
    }
  }
  return reached;
}

// And what the preamble says of them.
void erase_unreached(Module& module, Id entry) {
  const std::set<Id> reached = reached_from(module, entry);
  std::set<Id> gone;
  for (const Function& function : module.functions) {
    if (reached.contains(function.id())) {
      continue;
    }
    gone.insert(function.id());
    for (const Instruction& i : function.parameters) {
      gone.insert(i.result);
    }
    for (const Block& block : function.blocks) {
      gone.insert(block.label);
      for (const Instruction& i : block.body) {
        gone.insert(i.result);
      }
    }
  }
  gone.erase(0);
  std::erase_if(module.functions, [&](const Function& f) { return gone.contains(f.id()); });
  std::erase_if(module.preamble, [&](const Instruction& i) {
    const bool tells =
        i.op == spv::Op::OpName || i.op == spv::Op::OpDecorate || i.op == spv::Op::OpDecorateId;
    return tells && gone.contains(i.word(0));
  });
}

bool is_of_module(const Instruction& variable) {
  return variable.op == spv::Op::OpVariable &&
         spv::StorageClass(variable.word(0)) != spv::StorageClass::Function;
}

// Variables that only the other entry points use, and what the preamble says of them.
void erase_unused_variables(Module& module) {
  std::set<Id> used;
  const auto use = [&](const Instruction& i) {
    for (const Operand& operand : i.operands) {
      if (operand.is_id) {
        used.insert(operand.word);
      }
    }
  };
  for (const Function& function : module.functions) {
    for (const Block& block : function.blocks) {
      std::ranges::for_each(block.body, use);
    }
  }
  std::set<Id> gone;
  for (const Instruction& i : module.preamble) {
    if (is_of_module(i) && !used.contains(i.result)) {
      gone.insert(i.result);
    }
  }
  std::erase_if(module.preamble, [&](const Instruction& i) {
    const bool tells =
        i.op == spv::Op::OpName || i.op == spv::Op::OpDecorate || i.op == spv::Op::OpDecorateId;
    return (tells && gone.contains(i.word(0))) || (is_of_module(i) && gone.contains(i.result));
  });
  for (Instruction& i : module.preamble) {
    if (i.op == spv::Op::OpEntryPoint) {
      std::erase_if(i.operands, [&](const Operand& operand) {
        return operand.is_id && gone.contains(operand.word);
      });
    }
  }
}

}  // namespace

std::vector<std::string> compute_entries(const Module& module) {
  std::vector<std::string> names;
  for (const Instruction& i : module.preamble) {
    if (is_compute(i)) {
      names.push_back(text(i, 2));
    }
  }
  return names;
}

Expected<void> select_entry(Module& module, const std::string& name) {
  const auto kept = std::ranges::find_if(module.preamble, [&](const Instruction& i) {
    return is_compute(i) && (name.empty() || text(i, 2) == name);
  });
  if (kept == module.preamble.end()) {
    return core::usage_error(name.empty() ? "the module has no compute entry point"
                                          : "unknown entry point \"" + name + "\"; choose from " +
                                                joined(compute_entries(module)));
  }
  if (std::ranges::count(module.preamble, spv::Op::OpEntryPoint, &Instruction::op) == 1) {
    return {};
  }
  const Id function = kept->word(1);
  const std::string own = text(*kept, 2);
  bool once = false;  // one function may be several entry points
  std::erase_if(module.preamble, [&](const Instruction& i) {
    if (i.op == spv::Op::OpEntryPoint) {
      const bool same = is_compute(i) && i.word(1) == function && text(i, 2) == own && !once;
      once = once || same;
      return !same;
    }
    const bool mode = i.op == spv::Op::OpExecutionMode || i.op == spv::Op::OpExecutionModeId;
    return mode && i.word(0) != function;
  });
  erase_unreached(module, function);
  erase_unused_variables(module);
  return {};
}

}  // namespace spirv
