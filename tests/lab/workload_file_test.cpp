#include "lab/files/workload_file.h"

#include <bit>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/ready/catalogue_files.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

const std::string kGood = R"(
title = "Doubled"
about = "B = 2A"
extent = ["N", "M"]
push = ["N", "SCALE", "0.5 * N"]
flop = "2.0 * N * M"
[[size]]
name = "N"
default = 6
[[size]]
name = "M"
default = 4
largest = 100
[[option]]
name = "SCALE"
default = 3
range = [1, 9]
[[buffer]]
name = "A"
rows = "M"
columns = "N"
content = "iota"
[[buffer]]
name = "B"
role = "output"
rows = "M"
columns = "N"
[facts]
ALIGNED = "N % 4 == 0"
[items]
one = "cell"
many = "cells"
axes = ["column", "row"]
[writes]
buffer = "B"
rows = ["y0", "y1"]
columns = ["x0", "x1"]
[[reads]]
buffer = "A"
rows = ["y0", "y1"]
columns = ["x0 - 1", "x1 + 1"]
[reference]
kernel = "plain"
tolerance = 0.001
[tests]
sizes = [[1, 1], [3, 5]]
)";

const std::string kKernel =
    "//! title = \"Plain\"\n//! claim = \"does it\"\n#version 450\nvoid main() {}\n";

class WorkloadFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("doubled-" + std::to_string(getpid())) / "doubled";
    fs::create_directories(folder_);
    write("plain.comp", kKernel);
  }
  void TearDown() override { fs::remove_all(folder_.parent_path()); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  core::Expected<WorkloadFolder> read(const std::string& text) const {
    write("workload.toml", text);
    return read_workload_folder(folder_);
  }
  // The sentence, without the file's place.
  std::string wrong(const std::string& from, const std::string& to) const {
    std::string text = kGood;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    const auto folder = read(text.replace(at, from.size(), to));
    if (folder) {
      return "";
    }
    const std::string& message = folder.error().message;
    const std::string file = (folder_ / "workload.toml").string() + ":";
    EXPECT_TRUE(message.starts_with(file)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return message.substr(file.size());
  }

  fs::path folder_;
};

TEST_F(WorkloadFiles, AreWorkloadsWithoutALineOfCode) {
  const auto folder = read(kGood);
  ASSERT_TRUE(folder) << folder.error().message;
  const core::Workload& work = *folder->work;
  EXPECT_EQ(work.name(), "doubled");
  EXPECT_EQ(work.size_names(), (std::vector<std::string>{"N", "M"}));
  EXPECT_EQ(work.default_sizes(), (core::Sizes{6, 4}));
  EXPECT_EQ(work.extent({7, 5}), (glm::uvec3{7, 5, 1}));
  EXPECT_EQ(work.flops({7, 5}), 70.0);
  EXPECT_EQ(work.bytes({7, 5}), 2 * 4 * 35.0);
  EXPECT_EQ(work.items().axes[1], "row");
  EXPECT_EQ(work.facts({8, 5}).at("ALIGNED"), 1U);
  EXPECT_EQ(work.facts({7, 5}).at("ALIGNED"), 0U);
  EXPECT_EQ(work.awkward_sizes().back(), (core::Sizes{3, 5}));
  EXPECT_EQ(work.reference_kernel(), "plain");
  const auto problem = work.resolve({7, 5}, {{"SCALE", "4"}}, 1);
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(work.push_constants(*problem),
            (std::vector<std::uint32_t>{7, std::bit_cast<std::uint32_t>(4.0F),
                                        std::bit_cast<std::uint32_t>(3.5F)}));
  const auto inputs = work.inputs(*problem);
  EXPECT_EQ(inputs[0].at(34), 34.0F);
  EXPECT_TRUE(inputs[1].empty());
  ASSERT_EQ(folder->variants.size(), 1U);
  EXPECT_EQ(folder->variants[0].id(), "doubled/plain");
  EXPECT_EQ(folder->variants[0].work, folder->work);
}

TEST_F(WorkloadFiles, RegionsFollowTheItemsAndStayInside) {
  const auto folder = read(kGood);
  ASSERT_TRUE(folder) << folder.error().message;
  const core::Box items{{0, 2, 0}, {3, 4, 1}};
  EXPECT_EQ(folder->work->writes({7, 5}, items), (core::Region{1, 2, 4, 0, 3}));
  EXPECT_EQ(folder->work->reads({7, 5}, items), (std::vector<core::Region>{{0, 2, 4, 0, 4}}));
}

TEST_F(WorkloadFiles, CompareWithTheReferenceKernel) {
  const auto folder = read(kGood);
  ASSERT_TRUE(folder) << folder.error().message;
  const core::Problem problem{.sizes = {2, 1}, .options = {}, .seed = 1};
  const core::HostBuffers want{{}, {100.0F, 1.0F}};
  EXPECT_TRUE(folder->work->compare_with(problem, want, {{}, {100.05F, 1.05F}}).correct);
  EXPECT_FALSE(folder->work->compare_with(problem, want, {{}, {100.0F, 1.2F}}).correct);
}

TEST_F(WorkloadFiles, SayInOneSentenceWhatIsWrong) {
  EXPECT_EQ(wrong("title = \"Doubled\"", "title = 3"), "2: title of a workload must be a string");
  EXPECT_EQ(wrong("title = \"Doubled\"", ""), "1: a workload needs title");
  EXPECT_EQ(wrong("extent = [\"N\", \"M\"]", ""),
            "1: a workload needs an extent of 1 to 3 expressions");
  EXPECT_EQ(wrong("flop =", "flops ="), "6: \"flops\" is not a key of a workload");
  EXPECT_EQ(wrong("default = 6", "default = 0"),
            "9: default of a [[size]] must be a whole number from 1 to 4294967295");
  EXPECT_EQ(wrong("default = 4", "default = 400"),
            "12: default of a [[size]] must be a whole number from 1 to 100");
  EXPECT_EQ(wrong("range = [1, 9]", "").substr(4),
            "option SCALE needs choices or a range of two numbers");
  EXPECT_EQ(wrong("role = \"output\"", "role = \"both\"").substr(4),
            "role must be \"input\" or \"output\", not \"both\"");
  EXPECT_EQ(wrong("sizes = [[1, 1], [3, 5]]", "sizes = [[1]]").substr(4),
            "the sizes in [tests] must be one number for each [[size]]");
  EXPECT_EQ(wrong("kernel = \"plain\"", "kernel = \"other\""),
            " the kernel \"other\" of the reference does not exist");
  EXPECT_EQ(wrong("kernel = \"plain\"", "name = \"nothing\"").substr(0, 37),
            " unknown reference \"nothing\"; choose ");
  EXPECT_EQ(wrong("kernel = \"plain\"", "name = \"prefix_sum\"\narguments = [1]"),
            " the reference prefix_sum takes an input, and an output with as many elements");
  EXPECT_EQ(wrong("content = \"iota\"", "content = \"noise\""),
            " buffer A's content is \"noise\", which is not a known content and not the name of an "
            "option");
  EXPECT_EQ(wrong("flop = \"2.0 * N * M\"", "flop = \"2.0 * K\""),
            " flop: \"2.0 * K\": unknown name \"K\"; choose from N, M");
  EXPECT_EQ(
      wrong("rows = \"M\"\ncolumns = \"N\"\ncontent", "rows = \"M - 4\"\ncontent"),
      " at the default sizes, buffer A would be empty; its rows and columns must be at least 1");
  EXPECT_EQ(wrong("flop = \"2.0 * N * M\"", "flop = \"1 / (N - 6)\""),
            " at the default sizes, \"1 / (N - 6)\" divides by zero");
  EXPECT_EQ(wrong("buffer = \"B\"", "buffer = \"C\""), " writes: unknown buffer \"C\"");
  EXPECT_NE(wrong("title = ", "title "), "");
}

TEST_F(WorkloadFiles, SizesThatDoNotFitAreRefused) {
  const auto folder = read(kGood);
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_EQ(folder->work->resolve({7, 101}, {}, 1).error().message, "size M must be at most 100");
}

TEST_F(WorkloadFiles, BrokenOnesLeaveTheirKernelsInTheCatalogueWithTheReason) {
  write("workload.toml", "title = 3\n");
  const core::Catalogue catalogue = read_catalogue(folder_.parent_path());
  const auto found = catalogue.find("doubled/plain");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("title of a workload must be a string"), std::string::npos);
}

TEST_F(WorkloadFiles, AFolderWithoutOneIsNoWorkload) {
  EXPECT_FALSE(read_workload_folder(folder_));
}

}  // namespace
}  // namespace lab
