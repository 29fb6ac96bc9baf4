// The project file: its launches, its globs, its mistakes, and the consent to its commands.
#include "lab/plan/project_file.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/files/consent.h"
#include "lab/plan/kernel_files.h"

namespace {

namespace fs = std::filesystem;

class ProjectFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::weakly_canonical(testing::TempDir()) /
              ("tilescope-project-file-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    write("kernels/a.comp");
    write("kernels/b.comp");
    write("kernels/deep/c.comp");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text = "#version 450\n") const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  // The project file with these lines behind the version.
  [[nodiscard]] core::Expected<lab::Project> project(const std::string& lines) const {
    write("tilescope.toml", "tilescope_project = 1\n" + lines);
    return lab::read_project(folder_ / "tilescope.toml");
  }
  [[nodiscard]] std::string kernel(const std::string& name) const {
    return (folder_ / "kernels" / name).string();
  }
  // The only launch of a.comp, with these lines.
  [[nodiscard]] core::Expected<lab::ProjectLaunch> launch(const std::string& lines) const {
    const auto read = project("[[launch]]\nkernel = 'kernels/a.comp'\n" + lines);
    return read ? lab::launch_of(*read, kernel("a.comp"), "") : std::unexpected(read.error());
  }

  fs::path folder_;
};

TEST(Glob, AStarStaysInItsFolder) {
  EXPECT_TRUE(lab::matches_glob("a/b.comp", "a/*.comp"));
  EXPECT_FALSE(lab::matches_glob("a/c/b.comp", "a/*.comp"));
  EXPECT_TRUE(lab::matches_glob("a/c/b.comp", "**/b.comp"));
  EXPECT_TRUE(lab::matches_glob("b.comp", "**/b.comp"));
  EXPECT_FALSE(lab::matches_glob("ab.comp", "**/b.comp"));
  EXPECT_TRUE(lab::matches_glob("a/c/b.comp", "a/**"));
  EXPECT_TRUE(lab::matches_glob("b1.comp", "b?.comp"));
  EXPECT_FALSE(lab::matches_glob("b/.comp", "b?.comp"));
  EXPECT_TRUE(lab::matches_glob("a/b.comp", "a/**/b.comp"));
  EXPECT_TRUE(lab::matches_glob("a/c/d/b.comp", "a/**/b.comp"));
}

// Trying each star at each place would take years.
TEST(Glob, ManyStarsAreNoProblem) {
  std::string glob = "**/";
  for (int i = 0; i < 20; ++i) {
    glob += "*a";
  }
  EXPECT_FALSE(lab::matches_glob(std::string(200, 'a') + "/" + std::string(200, 'a'), glob + "b"));
  EXPECT_TRUE(lab::matches_glob(std::string(200, 'a'), glob));
}

TEST_F(ProjectFile, ExpressionsUseSizesAndConstants) {
  const auto found = launch(
      "sizes = { width = 64, height = '{width / 2}' }\nset = { n = '{width * height}', f = 0.5 }\n"
      "groups = ['{ceil_div(width, 16)}', 2]\npush = ['{n}', 7]\nspec = { 3 = 4 }\n"
      "buffers = { In = '{4 * n}:random', Out = 128, '0.2' = '{2 * f * width}' }\n");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->settings.at("n"), "2048");
  EXPECT_EQ(found->settings.at("f"), "0.5");
  EXPECT_FALSE(found->settings.contains("width"));
  EXPECT_EQ(found->choices.groups, (core::Sizes{4, 2, 1}));
  EXPECT_EQ(found->choices.push, (std::vector<std::uint32_t>{2048, 7}));
  EXPECT_EQ(found->choices.spec.at(3), 4U);
  EXPECT_EQ(found->choices.buffers.at("In"), "8192:random");
  EXPECT_EQ(found->choices.buffers.at("Out"), "128");
  EXPECT_EQ(found->choices.buffers.at("0.2"), "64");
}

