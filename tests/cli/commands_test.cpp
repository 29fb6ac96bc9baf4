// The commands as processes: exit statuses, sentences, and JSON against the contract.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::Finished;
using tests::run;

// Exactly one sentence on stderr, nothing on stdout.
void expect_one_sentence(const Finished& finished) {
  EXPECT_TRUE(finished.out.empty()) << finished.out;
  EXPECT_TRUE(finished.err.starts_with("tilescope: ")) << finished.err;
  EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

class Commands : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-commands-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

// The seed's example: 665,334 cells, and 650,752 threads where the launch is rounded down.
TEST_F(Commands, RunTellsWhatTilesDoNotDivide) {
  const auto result_of = [](const std::string& variant) {
    const Finished finished =
        run("run transpose/" + variant + " --size 999,666 --tile 16 --repeat 2 --json");
    EXPECT_EQ(finished.status, 0) << finished.err;
    return json::parse(finished.out);
  };
  const json truncated = result_of("truncated");
  EXPECT_TRUE(truncated.at("correct"));
  const json& tiles = truncated.at("tiles");
  EXPECT_EQ(tiles.at("count"), json({41, 62, 1}));
  EXPECT_EQ(tiles.at("cells"), 665334);
  EXPECT_EQ(tiles.at("invocations"), 650752);
  EXPECT_EQ(tiles.at("useful_invocations"), 650752);
  ASSERT_EQ(tiles.at("sections").size(), 4U);
  EXPECT_EQ(tiles.at("sections")[0].at("last"), json({656, 992, 1}));
  std::uint64_t left_over = 0;
  std::uint64_t workers = 0;
  for (const json& section : tiles.at("sections")) {
    const bool edge = section.at("in_addition");
    EXPECT_EQ(edge, section.at("section") != "M");
    left_over += edge ? section.at("cells").get<std::uint64_t>() : 0;
    workers += edge ? section.at("invocations").get<std::uint64_t>() : 0;
  }
  EXPECT_EQ(left_over, 665334U - 650752U);
  EXPECT_EQ(workers, 992U + 656U + 1U);
  const json divided = result_of("divided");
  EXPECT_TRUE(divided.at("correct"));
  ASSERT_EQ(divided.at("launches").size(), 3U);
  EXPECT_EQ(divided.at("launches")[0].at("workgroups"), 41 * 62);
  EXPECT_EQ(divided.at("launches")[2].at("kernel"), "transpose/naive");
  EXPECT_EQ(divided.at("launches")[2].at("sections"), json({"R", "C"}));
  EXPECT_EQ(divided.at("launches")[2].at("first"), json({41, 0, 0}));
}

TEST_F(Commands, ListNamesEveryVariant) {
  const Finished finished = run("list --json");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json document = json::parse(finished.out);
  std::vector<std::string> names;
  for (const json& workload : document.at("workloads")) {
    for (const json& variant : workload.at("variants")) {
      names.push_back(variant.at("variant"));
      EXPECT_TRUE(variant.at("error").is_null());
    }
  }
  for (const char* name :
       {"matmul/naive", "matmul/tiled", "transpose/tiled-padded", "nbody/tiled"}) {
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
}

TEST_F(Commands, DevicesTellWhatMatters) {
  const Finished finished = run("devices --json");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json device = json::parse(finished.out).at("devices").at(0);
  for (const char* limit : {"shared_memory_bytes", "workgroup_invocations", "subgroup_size"}) {
    EXPECT_GT(device.at("limits").at(limit).get<std::uint64_t>(), 0U) << limit;
  }
  for (const char* feature : {"clock", "sm_builtins", "executable_statistics"}) {
    EXPECT_TRUE(device.at("features").at(feature).is_boolean()) << feature;
  }
  EXPECT_EQ(device.at("emulated").get<bool>(), device.at("type") == "CPU");
  EXPECT_TRUE(device.contains("multiprocessor"));
}

TEST_F(Commands, RunKeepsItsContract) {
  const Finished finished =
      run("run matmul/tiled --size 100,70,50 --tile 8 --repeat 7 --json --validation");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json r = json::parse(finished.out);
  EXPECT_EQ(r.at("variant"), "matmul/tiled");
  EXPECT_EQ(r.at("parameters").at("M"), 100);
  EXPECT_EQ(r.at("parameters").at("N"), 70);
  EXPECT_EQ(r.at("parameters").at("W"), 50);
  EXPECT_EQ(r.at("parameters").at("tile"), 8);
  EXPECT_TRUE(r.at("device").is_string());
  EXPECT_EQ(r.at("correct"), true);
  EXPECT_LT(r.at("max_error").get<double>(), 1e-5);
  const json& timing = r.at("timing");
  EXPECT_EQ(timing.at("clock"), "device timestamps");
  EXPECT_EQ(timing.at("unit"), "ms");
  EXPECT_EQ(timing.at("samples").size(), 7U);
  EXPECT_LE(timing.at("p5").get<double>(), timing.at("median").get<double>());
  EXPECT_LE(timing.at("median").get<double>(), timing.at("p95").get<double>());
  EXPECT_EQ(r.at("flops"), 2 * 100 * 70 * 50);
  EXPECT_EQ(r.at("bytes"), 4 * (100 * 50 + 50 * 70 + 100 * 70));
  const double median = timing.at("median");
  EXPECT_NEAR(r.at("gflops").get<double>(), 2.0 * 100 * 70 * 50 / median * 1e-6, 1e-6);
  EXPECT_GT(r.at("gbps").get<double>(), 0.0);
  EXPECT_EQ(r.at("tiles").at("count"), json({9, 13, 1}));
  EXPECT_EQ(r.at("tiles").at("size"), json({8, 8, 1}));
  EXPECT_EQ(r.at("tiles").at("invocations"), 9 * 13 * 64);
  EXPECT_EQ(r.at("tiles").at("useful_invocations"), 7000);
  EXPECT_EQ(r.at("tiles").at("whole"), 8 * 12);
  EXPECT_EQ(r.at("tiles").at("partly_idle"), 9 * 13 - 8 * 12);
  EXPECT_EQ(r.at("tiles").at("wholly_idle"), 0);
}

// Tune a tiny size, and a run that leaves the tile open takes what was found.
TEST_F(Commands, WhatTheTunerFindsIsTakenFromThenOn) {
  const std::map<std::string, std::string> here{{"XDG_CACHE_HOME", folder_.string()}};
  const std::string size = " --size 48,48,48 --repeat 3 --json";
  const Finished tuned = run("bench matmul/tiled --tune" + size, here);
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  const json tuning = json::parse(tuned.out).at("tunings").at(0);
  EXPECT_EQ(tuning.at("trials").size(), 3U);
  for (const json& trial : tuning.at("trials")) {
    EXPECT_EQ(trial.at("correct"), true);
    EXPECT_GE(trial.at("over_best").get<double>(), 1.0);
  }
  // The best of three is the preset often enough: what is kept must be what decides.
  const fs::path file = folder_ / "tilescope" / "tuned.toml";
  ASSERT_TRUE(fs::exists(file));
  std::string text;
  for (const std::string& line : lines_of(file)) {
    text += (line.starts_with("tile =") ? "tile = 32" : line) + "\n";
  }
  std::ofstream(file) << text;
  const json open = json::parse(run("run matmul/tiled" + size, here).out);
  EXPECT_EQ(open.at("parameters").at("tile"), 32);
  EXPECT_EQ(open.at("tuned"), true);
  const json given = json::parse(run("run matmul/tiled --tile 8" + size, here).out);
  EXPECT_EQ(given.at("parameters").at("tile"), 8);
  EXPECT_EQ(given.at("tuned"), false);
  std::ofstream(file) << "[[tuned";
  const Finished damaged = run("run matmul/tiled" + size, here);
  EXPECT_EQ(damaged.status, 0);
  EXPECT_NE(damaged.err.find("was renamed to"), std::string::npos) << damaged.err;
  EXPECT_EQ(json::parse(damaged.out).at("parameters").at("tile"), 16);
}

// A device without cooperative matrices says so in one sentence, and the rest of the ladder goes
// on.
TEST_F(Commands, AKernelThatTheDeviceCannotRunIsNotHere) {
  const json device = json::parse(run("devices --json").out).at("devices").at(0);
  if (device.at("features").at("cooperative_matrix").get<bool>()) {
    GTEST_SKIP() << "this device has cooperative matrices";
  }
  const Finished finished = run("run matmul/cooperative --size 64,64,64");
  EXPECT_EQ(finished.status, 3);
  expect_one_sentence(finished);
  EXPECT_NE(finished.err.find("not supported by this device: cooperative matrices"),
            std::string::npos)
      << finished.err;
  const Finished ladder = run("bench matmul/cooperative --size 64,64,64 --repeat 2 --json");
  EXPECT_EQ(ladder.status, 0) << ladder.err;
  const json rungs = json::parse(ladder.out).at("ladders").at(0).at("rungs");
  EXPECT_EQ(rungs.back().at("precision"), "fp16");
  EXPECT_TRUE(rungs.back().at("ms").is_null());
  EXPECT_TRUE(rungs.back().at("error").is_string());
}

// What is known of the device is filled in; what is not is null, never 0.
TEST_F(Commands, RunModelsTheOccupancyOfEveryTile) {
  const Finished finished = run("run matmul/tiled --size 64,64,64 --repeat 2 --json");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json r = json::parse(finished.out);
  const json& occupancy = r.at("occupancy");
  EXPECT_EQ(occupancy.at("label"), "modelled");
  const bool known = !occupancy.at("multiprocessor").is_null();
  ASSERT_EQ(occupancy.at("tiles").size(), 3U);
  for (const json& tile : occupancy.at("tiles")) {
    const std::uint64_t side = tile.at("tile");
    EXPECT_EQ(tile.at("invocations"), side * side);
    EXPECT_GE(tile.at("shared_bytes").get<std::uint64_t>(), 8 * side * side);
    EXPECT_EQ(tile.at("workgroups").is_null(), !known);
    EXPECT_EQ(tile.at("limiter").is_null(), !known);
  }
  EXPECT_EQ(occupancy.contains("why_not"), !known);
  EXPECT_EQ(r.at("statistics").empty(), occupancy.at("registers").is_null());
}

TEST_F(Commands, RunTracesAWorkgroup) {
  const Finished finished =
      run("run matmul/tiled --size 32,32,32 --tile 8 --repeat 2 --probe trace,races "
          "--workgroup 1,3 --json");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json document = json::parse(finished.out);
  EXPECT_EQ(document.at("races").at("verdict"), "clean");
  const json& trace = document.at("trace");
  EXPECT_EQ(trace.at("workgroup"), json({1, 3, 0}));
  EXPECT_EQ(trace.at("phases").size(), 9U);
  EXPECT_EQ(trace.at("variables").at(0).at("type"), "float[8][8]");
  // Each step writes two tiles from two buffers and reads them 8 times over; then the answer.
  EXPECT_EQ(trace.at("accesses").size(), 4U * (4 * 64 + 2 * 8 * 64) + 64);
  EXPECT_EQ(trace.at("accesses").at(0).size(), trace.at("columns").size());
  EXPECT_EQ(trace.at("lost"), 0);

  expect_one_sentence(
      run("run matmul/tiled --size 32,32,32 --tile 8 --probe trace --workgroup 4,0"));
  expect_one_sentence(run("run matmul/tiled --size 32,32,32 --workgroup 1,0"));
}

TEST_F(Commands, RunRecordsATimeline) {
  const Finished finished =
      run("run matmul/tiled --size 60,40,32 --tile 8 --repeat 2 --probe timeline --json "
          "--validation");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json document = json::parse(finished.out);
  EXPECT_EQ(document.at("correct"), true);
  const json& t = document.at("timeline");
  EXPECT_EQ(t.at("label"), "instrumented");
  const json& groups = t.at("workgroups");
  ASSERT_EQ(groups.at("start_ms").size(), 8U * 5U);
  ASSERT_EQ(groups.at("end_ms").size(), 8U * 5U);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_LE(groups["start_ms"][i].get<double>(), groups["end_ms"][i].get<double>());
    EXPECT_LE(groups["end_ms"][i].get<double>(), t.at("launch_ms").get<double>());
  }
  EXPECT_GE(t.at("resident").at("tiles").get<int>(), 1);
  // What the device does not tell is null, and never 0.
  const bool told = groups.at("multiprocessor").is_array();
  EXPECT_EQ(t.at("resident").at("per_multiprocessor").is_null(), !told);
  EXPECT_EQ(t.at("slot_overlaps").is_null(), !told);
  const int waves = t.at("waves").at("count");
  const int resident = t.at("resident").at("tiles");
  EXPECT_EQ((waves - 1) * resident + t.at("waves").at("last_tiles").get<int>(), 40);
}

TEST_F(Commands, TheSameSeedGivesTheSameAnswer) {
  const auto error = [](const std::string& seed) {
    const Finished f = run("run matmul/naive --size 33,44,55 --repeat 1 --json --seed " + seed);
    return json::parse(f.out).at("max_error").get<double>();
  };
  EXPECT_EQ(error("3"), error("3"));
  EXPECT_NE(error("3"), error("4"));
}

TEST_F(Commands, BenchComparesWithTheFirstRungAndTheCeilings) {
  const fs::path table = folder_ / "bench.csv";
  const Finished finished = run("bench transpose/tiled --size 64,96 --repeat 5 --json --csv " +
                                table.string() + " --validation");
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_TRUE(finished.err.empty()) << finished.err;
  const json document = json::parse(finished.out);
  const json& ceilings = document.at("ceilings");
  EXPECT_GT(ceilings.at("copy").at("gbps").get<double>(), 0.0);
  EXPECT_GT(ceilings.at("fma").at("gflops").get<double>(), 0.0);
  EXPECT_GT(ceilings.at("shared").at("gbps").get<double>(), 0.0);
  EXPECT_NEAR(
      ceilings.at("shared").at("times_global").get<double>(),
      ceilings.at("shared").at("gbps").get<double>() / ceilings.at("copy").at("gbps").get<double>(),
      1e-9);
  const json& rungs = document.at("ladders").at(0).at("rungs");
  EXPECT_EQ(rungs.at(0).at("variant"), "transpose/naive");
  EXPECT_EQ(rungs.at(0).at("speedup"), 1.0);
  ASSERT_GE(rungs.size(), 2U);
  for (const json& rung : rungs) {
    EXPECT_EQ(rung.at("correct"), true);
    const double ratio =
        rungs.at(0).at("ms").at("median").get<double>() / rung.at("ms").at("median").get<double>();
    EXPECT_NEAR(rung.at("speedup").get<double>(), ratio, 1e-9);
  }
  const auto lines = lines_of(table);
  ASSERT_EQ(lines.size(), 1 + rungs.size());
  EXPECT_TRUE(lines[0].starts_with("record,date,device,driver")) << lines[0];
  EXPECT_NE(lines[1].find("transpose/naive,64x96"), std::string::npos) << lines[1];
}

// What a kernel writer's CI asks: is it slower than it was? The earlier run is this one, its times
// divided or multiplied, so that no clock decides.
TEST_F(Commands, BenchIsComparedWithAnEarlierRun) {
  const fs::path now = folder_ / "now.csv";
  ASSERT_EQ(
      run("bench transpose/tiled --size 64,96 --repeat 5 --json --csv " + now.string()).status, 0);
  const auto earlier = [&](double times) {
    const fs::path file = folder_ / "before.csv";
    std::ofstream out(file);
    out << "record,variant,sizes,tile,parameters,samples,median_ms,p5_ms,p95_ms\n";
    out << "rung,transpose/naive,64x96,16,seed=7,9," << times << "," << times << "," << times
        << "\n";
    out << "rung,transpose/naive,1x1,16,seed=7,9,1,1,1\n";
    return " --against " + file.string();
  };
  const auto row = [](const Finished& finished) {
    return json::parse(finished.out).at("against").at("rows").at(0);
  };
  const Finished slower = run("bench " + now.string() + earlier(1e-9) + " --fail-slower 50 --json");
  EXPECT_EQ(slower.status, 1) << slower.err;
  EXPECT_EQ(row(slower).at("variant"), "transpose/naive");
  EXPECT_EQ(row(slower).at("change"), "slower");
  const Finished faster = run("bench " + now.string() + earlier(1e9) + " --fail-slower 50 --json");
  EXPECT_EQ(faster.status, 0) << faster.err;
  EXPECT_EQ(row(faster).at("change"), "faster");
  const Finished same = run("bench " + now.string() + " --against " + now.string());
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_NE(same.out.find("no change larger than the spread"), std::string::npos) << same.out;
  EXPECT_EQ(run("bench " + now.string()).status, 2);
  EXPECT_EQ(run("bench transpose --fail-slower 5").status, 2);
  const Finished other = run("bench reduction" + earlier(1.0));
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.err.find("has no measurements of these kernels"), std::string::npos) << other.err;
}

