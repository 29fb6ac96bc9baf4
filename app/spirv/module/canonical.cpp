#include "spirv/module/canonical.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>

#include "core/base/limits.h"
#include "spirv/module/coordinates.h"
#include "spirv/module/emitter.h"
#include "spirv/module/index_width.h"
#include "spirv/module/line_repair.h"
#include "spirv/module/readable.h"

namespace spirv {
namespace {

constexpr spv_target_env environment = SPV_ENV_VULKAN_1_3;

// Collects the first error of a tool.
class FirstMessage {
 public:
  spvtools::MessageConsumer consumer() {
    return
        [this](spv_message_level_t level, const char*, const spv_position_t&, const char* message) {
          if (level <= SPV_MSG_ERROR && text_.empty()) {
            text_ = message;
            std::ranges::replace(text_, '\n', ' ');
          }
        };
  }
  [[nodiscard]] std::string text() const { return text_.empty() ? "no reason given" : text_; }

 private:
  std::string text_;
};

spvtools::ValidatorOptions validator_options() {
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(true);
  options.SetWorkgroupScalarBlockLayout(true);
  options.SetAllowLocalSizeId(true);
  return options;
}

Expected<Words> optimize(const Words& words,
                         const std::function<void(spvtools::Optimizer&)>& add_passes) {
  FirstMessage message;
  spvtools::Optimizer optimizer(environment);
  optimizer.SetMessageConsumer(message.consumer());
  add_passes(optimizer);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  Words result;
  if (!optimizer.Run(words.data(), words.size(), &result, options)) {
    return core::usage_error("SPIRV-Tools cannot transform the module: " + message.text());
  }
  return result;
}

Expected<Words> optimize(const Words& words, std::vector<spvtools::Optimizer::PassToken> passes) {
  return optimize(words, [&](spvtools::Optimizer& optimizer) {
    for (spvtools::Optimizer::PassToken& pass : passes) {
      optimizer.RegisterPass(std::move(pass));
    }
  });
}

template <class... Tokens>
std::vector<spvtools::Optimizer::PassToken> passes(Tokens&&... tokens) {
  std::vector<spvtools::Optimizer::PassToken> list;
  (list.push_back(std::forward<Tokens>(tokens)), ...);
  return list;
}

// The default-value pass wants each constant's bits at its own width.
std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> bit_patterns(
    const Module& module, const SpecValues& values) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> patterns;
  const Definitions definitions(module);
  for (const Instruction& i : module.preamble) {
    const Instruction* spec = definitions.decoration(i.result, spv::Decoration::SpecId);
    if (i.result == 0 || spec == nullptr) {
      continue;
    }
    if (const auto value = values.find(spec->word(2)); value != values.end()) {
      patterns[value->first] = {value->second};
      if (scalar_width(definitions, i.type) == 64) {
        patterns[value->first].push_back(0);
      }
    }
  }
  return patterns;
}

Function* entry_function(Module& module) {
  const Instruction* entry = compute_entry(module);
  if (entry == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find(module.functions, entry->word(1), &Function::id);
  return found == module.functions.end() ? nullptr : &*found;
}

// Blocks that no path from the start of their function reaches.
bool has_unreachable_blocks(const Function& function) {
  std::unordered_map<Id, const Block*> blocks;
  for (const Block& block : function.blocks) {
    blocks[block.label] = &block;
  }
  std::unordered_set<Id> reached;
  std::vector<const Block*> open;
  if (!function.blocks.empty()) {
    reached.insert(function.blocks.front().label);
    open.push_back(&function.blocks.front());
  }
  while (!open.empty()) {
    const Block& block = *open.back();
    open.pop_back();
    for (const Id next : block.successors()) {
      if (const auto found = blocks.find(next);
          found != blocks.end() && reached.insert(next).second) {
        open.push_back(found->second);
      }
    }
  }
  return reached.size() < blocks.size();
}

// The pass that merges returns refuses a function with unreachable blocks that do anything, as naga
// leaves behind an `if` that returns on both ways.
Expected<Words> without_dead_branches(const Words& words) {
  const auto module = TRY(parse(words));
  return std::ranges::any_of(module.functions, has_unreachable_blocks)
             ? optimize(words, passes(spvtools::CreateDeadBranchElimPass()))
             : words;
}

// Functions that return from inside a loop are only inlined after their returns were merged. The
// entry point keeps its own: an early return is a branch whose line a finding names.
Expected<Words> merge_returns(const Words& words) {
  auto before = parse(words);
  auto merged = optimize(words, passes(spvtools::CreateMergeReturnPass()));
  if (!before || !merged) {
    return !before ? std::unexpected(before.error()) : std::move(merged);
  }
  auto after = TRY(parse(*merged));
  const Function* from = entry_function(*before);
  Function* to = entry_function(after);
  if (from == nullptr || to == nullptr) {
    return core::usage_error("the module has no compute entry point");
  }
  *to = *from;
  return write(after);
}

// Constants may make an array of nothing, which no module may have.
Expected<void> has_no_empty_array(const Words& words) {
  const auto module = TRY(parse(words));
  const Definitions definitions(module);
  for (const Instruction& i : module.preamble) {
    const Instruction& length = definitions.of(i.op == spv::Op::OpTypeArray ? i.word(1) : 0);
    const auto is_zero = [](const Operand& operand) { return operand.word == 0; };
    if (length.op == spv::Op::OpConstantNull ||
        (length.op == spv::Op::OpConstant && std::ranges::all_of(length.operands, is_zero))) {
      const std::string name = definitions.name(length.result);
      return core::usage_error("an array has length 0: the constant " +
                               (name.empty() ? std::string("for its length") : name) +
                               " must be at least 1");
    }
  }
  return {};
}

// What an index names in a type; nothing: no such part.
std::optional<Id> part_of(const Definitions& definitions, Id type, std::uint32_t index) {
  const Instruction& whole = definitions.of(type);
  switch (whole.op) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      return index < whole.word(1) ? std::optional(whole.word(0)) : std::nullopt;
    case spv::Op::OpTypeArray: {
      const Instruction& length = definitions.of(whole.word(1));
      const bool known = length.op == spv::Op::OpConstant || length.op == spv::Op::OpSpecConstant;
      return !known || index < length.word(0) ? std::optional(whole.word(0)) : std::nullopt;
    }
    case spv::Op::OpTypeStruct:
      return index < whole.operands.size() ? std::optional(whole.word(index)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// The validator does not look at the indices of operations on constants, and the optimizer ends by
// those that lead nowhere.
Expected<void> has_all_parts(const Module& module) {
  const Definitions definitions(module);
  for (const Instruction& i : module.preamble) {
    const auto op =
        i.op == spv::Op::OpSpecConstantOp ? static_cast<spv::Op>(i.word(0)) : spv::Op::OpNop;
    const bool extracts = op == spv::Op::OpCompositeExtract;
    if (!extracts && op != spv::Op::OpCompositeInsert) {
      continue;
    }
    const std::size_t from = extracts ? 1 : 2;
    std::optional<Id> type;
    if (i.operands.size() > from) {
      type = definitions.of(i.word(from)).type;
    }
    for (std::size_t k = from + 1; type && k < i.operands.size(); ++k) {
      type = part_of(definitions, *type, i.word(k));
    }
    if (!type) {
      return core::usage_error(
          "the SPIR-V module is not valid: a constant is extracted from a part that does not "
          "exist");
    }
  }
  return {};
}

// A variable that holds addresses must say whether others hold them, too. Structs need not: a
// struct's member becomes a variable of its own when the struct is taken apart.
void decorate_addresses(Module& module) {
  const Definitions definitions(module);
  std::vector<Id> undecorated;
  const auto look = [&](const Instruction& i) {
    if (i.op != spv::Op::OpVariable) {
      return;
    }
    const Instruction* held = &definitions.of(definitions.of(i.type).word(1));
    while (held->op == spv::Op::OpTypeArray || held->op == spv::Op::OpTypeRuntimeArray) {
      held = &definitions.of(held->word(0));
    }
    const bool address =
        held->op == spv::Op::OpTypePointer &&
        held->word(0) == static_cast<std::uint32_t>(spv::StorageClass::PhysicalStorageBuffer);
    if (address && definitions.decoration(i.result, spv::Decoration::AliasedPointer) == nullptr &&
        definitions.decoration(i.result, spv::Decoration::RestrictPointer) == nullptr) {
      undecorated.push_back(i.result);
    }
  };
  std::ranges::for_each(module.preamble, look);
  for (const Function& function : module.functions) {
    for (const Block& block : function.blocks) {
      std::ranges::for_each(block.body, look);
    }
  }
  Emitter emitter(module);
  for (const Id variable : undecorated) {
    emitter.decorate(variable, spv::Decoration::AliasedPointer, {});
  }
}

}  // namespace

Expected<void> validate(std::span<const std::uint32_t> words) {
  FirstMessage message;
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer(message.consumer());
  const Words known = readable(words);
  if (!tools.Validate(known.data(), known.size(), validator_options())) {
    return std::unexpected(unreadable("the SPIR-V module is not valid: ", message.text()));
  }
  return {};
}

Expected<Words> specialize(std::span<const std::uint32_t> words, const SpecValues& spec_values) {
  const auto module = TRY(parse(words));
  TRY(has_all_parts(module));
  // Written again, so that every block tells its lines itself and no pass loses them.
  return optimize(
      write(module),
      passes(spvtools::CreateSetSpecConstantDefaultValuePass(bit_patterns(module, spec_values)),
             spvtools::CreateFreezeSpecConstantValuePass(),
             spvtools::CreateFoldSpecConstantOpAndCompositePass()));
}

Expected<Words> canonical(std::span<const std::uint32_t> words, const SpecValues& spec_values) {
  TRY(validate(words));
  auto frozen = specialize(words, spec_values);
  if (!frozen) {
    return frozen;
  }
  TRY(has_no_empty_array(*frozen));
  const auto live = without_dead_branches(*frozen);
  if (!live) {
    return live;
  }
  auto module = TRY(parse(*live));
  widen_indices(module);
  auto merged = merge_returns(write(module));
  if (!merged) {
    return merged;
  }
  auto inlined = optimize(
      *merged,
      passes(spvtools::CreateInlineExhaustivePass(), spvtools::CreateEliminateDeadFunctionsPass(),
             spvtools::CreatePrivateToLocalPass(), spvtools::CreateFixStorageClassPass()));
  if (!inlined) {
    return inlined;
  }
  return lift(*inlined);
}

Words quickened(Words words) {
  if (words.size() > core::limits::optimized_words) {
    return words;
  }
  auto quick = optimize(
      words, [](spvtools::Optimizer& optimizer) { optimizer.RegisterPerformancePasses(); });
  return quick ? std::move(*quick) : std::move(words);
}

Expected<Words> lift(std::span<const std::uint32_t> words) {
  auto unset = TRY(parse(words));
  mark_unset_variables(unset);
  auto lifted = optimize(
      write(unset),
      passes(spvtools::CreateScalarReplacementPass(), spvtools::CreateLocalAccessChainConvertPass(),
             spvtools::CreateLocalSingleBlockLoadStoreElimPass(),
             spvtools::CreateLocalSingleStoreElimPass(), spvtools::CreateSSARewritePass(),
             spvtools::CreateCCPPass(), spvtools::CreateSimplificationPass(),
             spvtools::CreateDeadBranchElimPass(), spvtools::CreateCompactIdsPass()));
  auto module = TRY(lifted ? parse(*lifted) : std::unexpected(lifted.error()));
  drop_unset_marks(module);
  repair_lines_of_parts(module);
  decorate_addresses(module);
  take_coordinates_apart(module);
  return write(module);
}

}  // namespace spirv
