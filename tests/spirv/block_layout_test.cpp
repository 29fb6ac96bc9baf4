#include "spirv/reflection/block_layout.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spirv/compile.h"

namespace {

core::BlockLayout layout(const std::string& block) {
  const spirv::Module module =
      test::module("#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n" +
                   block + "void main() {}\n");
  const spirv::Definitions definitions(module);
  const spirv::Constants constants(definitions, {});
  for (const spirv::Instruction& i : module.preamble) {
    if (i.op == spv::Op::OpTypeStruct && definitions.name(i.result) == "O") {
      return spirv::block_layout(definitions, constants, i.result);
    }
  }
  ADD_FAILURE() << "there is no block";
  return {};
}

std::vector<std::string> places(const std::vector<core::ScalarPlace>& scalars) {
  std::vector<std::string> all;
  for (const core::ScalarPlace& at : scalars) {
    all.push_back(at.name + "@" + std::to_string(at.offset));
  }
  return all;
}

TEST(BlockLayout, AnArrayOfScalars) {
  const core::BlockLayout o = layout("layout(binding = 0) buffer O { int8_t counts[]; };\n");
  EXPECT_EQ(o.array, "counts");
  EXPECT_EQ(o.stride, 1U);
  ASSERT_EQ(o.element.size(), 1U);
  EXPECT_EQ(o.element[0].bits, 8U);
  EXPECT_EQ(o.element[0].number, core::NumberKind::signed_whole);
}

TEST(BlockLayout, MembersBeforeAnArrayOfStructs) {
  const core::BlockLayout o = layout(
      "struct P { vec3 at; float16_t w; };\n"
      "layout(binding = 0) buffer O { uint n; double d[2]; P p[]; };\n");
  EXPECT_EQ(places(o.fixed), (std::vector<std::string>{"n@0", "d[0]@8", "d[1]@16"}));
  EXPECT_EQ(o.array_offset, 32U);
  EXPECT_EQ(o.stride, 16U);
  EXPECT_EQ(places(o.element),
            (std::vector<std::string>{".at.x@0", ".at.y@4", ".at.z@8", ".w@12"}));
}

TEST(BlockLayout, MatricesByColumnsOrRows) {
  const core::BlockLayout o =
      layout("layout(binding = 0) buffer O { layout(row_major) mat2x3 r; mat3 c[]; };\n");
  EXPECT_EQ(places(o.fixed), (std::vector<std::string>{"r[0].x@0", "r[0].y@8", "r[0].z@16",
                                                       "r[1].x@4", "r[1].y@12", "r[1].z@20"}));
  EXPECT_EQ(o.stride, 48U);
  EXPECT_EQ(places(o.element)[3], "[1].x@16");
}

}  // namespace
