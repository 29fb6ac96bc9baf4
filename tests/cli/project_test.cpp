// The project file: launches by kernel, what check does with it, and init.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/process.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::Finished;

class ProjectFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-project-" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "include");
    fs::create_directories(folder_ / "kernels/deep");
    write("include/value.glsl", "#define VALUE 1u\n");
    // Right with n = 64; beyond the buffer with more.
    write("kernels/fill.comp",
          "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
          "#include \"value.glsl\"\nlayout(local_size_x = 64) in;\n"
          "layout(push_constant) uniform P { uint n; };\n"
          "layout(binding = 0) buffer O { uint o[]; };\n"
          "void main() { if (gl_GlobalInvocationID.x < n) o[gl_GlobalInvocationID.x] = VALUE; }\n");
    write("kernels/deep/racy.comp",
          "#version 450\nlayout(local_size_x = 64) in;\nshared uint s[64];\n"
          "layout(binding = 0) buffer O { uint o[]; };\nvoid main() {\n"
          "  uint i = gl_LocalInvocationIndex;\n  s[i] = i;\n"
          "  o[gl_GlobalInvocationID.x] = s[i ^ 1u];\n}\n");
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string in(const std::string& name) const { return (folder_ / name).string(); }
  // The command in the project's folder.
  [[nodiscard]] Finished call(const std::string& arguments) const {
    const fs::path here = fs::current_path();
    fs::current_path(folder_);
    Finished finished = tests::run(arguments);
    fs::current_path(here);
    return finished;
  }

  fs::path folder_;
};

constexpr const char* kProject =
    "tilescope_project = 1\ninclude_dirs = ['include']\n"
    "[[launch]]\nname = 'small'\nkernel = 'kernels/*.comp'\ngroups = [1, 1, 1]\n"
    "set = { n = 64 }\nbuffers = { O = '{4 * n}' }\n"
    "[[launch]]\nname = 'large'\nkernel = 'kernels/fill.comp'\ngroups = [2, 1, 1]\n"
    "set = { n = 128 }\nbuffers = { O = '{4 * n}' }\n"
    "[[launch]]\nkernel = '**/racy.comp'\ngroups = [1, 1, 1]\nexpect = 'racy'\n";

TEST_F(ProjectFile, CheckWithoutAKernelChecksEachLaunch) {
  write("tilescope.toml", kProject);
  const Finished checked = call("check --json");
  if (checked.status == 3) {
    GTEST_SKIP() << checked.err;
  }
  EXPECT_EQ(checked.status, 0) << checked.err << checked.out;
  const json reports = json::parse(checked.out).at("reports");
  ASSERT_EQ(reports.size(), 3U) << checked.out;
  EXPECT_EQ(reports.at(0).at("expected"), "racy");
  EXPECT_EQ(reports.at(1).at("kernel"), "kernels/fill.comp (small)");
  EXPECT_EQ(reports.at(2).at("kernel"), "kernels/fill.comp (large)");
  EXPECT_EQ(reports.at(2).at("workgroups").at("total"), 2);
  // A second run takes what it found; a changed include is seen.
  EXPECT_EQ(json::parse(checked.out).at("unchanged"), 0);
  const Finished again = call("check --json");
  EXPECT_EQ(again.status, 0) << again.err;
  json second = json::parse(again.out);
  EXPECT_EQ(second.at("unchanged"), 3);
  EXPECT_EQ(second.at("reports"), reports);
  const Finished text = call("check");
  EXPECT_TRUE(text.out.contains("kernels/fill.comp (large) on ")) << text.out;
  EXPECT_TRUE(text.out.contains("3 unchanged since an earlier run")) << text.out;
  write("include/value.glsl", "#define VALUE 2u\n");
  EXPECT_EQ(json::parse(call("check --json").out).at("unchanged"), 1);
  EXPECT_EQ(json::parse(call("check --json --launch-name large --no-cache").out).at("kernels"), 1);
  // Other commands than check read the file too.
  const Finished run = call("run kernels/fill.comp --launch-name large --repeat 1 --json");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(json::parse(run.out).at("tiles").at("count").at(0), 2);
  // Without it there is no include folder.
  EXPECT_EQ(call("check kernels/fill.comp --no-project").status, 2);
}

TEST_F(ProjectFile, AnIncompleteCheckIsKept) {
  write("kernels/never.comp",
        "#version 450\nlayout(local_size_x = 1) in;\n"
        "layout(binding = 0) buffer O { uint o[]; };\n"
        "void main() {\n  if (gl_WorkGroupID.x > 9u) o[0] = 1u;\n}\n");
  write("tilescope.toml",
        "tilescope_project = 1\n[[launch]]\nkernel = 'kernels/never.comp'\ngroups = [1, 1, 1]\n");
  const Finished checked = call("check kernels/never.comp kernels/deep/racy.comp --json");
  if (checked.status == 3) {
    GTEST_SKIP() << checked.err;
  }
  const json reports = json::parse(checked.out).at("reports");
  EXPECT_EQ(reports.at(0).at("verdict"), "incomplete") << checked.out;
  const json again =
      json::parse(call("check kernels/never.comp kernels/deep/racy.comp --json").out);
  EXPECT_EQ(again.at("unchanged"), 2);
  EXPECT_EQ(again.at("reports"), reports);
}

