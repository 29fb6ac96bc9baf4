// Pairs of broken and fixed kernels (tests/pairs) that are checked without launch values: only the
// launches that are tried after the first one show what is wrong.
#include "lab/probe/search.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/probe/check.h"
#include "lab/ready/workbench.h"
#include "probes/labelled.h"

namespace {

namespace fs = std::filesystem;

constexpr double kLongMs = 60000.0;  // none is left out on a slow machine

lab::Workbench* search_bench() {
  static const auto opened = []() -> std::unique_ptr<lab::Workbench> {
    const auto driver = gpu::Driver::open({});
    auto made = driver ? lab::Workbench::open(*driver, "", {.robust = true})
                       : std::unexpected(driver.error());
    return made ? std::move(*made) : nullptr;
  }();
  return opened.get();
}

// As `tilescope check FILE` makes it.
core::CheckReport searched(const std::string& name, const std::string& source,
                           core::Experiment experiment = {}, const std::string& suffix = ".comp") {
  core::Variant kernel;
  kernel.name = kernel.title = name;
  kernel.file = name + suffix;
  kernel.source = source;
  lab::Workbench& bench = *search_bench();
  const auto setup = bench.set_up(kernel, experiment, 1e9);
  EXPECT_TRUE(setup) << setup.error().message;
  lab::Specimen& first = *(*setup)->turns().front().specimen;
  auto report = lab::check(bench.device(), (*setup)->turns(), {});
  EXPECT_TRUE(report) << report.error().message;
  const auto launches = lab::launches_to_try(first, experiment, *report);
  const auto ok = lab::try_launches(bench, kernel, experiment, {}, kLongMs, launches, *report);
  EXPECT_TRUE(ok);
  return *report;
}

std::vector<fs::path> pairs() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(TILESCOPE_SOURCE_DIR) / "tests/pairs")) {
    found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

class Pairs : public testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    if (search_bench() == nullptr) {
      GTEST_SKIP() << "no Vulkan device";
    }
  }
};

TEST_P(Pairs, AreToldApart) {
  const std::string source = test::text_of(GetParam());
  const std::string key = "//! expect = \"";
  const std::size_t at = source.find(key) + key.size();
  const core::CheckReport report = searched(GetParam().stem().string(), source,
                                            test::labelled_choices(source), GetParam().extension());
  const std::string expected = source.substr(at, source.find('"', at) - at);
  const bool warned = expected == "warning";
  EXPECT_EQ(core::to_string(report.verdict), warned ? "clean" : expected);
  EXPECT_EQ(report.findings.empty(), expected == "clean");
  for (const core::Finding& f : report.findings) {
    EXPECT_EQ(f.severity() == core::Severity::warning, warned) << f.sentence();
    EXPECT_FALSE(warned && f.flags.empty()) << f.sentence();
    testing::Test::RecordProperty("finding", f.sentence());
  }
  EXPECT_TRUE(report.not_tried.empty());
}

std::string pair_name(const testing::TestParamInfo<fs::path>& kernel) {
  std::string name = kernel.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Search, Pairs, testing::ValuesIn(pairs()), pair_name);

constexpr const char* kParticles =
    "#version 450\n"
    "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) buffer B { vec4 particles[]; };\n"
    "void main() { particles[gl_GlobalInvocationID.x] = vec4(1.0); }\n";

TEST(Searched, ItemsImplyTheLengthOfABuffer) {
  if (search_bench() == nullptr) {
    GTEST_SKIP() << "no Vulkan device";
  }
  core::Experiment experiment;
  experiment.choices.items = {42};
  const core::CheckReport report = searched("particles", kParticles, experiment);
  EXPECT_EQ(report.verdict, core::Verdict::faulty);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].limit, 42U);
  EXPECT_EQ(report.findings[0].flags.back(), "--buffer 0.0=672:poison");
  EXPECT_EQ(searched("particles", kParticles).verdict, core::Verdict::clean);
}

TEST(Searched, GivenValuesAreKept) {
  if (search_bench() == nullptr) {
    GTEST_SKIP() << "no Vulkan device";
  }
  core::Experiment experiment;
  experiment.choices.buffers["Keys"] = "1024:iota";
  experiment.choices.groups = {4};
  const std::string histogram =
      test::text_of(fs::path(TILESCOPE_SOURCE_DIR) / "tests/pairs/histogram.comp");
  EXPECT_EQ(searched("histogram", histogram, experiment).verdict, core::Verdict::clean);
}

TEST(Searched, FindingsNameTheirCondition) {
  if (search_bench() == nullptr) {
    GTEST_SKIP() << "no Vulkan device";
  }
  const core::CheckReport report = searched(
      "histogram", test::text_of(fs::path(TILESCOPE_SOURCE_DIR) / "tests/pairs/histogram.comp"));
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].when, "if keys contains equal values");
  EXPECT_TRUE(
      report.findings[0].sentence().ends_with("; this happens if keys contains equal values"));
  ASSERT_FALSE(report.tried.empty());
  EXPECT_EQ(report.tried[0].what, "equal values in keys");
}

}  // namespace
