// Addresses of memory in a kernel's blocks: buffer references (SPV_KHR_physical_storage_buffer).
#pragma once

#include <vector>

#include "spirv/module/types.h"
#include "spirv/reflection/accesses.h"
#include "spirv/reflection/reflect.h"

namespace spirv {

/// Every member of the push constants and of the blocks of buffers that is an address, and of the
/// memory that these lead to, a few levels deep; a block that leads to its own kind (a list) is
/// followed once. 64-bit integers of a kernel that makes addresses of integers count too.
[[nodiscard]] std::vector<AddressMember> addresses_of(const Module& module,
                                                      const Definitions& definitions,
                                                      const Types& types, Id push_block,
                                                      const std::vector<Binding>& bindings);

/// The kernel follows addresses.
[[nodiscard]] bool has_addresses(const Module& module);

inline constexpr std::uint64_t kAddressSink = 65536;  ///< bytes: the most of one access

/// A value is a pointer into addressed memory.
[[nodiscard]] bool is_address(const Definitions& definitions, Id value);

/// OpConstantNull may have this type: there is no address in it.
[[nodiscard]] bool can_be_null(const Definitions& definitions, Id type);

/// Those of an instruction's accesses that go by an address.
[[nodiscard]] std::vector<MemoryAccess> accesses_by_address(const Instruction& i,
                                                            const Definitions& definitions);

}  // namespace spirv
