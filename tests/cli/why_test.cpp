// `why`: who wrote an element, and where its value comes from.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::run;

class Why : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-why-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    kernel_ = folder_ / "k.comp";
    std::ofstream(kernel_) << R"(#version 460
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer C { float c[]; };
shared float tile[4];
void main() {
  const uint i = gl_LocalInvocationID.x;
  tile[i] = a[gl_GlobalInvocationID.x];
  barrier();
  c[gl_GlobalInvocationID.x] = log(tile[3 - i] - 5.0);
}
)";
  }
  void TearDown() override { fs::remove_all(folder_); }
  tests::Finished why(const std::string& rest) {
    return run("why " + kernel_.string() + " --groups 4,1,1 --buffer a=64:iota --buffer c=64 " +
               rest);
  }
  fs::path folder_, kernel_;
};

TEST_F(Why, AValueIsFollowedThroughSharedMemory) {
  const auto finished = why("--element 'c[9]' --json");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json document = json::parse(finished.out);
  EXPECT_TRUE(document.at("written"));
  EXPECT_EQ(document.at("workgroup"), json({2, 0, 0}));
  const json& first = document.at("writes").at(0);
  EXPECT_EQ(first.at("line"), 10);
  EXPECT_EQ(first.at("invocation"), json({1, 0, 0}));
  EXPECT_EQ(first.at("reads").at(0).at("element"), "tile[2]");
  const json& second =
      document.at("writes").at(first.at("reads").at(0).at("written_by").get<std::size_t>());
  EXPECT_EQ(second.at("invocation"), json({2, 0, 0}));
  EXPECT_EQ(second.at("reads").at(0).at("element"), "a[10]");
  EXPECT_TRUE(second.at("reads").at(0).at("written_by").is_null());
}

TEST_F(Why, TheFirstNotANumberIsNamed) {
  const auto finished = why("--element 'c[2]'");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("the first NaN is at line 10: invocation (2,0,0) computed c[2] = "),
            std::string::npos)
      << finished.out;
}

TEST_F(Why, WhatNoWorkgroupWritesIsSaid) {
  auto finished = why("--element 'a[3]'");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("a[3] is an input"), std::string::npos) << finished.out;
  finished = why("--element 'c[16]'");
  EXPECT_EQ(finished.status, 2);
  EXPECT_NE(finished.err.find("index 16 is outside c, which has 16 elements"), std::string::npos)
      << finished.err;
  finished = why("--element 'x[1]'");
  EXPECT_EQ(finished.status, 2);
  EXPECT_NE(finished.err.find("no variable \"x\""), std::string::npos) << finished.err;
  finished = why("--element 'c[1'");
  EXPECT_EQ(finished.status, 2);
}

TEST_F(Why, ShotDrawsTheWorkgroupThatWritesTheElement) {
  const fs::path picture = folder_ / "why.png";
  const auto shot = [&](const std::string& element) {
    return run("shot " + kernel_.string() + " --groups 4,1,1 --buffer a=64:iota --buffer c=64" +
               " --element '" + element + "' --resolution 640x420 -o " + picture.string());
  };
  const auto refused = shot("a[3]");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("workgroups writes a[3]"), std::string::npos) << refused.err;
  EXPECT_FALSE(fs::exists(picture));
  const auto drawn = shot("c[9]");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
}

}  // namespace
