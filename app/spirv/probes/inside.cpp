#include "spirv/probes/inside.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "spirv/module/emitter.h"
#include "spirv/module/index_width.h"
#include "spirv/module/types.h"
#include "spirv/reflection/addresses.h"

namespace spirv {
namespace {

spv::StorageClass storage_of(const Instruction& pointer_type) {
  return static_cast<spv::StorageClass>(pointer_type.word(0));
}

// A variable of more scalars than that is zeroed by a loop: a compiler takes a first value apart,
// and lavapipe's takes a minute over 4,096 of them.
constexpr std::uint64_t most_at_once = 256;
constexpr std::uint64_t most_in_turn = 32;  // of stores in a turn of that loop

bool is_chain(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain;
}

// Chains whose first index moves the pointer itself, along memory of a length that is not known.
bool moves(spv::Op op) {
  return op == spv::Op::OpPtrAccessChain || op == spv::Op::OpInBoundsPtrAccessChain;
}

class IndexKeeper {
 public:
  IndexKeeper(Module& module, const SpecValues& values)
      : original_(module),
        definitions_(original_),
        constants_(definitions_, values),
        types_(definitions_, constants_),
        emitter_(module) {}

  std::string run() {
    for (const Instruction& i : original_.preamble) {
      look_at(i);
    }
    for (Function& function : emitter_.module().functions) {
      for (Block& block : function.blocks) {
        rewrite(block);
      }
    }
    start_globals();
    start_large();
    return left_;
  }

 private:
  void look_at(const Instruction& i);
  void rewrite(Block& block);
  void define(Instruction& i);
  void start_globals();
  void start_large();
  [[nodiscard]] std::vector<Instruction> large_of(const std::vector<Instruction>& code) const;
  [[nodiscard]] Instruction call_zeroing(const Instruction& variable);
  [[nodiscard]] Id zeroing(Id variable, Id held, spv::StorageClass storage);
  [[nodiscard]] Id unwritten(const Instruction& i) const;
  [[nodiscard]] bool is_large(Id held) const {
    return definitions_.op(held) == spv::Op::OpTypeArray && types_.scalars(held) > most_at_once;
  }
  void keep(Instruction& chain, std::size_t first);
  void keep(Operand& index, std::uint64_t length, SourceLine at);
  [[nodiscard]] bool is_block(Id type) const {
    return definitions_.decoration(type, spv::Decoration::Block) != nullptr ||
           definitions_.decoration(type, spv::Decoration::BufferBlock) != nullptr;
  }
  [[nodiscard]] bool holds_blocks(Id type) const;
  Id constant(Id type, std::uint64_t value);

