// Barriers: what they order, and editing them.
#pragma once

#include "core/findings/memory_model.h"
#include "core/work/barriers.h"
#include "spirv/module/constants.h"
#include "spirv/module/module.h"
#include "spirv/reflection/reflect.h"

namespace spirv {

using core::BarrierEdits;
using core::BarrierKind;

/// Workgroup barriers in the text.
[[nodiscard]] std::uint32_t count_barriers(const Module& module);
/// Edits a module in place. Error: there is no barrier K.
[[nodiscard]] Expected<void> edit_barriers(Module& module, const BarrierEdits& edits);

[[nodiscard]] bool is_atomic(spv::Op op);
/// OpControlBarrier whose execution scope is the workgroup.
[[nodiscard]] bool is_workgroup_barrier(const Constants& constants, const Instruction& i);
/// OpControlBarrier whose execution scope is the subgroup.
[[nodiscard]] bool is_subgroup_barrier(const Constants& constants, const Instruction& i);

using core::MemoryClass;

/// Memory semantics of a barrier or fence, and whether its memory scope reaches the workgroup.
struct Semantics {
  bool acquires = false;
  bool releases = false;
  bool shared_memory = false;
  bool global_memory = false;
  bool image_memory = false;
  bool workgroup_scope = false;
  bool subgroup_scope = false;  ///< memory scope is the subgroup or wider
  bool device_scope = false;    ///< memory scope reaches other workgroups
  [[nodiscard]] bool about(MemoryClass memory) const {
    return memory == MemoryClass::shared   ? shared_memory
           : memory == MemoryClass::buffer ? global_memory
                                           : image_memory;
  }
};
/// Of a scope and a mask of memory semantics, as barriers, fences and atomics have them.
[[nodiscard]] Semantics semantics(std::uint64_t scope, std::uint64_t mask);
/// Of an OpControlBarrier or OpMemoryBarrier; all false for anything else.
[[nodiscard]] Semantics semantics(const Constants& constants, const Instruction& i);
/// A barrier that orders shared memory within the subgroup, so that what lies on its two sides does
/// not race there: a subgroup barrier, or a workgroup barrier whose memory scope is the subgroup.
[[nodiscard]] bool orders_subgroup(const Constants& constants, const Instruction& i);
[[nodiscard]] Barrier::Fence fence_of(const Semantics& semantics);

}  // namespace spirv
