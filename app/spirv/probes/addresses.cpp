#include "spirv/probes/addresses.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "spirv/module/types.h"

namespace spirv {
namespace {

bool moves_on(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain ||
         op == spv::Op::OpPtrAccessChain || op == spv::Op::OpInBoundsPtrAccessChain ||
         op == spv::Op::OpCopyObject;
}

class AddressKeeper {
 public:
  AddressKeeper(Module& module, const SpecValues& values, AddressTable table)
      : original_(module),
        definitions_(original_),
        constants_(definitions_, values),
        types_(definitions_, constants_),
        emitter_(module),
        table_(table) {}

  std::string run();

 private:
  void rewrite(Block& block);
  void keep(Instruction& i, std::vector<Instruction>& code);
  [[nodiscard]] Id root_of(Id pointer) const;
  [[nodiscard]] std::uint64_t bytes_of(Id pointer) const;

  const Module original_;
  Definitions definitions_;
  Constants constants_;
  Types types_;
  Emitter emitter_;
  AddressTable table_;
  std::optional<AddressGuard> guard_;
  std::map<Id, AddressGuard::Range> known_;  // by root, in one block
  std::string left_;
};

std::string AddressKeeper::run() {
  if (table_.ranges > 0) {
    guard_.emplace(emitter_, definitions_, table_);
  }
  for (Function& function : emitter_.module().functions) {
    std::vector<Instruction> beginning;
    if (guard_) {
      guard_->begin(beginning);
    }
    for (Block& block : function.blocks) {
      rewrite(block);
    }
    if (!function.blocks.empty()) {
      auto& body = function.blocks.front().body;
      body.insert(body.begin() + static_cast<std::ptrdiff_t>(first_instruction(function)),
                  beginning.begin(), beginning.end());
    }
  }
  return left_;
}

void AddressKeeper::rewrite(Block& block) {
  known_.clear();
  std::vector<Instruction> body;
  body.reserve(block.body.size());
  for (Instruction& i : block.body) {
    keep(i, body);
    body.push_back(std::move(i));
  }
  block.body = std::move(body);
}

void AddressKeeper::keep(Instruction& i, std::vector<Instruction>& code) {
  if (touches_matrix(i.op) && is_address(definitions_, i.word(0))) {
    left_ = "cooperative matrices accessed through buffer references";
  }
  const auto accesses = accesses_by_address(i, definitions_);
  if (!accesses.empty() && !guard_) {
    drop_access(emitter_, definitions_, i);
    return;
  }
  for (const MemoryAccess& through : accesses) {
    const Id pointer = i.word(through.operand);
    const std::uint64_t bytes = bytes_of(pointer);
    if (bytes > kAddressSink) {
      left_ = "accesses through buffer references that are too large";
      continue;
    }
    const Id root = root_of(pointer);
    const auto [range, fresh] = known_.try_emplace(root);
    if (fresh) {
      range->second = guard_->range_of(code, root);
    }
    i.operands[through.operand] =
        ref(guard_->keep(code, pointer, range->second, bytes, through.writes).pointer);
  }
}

Id AddressKeeper::root_of(Id pointer) const {
  while (moves_on(definitions_.op(pointer))) {
    pointer = definitions_.of(pointer).word(0);
  }
  return pointer;
}

// How a matrix lies is said where it is a member.
std::uint64_t AddressKeeper::bytes_of(Id pointer) const {
  const Id type = definitions_.of(definitions_.of(pointer).type).word(1);
  std::uint64_t matrix_stride = 0;
  for (Id at = pointer; matrix_stride == 0 && moves_on(definitions_.op(at));
       at = definitions_.of(at).word(0)) {
    const Instruction& chain = definitions_.of(at);
    Id from = definitions_.of(definitions_.of(chain.word(0)).type).word(1);
    for (std::size_t k = 1; k < chain.operands.size(); ++k) {
      const auto member = static_cast<std::uint32_t>(constants_.scalar(chain.word(k)).value_or(0));
      if (const Instruction* stride =
              definitions_.decoration(from, member, spv::Decoration::MatrixStride)) {
        matrix_stride = stride->word(3);
      }
      from = types_.element(from, types_.is_struct(from) ? member : 0);
    }
  }
  return std::max<std::uint64_t>(types_.explicit_bytes(type, matrix_stride), 1);
}

}  // namespace

std::uint32_t AddressTable::row_count(std::uint32_t ranges) {
  return 2 * std::bit_floor(std::max(ranges, 1U));
}

AddressGuard::AddressGuard(Emitter& emitter, const Definitions& definitions, AddressTable table)
    : emitter_(emitter), definitions_(definitions), table_(table) {
  emitter_.capability(spv::Capability::Int64);
  buffer_ = emitter_.buffer_of_longs("tilescope_addresses", 0, table_.binding);
}

Id AddressGuard::emit(std::vector<Instruction>& code, spv::Op op, Id type,
                      std::vector<Operand> operands) {
  const Id result = emitter_.module().fresh();
  code.push_back({op, type, result, std::move(operands), {}});
  return result;
}

Id AddressGuard::word_at(std::vector<Instruction>& code, Id index) {
  const Id pointer =
      emit(code, spv::Op::OpAccessChain,
           emitter_.pointer_type(spv::StorageClass::StorageBuffer, emitter_.long_type()),
           {ref(buffer_), ref(emitter_.constant(0)), ref(index)});
  return emit(code, spv::Op::OpLoad, emitter_.long_type(), {ref(pointer)});
}

Id AddressGuard::row_word(std::vector<Instruction>& code, Id row, std::uint32_t word) {
  const Id uint = emitter_.uint_type();
  const Id first = emit(code, spv::Op::OpIMul, uint,
                        {ref(row), ref(emitter_.constant(AddressTable::row_words))});
  return word_at(code, emit(code, spv::Op::OpIAdd, uint,
                            {ref(first), ref(emitter_.constant(AddressTable::rows + word))}));
}

Id AddressGuard::as_long(std::vector<Instruction>& code, Id value) {
  const Id type = definitions_.of(value).type;
  switch (definitions_.op(type)) {
    case spv::Op::OpTypePointer:
      return emit(code, spv::Op::OpConvertPtrToU, emitter_.long_type(), {ref(value)});
    case spv::Op::OpTypeVector:
      return emit(code, spv::Op::OpBitcast, emitter_.long_type(), {ref(value)});
    default:
      return type == emitter_.long_type()
                 ? value
                 : emit(code, spv::Op::OpBitcast, emitter_.long_type(), {ref(value)});
  }
}

void AddressGuard::begin(std::vector<Instruction>& code) {
  zeros_ = word_at(code, emitter_.constant(AddressTable::zeros));
  lost_ = word_at(code, emitter_.constant(AddressTable::lost));
}

// The last row that begins no later: a search without branches.
AddressGuard::Range AddressGuard::range_of(std::vector<Instruction>& code, Id root) {
  const Id uint = emitter_.uint_type();
  const Id address = as_long(code, root);
  Range range{.row = emitter_.constant(0)};
  for (std::uint32_t step = AddressTable::row_count(table_.ranges) / 2; step > 0; step /= 2) {
    const Id candidate =
        emit(code, spv::Op::OpIAdd, uint, {ref(range.row), ref(emitter_.constant(step))});
    const Id begins = row_word(code, candidate, AddressTable::begin);
    const Id before =
        emit(code, spv::Op::OpUGreaterThanEqual, emitter_.bool_type(), {ref(address), ref(begins)});
    range.row = emit(code, spv::Op::OpSelect, uint, {ref(before), ref(candidate), ref(range.row)});
  }
  range.begin = row_word(code, range.row, AddressTable::begin);
  range.bytes = row_word(code, range.row, AddressTable::bytes);
  return range;
}

AddressGuard::Kept AddressGuard::keep(std::vector<Instruction>& code, Id pointer,
                                      const Range& range, std::uint64_t bytes, bool writes) {
  const Id type = emitter_.long_type();
  const Id boolean = emitter_.bool_type();
  const Id address = emit(code, spv::Op::OpConvertPtrToU, type, {ref(pointer)});
  Kept kept;
  kept.offset = emit(code, spv::Op::OpISub, type, {ref(address), ref(range.begin)});
  const Id size = emit(code, spv::Op::OpUConvert, type,
                       {ref(emitter_.constant(static_cast<std::uint32_t>(bytes)))});
  const Id small = emit(code, spv::Op::OpULessThan, boolean, {ref(range.bytes), ref(size)});
  const Id last = emit(code, spv::Op::OpISub, type, {ref(range.bytes), ref(size)});
  const Id beyond = emit(code, spv::Op::OpUGreaterThan, boolean, {ref(kept.offset), ref(last)});
  kept.outside = emit(code, spv::Op::OpLogicalOr, boolean, {ref(small), ref(beyond)});
  const Id inside = emit(code, spv::Op::OpSelect, type,
                         {ref(kept.outside), ref(writes ? lost_ : zeros_), ref(address)});
  kept.pointer = emit(code, spv::Op::OpConvertUToPtr, definitions_.of(pointer).type, {ref(inside)});
  return kept;
}

std::size_t first_instruction(const Function& function) {
  const auto& body = function.blocks.front().body;
  const auto found =
      std::ranges::find_if(body, [](const Instruction& i) { return i.op != spv::Op::OpVariable; });
  return static_cast<std::size_t>(found - body.begin());
}

namespace {

// What stands for a value that was not read. An address that is anything is looked up like any
// other.
Id nothing(Emitter& emitter, const Definitions& definitions, Id type) {
  return can_be_null(definitions, type) ? emitter.null(type) : emitter.undefined(type);
}

}  // namespace

void drop_access(Emitter& emitter, const Definitions& definitions, Instruction& i) {
  if (i.result != 0) {
    i.op = spv::Op::OpCopyObject;
    i.operands = {ref(nothing(emitter, definitions, i.type))};
  } else if (i.op == spv::Op::OpCopyMemory && !is_address(definitions, i.word(0))) {
    const Id held = definitions.of(definitions.of(i.word(0)).type).word(1);
    i.op = spv::Op::OpStore;
    i.operands = {ref(i.word(0)), ref(nothing(emitter, definitions, held))};
  } else {
    i.op = spv::Op::OpNop;
    i.operands.clear();
  }
}

std::string keep_addresses(Module& module, const SpecValues& values, const AddressTable& table) {
  return AddressKeeper(module, values, table).run();
}

}  // namespace spirv
