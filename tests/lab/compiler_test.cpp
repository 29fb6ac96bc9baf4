// Kernels' texts to SPIR-V: what is read, and one sentence for each that does not compile.
#include "gpu/compiler.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/plan/kernel_module.h"
#include "lab/plan/plan.h"
#include "spirv/module/module.h"
#include "spirv/reflection/entry_points.h"
#include "spirv/reflection/reflect.h"

namespace {

namespace fs = std::filesystem;

const std::string kHead =
    "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
    "layout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer D { uint d[]; };\n";
const std::string kMain = "void main() { d[gl_GlobalInvocationID.x] = VALUE; }\n";

class Compiler : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-compiler-" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "kernel" / "sub");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / "kernel" / name) << text;
  }
  [[nodiscard]] fs::path kernel() const { return folder_ / "kernel" / "k.comp"; }
  [[nodiscard]] std::string error_of(const std::string& text) const {
    const auto compiled = gpu::compile({text, kernel()});
    return compiled ? "none" : compiled.error().message;
  }

  fs::path folder_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Which extension a compiler knows is its own affair: the source is not called wrong.
TEST_F(Compiler, AnExtensionThatThisBuildDoesNotKnowIsNoMistakeOfTheSource) {
  const auto compiled = gpu::compile(
      {"#version 450\n#extension GL_TILESCOPE_future : require\nvoid main() {}\n", kernel()});
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().fault, core::Fault::device);
  EXPECT_TRUE(compiled.error().message.contains(
      ":2: the built-in compiler does not support GL_TILESCOPE_future"))
      << compiled.error().message;
}

TEST_F(Compiler, TellsWhatItRead) {
  write("a.glsl", "#include \"sub/b.glsl\"\n");
  write("sub/b.glsl", "#define VALUE 7u\n");
  const std::string text = kHead + "#include \"a.glsl\"\n" + kMain;
  const auto compiled = gpu::compile({text, kernel()});
  ASSERT_TRUE(compiled) << compiled.error().message;
  ASSERT_EQ(compiled->sources.size(), 3U);
  EXPECT_EQ(compiled->sources[0], (core::SourceFile{kernel().string(), text}));
  EXPECT_EQ(fs::path(compiled->sources[1].path).filename(), "a.glsl");
  EXPECT_EQ(compiled->sources[2].text, "#define VALUE 7u\n");
}

// Wherever the file is included, and whichever function the front end writes first.
TEST_F(Compiler, BarriersOfIncludedFilesAreCountedAfterTheKernelsOwn) {
  write("wait.glsl", "void wait() {\n  barrier();\n}\n");
  using Around = std::pair<std::string, std::string>;
  const std::string include = "#include \"wait.glsl\"\n";
  const std::string main = "void main() {\n  barrier();\n  wait();\n  barrier();\n}\n";
  for (const auto& [before, after] : {Around(include, ""), Around("void wait();\n", include)}) {
    const auto compiled = gpu::compile({kHead + before + main + after, kernel()});
    ASSERT_TRUE(compiled) << compiled.error().message;
    const auto module = spirv::parse(compiled->spirv);
    ASSERT_TRUE(module);
    const auto interface = spirv::reflect(*module, {});
    ASSERT_TRUE(interface);
    std::vector<std::pair<std::string, std::uint32_t>> told;
    for (const spirv::Barrier& barrier : interface->barriers) {
      told.emplace_back(fs::path(barrier.file).filename(), barrier.line);
    }
    EXPECT_EQ(told, (std::vector<std::pair<std::string, std::uint32_t>>{
                        {told.front().first, 7}, {told.front().first, 9}, {"wait.glsl", 2}}))
        << before;
    EXPECT_NE(told.front().first, "wait.glsl");
  }
}

TEST_F(Compiler, TakesDefinesAndFolders) {
  fs::create_directories(folder_ / "other");
  std::ofstream(folder_ / "other" / "value.glsl") << "#define VALUE GIVEN\n";
  const std::string text = kHead + "#include \"value.glsl\"\n" + kMain;
  EXPECT_TRUE(has(error_of(text), "file \"value.glsl\" not found"));
  EXPECT_TRUE(gpu::compile({text, kernel()},
                           {.defines = {{"GIVEN", "3u"}}, .include_dirs = {folder_ / "other"}}));
  EXPECT_EQ(gpu::parse_define("A")->second, "1");
  EXPECT_EQ(gpu::parse_define("A=b=c")->second, "b=c");
  EXPECT_FALSE(gpu::parse_define("1A=2"));
  EXPECT_FALSE(gpu::parse_define("=2"));
}

