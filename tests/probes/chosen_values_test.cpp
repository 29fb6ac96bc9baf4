// Values that Tilescope chooses for a launch, and the severity of findings that depend on them.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "lab/plan/subgroup_constant.h"
#include "lab/probe/check.h"
#include "lab/probe/longer_buffers.h"
#include "lab/specimens.h"

namespace {

gpu::Device* values_device() {
  static const auto opened = []() -> std::unique_ptr<gpu::Device> {
    const auto driver = gpu::Driver::open({});
    if (!driver) {
      return nullptr;
    }
    auto made = gpu::Device::open(*driver, *(*driver)->pick(""), {.robust = true});
    return made ? std::move(*made) : nullptr;
  }();
  return opened.get();
}

class ChosenValues : public testing::Test {
 protected:
  void SetUp() override {
    if (values_device() == nullptr) {
      GTEST_SKIP() << "no Vulkan device";
    }
  }

  core::CheckReport check(const std::string& text) {
    const auto made =
        test::specimen_of(*values_device(), "#version 450\n" + text, "k.comp", experiment_);
    EXPECT_TRUE(made) << made.error().message;
    specimen_ = *made;
    auto report = lab::check(*values_device(), lab::alone(specimen_), {});
    EXPECT_TRUE(report) << report.error().message;
    return *report;
  }

  core::Experiment experiment_;
  std::shared_ptr<lab::Specimen> specimen_;
};

const std::string kPicture =
    "layout(local_size_x = 16, local_size_y = 8) in;\n"
    "layout(binding = 0) buffer O { vec4 texels[]; };\n"
    "void main() {\n"
    "  const uvec2 p = gl_GlobalInvocationID.xy;\n"
    "  if (p.x < 800u && p.y < 600u) texels[p.y * 800u + p.x] = vec4(1.0);\n"
    "}\n";

TEST_F(ChosenValues, LengthsAreNoBounds) {
  const core::CheckReport report = check(kPicture);
  EXPECT_EQ(report.verdict, core::Verdict::clean);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity(), core::Severity::assumed);
  EXPECT_EQ(report.findings[0].chosen.front(), "the length of texels");
  auto longer = lab::longer_buffers(*specimen_, report);
  ASSERT_EQ(longer.size(), 1U);
  for (int run = 1; run < 6 && !longer.empty(); ++run) {
    experiment_.choices.longer = longer;
    const core::CheckReport again = check(kPicture);
    EXPECT_EQ(specimen_->dispatch().resources[0].bytes, longer.at("0.0"));
    longer = lab::longer_buffers(*specimen_, again);
    EXPECT_EQ(longer.empty(), again.findings.empty());
  }
  EXPECT_TRUE(longer.empty());
}

TEST_F(ChosenValues, GivenLengthsAreBounds) {
  experiment_.choices.buffers["O"] = "4096";
  EXPECT_EQ(check(kPicture).verdict, core::Verdict::faulty);
}

// 0 - 1 of a number without a sign.
TEST_F(ChosenValues, IndicesThatNoLengthAllowsAreErrors) {
  const core::CheckReport report = check(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer O { uint o[]; };\n"
      "void main() { o[gl_GlobalInvocationID.x - 1u] = 1u; }\n");
  EXPECT_EQ(report.verdict, core::Verdict::faulty);
}

TEST_F(ChosenValues, GlobalIdsInSharedMemoryAreErrors) {
  const core::CheckReport report = check(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer O { uint o[]; };\n"
      "shared uint s[64];\n"
      "void main() {\n"
      "  s[gl_GlobalInvocationID.x] = 1u;\n"
      "  barrier();\n"
      "  o[gl_GlobalInvocationID.x] = s[gl_LocalInvocationID.x];\n"
      "}\n");
  EXPECT_EQ(report.verdict, core::Verdict::faulty);
}

TEST_F(ChosenValues, LengthsThatTheKernelAsksForAreBounds) {
  const core::CheckReport report = check(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer O { uint o[]; };\n"
      "void main() { o[gl_GlobalInvocationID.x + o.length()] = 1u; }\n");
  EXPECT_EQ(report.verdict, core::Verdict::faulty);
}