  const Module original_;
  Definitions definitions_;
  Constants constants_;
  Types types_;
  Emitter emitter_;
  std::map<std::pair<Id, std::uint64_t>, Id> numbers_;
  std::vector<Instruction> code_;
  std::string left_;
};

void IndexKeeper::look_at(const Instruction& i) {
  if (i.op == spv::Op::OpVariable &&
      definitions_.op(definitions_.of(i.type).word(1)) == spv::Op::OpTypeRuntimeArray) {
    left_ = "arrays of resources without a length";
  }
}

// Resources in an array; what is in a block is behind the driver's own comparison.
bool IndexKeeper::holds_blocks(Id type) const {
  while (definitions_.op(type) == spv::Op::OpTypeArray) {
    type = definitions_.of(type).word(0);
  }
  return is_block(type);
}

void IndexKeeper::rewrite(Block& block) {
  std::vector<Instruction> body;
  body.reserve(block.body.size());
  for (Instruction& i : block.body) {
    define(i);
    if (is_chain(i.op)) {
      keep(i, 1);
    } else if (moves(i.op)) {
      const auto storage = storage_of(definitions_.of(i.type));
      const bool buffer =
          storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform;
      if (!buffer && constants_.scalar(i.word(1)) != std::optional<std::uint64_t>(0)) {
        left_ = "pointer arithmetic on shared memory";
      }
      keep(i, 2);
    }
    body.insert(body.end(), code_.begin(), code_.end());
    code_.clear();
    body.push_back(std::move(i));
  }
  block.body = std::move(body);
}

// A compiler may take a value that nothing has written for another one at each of its uses: inside
// where it is compared, outside where it is the index.
void IndexKeeper::define(Instruction& i) {
  if (i.op == spv::Op::OpUndef && can_be_null(definitions_, i.type) &&
      definitions_.op(i.type) != spv::Op::OpTypePointer) {
    i.op = spv::Op::OpCopyObject;
    i.operands = {ref(emitter_.null(i.type))};
  } else if (const Id held = unwritten(i); held != 0 && !is_large(held)) {
    i.operands.push_back(ref(emitter_.null(held)));
  }
}

// The type of a variable of an invocation that starts as nothing, where it can start as zeros; else
// 0.
Id IndexKeeper::unwritten(const Instruction& i) const {
  const auto storage = static_cast<spv::StorageClass>(i.word(0));
  const bool own = storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
  if (i.op != spv::Op::OpVariable || i.operands.size() != 1 || !own) {
    return 0;
  }
  const Id held = definitions_.of(i.type).word(1);
  return types_.scalars(held) != 0 && can_be_null(definitions_, held) ? held : 0;
}

// A global's first value stands before it.
void IndexKeeper::start_globals() {
  std::vector<Instruction> preamble;
  for (Instruction& i : emitter_.module().preamble) {
    if (i.op == spv::Op::OpUndef && can_be_null(definitions_, i.type) &&
        definitions_.op(i.type) != spv::Op::OpTypePointer) {
      i.op = spv::Op::OpConstantNull;
    }
    if (const Id held = unwritten(i); held != 0 && !is_large(held)) {
      const Id zeros = emitter_.module().fresh();
      preamble.push_back({spv::Op::OpConstantNull, held, zeros, {}, {}});
      i.operands.push_back(ref(zeros));
    }
    preamble.push_back(std::move(i));
  }
  emitter_.module().preamble = std::move(preamble);
}

// A function that stores zeros to all of a variable, and its call's operands.
Id IndexKeeper::zeroing(Id variable, Id held, spv::StorageClass storage) {
  const bool local = storage == spv::StorageClass::Function;
  Code code(emitter_, "zeros", emitter_.void_type(),
            local ? std::vector<Id>{emitter_.pointer_type(storage, held)} : std::vector<Id>());
  std::vector<std::uint64_t> strides;  // in cells, outermost first
  Id cell = held;
  while (definitions_.op(cell) == spv::Op::OpTypeArray &&
         (cell == held || types_.scalars(cell) > most_at_once)) {
    cell = types_.element(cell);
    strides.push_back(types_.scalars(cell));
  }
  const std::uint64_t scalars = types_.scalars(cell);
  const std::uint64_t cells = types_.scalars(held) / scalars;
  std::uint64_t in_turn = std::clamp<std::uint64_t>(most_in_turn / scalars, 1, most_in_turn);
  while (cells % in_turn != 0) {
    --in_turn;
  }
  const auto number = [this](std::uint64_t value) {
    return emitter_.constant(static_cast<std::uint32_t>(value));
  };
  code.count(number(0), number(cells), number(in_turn), [&](Id first) {
    for (std::uint64_t k = 0; k < in_turn; ++k) {
      Id rest = code.word(spv::Op::OpIAdd, first, number(k));
      std::vector<Operand> chain{ref(local ? code.parameter(0) : variable)};
      for (const std::uint64_t stride : strides) {
        const Id one = number(stride / scalars);
        chain.push_back(ref(code.word(spv::Op::OpUDiv, rest, one)));
        rest = code.word(spv::Op::OpUMod, rest, one);
      }
      code.store(code.emit(spv::Op::OpAccessChain, emitter_.pointer_type(storage, cell), chain),
                 emitter_.null(cell));
    }
  });
  code.finish();
  return code.id();
}

std::vector<Instruction> IndexKeeper::large_of(const std::vector<Instruction>& code) const {
  std::vector<Instruction> large;
  std::ranges::copy_if(code, std::back_inserter(large), [this](const Instruction& i) {
    const Id held = unwritten(i);
    return held != 0 && is_large(held);
  });
  return large;
}

Instruction IndexKeeper::call_zeroing(const Instruction& variable) {
  const auto storage = static_cast<spv::StorageClass>(variable.word(0));
  const Id zeros = zeroing(variable.result, definitions_.of(variable.type).word(1), storage);
  std::vector<Operand> operands{ref(zeros)};
  if (storage == spv::StorageClass::Function) {
    operands.push_back(ref(variable.result));
  }
  return {spv::Op::OpFunctionCall, emitter_.void_type(), emitter_.module().fresh(), operands,
          variable.at};
}

// Large variables: each function zeroes its own when it begins, an entry point the globals.
void IndexKeeper::start_large() {
  emitter_.keep_loops();
  const std::vector<Instruction> globals = large_of(original_.preamble);
  const std::size_t functions = emitter_.module().functions.size();
  for (std::size_t at = 0; at < functions; ++at) {
    const Function& function = original_.functions[at];
    if (function.blocks.empty()) {
      continue;
    }
    std::vector<Instruction> variables = large_of(function.blocks.front().body);
    if (std::ranges::any_of(original_.preamble, [&function](const Instruction& i) {
          return i.op == spv::Op::OpEntryPoint && i.word(1) == function.id();
        })) {
      variables.insert(variables.end(), globals.begin(), globals.end());
    }
    std::vector<Instruction> calls;
    for (const Instruction& variable : variables) {
      calls.push_back(call_zeroing(variable));
    }
    auto& body = emitter_.module().functions[at].blocks.front().body;
    const auto behind = std::ranges::find_if(
        body, [](const Instruction& i) { return i.op != spv::Op::OpVariable; });
    body.insert(behind, calls.begin(), calls.end());
  }
}

void IndexKeeper::keep(Instruction& chain, std::size_t first) {
  const Instruction& pointer = definitions_.of(definitions_.of(chain.word(0)).type);
  const bool buffer = storage_of(pointer) == spv::StorageClass::StorageBuffer ||
                      storage_of(pointer) == spv::StorageClass::PhysicalStorageBuffer ||
                      storage_of(pointer) == spv::StorageClass::Uniform;
  Id type = pointer.word(1);
  for (std::size_t n = first; n < chain.operands.size(); ++n) {
    if (types_.is_struct(type)) {
      const auto member = constants_.scalar(chain.word(n));
      type = types_.element(type, static_cast<std::uint32_t>(member.value_or(0)));
      continue;
    }
    const bool runtime = definitions_.op(type) == spv::Op::OpTypeRuntimeArray;
    if (const std::uint64_t length = types_.length(type);
        !runtime && (!buffer || holds_blocks(type))) {
      length == 0 ? void(left_ = "arrays of unknown length")
                  : keep(chain.operands[n], length, chain.at);
    }
    type = types_.element(type);
  }
}

void IndexKeeper::keep(Operand& index, std::uint64_t length, SourceLine at) {
  const Id type = definitions_.of(index.word).type;
  const std::uint32_t width = scalar_width(definitions_, type);
  if (width < 64 && length > (std::uint64_t{1} << width) - 1) {
    return;  // there is no such index
  }
  // A specialization constant too has been what it is by now.
  if (const auto known = constants_.scalar(index.word)) {
    if (*known >= length) {
      index = ref(constant(type, length - 1));
    }
    return;
  }
  const Id last = constant(type, length - 1);
  const Id boolean = emitter_.bool_type();
  const Id outside = emitter_.module().fresh();
  const Id kept = emitter_.module().fresh();
  code_.push_back({spv::Op::OpUGreaterThan, boolean, outside, {ref(index.word), ref(last)}, at});
  code_.push_back({spv::Op::OpSelect, type, kept, {ref(outside), ref(last), ref(index.word)}, at});
  index = ref(kept);
}

// Narrow ones are sign-extended where their type is signed (SPIR-V specification, 2.2.1).
Id IndexKeeper::constant(Id type, std::uint64_t value) {
  const auto [entry, fresh] = numbers_.try_emplace({type, value}, 0);
  if (!fresh) {
    return entry->second;
  }
  const std::uint32_t width = scalar_width(definitions_, type);
  const bool negative =
      width < 32 && definitions_.of(type).word(1) != 0 && (value >> (width - 1) & 1U) != 0;
  const auto low = static_cast<std::uint32_t>(value);
  std::vector<Operand> words{literal(negative ? low | (~std::uint32_t{0} << width) : low)};
  if (width > 32) {
    words.push_back(literal(static_cast<std::uint32_t>(value >> 32U)));
  }
  entry->second = emitter_.module().fresh();
  emitter_.module().preamble.push_back({spv::Op::OpConstant, type, entry->second, words, {}});
  return entry->second;
}

}  // namespace

std::string keep_inside(Module& module, const SpecValues& values) {
  widen_indices(module);
  return IndexKeeper(module, values).run();
}

}  // namespace spirv
