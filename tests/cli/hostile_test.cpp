// What should end the program and does not: each call has its status and one sentence, soon.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using tests::Finished;
using tests::run;

// One sentence on stderr, nothing on stdout; and not after minutes.
void expect_refused(const std::string& arguments, int status, const std::string& part = "") {
  SCOPED_TRACE(arguments);
  const auto start = std::chrono::steady_clock::now();
  const Finished finished = run(arguments);
  EXPECT_EQ(finished.status, status) << finished.err;
  EXPECT_TRUE(finished.out.empty()) << finished.out;
  EXPECT_TRUE(finished.err.starts_with("tilescope: ")) << finished.err;
  EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
  EXPECT_NE(finished.err.find(part), std::string::npos) << finished.err;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-hostile-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  fs::path folder_;
};

TEST_F(Hostile, Constants) {
  for (const char* kernel : {"matmul/tiled", "matmul/deep-padded", "transpose/tiled", "nbody/tiled",
                             "lavamd/tiled", "matmul/naive"}) {
    expect_refused(std::string("run ") + kernel + " --set TILE=0", 2, "TILE of ");
  }
  for (const char* call :
       {"matmul/registers --set BM=0", "matmul/strip-mined --set T1=0",
        "matmul/register-strip --set T2=0", "matmul/register-strip --set T2=1000",
        "nbody/slices --set BLOCK=7", "nbody/slices --set SLICES=100", "nbody/slices --set TILE=1",
        "nbody/slices --set UNROLL=4294967295", "nbody/registers --set UNROLL=1000",
        "nbody/registers --set SHARES=100", "transpose/tiled --set TILE=3",
        "matmul/tiled --tile 65536", "matmul/registers --set W_MULTIPLE=0"}) {
    expect_refused(std::string("run ") + call, 2);
  }
  expect_refused("check nbody/slices --set TILE=3", 2, "TILE of nbody/slices");
}

}  // namespace
