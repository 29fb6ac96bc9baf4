//! title = "Matrices (bf16)"
//! claim = "a subgroup multiplies 16×16 matrices in one instruction: A and B in bfloat16, sums in fp32"
//! expect = "correct"
//! order = 11
//! requires = ["bfloat16_matrix"]
//! covers = ["BN", "BM"]
//! [inputs]
//! precision = "bf16"
//! [tile]
//! constant = "BM"
//! values = [64, 128]
//! preset = 128
//! multiple_of = 0
//! [tune]
//! BN = [256, 128]
//! INVOCATIONS = [256, 128]
//! BAND = [1, 8, 16]
//! [constants]
//! BM = { least = 64, most = 256, multiple_of = 64 }
//! BN = { least = 64, most = 256, multiple_of = 64 }
//! BK = { least = 16, most = 64, multiple_of = 16 }
//! INVOCATIONS = { least = 32, most = 1024, power_of_two = true }
//! WM = { least = 16, multiple_of = 16, divides = "BM" }
//! WN = { least = 16, multiple_of = 16, divides = "BN" }
//! BAND = { least = 1, most = 1024 }
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_cooperative_matrix : require
// Compiled with float16, for which GLSL has matrices. Tilescope replaces the type by bfloat16 when it
// creates the pipeline.
#include "matrices.glsl"