TEST_F(ProjectFile, PathsAreRelativeToItsFolder) {
  const auto read = project(
      "include_dirs = ['inc']\ndefines = ['A=1']\n[[launch]]\nname = 'x'\nkernel = '**/a.comp'\n"
      "include_dirs = ['more']\ndefines = ['B']\nreference = 'kernels/b.comp'\n"
      "buffers = { I = '64:@data.bin' }\nallow = ['race on s', 'out-of-bounds']\n");
  ASSERT_TRUE(read) << read.error().message;
  const auto all = lab::launches_of(*read, kernel("a.comp"));
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 1U);
  const core::KernelChoices& choices = all->front().choices;
  ASSERT_EQ(choices.include_dirs.size(), 2U);
  EXPECT_EQ(fs::weakly_canonical(choices.include_dirs[0]), folder_ / "inc");
  EXPECT_EQ(fs::weakly_canonical(choices.include_dirs[1]), folder_ / "more");
  EXPECT_EQ(choices.defines, (std::vector<std::string>{"A=1", "B"}));
  EXPECT_EQ(fs::weakly_canonical(choices.reference), folder_ / "kernels/b.comp");
  EXPECT_EQ(fs::weakly_canonical(choices.buffers.at("I").substr(4)), folder_ / "data.bin");
  EXPECT_EQ(all->front().allow.at(0).variable, "s");
  // Other kernels have the project's own include folders and macros.
  const auto other = lab::launch_of(*read, kernel("b.comp"), "");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->choices.defines, std::vector<std::string>{"A=1"});
}

TEST_F(ProjectFile, IsFoundFromTheKernelUpwards) {
  write("tilescope.toml", "tilescope_project = 1\n");
  EXPECT_EQ(lab::project_file_of(kernel("deep/c.comp")), folder_ / "tilescope.toml");
  EXPECT_EQ(lab::project_file_of(kernel("none.comp")), fs::path());
  write("kernels/deep/tilescope.toml",
        "tilescope_project = 1\n[[launch]]\nkernel = 'c.comp'\n"
        "groups = [7]\n");
  EXPECT_EQ(lab::project_file_of(kernel("deep/c.comp")), folder_ / "kernels/deep/tilescope.toml");
  const auto experiment = lab::experiment_of_project(kernel("deep/c.comp"));
  ASSERT_TRUE(experiment && *experiment);
  EXPECT_EQ((*experiment)->choices.groups, (core::Sizes{7, 1, 1}));
}

TEST_F(ProjectFile, ListsItsKernels) {
  write(".hidden/d.comp");
  write("other/tilescope.toml", "tilescope_project = 1\n");
  write("other/e.comp");
  write("kernels/f.wgsl", "");
  const auto names = [&](const std::string& lines) {
    const auto read = project(lines);
    const auto kernels = read ? lab::kernels_of(*read) : std::unexpected(read.error());
    std::string list;
    for (const std::string& path : kernels.value_or(std::vector<std::string>{})) {
      list += fs::path(path).stem().string();
    }
    return kernels ? list : kernels.error().message;
  };
  EXPECT_EQ(names(""), "abc");
  EXPECT_EQ(names("kernels = ['kernels/*.comp']\n"), "ab");
  EXPECT_EQ(names("compilers = { wgsl = 'naga' }\n"), "abcf");
  const auto has = [&](const std::string& lines, const char* what) {
    const std::string message = names(lines);
    EXPECT_TRUE(message.contains(what)) << message;
  };
  has("kernels = ['kernels/*.comp',\n'none/*']\n", ":3: kernels: \"none/*\" matches no kernel");
  has("[[launch]]\nkernel = ['**/a.comp', 'x.comp']\n", ":3: kernel: \"x.comp\" matches no kernel");
  has("[[launch]]\nkernel = '**/a.comp'\nreference = 'kernels/a.comp'\n", "is its own reference");
  has("[[launch]]\nkernel = '**/a.comp'\nreference = 'kernels/b.comp'\n"
      "[[launch]]\nkernel = '**/b.comp'\nreference = 'kernels/a.comp'\n",
      "the references form a cycle: kernels/a.comp → kernels/b.comp → kernels/a.comp");
}

TEST_F(ProjectFile, NamesLaunches) {
  const auto read = project(
      "[[launch]]\nkernel = '**'\nname = 'small'\n[[launch]]\nkernel = '**/a.comp'\n"
      "[[launch]]\nkernel = '**/b.comp'\nname = 'small'\n");
  ASSERT_TRUE(read);
  const auto all = lab::launches_of(*read, kernel("a.comp"));
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->at(0).name, "small");
  EXPECT_EQ(all->at(1).name, "2");
  EXPECT_TRUE(lab::launch_of(*read, kernel("a.comp"), "2"));
  const auto none = lab::launch_of(*read, kernel("a.comp"), "huge");
  EXPECT_TRUE(!none && none.error().message.contains("has no launch \"huge\""));
  const auto twice = lab::launches_of(*read, kernel("b.comp"));
  EXPECT_TRUE(!twice && twice.error().message.contains("two launches with the name \"small\""));
}