TEST_F(Compiler, ReadsNothingOutsideOfTheFolders) {
  std::ofstream(folder_ / "secret.glsl") << "#define VALUE 1u\n";
  for (const std::string& name : {std::string("../secret.glsl"), (folder_ / "secret.glsl").string(),
                                  std::string("sub/../../secret.glsl")}) {
    const std::string text = kHead + "#include \"" + name + "\"\n" + kMain;
    EXPECT_TRUE(has(error_of(text), "is outside the folder of the kernel")) << error_of(text);
    EXPECT_TRUE(gpu::compile({text, kernel()}, {.include_dirs = {folder_}})) << name;
  }
}

TEST_F(Compiler, ReadsTheFilesOfTheKernelsProject) {
  std::ofstream(folder_ / "value.glsl") << "#define VALUE 1u\n";
  const std::string text = kHead + "#include \"../value.glsl\"\n" + kMain;
  EXPECT_TRUE(has(error_of(text), "allow it with -I " + folder_.string())) << error_of(text);
  fs::create_directories(folder_ / ".git");
  EXPECT_EQ(error_of(text), "none");
  // The nearest one counts.
  fs::create_directories(folder_ / "kernel" / ".hg");
  EXPECT_TRUE(has(error_of(text), "is outside the folder of the kernel"));
}

TEST_F(Compiler, APreludeFollowsTheVersion) {
  std::ofstream(folder_ / "prelude.glsl") << "#define VALUE 7u\n\n\n";
  gpu::CompileOptions options{.prelude = folder_ / "prelude.glsl"};
  const std::string text = "// A comment.\n" + kHead + kMain;
  const auto compiled = gpu::compile({text, kernel()}, options);
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(compiled->sources.front().text, text);
  EXPECT_EQ(compiled->sources.back().path, (folder_ / "prelude.glsl").string());
  // Lines stay the kernel's.
  const auto wrong = gpu::compile({text + "nothing;\n", kernel()}, options);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().line, 7) << wrong.error().message;
}

TEST_F(Compiler, APreludeMayHaveTheVersionOfAKernelWithoutOne) {
  std::ofstream(folder_ / "prelude.glsl")
      << "// Generated.\n#version 450 core\nlayout(std430) buffer;\n#define VALUE 7u\n";
  gpu::CompileOptions options{.prelude = folder_ / "prelude.glsl"};
  const std::string text =
      "// A comment.\nlayout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer D { uint d[]; };\n" +
      kMain;
  const auto compiled = gpu::compile({text, kernel()}, options);
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto wrong = gpu::compile({text + "nothing;\n", kernel()}, options);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().line, 5) << wrong.error().message;
  const auto twice = gpu::compile({"#version 450\n" + text, kernel()}, options);
  EXPECT_FALSE(twice) << "each file has a version";
}

TEST_F(Compiler, AWordThatOnlyAnUntakenBranchDefinesIsNamed) {
  const std::string text = kHead + "#if defined(HALF)\n#define A_TYPE uint\n#endif\n" +
                           "layout(set = 0, binding = 1) buffer E { A_TYPE e[]; };\n" + kMain;
  EXPECT_TRUE(has(error_of(text), "define it with -D A_TYPE=VALUE")) << error_of(text);
  const std::string other = kHead + "#ifdef HALF\n#define T uint\n#elif defined(INT)\n" +
                            "#define T int\n#endif\n" +
                            "layout(set = 0, binding = 1) buffer E { T e[]; };\n" + kMain;
  EXPECT_TRUE(has(error_of(other), "define it with -D T=VALUE")) << error_of(other);
  // A constant is none, though it is written like a macro.
  const std::string constant = kHead + "const uint COUNT = 4u;\nvoid main() { d[0] = COUNT }\n";
  EXPECT_FALSE(has(error_of(constant), "define it with -D")) << error_of(constant);
}

class KernelSource : public Compiler {
 protected:
  [[nodiscard]] core::Expected<lab::Module> module_of(
      const std::string& name, const std::string& text,
      const core::KernelChoices& choices = {}) const {
    write(name, text);
    return lab::load_module(lab::read_kernel(folder_ / "kernel" / name), choices);
  }
  [[nodiscard]] static spirv::Interface interface_of(const lab::Module& module) {
    auto parsed = spirv::parse(module->words);
    EXPECT_TRUE(spirv::select_entry(*parsed, module->entry_point));
    return *spirv::reflect(*parsed, {});
  }
};