TEST_F(ProjectFile, AnotherVerdictThanExpectedIsAFinding) {
  write("tilescope.toml",
        "tilescope_project = 1\n[[launch]]\nkernel = 'kernels/deep/*'\ngroups = [1, 1, 1]\n"
        "expect = 'divergent'\n");
  const Finished checked = call("check kernels/deep/racy.comp");
  EXPECT_EQ(checked.status, 1) << checked.err;
  EXPECT_TRUE(checked.out.contains("expected verdict: divergent (not found)")) << checked.out;
  write("tilescope.toml",
        "tilescope_project = 1\n[[launch]]\nkernel = 'kernels/deep/*'\ngroups = [1, 1, 1]\n"
        "allow = ['race on s']\n");
  const Finished allowed = call("check kernels/deep/racy.comp --json");
  EXPECT_EQ(allowed.status, 0) << allowed.err;
  EXPECT_EQ(json::parse(allowed.out).at("allowed"), 1);
}

TEST_F(ProjectFile, MistakesAreSentences) {
  const auto refused = [&](const std::string& arguments, const char* why) {
    const Finished finished = call(arguments);
    EXPECT_EQ(finished.status, 2) << arguments << finished.out;
    EXPECT_TRUE(finished.err.contains(why)) << finished.err;
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
  };
  refused("check", "tilescope init");
  refused("check --launch-name x kernels/fill.comp", "has no tilescope.toml");
  write("tilescope.toml", "tilescope_project = 1\nkernel = 'a'\n");
  refused("check", "tilescope.toml:2: unknown key \"kernel\" in a project; did you mean kernels?");
  refused("run kernels/fill.comp", "tilescope.toml:2: unknown key \"kernel\"");
  write("tilescope.toml", "tilescope_project = 1\n");
  refused("check --launch-name x", "no kernel has a launch of this name");
  refused("check --no-project", "name a kernel");
  refused("check --since HEAD", "--since");
  refused("init", "already exists");
  write("kernels/w.wgsl", "");
  write("tilescope.toml", "tilescope_project = 1\ncompilers = { wgsl = 'true' }\n");
  refused("check kernels/w.wgsl", "--allow-commands");
}

TEST_F(ProjectFile, SinceARevisionWithIncludes) {
  const std::string git = "git -C '" + folder_.string() + "' -c user.name=a -c user.email=a@b ";
  const std::string make =
      "(" + git + "init -q && " + git + "add -A && " + git + "commit -q -m a) >/dev/null 2>&1";
  write("tilescope.toml", kProject);
  // NOLINTNEXTLINE(cert-env33-c,bugprone-command-processor,concurrency-mt-unsafe)
  if (std::system(make.c_str()) != 0) {
    GTEST_SKIP() << "no git";
  }
  const Finished none = call("check --since HEAD");
  EXPECT_EQ(none.status, 0) << none.err;
  EXPECT_EQ(none.out, "no kernel has changed\n");
  EXPECT_EQ(call("check --since nothing").status, 2);
  write("include/value.glsl", "#define VALUE 3u\n");
  const Finished some = call("check --since HEAD --json");
  if (some.status != 3) {
    EXPECT_EQ(some.status, 0) << some.err;
    EXPECT_EQ(json::parse(some.out).at("kernels"), 2) << some.out;  // both launches of fill.comp
  }
}

TEST_F(ProjectFile, InitWritesWhatTilescopeChose) {
  write("kernels/fill.comp.spv", "compiled from fill.comp");
  const Finished made = call("init");
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(made.out.contains(": 2 kernels"))
      << made.out << "a module beside its source is left out";
  std::ifstream stream(in("tilescope.toml"));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(text.contains("include_dirs = [\"include\"]\n")) << text;
  if (text.contains("not checked")) {
    GTEST_SKIP() << text;  // no device
  }
  EXPECT_TRUE(text.contains("kernel = \"kernels/deep/racy.comp\"\n# check: racy\n# groups = ["))
      << text;
  EXPECT_TRUE(text.contains("# set = { n = ")) << text;
  // The same with the comments taken away.
  std::string open = text;
  for (const char* key : {"# groups", "# set", "# buffers"}) {
    for (std::size_t at = 0; (at = open.find(key, at)) != std::string::npos;) {
      open.replace(at, 2, "");
    }
  }
  write("tilescope.toml", open);
  EXPECT_EQ(call("check kernels/deep/racy.comp").status, 1);
  EXPECT_EQ(call("check kernels/fill.comp").status, 0);
}

}  // namespace
