#include "spirv/module/coordinates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/module/emitter.h"
#include "spirv/module/operations.h"

namespace spirv {
namespace {

// The operand that is the coordinates of an access without a sampler.
std::optional<std::size_t> coordinates_of(const Instruction& i) {
  switch (i.op) {
    case spv::Op::OpImageRead:
    case spv::Op::OpImageFetch:
    case spv::Op::OpImageWrite:
    case spv::Op::OpImageTexelPointer:
      return 1;
    default:
      return std::nullopt;
  }
}

// Each component of the result is the operation on that component of every operand.
bool by_component(spv::Op op) {
  switch (op) {
    case spv::Op::OpBitcast:
    case spv::Op::OpCopyObject:
    case spv::Op::OpSelect:
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalOr:
    case spv::Op::OpLogicalNot:
      return true;
    default:
      return combines_integers(op) || negates_integer(op) || compares_integers(op);
  }
}

// Of GLSL.std.450: FAbs is none, SAbs, UMin, SMin, UMax, SMax, UClamp, SClamp are.
bool by_component(std::uint32_t extended) {
  return extended == 5 || extended == 38 || extended == 39 || extended == 41 || extended == 42 ||
         extended == 44 || extended == 45;
}

class Apart {
 public:
  explicit Apart(Module& module) : original_(module), definitions_(original_), emitter_(module) {}

  void run() {
    const Instruction* entry = compute_entry(original_);
    for (std::size_t f = 0; entry != nullptr && f < original_.functions.size(); ++f) {
      if (original_.functions[f].id() == entry->word(1)) {
        function_ = f;
        rewrite();
      }
    }
  }

 private:
  using Place = std::pair<std::size_t, std::size_t>;

  void rewrite();
  void rewrite(Instruction& i, const Place& at);
  void apply();
  [[nodiscard]] Id component(Id vector, std::uint32_t n);
  [[nodiscard]] Id made(const Instruction& i, std::uint32_t n, int depth);
  [[nodiscard]] Id find(Id vector, std::uint32_t n, int depth);
  [[nodiscard]] Id constant_part(const Instruction& i, std::uint32_t n);
  [[nodiscard]] std::uint32_t components(Id value) const {
    const Instruction& type = definitions_.of(definitions_.of(value).type);
    return type.op == spv::Op::OpTypeVector ? type.word(1) : 1;
  }
  [[nodiscard]] Id element(Id value) const {
    const Instruction& type = definitions_.of(definitions_.of(value).type);
    return type.op == spv::Op::OpTypeVector ? type.word(0) : definitions_.of(value).type;
  }
  Id behind(const Instruction& i, spv::Op op, Id type, std::vector<Operand> operands);

  const Module original_;
  const Definitions definitions_;
  Emitter emitter_;
  std::size_t function_ = 0;
  std::map<Id, Place> places_;
  std::map<std::pair<Id, std::uint32_t>, Id> known_;
  std::map<Place, std::vector<Instruction>> before_;
  std::map<Place, std::vector<Instruction>> after_;
};

void Apart::rewrite() {
  const auto& blocks = original_.functions[function_].blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t i = 0; i < blocks[b].body.size(); ++i) {
      places_[blocks[b].body[i].result] = {b, i};
    }
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t i = 0; i < blocks[b].body.size(); ++i) {
      rewrite(emitter_.module().functions[function_].blocks[b].body[i], {b, i});
    }
  }
  apply();
}

void Apart::rewrite(Instruction& i, const Place& at) {
  const bool of_words = i.op == spv::Op::OpCompositeExtract && i.operands.size() == 2 &&
                        definitions_.op(i.type) == spv::Op::OpTypeInt &&
                        definitions_.op(definitions_.of(i.word(0)).type) == spv::Op::OpTypeVector;
  if (of_words) {
    if (const Id scalar = component(i.word(0), i.word(1)); scalar != i.result) {
      i.op = spv::Op::OpCopyObject;
      i.operands = {ref(scalar)};
    }
    return;
  }
  if (i.op == spv::Op::OpAny || i.op == spv::Op::OpAll) {
    const spv::Op joined = i.op == spv::Op::OpAny ? spv::Op::OpLogicalOr : spv::Op::OpLogicalAnd;
    const Id vector = i.word(0);
    const std::uint32_t count = components(vector);
    Id so_far = component(vector, 0);
    for (std::uint32_t n = 1; n + 1 < count; ++n) {
      const Id more = emitter_.module().fresh();
      before_[at].push_back({joined, i.type, more, {ref(so_far), ref(component(vector, n))}, i.at});
      so_far = more;
    }
    i.op = joined;
    i.operands = {ref(so_far), ref(component(vector, count - 1))};
    return;
  }
  const auto operand = coordinates_of(i);
  if (!operand) {
    return;
  }
  const Id coordinates = i.word(*operand);
  const std::uint32_t count = components(coordinates);
  std::vector<Operand> parts;
  for (std::uint32_t n = 0; n < count; ++n) {
    parts.push_back(ref(count == 1 ? coordinates : component(coordinates, n)));
  }
  const Id own = emitter_.module().fresh();
  before_[at].push_back({count == 1 ? spv::Op::OpCopyObject : spv::Op::OpCompositeConstruct,
                         definitions_.of(coordinates).type, own, parts, i.at});
  i.operands[*operand] = ref(own);
}