TEST_F(ProjectFile, MistakesAreSentencesWithALine) {
  const auto refused = [&](const std::string& text, const std::string& why) {
    write("tilescope.toml", text);
    const auto read = lab::read_project(folder_ / "tilescope.toml");
    ASSERT_FALSE(read) << text;
    EXPECT_TRUE(read.error().message.contains(why)) << read.error().message;
    EXPECT_EQ(std::ranges::count(read.error().message, '\n'), 0) << read.error().message;
  };
  refused("", "tilescope_project, the format version, is missing; add tilescope_project = 1");
  refused("tilescope_project = 2\n", ":1: tilescope_project is 2, but this Tilescope reads");
  refused("tilescope_project = 'x'\n", ":1: tilescope_project, the format version, must be 1");
  const std::string start = "tilescope_project = 1\n";
  refused(start + "= 3\n", ":2: the file is not valid TOML");
  refused(start + "kernel = 'a'\n",
          ":2: unknown key \"kernel\" in a project; did you mean kernels?");
  refused(start + "kernels = 'a'\n", ":2: kernels must be a list of strings");
  refused(start + "defines = ['A',\n3]\n", ":3: defines must be a list of strings");
  refused(start + "compilers = 'naga'\n", ":2: compilers must be a table");
  refused(start + "compilers = { wgsl = ' ' }\n",
          ":2: compilers.wgsl must be a string with a command");
  refused(start + "compilers = { wgsl = \"a\\u001b[8m\" }\n", "compilers.wgsl has a control");
  refused(start + "launch = 'a'\n", ":2: launch must be a list of tables; write [[launch]]");
  refused(start + "[launch]\nkernel = 'a'\n",
          ":2: launch must be a list of tables; write [[launch]]");
  refused(start + "[[launch]]\n", ":2: a [[launch]] needs a kernel");
  const auto wrong = [&](const std::string& line, const std::string& why) {
    refused(start + "[[launch]]\nkernel = '*'\n" + line + "\n", ":4: " + why);
  };
  wrong("bufers = {}", "unknown key \"bufers\" in a [[launch]]; did you mean buffers?");
  wrong("zzzzz = 1", "unknown key \"zzzzz\" in a [[launch]]; choose from kernel, name, sizes");
  wrong("name = 3", "name must be a string");
  wrong("groups = 4", "groups must be a list of whole numbers of at least 1");
  wrong("groups = [0]", "groups must be a list of whole numbers of at least 1");
  wrong("groups = [1, 'two']", "groups must be a list of whole numbers of at least 1");
  wrong("groups = [1, 1, 1, 1]", "groups must have 1 to 3 numbers");
  wrong("items = []", "items must have 1 to 3 numbers");
  wrong("push = [-1]", "push must be a list of 32-bit numbers");
  wrong("spec = { a = 1 }", "spec must be a table of 32-bit numbers");
  wrong("buffers = ['4']", "buffers must be a table of strings");
  wrong("buffers = { O = ['4'] }", "buffers.O must be a number, a string, true or false");
  wrong("set = 4", "set must be a table");
  wrong("set = { n = [1] }", "set.n must be a number, a string, true or false");
  wrong("expect = 'fine'", "expect must be one of clean, racy");
  wrong("expect = 1", "expect must be a string");
  wrong("allow = 'rac'", "allow must be KIND or KIND on VARIABLE, not \"rac\"");
  wrong("buffers = { O = '{m}' }", "buffers.O: ");
  wrong("buffers = { O = '{4 * }' }", "buffers.O: ");
  wrong("buffers = { O = '{1 / 0}' }", "buffers.O: ");
  wrong("buffers = { O = '{4' }", "buffers.O: \"{4\": a closing } is missing");
  wrong("set = { v = '1,2', n = '{v}' }", "set.n: v must be a number, not \"1,2\"");
  wrong("sizes = { a = '{b}', b = '{a}' }", "sizes: \"a\" depends on itself: a → b → a");
  wrong("set = { a = '{a}' }", "set.a: \"a\" depends on itself: a → a");
  refused(start + "[[launch]]\nkernel = '*'\ngroups = [1]\nitems = [1]\n",
          ":4: groups and items both give the launch's size");
}

