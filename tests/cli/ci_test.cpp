// Checks in CI: fingerprints, baselines and the forms that code hosts read.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::Finished;

class Ci : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-ci-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  // A race between the lines of `s`; `more` follows it.
  [[nodiscard]] std::string racy(const std::string& before = "",
                                 const std::string& more = "") const {
    std::ofstream(folder_ / "k.comp")
        << "#version 450\n"
        << before
        << "layout(local_size_x = 64) in;\nshared uint s[64];\nshared uint t[64];\n"
           "layout(binding = 0) buffer O { uint o[]; };\nvoid main() {\n"
           "  uint i = gl_LocalInvocationIndex;\n  s[i] = i;\n  uint v = s[i ^ 1u];\n" +
               more + "  o[gl_GlobalInvocationID.x] = v;\n}\n";
    return (folder_ / "k.comp").string();
  }
  [[nodiscard]] std::string in(const char* name) const { return (folder_ / name).string(); }
  [[nodiscard]] static std::string text_of(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_;
};

constexpr const char* kAnother = "  t[i] = v;\n  v += t[i ^ 1u];\n";

TEST_F(Ci, ABaselineHidesTheFindingsThatItLists) {
  const std::string file = in("baseline.json");
  const Finished written = tests::run("check --groups 1 --write-baseline " + file + " " + racy());
  if (written.status == 3) {
    GTEST_SKIP() << written.err;
  }
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_TRUE(written.out.contains("racy")) << written.out;
  EXPECT_EQ(json::parse(text_of(file)).at("findings").size(), 1U);
  // Lines above moved it.
  const Finished old =
      tests::run("check --groups 1 --json --baseline " + file + " " + racy("// A comment.\n\n"));
  EXPECT_EQ(old.status, 0) << old.err;
  EXPECT_EQ(json::parse(old.out).at("in_baseline"), 1);
  EXPECT_EQ(json::parse(old.out).at("verdict"), "clean");
  // A second race is new.
  const Finished fresh =
      tests::run("check --groups 1 --json --baseline " + file + " " + racy("", kAnother));
  EXPECT_EQ(fresh.status, 1) << fresh.err;
  const json report = json::parse(fresh.out);
  EXPECT_EQ(report.at("in_baseline"), 1);
  ASSERT_EQ(report.at("findings").size(), 1U);
  EXPECT_EQ(report.at("findings").at(0).at("variable"), "t");
}

TEST_F(Ci, ABaselineOfSeveralKernelsIsOneFile) {
  const std::string first = racy();
  fs::copy_file(first, in("k2.comp"));
  const std::string both = "--groups 1 " + first + " " + in("k2.comp");
  const std::string file = in("baseline.json");
  EXPECT_EQ(tests::run("check --write-baseline " + file + " " + both).status, 0);
  EXPECT_EQ(json::parse(text_of(file)).at("findings").size(), 2U);
  const Finished old = tests::run("check --json --baseline " + file + " " + both);
  EXPECT_EQ(old.status, 0) << old.err << old.out;
  EXPECT_EQ(tests::run("check " + both + " --json").status, 1);
}

TEST_F(Ci, OtherBaselinesAreRefused) {
  const auto refused = [&](const std::string& text, const char* why) {
    std::ofstream(in("b.json")) << text;
    const Finished finished = tests::run("check matmul/tiled --baseline " + in("b.json"));
    EXPECT_EQ(finished.status, 2);
    EXPECT_TRUE(finished.err.contains(why)) << finished.err;
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
  };
  refused("{\"tilescope_baseline\": 2, \"findings\": []}", "version 2 of the baseline format");
  refused("{}", "is not a baseline");
  refused("\x01", "is not a baseline");
  refused("[1]", "is not a baseline");
}

TEST_F(Ci, TwoFormsOrTwoBaselinesAreRefused) {
  for (const char* flags :
       {"--json --format github", "--baseline a.json --write-baseline b.json"}) {
    const Finished finished = tests::run(std::string("check matmul/tiled ") + flags);
    EXPECT_EQ(finished.status, 2);
    EXPECT_TRUE(finished.err.contains("remove one of them")) << finished.err;
  }
}

TEST_F(Ci, GithubReadsAnnotations) {
  std::ofstream(folder_ / "bad,1.comp") << "#version 450\nvoid main() { nothing }\n";
  const Finished finished =
      tests::run("check --groups 1 --format github " + racy() + " '" + in("bad,1.comp") + "'");
  EXPECT_EQ(finished.status, 1) << finished.err;
  EXPECT_TRUE(finished.out.contains("::error file=" + in("k.comp") + ",line=")) << finished.out;
  EXPECT_TRUE(finished.out.contains(",title=tilescope race::")) << finished.out;
  EXPECT_TRUE(finished.out.contains("bad%2C1.comp,title=tilescope not-checked::")) << finished.out;
  EXPECT_EQ(std::ranges::count(finished.out, '\n'), 2) << finished.out;
}

TEST_F(Ci, GitlabReadsACodeQualityReport) {
  const Finished finished = tests::run("check --groups 1 --format gitlab " + racy());
  EXPECT_EQ(finished.status, 1) << finished.err;
  const json report = json::parse(finished.out);
  ASSERT_EQ(report.size(), 1U);
  const json& issue = report.at(0);
  EXPECT_EQ(issue.at("check_name"), "race");
  EXPECT_EQ(issue.at("severity"), "major");
  EXPECT_EQ(issue.at("location").at("path"), in("k.comp"));
  EXPECT_GT(issue.at("location").at("lines").at("begin"), 1);
  // SARIF has the same fingerprint.
  EXPECT_EQ(tests::run("check --groups 1 --sarif " + in("s.json") + " " + racy()).status, 1);
  const json sarif = json::parse(text_of(in("s.json")));
  EXPECT_EQ(sarif.at("runs").at(0).at("results").at(0).at("partialFingerprints").at("tilescope/v1"),
            issue.at("fingerprint"));
}

}  // namespace
