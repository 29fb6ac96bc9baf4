// Groups of operations: on whole numbers, scalars or vectors of them, and of subgroups.
#pragma once

#include "spirv/module/module.h"

namespace spirv {

/// Of two whole numbers, with a truth value: equal, less and so on, signed or not.
[[nodiscard]] bool compares_integers(spv::Op op);
/// Which of them is less: those of compares_integers() that order.
[[nodiscard]] bool orders_integers(spv::Op op);
/// Of two whole numbers, with another: sums, products, quotients, shifts, bits.
[[nodiscard]] bool combines_integers(spv::Op op);
/// Of one: minus, and all bits turned.
[[nodiscard]] bool negates_integer(spv::Op op);

class Definitions;

/// Returns the operand that is the pointer through which GLSL.std.450's Modf and Frexp write a
/// second result. 0 for other instructions.
[[nodiscard]] std::size_t result_pointer(const Definitions& definitions, const Instruction& i);

/// The lesser of two unsigned numbers, operands 2 and 3: GLSL.std.450's UMin.
[[nodiscard]] bool is_minimum(const Definitions& definitions, const Instruction& i);

/// An operation of the invocations of a subgroup, from OpGroupNonUniformElect on.
[[nodiscard]] bool is_subgroup_operation(spv::Op op);

}  // namespace spirv
