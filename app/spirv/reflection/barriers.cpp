#include "spirv/reflection/barriers.h"

#include <algorithm>

namespace spirv {
namespace {

std::uint32_t bit(spv::MemorySemanticsMask mask) {
  return static_cast<std::uint32_t>(mask);
}

std::uint32_t semantics_of(BarrierKind kind) {
  const std::uint32_t order = bit(spv::MemorySemanticsMask::AcquireRelease);
  const std::uint32_t shared = bit(spv::MemorySemanticsMask::WorkgroupMemory);
  const std::uint32_t global = bit(spv::MemorySemanticsMask::UniformMemory);
  switch (kind) {
    case BarrierKind::shared:
    case BarrierKind::fence_shared:
      return order | shared;
    case BarrierKind::global:
    case BarrierKind::fence_global:
      return order | global;
    default:
      return order | shared | global;
  }
}

// The id of a 32-bit unsigned constant, made when the module has none.
class Unsigned {
 public:
  explicit Unsigned(Module& module) : module_(module) {
    for (const Instruction& i : module_.preamble) {
      if (i.op == spv::Op::OpTypeInt && i.word(0) == 32 && i.word(1) == 0) {
        type_ = i.result;
      }
    }
    if (type_ == 0) {
      type_ = module_.fresh();
      module_.preamble.push_back({spv::Op::OpTypeInt, 0, type_, {literal(32), literal(0)}, {}});
    }
  }

  Id constant(std::uint32_t value) {
    for (const Instruction& i : module_.preamble) {
      if (i.op == spv::Op::OpConstant && i.type == type_ && i.word(0) == value) {
        return i.result;
      }
    }
    const Id id = module_.fresh();
    module_.preamble.push_back({spv::Op::OpConstant, type_, id, {literal(value)}, {}});
    return id;
  }

 private:
  Module& module_;
  Id type_ = 0;
};

}  // namespace

std::uint32_t count_barriers(const Module& module) {
  return static_cast<std::uint32_t>(barrier_places(module).size());
}

Expected<void> edit_barriers(Module& module, const BarrierEdits& edits) {
  if (edits.empty()) {
    return {};
  }
  const std::vector<BarrierPlace> places = barrier_places(module);
  for (const auto& [number, kind] : edits) {
    if (number == 0 || number > places.size()) {
      return core::usage_error("barrier " + std::to_string(number) +
                               " does not exist: the kernel has " + std::to_string(places.size()) +
                               ", counted from 1");
    }
  }
  Unsigned unsigned_constants(module);
  for (const auto& [number, kind] : edits) {
    const BarrierPlace& p = places[number - 1];
    Instruction& i = module.functions[p.function].blocks[p.block].body[p.instruction];
    if (kind == BarrierKind::off) {
      i = {spv::Op::OpNop, 0, 0, {}, i.at};
      continue;
    }
    const Id workgroup =
        unsigned_constants.constant(static_cast<std::uint32_t>(spv::Scope::Workgroup));
    const Id semantics = unsigned_constants.constant(semantics_of(kind));
    if (core::waits(kind)) {
      i.operands = {ref(workgroup), ref(workgroup), ref(semantics)};
    } else {
      i = {spv::Op::OpMemoryBarrier, 0, 0, {ref(workgroup), ref(semantics)}, i.at};
    }
  }
  return {};
}

bool is_atomic(spv::Op op) {
  switch (op) {
    case spv::Op::OpAtomicLoad:
    case spv::Op::OpAtomicStore:
    case spv::Op::OpAtomicExchange:
    case spv::Op::OpAtomicCompareExchange:
    case spv::Op::OpAtomicCompareExchangeWeak:
    case spv::Op::OpAtomicIIncrement:
    case spv::Op::OpAtomicIDecrement:
    case spv::Op::OpAtomicIAdd:
    case spv::Op::OpAtomicISub:
    case spv::Op::OpAtomicSMin:
    case spv::Op::OpAtomicUMin:
    case spv::Op::OpAtomicSMax:
    case spv::Op::OpAtomicUMax:
    case spv::Op::OpAtomicAnd:
    case spv::Op::OpAtomicOr:
    case spv::Op::OpAtomicXor:
    case spv::Op::OpAtomicFlagTestAndSet:
    case spv::Op::OpAtomicFlagClear:
    case spv::Op::OpAtomicFAddEXT:
    case spv::Op::OpAtomicFMinEXT:
    case spv::Op::OpAtomicFMaxEXT:
      return true;
    default:
      return false;
  }
}

bool is_workgroup_barrier(const Constants& constants, const Instruction& i) {
  return i.op == spv::Op::OpControlBarrier &&
         constants.scalar(i.word(0)) == static_cast<std::uint64_t>(spv::Scope::Workgroup);
}

bool is_subgroup_barrier(const Constants& constants, const Instruction& i) {
  return i.op == spv::Op::OpControlBarrier &&
         constants.scalar(i.word(0)) == static_cast<std::uint64_t>(spv::Scope::Subgroup);
}

Semantics semantics(const Constants& constants, const Instruction& i) {
  const std::size_t first = i.op == spv::Op::OpControlBarrier ? 1 : 0;
  if (i.op != spv::Op::OpControlBarrier && i.op != spv::Op::OpMemoryBarrier) {
    return {};
  }
  return semantics(constants.scalar(i.word(first)).value_or(4),
                   constants.scalar(i.word(first + 1)).value_or(0));
}

Semantics semantics(std::uint64_t scope_word, std::uint64_t mask_word) {
  const auto scope = static_cast<spv::Scope>(scope_word);
  const auto mask = static_cast<std::uint32_t>(mask_word);
  const auto has = [mask](spv::MemorySemanticsMask m) { return (mask & bit(m)) != 0; };
  const bool both = has(spv::MemorySemanticsMask::AcquireRelease) ||
                    has(spv::MemorySemanticsMask::SequentiallyConsistent);
  Semantics s;
  s.acquires = both || has(spv::MemorySemanticsMask::Acquire);
  s.releases = both || has(spv::MemorySemanticsMask::Release);
  s.shared_memory = has(spv::MemorySemanticsMask::WorkgroupMemory);
  s.global_memory = has(spv::MemorySemanticsMask::UniformMemory);
  s.image_memory = has(spv::MemorySemanticsMask::ImageMemory);
  s.device_scope = scope == spv::Scope::CrossDevice || scope == spv::Scope::Device ||
                   scope == spv::Scope::QueueFamily;
  s.workgroup_scope = s.device_scope || scope == spv::Scope::Workgroup;
  s.subgroup_scope = s.workgroup_scope || scope == spv::Scope::Subgroup;
  return s;
}

bool orders_subgroup(const Constants& constants, const Instruction& i) {
  const Semantics s = semantics(constants, i);
  return s.acquires && s.releases && s.shared_memory && s.subgroup_scope &&
         (is_subgroup_barrier(constants, i) ||
          (is_workgroup_barrier(constants, i) && !s.workgroup_scope));
}

Barrier::Fence fence_of(const Semantics& s) {
  if (!s.acquires || !s.releases || !s.workgroup_scope) {
    return Barrier::Fence::none;
  }
  return s.shared_memory ? (s.global_memory ? Barrier::Fence::all : Barrier::Fence::shared)
                         : (s.global_memory ? Barrier::Fence::global : Barrier::Fence::none);
}

}  // namespace spirv
