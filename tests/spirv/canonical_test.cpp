// Modules that the canonical form must take: SPIRV-Tools' passes refuse some valid ones.
#include "spirv/module/canonical.h"

#include <gtest/gtest.h>

#include "spirv/analysis/examination.h"
#include "spirv/module/assemble.h"

namespace {

// naga leaves a block behind an `if` that returns on both ways.
TEST(Canonical, UnreachableBlocksThatReturn) {
  const auto words = spirv::assemble(R"(; SPIR-V
; Version: 1.0
; Generator: Khronos; 28
; Bound: 38
; Schema: 0
               OpCapability Shader
               OpExtension "SPV_KHR_storage_buffer_storage_class"
          %1 = OpExtInstImport "GLSL.std.450"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %27 "main" %gl_GlobalInvocationID
               OpExecutionMode %27 LocalSize 64 1 1
               OpDecorate %_runtimearr_uint ArrayStride 4
               OpDecorate %6 DescriptorSet 0
               OpDecorate %6 Binding 0
               OpDecorate %_struct_7 Block
               OpMemberDecorate %_struct_7 0 Offset 0
               OpDecorate %gl_GlobalInvocationID BuiltIn GlobalInvocationId
       %void = OpTypeVoid
       %uint = OpTypeInt 32 0
%_runtimearr_uint = OpTypeRuntimeArray %uint
     %v3uint = OpTypeVector %uint 3
  %_struct_7 = OpTypeStruct %_runtimearr_uint
%_ptr_StorageBuffer__struct_7 = OpTypePointer StorageBuffer %_struct_7
          %6 = OpVariable %_ptr_StorageBuffer__struct_7 StorageBuffer
         %12 = OpTypeFunction %uint %uint
     %uint_3 = OpConstant %uint 3
     %uint_1 = OpConstant %uint 1
     %uint_2 = OpConstant %uint 2
       %bool = OpTypeBool
         %22 = OpConstantNull %uint
%_ptr_Input_v3uint = OpTypePointer Input %v3uint
%gl_GlobalInvocationID = OpVariable %_ptr_Input_v3uint Input
         %28 = OpTypeFunction %void
%_ptr_StorageBuffer__runtimearr_uint = OpTypePointer StorageBuffer %_runtimearr_uint
     %uint_0 = OpConstant %uint 0
%_ptr_StorageBuffer_uint = OpTypePointer StorageBuffer %uint
         %11 = OpFunction %uint None %12
         %10 = OpFunctionParameter %uint
          %9 = OpLabel
               OpBranch %16
         %16 = OpLabel
         %18 = OpUGreaterThan %bool %10 %uint_3
               OpSelectionMerge %19 None
               OpBranchConditional %18 %20 %21
         %20 = OpLabel
               OpReturnValue %uint_1
         %21 = OpLabel
               OpReturnValue %uint_2
         %19 = OpLabel
               OpReturnValue %22
               OpFunctionEnd
         %27 = OpFunction %void None %28
         %23 = OpLabel
         %26 = OpLoad %v3uint %gl_GlobalInvocationID
         %31 = OpAccessChain %_ptr_StorageBuffer__runtimearr_uint %6 %uint_0
               OpBranch %32
         %32 = OpLabel
         %33 = OpCompositeExtract %uint %26 0
         %35 = OpCompositeExtract %uint %26 0
         %36 = OpFunctionCall %uint %11 %35
         %37 = OpAccessChain %_ptr_StorageBuffer_uint %31 %33
               OpStore %37 %36
               OpReturn
               OpFunctionEnd
)");
  ASSERT_TRUE(words) << words.error().message;
  ASSERT_TRUE(spirv::validate(*words));
  const auto examined = spirv::Examination::of(*words, {}, {});
  EXPECT_TRUE(examined) << examined.error().message;
}

}  // namespace
