// What should end the program and does not: each call has its status and one sentence, soon.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using tests::Finished;
using tests::run;

// One sentence on stderr, nothing on stdout.
void expect_refused(const std::string& arguments, int status, const std::string& part = "") {
  SCOPED_TRACE(arguments);
  const Finished finished = run(arguments);
  EXPECT_EQ(finished.status, status) << finished.err;
  EXPECT_TRUE(finished.out.empty()) << finished.out;
  EXPECT_TRUE(finished.err.starts_with("tilescope: ")) << finished.err;
  EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
  EXPECT_NE(finished.err.find(part), std::string::npos) << finished.err;
}

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    if (tests::kSanitized) {
      GTEST_SKIP() << "signals, stack and address space are the sanitizers' own here";
    }
    folder_ = fs::temp_directory_path() / ("tilescope-hostile-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  fs::path folder_;
};

TEST_F(Hostile, Constants) {
  expect_refused("run matmul/tiled --set TILE=0", 2, "TILE of ");
  expect_refused("run matmul/registers --set BM=0", 2);
  expect_refused("run nbody/slices --set UNROLL=4294967295", 2);
  expect_refused("run nbody/slices --set BLOCK=7", 2, "nbody/slices");
  expect_refused("run matmul/tiled --tile 65536", 2);
  expect_refused("check nbody/slices --set HELD=3", 2, "HELD of nbody/slices");
}

using LongHostile = Hostile;

TEST_F(LongHostile, Constants) {
  for (const char* kernel : {"matmul/tiled", "matmul/deep-padded", "transpose/tiled", "nbody/tiled",
                             "lavamd/tiled", "matmul/naive"}) {
    expect_refused(std::string("run ") + kernel + " --set TILE=0", 2, "TILE of ");
  }
  for (const char* call :
       {"matmul/registers --set BM=0", "matmul/strip-mined --set T1=0",
        "matmul/register-strip --set T2=0", "matmul/register-strip --set T2=1000",
        "nbody/slices --set BLOCK=7", "nbody/slices --set SLICES=100", "nbody/slices --set HELD=1",
        "nbody/slices --set UNROLL=4294967295", "nbody/registers --set UNROLL=1000",
        "nbody/registers --set SHARES=100", "transpose/tiled --set TILE=3",
        "matmul/tiled --tile 65536", "matmul/registers --set W_MULTIPLE=0"}) {
    expect_refused(std::string("run ") + call, 2);
  }
  for (int number = 0; number < 8; ++number) {
    for (const char* name : {"BLOCK", "TILE", "INVOCATIONS"}) {
      expect_refused("run nbody/slices --set " + std::string(name) + "=" + std::to_string(number),
                     2, "nbody/slices");
    }
  }
}

// A launch as wide and high as this, of one step, once never ended.
TEST_F(LongHostile, AProductOfOneColumnAndOneRow) {
  const Finished finished = run("check matmul/strip-mined --size 5792,5792,1");
  EXPECT_EQ(finished.status, 0) << finished.err;
}

const std::string kHead =
    "#version 450\nlayout(local_size_x = 64) in;\n"
    "layout(set = 0, binding = 0) buffer D { uint d[]; };\nshared uint s[64];\n";