TEST_F(Commands, RunWritesEachSampleIntoATable) {
  const fs::path table = folder_ / "run.csv";
  const Finished finished =
      run("run matmul/tiled --size 16,16,16 --repeat 5 --csv " + table.string());
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(lines_of(table).size(), 1U + 1U + 5U);
}

// The note's question: which array is worth a copy in shared memory, and what it saves.
TEST_F(Commands, ATraceAdvisesWhatToStage) {
  const Finished finished =
      run("run matmul/naive --size 32,32,64 --tile 8 --repeat 1 --probe trace --json");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json advice = json::parse(finished.out).at("advice");
  EXPECT_EQ(advice.at("bytes"), "instrumented");
  EXPECT_EQ(advice.at("savings"), "modelled");
  EXPECT_EQ(advice.at("headline"), "Copy a and b to shared memory: 8 times fewer global reads");
  ASSERT_EQ(advice.at("arrays").size(), 2U);
  const json& a = advice.at("arrays").at(0);
  EXPECT_EQ(a.at("variable"), "a");
  EXPECT_EQ(a.at("tiling"), "tiling");
  EXPECT_EQ(a.at("invariant_to"), json({"x"}));
  EXPECT_EQ(a.at("asked_bytes"), 8 * 8 * 64 * 4);
  EXPECT_EQ(a.at("distinct_bytes"), 8 * 64 * 4);
  EXPECT_EQ(a.at("saved_bytes_launch"), 16 * (8 - 1) * 8 * 64 * 4);
}

