// Every kernel in the folders beside this file says what the checker must find: `expect` in its
// header, and comments on the lines that a finding must name (race, barrier, condition, bounds,
// uninitialized, inactive lane, misaligned, arithmetic) or that no invocation executes (not
// executed), no others. `zero` names a binding that begins as zeros; `buffer` gives one what
// --buffer gives it.
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/probe/check.h"
#include "probes/labelled.h"
#include "tests/lab/specimens.h"

namespace {

namespace fs = std::filesystem;
using core::FindingKind;
using LineSet = std::set<std::uint32_t>;

LineSet lines_with(const std::string& source, const std::string& mark) {
  LineSet found;
  std::istringstream lines(source);
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t comment = line.rfind("// ");
    std::istringstream marks(comment == std::string::npos ? "" : line.substr(comment + 3));
    for (std::string one; std::getline(marks, one, ',');) {
      if (one == mark || one == " " + mark) {
        found.insert(number);
      }
    }
  }
  return found;
}

std::string expectation(const std::string& source) {
  const std::string key = "//! expect = \"";
  const std::size_t at = source.find(key) + key.size();
  return source.substr(at, source.find('"', at) - at);
}

// One kernel in eight, from every folder.
std::vector<fs::path> sample() {
  const auto all = test::labelled_kernels();
  std::vector<fs::path> found;
  for (std::size_t i = 0; i < all.size(); i += 8) {
    found.push_back(all[i]);
  }
  return found;
}

// The path of a labelled kernel.
fs::path kernel_named(const std::string& name) {
  const auto all = test::labelled_kernels();
  const auto found =
      std::ranges::find(all, name, [](const fs::path& path) { return path.stem().string(); });
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? fs::path() : *found;
}

gpu::Device* probed_device() {
  static const auto opened = []() -> std::unique_ptr<gpu::Device> {
    const auto driver = gpu::Driver::open({});
    if (!driver) {
      return nullptr;
    }
    const auto info = (*driver)->pick("");
    auto made = gpu::Device::open(*driver, *info, {.robust = true});
    return made ? std::move(*made) : nullptr;
  }();
  return opened.get();
}

core::CheckReport check(const fs::path& path, const lab::CheckOptions& options) {
  const std::string source = test::text_of(path);
  const core::Experiment experiment = test::labelled_experiment(source);
  const auto specimen = test::specimen_of(*probed_device(), source, path, experiment);
  EXPECT_TRUE(specimen) << specimen.error().message;
  const auto report = lab::check(*probed_device(), lab::alone(*specimen), options);
  EXPECT_TRUE(report) << report.error().message;
  return report.value_or(core::CheckReport{});
}

LineSet named(const core::CheckReport& report, FindingKind kind,
              std::uint32_t core::Finding::* line) {
  LineSet found;
  for (const core::Finding& f : report.findings) {
    if (f.kind == kind) {
      found.insert(f.*line);
    }
  }
  return found;
}

LineSet racing(const core::CheckReport& report) {
  LineSet found;
  for (const core::Finding& f : report.findings) {
    if (f.kind == FindingKind::race) {
      found.insert({f.first.line, f.second.line});
    }
  }
  return found;
}

core::Verdict verdict_of(const std::string& expected) {
  return expected == "clean" || expected == "arithmetic" || expected == "note"
             ? core::Verdict::clean
         : expected == "divergent"  ? core::Verdict::divergent
         : expected == "incomplete" ? core::Verdict::incomplete
         : expected == "bounds" || expected == "uninitialized" || expected == "inactive lane" ||
                 expected == "misaligned"
             ? core::Verdict::faulty
             : core::Verdict::racy;
}

class Probes : public testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    if (probed_device() == nullptr) {
      GTEST_SKIP() << "no Vulkan device";
    }
    core::Variant kernel;
    kernel.file = GetParam();
    kernel.source = test::text_of(GetParam());
    const auto module = lab::load_module(kernel, {});
    ASSERT_TRUE(module) << module.error().message;
    if (const char* feature = probed_device()->lacking((*module)->words)) {
      GTEST_SKIP() << "this device does not have " << feature;
    }
  }
};