// Whatever the driver makes of it, the program that was asked ends by itself; and what makes it
// again is kept: the call, and the file.
TEST_F(Hostile, KernelsThatEndTheirProcess) {
  const auto cache = folder_ / "cache";
  const std::string kernel =
      write("kernel.comp", kHead + "void main() { s[gl_LocalInvocationIndex] = d[1]; }\n");
  const auto layers = fs::path(TILESCOPE_PROGRAM).parent_path() / "tests/layers";
  const Finished finished = run("check '" + kernel + "' --buffer 0.0=4096:iota",
                                {{"XDG_CACHE_HOME", cache.string()},
                                 {"VK_LAYER_PATH", layers.string()},
                                 {"VK_INSTANCE_LAYERS", "VK_LAYER_TILESCOPE_fault"},
                                 {"TILESCOPE_FAULT", "vkCreateComputePipelines:1:crash"}});
  EXPECT_EQ(finished.status, 3) << finished.out;
  EXPECT_TRUE(finished.err.starts_with("tilescope: ")) << finished.err;
  EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
  EXPECT_NE(finished.err.find("its process crashed"), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("while building the pipeline"), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("use --in-process to run it in this process"), std::string::npos)
      << finished.err;
  std::set<std::string> kept;
  for (const auto& entry : fs::recursive_directory_iterator(cache / "tilescope" / "crashes")) {
    kept.insert(entry.path().filename().string());
  }
  EXPECT_TRUE(kept.contains("call.txt"));
  EXPECT_TRUE(kept.contains("kernel.comp"));
  const std::string zero = write(
      "zero.comp", kHead + "void main() { s[gl_LocalInvocationID.x % (d[5] - d[5])] = 1; }\n");
  EXPECT_NE(run("check '" + zero + "' --buffer 0.0=4096:zero").status, -1);
}

// Addresses that a buffer holds, that lead from one to the next, and that are numbers. They ended
// the process or were followed anywhere.
// A kilobyte of macros that takes a compiler all memory, before a kernel without a fault.
TEST_F(Hostile, ABatchReportsEveryKernel) {
  std::string bomb = "#version 450\nlayout(local_size_x = 1) in;\n#define A0 1u + 1u\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = "A" + std::to_string(i - 1);
    bomb += "#define A" + std::to_string(i) + " " + before + " + " + before + "\n";
  }
  bomb += "layout(set = 0, binding = 0) buffer O { uint o[]; };\nvoid main() { o[0] = A30; }\n";
  const std::string first = write("a_bomb.comp", bomb);
  const std::string second = write("b_fine.comp",
                                   "#version 450\nlayout(local_size_x = 64) in;\n"
                                   "layout(set = 0, binding = 0) buffer O { uint o[]; };\n"
                                   "void main() { o[gl_GlobalInvocationID.x] = 1u; }\n");
  const std::string junit = (folder_ / "junit.xml").string();
  const Finished batch =
      run("check --json --compile-memory 300MiB --junit " + junit + " " + first + " " + second);
  EXPECT_EQ(batch.status, 3) << batch.err;
  EXPECT_NE(batch.err.find("more than 300.0 MiB of memory; raise the limit with --compile-memory"),
            std::string::npos)
      << batch.err;
  const auto json = nlohmann::json::parse(batch.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << batch.out;
  ASSERT_EQ(json["reports"].size(), 2U);
  EXPECT_TRUE(json["reports"][0].contains("error"));
  EXPECT_EQ(json["reports"][1]["verdict"], "clean");
  EXPECT_TRUE(fs::is_regular_file(junit));
}

// Kernels, what they include, HLSL and SPIR-V as text: stdout is one document.
TEST_F(Hostile, ByteOrderMarks) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::string body =
      "layout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer O { uint o[]; };\n"
      "void main() { o[gl_GlobalInvocationID.x] = VALUE; }\n";
  static_cast<void>(write("value.glsl", mark + "#define VALUE 1u\n"));
  const std::string include =
      "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"value.glsl\"\n";
  const std::string hlsl =
      "RWStructuredBuffer<uint> o;\n[numthreads(64, 1, 1)]\n"
      "void main(uint3 id : SV_DispatchThreadID) { o[id.x] = 1u; }\n";
  for (const std::string& kernel :
       {write("mark.comp", mark + "#version 450\n#define VALUE 1u\n" + body),
        write("included.comp", include + body), write("mark.hlsl", mark + hlsl)}) {
    const Finished checked = run("check --json " + kernel);
    EXPECT_EQ(checked.status, 0) << kernel << checked.err;
    const auto json = nlohmann::json::parse(checked.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << kernel << ": " << checked.out.substr(0, 200);
    EXPECT_EQ(json["verdict"], "clean") << kernel;
  }
}

