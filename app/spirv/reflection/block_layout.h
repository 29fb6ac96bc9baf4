// The scalars of a block: their offsets, types, and names in the kernel.
#pragma once

#include "core/work/comparison.h"
#include "spirv/module/types.h"

namespace spirv {

/// Returns the layout of a struct with Offset decorations. Empty if it has more than some thousand
/// scalars outside of its runtime array, or a type that is no number.
[[nodiscard]] core::BlockLayout block_layout(const Definitions& definitions,
                                             const Constants& constants, Id block);

}  // namespace spirv
