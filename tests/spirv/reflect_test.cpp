#include "spirv/reflection/reflect.h"

#include <gtest/gtest.h>

#include "spirv/compile.h"
#include "spirv/module/assemble.h"
#include "spirv/reflection/barriers.h"
#include "spirv/reflection/entry_points.h"

namespace {

const std::string kReflected = R"(#version 450
layout(local_size_x_id = 0, local_size_y_id = 0) in;
layout(constant_id = 0) const uint TILE = 16;
layout(constant_id = 3) const uint PAD = 1;
const uint COLUMNS = TILE + PAD;
layout(constant_id = 4) const bool FAST = true;
layout(constant_id = 5) const float SCALE = 0.5;
layout(set = 0, binding = 1) readonly buffer Input { vec4 from[]; };
layout(set = 0, binding = 0) buffer Output { uint count; float to[]; } result;
layout(set = 1, binding = 0) uniform Settings { vec4 a; mat4 m; float b; } settings;
layout(push_constant) uniform Push { uint rows; uint columns; vec2 origin; } push;
shared float tile[TILE][COLUMNS];
shared vec3 corner;
void load() {
  tile[gl_LocalInvocationID.y][gl_LocalInvocationID.x] = from[gl_LocalInvocationIndex].x;
  barrier();
}
void main() {
  load();
  corner = vec3(SCALE);
  memoryBarrierBuffer();
  barrier();
  result.to[gl_LocalInvocationIndex] =
      FAST ? tile[gl_LocalInvocationID.x][gl_LocalInvocationID.y] : settings.b + float(push.rows);
}
)";

// Two entry points use one binding for a buffer and for an image.
TEST(Reflect, OnlyTheVariablesOfTheChosenEntryPointCount) {
  const auto words = spirv::assemble(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %one "one"
               OpEntryPoint GLCompute %two "two"
               OpExecutionMode %one LocalSize 64 1 1
               OpExecutionMode %two LocalSize 8 8 1
               OpName %a "a"
               OpName %b "b"
               OpDecorate %array ArrayStride 4
               OpDecorate %a DescriptorSet 0
               OpDecorate %a Binding 1
               OpDecorate %block BufferBlock
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %b DescriptorSet 0
               OpDecorate %b Binding 1
       %void = OpTypeVoid
      %float = OpTypeFloat 32
        %int = OpTypeInt 32 1
      %array = OpTypeRuntimeArray %float
      %block = OpTypeStruct %array
      %image = OpTypeImage %float 2D 0 0 0 2 Rgba8
     %v2int = OpTypeVector %int 2
    %v4float = OpTypeVector %float 4
  %to_block = OpTypePointer Uniform %block
  %to_float = OpTypePointer Uniform %float
  %to_image = OpTypePointer UniformConstant %image
          %a = OpVariable %to_block Uniform
          %b = OpVariable %to_image UniformConstant
       %zero = OpConstant %int 0
        %f0 = OpConstant %float 0
         %at = OpConstantComposite %v2int %zero %zero
      %texel = OpConstantComposite %v4float %f0 %f0 %f0 %f0
   %function = OpTypeFunction %void
        %one = OpFunction %void None %function
         %l1 = OpLabel
          %p = OpAccessChain %to_float %a %zero %zero
               OpStore %p %f0
               OpReturn
               OpFunctionEnd
        %two = OpFunction %void None %function
         %l2 = OpLabel
          %i = OpLoad %image %b
               OpImageWrite %i %at %texel
               OpReturn
               OpFunctionEnd
)");
  ASSERT_TRUE(words) << words.error().message;
  for (const auto& [entry, variable] : {std::pair("one", "a"), std::pair("two", "b")}) {
    auto module = spirv::parse(*words);
    ASSERT_TRUE(module);
    ASSERT_TRUE(spirv::select_entry(*module, entry));
    const auto interface = spirv::reflect(*module, {});
    ASSERT_TRUE(interface) << interface.error().message;
    ASSERT_EQ(interface->bindings.size(), 1U) << entry;
    EXPECT_EQ(interface->bindings.front().name, variable);
  }
}