TEST_F(Hostile, AddressesThatLeadNowhere) {
  const std::string head =
      "#version 460\n#extension GL_EXT_buffer_reference : require\n"
      "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
      "layout(local_size_x = 64) in;\n"
      "layout(buffer_reference, std430) buffer R { uint v[]; };\nlayout(buffer_reference) buffer "
      "N;\n"
      "layout(buffer_reference, std430) buffer N { N next; uint v; };\n";
  const std::string buffer = "layout(set = 0, binding = 0) buffer D { ";
  int number = 0;
  for (const std::string& text :
       {buffer +
            "R r; uint d[]; };\nvoid main() { r.v[gl_GlobalInvocationID.x * 100000u] = d[1]; }",
        buffer + "N first; uint d[]; };\nvoid main() { N n = first;\n"
                 "  for (uint i = 0; i < 9u + d[0] % 9u; ++i) { n = n.next; }\n  n.v = 1u; }",
        buffer + "uint64_t at; uint d[]; };\n"
                 "void main() { R(at + 8ul * gl_GlobalInvocationID.x).v[77777] = d[1]; }",
        "layout(push_constant) uniform P { uint64_t at; };\n" + buffer +
            "uint d[]; };\n"
            "void main() { d[gl_GlobalInvocationID.x] = R(at).v[d[0] * 1234567u]; }"}) {
    const std::string file = write("a" + std::to_string(number++) + ".comp", head + text + "\n");
    for (const char* call : {"check", "check --time", "run --repeat 1"}) {
      SCOPED_TRACE(call + (" " + file));
      const Finished finished =
          run(std::string(call) + " '" + file + "' --buffer 0.0=65536:random --groups 2 --json");
      EXPECT_GE(finished.status, 0);
      EXPECT_LE(finished.status, 3);
      EXPECT_EQ(finished.err.find("ended"), std::string::npos) << finished.err;
      EXPECT_TRUE(nlohmann::json::accept(finished.out)) << finished.out;
    }
  }
}

// It took minutes: pairs of accesses are compared.
TEST_F(Hostile, ExpressionsOfManyTerms) {
  std::string text =
      "#version 450\nlayout(local_size_x = 64) in;\n"
      "layout(set = 0, binding = 0) buffer D { uint d[]; };\n"
      "void main() { d[0] = d[1]";
  for (int i = 0; i < 100000; ++i) {
    text += " + d[1]";
  }
  expect_refused("check '" + write("terms.comp", text + "; }\n") + "' --buffer 0.0=4096:iota", 3,
                 "are not supported");
}

TEST_F(Hostile, PathsThatNoSystemTakes) {
  expect_refused("check " + std::string(5000, 'a') + ".comp", 2, "name too long");
  fs::create_symlink("self.comp", folder_ / "self.comp");
  expect_refused("check '" + (folder_ / "self.comp").string() + "'", 2, "levels of symbolic links");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.comp").c_str(), 0600), 0);
  expect_refused("check '" + (folder_ / "pipe.comp").string() + "'", 2, "not a regular file");
  fs::rename(folder_ / "pipe.comp", folder_ / "pipe.toml");
  expect_refused("shot '" + (folder_ / "pipe.toml").string() + "' -o x.png", 2,
                 "not a regular file");
  expect_refused("stream --size 64,64,64 --a '" + (folder_ / "pipe.toml").string() + "'", 2);
  expect_refused("check '" + folder_.string() + "'", 2);
}

