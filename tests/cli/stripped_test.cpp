// Modules without source and line information: reports have lines of decompiled GLSL.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::run;

constexpr const char* kRacy = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer O { uint o[]; };
shared uint s[64];
void main() {
  const uint l = gl_LocalInvocationID.x;
  s[l] = l;
  o[l] = s[63u - l];
}
)";

// As a release build is: without OpSource, OpName, OpMemberName, OpString and OpLine.
void strip(const fs::path& from, const fs::path& to) {
  std::ifstream file(from, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  const std::set<std::uint32_t> debug{3, 5, 6, 7, 8, 317, 330};
  constexpr std::size_t kHeader = 5;
  ASSERT_GT(words.size(), kHeader);
  std::vector<std::uint32_t> kept(words.begin(), words.begin() + kHeader);
  for (std::size_t at = kHeader; at < words.size(); at += words[at] >> 16U) {
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
    if (!debug.contains(words[at] & 0xFFFFU)) {
      kept.insert(kept.end(), begin, begin + (words[at] >> 16U));
    }
  }
  std::ofstream(to, std::ios::binary)
      .write(reinterpret_cast<const char*>(kept.data()),
             static_cast<std::streamsize>(kept.size() * 4));
}

TEST(Stripped, FindingsHaveLinesOfDecompiledText) {
  const fs::path folder =
      fs::temp_directory_path() / ("tilescope-stripped-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "racy.comp") << kRacy;
  const std::string launch = " --exact --groups 1,1,1 ";
  const auto saved = run("check '" + (folder / "racy.comp").string() + "'" + launch + "--save '" +
                         (folder / "saved").string() + "'");
  EXPECT_EQ(saved.status, 1) << saved.err;
  strip(folder / "saved/module.spv", folder / "racy.spv");
  const std::string check = "check '" + (folder / "racy.spv").string() + "'" + launch;

  const auto done = run(check + "--json --fix");
  EXPECT_EQ(done.status, 1) << done.err;
  const json report = json::parse(done.out);
  EXPECT_TRUE(report.at("decompiled").get<bool>());
  ASSERT_EQ(report.at("findings").size(), 1U);
  const json& race = report.at("findings").front();
  EXPECT_EQ(race.at("variable"), "shared1");
  EXPECT_EQ(race.at("first").at("file"), (folder / "racy.spv").string());
  EXPECT_GT(race.at("first").at("line"), 0);
  EXPECT_EQ(race.at("first").at("statement").get<std::string>().find("shared1["), 0U);
  EXPECT_NE(race.at("second").at("statement").get<std::string>().find("= shared1[63u - "),
            std::string::npos);
  EXPECT_EQ(race.at("repair").front().at("line"), race.at("second").at("line"));
  EXPECT_NE(done.err.find("decompiled"), std::string::npos) << done.err;
  EXPECT_FALSE(fs::exists(folder / "racy.fixed.spv"));

  const auto text = run(check);
  EXPECT_NE(text.out.find("lines are those of GLSL that SPIRV-Cross decompiled"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("~ invocation (63,0,0) reads shared1[0]"), std::string::npos) << text.out;
  fs::remove_all(folder);
}

}  // namespace
