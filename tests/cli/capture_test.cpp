// `capture`, `list CAPTURE` and `check CAPTURE` on a program of the tests (tests/capture), whose
// host knows what its buffers and images hold.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::Finished;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Captures : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(root_ / "expected");
  }
  void TearDown() override { fs::remove_all(root_); }

  // `flags` are those of capture, `cases` those of the program.
  Finished capture(const std::string& flags, const std::string& cases,
                   const std::map<std::string, std::string>& environment = {}) const {
    return tests::run("capture -o '" + folder_.string() + "' " + flags + " -- '" + program_ +
                          "' '" + (root_ / "expected").string() + "' " + cases,
                      environment);
  }
  [[nodiscard]] json listed() const {
    const Finished list = tests::run("list '" + folder_.string() + "' --json");
    EXPECT_EQ(list.status, 0) << list.err;
    return json::parse(list.out);
  }
  // The distinct launches of a pipeline.
  [[nodiscard]] std::vector<json> launches_of(const json& list, const std::string& pipeline) const {
    std::vector<json> found;
    std::ranges::copy_if(list.at("distinct"), std::back_inserter(found),
                         [&](const json& launch) { return launch.at("pipeline") == pipeline; });
    return found;
  }
  [[nodiscard]] fs::path folder_of(const json& launch) const {
    return folder_ / launch.at("folder").get<std::string>();
  }

  fs::path root_ =
      fs::path(testing::TempDir()) / ("tilescope-capture-" + std::to_string(::getpid()));
  fs::path folder_ = root_ / "capture";
  std::string program_ = (fs::path(TILESCOPE_PROGRAM).parent_path() / "capture_program").string();
};

TEST_F(Captures, HoldTheBytesThatTheHostSees) {
  const Finished done = capture("",
                                "plain dynamic template pushed indirect secondary overlapping "
                                "runs-on texels inline images twice base address threads");
  ASSERT_EQ(done.status, 0) << done.err << done.out;
  EXPECT_TRUE(done.err.starts_with("tilescope: ")) << done.err;
  EXPECT_NE(done.err.find("keep this folder private"), std::string::npos) << done.err;
  const json list = listed();
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(root_ / "expected")) {
    // CASE.0.BINDING.before or .after
    const std::string name = entry.path().filename().string();
    const std::size_t dot = name.find('.');
    const std::size_t when = name.rfind('.');
    const auto launches = launches_of(list, name.substr(0, dot));
    ASSERT_EQ(launches.size(), 1U) << name << " " << list.dump(1);
    const fs::path folder = folder_of(launches.front());
    const std::string place = name.substr(dot + 1, when - dot - 1);
    fs::path file = folder / (place + ".bin");
    if (name.ends_with(".after") && fs::exists(folder / (place + ".after.bin"))) {
      file = folder / (place + ".after.bin");  // only of what the launch changed
    }
    EXPECT_EQ(bytes_of(file), bytes_of(entry.path())) << name << " in " << file;
    ++compared;
  }
  EXPECT_EQ(compared, 52);

  EXPECT_EQ(launches_of(list, "indirect").at(0).at("groups"), json({3, 1, 1}));
  // Three submissions of one command buffer, the first two on equal contents.
  const auto twice = launches_of(list, "twice");
  ASSERT_EQ(twice.size(), 2U);
  EXPECT_EQ(twice[0].at("count"), 2);
  EXPECT_EQ(twice[1].at("count"), 1);
  std::map<std::string, int> reasons;
  for (const json& one : list.at("not_captured")) {
    reasons[one.at("reason")] = one.at("count");
  }
  EXPECT_EQ(reasons,
            (std::map<std::string, int>{{"the dispatch does not begin at workgroup 0,0,0", 1},
                                        {"the module uses buffer device addresses", 1}}));
  EXPECT_EQ(list.at("not_selected"), 0);

  const std::string overlapping =
      bytes_of(folder_of(launches_of(list, "overlapping").at(0)) / "dispatch.toml");
  EXPECT_NE(overlapping.find("\"0.0\" = { memory = 1, offset = 0 }\n"
                             "\"0.1\" = { memory = 1, offset = 128 }\n"),
            std::string::npos)
      << overlapping;
  const std::string plain = bytes_of(folder_of(launches_of(list, "plain").at(0)) / "dispatch.toml");
  EXPECT_NE(plain.find("push = [1000, 77]"), std::string::npos) << plain;
  EXPECT_NE(plain.find("[launch.spec]\n\"3\" = \"5\"\n\n"), std::string::npos) << plain;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    struct stat status{};
    ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 077U, 0U) << entry.path();
  }
}

TEST_F(Captures, AreCheckedAndListedWithVerdicts) {
  const Finished done = capture("--check", "plain overlapping");
  EXPECT_EQ(done.status, 0) << done.err << done.out;
  EXPECT_NE(done.out.find("2 launches of 2 pipelines; 2 captured (equal launches are stored once)"),
            std::string::npos)
      << done.out;
  EXPECT_NE(done.out.find("2 kernels: 2 clean"), std::string::npos) << done.out;
  for (const json& launch : listed().at("distinct")) {
    EXPECT_EQ(launch.at("verdict"), "clean") << launch;
  }
  const Finished text = tests::run("list '" + folder_.string() + "'");
  EXPECT_NE(text.out.find("launch-1"), std::string::npos) << text.out;
  // A launch opens as any saved launch does.
  const Finished run =
      tests::run("run '" + (folder_ / "launch-1").string() + "' --repeat 1 --warm-up 0 --json");
  EXPECT_EQ(run.status, 0) << run.err;
}

