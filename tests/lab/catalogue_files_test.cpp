#include "lab/ready/catalogue_files.h"

#include <fstream>

#include <gtest/gtest.h>

#include "core/catalogue/workload.h"

namespace lab {
namespace {

class CatalogueFiles : public testing::Test {
 protected:
  void SetUp() override {
    // One a test: they may run side by side.
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("tilescope-catalogue-") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "matmul");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  core::Variant read(const std::string& text) const {
    const auto file = folder_ / "matmul" / "mine.comp";
    std::ofstream(file) << text;
    return read_variant(file);
  }
  std::string why_broken(const std::string& text) const {
    const core::Variant variant = read(text);
    if (!variant.broken) {
      return "it is not";
    }
    const std::string prefix = variant.file.string() + ":";
    return variant.broken->message.substr(prefix.size());
  }

  std::filesystem::path folder_;
};

TEST_F(CatalogueFiles, ReadsAHeader) {
  const core::Variant variant = read(
      "//! title = \"Mine\"\n//! claim = \"fast\"\n//! expect = \"races\"\n//! order = 4\n"
      "//! covers = [\"BN\", 32]\n//! [tile]\n//! constant = \"T\"\n//! values = [4, 8]\n"
      "//! preset = 8\n#version 450\n");
  ASSERT_FALSE(variant.broken) << variant.broken->message;
  EXPECT_EQ(variant.id(), "matmul/mine");
  EXPECT_EQ(variant.expect, core::Expectation::races);
  EXPECT_EQ(variant.order, 4);
  EXPECT_EQ(variant.covers[0], "BN");
  EXPECT_EQ(variant.covers[1], "32");
  EXPECT_EQ(variant.tile.values, (std::vector<std::uint32_t>{4, 8}));
  EXPECT_EQ(variant.tile.preset, 8U);
}

TEST_F(CatalogueFiles, ReadsHowInputsAreStored) {
  const std::string head = "//! title = \"a\"\n//! claim = \"b\"\n//! [inputs]\n//! ";
  EXPECT_EQ(read(head + "B = \"transposed\"\n").transposed, (std::vector<std::string>{"B"}));
  EXPECT_EQ(why_broken(head + "B = \"backwards\"\n"),
            "4: inputs.B: name an input of matmul, with the value \"transposed\"");
  EXPECT_EQ(why_broken(head + "C = \"transposed\"\n"),
            "4: inputs.C: name an input of matmul, with the value \"transposed\"");
}

TEST_F(CatalogueFiles, SaysWhatIsWrongWithAHeader) {
  EXPECT_EQ(why_broken("#version 450\n"), "1: title is missing or not a string");
  EXPECT_EQ(why_broken("//! title = \"a\"\n//! claim = 3\n"),
            "2: claim is missing or not a string");
  EXPECT_TRUE(why_broken("//! title = \"a\n").starts_with("1: the header is not valid TOML: "));
  EXPECT_EQ(why_broken("//! title = \"a\"\n//! claim = \"b\"\n//! expects = \"races\"\n"),
            "3: \"expects\" is not a key of a kernel header");
  EXPECT_EQ(why_broken("//! title = \"a\"\n//! claim = \"b\"\n//! expect = \"hangs\"\n"),
            "3: expect is \"hangs\", but it must be correct, races or diverges");
  EXPECT_EQ(why_broken("//! title = \"a\"\n//! claim = \"b\"\n//! [tile]\n//! constant = \"T\"\n"
                       "//! values = [8, 4]\n//! preset = 8\n"),
            "3: tile.values must be numbers from 1 to 65536 in ascending order");
}

TEST_F(CatalogueFiles, ReadsLaunches) {
  const std::string head = "//! title = \"a\"\n//! claim = \"b\"\n//! extent = \"divided\"\n";
  const std::string left = "//! [[launch]]\n//! kernel = \"naive\"\n//! sections = ";
  const core::Variant variant =
      read(head + "//! [[launch]]\n//! sections = [\"M\", \"B\"]\n" + left + "[\"R\", \"C\"]\n");
  ASSERT_FALSE(variant.broken) << variant.broken->message;
  ASSERT_EQ(variant.launches.size(), 2U);
  EXPECT_EQ(variant.launches[0].kernel, "");
  EXPECT_EQ(variant.launches[1].kernel, "naive");
  EXPECT_EQ(variant.launches[1].sections,
            (std::vector{core::Section::right, core::Section::corner}));
  EXPECT_EQ(why_broken(head + left + "[\"M\"]\n"),
            "4: the [[launch]] tables must name each of M, R, B and C once, or no sections at all");
  EXPECT_EQ(why_broken(head + left + "[\"M\", \"C\"]\n"),
            "6: launch.sections must form a rectangle: one section, two that are side by side, or "
            "all four");
  EXPECT_EQ(why_broken(head + left + "[\"X\"]\n"),
            "6: launch.sections must be a list of M, R, B and C");
}

TEST_F(CatalogueFiles, ReadsScratch) {
  const std::string head = "//! title = \"a\"\n//! claim = \"b\"\n//! [[scratch]]\n";
  const core::Variant variant = read(head + "//! name = \"partial\"\n//! words = [4, \"BLOCK\"]\n");
  ASSERT_FALSE(variant.broken) << variant.broken->message;
  ASSERT_EQ(variant.scratch.size(), 1U);
  EXPECT_EQ(variant.scratch[0].name, "partial");
  EXPECT_EQ(variant.scratch[0].words, (std::vector<std::string>{"4", "BLOCK"}));
  EXPECT_EQ(why_broken(head + "//! name = \"partial\"\n"),
            "3: [[scratch]] needs a name, and words or total, each a number, an expression or a "
            "list of these");
  EXPECT_EQ(why_broken(head + "//! words = [1]\n"),
            "3: [[scratch]] needs a name, and words or total, each a number, an expression or a "
            "list of these");
}

TEST_F(CatalogueFiles, KeepsBrokenFilesWithTheirReason) {
  std::ofstream(folder_ / "matmul" / "bad.comp") << "#version 450\n";
  const core::Catalogue catalogue = read_catalogue(folder_);
  ASSERT_EQ(catalogue.of("matmul").size(), 1U);
  EXPECT_FALSE(catalogue.find("matmul/bad"));
  EXPECT_EQ(catalogue.find("matmul/good").error().message,
            "unknown variant \"matmul/good\"; choose from matmul/bad");
}

TEST(Catalogue, HasEveryWorkloadStartingWithWhatIsCompared) {
  const core::Catalogue catalogue = read_catalogue(find_shaders().value());
  for (const core::WorkloadPtr& workload : catalogue.workloads()) {
    const auto variants = catalogue.of(workload->name());
    ASSERT_FALSE(variants.empty()) << workload->name();
    EXPECT_EQ(variants.front().expect, core::Expectation::correct) << "the ladder starts there";
    for (const core::Variant& variant : variants) {
      EXPECT_FALSE(variant.broken) << variant.broken->message;
    }
  }
}

}  // namespace
}  // namespace lab