TEST_F(Hostile, NamesThatAreNotUtf8) {
  const fs::path folder = folder_ / "\xff\xfe";
  fs::create_directories(folder);
  const std::string file = (folder / "k.comp").string();
  std::ofstream(file) << kHead + "void main() { s[gl_LocalInvocationID.x] = 1u; }\n";
  const Finished finished = run("check '" + file + "' --json --buffer 0.0=4096:zero");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_TRUE(nlohmann::json::accept(finished.out)) << finished.out;
  for (const auto& [call, written] : std::map<std::string, fs::path>{
           {"shot matmul/tiled --size 32,32,32 --bare -o ", folder / "p\xff.png"},
           {"run matmul/tiled --size 32,32,32 --repeat 1 --csv ", folder / "c\xff.csv"}}) {
    const Finished made = run(call + "'" + written.string() + "'");
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_TRUE(fs::is_regular_file(written)) << call;
  }
}

TEST_F(Hostile, OutputsThatTakeNothing) {
  // The shell of run() redirects once more, after its own.
  for (const char* call : {"list --json", "list", "check matmul/tiled --size 32,32,32 --json"}) {
    for (const char* stream : {" >/dev/full", " >&-"}) {
      SCOPED_TRACE(std::string(call) + stream);
      const auto out = folder_ / "status";
      const std::string command = std::string("'") + TILESCOPE_PROGRAM + "' " + call + stream +
                                  " 2>'" + out.string() + "'; echo $? >>'" + out.string() + "'";
      // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
      ASSERT_EQ(std::system(command.c_str()), 0);
      std::ifstream file(out);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      EXPECT_TRUE(text.starts_with("tilescope: ")) << text;
      EXPECT_TRUE(text.ends_with("\n3\n")) << text;
      EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;
    }
  }
}

// The kernel was gone, and what was found stood in its place.
TEST_F(Hostile, WhatIsReadIsNotWrittenOver) {
  const std::string text = kHead + "void main() { d[gl_GlobalInvocationID.x] = 1u; }\n";
  const std::string kernel = write("kernel.comp", text);
  fs::create_symlink("kernel.comp", folder_ / "link.comp");
  const std::string link = (folder_ / "link.comp").string();
  for (const std::string& call :
       {"run --repeat 1 '" + kernel + "' --csv '" + kernel + "'",
        "run --repeat 1 matmul/tiled --reference '" + kernel + "' --csv '" + kernel + "'",
        "bench --repeat 1 '" + kernel + "' --csv '" + link + "'",
        "check '" + kernel + "' --report '" + kernel + "'",
        "check '" + folder_.string() + "' --sarif '" + kernel + "'",
        "check '" + link + "' --junit '" + kernel + "'"}) {
    expect_refused(call, 2, "is not overwritten");
    std::ifstream file(kernel);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text) << call;
  }
}

// As in `tilescope check FILE | head`: nobody's fault, and nothing to be told.
TEST_F(Hostile, WhoeverReadsMayHaveSeenEnough) {
  const std::string fine = write("fine.comp",
                                 "#version 450\nlayout(local_size_x = 64) in;\n"
                                 "layout(binding = 0) buffer D { uint d[]; };\n"
                                 "void main() { d[gl_GlobalInvocationID.x] = 1u; }\n");
  const auto out = folder_ / "status";
  const std::string command = std::string("{ env --default-signal=PIPE '") + TILESCOPE_PROGRAM +
                              "' check '" + fine + "' 2>'" + out.string() + "'; echo $? >>'" +
                              out.string() + "'; } | true";
  // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(out);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "141\n") << "nothing, and SIGPIPE, as a shell tells of it";
}

// Nobody hears the sentence; the status says it.
TEST_F(Hostile, ErrorsThatNobodyTakes) {
  for (const char* stream : {"2>/dev/full", "2>&-"}) {
    for (const auto& [call, status] :
         std::map<std::string, int>{{"run nothing", 2}, {"list --nonsense", 2}, {"list", 0}}) {
      SCOPED_TRACE(call + " " + stream);
      const std::string command =
          std::string("'") + TILESCOPE_PROGRAM + "' " + call + " >/dev/null " + stream;
      // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
      const int ended = std::system(command.c_str());
      EXPECT_TRUE(WIFEXITED(ended));
      EXPECT_EQ(WEXITSTATUS(ended), status);
    }
  }
}

