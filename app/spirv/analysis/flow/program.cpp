#include "spirv/analysis/flow/program.h"

#include <algorithm>
#include <utility>

#include "spirv/analysis/memory/memory_layout.h"
#include "spirv/analysis/values/extents.h"

namespace spirv {
namespace {

constexpr std::uint64_t most_components = 4;

std::uint64_t member_offset(const Program& program, const MemoryPlace& place) {
  return MemoryLayout(program).member_offset(place.variable, *place.member) + place.offset;
}

// Little-endian, as all that Vulkan runs on.
std::optional<std::uint64_t> bits_at(const KnownWords& words, std::uint64_t byte,
                                     std::uint32_t width) {
  std::uint64_t bits = 0;
  if (width < 8 || width > 64 || byte + width / 8 > words.size() * 4) {
    return std::nullopt;
  }
  for (std::uint64_t n = 0; n < width / 8; ++n) {
    const std::uint64_t at = byte + n;
    if (!words[at / 4]) {
      return std::nullopt;
    }
    bits |= std::uint64_t{(*words[at / 4] >> (at % 4 * 8)) & 0xFFU} << (8 * n);
  }
  return bits;
}

}  // namespace

Program::Program(Module m, Interface i, std::size_t entry, Launch l)
    : module(std::move(m)),
      launch(std::move(l)),
      definitions(module),
      constants_(definitions, {}),
      constants(constants_),
      types(definitions, constants),
      interface(std::move(i)),
      function(module.functions[entry]),
      flow(function),
      block_of_(module.bound, ControlFlow::none) {
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    for (const Instruction& instruction : function.blocks[b].body) {
      block_of_[instruction.result] = b;
    }
  }
  learn();
}

void Program::learn() {
  for (const std::size_t b : flow.order()) {
    for (const Instruction& i : function.blocks[b].body) {
      if (i.op == spv::Op::OpLoad) {
        learn_load(i);
      } else if (i.op == spv::Op::OpImageQuerySize || i.op == spv::Op::OpImageQuerySizeLod) {
        learn_size(i);
      } else if (definitions.op(i.type) == spv::Op::OpTypeVector && i.op != spv::Op::OpPhi) {
        learn_vector(i);
      } else if (i.result != 0 && i.op != spv::Op::OpPhi) {
        learn_result(i);
      }
    }
  }
}

void Program::learn_load(const Instruction& load) {
  const PointerPath where = path(load.word(0));
  const bool given = storage(where.variable) == spv::StorageClass::PushConstant ||
                     buffer_of(where.variable).has_value();
  const auto place =
      given ? MemoryLayout(*this).place(where, most_components) : std::optional<MemoryPlace>();
  if (!place || place->chosen != 0 || !place->terms.empty() || !place->member) {
    return;
  }
  const KnownWords* words = known_words(*place);
  if (words == nullptr || words->empty()) {
    return;
  }
  const std::uint64_t start = member_offset(*this, *place);
  for (const PlacedScalar& part : place->scalars) {
    if (definitions.op(part.type) == spv::Op::OpTypePointer) {
      continue;  // where memory lies is the device's choice
    }
    const auto bits = bits_at(*words, start + part.offset, scalar_width(definitions, part.type));
    if (bits && part.path.empty()) {
      constants_.assume(load.result, *bits);
    } else if (bits && part.path.size() == 1) {
      constants_.assume(load.result, part.path.front(), *bits);
    }
  }
}

// Of the one level that an image has in a launch. Of an array of cubes whole cubes are told.
void Program::learn_size(const Instruction& query) {
  const Instruction& load = definitions.of(query.word(0));
  const PointerPath image = load.op == spv::Op::OpLoad ? path(load.word(0)) : PointerPath();
  const auto bound =
      image.variable == 0 || image.indices.size() > 1
          ? std::span<const BoundBuffer>()
          : bound_to(*this, image.variable, image.indices.empty() ? 0 : image.indices.front());
  const bool alike = std::ranges::all_of(
      bound, [&](const BoundBuffer& b) { return b.lengths == bound.front().lengths; });
  const bool first = query.op == spv::Op::OpImageQuerySize || constants.scalar(query.word(1)) == 0U;
  if (bound.empty() || !alike || !first) {
    return;
  }
  Id type = load.type;
  type = definitions.op(type) == spv::Op::OpTypeSampledImage ? definitions.of(type).word(0) : type;
  const bool cube = definitions.of(type).word(1) == static_cast<std::uint32_t>(spv::Dim::Cube);
  const auto& lengths = bound.front().lengths;
  const Instruction& result = definitions.of(query.type);
  const std::uint32_t count = result.op == spv::Op::OpTypeVector ? result.word(1) : 1;
  for (std::uint32_t k = 0; k < std::min<std::uint32_t>(count, 3) && lengths.at(k) != 0; ++k) {
    const std::uint32_t length = cube && k == 2 ? lengths.at(k) / 6 : lengths.at(k);
    if (count == 1) {
      constants_.assume(query.result, length);
    } else {
      constants_.assume(query.result, k, length);
    }
  }
}

