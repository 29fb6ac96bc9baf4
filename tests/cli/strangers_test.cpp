// Kernels that were not written for Tilescope, as their owners would call the commands on them.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::Finished;
using tests::run;

constexpr const char* kTiled = R"(#version 450
#extension GL_GOOGLE_include_directive : require
#include "scale.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { float b[]; };
layout(push_constant) uniform P { uint width; uint height; float scale; };
shared float tile[16][17];
void main() {
  const uvec2 g = gl_GlobalInvocationID.xy, l = gl_LocalInvocationID.xy;
  const bool inside = g.x < width && g.y < height;
  if (inside) tile[l.y][l.x] = a[g.y * width + g.x];
  barrier();
  if (inside) b[g.y * width + g.x] = scaled(tile[l.y][l.x]) * scale;
}
)";

constexpr const char* kNaive = R"(#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { float b[]; };
layout(push_constant) uniform P { uint width; uint height; float scale; };
void main() {
  const uvec2 g = gl_GlobalInvocationID.xy;
  if (g.x < width && g.y < height) b[g.y * width + g.x] = FACTOR * a[g.y * width + g.x] * scale;
}
)";

class Strangers : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-strangers-" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "include");
    write("tiled.comp", kTiled);
    write("naive.comp", kNaive);
    write("include/scale.glsl", "float scaled(float x) { return FACTOR * x; }\n");
    options_ = " -D FACTOR=2.0 -I " + (folder_ / "include").string() + " ";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] std::string tiled() const { return file("tiled.comp") + options_; }
  json answer(const std::string& call) const {
    const Finished finished = run(call + " --json");
    EXPECT_EQ(finished.status, 0) << finished.err;
    return finished.out.empty() ? json::object() : json::parse(finished.out);
  }

  fs::path folder_;
  std::string options_;
};

TEST_F(Strangers, AreRunWithWhatWasChosenSaid) {
  const json result = answer("run " + tiled() + "--repeat 2");
  EXPECT_TRUE(result.at("correct").is_null());
  EXPECT_EQ(result.at("tiles").at("count"), json({4, 4, 1}));
  EXPECT_GT(result.at("timing").at("median"), 0.0);
  // 64 by 64 invocations: the whole numbers are the launch's extent, the float is 1.
  EXPECT_EQ(result.at("chosen"),
            json({"--groups 4,4,1", "--set width=64", "--set height=64", "--set scale=1",
                  "--buffer 0.0=16384:random", "--buffer 0.1=16384:poison"}));
}

// Some projects have all that differs between their builds in macros with arguments.
TEST_F(Strangers, TakeMacrosWithArguments) {
  write("macro.comp",
        "#version 450\nlayout(local_size_x = 64) in;\n"
        "layout(binding = 0) writeonly buffer O { float o[]; };\n"
        "void main() { store(o, gl_GlobalInvocationID.x, scaled(2.0)); }\n");
  const std::string call = "run " + file("macro.comp") + " --repeat 1 ";
  const Finished done =
      run(call + "-D 'store(b,i,v)={b[i]=v;}' -D 'scaled(x)=((x)*FACTOR)' " + "-D FACTOR=3.0");
  EXPECT_EQ(done.status, 0) << done.err;
  const Finished open = run(call + "-D 'store(b=1'");
  EXPECT_EQ(open.status, 2);
  EXPECT_NE(open.err.find("NAME(X,Y)=VALUE"), std::string::npos) << open.err;
}