// Every barrier as each of the kinds, with its verdict and its time.
TEST_F(Commands, ExperimentsJudgeAndTimeEveryBarrierKind) {
  const Finished finished = run("check transpose/tiled --size 32,32 --tile 8 --experiments --json");
  ASSERT_EQ(finished.status, 0) << finished.err;
  const json r = json::parse(finished.out);
  EXPECT_EQ(r.at("verdicts"), "instrumented");
  EXPECT_EQ(r.at("times"), "measured");
  std::map<std::pair<std::string, std::string>, std::string> verdicts;
  for (const json& trial : r.at("trials")) {
    EXPECT_GT(trial.at("ms").at("median").get<double>(), 0.0);
    if (!trial.at("barrier").is_null()) {
      verdicts[{trial.at("barrier").dump(), trial.at("kind")}] = trial.at("verdict");
    }
  }
  EXPECT_EQ(verdicts.size(), 7U);
  EXPECT_EQ((verdicts[{"1", "shared"}]), "clean");
  EXPECT_EQ((verdicts[{"1", "all"}]), "clean");
  for (const char* kind : {"off", "global", "fence-all", "fence-global", "fence-shared"}) {
    EXPECT_EQ((verdicts[{"1", kind}]), "racy") << kind;
  }
}

struct BadCall {
  const char* arguments;
  const char* says;
  friend void PrintTo(const BadCall& call, std::ostream* out) { *out << call.arguments; }
};