const std::string kRegisters =
    "cbuffer Sizes : register(b0) { uint n; };\n"
    "StructuredBuffer<float> a : register(t0);\nTexture2D<float> p : register(t1);\n"
    "SamplerState m : register(s0);\nRWStructuredBuffer<float> o : register(u0);\n"
    "[numthreads(64, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID) {\n"
    "  o[id.x] = id.x < n ? a[id.x] + p.SampleLevel(m, float2(0, 0), 0) : 0.0;\n}\n";

TEST_F(KernelSource, RegistersOfDifferentKindsAreDifferentBindings) {
  const auto module = module_of("k.hlsl", kRegisters);
  ASSERT_TRUE(module) << module.error().message;
  std::vector<std::uint32_t> bindings;
  for (const spirv::Binding& b : interface_of(*module).bindings) {
    bindings.push_back(b.binding);
  }
  EXPECT_EQ(bindings, (std::vector<std::uint32_t>{0, 100, 101, 200, 300}));
}

const std::string kTwoFunctions =
    "RWStructuredBuffer<uint> o;\n"
    "[numthreads(64, 1, 1)]\nvoid fill(uint3 id : SV_DispatchThreadID) { o[id.x] = id.x; }\n";

TEST_F(KernelSource, HlslWithoutMainTakesItsOnlyEntryPointOrListsThem) {
  const auto only = module_of("one.hlsl", kTwoFunctions);
  ASSERT_TRUE(only) << only.error().message;
  const std::string two =
      kTwoFunctions + "[numthreads(8, 8, 1)]\nvoid sum(uint3 id : SV_DispatchThreadID) {}\n";
  const auto several = module_of("two.hlsl", two);
  ASSERT_FALSE(several);
  EXPECT_TRUE(
      has(several.error().message, "has 2 entry points, fill, sum; choose one with --entry"))
      << several.error().message;
  const auto unknown = module_of("two.hlsl", two, {.entry = "main"});
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(has(unknown.error().message, "unknown entry point main; choose from fill, sum"))
      << unknown.error().message;
  EXPECT_TRUE(module_of("two.hlsl", two, {.entry = "sum"}));
}

TEST_F(KernelSource, ALocalSizeIsGivenWhereTheKernelDeclaresNone) {
  const std::string text =
      "#version 450\nlayout(binding = 0) buffer O { uint o[]; };\n"
      "void main() { o[gl_GlobalInvocationID.x] = 1u; }\n";
  const auto none = module_of("none.comp", text);
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_TRUE((*none)->no_local_size);
  const auto given = module_of("none.comp", text, {.local_size = {64, 2, 1}});
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_FALSE((*given)->no_local_size);
  EXPECT_EQ(interface_of(*given).local_size, (std::array<std::uint32_t, 3>{64, 2, 1}));
  const auto declared =
      module_of("k.comp", kHead + "#define VALUE 1u\n" + kMain, {.local_size = {64, 2, 1}});
  ASSERT_FALSE(declared);
  EXPECT_TRUE(has(declared.error().message, "declares the workgroup size 64,1,1"))
      << declared.error().message;
}

TEST_F(KernelSource, TheLanguageIsChosenAndACompilerNamed) {
  const auto hlsl = module_of("kernel.txt", kRegisters, {.language = "hlsl"});
  EXPECT_TRUE(hlsl) << hlsl.error().message;
  const auto wgsl = module_of("k.wgsl", "@compute @workgroup_size(1) fn main() {}\n");
  ASSERT_FALSE(wgsl);
  EXPECT_TRUE(has(wgsl.error().message, "name one with --compiler wgsl=COMMAND"));
  // The compiler is a program that writes what was compiled before.
  const auto made = module_of("made.comp", kHead + "#define VALUE 1u\n" + kMain);
  ASSERT_TRUE(made);
  std::ofstream spv(folder_ / "made.spv", std::ios::binary);
  spv.write(reinterpret_cast<const char*>((*made)->words.data()),
            static_cast<std::streamsize>((*made)->words.size() * 4));
  spv.close();
  const std::string copy = "cp '" + (folder_ / "made.spv").string() + "' {output}";
  const auto copied =
      module_of("k.wgsl", "fn main() {}\n", {.compilers = {"wgsl=sh -c \"" + copy + "\" {input}"}});
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(interface_of(*copied).local_size[0], 64U);
  EXPECT_EQ((*copied)->sources.front().text, "fn main() {}\n");
  const auto fails = module_of("k.wgsl", "fn main() {}\n",
                               {.compilers = {"wgsl=sh -c 'echo {input}:1: error: bad; exit 1'"}});
  ASSERT_FALSE(fails);
  EXPECT_TRUE(has(fails.error().message, "k.wgsl:1: error: bad")) << fails.error().message;
  const auto gone = module_of("k.wgsl", "fn main() {}\n", {.compilers = {"wgsl=no-such-program"}});
  ASSERT_FALSE(gone);
  EXPECT_TRUE(has(gone.error().message, "program no-such-program not found"))
      << gone.error().message;
}