// Lines of files that it includes are told with their file, in text and excerpt.
TEST_F(Strangers, AreToldOfLinesWithTheirFile) {
  write("include/row.glsl",
        "shared uint s[64];\n"
        "uint load(uint l, uint v) {\n"
        "  if (v > 3u) {\n"
        "    s[l] = v;\n"
        "    barrier();\n"
        "    return s[63u - l];\n"
        "  }\n"
        "  return s[l ^ 1u];\n"
        "}\n");
  write("rows.comp",
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
        "layout(local_size_x = 64) in;\nlayout(binding = 0) buffer B { uint b[]; };\n"
        "#include \"include/row.glsl\"\n"
        "void main() { b[gl_GlobalInvocationID.x] = load(gl_LocalInvocationID.x, "
        "b[gl_GlobalInvocationID.x]); }\n");
  const Finished told = run("check " + file("rows.comp"));
  EXPECT_EQ(told.status, 1) << told.err;
  EXPECT_NE(told.out.find("include/row.glsl:5: the condition"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("include/row.glsl:3 differed"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("       3 |   if (v > 3u) {"), std::string::npos) << told.out;
  const json found = json::parse(run("check " + file("rows.comp") + " --json").out);
  for (const char* field : {"file", "condition_file"}) {
    const std::string named = found.at("findings").at(0).at(field);
    EXPECT_TRUE(named.ends_with("include/row.glsl")) << named;
  }
}

// What is given of a kernel that is compared with ids decides how many of them there are.
using LongStrangers = Strangers;

TEST_F(Strangers, AreLaunchedAsFarAsTheirOwnNumbersSay) {
  write("n.comp",
        "#version 450\nlayout(local_size_x = 64) in;\n"
        "layout(push_constant) uniform P { uint n; };\n"
        "layout(binding = 0) writeonly buffer O { uint o[]; };\n"
        "void main() { if (gl_GlobalInvocationID.x < n) o[gl_GlobalInvocationID.x] = 7u; }\n");
  const auto chosen = [&](const std::string& flags) {
    return answer("run " + file("n.comp") + " --repeat 1 " + flags).at("chosen");
  };
  EXPECT_EQ(chosen("--set n=1000").at(0), "--groups 16,1,1");
  EXPECT_EQ(chosen("--push 100000").at(0), "--groups 1563,1,1");
  EXPECT_EQ(chosen("--set n=4000000000").at(0), "--groups 65535,1,1") << "as many as there may be";
  EXPECT_EQ(chosen("--set n=0").at(0), "--groups 4,1,1");
  EXPECT_EQ(chosen("--set n=1000 --groups 2"),
            json({"--groups 2,1,1", "--set n=1000", "--buffer 0.0=65536:poison"}));
  const json large = chosen("--set n=100000");
  EXPECT_EQ(large.at(2), "--buffer 0.0=16777216:poison");
  EXPECT_EQ(answer("run " + tiled() + "--repeat 1 --set width=1000 --set height=33")
                .at("tiles")
                .at("count"),
            json({63, 3, 1}));
}

TEST_F(Strangers, AreComparedWithAReference) {
  const std::string call = "run " + tiled() + "--repeat 2 --set width=60 --set height=50 ";
  const json right = answer(call + "--reference " + file("naive.comp"));
  EXPECT_TRUE(right.at("correct").get<bool>());
  EXPECT_GT(right.at("check").at("compared"), 3000);
  EXPECT_NE(right.at("check").at("method").get<std::string>().find("naive.comp"),
            std::string::npos);
  write("wrong.comp",
        std::string(kNaive).replace(std::string(kNaive).find("a[g.y"), 5, "1 + a[g.y"));
  const Finished wrong = run(call + "--reference " + file("wrong.comp"));
  EXPECT_EQ(wrong.status, 1) << wrong.err;
  EXPECT_NE(wrong.out.find("WRONG"), std::string::npos);
}

TEST_F(Strangers, AreBenchmarked) {
  const json result = answer("bench " + tiled() + "--repeat 2");
  const json& ladder = result.at("ladders").at(0);
  ASSERT_EQ(ladder.at("rungs").size(), 1U);
  EXPECT_GT(ladder.at("rungs").at(0).at("ms").at("median"), 0.0);
}

TEST_F(Strangers, AreProbed) {
  const json result = answer("run " + tiled() + "--repeat 2 --probe races,trace,banks,timeline");
  EXPECT_EQ(result.at("races").at("verdict"), "clean");
  EXPECT_EQ(result.at("trace").at("workgroup"), json({0, 0, 0}));
  EXPECT_FALSE(result.at("banks").empty());
  EXPECT_TRUE(result.contains("timeline"));
  const Finished racy = run("check " + tiled() + "--barrier 1=off --json");
  // Each invocation reads its own cell back: no barrier is needed.
  EXPECT_EQ(racy.status, 0) << racy.out;
}

TEST_F(Strangers, AreSavedAndOpenedAgain) {
  const std::string saved = file("saved");
  const json before = answer("run " + tiled() + "--repeat 2 --set scale=0.5 --save " + saved);
  EXPECT_TRUE(fs::is_regular_file(fs::path(saved) / "dispatch.toml"));
  EXPECT_TRUE(fs::is_regular_file(fs::path(saved) / "scale.glsl"));
  fs::remove(folder_ / "tiled.comp");
  const json after = answer("run " + saved + " --repeat 2");
  EXPECT_EQ(after.at("tiles"), before.at("tiles"));
  EXPECT_EQ(after.at("chosen").at(3), before.at("chosen").at(3));
  EXPECT_EQ(after.at("chosen").at(3), "--set scale=0.5");
  write("saved/dispatch.toml", "tilescope_dispatch = 1\n[launch]\nnonsense = 3\n");
  const Finished damaged = run("run " + saved);
  EXPECT_EQ(damaged.status, 2);
  EXPECT_NE(damaged.err.find("dispatch.toml:3: "), std::string::npos) << damaged.err;
}

TEST_F(LongStrangers, AreDrawn) {
  const std::string picture = file("a.png");
  for (const char* view : {"grid", "tile", "timeline", "banks", "occupancy", "barriers"}) {
    fs::remove(picture);
    const Finished finished =
        run("shot " + tiled() + "--view " + view + " --resolution 900x700 -o " + picture);
    EXPECT_EQ(finished.status, 0) << view << ": " << finished.err;
    EXPECT_GT(fs::file_size(picture), 10000U) << view;
  }
}

// With no display, the picture of what the window would open on.
TEST_F(Strangers, AreOpenedWithTheirFlags) {
  const fs::path here = fs::current_path();
  fs::current_path(folder_);
  const std::map<std::string, std::string> none{{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}};
  const Finished opened = run(tiled() + " --set scale=2", none);
  EXPECT_EQ(opened.status, 0) << opened.err;
  EXPECT_GT(fs::file_size(folder_ / "gallery" / "tiled.png"), 10000U);
  const Finished without = run(file("tiled.comp"), none);
  EXPECT_EQ(without.status, 2);
  EXPECT_NE(without.err.find("scale.glsl"), std::string::npos) << without.err;
  fs::current_path(here);
}

TEST_F(Strangers, MayBeHlslOrSpirvAsText) {
  write("copy.hlsl",
        "RWStructuredBuffer<float> a : register(u0);\n"
        "[numthreads(32, 1, 1)] void copy(uint3 g : SV_DispatchThreadID) { a[g.x] *= 2; }\n");
  const json hlsl = answer("run " + file("copy.hlsl") + " --entry copy --repeat 2");
  EXPECT_EQ(hlsl.at("tiles").at("size"), json({32, 1, 1}));
  write("nothing.spvasm",
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %f \"main\"\nOpExecutionMode %f LocalSize 8 1 1\n"
        "%void = OpTypeVoid\n%t = OpTypeFunction %void\n%f = OpFunction %void None %t\n"
        "%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
  const json assembled = answer("run " + file("nothing.spvasm") + " --repeat 2");
  EXPECT_EQ(assembled.at("tiles").at("size"), json({8, 1, 1}));
}

// Older ones declare less of an entry point's variables than newer ones must.
TEST_F(Strangers, SpirvAsTextIsOfTheVersionThatItsHeadSays) {
  const std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %f \"main\"\nOpExecutionMode %f LocalSize 8 1 1\n"
      "OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0\n"
      "OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n"
      "%void = OpTypeVoid\n%t = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%n = OpConstant %u 0\n"
      "%s = OpTypeStruct %u\n%ps = OpTypePointer StorageBuffer %s\n"
      "%pu = OpTypePointer StorageBuffer %u\n%v = OpVariable %ps StorageBuffer\n"
      "%f = OpFunction %void None %t\n%l = OpLabel\n%p = OpAccessChain %pu %v %n\n"
      "OpStore %p %n\nOpReturn\nOpFunctionEnd\n";
  write("old.spvasm", "; SPIR-V\n; Version: 1.3\n" + text);
  write("new.spvasm", "; SPIR-V\n; Version: 1.6\n" + text);
  EXPECT_EQ(answer("run " + file("old.spvasm") + " --repeat 2").at("tiles").at("size"),
            json({8, 1, 1}));
  for (const char* command : {"run ", "check ", "bench ", "shot -o x.png "}) {
    const Finished refused = run(command + file("new.spvasm"));
    EXPECT_EQ(refused.status, 2) << command;
    EXPECT_NE(refused.err.find("not valid"), std::string::npos) << command << refused.err;
  }
}

// Whose kernel it is makes no difference to what it computes.
TEST_F(Strangers, WorkIsCountedWhereNobodySaysIt) {
  const fs::path shaders = fs::path(TILESCOPE_SOURCE_DIR) / "shaders";
  const json ours = answer("run matmul/tiled --size 64,64,64 --repeat 2 --probe trace");
  EXPECT_EQ(ours.at("flops_from"), "the workload");
  const std::string file = (shaders / "matmul/tiled.comp").string();
  const std::string as_file = "run " + file + " -I " + shaders.string() +
                              " --groups 4,4 --push 64,64,64 --spec 0=16 --repeat 2";
  EXPECT_EQ(answer(as_file).at("flops"), 0) << "until a workgroup is traced";
  const json traced = answer(as_file + " --probe trace");
  EXPECT_EQ(traced.at("flops"), ours.at("flops")) << traced.at("launches");
  EXPECT_EQ(traced.at("flops_from"), "the traced workgroup, times the workgroups");
  EXPECT_GT(traced.at("gflops").get<double>(), 0.0);
}

TEST_F(Strangers, MembersOfStructsHaveNames) {
  write("struct.hlsl",
        "struct P { uint n; float by; };\n[[vk::push_constant]] P p;\n"
        "RWStructuredBuffer<float> b : register(u0);\n"
        "[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {\n"
        "  if (id.x < p.n) b[id.x] = p.by;\n}\n");
  for (const char* flags : {" --set p.n=1000 --set p.by=2.5", " --set n=1000 --set by=2.5"}) {
    const Finished done = run("run " + file("struct.hlsl") + flags + " --repeat 1");
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.out.find("--groups 16,1,1 --set p.n=1000 --set p.by=2.5"), std::string::npos)
        << done.out;
  }
  write("naive.comp",
        "#version 450\nlayout(local_size_x = 64) in;\n"
        "layout(push_constant) uniform P { uint n; float by; };\n"
        "layout(binding = 0) buffer B { float b[]; };\n"
        "void main() { if (gl_GlobalInvocationID.x < n) b[gl_GlobalInvocationID.x] = by; }\n");
  const json same = answer("run " + file("naive.comp") + " --set n=1000 --set by=2.5 --reference " +
                           file("struct.hlsl") + " --repeat 1");
  EXPECT_TRUE(same.at("correct").get<bool>()) << same.at("check");
}

TEST_F(Strangers, AWorkloadMayLieAnywhere) {
  fs::copy(fs::path(TILESCOPE_SOURCE_DIR) / "shaders/reduction", folder_ / "mine");
  const json result = answer("run " + file("mine/sequential") + " --size 1000 --repeat 2");
  EXPECT_EQ(result.at("variant"), "mine/sequential");
  EXPECT_TRUE(result.at("correct").get<bool>());
}

TEST_F(Strangers, AFolderOfKernelsIsTheFirstOfThemOrAll) {
  fs::create_directories(folder_ / "two");
  for (const char* name : {"two/b.comp", "two/a.comp"}) {
    write(name,
          "#version 450\nlayout(local_size_x = 32) in;\n"
          "layout(set = 0, binding = 0) buffer D { float d[]; };\n"
          "void main() { d[gl_GlobalInvocationID.x] *= 2.0; }\n");
  }
  EXPECT_EQ(answer("run " + file("two") + " --repeat 2").at("variant"), file("two/a.comp"));
  const Finished shot = run("shot " + file("two") + " -o " + file("two.png"));
  EXPECT_EQ(shot.status, 0) << shot.err;
  EXPECT_NE(shot.err.find("has 2 kernels"), std::string::npos) << shot.err;
  const json bench = answer("bench " + file("two") + " --repeat 2");
  ASSERT_EQ(bench.at("ladders").size(), 2U);
  fs::create_directories(folder_ / "none");
  for (const char* command : {"run ", "check ", "bench ", "shot -o x.png "}) {
    const Finished refused = run(command + file("none"));
    EXPECT_EQ(refused.status, 2) << command;
    EXPECT_NE(refused.err.find("contains no kernel"), std::string::npos) << command << refused.err;
  }
}

TEST_F(Strangers, AreCheckedByTheFolder) {
  fs::create_directories(folder_ / "many/deeper");
  const std::string racy =
      "#version 450\nlayout(local_size_x = 32) in;\nlayout(set = 0, binding = 0) buffer D { uint "
      "d[]; "
      "};\nshared uint s[32];\nvoid main() {\n  uint i = gl_LocalInvocationIndex;\n  s[i] = "
      "d[gl_GlobalInvocationID.x];\n"
      "  d[gl_GlobalInvocationID.x] = s[31 - i];\n}\n";
  write("many/racy & <odd>.comp", racy);
  write("many/deeper/fixed.comp",
        std::string(racy).insert(racy.find("  d[gl_GlobalInvocationID.x] ="), "  barrier();\n"));
  write("many/deeper/broken.comp", "#version 450\nvoid main() { nothing(); }\n");
  write("many/part.glsl", "float unused(float x) { return x; }\n");
  const std::string sarif = file("all.sarif");
  const std::string junit = file("all.xml");
  const Finished finished =
      run("check " + file("many") + " --json --sarif " + sarif + " --junit " + junit);
  EXPECT_EQ(finished.status, 1) << finished.err;
  const json all = json::parse(finished.out);
  EXPECT_EQ(all.at("kernels"), 3);
  EXPECT_EQ(all.at("verdicts"), json({{"clean", 1}, {"racy", 1}, {"not checked", 1}}));
  EXPECT_NE(finished.err.find("broken.comp:2: "), std::string::npos) << finished.err;

  std::ifstream stream(sarif);
  const json log = json::parse(stream);
  EXPECT_EQ(log.at("version"), "2.1.0");
  const json& only = log.at("runs").at(0);
  ASSERT_EQ(only.at("results").size(), 1U);
  const json& result = only.at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "race");
  const json& place = result.at("locations").at(0).at("physicalLocation");
  EXPECT_TRUE(place.at("artifactLocation")
                  .at("uri")
                  .get<std::string>()
                  .ends_with("many/racy%20%26%20%3Codd%3E.comp"));
  EXPECT_EQ(place.at("region").at("startLine"), 7);
  EXPECT_EQ(result.at("relatedLocations").at(0).at("physicalLocation").at("region").at("startLine"),
            8);
  EXPECT_FALSE(only.at("invocations").at(0).at("executionSuccessful").get<bool>());

  std::ifstream xml(junit);
  const std::string text{std::istreambuf_iterator<char>(xml), {}};
  EXPECT_NE(text.find("tests=\"3\" failures=\"1\" skipped=\"0\" errors=\"1\""), std::string::npos)
      << text;
  EXPECT_NE(text.find("racy &amp; &lt;odd&gt;.comp"), std::string::npos) << text;
}

// What is beyond ASCII comes back as it was, and a kernel that could not be checked is in the file,
// too.
TEST_F(Strangers, AreNamedAsTheirFilesAre) {
  fs::create_directories(folder_ / "ü");
  write("ü/läufe 1 #2%.comp",
        "#version 450\nlayout(local_size_x = 32) in;\nlayout(set = 0, binding = 0) buffer D { uint "
        "d[]; };\nvoid main() {\n  d[0] = gl_LocalInvocationIndex;\n}\n");
  write("ü/broken.comp", "#version 450\nvoid main() { nothing(); }\n");
  const std::string sarif = file("one.sarif");
  const Finished racy = run("check '" + file("ü/läufe 1 #2%.comp") + "' --json --sarif " + sarif);
  EXPECT_EQ(racy.status, 1) << racy.err;
  const json report = json::parse(racy.out);
  EXPECT_TRUE(report.at("kernel").get<std::string>().ends_with("ü/läufe 1 #2%.comp"));
  const json log = json::parse(std::ifstream(sarif));
  const json& place = log.at("runs").at(0).at("results").at(0).at("locations").at(0);
  const auto uri = place.at("physicalLocation").at("artifactLocation").at("uri").get<std::string>();
  EXPECT_TRUE(uri.ends_with("%C3%BC/l%C3%A4ufe%201%20%232%25.comp")) << uri;

  const Finished broken = run("check '" + file("ü/broken.comp") + "' --sarif " + sarif);
  EXPECT_EQ(broken.status, 2);
  const json failure = json::parse(std::ifstream(sarif));
  const json& invocation = failure.at("runs").at(0).at("invocations").at(0);
  EXPECT_FALSE(invocation.at("executionSuccessful").get<bool>());
  EXPECT_EQ(invocation.at("toolExecutionNotifications").size(), 1U);
}

// Objects of SARIF have no other properties than these (the schema says additionalProperties:
// false); of each those that are written here or might come to be.
void expect_only(const json& object, const std::set<std::string>& known) {
  for (const auto& [name, value] : object.items()) {
    EXPECT_TRUE(known.contains(name)) << name;
  }
}

void expect_sarif_place(const json& location) {
  expect_only(location, {"id", "physicalLocation", "message", "properties"});  // 3.28
  const json& place = location.at("physicalLocation");                         // 3.29
  expect_only(place, {"artifactLocation", "region", "contextRegion", "properties"});
  expect_only(place.at("artifactLocation"), {"uri", "uriBaseId", "index"});  // 3.4
  if (place.contains("region")) {
    const json& region = place.at("region");  // 3.30
    expect_only(region, {"startLine", "startColumn", "endLine", "endColumn", "snippet"});
    EXPECT_GE(region.at("startLine").get<int>(), 1);
  }
}

void expect_sarif_names(const json& log) {
  expect_only(log, {"$schema", "version", "runs", "properties"});  // 3.13
  for (const json& one : log.at("runs")) {                         // 3.14
    expect_only(one, {"tool", "invocations", "artifacts", "results", "columnKind", "properties"});
    expect_only(one.at("tool"), {"driver", "extensions", "properties"});  // 3.18
    const json& driver = one.at("tool").at("driver");                     // 3.19
    expect_only(driver, {"name", "version", "semanticVersion", "informationUri", "rules",
                         "fullName", "properties"});
    for (const json& rule : driver.at("rules")) {  // 3.49
      expect_only(rule, {"id", "name", "shortDescription", "fullDescription", "help", "helpUri",
                         "defaultConfiguration", "properties"});
    }
    for (const json& invocation : one.at("invocations")) {  // 3.20
      expect_only(invocation, {"executionSuccessful", "toolExecutionNotifications",
                               "toolConfigurationNotifications", "exitCode", "properties"});
    }
    for (const json& result : one.at("results")) {  // 3.27
      expect_only(result, {"ruleId", "ruleIndex", "level", "message", "locations",
                           "relatedLocations", "partialFingerprints", "kind", "properties"});
      for (const char* places : {"locations", "relatedLocations"}) {
        for (const json& location : result.value(places, json::array())) {
          expect_sarif_place(location);
        }
      }
    }
  }
}

// What the schema of SARIF 2.1.0 (OASIS 2020) requires of what is written here: its section numbers
// beside each.
void expect_sarif(const json& log) {
  expect_sarif_names(log);
  EXPECT_EQ(log.at("version"), "2.1.0");                                    // 3.13.2
  EXPECT_TRUE(log.at("$schema").get<std::string>().starts_with("https:"));  // 3.13.3
  for (const json& one : log.at("runs")) {                                  // 3.13.4
    const json& driver = one.at("tool").at("driver");                       // 3.18.2
    EXPECT_FALSE(driver.at("name").get<std::string>().empty());             // 3.19.8
    std::set<std::string> rules;
    for (const json& rule : driver.at("rules")) {
      rules.insert(rule.at("id"));                                      // 3.49.3
      EXPECT_TRUE(rule.at("shortDescription").at("text").is_string());  // 3.11.8
    }
    EXPECT_EQ(rules.size(), driver.at("rules").size());  // 3.19.23: no rule twice
    for (const json& invocation : one.at("invocations")) {
      EXPECT_TRUE(invocation.at("executionSuccessful").is_boolean());  // 3.20.14
    }
    for (const json& result : one.at("results")) {
      EXPECT_TRUE(result.at("message").at("text").is_string());  // 3.27.11
      EXPECT_TRUE(rules.contains(result.at("ruleId")));          // 3.27.5
      const std::string level = result.at("level");              // 3.27.10
      EXPECT_TRUE(level == "note" || level == "warning" || level == "error") << level;
      for (const json& location : result.at("locations")) {
        const json& place = location.at("physicalLocation");  // 3.28.3
        EXPECT_TRUE(place.at("artifactLocation").at("uri").is_string());
        EXPECT_GE(place.at("region").at("startLine").get<int>(), 1);  // 3.30.5
      }
    }
  }
}

// One of each kind: what each is told as, and that it ends as it should.
TEST_F(Strangers, AreCheckedForEachKind) {
  const std::string head =
      "#version 450\nlayout(local_size_x = 32) in;\n"
      "layout(set = 0, binding = 0) buffer D { uint d[]; };\nshared uint s[32];\n"
      "void main() {\n  uint i = gl_LocalInvocationIndex;\n"
      "  uint g = gl_GlobalInvocationID.x;\n";
  fs::create_directories(folder_ / "kinds");
  write("kinds/bounds.comp", head + "  d[g + 1000000u] = 1;\n}\n");
  write("kinds/init.comp", head + "  barrier();\n  d[g] = s[31 - i];\n}\n");
  write("kinds/arithmetic.comp", head + "  d[g] = 7 / (d[g] - d[g]);\n}\n");
  write("kinds/race.comp", head + "  s[i] = i;\n  d[g] = s[31 - i];\n}\n");
  write("kinds/clean.comp", head + "  s[i] = i;\n  barrier();\n  d[g] = s[31 - i];\n}\n");
  const std::string launch = " --groups 2,1,1 --buffer d=4096 ";
  const Finished finished =
      run("check " + file("kinds") + launch + "-j 2 --json --sarif " + file("kinds.sarif"));
  EXPECT_EQ(finished.status, 1) << finished.err;
  const json all = json::parse(finished.out);
  EXPECT_EQ(all.at("verdicts"), json({{"clean", 2}, {"faulty", 2}, {"racy", 1}}));
  std::map<std::string, std::string> kinds;
  for (const json& report : all.at("reports")) {
    for (const json& finding : report.at("findings")) {
      kinds[fs::path(report.at("kernel").get<std::string>()).stem()] = finding.at("kind");
    }
  }
  EXPECT_EQ(kinds, (std::map<std::string, std::string>{{"bounds", "out-of-bounds"},
                                                       {"init", "uninitialized"},
                                                       {"arithmetic", "arithmetic"},
                                                       {"race", "race"}}));
  std::ifstream stream(file("kinds.sarif"));
  const json sarif = json::parse(stream);
  expect_sarif(sarif);
  EXPECT_EQ(sarif.at("runs").at(0).at("results").size(), 4U);

  const auto status = [&](const std::string& name, const std::string& flags) {
    return run("check " + file("kinds/" + name + ".comp") + launch + flags).status;
  };
  EXPECT_EQ(status("arithmetic", ""), 1);
  EXPECT_EQ(status("arithmetic", "--notes-ok"), 0);
  EXPECT_EQ(status("bounds", "--notes-ok"), 1);
  EXPECT_EQ(status("race", "--only bounds,init"), 0);
  EXPECT_EQ(status("clean", ""), 0);
  EXPECT_EQ(status("clean", "--only rain"), 2);
}

TEST_F(Strangers, AreShownTheLinesAndTheBarrierThatMends) {
  write("racy.comp",
        "#version 450\nlayout(local_size_x = 32) in;\n"
        "layout(set = 0, binding = 0) buffer D { uint d[]; };\nshared uint s[32];\n"
        "void main() {\n  uint i = gl_LocalInvocationIndex;\n  s[i] = d[gl_GlobalInvocationID.x];\n"
        "  d[gl_GlobalInvocationID.x] = s[31 - i];\n}\n");
  const Finished finished = run("check " + file("racy.comp") + " --groups 2,1,1");
  EXPECT_EQ(finished.status, 1);
  for (const char* part :
       {"       7 |   s[i] = d[gl_GlobalInvocationID.x];\n         |   ^~~~ invocation ",
        "       8 |   d[gl_GlobalInvocationID.x] = s[31 - i];\n",
        "with a barrier before line 8 the kernel is clean (tried)"}) {
    EXPECT_NE(finished.out.find(part), std::string::npos) << part << "\n" << finished.out;
  }
  const json report = json::parse(run("check " + file("racy.comp") + " --groups 2,1,1 --json").out);
  EXPECT_EQ(report.at("findings").at(0).at("mended_by_barrier_before"), 8);
}

TEST_F(Strangers, GetOneSentenceForWhatIsWrong) {
  write("broken.comp", "#version 450\nvoid main() { nothing(); }\n");
  write("broken.spvasm", "OpCapability Shader\nOpNonsense\n");
  write("odd.spv", "abc");
  const std::pair<std::string, std::string> calls[] = {
      {tiled() + "--set hieght=3", "it has width, height, scale"},
      {tiled() + "--set width=wide", "width is a uint; \"wide\" is not a value of this type"},
      {tiled() + "--set width=1,2", "width is a uint, which needs 1 number;"},
      {tiled() + "--buffer C=64", "it has 0.0 (A), 0.1 (B)"},
      {tiled() + "--buffer A=64:twos", "not \"64:twos\""},
      {tiled() + "--buffer A=@" + file("none.bin"), "none.bin"},
      {tiled() + "--spec 7=1", "no specialization constant 7"},
      {tiled() + "--entry other", "unknown entry point \"other\"; choose from main"},
      {tiled() + "--tile 8", "has no tile"},
      {tiled() + "--barrier 2=off", "barrier 2 does not exist"},
      {file("tiled.comp"), "tiled.comp:3: "},
      {file("broken.comp"), "broken.comp:2: "},
      {file("broken.spvasm"), "broken.spvasm:2: "},
      {file("odd.spv"), "not a multiple of 4"},
      {file("none.comp"), "none.comp"},
      {file("none.comp") + " --reference x", "none.comp"}};
  for (const auto& [call, says] : calls) {
    const Finished finished = run("run " + call);
    EXPECT_EQ(finished.status, 2) << call << ": " << finished.err;
    EXPECT_TRUE(finished.out.empty()) << finished.out;
    EXPECT_NE(finished.err.find(says), std::string::npos) << call << ": " << finished.err;
  }
}

}  // namespace