// The showcase: a column of the unpadded tile is 32 ways for 32 invocations, of the padded one 1.
TEST_F(Commands, BanksTellTheTransposesApart) {
  const auto worst = [](const std::string& variant) {
    const Finished finished =
        run("run " + variant + " --size 64,64 --repeat 1 --probe banks --workgroup 1,1 --json");
    EXPECT_EQ(finished.status, 0) << finished.err;
    const json r = json::parse(finished.out);
    EXPECT_FALSE(r.contains("trace")) << "it was not asked for";
    const json& banks = r.at("banks");
    EXPECT_EQ(banks.at("rules"), "modelled");
    EXPECT_EQ(banks.at("workgroup"), json({1, 1, 0}));
    EXPECT_EQ(banks.at("reuse").at(0).at("variable"), "a");
    EXPECT_EQ(banks.at("reuse").at(0).at("max"), 1);
    for (const json& site : banks.at("by_32_invocations").at("global")) {
      EXPECT_EQ(site.at("efficiency"), 1.0);
      EXPECT_EQ(site.at("bytes_asked"), 4096);
    }
    const json& shared = banks.at("by_32_invocations").at("shared");
    EXPECT_EQ(shared.at(0).at("worst_ways"), 1) << "the rows that are written";
    EXPECT_EQ(shared.at(1).at("instructions"), 32);
    return std::pair(shared.at(1).at("worst_ways").get<int>(),
                     shared.at(1).at("padded").at("worst_ways").get<int>());
  };
  EXPECT_EQ(worst("transpose/tiled"), std::pair(32, 1));
  EXPECT_EQ(worst("transpose/tiled-padded"), std::pair(1, 32));
}

