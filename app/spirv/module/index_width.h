// Indices of 8, 16 and 64 bits, made indices of 32 bits.
#pragma once

#include "spirv/module/module.h"

namespace spirv {

/// Gives every index of an access chain or of a vector's component 32 bits. SPIR-V treats an index
/// as signed, whatever its type says: 8 and 16 bits are sign-extended. A 64-bit index that 32 bits
/// do not hold becomes 0xFFFFFFFF. An index
/// is then inside its array exactly if it is below the length as an unsigned word. A module whose
/// indices all have 32 bits stays as it is.
void widen_indices(Module& module);

}  // namespace spirv