TEST_F(Captures, SelectLaunches) {
  ASSERT_EQ(capture("--pipelines 't*' --skip 1 --every 2 --count 1 --no-contents",
                    "plain template twice texels")
                .status,
            0);
  const json list = listed();
  // Recorded: template, twice, texels. The second is chosen; it is submitted three times.
  ASSERT_EQ(list.at("distinct").size(), 1U) << list.dump(1);
  EXPECT_EQ(list.at("distinct").at(0).at("pipeline"), "twice");
  EXPECT_EQ(list.at("distinct").at(0).at("count"), 3);
  EXPECT_EQ(list.at("not_selected"), 3);
  const fs::path folder = folder_of(list.at("distinct").at(0));
  EXPECT_FALSE(fs::exists(folder / "0.0.bin"));
  EXPECT_NE(bytes_of(folder / "dispatch.toml").find("\"0.0\" = \"256\""), std::string::npos);
}

TEST_F(Captures, StopAtMaxBytes) {
  // 1280, 768 and 768 bytes.
  ASSERT_EQ(capture("--max-bytes 1000", "plain template secondary").status, 0);
  const json list = listed();
  ASSERT_EQ(list.at("distinct").size(), 1U) << list.dump(1);
  EXPECT_EQ(list.at("distinct").at(0).at("pipeline"), "template");
  ASSERT_EQ(list.at("not_captured").size(), 2U) << list.dump(1);
  EXPECT_EQ(list.at("not_captured").at(0).at("reason"), "--max-bytes is reached");
  EXPECT_EQ(list.at("not_captured").at(1).at("reason"),
            "the contents of the launch have more bytes than --max-bytes allows");
}

// Above the validation layers, whose messages go to stdout, and below them.
TEST_F(Captures, AreSilentUnderTheValidationLayers) {
  for (const char* layers :
       {"VK_LAYER_KHRONOS_validation", "VK_LAYER_KHRONOS_validation:VK_LAYER_TILESCOPE_capture"}) {
    fs::remove_all(folder_);
    const Finished done =
        capture("", "plain dynamic indirect secondary texels inline images twice threads",
                {{"VK_INSTANCE_LAYERS", layers}});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ((done.out + done.err).find("VUID"), std::string::npos) << done.out << done.err;
    EXPECT_EQ((done.out + done.err).find("Validation"), std::string::npos) << done.out << done.err;
    EXPECT_EQ(listed().at("not_captured").size(), 0U);
  }
}

TEST_F(Captures, RefuseWhatCannotBeDone) {
  const auto refused = [&](const std::string& call, int status, const std::string& sentence) {
    const Finished done = tests::run(call);
    EXPECT_EQ(done.status, status) << call << ": " << done.err;
    EXPECT_NE(done.err.find(sentence), std::string::npos) << call << ": " << done.err;
  };
  const std::string folder = " -o '" + folder_.string() + "' ";
  refused("capture" + folder, 2, "no program was given");
  refused("capture" + folder + "-- /no/such/program", 2, "/no/such/program can't be started");
  EXPECT_FALSE(fs::exists(folder_));
  refused("capture" + folder + "-- true", 3, "true launched no compute kernel");
  refused("capture" + folder + "-- true", 2, "already exists");
  refused("check '" + folder_.string() + "'", 2, "has no captured launch");
  std::ofstream(folder_ / "launches.toml") << "[[launches]]\ngroups = [1, 1]\n\n";
  refused("list '" + folder_.string() + "'", 2, "launches.toml:1: groups must be three numbers");
  std::ofstream(folder_ / "launches.toml")
      << "[[launches]]\ngroups = [1, 1, 1]\nfolder = '../elsewhere'\n\n";
  refused("list '" + folder_.string() + "'", 2, "folder must be launch-N");
  refused("list '" + root_.string() + "'", 2, "capture.toml");
  const Finished env = tests::run("capture --env -o '" + (root_ / "env").string() + "'");
  EXPECT_EQ(env.status, 0) << env.err;
  EXPECT_NE(env.out.find("export TILESCOPE_CAPTURE='" + (root_ / "env").string() + "'\n"),
            std::string::npos)
      << env.out;
}

// The program's own output is not mixed with the document.
TEST_F(Captures, PrintJsonAlone) {
  const Finished done =
      tests::run("capture --json -o '" + folder_.string() + "' -- sh -c '" + program_ + " " +
                 (root_ / "expected").string() + " plain; echo --json; exit 5'");
  EXPECT_EQ(done.status, 0) << done.err;
  const json document = json::parse(done.out);
  EXPECT_EQ(document.at("program_status"), 5);
  EXPECT_EQ(document.at("launches"), 1);
  EXPECT_NE(done.err.find("--json"), std::string::npos);
}

// Another library of C++ may be in the program: nothing else is visible.
TEST(CaptureLayer, ExportsOneFunction) {
  const fs::path library =
      fs::path(TILESCOPE_PROGRAM).parent_path() / "layer/libVkLayer_tilescope_capture.so";
  ASSERT_TRUE(fs::exists(library));
  std::FILE* pipe = ::popen(("nm -D --defined-only '" + library.string() + "' 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string names;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    names += std::string(line.data()).substr(19);
  }
  ::pclose(pipe);
  EXPECT_EQ(names, "vkNegotiateLoaderLayerInterfaceVersion\n");
}

}  // namespace