TEST(Reflect, DefaultsOfTheModule) {
  const auto i = spirv::reflect(test::module(kReflected), {});
  ASSERT_TRUE(i) << i.error().message;
  EXPECT_EQ(i->entry_point, "main");
  EXPECT_EQ(i->entry_line, 18U);
  EXPECT_EQ(i->source_file, "kernel.comp");
  EXPECT_EQ(i->local_size, (std::array<std::uint32_t, 3>{1, 1, 1}));  // its own default
  ASSERT_EQ(i->spec_constants.size(), 4U);
  EXPECT_EQ(i->spec_constants[0].name, "TILE");
  EXPECT_EQ(i->spec_constants[0].default_value, 16U);
  EXPECT_EQ(i->spec_constants[2].type, spirv::ScalarType::boolean);
  EXPECT_EQ(i->spec_constants[3].type, spirv::ScalarType::floating);
  EXPECT_EQ(i->push_constant_bytes, 16U);
  ASSERT_EQ(i->push_constants.size(), 3U);
  EXPECT_EQ(i->push_constants[2].name, "origin");
  EXPECT_EQ(i->push_constants[2].offset, 8U);
}

TEST(Reflect, Bindings) {
  const auto i = spirv::reflect(test::module(kReflected), {});
  ASSERT_TRUE(i);
  ASSERT_EQ(i->bindings.size(), 3U);
  EXPECT_EQ(i->bindings[0].name, "result");
  EXPECT_TRUE(i->bindings[0].written);
  EXPECT_EQ(i->bindings[0].bytes, 4U);
  EXPECT_EQ(i->bindings[0].runtime_stride, 4U);
  EXPECT_EQ(i->bindings[0].runtime_type, "float");
  EXPECT_EQ(i->bindings[1].name, "Input");
  EXPECT_FALSE(i->bindings[1].written);
  EXPECT_EQ(i->bindings[1].runtime_stride, 16U);
  EXPECT_EQ(i->bindings[2].kind, core::ResourceKind::uniform_buffer);
  EXPECT_EQ(i->bindings[2].set, 1U);
  EXPECT_EQ(i->bindings[2].bytes, 84U);
}

TEST(Reflect, SpecializationChangesSizes) {
  const auto i = spirv::reflect(test::module(kReflected), {{0, 8}, {3, 2}});
  ASSERT_TRUE(i);
  EXPECT_EQ(i->local_size, (std::array<std::uint32_t, 3>{8, 8, 1}));
  ASSERT_EQ(i->shared.size(), 2U);
  EXPECT_EQ(i->shared[0].name, "tile");
  EXPECT_EQ(i->shared[0].type, "float[8][10]");
  EXPECT_EQ(i->shared[0].bytes, 320U);
  EXPECT_EQ(i->shared[1].type, "vec3");
  EXPECT_EQ(i->shared_bytes, 332U);
  EXPECT_EQ(i->constants.at("PAD"), 2U);
  EXPECT_EQ(i->constants.at("COLUMNS"), 10U) << "computed from others";
}

TEST(Reflect, BarriersInSourceOrder) {
  const auto i = spirv::reflect(test::module(kReflected), {});
  ASSERT_TRUE(i);
  ASSERT_EQ(i->barriers.size(), 2U);
  EXPECT_EQ(i->barriers[0].line, 16U);
  EXPECT_EQ(i->barriers[1].line, 22U);
}

TEST(Barriers, Edits) {
  spirv::Module module = test::module(kReflected);
  ASSERT_TRUE(spirv::edit_barriers(module, {{1, spirv::BarrierKind::global}}));
  auto i = spirv::reflect(module, {});
  ASSERT_EQ(i->barriers.size(), 2U);
  EXPECT_EQ(i->barriers[0].fence, spirv::Barrier::Fence::global);
  EXPECT_EQ(i->barriers[1].fence, spirv::Barrier::Fence::shared);
  ASSERT_TRUE(spirv::edit_barriers(module, {{2, spirv::BarrierKind::off}}));
  i = spirv::reflect(module, {});
  ASSERT_EQ(i->barriers.size(), 1U);
  EXPECT_FALSE(spirv::edit_barriers(module, {{3, spirv::BarrierKind::off}}));
}