TEST_F(ProjectFile, CommandsNeedConsentForTheirFolder) {
  // NOLINTBEGIN(concurrency-mt-unsafe): a test has one thread
  const char* before = std::getenv("XDG_CONFIG_HOME");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
  write("kernels/f.wgsl", "");
  // Quotes keep blanks, and a path is no place for {project}.
  const auto quoted = project("compilers = { wgsl = \"'{project}/a b/c' -x '{project}'\" }\n");
  ASSERT_TRUE(quoted) << quoted.error().message;
  EXPECT_EQ(quoted->compilers.at(0),
            "wgsl='" + (folder_ / "a b/c").string() + "' -x " + folder_.string());
  EXPECT_FALSE(project("compilers = { wgsl = \"naga \\u202E {input}\" }\n"));
  const auto read = project("compilers = { wgsl = 'tools/naga {project}/x {input}' }\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->compilers.at(0), "wgsl=" + (folder_ / "tools/naga").string() + " " +
                                       (folder_ / "x").string() + " {input}");
  core::KernelChoices choices;
  const auto refused = lab::add_compilers(*read, kernel("f.wgsl"), false, choices);
  EXPECT_TRUE(!refused && refused.error().message.contains("--allow-commands"));
  EXPECT_FALSE(lab::experiment_of_project(kernel("f.wgsl")));
  // A kernel that needs no command is not refused, and gets none.
  EXPECT_TRUE(lab::add_compilers(*read, kernel("a.comp"), false, choices));
  EXPECT_TRUE(choices.compilers.empty());
  EXPECT_TRUE(lab::add_compilers(*read, kernel("f.wgsl"), true, choices));
  EXPECT_EQ(choices.compilers, read->compilers);
  ASSERT_TRUE(lab::keep_consent(read->folder, read->compilers));
  EXPECT_TRUE(lab::has_consent(folder_, read->compilers));
  EXPECT_TRUE(lab::experiment_of_project(kernel("f.wgsl")));
  // Another folder, and other commands, need their own.
  EXPECT_FALSE(lab::has_consent(folder_ / "kernels", read->compilers));
  EXPECT_FALSE(lab::has_consent(folder_, {"wgsl=other"}));
  // A damaged file is no consent, and is moved aside.
  std::ofstream(lab::consent_file()) << "= damaged";
  EXPECT_FALSE(lab::has_consent(folder_, read->compilers));
  ASSERT_TRUE(lab::keep_consent(folder_, {"wgsl=other"}));
  EXPECT_TRUE(lab::has_consent(folder_, {"wgsl=other"}));
  EXPECT_TRUE(fs::exists(lab::consent_file().string() + ".damaged"));
  // A file of a newer Tilescope is neither read nor replaced.
  std::ofstream(lab::consent_file()) << "tilescope_consent = 99\n";
  EXPECT_FALSE(lab::has_consent(folder_, read->compilers));
  EXPECT_FALSE(lab::keep_consent(folder_, read->compilers));
  kept.empty() ? ::unsetenv("XDG_CONFIG_HOME") : ::setenv("XDG_CONFIG_HOME", kept.c_str(), 1);
  // NOLINTEND(concurrency-mt-unsafe)
}

TEST_F(ProjectFile, FilesOfAKernelAreItsIncludes) {
  write("inc/x.glsl", "#include \"y.glsl\"\n#if 0\n#  include <none.glsl>\n#endif\n");
  write("inc/y.glsl", "#include \"x.glsl\"\n");  // a cycle ends
  write("kernels/a.comp", "#version 450\n#include \"x.glsl\"\n");
  write("kernels/b.comp", "#version 450\n#define F \"x.glsl\"\n#include F\n");
  write("kernels/data.bin", "0123");
  core::KernelChoices choices;
  EXPECT_EQ(lab::files_of_kernel(kernel("a.comp"), choices).missing,
            std::vector<std::string>{"x.glsl"});
  choices.include_dirs = {(folder_ / "inc").string()};
  choices.buffers["I"] = "4:@" + kernel("data.bin");
  const lab::KernelFiles found = lab::files_of_kernel(kernel("a.comp"), choices);
  ASSERT_EQ(found.files.size(), 4U);
  EXPECT_EQ(found.files.at(0).filename(), "x.glsl");
  EXPECT_EQ(found.files.at(2).filename(), "a.comp");
  EXPECT_EQ(found.missing, std::vector<std::string>{"none.glsl"});
  EXPECT_TRUE(found.complete);
  EXPECT_FALSE(lab::files_of_kernel(kernel("b.comp"), choices).complete);
}

}  // namespace