const KnownWords* Program::known_words(const MemoryPlace& place) const {
  if (storage(place.variable) == spv::StorageClass::PushConstant) {
    return &launch.push_constants;
  }
  const auto bound = bound_to(*this, place.variable);
  return buffer_of(place.variable) && place.descriptor < bound.size()
             ? &bound[place.descriptor].words
             : nullptr;
}

std::optional<std::uint32_t> Program::buffer_of(Id variable) const {
  const spv::StorageClass at = storage(variable);
  const Instruction* binding = definitions.decoration(variable, spv::Decoration::Binding);
  const bool buffer = at == spv::StorageClass::StorageBuffer || at == spv::StorageClass::Uniform;
  return buffer && binding != nullptr && binding->word(2) < launch.buffers.size()
             ? std::optional(binding->word(2))
             : std::nullopt;
}

void Program::learn_result(const Instruction& i) {
  const std::uint32_t width = scalar_width(definitions, i.type);
  const std::uint32_t from = scalar_width(definitions, definitions.of(i.word(0)).type);
  if (i.op == spv::Op::OpCompositeExtract) {
    const auto bits =
        i.operands.size() == 2 ? constants.component(i.word(0), i.word(1)) : std::nullopt;
    if (bits && width != 0) {
      constants_.assume(i.result, *bits);
    }
    return;
  }
  const auto a = i.operands.empty() || !i.operands[0].is_id || width == 0 || from == 0
                     ? std::nullopt
                     : constants.scalar(i.word(0));
  if (!a || definitions.op(i.type) == spv::Op::OpTypeFloat) {
    return;
  }
  switch (i.op) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpBitcast:
    case spv::Op::OpUConvert:
      if (i.op == spv::Op::OpUConvert || width == from) {
        constants_.assume(i.result, width >= 64 ? *a : *a & ((std::uint64_t{1} << width) - 1));
      }
      return;
    default:
      break;
  }
  const bool whole = definitions.op(definitions.of(i.word(0)).type) != spv::Op::OpTypeFloat;
  const auto b = i.operands.size() == 2 && i.operands[1].is_id ? constants.scalar(i.word(1))
                                                               : std::optional<std::uint64_t>(0);
  if (const auto bits =
          whole && b && i.operands.size() <= 2 ? fold(i.op, from, *a, *b) : std::nullopt) {
    constants_.assume(i.result, *bits);
  }
}

// Of whole numbers, component by component.
void Program::learn_vector(const Instruction& i) {
  const Id element = types.element(i.type);
  const std::uint32_t width = scalar_width(definitions, element);
  if (definitions.op(element) == spv::Op::OpTypeFloat || i.operands.empty() ||
      !i.operands[0].is_id) {
    return;
  }
  const Id first = definitions.of(i.word(0)).type;
  const Id of_first = definitions.op(first) == spv::Op::OpTypeVector ? types.element(first) : first;
  const bool whole = definitions.op(of_first) != spv::Op::OpTypeFloat;
  for (std::uint32_t k = 0; whole && k < types.length(i.type); ++k) {
    std::optional<std::uint64_t> bits;
    if (i.op == spv::Op::OpCompositeConstruct) {
      bits = i.operands.size() == types.length(i.type) ? constants.scalar(i.word(k)) : std::nullopt;
    } else if (i.op == spv::Op::OpVectorShuffle) {
      const auto length = static_cast<std::uint32_t>(types.length(first));
      const std::uint32_t pick = i.word(2 + std::size_t{k});
      bits = pick < length ? constants.component(i.word(0), pick)
                           : constants.component(i.word(1), pick - length);
    } else if (i.operands.size() == 1 || (i.operands.size() == 2 && i.operands[1].is_id)) {
      const auto a = constants.component(i.word(0), k);
      const auto b = i.operands.size() == 2 ? constants.component(i.word(1), k)
                                            : std::optional<std::uint64_t>(0);
      const std::uint32_t from = scalar_width(definitions, of_first);
      const bool copies = i.op == spv::Op::OpCopyObject ||
                          (i.op == spv::Op::OpBitcast && first != 0 && from == width &&
                           types.length(first) == types.length(i.type));
      bits = !a || !b ? std::nullopt : copies ? a : fold(i.op, from, *a, *b);
    }
    if (bits) {
      constants_.assume(i.result, k, *bits);
    }
  }
}

