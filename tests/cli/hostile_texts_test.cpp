// Kernels that no compiler was made for, and includes without an end: an answer or one sentence
// within the limit that was given, and with --json a document whatever comes of it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::Finished;
using tests::run;

const std::string kTextHead =
    "#version 450\n#extension GL_EXT_control_flow_attributes : require\n"
    "#extension GL_GOOGLE_include_directive : require\nlayout(local_size_x = 64) in;\n"
    "layout(set = 0, binding = 0) buffer D { uint d[]; };\nshared uint s[64];\n";

class HostileTexts : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-texts-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string write(const std::string& name, const std::string& text) const {  // its path
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  // One sentence with `part` on stderr.
  void expect_refused(const std::string& name, const std::string& main, const std::string& part) {
    const Finished finished = run("check '" + write(name, kTextHead + main) + "'");
    EXPECT_EQ(finished.status, 2) << finished.err;
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
    EXPECT_NE(finished.err.find(part), std::string::npos) << finished.err;
  }

  fs::path folder_;
};

using LongHostileTexts = HostileTexts;

std::string repeated(std::size_t times, const auto& line) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) {
    text += line(i);
  }
  return text;
}

// A pathological kernel has no end of its own in the driver's compiler or in ours.
TEST_F(LongHostileTexts, LargeKernelsEndWithinTheirLimit) {
  const auto of = [this](const std::string& name, const std::string& body) {
    return write(name, kTextHead + "void main() {\n" + body + "}\n");
  };
  const std::array files{
      of("lines.comp", repeated(10000, [](auto) { return "d[gl_GlobalInvocationID.x] += 3u;\n"; })),
      of("sites.comp", repeated(5000,
                                [](std::size_t i) {
                                  return fmt::format(
                                      "s[(gl_LocalInvocationIndex + {0}u) % 64u] = "
                                      "{0}u;{1}\n",
                                      i, i % 50 == 0 ? " barrier();" : "");
                                })),
      of("branches.comp", "uint x = d[0];\n" +
                              repeated(3000,
                                       [](std::size_t i) {
                                         return fmt::format("if (d[{}] > x) {{ x += d[{}]; }}\n",
                                                            i % 64, i * 7 % 64);
                                       }) +
                              "d[1] = x;\n"),
      of("unroll.comp",
         "uint x = 0u; [[unroll]] for (uint i = 0u; i < 1000000u; ++i) "
         "{ x += s[i % 64u]; } d[0] = x;\n")};
  for (const std::string& file : files) {
    for (const char* command : {"check", "run"}) {
      SCOPED_TRACE(std::string(command) + " " + file);
      const Finished finished =
          run(std::string(command) + " '" + file + "' --buffer 0.0=65536:iota --timeout 3 --json");
      EXPECT_TRUE(finished.status == 0 || finished.status == 1 || finished.status == 3)
          << finished.status << finished.err;
      EXPECT_TRUE(json::accept(finished.out)) << finished.out;
    }
  }
}

