// Standalone kernels without flags: what Tilescope chooses, and what it reports about it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Chosen : public testing::Test {
 protected:
  void TearDown() override { fs::remove(file_); }

  tests::Finished check(const std::string& text, const std::string& flags = {}) {
    std::ofstream(file_) << "#version 450\n" << text;
    return tests::run("check '" + file_.string() + "' --json " + flags);
  }

  fs::path file_ =
      fs::temp_directory_path() / ("tilescope-chosen-" + std::to_string(::getpid()) + ".comp");
};

const std::string kPicture =
    "layout(local_size_x = 16, local_size_y = 8) in;\n"
    "layout(binding = 0) buffer O { vec4 texels[]; };\n"
    "void main() {\n"
    "  const uvec2 p = gl_GlobalInvocationID.xy;\n"
    "  if (p.x < 800u && p.y < 600u) texels[p.y * 800u + p.x] = vec4(1.0);\n"
    "}\n";

TEST_F(Chosen, BuffersThatAreTooShortGetLonger) {
  const auto finished = check(kPicture);
  EXPECT_EQ(finished.status, 0) << finished.out;
  const json report = json::parse(finished.out);
  EXPECT_TRUE(report.at("findings").empty());
  EXPECT_EQ(json::parse(check(kPicture, "--buffer O=4096").out).at("verdict"), "faulty");
}

TEST_F(Chosen, IndicesComeBeforeWhatFollowsFromThem) {
  const auto finished = check(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer O { uint o[]; };\n"
      "shared uint place[8];\n"
      "void main() {\n"
      "  const uint l = gl_LocalInvocationIndex;\n"
      "  if ((l & 3u) == 0u) place[l / 4u] = l;\n"
      "  barrier();\n"
      "  o[gl_WorkGroupID.x * 64u + place[l / 4u] + (l & 3u)] = l;\n"
      "}\n");
  const json report = json::parse(finished.out);
  EXPECT_EQ(report.at("verdict"), "faulty");
  for (const json& finding : report.at("findings")) {
    EXPECT_EQ(finding.at("kind"), "out-of-bounds");
  }
  EXPECT_EQ(report.at("findings").at(0).at("consequences").at(0).at("kind"), "race");
}

const std::string kHistogram =
    "layout(local_size_x = 64) in;\n"
    "layout(binding = 0) readonly buffer In { uint keys[]; };\n"
    "layout(binding = 1) buffer Bins { uint bins[256]; };\n"
    "void main() { bins[keys[gl_GlobalInvocationID.x] & 255u] += 1u; }\n";

TEST_F(Chosen, OtherLaunchesAreTried) {
  const auto finished = check(kHistogram);
  EXPECT_EQ(finished.status, 1);
  const json report = json::parse(finished.out);
  EXPECT_EQ(report.at("verdict"), "racy");
  EXPECT_EQ(report.at("tried").at(0).at("what"), "equal values in keys");
  EXPECT_EQ(report.at("findings").at(0).at("when"), "if keys contains equal values");
  std::string flags = "--exact";
  for (const json& flag : report.at("findings").at(0).at("flags")) {
    flags += " " + flag.get<std::string>();
  }
  const json again = json::parse(check(kHistogram, flags).out);
  EXPECT_EQ(again.at("verdict"), "racy");
  EXPECT_TRUE(again.at("tried").empty());
  EXPECT_EQ(check(kHistogram, "--exact").status, 0);
}

TEST_F(Chosen, GuardedMacrosFollowTheDevice) {
  const auto finished = check(
      "#ifndef SUBGROUP_SIZE\n#define SUBGROUP_SIZE 3\n#endif\n"
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer O { uint o[]; };\n"
      "void main() { o[gl_GlobalInvocationID.x] = SUBGROUP_SIZE; }\n");
  const json report = json::parse(finished.out);
  EXPECT_TRUE(std::ranges::any_of(report.at("chosen"), [](const json& flag) {
    return flag.get<std::string>().starts_with("-D SUBGROUP_SIZE=");
  })) << report.at("chosen");
}

TEST_F(Chosen, VectorsThatLavapipeComputesWronglyAreRefused) {
  const auto finished = tests::run("check matmul/naive --size 16,16,16 --device llvmpipe",
                                   {{"LP_NATIVE_VECTOR_WIDTH", "1024"}});
  EXPECT_EQ(finished.status, 3);
  EXPECT_TRUE(finished.err.contains("LP_NATIVE_VECTOR_WIDTH is 1024")) << finished.err;
}

}  // namespace
