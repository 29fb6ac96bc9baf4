// `tilescope stream` as a process, on two accelerators made of whatever device is first.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::Finished;
using tests::run;

class Stream : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-stream-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::vector<float>& values) const {
    std::ofstream stream(folder_ / name, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(values.data()),
                 static_cast<std::streamsize>(values.size() * sizeof(float)));
    return folder_ / name;
  }
  std::vector<float> read(const std::string& name) const {
    std::vector<float> values(fs::file_size(folder_ / name) / sizeof(float));
    std::ifstream stream(folder_ / name, std::ios::binary);
    stream.read(reinterpret_cast<char*>(values.data()),
                static_cast<std::streamsize>(values.size() * sizeof(float)));
    return values;
  }
  void expect_sentence(const std::string& arguments, int status, const std::string& part) const {
    const Finished finished = run("stream " + arguments);
    EXPECT_EQ(finished.status, status) << arguments << finished.err;
    EXPECT_TRUE(finished.out.empty()) << finished.out;
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
    EXPECT_TRUE(finished.err.starts_with("tilescope: ")) << finished.err;
    EXPECT_NE(finished.err.find(part), std::string::npos) << finished.err;
  }
  fs::path folder_;
};

void expect_within(const json& spans, double ms) {
  const json& starts = spans.at("start_ms");
  const json& ends = spans.at("end_ms");
  ASSERT_EQ(starts.size(), ends.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_GE(starts[i].get<double>(), 0.0);
    EXPECT_LE(starts[i].get<double>(), ends[i].get<double>());
    EXPECT_LE(ends[i].get<double>(), ms + 0.1);  // the clocks' uncertainty
  }
}

TEST_F(Stream, IsRightAtAnAwkwardSizeUnderValidation) {
  const Finished finished = run("stream --size 199,133,77 --emulate 2 --json --validation");
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.err.find("validation:"), std::string::npos) << finished.err;
  const json r = json::parse(finished.out);
  EXPECT_EQ(r.at("correct"), true);
  EXPECT_EQ(r.at("check").at("compared"), 199 * 133);
  EXPECT_EQ(r.at("check").at("elements"), 199 * 133);
  EXPECT_LT(r.at("max_error").get<double>(), r.at("check").at("tolerance").get<double>());
  const double ms = r.at("figures").at("ms");
  EXPECT_NEAR(r.at("tflops").get<double>(), 2.0 * 199 * 133 * 77 / ms * 1e-9, 1e-9);
  const json& devices = r.at("devices");
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0].at("rows"), json({0, 99}));
  EXPECT_EQ(devices[1].at("rows"), json({99, 199}));
  for (const json& device : devices) {
    EXPECT_EQ(device.at("spans").at("compute").at("job").size(), device.at("jobs").size());
    EXPECT_GE(device.at("spans").at("upload").at("load").size(), device.at("loads").size());
    for (const char* stage : {"upload", "compute", "download"}) {
      expect_within(device.at("spans").at(stage), ms);
    }
    EXPECT_LE(device.at("memory_used"), device.at("memory_budget"));
  }
}

TEST_F(Stream, SplitsAMatrixTwiceTheBudget) {
  // A alone takes 200·128·4 = 102,400 bytes.
  const Finished finished = run("stream --size 200,160,128 --emulate 1 --memory 51200 --json");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json r = json::parse(finished.out);
  EXPECT_EQ(r.at("correct"), true);
  const json& device = r.at("devices").at(0);
  EXPECT_GT(device.at("chunks").size(), 1U);
  EXPECT_LE(device.at("memory_used").get<std::uint64_t>(), 51200U);
  EXPECT_GT(r.at("figures").at("uploaded_bytes").get<std::uint64_t>(),
            4U * (200 * 128 + 128 * 160));  // B went by several times
}

TEST_F(Stream, ReadsAndWritesFiles) {
  constexpr std::size_t kM = 5;
  constexpr std::size_t kN = 7;
  constexpr std::size_t kW = 3;
  std::vector<float> a(kM * kW);
  std::vector<float> b(kW * kN);
  std::vector<float> c(kM * kN, 0.0F);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 5) - 2.0F;
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = static_cast<float>(i % 4);
  }
  for (std::size_t i = 0; i < kM * kN * kW; ++i) {
    const std::size_t row = i / (kN * kW);
    const std::size_t column = i / kW % kN;
    c[row * kN + column] += a[row * kW + i % kW] * b[i % kW * kN + column];
  }
  const std::string inputs = "--size 5,7,3 --emulate 2 --a " + write("a.f32", a).string() +
                             " --b " + write("b.f32", b).string() + " -o " +
                             (folder_ / "c.f32").string();
  const Finished finished = run("stream " + inputs);
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(read("c.f32"), c);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3);
}

TEST_F(Stream, TakesInputsThatAreNotFinite) {
  std::vector<float> a(64 * 64, 1.0F);
  a[5] = std::numeric_limits<float>::quiet_NaN();
  a[77] = std::numeric_limits<float>::infinity();
  const auto file = write("a.f32", a);
  EXPECT_EQ(run("stream --size 64,64,64 --emulate 2 --a " + file.string()).status, 0);
}

TEST_F(Stream, SaysWhatIsWrong) {
  const std::string some = "--size 8,8,8 --emulate 2 ";
  expect_sentence("--size 8,8,0 --emulate 2", 2, "at least 1");
  expect_sentence("--size 8,8 --emulate 2", 2, "M,N,W");
  expect_sentence(some + "--stream-width 0", 2, "--stream-width 0: it must be at least 1");
  expect_sentence(some + "--memory 100", 3, "too small");
  expect_sentence("--size 8,8,8 --devices 99", 2, "unknown device \"99\"");
  expect_sentence("--size 8,8,8 --devices 0,0", 2, "twice");
  expect_sentence(some + "--a " + (folder_ / "none").string(), 2, "No such file");
  const auto brief = write("brief", {1.0F, 2.0F});
  expect_sentence(some + "--b " + brief.string(), 2, "has 8 bytes");
  expect_sentence(some + "-o " + (folder_ / "none" / "c").string(), 2, "cannot write");
  if (json::parse(run("devices --json").out).at("devices").at(0).at("emulated") == true) {
    expect_sentence("--size 8,8,8", 3, "--emulate 2");
  }
}

TEST_F(Stream, LeavesNothingBehindWhenInterrupted) {
  const std::string command =
      "timeout --preserve-status -s INT 3 '" + std::string(TILESCOPE_PROGRAM) +
      "' stream --size 8000,8000,8000 --emulate 2 --memory 4MiB -o '" +
      (folder_ / "c.f32").string() + "' 2>'" + (folder_ / "err").string() + "'";
  // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 3);
  std::ifstream err(folder_ / "err");
  const std::string text{std::istreambuf_iterator<char>(err), {}};
  EXPECT_NE(text.find("tilescope: cancelled"), std::string::npos) << text;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

}  // namespace