// The whole launch takes minutes; what its first workgroups did is told.
TEST_F(LongHostileTexts, ACheckThatIsStoppedTellsWhatItSaw) {
  const std::string head =
      "void main() { uint i = gl_LocalInvocationIndex; s[i] = d[gl_GlobalInvocationID.x];\n"
      "barrier(); uint x = 0u; for (uint n = 0u; n < 10000u; ++n) {\n"
      "x += s[(i * 7u + n * n) % 64u];\n";
  const std::string tail = "} d[gl_GlobalInvocationID.x] = x; }\n";
  const std::string racy = write("racy.comp", kTextHead + head + "s[i] = x;\n" + tail);
  const std::string right = write("right.comp", kTextHead + head + tail);
  const std::string flags = "' --groups 65535,1,1 --timeout 6";
  const Finished found = run("check '" + racy + flags);
  EXPECT_EQ(found.status, 1) << found.err;
  EXPECT_NE(found.out.find(": racy\n"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("the limit of --timeout"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("of 65535 workgroups were not run"), std::string::npos) << found.out;
  const Finished seen = run("check '" + right + flags + " --json");
  EXPECT_EQ(seen.status, 3) << seen.err;
  const json report = json::parse(seen.out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << seen.out;
  EXPECT_EQ(report["verdict"], "incomplete");
  EXPECT_GT(report["workgroups"]["checked"], 0);
  EXPECT_LT(report["workgroups"]["checked"], 65535);
  EXPECT_NE(report["incomplete"].dump().find("the limit of --timeout"), std::string::npos)
      << seen.out;
  const Finished trials = run("check '" + right + flags + " --experiments");
  EXPECT_EQ(trials.status, 0) << trials.err;
  EXPECT_NE(trials.out.find("not run: --timeout was reached"), std::string::npos) << trials.out;
}

// As many samples as there was time for are an answer; a probe that there was none for is not.
TEST_F(LongHostileTexts, ARunThatIsStoppedTellsWhatItHas) {
  const std::string file = write("slow.comp", kTextHead +
                                                  "void main() { uint i = gl_LocalInvocationIndex;"
                                                  " s[i] = d[gl_GlobalInvocationID.x];\n"
                                                  "barrier(); uint x = 0u;"
                                                  " for (uint n = 0u; n < 1000u; ++n) {\n"
                                                  "x += s[(i * 7u + n * n) % 64u];\n"
                                                  "} d[gl_GlobalInvocationID.x] = x; }\n");
  const std::string flags = " --repeat 100000 --warm-up 0 --timeout 8";
  const std::string call = "run '" + file + "' --groups 256,1,1" + flags;
  const Finished finished = run(call);
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("the limit of --timeout, after "), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("of 100000 samples"), std::string::npos) << finished.out;
  const Finished probed = run(call + " --probe races,timeline --json");
  EXPECT_EQ(probed.status, 3) << probed.err;
  const json answer = json::parse(probed.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << probed.out << probed.err;
  EXPECT_EQ(answer["stopped"]["wanted"], 100000);
  EXPECT_EQ(answer["stopped"]["samples"], answer["timing"]["samples"].size());
  EXPECT_GT(answer["stopped"]["samples"], 0);
  EXPECT_EQ(answer["stopped"]["left_out"], json({"races", "timeline"}));
  EXPECT_FALSE(answer.contains("races"));
  const Finished ours = run("run transpose/tiled --size 33,17" + flags);
  EXPECT_EQ(ours.status, 0) << ours.err;
  EXPECT_NE(ours.out.find("the limit of --timeout, after "), std::string::npos) << ours.out;
  EXPECT_EQ(run("run transpose/tiled --size 33,17 --repeat 2 --json").out.find("\"stopped\""),
            std::string::npos);
}

TEST_F(HostileTexts, ALaunchThatDoesNotEndInTimeIsASentence) {
  const std::string file =
      write("endless.comp", kTextHead +
                                "void main() { uint x = d[0]; for (uint n = 0u; n < 400000u; ++n) "
                                "{ x = x * 7u + d[n % 64u]; } d[gl_GlobalInvocationID.x] = x; }\n");
  const Finished finished = run("run '" + file + "' --groups 65535,1,1 --timeout 6 --json");
  EXPECT_EQ(finished.status, 3) << finished.out;
  EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
  EXPECT_NE(finished.err.find("before its first launch ended"), std::string::npos) << finished.err;
  EXPECT_TRUE(json::accept(finished.out)) << finished.out;
}

// lavapipe ends the loop, so that neither the answer nor the times are the kernel's.
TEST_F(HostileTexts, ARunReportsALoopThatTheDeviceEnds) {
  const json devices = json::parse(run("devices --json").out, nullptr, false);
  if (devices["devices"][0]["emulated"] == false) {
    GTEST_SKIP() << "a GPU ends no loops";
  }
  const std::string file = write("long.comp", kTextHead +
                                                  "void main() { uint x = d[0];\n"
                                                  "for (uint n = 0u; n < 400000u; ++n)\n"
                                                  "x = x * 7u + n;\n"
                                                  "d[gl_GlobalInvocationID.x] = x; }\n");
  const std::string call = "run '" + file + "' --groups 1,1,1 --repeat 1 --warm-up 0";
  const Finished finished = run(call + " --json");
  EXPECT_EQ(finished.status, 1) << finished.err;
  const json answer = json::parse(finished.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << finished.out;
  EXPECT_EQ(answer["unfinished_loops"][0]["kind"], "unfinished-loop");
  EXPECT_EQ(answer["unfinished_loops"][0]["line"], 8);
  EXPECT_EQ(answer["unfinished_loops"][0]["count"], 64);
  EXPECT_NE(run(call).out.find("the loop at line 8 did not finish"), std::string::npos);
}

TEST_F(LongHostileTexts, ALadderThatIsStoppedTellsWhatItMeasured) {
  const std::string call = "bench reduction --size 3000 --repeat 20000 --timeout " +
                           std::to_string(tests::kSanitized ? 60 : 25) + " ";
  const Finished finished = run(call + "--json");
  EXPECT_EQ(finished.status, 3) << finished.err;
  const json answer = json::parse(finished.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << finished.out << finished.err;
  std::size_t measured = 0;
  std::size_t no_time = 0;
  for (const json& rung : answer["ladders"][0]["rungs"]) {
    measured += rung["ms"].is_object() ? 1U : 0U;
    no_time += rung["error"].is_string() &&
                       rung["error"].get<std::string>().find("--timeout") != std::string::npos
                   ? 1U
                   : 0U;
  }
  EXPECT_GT(measured, 0U) << finished.out;
  EXPECT_GT(no_time, 0U);
  EXPECT_EQ(answer["stopped"]["not_measured"], no_time);
  EXPECT_NE(answer["stopped"]["sentence"].get<std::string>().find("the limit of --timeout: "),
            std::string::npos);
}

TEST_F(HostileTexts, ATuningThatIsStoppedKeepsNothing) {
  const Finished finished =
      run("bench matmul/naive --tune --size 2048,2048,2048 --timeout 3 --json",
          {{"XDG_CACHE_HOME", folder_.string()}});
  const json answer = json::parse(finished.out, nullptr, false);
  ASSERT_FALSE(answer.is_discarded()) << finished.out;
  if (finished.status == 0) {
    GTEST_SKIP() << "a GPU was done by then";
  }
  EXPECT_EQ(finished.status, 3) << finished.err;
  EXPECT_GE(answer["stopped"]["not_measured"], 1);
  EXPECT_NE(answer["stopped"]["sentence"].get<std::string>().find(
                "the limit of --timeout: " + answer["stopped"]["not_measured"].dump() +
                " choices not measured"),
            std::string::npos)
      << answer["stopped"];
  EXPECT_FALSE(fs::exists(folder_ / "tilescope/tuned.toml"));
}

TEST_F(HostileTexts, AShotThatIsStoppedLeavesNoPicture) {
  const std::string picture = (folder_ / "a.png").string();
  const Finished finished =
      run("shot matmul/naive --size 4096,4096,4096 --timeout 2 -o '" + picture + "'");
  EXPECT_EQ(finished.status, 3) << finished.err;
  EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
  EXPECT_NE(finished.err.find("the limit of --timeout"), std::string::npos) << finished.err;
  EXPECT_FALSE(fs::exists(picture));
}

TEST_F(HostileTexts, ALessonThatIsStoppedLeavesNoPictureEither) {
  const std::string picture = (folder_ / "a.png").string();
  const Finished finished = run("lesson attention --step 2 --timeout 0.2 -o '" + picture + "'");
  EXPECT_EQ(finished.status, 3) << finished.err;
  EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
  EXPECT_FALSE(fs::exists(picture));
}

TEST_F(HostileTexts, IncludesHaveAnEnd) {
  write("a.glsl", "#include \"b.glsl\"\n");
  write("b.glsl", "#include \"a.glsl\"\n");
  expect_refused("mutual.comp", "#include \"a.glsl\"\nvoid main() {}\n", "nested more than");
  write("self.glsl", "#include \"self.glsl\"\n");
  expect_refused("self.comp", "#include \"self.glsl\"\nvoid main() {}\n", "nested more than");
  expect_refused("direct.comp", "#include \"direct.comp\"\nvoid main() {}\n", "direct.comp:1: ");
  // 2^30 of the last.
  for (int i = 0; i < 30; ++i) {
    write(fmt::format("d{}.glsl", i),
          fmt::format("#include \"d{0}.glsl\"\n#include \"d{0}.glsl\"\n", i + 1));
  }
  write("d30.glsl", "\n");
  expect_refused("doubling.comp", "#include \"d0.glsl\"\nvoid main() {}\n", "includes");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.glsl").c_str(), 0600), 0);
  expect_refused("pipe.comp", "#include \"pipe.glsl\"\nvoid main() {}\n", "pipe.glsl");
}

// More than a device allows, lavapipe's own code faults on them: now and then, also after a trial.
TEST_F(HostileTexts, HundredsOfBindingsAreASentenceOrAnAnswer) {
  const std::string file = write(
      "bindings.comp",
      "#version 450\nlayout(local_size_x = 64) in;\n" +
          repeated(900,
                   [](std::size_t i) {
                     return fmt::format(
                         "layout(set = 0, binding = {0}) buffer D{0} {{ uint d{0}[]; }};\n", i);
                   }) +
          "void main() {\n" +
          repeated(900, [](std::size_t i) { return fmt::format("d{}[0] = 1u;\n", i); }) + "}\n");
  const Finished finished = run("check '" + file + "' --json");
  EXPECT_TRUE(json::accept(finished.out)) << finished.out;
  EXPECT_TRUE(finished.status == 0 || finished.status == 1 || finished.status == 3) << finished.err;
  EXPECT_EQ(finished.err.find("fault"), std::string::npos) << finished.err;
}

// The environment's version is the device's.
// Which of these a device has is its own affair; a driver that is given what it does not have may
// end the program.
TEST_F(HostileTexts, WhatTheDeviceDoesNotHaveIsASentence) {
  struct Need {
    const char* extension;
    const char* declares;
    const char* does;
  };
  const Need needs[] = {
      {"GL_EXT_shader_atomic_float", "buffer E { double e[]; };", "atomicAdd(e[0], 1.0lf);"},
      {"GL_EXT_shader_atomic_float2", "buffer E { double e[]; };", "atomicMin(e[0], 1.0lf);"},
      {"GL_EXT_shader_atomic_float", "buffer E { float e[]; };", "atomicAdd(e[0], 1.0);"},
      {"GL_EXT_nonuniform_qualifier", "buffer E { uint e[]; } b[4];",
       "b[nonuniformEXT(d[gl_LocalInvocationID.x] % 4)].e[0] = 1;"}};
  for (const Need& need : needs) {
    const std::string kernel =
        write("needs.comp", fmt::format("#version 450\n#extension {} : require\n"
                                        "layout(local_size_x = 64) in;\n"
                                        "layout(set = 0, binding = 0) buffer D {{ uint d[]; }};\n"
                                        "layout(set = 0, binding = 1) {}\n"
                                        "void main() {{ {} d[gl_GlobalInvocationID.x] = 1; }}\n",
                                        need.extension, need.declares, need.does));
    const Finished finished = run("run --groups 1 '" + kernel + "'");
    if (finished.status != 0) {
      EXPECT_EQ(finished.status, 3) << need.does << finished.err;
      EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
      EXPECT_NE(finished.err.find("needs the feature shader"), std::string::npos) << finished.err;
    }
  }
}

TEST_F(HostileTexts, AKernelWithAnUnsupportedResourceIsNamed) {
  const std::string kernel =
      write("rays.comp",
            "#version 460\n#extension GL_EXT_ray_query : require\n"
            "layout(local_size_x = 64) in;\n"
            "layout(binding = 0) uniform accelerationStructureEXT tlas;\n"
            "layout(binding = 1) buffer O { uint o[]; };\n"
            "void main() {\n  rayQueryEXT q;\n"
            "  rayQueryInitializeEXT(q, tlas, 0u, 0xFFu, vec3(0), 0.0, vec3(1), 1.0);\n"
            "  o[0] = rayQueryProceedEXT(q) ? 1u : 0u;\n}\n");
  const Finished finished = run("run '" + kernel + "'");
  EXPECT_EQ(finished.status, 3);
  EXPECT_NE(finished.err.find("rays.comp cannot be launched: tlas (set 0, binding 0)"),
            std::string::npos)
      << finished.err;
}

TEST_F(HostileTexts, MatricesThatTheDeviceDoesNotHaveAreNamed) {
  const std::string kernel =
      write("nv.comp",
            "#version 450\n#extension GL_NV_cooperative_matrix : require\n"
            "#extension GL_KHR_memory_scope_semantics : require\n"
            "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
            "layout(local_size_x = 32) in;\n"
            "layout(set = 0, binding = 0) buffer A { float16_t a[]; };\n"
            "void main() { fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> m;\n"
            "  coopMatLoadNV(m, a, 0, 16, false); coopMatStoreNV(m, a, 256, 16, false); }\n");
  for (const char* command : {"check", "run"}) {
    const Finished finished = run(std::string(command) + " --groups 1 '" + kernel + "'");
    EXPECT_EQ(finished.status, 3) << finished.err;
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
    EXPECT_NE(finished.err.find("ooperative"), std::string::npos) << finished.err;
    EXPECT_EQ(finished.err.find("ErrorUnknown"), std::string::npos) << finished.err;
  }
}

TEST_F(HostileTexts, SpirvOfTheDevicesVersionIsTaken) {
  const std::array<std::uint32_t, 35> words{0x07230203,
                                            0x00010600,
                                            0,
                                            6,
                                            0,
                                            2U << 16U | 17,
                                            1,
                                            3U << 16U | 14,
                                            0,
                                            1,
                                            5U << 16U | 15,
                                            5,
                                            4,
                                            0x6e69616d,
                                            0,
                                            6U << 16U | 16,
                                            4,
                                            17,
                                            1,
                                            1,
                                            1,
                                            2U << 16U | 19,
                                            2,
                                            3U << 16U | 33,
                                            3,
                                            2,
                                            5U << 16U | 54,
                                            2,
                                            4,
                                            0,
                                            3,
                                            2U << 16U | 248,
                                            5,
                                            1U << 16U | 253,
                                            1U << 16U | 56};
  const std::string text(reinterpret_cast<const char*>(words.data()), sizeof(words));
  const std::string file = "'" + write("six.spv", text) + "'";
  for (const char* command : {"run ", "check "}) {
    const Finished finished = run(command + file);
    EXPECT_EQ(finished.status, 0) << command << finished.err;
  }
}

TEST_F(HostileTexts, WhatIsRefusedIsADocumentToo) {
  const std::string bad = "'" + write("bad.comp", "void main() { nonsense") + "'";
  for (const auto& [call, status] :
       std::vector<std::pair<std::string, int>>{{"check " + bad, 2},
                                                {"run nothing", 2},
                                                {"check --nonsense", 2},
                                                {"list --nonsense", 2},
                                                {"shot matmul/tiled -o /nonexistent/a.png", 2},
                                                {"bench nothing", 2},
                                                {"stream --size 4294967295,1,1", 2},
                                                {"lesson nothing", 2}}) {
    const Finished finished = run(call + " --json");
    EXPECT_EQ(finished.status, status) << call;
    ASSERT_TRUE(json::accept(finished.out)) << call << finished.out;
    const json answer = json::parse(finished.out);
    EXPECT_EQ(answer.at("status"), status) << call;
    EXPECT_EQ("tilescope: " + answer.at("error").get<std::string>() + "\n", finished.err) << call;
  }
}

}  // namespace