Expected<std::unique_ptr<Program>> Program::open(std::span<const std::uint32_t> words,
                                                 Launch launch) {
  auto module = TRY(parse(words));
  auto interface = TRY(reflect(module, {}));
  for (std::uint32_t& length : interface.local_size) {
    length = std::max(length, 1U);
  }
  const Id id = compute_entry(module)->word(1);
  const auto entry = std::ranges::find(module.functions, id, &Function::id);
  if (entry == module.functions.end() || entry->blocks.empty()) {
    return core::usage_error("the entry point of the module has no body");
  }
  for (const Block& block : entry->blocks) {
    for (const Instruction& i : block.body) {
      if (i.op == spv::Op::OpFunctionCall) {
        return core::usage_error("a function call cannot be inlined", static_cast<int>(i.at.line));
      }
    }
  }
  const auto number = static_cast<std::size_t>(entry - module.functions.begin());
  return std::unique_ptr<Program>(
      new Program(std::move(module), std::move(interface), number, std::move(launch)));
}

std::uint32_t Program::invocations() const {
  const auto& size = interface.local_size;
  constexpr std::uint64_t most = 0xFFFFFFFF;
  const std::uint64_t layer = std::min(std::uint64_t{size[0]} * size[1], most);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(layer * size[2], 1, most));
}

PointerPath Program::path(Id pointer) const {
  PointerPath result;
  for (int depth = 0; depth < 64; ++depth) {
    const Instruction& i = definitions.of(pointer);
    switch (i.op) {
      case spv::Op::OpVariable:
        result.variable = pointer;
        return result;
      case spv::Op::OpCopyObject:
        pointer = i.word(0);
        break;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain: {
        std::vector<Id> indices;
        std::vector<std::pair<Id, std::uint32_t>> links;
        for (std::size_t k = 1; k < i.operands.size(); ++k) {
          indices.push_back(i.word(k));
          links.emplace_back(pointer, static_cast<std::uint32_t>(k));
        }
        result.indices.insert(result.indices.begin(), indices.begin(), indices.end());
        result.links.insert(result.links.begin(), links.begin(), links.end());
        pointer = i.word(0);
        break;
      }
      default:
        return {};
    }
  }
  return {};
}

AddressedPath Program::addressed_path(Id pointer) const {
  const auto pointee = [this](Id of) { return definitions.of(definitions.of(of).type); };
  AddressedPath result;
  if (static_cast<spv::StorageClass>(pointee(pointer).word(0)) !=
      spv::StorageClass::PhysicalStorageBuffer) {
    return result;
  }
  for (;;) {
    const Instruction& i = definitions.of(pointer);
    if (i.op == spv::Op::OpAccessChain || i.op == spv::Op::OpInBoundsAccessChain) {
      std::vector<Id> indices;
      for (std::size_t k = 1; k < i.operands.size(); ++k) {
        indices.push_back(i.word(k));
      }
      result.indices.insert(result.indices.begin(), indices.begin(), indices.end());
    } else if (i.op != spv::Op::OpCopyObject) {
      result.block = pointee(pointer).word(1);
      result.base = pointer;
      return result;
    }
    pointer = i.word(0);
  }
}

// True if operand `k` of a phi was made in its loop and comes over the edge back to the loop's
// header.
bool Program::is_of_earlier_iteration(const Instruction& phi, std::size_t k) const {
  const std::size_t header = block_of(phi.result);
  const std::size_t from = flow.index(phi.word(k + 1));
  const std::size_t made = block_of(phi.word(k));
  return header != ControlFlow::none && made != ControlFlow::none && flow.dominates(header, from) &&
         flow.dominates(header, made);
}