// A block without names is printed as a list of words, which repeats the launch.
TEST_F(KernelSource, ValuesWithoutNamesArePrintedAndRead) {
  const auto named =
      module_of("k.comp",
                "#version 450\nlayout(local_size_x = 8) in;\n"
                "layout(binding = 1) uniform U { uint n; float scale; uvec4 more; };\n"
                "layout(binding = 0) buffer O { float o[]; };\n"
                "void main() { if (n < more.y) { o[gl_GlobalInvocationID.x] = scale; } }\n");
  ASSERT_TRUE(named) << named.error().message;
  core::KernelModule stripped = **named;
  auto parsed = spirv::parse(stripped.words);
  ASSERT_TRUE(parsed);
  std::erase_if(parsed->preamble, [](const spirv::Instruction& i) {
    return i.op == spv::Op::OpName || i.op == spv::Op::OpMemberName;
  });
  stripped.words = spirv::write(*parsed);
  const auto module = std::make_shared<const core::KernelModule>(std::move(stripped));
  core::Experiment experiment;
  const auto first = lab::plan_kernel(experiment, module);
  ASSERT_TRUE(first) << first.error().message;
  const std::string start = "--buffer 0.1=";
  for (const std::string& flag : lab::flags_of(*first, experiment)) {
    if (flag.starts_with(start)) {
      experiment.choices.buffers["0.1"] = flag.substr(start.size());
    }
  }
  EXPECT_TRUE(has(experiment.choices.buffers["0.1"], "32:words="))
      << experiment.choices.buffers["0.1"];
  const auto bytes_of = [](const lab::Plan& plan) {
    const auto found = std::ranges::find_if(plan.dispatch.resources,
                                            [](const core::Resource& r) { return r.binding == 1; });
    return std::vector<std::byte>(found->content.bytes.begin(), found->content.bytes.end());
  };
  const auto again = lab::plan_kernel(experiment, module);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(bytes_of(*again), bytes_of(*first));
  experiment.choices.buffers["0.1"] = "32:words=2@0x3,7,5@1";
  const auto given = lab::plan_kernel(experiment, module);
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_EQ(bytes_of(*given)[4], std::byte{3});
  EXPECT_EQ(bytes_of(*given)[8], std::byte{7});
  experiment.choices.buffers["0.1"] = "32:words=0@3";
  EXPECT_FALSE(lab::plan_kernel(experiment, module));
}

