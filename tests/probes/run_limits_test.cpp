// What the report says about a run that shows less than the whole kernel.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "lab/probe/check.h"
#include "lab/specimens.h"

namespace {

gpu::Device* limits_device() {
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

class RunLimits : public testing::Test {
 protected:
  void SetUp() override {
    if (limits_device() == nullptr) {
      GTEST_SKIP() << "no Vulkan device";
    }
  }

  core::CheckReport check(const std::string& body) {
    core::Experiment experiment;
    experiment.choices.groups = {4, 1, 1};
    experiment.choices.buffers["Q"] = "8192:zero";
    experiment.choices.buffers["O"] = "4096:zero";
    const auto specimen =
        test::specimen_of(*limits_device(),
                          "#version 450\nlayout(local_size_x = 64) in;\n"
                          "layout(constant_id = 8) const uint ON = 0;\n"
                          "layout(binding = 0) buffer Q { uint tail; uint head; uint q[]; };\n"
                          "layout(binding = 1) buffer O { uint o[]; };\nshared uint s[64];\n"
                          "void main() {\n  const uint g = gl_GlobalInvocationID.x;\n" +
                              body + "}\n",
                          "k.comp", experiment);
    EXPECT_TRUE(specimen) << specimen.error().message;
    auto report = lab::check(*limits_device(), lab::alone(*specimen), {});
    EXPECT_TRUE(report) << report.error().message;
    return *report;
  }

  static bool covers_one_order(const core::CheckReport& report) {
    return std::ranges::any_of(report.remarks, [](const std::string& remark) {
      return remark.contains("order of execution");
    });
  }
};

bool remarks_on(const core::CheckReport& report, const std::string& text) {
  return std::ranges::any_of(report.remarks,
                             [&](const std::string& remark) { return remark.contains(text); });
}

TEST_F(RunLimits, PlacesThatAtomicsReturn) {
  EXPECT_TRUE(remarks_on(check("  q[atomicAdd(head, 1u)] = g;\n"), "may have another order"));
  EXPECT_FALSE(remarks_on(check("  o[g] = atomicAdd(head, 1u);\n"), "another order"));
}

TEST_F(RunLimits, WaitsForAWorkgroupChosenByItsNumber) {
  EXPECT_TRUE(remarks_on(
      check("  while (atomicOr(q[gl_WorkGroupID.x], 0u) != 0u) {}\n  o[g] = g;\n"), "waits for"));
}

TEST_F(RunLimits, AnAtomicSetsWhatAnotherChanges) {
  const std::string set =
      "  const uint l = gl_LocalInvocationIndex;\n  atomicExchange(s[l], 0u);\n";
  const std::string change = "  atomicOr(s[(l + 1u) & 63u], 1u);\n  barrier();\n  o[g] = s[l];\n";
  EXPECT_TRUE(remarks_on(check(set + change), "order of invocations"));
  EXPECT_FALSE(remarks_on(check(set + "  barrier();\n" + change), "order of invocations"));
}

TEST_F(RunLimits, ElementsThatAtomicsChooseToRead) {
  const core::CheckReport report = check(
      "  q[atomicAdd(tail, 1u)] = g;\n  const uint mine = atomicAdd(head, 1u);\n"
      "  o[g] = q[mine];\n");
  EXPECT_TRUE(covers_one_order(report));
}

TEST_F(RunLimits, CodeThatAtomicsChooseToRun) {
  const core::CheckReport report = check(
      "  const uint l = gl_LocalInvocationIndex;\n"
      "  if (l == 0u) s[0] = atomicAdd(tail, 1u);\n  barrier();\n"
      "  if (s[0] == 3u) o[g] = q[(g * g) & 255u];\n  else q[g] = 1u;\n");
  EXPECT_TRUE(covers_one_order(report));
}

// The result passes through a selection, as of a kernel whose last workgroup finishes the work.
TEST_F(RunLimits, CodeThatOneWorkgroupRuns) {
  const core::CheckReport report = check(
      "  const uint l = gl_LocalInvocationIndex;\n  o[g] = l;\n  memoryBarrierBuffer();\n"
      "  barrier();\n"
      "  if (l == 0u) s[0] = uint(atomicAdd(tail, 1u) == gl_NumWorkGroups.x - 1u);\n"
      "  barrier();\n  if (s[0] == 1u && l == 0u) o[1000] = 7u;\n");
  EXPECT_TRUE(covers_one_order(report));
}

TEST_F(RunLimits, ElementsOfAListThatAtomicsOrder) {
  const std::string list =
      "  const uint l = gl_LocalInvocationIndex;\n  s[l] = 0u;\n  if (g == 0u) tail = 0u;\n"
      "  barrier();\n";
  EXPECT_TRUE(
      covers_one_order(check(list + "  s[atomicAdd(q[gl_WorkGroupID.x], 1u)] = l;\n  barrier();\n"
                                    "  if (s[l] > 5u) o[g] = q[(g * g) & 255u + 4u];\n")));
  EXPECT_TRUE(covers_one_order(check(list + "  atomicExchange(s[0], l);\n  barrier();\n"
                                            "  if (s[0] > 5u) o[g] = q[(g * g) & 255u];\n")));
  EXPECT_FALSE(covers_one_order(check(list + "  atomicAdd(s[0], l);\n  barrier();\n"
                                             "  if (s[0] > 5u) o[g] = q[(g * g) & 255u];\n")));
}

TEST_F(RunLimits, BarriersThatAtomicsDecideOn) {
  const core::CheckReport report =
      check("  if (atomicAdd(tail, 1u) < 1000u) barrier();\n  o[g] = g;\n");
  EXPECT_TRUE(covers_one_order(report));
}

TEST_F(RunLimits, ElementsThatAtomicsChooseToWriteAreNotDecided) {
  EXPECT_FALSE(covers_one_order(check("  o[atomicAdd(tail, 1u) & 255u] = g;\n")));
  EXPECT_FALSE(covers_one_order(check("  if (g < 200u) o[g] = q[g];\n")));
}

TEST_F(RunLimits, ConstantsThatRemoveTheStoresAreNamed) {
  const core::CheckReport report = check("  if (ON == 1u) o[g] = 1u;\n");
  EXPECT_EQ(report.verdict, core::Verdict::incomplete);
  ASSERT_EQ(report.incomplete.size(), 1U);
  EXPECT_NE(report.incomplete[0].find("ON (8)"), std::string::npos) << report.incomplete[0];
  const core::CheckReport shared = check("  if (ON == 1u) s[g & 63u] = 1u;\n  o[g] = 1u;\n");
  EXPECT_EQ(shared.verdict, core::Verdict::incomplete);
  ASSERT_EQ(shared.incomplete.size(), 1U);
  EXPECT_NE(shared.incomplete[0].find("ON (8)"), std::string::npos) << shared.incomplete[0];
}

TEST_F(RunLimits, NoStoreRan) {
  const core::CheckReport report = check("  if (q[g] > 5u) o[g] = 1u;\n");
  EXPECT_EQ(report.verdict, core::Verdict::incomplete);
  EXPECT_EQ(check("  if (q[g] < 5u) o[g] = 1u;\n").verdict, core::Verdict::clean);
}

// An atomic is a store.
TEST_F(RunLimits, AnAtomicRan) {
  EXPECT_EQ(check("  if (q[g] > 5u) o[g] = 1u;\n  atomicAdd(tail, 1u);\n").verdict,
            core::Verdict::clean);
}

}  // namespace