// Right behind the vector, so that all who use it see one and the same.
Id Apart::component(Id vector, std::uint32_t n) {
  return find(vector, n, 0);
}

Id Apart::find(Id vector, std::uint32_t n, int depth) {
  if (components(vector) == 1) {
    return vector;
  }
  const auto [entry, fresh] = known_.try_emplace({vector, n}, 0);
  if (fresh) {
    const Id scalar = made(definitions_.of(vector), n, depth);
    known_[{vector, n}] = scalar;
    return scalar;
  }
  return entry->second;
}

Id Apart::behind(const Instruction& i, spv::Op op, Id type, std::vector<Operand> operands) {
  const Id result = emitter_.module().fresh();
  Place at{0, 0};
  if (const auto own = places_.find(i.result); own != places_.end()) {
    at = own->second;
  }
  const auto& body = original_.functions[function_].blocks[at.first].body;
  const auto stands_first = [&](std::size_t k) {
    return body[k].op == spv::Op::OpPhi || body[k].op == spv::Op::OpVariable;
  };
  while (stands_first(at.second) && stands_first(at.second + 1)) {
    ++at.second;
  }
  const bool in_front = !places_.contains(i.result) && !stands_first(at.second);
  auto& code = in_front ? before_[at] : after_[at];
  code.push_back({op, type, result, std::move(operands), i.at});
  return result;
}

Id Apart::constant_part(const Instruction& i, std::uint32_t n) {
  if (i.op == spv::Op::OpConstantComposite) {
    return i.word(n);
  }
  return i.op == spv::Op::OpConstantNull ? emitter_.null(element(i.result)) : 0;
}

Id Apart::made(const Instruction& i, std::uint32_t n, int depth) {
  constexpr int deepest = 16;
  const Id type = element(i.result);
  if (const Id part = constant_part(i, n)) {
    return part;
  }
  const auto whole = [&] {
    return behind(i, spv::Op::OpCompositeExtract, type, {ref(i.result), literal(n)});
  };
  if (depth > deepest || !places_.contains(i.result)) {
    return whole();
  }
  if (i.op == spv::Op::OpLoad) {
    const Instruction& variable = definitions_.of(i.word(0));
    const bool input = variable.op == spv::Op::OpVariable &&
                       static_cast<spv::StorageClass>(variable.word(0)) == spv::StorageClass::Input;
    if (!input) {
      return whole();
    }
    const Id pointer =
        behind(i, spv::Op::OpAccessChain, emitter_.pointer_type(spv::StorageClass::Input, type),
               {ref(i.word(0)), ref(emitter_.constant(n))});
    return behind(i, spv::Op::OpLoad, type, {ref(pointer)});
  }
  if (i.op == spv::Op::OpCompositeConstruct) {
    std::uint32_t first = 0;
    for (const Operand& part : i.operands) {
      const std::uint32_t count = components(part.word);
      if (n < first + count) {
        return find(part.word, n - first, depth + 1);
      }
      first += count;
    }
    return whole();
  }
  if (i.op == spv::Op::OpVectorShuffle) {
    const std::uint32_t from = i.word(2 + n);
    const std::uint32_t count = components(i.word(0));
    if (from >= count + components(i.word(1))) {
      return whole();
    }
    return from < count ? find(i.word(0), from, depth + 1)
                        : find(i.word(1), from - count, depth + 1);
  }
  const bool extended = i.op == spv::Op::OpExtInst && by_component(i.word(1));
  const bool alike = std::ranges::all_of(i.operands, [&](const Operand& operand) {
    return !operand.is_id || definitions_.of(operand.word).op == spv::Op::OpExtInstImport ||
           components(operand.word) == components(i.result) ||
           (i.op == spv::Op::OpSelect && components(operand.word) == 1);
  });
  if (!(by_component(i.op) || extended) || !alike) {
    return whole();
  }
  std::vector<Operand> operands = i.operands;
  for (std::size_t k = extended ? 2 : 0; k < operands.size(); ++k) {
    operands[k] = ref(find(operands[k].word, n, depth + 1));
  }
  return behind(i, i.op, type, std::move(operands));
}

void Apart::apply() {
  auto& blocks = emitter_.module().functions[function_].blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::vector<Instruction> body;
    for (std::size_t n = 0; n < blocks[b].body.size(); ++n) {
      auto& before = before_[{b, n}];
      auto& after = after_[{b, n}];
      body.insert(body.end(), before.begin(), before.end());
      body.push_back(std::move(blocks[b].body[n]));
      body.insert(body.end(), after.begin(), after.end());
    }
    blocks[b].body = std::move(body);
  }
}

}  // namespace

void take_coordinates_apart(Module& module) {
  const bool any = std::ranges::any_of(module.functions, [](const Function& function) {
    return std::ranges::any_of(function.blocks, [](const Block& block) {
      return std::ranges::any_of(
          block.body, [](const Instruction& i) { return coordinates_of(i).has_value(); });
    });
  });
  if (any) {
    Apart(module).run();
  }
}

}  // namespace spirv