TEST(Reflect, MembersThatAtomicsCount) {
  const auto i = spirv::reflect(test::module(R"(#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint n; uint arrived; int low; uint each[2]; uint o[]; };
uint draw() { return atomicAdd(each[1], 1); }
void main() {
  if (atomicAdd(arrived, 1) < n) atomicMin(low, 3);
  o[draw()] = atomicOr(o[n], 2);
})"),
                                {});
  ASSERT_TRUE(i) << i.error().message;
  std::vector<std::string> counters;
  for (const spirv::BlockMember& member : i->bindings[0].members) {
    if (member.counts) {
      counters.push_back(member.name);
    }
  }
  EXPECT_EQ(counters, (std::vector<std::string>{"arrived", "low"}));
}

TEST(Reflect, DirectionsThatMembersAreComparedWith) {
  const auto i = spirv::reflect(test::module(R"(#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(push_constant) uniform P { uint columns; int rows; uint depth; uint both; uint none; uint lane;
  int tiles; uvec2 size; ivec2 turned; int frozen; };
layout(constant_id = 0) const int kRows = 0;
layout(binding = 0) uniform U { int heights; } u;
layout(binding = 1) writeonly buffer O { float o[]; };
void main() {
  uvec2 g = gl_GlobalInvocationID.xy;
  uint z = gl_WorkGroupID.z * 2 + gl_LocalInvocationID.z;
  int y = int(gl_GlobalInvocationID.y);
  if (g.x >= columns || y >= rows) return;
  if (z < depth && g.x < both && g.y < both && gl_LocalInvocationID.y < lane) o[g.x] = 1.0;
  for (uint row = gl_GlobalInvocationID.y; row < uint(u.heights); row += 4) o[row] = float(none);
  if (g.x + g.y < none) o[0] = 0.0;
  if (int(gl_WorkGroupID.y) + 1 < tiles) o[1] = 0.0;
  if (all(lessThan(g, size)) || (g.x < size.x && g.y < size.y)) o[2] = 0.0;
  if (g.x < uint(turned.y)) o[3] = 0.0;
  if (y >= (kRows == 0 ? frozen : kRows)) o[4] = 0.0;
})"),
                                {});
  ASSERT_TRUE(i) << i.error().message;
  const auto extent = [&](std::size_t member) { return i->push_constants[member].extent; };
  using enum spirv::LaunchExtent::Of;
  using Extent = spirv::LaunchExtent;
  EXPECT_EQ(extent(0), (Extent{items, 0}));
  EXPECT_EQ(extent(1), (Extent{items, 1}));
  EXPECT_EQ(extent(2), (Extent{items, 2}));
  EXPECT_EQ(extent(3), Extent());  // of both: nothing is said
  EXPECT_EQ(extent(4), Extent());
  EXPECT_EQ(extent(5), Extent());  // local ids are no extent
  EXPECT_EQ(extent(6), (Extent{workgroups, 1}));
  EXPECT_EQ(extent(7), (Extent{items, 0})) << "each component in its direction";
  EXPECT_EQ(extent(8), Extent()) << "one of them in another's";
  EXPECT_EQ(extent(9), (Extent{items, 1})) << "where a constant does not say";
  EXPECT_EQ(i->bindings[0].members[0].extent, (Extent{items, 1}));
}

