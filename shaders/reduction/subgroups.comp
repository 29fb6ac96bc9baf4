//! title = "Subgroups"
//! claim = "subgroups add in registers: one barrier, and one value per subgroup in shared memory instead of a tree"
//! order = 4
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "partial"
//! words = [1]
//! [[scratch]]
//! name = "arrived"
//! words = [1]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256, 512]
//! preset = 256
//! multiple_of = 64
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

const uint COVERS = 2 * BLOCK;

void hand_in(float mine);  // value of the invocation

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint i = gl_WorkGroupID.x * COVERS + local;
  hand_in((i < N ? a[i] : 0.0) + (i + BLOCK < N ? a[i + BLOCK] : 0.0));
}

#include "subgroups.glsl"
