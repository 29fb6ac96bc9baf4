#include "spirv/module/reflect.h"

#include <gtest/gtest.h>

#include "spirv/compile.h"
#include "spirv/module/barriers.h"

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

}  // namespace