core::CheckReport expect_as_told(const fs::path& path, const lab::CheckOptions& options) {
  const std::string source = test::text_of(path);
  const std::string expected = expectation(source);
  const core::CheckReport report = check(path, options);
  EXPECT_EQ(core::to_string(report.verdict), core::to_string(verdict_of(expected)));
  EXPECT_EQ(racing(report), lines_with(source, "race"));
  EXPECT_EQ(named(report, FindingKind::divergent_barrier, &core::Finding::line),
            lines_with(source, "barrier"));
  EXPECT_EQ(named(report, FindingKind::divergent_barrier, &core::Finding::condition_line),
            lines_with(source, "condition"));
  EXPECT_EQ(named(report, FindingKind::out_of_bounds, &core::Finding::line),
            lines_with(source, "bounds"));
  EXPECT_EQ(named(report, FindingKind::uninitialized, &core::Finding::line),
            lines_with(source, "uninitialized"));
  EXPECT_EQ(named(report, FindingKind::inactive_lane, &core::Finding::line),
            lines_with(source, "inactive lane"));
  EXPECT_EQ(named(report, FindingKind::misaligned, &core::Finding::line),
            lines_with(source, "misaligned"));
  EXPECT_EQ(named(report, FindingKind::arithmetic, &core::Finding::line),
            lines_with(source, "arithmetic"));
  const auto skipped = report.lines_not_executed();
  if (expected != "divergent") {
    EXPECT_EQ(LineSet(skipped.begin(), skipped.end()), lines_with(source, "not executed"));
    EXPECT_EQ(report.sites.size(), report.accesses);
  }
  if (expected == "racy" || expected == "note") {
    const bool all_notes = std::ranges::all_of(report.findings, [](const core::Finding& f) {
      return f.severity() == core::Severity::note;
    });
    EXPECT_EQ(all_notes, expected == "note");
  }
  for (const core::Finding& f : report.findings) {
    if (f.kind == FindingKind::divergent_barrier && expected != "divergent") {
      EXPECT_EQ(f.severity(), core::Severity::warning) << f.sentence();
    }
    if (f.kind == FindingKind::race) {
      EXPECT_NE(std::pair(f.first.workgroup, f.first.invocation),
                std::pair(f.second.workgroup, f.second.invocation))
          << f.sentence();
    }
    testing::Test::RecordProperty("finding", f.sentence());
  }
  return report;
}

std::string sentences(const core::CheckReport& report) {
  std::string all;
  for (const core::Finding& f : report.findings) {
    all += f.sentence() + "\n";
  }
  return all;
}

void expect_the_same(const core::CheckReport& first, const core::CheckReport& second,
                     bool has_atomics) {
  ASSERT_EQ(first.findings.size(), second.findings.size()) << sentences(first) << "and then\n"
                                                           << sentences(second);
  for (std::size_t i = 0; i < first.findings.size(); ++i) {
    EXPECT_EQ(first.findings[i].variable, second.findings[i].variable);
    EXPECT_EQ(first.findings[i].first.line, second.findings[i].first.line);
    EXPECT_EQ(first.findings[i].second.line, second.findings[i].second.line);
    // The count depends on timing if workgroups race, if atomics decide which invocations access
    // memory, and after a divergent barrier.
    if (first.findings[i].memory == core::Memory::shared && !has_atomics &&
        first.findings[i].kind != FindingKind::divergent_barrier) {
      EXPECT_EQ(first.findings[i].count, second.findings[i].count);
    }
    EXPECT_EQ(first.findings[i].same_value, second.findings[i].same_value);
  }
}

