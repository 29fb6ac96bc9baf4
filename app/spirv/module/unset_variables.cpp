#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "spirv/module/canonical.h"
#include "spirv/module/emitter.h"
#include "spirv/module/types.h"

namespace spirv {
namespace {

constexpr std::string_view unset_prefix = "tilescope_unset ";

// For each value its uses: an instruction and the operand's number.
using Uses = std::map<Id, std::vector<std::pair<const Instruction*, std::size_t>>>;

Uses uses_in(const Function& function) {
  Uses uses;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.body) {
      for (std::size_t k = 0; k < i.operands.size(); ++k) {
        if (i.operands[k].is_id) {
          uses[i.word(k)].emplace_back(&i, k);
        }
      }
    }
  }
  return uses;
}

// Returns true if the optimizer can replace a variable by values: all its indices are constants.
bool becomes_values(const Definitions& definitions, const Constants& constants, const Uses& uses,
                    Id pointer) {
  const auto found = uses.find(pointer);
  return found == uses.end() || std::ranges::all_of(found->second, [&](const auto& use) {
           const auto& [i, operand] = use;
           switch (i->op) {
             case spv::Op::OpLoad:
               return true;
             case spv::Op::OpStore:
               return operand == 0;
             case spv::Op::OpExtInst:  // debug information
               return definitions.op(i->type) == spv::Op::OpTypeVoid;
             case spv::Op::OpAccessChain:
             case spv::Op::OpInBoundsAccessChain:
               return operand == 0 &&
                      std::all_of(i->operands.begin() + 1, i->operands.end(),
                                  [&](const Operand& index) {
                                    return constants.scalar(index.word).has_value();
                                  }) &&
                      becomes_values(definitions, constants, uses, i->result);
             default:
               return false;
           }
         });
}

}  // namespace

std::string unset_variable(const Definitions& definitions, const Instruction& i) {
  const std::string name = i.op == spv::Op::OpUndef ? definitions.name(i.result) : std::string();
  return name.starts_with(unset_prefix) ? name.substr(unset_prefix.size()) : std::string();
}

void mark_unset_variables(Module& module) {
  std::vector<std::pair<Id, std::string>> names;
  const auto bound = [&](Function& function) {
    const Definitions definitions(module);
    const Constants constants(definitions, {});
    const Types types(definitions, constants);
    const Uses uses = uses_in(function);
    std::vector<Instruction> marks;
    std::size_t at = 0;
    for (const Instruction& i : function.blocks.front().body) {
      if (i.op != spv::Op::OpVariable) {
        break;
      }
      ++at;
      const Id type = definitions.of(i.type).word(1);
      const std::uint64_t scalars = types.scalars(type);
      const std::string name = definitions.name(i.result);
      if (name.starts_with("tilescope_") || i.operands.size() > 1 || scalars == 0 ||
          scalars > most_unset_scalars || !becomes_values(definitions, constants, uses, i.result)) {
        continue;
      }
      const Id unset = module.fresh();
      marks.push_back({spv::Op::OpUndef, type, unset, {}, {}});
      marks.push_back({spv::Op::OpStore, 0, 0, {ref(i.result), ref(unset)}, {}});
      names.emplace_back(unset, std::string(unset_prefix) + (name.empty() ? "a variable" : name));
    }
    auto& body = function.blocks.front().body;
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(at), marks.begin(), marks.end());
  };
  for (Function& function : module.functions) {
    if (!function.blocks.empty()) {
      bound(function);
    }
  }
  Emitter emitter(module);
  for (const auto& [id, name] : names) {
    emitter.name(id, name);
  }
}

void drop_unset_marks(Module& module) {
  std::set<Id> marks;
  {
    const Definitions definitions(module);
    for (const Function& function : module.functions) {
      for (const Block& block : function.blocks) {
        for (const Instruction& i : block.body) {
          if (!unset_variable(definitions, i).empty()) {
            marks.insert(i.result);
          }
        }
      }
    }
  }
  if (marks.empty()) {
    return;
  }
  std::set<Id> dropped;
  for (Function& function : module.functions) {
    for (Block& block : function.blocks) {
      std::erase_if(block.body, [&](const Instruction& i) {
        return i.op == spv::Op::OpStore && marks.contains(i.word(1));
      });
    }
    // Parts of a mark that the optimizer took out, the last first.
    for (bool more = true; more;) {
      more = false;
      const Uses uses = uses_in(function);
      for (Block& block : function.blocks) {
        std::erase_if(block.body, [&](const Instruction& i) {
          const bool part = i.op == spv::Op::OpCompositeExtract && marks.contains(i.word(0));
          if (part && uses.contains(i.result)) {
            more = marks.insert(i.result).second || more;
          }
          const bool unused = (part || marks.contains(i.result)) && !uses.contains(i.result);
          if (unused) {
            dropped.insert(i.result);
            more = true;
          }
          return unused;
        });
      }
    }
  }
  std::erase_if(module.preamble, [&](const Instruction& i) {
    return i.op == spv::Op::OpName && dropped.contains(i.word(0));
  });
}

}  // namespace spirv