// A driver maps the file of its cache, and is ended by signal 7 where the disk has no room for it.
TEST_F(Hostile, ADiskThatIsFull) {
  const std::string disk = (folder_ / "disk").string();
  fs::create_directories(disk);
  const std::string mounted = "mount -t tmpfs -o size=64k tilescope '" + disk + "' && ";
  const std::string as_root = ::geteuid() == 0 ? "unshare -m " : "unshare -rm ";
  const auto in_it = [&](const std::string& command) {
    const std::string whole = as_root + "sh -c \"" + mounted + command + "\" 2>'" +
                              (folder_ / "err").string() + "' >/dev/null";
    // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
    const int status = std::system(whole.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  if (in_it("exit 0") != 0) {
    GTEST_SKIP() << "no disk can be made here";
  }
  std::string folders;
  for (const char* name : {"CACHE", "CONFIG", "STATE", "DATA"}) {
    folders += "XDG_" + std::string(name) + "_HOME='" + disk + "' ";
  }
  EXPECT_EQ(in_it("{ head -c 1M /dev/zero >'" + disk + "/fill' 2>/dev/null; env " + folders + "'" +
                  TILESCOPE_PROGRAM + "' bench matmul/tiled --size 64,64,64 --tune --repeat 1; }"),
            3);
  std::ifstream file(folder_ / "err");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("tuned.toml: No space left"), std::string::npos) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
  // A report that has no room is not left in part.
  EXPECT_EQ(
      in_it("{ head -c 1M /dev/zero >'" + disk + "/fill' 2>/dev/null; '" + TILESCOPE_PROGRAM +
            "' check matmul/tiled --size 32,32,32 --save-report '" + disk +
            "/report'; status=\\$?; test -e '" + disk + "/report' && exit 9; exit \\$status; }"),
      3);
}

TEST_F(Hostile, NumbersThatAreNone) {
  expect_refused("shot matmul/tiled --scale nan -o '" + (folder_ / "x.png").string() + "'", 2,
                 "nan");
  expect_refused("shot matmul/tiled -o '" + (folder_ / (std::string(252, 'a') + ".png")).string() +
                     "' --size 32,32,32 --bare",
                 2);
  expect_refused("run matmul/tiled --size 32,32,32 --repeat 1 --csv '" +
                     (folder_ / (std::string(252, 'a') + ".csv")).string() + "'",
                 2);
  expect_refused("run matmul/tiled --size 32,32,32 --repeat 1 --seed -1", 2, "is negative");
  expect_refused("stream --size 4294967295,1,1", 2, "takes numbers up to");
  expect_refused("stream --size 1,4294967295,1", 2, "takes numbers up to");
  expect_refused("stream --size 1073741824,1073741824,1", 3);
  expect_refused("shot nbody/tiled --step 18446744073709551615 -o x.png", 2);
}

// Inputs that no buffer holds were made before that was said: all memory, and minutes.
TEST_F(Hostile, SizesThatNoBufferHolds) {
  for (const char* call :
       {"lavamd/tiled --size 700,100", "matmul/tiled --size 300000,300000,16",
        "nbody/tiled --size 2000000000", "transpose/tiled --size 300000,300000"}) {
    expect_refused("run " + std::string(call), 2, "this device ");
  }
}

TEST_F(Hostile, Scenes) {
  std::string dotted = "tilescope_scene = 1\na";
  std::string open = "tilescope_scene = 1\nx = ";
  for (int i = 0; i < 200000; ++i) {
    dotted += ".a";
    open += "{a=";
  }
  expect_refused("shot '" + write("dotted.toml", dotted + " = 1\n") + "' -o x.png", 2, "deep");
  expect_refused("shot '" + write("nested.toml", open) + "' -o x.png", 2);
  expect_refused("shot '" +
                     write("zero.toml",
                           "tilescope_scene = 1\n[experiment]\nvariant = \"matmul/tiled\"\n"
                           "settings = { TILE = \"0\" }\n") +
                     "' -o '" + (folder_ / "x.png").string() + "'",
                 2, "TILE of matmul/tiled");
}

TEST_F(Hostile, ProcessesThatMayTakeLittle) {
  const auto out = folder_ / "status";
  const std::string command = std::string("(ulimit -v 1000000; exec '") + TILESCOPE_PROGRAM +
                              "' run matmul/tiled) 2>'" + out.string() + "'";
  // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 3);
  std::ifstream file(out);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("ulimit -v"), std::string::npos) << text;
  // Root may make threads all the same.
  const std::string few = std::string("(ulimit -u 3; exec '") + TILESCOPE_PROGRAM +
                          "' run matmul/tiled --size 32,32,32 --repeat 1) >'" + out.string() +
                          "' 2>&1";
  // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
  const int ended = WEXITSTATUS(std::system(few.c_str()));
  EXPECT_TRUE(ended == 0 || ended == 3) << ended;
}