std::vector<PointerChoice> Program::choices(Id pointer, int depth) const {
  constexpr int deepest = 16;
  constexpr std::size_t most = 16;
  const Instruction& i = definitions.of(pointer);
  if (depth > deepest) {
    return {};
  }
  std::vector<PointerChoice> all;
  const auto take = [&](std::size_t operand) {
    for (PointerChoice& choice : choices(i.word(operand), depth + 1)) {
      choice.chosen.insert(choice.chosen.begin(), {pointer, static_cast<std::uint32_t>(operand)});
      all.push_back(std::move(choice));
    }
  };
  switch (i.op) {
    case spv::Op::OpVariable:
      return {{{pointer, {}, {}}, {}}};
    case spv::Op::OpCopyObject:
      return choices(i.word(0), depth + 1);
    case spv::Op::OpSelect: {
      const bool one = definitions.op(definitions.of(i.word(0)).type) == spv::Op::OpTypeBool;
      for (std::size_t k = 1; one && k <= 2; ++k) {
        const std::size_t before = all.size();
        take(k);
        if (all.size() == before) {
          return {};
        }
      }
      break;
    }
    case spv::Op::OpPhi:
      for (std::size_t k = 0; k + 1 < i.operands.size(); k += 2) {
        const std::size_t before = all.size();
        // A chain of the iteration before has indices that now have other values.
        if (!is_of_earlier_iteration(i, k)) {
          take(k);
        }
        if (all.size() == before) {
          return {};
        }
      }
      break;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain: {
      const bool element =
          i.op == spv::Op::OpPtrAccessChain || i.op == spv::Op::OpInBoundsPtrAccessChain;
      for (PointerChoice& choice : choices(i.word(0), depth + 1)) {
        PointerPath& path = choice.path;
        if (element && constants.scalar(i.word(1)) != 0) {
          // So many elements on: known from an array's first.
          if (path.indices.empty() || constants.scalar(path.indices.back()) != 0) {
            return {};
          }
          path.indices.back() = i.word(1);
          path.links.back() = {pointer, 1};
        }
        for (std::size_t k = element ? 2 : 1; k < i.operands.size(); ++k) {
          path.indices.push_back(i.word(k));
          path.links.emplace_back(pointer, static_cast<std::uint32_t>(k));
        }
        all.push_back(std::move(choice));
      }
      break;
    }
    default:
      break;
  }
  return all.size() > most ? std::vector<PointerChoice>() : all;
}

Id Program::shared_memory_of(Id variable) const {
  const auto is_block = [&](Id v) {
    const Id type = definitions.of(definitions.of(v).type).word(1);
    return storage(v) == spv::StorageClass::Workgroup &&
           definitions.decoration(type, spv::Decoration::Block) != nullptr;
  };
  if (!is_block(variable)) {
    return variable;
  }
  const auto first = std::ranges::find_if(module.preamble, [&](const Instruction& i) {
    return i.op == spv::Op::OpVariable && is_block(i.result);
  });
  return first == module.preamble.end() ? variable : first->result;
}

spv::StorageClass Program::storage(Id variable) const {
  const Instruction& i = definitions.of(variable);
  return i.op == spv::Op::OpVariable ? static_cast<spv::StorageClass>(i.word(0))
                                     : spv::StorageClass::Max;
}

std::optional<spv::BuiltIn> Program::built_in(Id variable) const {
  const Instruction* i = definitions.decoration(variable, spv::Decoration::BuiltIn);
  return i == nullptr ? std::nullopt : std::optional(static_cast<spv::BuiltIn>(i->word(2)));
}

std::string Program::block_name(Id variable) const {
  const std::string& own = definitions.name(variable);
  if (!own.empty()) {
    return own;
  }
  Id type = definitions.of(definitions.of(variable).type).word(1);
  while (definitions.op(type) == spv::Op::OpTypeArray ||
         definitions.op(type) == spv::Op::OpTypeRuntimeArray) {
    type = definitions.of(type).word(0);
  }
  return definitions.name(type);
}

std::size_t Program::block_of(Id value) const {
  return value < block_of_.size() ? block_of_[value] : ControlFlow::none;
}

std::string Program::file(const SourceLine& at) const {
  const Instruction& i = definitions.of(at.file);
  return i.op == spv::Op::OpString ? text(i, 0) : std::string();
}

}  // namespace spirv