TEST_F(KernelSource, FoldersHoldKernelsOfTheComputeStage) {
  const std::string text = kHead + "#define VALUE 1u\n" + kMain;
  for (const char* name : {"a.comp", "b.glsl", "c.mesh.glsl", "d.task.glsl", "e.vert.glsl"}) {
    write(name, text);
  }
  write("f.hlsl", kRegisters);
  write("g.hlsl", "float4 shade() { return 1; }\n");
  const auto kernels = lab::kernels_in((folder_ / "kernel").string());
  ASSERT_TRUE(kernels);
  std::vector<std::string> names;
  for (const std::string& file : *kernels) {
    names.push_back(fs::path(file).filename());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a.comp", "b.glsl", "f.hlsl"}));
}

TEST_F(Compiler, IncludesEnd) {
  write("self.glsl", "#include \"self.glsl\"\n");
  write("double.glsl", "#include \"double.glsl\"\n#include \"double.glsl\"\n");
  write("there.glsl", "#include \"back.glsl\"\n");
  write("back.glsl", "#include \"there.glsl\"\n");
  for (const char* name : {"self", "double", "there"}) {
    const std::string error =
        error_of(kHead + "#include \"" + std::string(name) + ".glsl\"\n" + kMain);
    EXPECT_TRUE(has(error, "nested more than 64 deep")) << error;
  }
  // 2^14 includes, none of them deep.
  for (int i = 0; i < 14; ++i) {
    const std::string next = "#include \"wide" + std::to_string(i + 1) + ".glsl\"\n";
    write("wide" + std::to_string(i) + ".glsl", next + next);
  }
  write("wide14.glsl", "\n");
  const std::string error = error_of(kHead + "#include \"wide0.glsl\"\n" + kMain);
  EXPECT_TRUE(has(error, "more than 4096 includes")) << error;
  ASSERT_EQ(::mkfifo((folder_ / "kernel" / "pipe.glsl").c_str(), 0600), 0);
  EXPECT_TRUE(has(error_of(kHead + "#include \"pipe.glsl\"\n" + kMain), "not found"));
}

TEST_F(Compiler, ErrorsNameFileAndLine) {
  write("bad.glsl", "\nuint f() { return nothing; }\n");
  const auto in_include = gpu::compile({kHead + "#include \"bad.glsl\"\n" + kMain, kernel()});
  ASSERT_FALSE(in_include);
  EXPECT_TRUE(has(in_include.error().message, "bad.glsl:2: 'nothing'"))
      << in_include.error().message;
  EXPECT_EQ(in_include.error().line, 0);
  const auto own =
      gpu::compile({"#version 450\n#pragma unknown\n#extension GL_NEW : enable\n"
                    "void main() { nothing; }\n",
                    kernel()});
  ASSERT_FALSE(own);
  EXPECT_EQ(own.error().line, 4);
  EXPECT_TRUE(own.error().message.starts_with(kernel().string() + ":4: 'nothing'"))
      << own.error().message;
}

// What a project's build defines is missing where somebody else compiles its kernel.
TEST_F(Compiler, AWordThatNothingDefinesIsNamedWithWhatGivesIt) {
  const std::string buffer = "layout(set = 0, binding = 1) buffer E { A_TYPE e[]; };  // OTHER\n";
  EXPECT_TRUE(has(error_of(kHead + buffer + "void main() {}\n"), ":5: ''"))
      << error_of(kHead + buffer + "void main() {}\n");
  EXPECT_TRUE(has(error_of(kHead + buffer + "void main() {}\n"), "define it with -D A_TYPE=VALUE"));
  EXPECT_TRUE(has(error_of(kHead + "void main() { d[0] = 2u * ROUNDS; }\n"), "-D ROUNDS=VALUE"));
  // It is defined, and something else is wrong.
  const auto given = gpu::compile({kHead + "void main() { d[0] = ROUNDS }\n", kernel()},
                                  {.defines = {{"ROUNDS", "1u"}}});
  ASSERT_FALSE(given);
  EXPECT_FALSE(has(given.error().message, "define it with -D")) << given.error().message;
  EXPECT_FALSE(
      has(error_of(kHead + "#define R 1\nvoid main() { d[0] = nothing; }\n"), "define it with -D"));
}

TEST_F(Compiler, AnExtensionThatIsOnlyWishedForIsNamedWhereItIsMissed) {
  const auto compiled = gpu::compile(
      {"#version 450\n#extension GL_TILESCOPE_future : enable\nvoid main() { future(); }\n",
       kernel()});
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().fault, core::Fault::device);
  EXPECT_TRUE(has(compiled.error().message, ":3: 'future'")) << compiled.error().message;
  EXPECT_TRUE(has(compiled.error().message, "does not support GL_TILESCOPE_future"))
      << compiled.error().message;
}

TEST_F(Compiler, VersionsWithoutComputeShaders) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(
      has(error_of("// a kernel\nvoid main() {}\n"), "k.comp:2: the #version line is missing"));
  EXPECT_TRUE(has(error_of(""), "the #version line is missing"));
  EXPECT_TRUE(has(error_of("[numthreads(8, 8, 1)]\nvoid main() {}\n"), "looks like HLSL"));
  EXPECT_TRUE(has(error_of("#version 330\nvoid main() {}\n"), "#version 330 has no compute"));
  EXPECT_TRUE(has(error_of("#version 4500000000000\n"), "has no compute"));
  EXPECT_EQ(error_of("/* \n */ # version 450 core\nlayout(local_size_x = 1) in;\nvoid main() {}\n"),
            "none");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");  // glslang's built-ins
}

TEST_F(Compiler, Hlsl) {
  const std::string text =
      "RWStructuredBuffer<uint> d : register(u0);\n[numthreads(64, 1, 1)]\n"
      "void work(uint3 g : SV_DispatchThreadID) { d[g.x] = g.x; }\n";
  const auto compiled =
      gpu::compile({text, folder_ / "k.hlsl"}, {.entry = "work", .language = gpu::Language::hlsl});
  EXPECT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(gpu::language_of("a/k.hlsl"), gpu::Language::hlsl);
}

}  // namespace