// What is kept between calls is left out where it can't be; the call itself is as good.
TEST_F(Hostile, FoldersThatAreNotThereOrCannotBeWritten) {
  const std::string nowhere = "/proc/none";
  const std::string kernel =
      write("kernel.comp", kHead + "void main() { d[gl_GlobalInvocationID.x] = s.length(); }\n");
  for (const char* home : {"", "/proc/none"}) {
    SCOPED_TRACE(home);
    const std::map<std::string, std::string> environment{{"HOME", home},
                                                         {"XDG_CACHE_HOME", nowhere},
                                                         {"XDG_CONFIG_HOME", nowhere},
                                                         {"XDG_STATE_HOME", nowhere},
                                                         {"XDG_DATA_HOME", nowhere}};
    const auto picture = folder_ / "picture.png";
    for (const std::string& call :
         {std::string("run transpose/tiled --size 33,17 --repeat 1"), "check '" + kernel + "'",
          "shot transpose/tiled --size 33,17 -o '" + picture.string() + "'"}) {
      const Finished finished = run(call, environment);
      EXPECT_EQ(finished.status, 0) << call << ": " << finished.err;
    }
    EXPECT_GT(fs::file_size(picture), 0U);
    fs::remove(picture);
  }
}

// What one of them has begun to write is nothing that another reads.
TEST_F(Hostile, SeveralAtOnceOnOneCache) {
  const std::string kernel =
      write("kernel.comp", kHead + "void main() { d[gl_GlobalInvocationID.x] = s.length(); }\n");
  const std::string out = (folder_ / "out").string();
  const std::string command = "cd '" + folder_.string() +
                              "'; for i in 1 2 3 4; do XDG_CACHE_HOME='" + folder_.string() +
                              "/cache' '" + TILESCOPE_PROGRAM + "' check '" + kernel +
                              "' matmul/tiled --size 32,32,32 --json >out$i 2>err$i & done; wait";
  // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
  EXPECT_EQ(std::system(command.c_str()), 0);
  for (int i = 1; i <= 4; ++i) {
    std::ifstream file(out + std::to_string(i));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto answer = nlohmann::json::parse(text, nullptr, false);
    ASSERT_FALSE(answer.is_discarded()) << text;
    EXPECT_EQ(answer.dump().find("\"error\""), std::string::npos) << text;
    EXPECT_NE(text.find("\"clean\""), std::string::npos) << text;
  }
}

TEST_F(Hostile, Version) {
  const Finished finished = run("--version");
  EXPECT_EQ(finished.status, 0);
  EXPECT_TRUE(finished.out.starts_with("tilescope ")) << finished.out;
  EXPECT_NE(finished.out.find("built with"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("Vulkan"), std::string::npos) << finished.out;
}

}  // namespace