class BadInput : public testing::TestWithParam<BadCall> {};

TEST_P(BadInput, GetsOneSentenceAndStatusTwo) {
  const Finished finished = run(GetParam().arguments);
  EXPECT_EQ(finished.status, 2);
  expect_one_sentence(finished);
  EXPECT_NE(finished.err.find(GetParam().says), std::string::npos) << finished.err;
}

INSTANTIATE_TEST_SUITE_P(
    Calls, BadInput,
    testing::Values(
        BadCall{"frobnicate", "frobnicate"}, BadCall{"run", "KERNEL"},
        BadCall{"run matmul/tiled --frob", "unknown flag --frob"},
        BadCall{"run --frob", "unknown flag --frob"}, BadCall{"--frob", "unknown flag --frob"},
        BadCall{"list matmul", "matmul is not a captured program"},
        BadCall{"run matmul/tilled", "unknown variant \"matmul/tilled\""},
        BadCall{"run matmul/tiled --device 99", "unknown device \"99\""},
        BadCall{"run matmul/tiled --device nosuch", "unknown device \"nosuch\""},
        BadCall{"run matmul/tiled --size 0,4,4", "not \"0\""},
        BadCall{"run matmul/tiled --size=-4,4,4", "not \"-4\""},
        BadCall{"run matmul/tiled --size 4,x,4", "not \"x\""},
        BadCall{"run matmul/tiled --size 4,4", "takes 3 sizes"},
        BadCall{"run matmul/tiled --size 4,4,99999999999", "larger than any device"},
        BadCall{"run matmul/tiled --size 1000000,1000000,1", "a buffer on this device has"},
        BadCall{"run matmul/tiled --tile 999", "1 to 64"},
        BadCall{"run matmul/tiled --tile 0", "--tile: 0 is not a number greater than 0"},
        BadCall{"chekc matmul/tiled", "chekc"}, BadCall{"chekc", "did you mean check?"},
        BadCall{"run matmul/tield", "did you mean matmul/tiled?"},
        BadCall{"check -j 0 matmul/tiled", "--jobs: 0 is not a number greater than 0"},
        BadCall{"run matmul/tiled --seed 99999999999999999999", "does not fit into 64 bits"},
        BadCall{"check matmul/tiled --groups ''", "--groups: the value is empty; give a value"},
        BadCall{"check matmul/tiled --groups 1 --items 1", "remove one of them"},
        BadCall{"check matmul/tiled --reference gone.comp", "cannot read gone.comp"},
        BadCall{"check matmul/tiled --language cobol", "--language takes glsl"},
        BadCall{"check matmul/tiled --compiler wgsl", "LANGUAGE=COMMAND"},
        BadCall{"check matmul/tiled --local-size 0", "X,Y,Z"},
        BadCall{"run transpose/tiled --tile 12", "multiple of 8"},
        BadCall{"run matmul/tiled --set NOPE=1", "\"NOPE\""},
        BadCall{"run matmul/tiled --set NOPE", "NAME=VALUE"},
        BadCall{"run nbody/tiled --set start=sideways", "\"sideways\""},
        BadCall{"run matmul/tiled --repeat 0", "--repeat"},
        BadCall{"run matmul/tiled --probe banks --workgroup 99,0",
                "workgroup 99,0,0 does not exist"},
        BadCall{"run matmul/tiled --workgroup 0", "--workgroup needs --probe trace"},
        BadCall{"bench nosuch", "unknown benchmark \"nosuch\""},
        BadCall{"bench probes matmul", "cannot be combined with other names"},
        BadCall{"bench transpose --csv /nonexistent/a.csv",
                "the folder /nonexistent does not exist"},
        BadCall{"run matmul/tiled --csv /tmp", "cannot write /tmp"},
        BadCall{"shot matmul/tiled", "--output"},
        BadCall{"shot matmul/tiled -o /nonexistent/a.png",
                "the folder /nonexistent does not exist"},
        BadCall{"shot matmul/tiled -o /tmp/a.jpg", ".png"},
        BadCall{"shot matmul/tiled -o /tmp/a.png --resolution 12", "--resolution"},
        BadCall{"shot matmul/tiled -o /tmp/a.webp", "add --animate"},
        BadCall{"shot matmul/tiled -o /tmp/a.png --animate phases", "not /tmp/a.png"},
        BadCall{"shot matmul/tiled -o /tmp/a.gif --animate dance", "--animate"},
        BadCall{"shot matmul/tiled -o /tmp/a.png --theme pink", "--theme"},
        BadCall{"shot matmul/tiled --size 16,16,16 -o /tmp/a.png --view bodies", "no view"},
        BadCall{"shot /nonexistent.toml -o /tmp/a.png", "cannot read"}));

