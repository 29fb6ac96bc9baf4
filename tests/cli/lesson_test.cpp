// Every lesson is gone through to its end: what is right is read off the runs.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/process.h"

namespace {

namespace fs = std::filesystem;

// Steps that the run answered.
// Steps with a question or a repair: a line for each.
std::size_t steps_answered(const std::string& out) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < out.size(); at = std::min(out.find('\n', at), out.size()) + 1) {
    count += out.compare(at, 5, "step ") == 0 ? 1 : 0;
  }
  return count;
}

fs::path lessons() {
  return fs::path(TILESCOPE_SOURCE_DIR) / "assets" / "lessons";
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(lessons())) {
    all.push_back(entry.path().stem().string());
  }
  std::ranges::sort(all);
  return all;
}

// One test a lesson: on a busy machine, or under a sanitizer, each takes its time.
class EachLesson : public testing::TestWithParam<std::string> {};

TEST_P(EachLesson, IsFollowedToItsEnd) {
  const auto run = tests::run("lesson --check " + (lessons() / (GetParam() + ".toml")).string());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_GE(steps_answered(run.out), GetParam() == "first-look" ? 2U : 3U)
      << "a lesson asks before it shows: " << run.out;
}

INSTANTIATE_TEST_SUITE_P(All, EachLesson, testing::ValuesIn(names()), [](const auto& named) {
  std::string name = named.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Lesson, ThereIsOneOnEachThing) {
  const auto all = names();
  EXPECT_GE(all.size(), 18U);
  for (const char* name :
       {"first-look", "tiles", "barriers", "waits", "divergence", "hazards", "edges", "memory",
        "occupancy", "waves", "registers", "pays", "accelerators", "reduction", "scan", "histogram",
        "stencil", "attention"}) {
    EXPECT_NE(std::ranges::find(all, name), all.end()) << name;
  }
  const auto list = tests::run("lesson");
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_NE(list.out.find("barriers"), std::string::npos);
}

TEST(Lesson, WhatTheRunSaysIsToldAndMistakesHaveALine) {
  const auto run = tests::run("lesson --check " + (lessons() / "barriers.toml").string());
  EXPECT_NE(run.out.find("step 2: barriers is 2"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("step 4: verdict is racy"), std::string::npos) << run.out;
  const auto traced = tests::run("lesson --check " + (lessons() / "memory.toml").string());
  EXPECT_NE(traced.out.find("step 3: sectors at is 32"), std::string::npos) << traced.out;
  EXPECT_NE(traced.out.find("step 6: ways tile is 1: It is gone"), std::string::npos) << traced.out;
  const auto missing = tests::run("lesson --check nothing.toml");
  EXPECT_EQ(missing.status, 2);
}

TEST(Lesson, AnAnswerThatIsNoChoiceIsASentence) {
  for (const char* answer : {"0", "3", "22", "99999999999999999999999", "two", "-1"}) {
    const auto run =
        tests::run("lesson waits --step 2 -o nothing.png --answer=" + std::string(answer));
    EXPECT_EQ(run.status, 2) << answer << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
}

// Other tests run at the same time.
fs::path own(const std::string& name) {
  return fs::path(testing::TempDir()) /
         ("tilescope-lesson-" + std::to_string(::getpid()) + "-" + name);
}

// A lesson of one step, and what its check says.
tests::Finished tried(const std::string& step) {
  const fs::path file = own("lesson.toml");
  std::ofstream(file) << "title = \"t\"\n[[step]]\ntext = \"t\"\n" << step;
  tests::Finished finished = tests::run("lesson --check " + file.string());
  fs::remove(file);
  return finished;
}

TEST(Lesson, ALineThatAStepWantsMustBeInItsKernel) {
  const std::string step = "variant = \"matmul/tiled\"\nsize = [32, 32, 32]\ntile = 16\n";
  const auto there = tried(step + "source = \"sum += tile_a\"\n");
  EXPECT_EQ(there.status, 0) << there.err;
  const auto missing = tried(step + "source = \"no such line\"\n");
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("step 1: no file of matmul/tiled has a line with \"no such line\""),
            std::string::npos)
      << missing.err;
  EXPECT_EQ(std::ranges::count(missing.err, '\n'), 1) << missing.err;
  EXPECT_EQ(tried(step + "source = [\"barrier();\", \"barrier();\"]\n").status, 0);
  const auto third = tried(step + "source = [\"barrier();\", \"barrier();\", \"barrier();\"]\n");
  EXPECT_EQ(third.status, 2) << "it has two";
  EXPECT_NE(third.err.find("followed by one with"), std::string::npos) << third.err;
  for (const char* bad : {"[]", "[1]", "\"\"", "[\"barrier();\", \"\"]"}) {
    const auto run = tried(step + "source = " + bad + "\n");
    EXPECT_EQ(run.status, 2) << bad;
    EXPECT_NE(run.err.find("part of one line, or a list"), std::string::npos) << run.err;
  }
}

TEST(Lesson, WhatAWorkgroupTellsNeedsAViewOfOne) {
  const auto grid = tried("view = \"grid\"\nfact = \"times a\"\n");
  EXPECT_EQ(grid.status, 2);
  EXPECT_NE(grid.err.find("tile, banks or advice"), std::string::npos) << grid.err;
  const auto unknown = tried("view = \"tile\"\nfact = \"times\"\n");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("times ARRAY"), std::string::npos) << unknown.err;
}

TEST(Lesson, APlaceIsClickedOnWhereItIsShown) {
  const std::string tile = "variant = \"matmul/tiled\"\nsize = [64, 64, 64]\ntile = 16\n";
  const auto row = tried(tile + "view = \"tile\"\nfact = \"read-by 10,5 tile_a\"\n");
  EXPECT_NE(row.out.find("tile_a[5][0], tile_a[5][1]"), std::string::npos) << row.out << row.err;
  EXPECT_NE(row.out.find("and 8 more"), std::string::npos) << row.out;
  const auto grid = tried(tile + "view = \"grid\"\nfact = \"read-by 10,5 tile_a\"\n");
  EXPECT_EQ(grid.status, 2);
  EXPECT_NE(grid.err.find("the view of its step must be tile"), std::string::npos) << grid.err;
  const auto whole = tried(tile + "view = \"grid\"\nfact = \"idle-tiles\"\n");
  EXPECT_EQ(whole.status, 2) << "tiles divide it: there is nothing to click on";
}

TEST(Lesson, AStepSaysWhichWorkgroupIsLookedInto) {
  const std::string step =
      "variant = \"matmul/tiled\"\nsize = [40, 40, 40]\ntile = 16\nview = \"advice\"\n"
      "fact = \"elements a\"\n";
  EXPECT_NE(tried(step).out.find("elements a is 640"), std::string::npos) << "16 rows of 40";
  const auto last = tried(step + "workgroup = 8\n");
  EXPECT_NE(last.out.find("elements a is 320"), std::string::npos) << last.out << last.err;
  for (const char* wrong : {"9", "-1", "\"last\"", "[2, 2]", "1.5"}) {
    const auto run = tried(step + "workgroup = " + wrong + "\n");
    EXPECT_EQ(run.status, 2) << wrong;
    EXPECT_NE(run.err.find("workgroup"), std::string::npos) << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
}

TEST(Lesson, WhatIsToBeMendedIsBrokenAndItsSolutionIsWhole) {
  const std::string step =
      "variant = \"matmul/tiled\"\nsize = [64, 64, 64]\ntile = 16\nview = \"tile\"\n"
      "mend = true\n";
  const std::string broken =
      "given = [{ from = \"    barrier();\\n\\n    for\", to = \"\\n    for\" }]\n";
  const auto mended = tried(step + broken);
  EXPECT_EQ(mended.status, 0) << mended.err;
  EXPECT_NE(mended.out.find("repaired: compiles, correct, free of races"), std::string::npos);
  const auto whole = tried(step + "given = [{ from = \"sum = 0.0\", to = \"sum = 0.0e0\" }]\n");
  EXPECT_EQ(whole.status, 2);
  EXPECT_NE(whole.err.find("nothing to repair"), std::string::npos) << whole.err;
  const auto worse =
      tried(step + broken + "solution = [{ from = \"sum = 0.0\", to = \"sum = 1.0\" }]\n");
  EXPECT_EQ(worse.status, 2);
  EXPECT_NE(worse.err.find("does not pass"), std::string::npos) << worse.err;
  EXPECT_EQ(tried(step + "given = [{ from = \"nowhere\", to = \"\" }]\n").status, 2);
  EXPECT_EQ(tried(step).status, 2) << "there is no solution";
}

// Not of the file's kernel, of which nothing is to be mended.
TEST(Lesson, APictureIsOfTheKernelThatIsGiven) {
  const auto picture_of = [](const std::string& to) {
    const fs::path file = own("given.toml");
    std::ofstream(file) << "order = 1\ntitle = \"T\"\nabout = \"A\"\n[[step]]\ntext = \"t\"\n"
                           "variant = \"matmul/tiled\"\nsize = [64, 64, 64]\ntile = 16\n"
                           "view = \"grid\"\nmend = true\n"
                        << "given = [{ from = \"    barrier();\\n\\n    for\", to = \"" << to
                        << "    for\" }]\n";
    const fs::path picture = own("given.png");
    const auto run =
        tests::run("lesson " + file.string() + " --step 1 --json -o " + picture.string());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_GT(fs::file_size(picture), 10000U);
    fs::remove(file);
    fs::remove(picture);
    return nlohmann::json::parse(run.out);
  };
  EXPECT_EQ(picture_of("\\n").at("verdict"), "racy");
  EXPECT_FALSE(picture_of("no word;\\n").at("error").get<std::string>().empty());
}

TEST(Lesson, AHandoutIsAPageWithItsPictures) {
  const fs::path folder = own("handout");
  fs::remove_all(folder);
  const auto run = tests::run("lesson first-look -o " + folder.string());
  EXPECT_EQ(run.status, 0) << run.err;
  std::ifstream file(folder / "first-look.html");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_NE(page.find("<b>B</b>: A race"), std::string::npos) << "the run says which is right";
  EXPECT_NE(page.find("<ins>    barrier();</ins>"), std::string::npos) << "one way to mend it";
  EXPECT_EQ(page.find("http"), std::string::npos) << "it needs nothing from elsewhere";
  for (const char* picture : {"first-look-1.png", "first-look-2.png"}) {
    EXPECT_NE(page.find(picture), std::string::npos);
    EXPECT_GT(fs::file_size(folder / picture), 10000U);
  }
  EXPECT_EQ(tests::run("lesson nothing -o " + folder.string()).status, 2);
  fs::remove_all(folder);
}

TEST(Lesson, AStepHasSettingsOfItsOwn) {
  const std::string scan =
      "variant = \"scan/blelloch-padded\"\nsize = [512]\ntile = 64\nview = \"banks\"\n"
      "fact = \"ways tile\"\n";
  EXPECT_NE(tried(scan + "set = { PAD = 0 }\n").out.find("ways tile is 4"), std::string::npos);
  EXPECT_NE(tried(scan + "set = { PAD = 1 }\n").out.find("ways tile is 1"), std::string::npos);
  EXPECT_EQ(tried(scan + "set = { PAD = 0.5 }\n").status, 2);
}

TEST(Lesson, WithJsonAllThatIsPrintedIsADocument) {
  const auto words = tests::run("lesson barriers --json");
  EXPECT_EQ(words.status, 0) << words.err;
  ASSERT_TRUE(nlohmann::json::accept(words.out)) << words.out;
  const auto told = nlohmann::json::parse(words.out);
  EXPECT_EQ(told.at("lesson"), "barriers");
  EXPECT_GE(told.at("steps").size(), 3U);
  const fs::path file = own("step.png");
  const auto drawn = tests::run("lesson barriers --step 1 -o " + file.string() + " --json");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  ASSERT_TRUE(nlohmann::json::accept(drawn.out)) << drawn.out;
  EXPECT_EQ(nlohmann::json::parse(drawn.out).at("picture"), file.string());
  fs::remove(file);
}

}  // namespace