TEST_P(Probes, AreAsToldEachTime) {
  const core::CheckReport first = expect_as_told(GetParam(), {});
  if (!first.findings.empty()) {  // a second clean run would only repeat the first
    const bool has_atomics = test::text_of(GetParam()).contains("atomic");
    expect_the_same(first, check(GetParam(), {}), has_atomics);
  }
}

// The other ways to check: the shadow of shared memory in a buffer; on the CPU device the code that
// GPUs get, and the reverse. They run on a sample, and on all kernels in `./test --all`.
class ProbesInOtherCode : public Probes {};

TEST_P(ProbesInOtherCode, AreAsToldWithTheShadowInABuffer) {
  if (!test::text_of(GetParam()).contains("\nshared ")) {
    GTEST_SKIP() << "it has no shared memory that a shadow would be of";
  }
  expect_as_told(GetParam(), {.shadow_in_buffer = true});
}
TEST_P(ProbesInOtherCode, AreAsToldInTheOtherCode) {
  expect_as_told(GetParam(), {.compact = !probed_device()->info().emulated()});
}

// What is guessed and was so counts as proven; what was not so, not.
TEST(Guesses, AreLookedAt) {
  if (probed_device() == nullptr) {
    GTEST_SKIP() << "no Vulkan device";
  }
  const auto open = [&](const std::string& kernel, const lab::CheckOptions& options = {}) {
    const core::CheckReport report = check(kernel_named(kernel), options);
    return report.buffer_accesses - report.buffers_proven;
  };
  EXPECT_EQ(open("ticket-block"), 0U);
  EXPECT_EQ(open("ticket-block", {.guesses = false}), 3U);
  EXPECT_EQ(open("ticket-block-counter-goes-on"), 1U);
  EXPECT_EQ(open("team-last-workgroup"), 0U);
  EXPECT_NE(open("team-last-workgroup", {.guesses = false}), 0U);
  EXPECT_NE(open("team-last-counts-from-one"), 0U);
  EXPECT_EQ(open("subgroup-rows"), 0U);
  EXPECT_EQ(open("subgroup-rows", {.guesses = false}), 1U);
}

// What is looked at while the kernel runs tells of indices and of what is written before, too.
TEST(Guesses, TellOfIndicesAndOfWhatWasWritten) {
  if (probed_device() == nullptr) {
    GTEST_SKIP() << "no Vulkan device";
  }
  const auto open = [&](const std::string& kernel, const lab::CheckOptions& options = {}) {
    const core::CheckReport report = check(kernel_named(kernel), options);
    return std::pair(report.indices_checked, report.reads_checked.size());
  };
  using Open = std::pair<std::uint32_t, std::size_t>;
  EXPECT_EQ(open("subgroup-slots"), Open(0, 0));
  EXPECT_EQ(open("subgroup-slots", {.guesses = false}), Open(2, 1));
  EXPECT_EQ(open("ticket-slots"), Open(0, 0));
  EXPECT_EQ(open("ticket-slots", {.guesses = false}).first, 3U);
  EXPECT_EQ(open("ticket-slots-too-far").first, 3U) << "it is not so, and once more without it";
}

std::string kernel_name(const testing::TestParamInfo<fs::path>& kernel) {
  std::string name = kernel.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Probes, testing::ValuesIn(test::labelled_kernels()), kernel_name);
INSTANTIATE_TEST_SUITE_P(Sample, ProbesInOtherCode, testing::ValuesIn(sample()), kernel_name);
INSTANTIATE_TEST_SUITE_P(Long, ProbesInOtherCode, testing::ValuesIn(test::labelled_kernels()),
                         kernel_name);

TEST(ProbeKernels, AreManyAndHalfOfThemRight) {
  const auto all = test::labelled_kernels();
  const auto right = std::ranges::count_if(
      all, [](const fs::path& path) { return expectation(test::text_of(path)) == "clean"; });
  EXPECT_GE(all.size(), 400U);
  EXPECT_GE(static_cast<std::size_t>(right) * 5, all.size() * 2);
}

}  // namespace
