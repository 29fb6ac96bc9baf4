#include "spirv/module/canonical.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
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
#include "spirv/module/operations.h"
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

bool is_hlsl(const Module& module) {
  return std::ranges::any_of(module.preamble, [](const Instruction& i) {
    return i.op == spv::Op::OpSource &&
           i.word(0) == static_cast<std::uint32_t>(spv::SourceLanguage::HLSL);
  });
}

// Computes a value, or reads memory, and does nothing else.
bool only_computes(const Definitions& definitions, const Instruction& i) {
  using enum spv::Op;
  const auto within = [&](spv::Op first, spv::Op last) { return i.op >= first && i.op <= last; };
  if (i.op == OpExtInst) {
    return definitions.op(i.type) != OpTypeVoid && result_pointer(definitions, i) == 0;
  }
  return within(OpLoad, OpLoad) || within(OpAccessChain, OpInBoundsAccessChain) ||
         within(OpVectorExtractDynamic, OpTranspose) || within(OpImageFetch, OpImageFetch) ||
         within(OpImageRead, OpImageRead) || within(OpConvertFToU, OpBitcast) ||
         within(OpSNegate, OpFUnordGreaterThanEqual) || within(OpShiftRightLogical, OpBitCount);
}

// Moves reads behind the condition of a selection. HLSL evaluates both sides of `i < n ? x[i] : 0`,
// and a read past the end returns 0 in Direct3D. The moved read runs only where its value is used.
class SelectedReads {
 public:
  SelectedReads(Module& module, Function& function) : module_(module), function_(function) {}

  void run() {
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      const auto& body = function_.blocks[b].body;
      const bool loop = std::ranges::any_of(
          body, [](const Instruction& i) { return i.op == spv::Op::OpLoopMerge; });
      for (std::size_t s = 0; !loop && s < body.size(); ++s) {
        if (body[s].op == spv::Op::OpSelect && split(b, s)) {
          break;  // the rest is in a block that follows
        }
      }
    }
  }

 private:
  // Instructions of a block, by number.
  using Part = std::unordered_set<std::size_t>;

  // Returns the instructions that only this operand of the selection uses; none if they read
  // nothing by a variable index.
  [[nodiscard]] Part part_of(const Block& block, std::size_t select, std::size_t operand) const {
    const Definitions definitions(module_);
    std::unordered_map<Id, std::size_t> all;
    for (const Block& other : function_.blocks) {
      for (const Instruction& i : other.body) {
        for (const Operand& o : i.operands) {
          all[o.word] += o.is_id ? 1 : 0;
        }
      }
    }
    std::unordered_map<Id, std::size_t> own{{block.body[select].word(operand), 1}};
    Part part;
    bool reads = false;
    for (std::size_t n = select; n-- > 0;) {
      const Instruction& i = block.body[n];
      const bool computes = only_computes(definitions, i);
      if (!computes && i.op != spv::Op::OpUndef && i.op != spv::Op::OpExtInst) {
        break;
      }
      const auto uses = own.find(i.result);
      if (!computes || uses == own.end() || uses->second != all[i.result]) {
        continue;
      }
      part.insert(n);
      for (const Operand& o : i.operands) {
        own[o.word] += o.is_id ? 1 : 0;
      }
      const bool chain = i.op == spv::Op::OpAccessChain || i.op == spv::Op::OpInBoundsAccessChain;
      const bool variable =
          chain && std::any_of(i.operands.begin() + 1, i.operands.end(), [&](const Operand& index) {
            return definitions.op(index.word) != spv::Op::OpConstant;
          });
      reads = reads || variable || i.op == spv::Op::OpImageFetch || i.op == spv::Op::OpImageRead;
    }
    return reads ? part : Part();
  }

  bool split(std::size_t b, std::size_t s) {
    Block& block = function_.blocks[b];
    const Instruction select = block.body[s];
    const Definitions definitions(module_);
    const Id condition_type = definitions.of(select.word(0)).type;
    const std::array<Part, 2> parts{part_of(block, s, 1), part_of(block, s, 2)};
    if (definitions.op(condition_type) != spv::Op::OpTypeBool ||
        std::ranges::all_of(parts, &Part::empty)) {
      return false;
    }
    const Id before = block.label;
    Block behind{.label = module_.fresh(), .at = select.at, .body = {}};
    Instruction phi{spv::Op::OpPhi, select.type, select.result, {}, select.at};
    Instruction branch{spv::Op::OpBranchConditional, 0, 0, {ref(select.word(0))}, select.at};
    std::vector<Block> sides;
    for (std::size_t k = 0; k < 2; ++k) {
      Id from = before;
      if (!parts.at(k).empty()) {
        Block side{.label = module_.fresh(), .at = select.at, .body = {}};
        for (std::size_t n = 0; n < s; ++n) {
          if (parts.at(k).contains(n)) {
            side.body.push_back(block.body[n]);
          }
        }
        side.body.push_back({spv::Op::OpBranch, 0, 0, {ref(behind.label)}, select.at});
        from = side.label;
        sides.push_back(std::move(side));
      }
      phi.operands.push_back(ref(select.word(k + 1)));
      phi.operands.push_back(ref(from));
      branch.operands.push_back(ref(from == before ? behind.label : from));
    }
    std::vector<Instruction> kept;
    for (std::size_t n = 0; n < s; ++n) {
      if (!parts[0].contains(n) && !parts[1].contains(n)) {
        kept.push_back(std::move(block.body[n]));
      }
    }
    kept.push_back({spv::Op::OpSelectionMerge, 0, 0, {ref(behind.label), literal(0)}, select.at});
    kept.push_back(std::move(branch));
    behind.body.push_back(std::move(phi));
    behind.body.insert(behind.body.end(),
                       std::make_move_iterator(block.body.begin() + number(s + 1)),
                       std::make_move_iterator(block.body.end()));
    block.body = std::move(kept);
    const Id last = behind.label;
    sides.push_back(std::move(behind));
    function_.blocks.insert(function_.blocks.begin() + number(b + 1), sides.begin(), sides.end());
    for (Block& other : function_.blocks) {
      for (Instruction& i : other.body) {
        for (std::size_t k = 1;
             i.op == spv::Op::OpPhi && i.result != select.result && k < i.operands.size(); k += 2) {
          i.operands[k].word = i.word(k) == before ? last : i.word(k);
        }
      }
    }
    return true;
  }

  static std::ptrdiff_t number(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

  Module& module_;
  Function& function_;
};

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
  const auto lifted = TRY(lift(*inlined));
  auto selected = TRY(parse(lifted));
  if (!is_hlsl(selected)) {
    return lifted;
  }
  for (Function& function : selected.functions) {
    SelectedReads(selected, function).run();
  }
  return write(selected);
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
