// What `run` and `check` say of every variant, against what they said before (tests/golden, whose
// record.py tells how it was made): a change of the inside must not change it.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace {

using nlohmann::json;
using tests::Finished;

const json& golden() {
  static const json all =
      json::parse(std::ifstream(std::string(TILESCOPE_SOURCE_DIR) + "/tests/golden/variants.json"));
  return all;
}

json said(const std::string& command, const std::string& variant, const json& size,
          const std::string& more, int& status) {
  const Finished finished =
      tests::run(command + " " + variant + " --json " + more +
                 (size.is_string() ? " --size " + size.get<std::string>() : std::string()));
  status = finished.status;
  return json::parse(finished.out, nullptr, false);
}

// Models choose tiles by the device: what was recorded is what the one that was recorded on says.
bool recorded_on(const json& got) {
  return got.is_object() && got.at("device").get<std::string>().starts_with("llvmpipe");
}

// As record.py puts a finding into words.
std::string words_of(const json& finding) {
  std::string text;
  for (const char* key : {"kind", "hazard", "variable", "line"}) {
    if (finding.contains(key) && !finding.at(key).is_null()) {
      const json& value = finding.at(key);
      text += (text.empty() ? "" : " ") +
              (value.is_string() ? value.get<std::string>() : std::to_string(value.get<int>()));
    }
  }
  for (const char* side : {"first", "second"}) {
    if (finding.contains(side)) {
      text += " " + finding.at(side).at("access").get<std::string>() + ":" +
              std::to_string(finding.at(side).at("line").get<int>());
    }
  }
  return text;
}

class Golden : public testing::TestWithParam<std::string> {};
class GoldenRun : public Golden {};

TEST_P(GoldenRun, SaysWhatItSaid) {
  const json& before = golden().at(GetParam());
  const json& want = before.at("run");
  int status = 0;
  const json got = said("run", GetParam(), before.at("size"), "--repeat 1 --warm-up 0", status);
  if (want.contains("correct")) {
    ASSERT_TRUE(got.is_object()) << "status " << status;
  }
  if (!want.contains("correct") || !recorded_on(got)) {
    GTEST_SKIP() << "recorded on llvmpipe, where not every kernel runs";
  }
  EXPECT_EQ(status, want.at("status"));
  EXPECT_EQ(got.at("correct"), want.at("correct"));
  EXPECT_EQ(got.at("check").at("compared"), want.at("compared"));
  EXPECT_EQ(got.at("flops"), want.at("flops"));
  EXPECT_EQ(got.at("bytes"), want.at("bytes"));
  for (const auto& [key, value] : want.at("tiles").items()) {
    EXPECT_EQ(got.at("tiles").at(key), value) << key;
  }
}

TEST_P(Golden, CheckSaysWhatItSaid) {
  const json& before = golden().at(GetParam());
  const json& want = before.at("check");
  int status = 0;
  const json got = said("check", GetParam(), before.at("size"), "", status);
  if (want.contains("verdict")) {
    ASSERT_TRUE(got.is_object()) << "status " << status;
  }
  if (!want.contains("verdict") || !recorded_on(got)) {
    GTEST_SKIP() << "recorded on llvmpipe, where not every kernel runs";
  }
  EXPECT_EQ(status, want.at("status"));
  EXPECT_EQ(got.at("verdict"), want.at("verdict"));
  EXPECT_EQ(got.at("workgroups").at("total"), want.at("workgroups").at(0));
  EXPECT_EQ(got.at("workgroups").at("checked"), want.at("workgroups").at(1));
  std::vector<std::string> findings;
  std::ranges::transform(got.at("findings"), std::back_inserter(findings), words_of);
  std::ranges::sort(findings);
  EXPECT_EQ(json(findings), want.at("findings"));
}

std::vector<std::string> variants() {
  std::vector<std::string> names;
  for (const auto& [name, said_of] : golden().items()) {
    names.push_back(name);
  }
  return names;
}

// The first variant of each workload. `./test --all` runs every variant.
std::vector<std::string> first_variants() {
  std::vector<std::string> names;
  for (const std::string& name : variants()) {
    const std::string workload = name.substr(0, name.find('/') + 1);
    if (names.empty() || !names.back().starts_with(workload)) {
      names.push_back(name);
    }
  }
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& variant) {
  std::string name = variant.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Variants, Golden, testing::ValuesIn(variants()), test_name);
INSTANTIATE_TEST_SUITE_P(Variants, GoldenRun, testing::ValuesIn(first_variants()), test_name);
INSTANTIATE_TEST_SUITE_P(Long, GoldenRun, testing::ValuesIn(variants()), test_name);

// A new variant must be recorded.
TEST(GoldenFile, HasEveryVariant) {
  const json list = json::parse(tests::run("list --json").out);
  for (const json& workload : list.at("workloads")) {
    for (const json& variant : workload.at("variants")) {
      EXPECT_TRUE(golden().contains(variant.at("variant").get<std::string>())) << variant;
    }
  }
}

}  // namespace
