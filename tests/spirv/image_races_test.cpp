// Which images are proven to be free of races, and which are said not to be looked at.
#include "spirv/analysis/memory/image_races.h"

#include <gtest/gtest.h>

#include "spirv/analysis/examination.h"
#include "spirv/compile.h"

namespace {

std::vector<std::string> not_looked_at(const std::string& body,
                                       std::array<std::uint32_t, 3> groups = {4, 4, 1}) {
  const auto words = test::compile(R"(#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform uimage2D image;
layout(binding = 1, r32f) writeonly uniform image2D other;
layout(binding = 2, r32f) writeonly uniform image2D many[2];
layout(push_constant) uniform P { int n; };
void main() {)" + body + "}\n");
  const auto examination = spirv::Examination::of(words, {});
  EXPECT_TRUE(examination) << examination.error().message;
  return spirv::images_not_looked_at((*examination)->program, groups);
}

TEST(ImageRaces, ATexelEachIsProven) {
  EXPECT_TRUE(not_looked_at(R"(
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(image, at, imageLoad(image, at) + 1u);
    if (at.x < n) imageStore(other, ivec2(gl_GlobalInvocationID.y, at.x), vec4(1.0));)")
                  .empty());
}

TEST(ImageRaces, AtomicsAloneAreProven) {
  EXPECT_TRUE(not_looked_at("imageAtomicAdd(image, ivec2(0), 1u);").empty());
}

TEST(ImageRaces, WhatIsOnlyReadRacesWithNobody) {
  EXPECT_TRUE(not_looked_at("if (imageLoad(image, ivec2(3)).x == 0u) return;").empty());
}

TEST(ImageRaces, TheRestIsSaidNotToBeLookedAt) {
  for (const char* body : {
           "imageStore(image, ivec2(gl_LocalInvocationID.xy), uvec4(1));",
           "imageStore(image, ivec2(gl_GlobalInvocationID.x, 0), uvec4(1));",
           "imageStore(image, ivec2(gl_GlobalInvocationID.xx), uvec4(1));",
           "ivec2 at = ivec2(gl_GlobalInvocationID.xy); imageStore(image, at, imageLoad(image, at "
           "+ 1));",
           "ivec2 at = ivec2(gl_GlobalInvocationID.xy); imageStore(image, at, uvec4(1));"
           "imageStore(image, at.yx, uvec4(1));",
           "imageAtomicAdd(image, ivec2(0), 1u); imageStore(image, ivec2(0), uvec4(1));",
           "imageStore(many[n], ivec2(gl_GlobalInvocationID.xy), vec4(1));",
       }) {
    EXPECT_EQ(not_looked_at(body).size(), 1U) << body;
  }
}

TEST(ImageRaces, EveryDirectionOfTheLaunchCounts) {
  const char* body = "imageStore(other, ivec2(gl_GlobalInvocationID.xy), vec4(1));";
  EXPECT_TRUE(not_looked_at(body, {4, 4, 1}).empty());
  EXPECT_EQ(not_looked_at(body, {4, 4, 2}).size(), 1U);
}

}  // namespace