TEST_F(ChosenValues, OneWorkgroupWhereAllWouldDoTheSame) {
  const std::string same =
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer O { float o[]; };\n"
      "void main() { o[gl_LocalInvocationID.x] += 1.0; }\n";
  const core::CheckReport report = check(same);
  EXPECT_EQ(report.workgroups, 1U);
  EXPECT_TRUE(report.findings.empty());
  experiment_.choices.groups = {4, 1, 1};
  EXPECT_EQ(check(same).verdict, core::Verdict::racy);
}

TEST_F(ChosenValues, OffsetsAndShiftsAreZero) {
  const core::CheckReport report = check(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) readonly buffer A { float a[]; };\n"
      "layout(binding = 1) writeonly buffer B { float b[]; };\n"
      "layout(push_constant) uniform P { uint n; uint a_offset; uint amount; } p;\n"
      "void main() {\n"
      "  const uint i = gl_GlobalInvocationID.x;\n"
      "  if (i < p.n) b[i] = a[p.a_offset + (i << p.amount)];\n"
      "}\n");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(specimen_->dispatch().push_constants, (std::vector<std::uint32_t>{256, 0, 0}));
}

// The two offsets are 0 because nothing gave them.
TEST_F(ChosenValues, DifferentOffsetsMakeARaceAssumed) {
  const std::string shifted =
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer A { float a[]; };\n"
      "layout(push_constant) uniform P { uint from_base; uint to_base; } p;\n"
      "void main() {\n"
      "  const uint i = gl_GlobalInvocationID.x;\n"
      "  const float v = a[p.from_base + i + 1u];\n"
      "  a[p.to_base + i] = v;\n"
      "}\n";
  core::CheckReport report = check(shifted);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity(), core::Severity::assumed);
  EXPECT_EQ(report.findings[0].chosen, (std::vector<std::string>{"from_base", "to_base"}));
  experiment_.settings = {{"from_base", "0"}, {"to_base", "0"}};
  EXPECT_EQ(check(shifted).verdict, core::Verdict::racy);
}

TEST_F(ChosenValues, OneOffsetForBothSidesIsNoExcuse) {
  const core::CheckReport report = check(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer A { float a[]; };\n"
      "layout(push_constant) uniform P { uint base; } p;\n"
      "void main() {\n"
      "  const uint i = gl_GlobalInvocationID.x;\n"
      "  const float v = a[p.base + i + 1u];\n"
      "  a[p.base + i] = v;\n"
      "}\n");
  EXPECT_EQ(report.verdict, core::Verdict::racy);
}

TEST_F(ChosenValues, MembersAreNamedByFindings) {
  const core::CheckReport report = check(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer O { uint o[64]; };\n"
      "layout(push_constant) uniform P { uint amount; } p;\n"
      "void main() { o[gl_LocalInvocationID.x + p.amount] = 1u; }\n");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].chosen, std::vector<std::string>{"amount"});
  EXPECT_EQ(report.verdict, core::Verdict::clean);
}

TEST_F(ChosenValues, TexelsReadOutsideAreANote) {
  const core::CheckReport report = check(
      "layout(local_size_x = 8, local_size_y = 8) in;\n"
      "layout(binding = 0, rgba8) uniform readonly image2D before;\n"
      "layout(binding = 1, rgba8) uniform writeonly image2D after;\n"
      "void main() {\n"
      "  const ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
      "  imageStore(after, p, imageLoad(before, p - ivec2(1, 0)));\n"
      "}\n");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(report.findings[0].is_optional());
  EXPECT_EQ(report.verdict, core::Verdict::clean);
}

// The read is a note, the write at the same line an error.
TEST_F(ChosenValues, TexelsWrittenOutsideAreAnError) {
  const core::CheckReport report = check(
      "layout(local_size_x = 8, local_size_y = 8) in;\n"
      "layout(binding = 0, r32f) uniform image2D img;\n"
      "void main() {\n"
      "  const ivec2 p = ivec2(gl_GlobalInvocationID.xy) - ivec2(40, 0);\n"
      "  imageStore(img, p, imageLoad(img, p));\n"
      "}\n");
  EXPECT_EQ(report.verdict, core::Verdict::faulty);
  EXPECT_EQ(std::ranges::count_if(report.findings, &core::Finding::is_optional), 1);
}

TEST_F(ChosenValues, InvocationsAreCountedOnceForBothCoordinates) {
  experiment_.choices.groups = {4, 1, 1};
  const core::CheckReport report = check(
      "layout(local_size_x = 256) in;\n"
      "layout(binding = 0, rgba8ui) uniform uimage2D img;\n"
      "void main() { imageStore(img, ivec2(-1), uvec4(1)); }\n");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].count, 1024U);
  EXPECT_EQ(report.verdict, core::Verdict::faulty);
}