// A value that is far too long is cut: a message stays one line that can be read.
TEST_F(Commands, LongValuesAreCut) {
  const std::string value(4000, 'x');
  const std::string digits(4000, '9');
  std::ofstream(folder_ / "k.comp") << "#version 450\nlayout(local_size_x = 64) in;\n"
                                       "layout(binding = 0) buffer O { uint o[]; };\n"
                                       "void main() { o[gl_GlobalInvocationID.x] = 1u; }\n";
  const std::string file = "check " + (folder_ / "k.comp").string() + " ";
  for (const std::string& call :
       {value, "check --" + value, "check " + value + ".comp", "explain " + value,
        "run matmul/tiled --tile " + digits, "run matmul/tiled --seed " + digits,
        "run matmul/tiled --set TILE=" + value, "run matmul/tiled --barrier 1=" + value,
        "run matmul/tiled --probe " + value, "check matmul/tiled --tiles " + value,
        "shot matmul/tiled -o x.png --theme " + value, file + "-D '" + value + "!'",
        file + "-I " + value, file + "--entry " + value, file + "--spec " + value,
        file + "--buffer O=" + value, file + "--buffer O=@" + value, file + "--prelude " + value,
        file + "--set " + value + "=1"}) {
    const Finished finished = run(call);
    SCOPED_TRACE(call.substr(0, 60));
    EXPECT_NE(finished.status, 0);
    expect_one_sentence(finished);
    EXPECT_LT(finished.err.size(), 600U) << finished.err;
  }
}

