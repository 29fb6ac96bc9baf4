// Bindings that are ranges of one memory.
#include <string>

#include <gtest/gtest.h>

#include "lab/probe/check.h"
#include "lab/ready/contents.h"
#include "lab/specimens.h"

namespace {

gpu::Device* ranges_device() {
  static const auto opened = []() -> std::unique_ptr<gpu::Device> {
    const auto driver = gpu::Driver::open({});
    auto made = driver ? gpu::Device::open(*driver, *(*driver)->pick(""), {.robust = true})
                       : std::unexpected(driver.error());
    return made ? std::move(*made) : nullptr;
  }();
  return opened.get();
}

constexpr const char* kReverse =
    "#version 450\n"
    "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) readonly buffer In { float x[]; };\n"
    "layout(std430, binding = 1) writeonly buffer Out { float y[]; };\n"
    "void main() {\n"
    "  const uint i = gl_GlobalInvocationID.x;\n"
    "  y[i] = x[127u - i];\n"
    "}\n";

class SharedRanges : public testing::Test {
 protected:
  void SetUp() override {
    if (ranges_device() == nullptr) {
      GTEST_SKIP() << "no Vulkan device";
    }
    experiment_.choices.groups = {2, 1, 1};
  }

  core::CheckReport check(const std::string& x, const std::string& y) {
    experiment_.choices.buffers = {{"x", x}, {"y", y}};
    const auto made = test::specimen_of(*ranges_device(), kReverse, "k.comp", experiment_);
    EXPECT_TRUE(made) << made.error().message;
    specimen_ = *made;
    auto report = lab::check(*ranges_device(), lab::alone(specimen_), {});
    EXPECT_TRUE(report) << report.error().message;
    return *report;
  }

  std::string refused(const std::string& y) {
    experiment_.choices.buffers = {{"x", "512"}, {"y", y}};
    const auto made = test::specimen_of(*ranges_device(), kReverse, "k.comp", experiment_);
    return made ? "" : made.error().message;
  }

  core::Experiment experiment_;
  std::shared_ptr<lab::Specimen> specimen_;
};

TEST_F(SharedRanges, RaceWithEachOther) {
  EXPECT_EQ(check("512:random", "512").verdict, core::Verdict::clean);
  const core::CheckReport report = check("512:random", "@x");
  EXPECT_EQ(report.verdict, core::Verdict::racy);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].first.line, 7U);
}

TEST_F(SharedRanges, AreApartWhereTheyDoNotOverlap) {
  EXPECT_EQ(check("1024:random", "@x+512").verdict, core::Verdict::clean);
  EXPECT_EQ(check("1024:random", "@0.0+256:512").verdict, core::Verdict::racy);
}

TEST_F(SharedRanges, HaveBoundsOfTheirOwn) {
  EXPECT_EQ(check("1024:random", "@x+512:256").verdict, core::Verdict::faulty);
}

TEST_F(SharedRanges, AreSaidAsTheyAreGiven) {
  check("1024:random", "@x+512");
  EXPECT_EQ(lab::resource_text(specimen_->dispatch().resources, 1), "@0.0+512:512");
  EXPECT_EQ(lab::resource_text(specimen_->dispatch().resources, 0), "1024:random");
}

TEST_F(SharedRanges, LieInsideOfTheOtherBuffer) {
  EXPECT_TRUE(refused("@x+512").contains("does not fit into "));
  EXPECT_TRUE(refused("@x+256:512").contains("does not fit into "));
  EXPECT_TRUE(refused("@x+2").contains("does not fit into "));
  EXPECT_TRUE(refused("@y").contains("cannot be a range of"));
  EXPECT_TRUE(refused("@nothing").contains("is not a regular file"));
}

}  // namespace