TEST(SubgroupConstants, AreKnownByTheirNames) {
  EXPECT_TRUE(lab::is_named_like_subgroup_size("SUBGROUP_SIZE"));
  EXPECT_TRUE(lab::is_named_like_subgroup_size("kWarpSize"));
  EXPECT_TRUE(lab::is_named_like_subgroup_size("WAVE_WIDTH"));
  EXPECT_FALSE(lab::is_named_like_subgroup_size("waves"));
  EXPECT_FALSE(lab::is_named_like_subgroup_size("TILE_SIZE"));
  const std::vector<core::SourceFile> sources{{"a.comp", "#define WARP_SIZE 32\n"}};
  EXPECT_EQ(lab::other_subgroup_size({}, sources, {}, 8), "WARP_SIZE 32");
  EXPECT_EQ(lab::other_subgroup_size({}, sources, {}, 32), "");
  EXPECT_EQ(lab::other_subgroup_size({}, sources, {"WARP_SIZE=8"}, 8), "");
}

TEST(SubgroupConstants, FollowTheDeviceBehindAGuard) {
  const std::vector<core::SourceFile> sources{
      {"a.comp", "#ifndef WARP_SIZE\n#define WARP_SIZE 32\n#endif\n#define WAVE_SIZE 32\n"}};
  EXPECT_EQ(lab::subgroup_defines(sources, {}, 8), std::vector<std::string>{"WARP_SIZE=8"});
  EXPECT_TRUE(lab::subgroup_defines(sources, {"WARP_SIZE=16"}, 8).empty());
  EXPECT_TRUE(lab::subgroup_defines(sources, {}, 0).empty());
}

TEST_F(ChosenValues, SubgroupConstantsFollowTheDevice) {
  check(
      "layout(local_size_x = 64) in;\n"
      "layout(constant_id = 3) const uint SUBGROUP_SIZE = 1;\n"
      "layout(binding = 0) buffer O { uint o[]; };\n"
      "void main() { o[gl_GlobalInvocationID.x] = SUBGROUP_SIZE; }\n");
  EXPECT_EQ(specimen_->dispatch().constants.at(3), values_device()->info().subgroup_size);
}

// The race and the index would be the same with other subgroups.
TEST_F(ChosenValues, FaultsThatDoNotDependOnSubgroupsAreErrors) {
  const std::string uses =
      "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
      "#define SUBGROUP_SIZE 1024\n"
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer O { uint o[]; };\n"
      "shared uint s[64];\n"
      "void main() {\n"
      "  const uint l = gl_LocalInvocationIndex;\n"
      "  const uint sum = subgroupAdd(l);\n";
  const core::CheckReport racy =
      check(uses + "  s[l] = l;\n  o[gl_GlobalInvocationID.x] = s[l ^ 1u] + sum;\n}\n");
  EXPECT_EQ(racy.verdict, core::Verdict::racy);
  experiment_.choices.groups = {4, 1, 1};
  experiment_.choices.buffers["O"] = "1024";
  const core::CheckReport outside =
      check(uses + "  o[gl_GlobalInvocationID.x + 1u] = SUBGROUP_SIZE + sum;\n}\n");
  EXPECT_EQ(outside.verdict, core::Verdict::faulty);
}

// Room for the subgroups that the constant speaks of, and not for those of the device.
TEST_F(ChosenValues, AnotherSubgroupSizeMakesFindingsAssumed) {
  const core::CheckReport report = check(
      "#extension GL_KHR_shader_subgroup_basic : require\n"
      "#define SUBGROUP_SIZE 1024\n"
      "layout(local_size_x = 256) in;\n"
      "layout(binding = 0) buffer O { uint o[]; };\n"
      "shared uint sums[1];\n"
      "void main() {\n"
      "  if (subgroupElect()) sums[gl_SubgroupID] = 1u;\n"
      "  barrier();\n"
      "  o[gl_GlobalInvocationID.x] = sums[0];\n"
      "}\n");
  ASSERT_FALSE(report.findings.empty());
  for (const core::Finding& f : report.findings) {
    EXPECT_EQ(f.severity(), core::Severity::assumed) << f.sentence();
  }
  EXPECT_EQ(report.verdict, core::Verdict::clean);
}

}  // namespace
