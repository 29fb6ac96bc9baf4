// Cooperative matrices as the compiler of Debian 12 writes them (SPV_NV_cooperative_matrix), said
// again as SPV_KHR_cooperative_matrix. Drivers compile those better: 1.4 times the speed in a
// matrix multiplication on an NVIDIA H200 (driver 580).
#pragma once

#include "spirv/module/module.h"

namespace spirv {

/// What the 16-bit floats of matrices A and B are taken for.
enum class Halves { float16, bfloat16 };

/// A matrix of the KHR kind says whether it is A, B or the sum (its Use); here that follows from
/// the multiply-adds that it reaches, by way of variables too. False, and the module is as it was,
/// where there is nothing to say again or no one answer: no matrices, one that is used as two of
/// the three, one that a function is given, a length that is asked for, a constant that is not
/// frozen yet.
/// With Halves::bfloat16 the float16 matrices A and B become ones of bfloat16 (SPV_KHR_bfloat16),
/// which GLSL of Debian 12 can't say; only in a module that loads all of them, and computes none.
[[nodiscard]] bool use_khr_cooperative_matrices(Module& module, Halves halves = Halves::float16);

}  // namespace spirv