// The reference writes another number at one place.
TEST_F(Commands, ChecksCompareOutputsWithAReference) {
  const auto kernel = [&](const std::string& name, const std::string& value) {
    std::ofstream(folder_ / name) << "#version 450\nlayout(local_size_x = 64) in;\n"
                                     "layout(binding = 0) writeonly buffer O { uint o[]; };\n"
                                     "void main() { uint i = gl_GlobalInvocationID.x; o[i] = " +
                                         value + "; }\n";
    return (folder_ / name).string();
  };
  const std::string ours = kernel("ours.comp", "i");
  const std::string right = kernel("right.comp", "i == 3u ? 11u : i");
  const Finished wrong = run("check --groups 1 " + ours + " --reference " + right + " --json");
  EXPECT_EQ(wrong.status, 1) << wrong.err;
  const json answer = json::parse(wrong.out).at("answer");
  EXPECT_FALSE(answer.at("correct"));
  EXPECT_EQ(answer.at("worst"), "o[3] is 3, should be 11");
  EXPECT_EQ(answer.at("max_error"), 8.0);
  const Finished same = run("check --groups 1 " + ours + " --reference " + ours + " --json");
  EXPECT_EQ(same.status, 0) << same.err << same.out;
  EXPECT_TRUE(json::parse(same.out).at("answer").at("correct"));
}

TEST_F(Commands, ABugBundleRepeatsTheVerdict) {
  const fs::path bundle = folder_ / "bundle";
  std::ofstream(folder_ / "k.comp")
      << "#version 450\nlayout(local_size_x = 64) in;\nshared uint s[64];\n"
         "layout(binding = 0) buffer O { uint o[]; };\nvoid main() {\n"
         "  uint i = gl_LocalInvocationIndex;\n  s[i] = i;\n  o[i] = s[i ^ 1u];\n}\n";
  const Finished checked = run("check --groups 1 " + (folder_ / "k.comp").string() +
                               " --save-report " + bundle.string() + " --json");
  EXPECT_EQ(checked.status, 1) << checked.err;
  const auto read = [&](const char* name) {
    std::ifstream stream(bundle / name);
    return json::parse(stream);
  };
  EXPECT_EQ(read("report.json"), json::parse(checked.out));
  const json call = read("call.json");
  EXPECT_EQ(call.at("repeat"), "tilescope check launch");
  EXPECT_FALSE(call.at("device").at("driver").get<std::string>().empty());
  EXPECT_TRUE(fs::exists(bundle / "launch" / "k.comp"));
  const Finished again = run("check --json " + (bundle / "launch").string());
  EXPECT_EQ(again.status, 1) << again.err;
  EXPECT_EQ(json::parse(again.out).at("verdict"), json::parse(checked.out).at("verdict"));
}