TEST(Reflect, MembersOfStructsInABlockAreOneEach) {
  const auto i = spirv::reflect(test::module(R"(#version 450
layout(local_size_x = 8) in;
struct Range { uint first; float by; };
struct Params { uint n; Range range; uvec2 size; };
layout(push_constant) uniform P { float scale; Params p; Range two[2]; Range many[40]; float all[3]; };
layout(binding = 0) buffer O { float o[]; };
void main() {
  const uvec3 g = gl_GlobalInvocationID;
  if (g.x < p.n && g.y < p.size.y && g.y < two[1].first) o[g.x] = scale * p.range.by;
})"),
                                {});
  ASSERT_TRUE(i) << i.error().message;
  std::vector<std::string> said;
  for (const spirv::BlockMember& m : i->push_constants) {
    said.push_back(m.name + ":" + m.type + "@" + std::to_string(m.offset));
  }
  EXPECT_EQ(said, (std::vector<std::string>{"scale:float@0", "p.n:uint@8", "p.range.first:uint@12",
                                            "p.range.by:float@16", "p.size:uvec2@24",
                                            "two[0].first:uint@32", "two[0].by:float@36",
                                            "two[1].first:uint@40", "two[1].by:float@44",
                                            "many:Range[40]@48", "all:float[3]@368"}));
  using enum spirv::LaunchExtent::Of;
  using Extent = spirv::LaunchExtent;
  EXPECT_EQ(i->push_constants[1].extent, (Extent{items, 0}));
  EXPECT_EQ(i->push_constants[4].extent, (Extent{items, 0}));
  EXPECT_EQ(i->push_constants[5].extent, Extent());
  EXPECT_EQ(i->push_constants[7].extent, (Extent{items, 1}));
}

TEST(Reflect, ImagesSamplersAndAddresses) {
  const auto i = spirv::reflect(test::module(R"(#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference) buffer List;
layout(buffer_reference, std430) buffer List { List next; float x[]; };
layout(binding = 0, rgba8) readonly uniform image2DArray layered;
layout(binding = 1) uniform isampler3D volume;
layout(binding = 2) uniform sampler2DShadow depths;
layout(binding = 3) uniform samplerBuffer texels;
layout(binding = 4, r32ui) uniform uimageBuffer counts;
layout(binding = 5) uniform texture1D line;
layout(binding = 6) uniform sampler how;
layout(binding = 7) buffer O { List first; float o[]; };
void main() {
  o[0] = imageLoad(layered, ivec3(0)).x + float(texelFetch(volume, ivec3(0), 0).x) +
         texture(depths, vec3(0.5)) + texelFetch(texels, 0).x +
         textureLod(sampler1D(line, how), 0.5, 0.0).x + first.next.x[0];
  imageAtomicAdd(counts, 0, 1u);
})"),
                                {});
  ASSERT_TRUE(i) << i.error().message;
  using Kind = core::ResourceKind;
  using D = core::ImageDimensions;
  const std::vector<std::pair<Kind, D>> want{
      {Kind::storage_image, D::two},     {Kind::combined_image, D::three},
      {Kind::combined_image, D::two},    {Kind::uniform_texels, D::buffer},
      {Kind::storage_texels, D::buffer}, {Kind::sampled_image, D::one}};
  for (std::size_t b = 0; b < want.size(); ++b) {
    EXPECT_EQ(i->bindings[b].kind, want[b].first) << b;
    EXPECT_EQ(i->bindings[b].image.dimensions, want[b].second) << b;
  }
  EXPECT_EQ(i->bindings[0].image.format, "rgba8");
  EXPECT_TRUE(i->bindings[0].image.arrayed);
  EXPECT_FALSE(i->bindings[0].written);
  EXPECT_EQ(i->bindings[1].sampled, spirv::ScalarType::signed_integer);
  EXPECT_TRUE(i->bindings[2].compares);
  EXPECT_TRUE(i->bindings[4].written);
  EXPECT_EQ(i->bindings[6].kind, Kind::sampler);
  // The list is followed once.
  ASSERT_EQ(i->addresses.size(), 2U);
  EXPECT_EQ(i->addresses[0].name, "first");
  EXPECT_EQ(i->addresses[0].runtime_stride, 4U);
  EXPECT_EQ(i->addresses[1].name, "first.next");
  EXPECT_EQ(i->addresses[1].parent, 0U);
}

}  // namespace