TEST_F(Commands, DamagedScenesAreRefused) {
  const auto try_scene = [&](const std::string& text) {
    std::ofstream(folder_ / "s.toml") << text;
    const Finished f =
        run("shot " + (folder_ / "s.toml").string() + " -o " + (folder_ / "a.png").string());
    EXPECT_EQ(f.status, 2);
    expect_one_sentence(f);
    EXPECT_FALSE(fs::exists(folder_ / "a.png"));
    return f.err;
  };
  EXPECT_NE(try_scene("tilescope_scene = [").find("damaged"), std::string::npos);
  EXPECT_NE(try_scene("tilescope_scene = 2").find("tilescope_scene is 2"), std::string::npos);
  EXPECT_NE(try_scene("tilescope_scene = 1\n[experiment]\nvariant = \"matmul/gone\"\n")
                .find("unknown variant \"matmul/gone\""),
            std::string::npos);
}

TEST_F(Commands, BrokenKernelsAreRefusedAndTheOthersStay) {
  fs::copy(fs::path(TILESCOPE_SOURCE_DIR) / "shaders", folder_ / "shaders",
           fs::copy_options::recursive);
  const std::map<std::string, std::string> there{{"TILESCOPE_SHADERS", folder_ / "shaders"}};
  std::ofstream(folder_ / "shaders/matmul/header.comp") << "//! title = 3\n#version 450\n";
  std::ofstream(folder_ / "shaders/matmul/syntax.comp")
      << "//! title = \"a\"\n//! claim = \"b\"\n#version 450\nvoid main() { x = 1; }\n";
  const Finished header = run("run matmul/header", there);
  EXPECT_EQ(header.status, 2);
  expect_one_sentence(header);
  EXPECT_NE(header.err.find("header.comp:1: title"), std::string::npos) << header.err;
  const Finished syntax = run("run matmul/syntax", there);
  EXPECT_EQ(syntax.status, 2);
  expect_one_sentence(syntax);
  EXPECT_NE(syntax.err.find("syntax.comp:4: 'x' : undeclared identifier"), std::string::npos)
      << syntax.err;
  EXPECT_EQ(run("run matmul/tiled --size 16,16,16 --repeat 1", there).status, 0);
}

TEST_F(Commands, ATileThatTheKernelDoesNotTakeIsRefused) {
  fs::copy(fs::path(TILESCOPE_SOURCE_DIR) / "shaders", folder_ / "shaders",
           fs::copy_options::recursive);
  const std::map<std::string, std::string> there{{"TILESCOPE_SHADERS", folder_ / "shaders"}};
  const auto try_tile = [&](const std::string& others, int tile) {
    std::ofstream(folder_ / "shaders/matmul/own.comp")
        << "//! title = \"a\"\n//! claim = \"b\"\n//! [tile]\n//! constant = \"T\"\n"
        << "//! values = [8, 16]\n//! preset = 8\n//! multiple_of = " << others
        << "\n#version 450\nlayout(constant_id = 0) const uint T = 8;\n"
        << "layout(local_size_x_id = 0) in;\nvoid main() {}\n";
    const Finished f = run("run matmul/own --size 16,16,16 --tile " + std::to_string(tile), there);
    EXPECT_EQ(f.status, 2);
    expect_one_sentence(f);
    return f.err;
  };
  EXPECT_NE(try_tile("0", 24).find("the tile of matmul/own must be 8 or 16, not 24"),
            std::string::npos);
  EXPECT_NE(try_tile("8", 12).find("must be a multiple of 8, not 12"), std::string::npos);
}

TEST_F(Commands, NoDriverIsSaidWithStatusThree) {
  const std::map<std::string, std::string> none{{"VK_ICD_FILENAMES", "/nonexistent.json"},
                                                {"VK_DRIVER_FILES", "/nonexistent.json"}};
  for (const char* call : {"devices", "run matmul/tiled", "bench matmul"}) {
    const Finished finished = run(call, none);
    EXPECT_EQ(finished.status, 3) << call;
    expect_one_sentence(finished);
    EXPECT_NE(finished.err.find("Vulkan"), std::string::npos) << finished.err;
  }
}

}  // namespace
