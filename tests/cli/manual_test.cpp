// The pages of the manual that the program writes are as it writes them.
// TILESCOPE_UPDATE_MANUAL=1 stores them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/process.h"

namespace {

namespace fs = std::filesystem;

const fs::path kManual = fs::path(TILESCOPE_SOURCE_DIR) / "assets/manual";

std::string page_text(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Manual, GeneratedPagesAreUpToDate) {
  for (const char* page : {"commands", "findings", "glossary", "keys", "view-settings"}) {
    const tests::Finished printed = tests::run(std::string("reference ") + page);
    ASSERT_EQ(printed.status, 0) << printed.err;
    const fs::path file = kManual / "reference" / (std::string(page) + ".md");
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
    if (std::getenv("TILESCOPE_UPDATE_MANUAL") != nullptr) {
      std::ofstream(file) << printed.out;
    }
    EXPECT_EQ(page_text(file), printed.out)
        << "TILESCOPE_UPDATE_MANUAL=1 build/cli_tests --gtest_filter='Manual.*' stores it";
  }
  EXPECT_EQ(tests::run("reference nothing").status, 2);
}

// Files and pictures that pages link to are there.
TEST(Manual, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#: ]+)(#[^)]*)?\))");
  std::vector<fs::path> pages{fs::path(TILESCOPE_SOURCE_DIR) / "README.md",
                              fs::path(TILESCOPE_SOURCE_DIR) / "CONTRIBUTING.md",
                              fs::path(TILESCOPE_SOURCE_DIR) / "shaders/README.md",
                              fs::path(TILESCOPE_SOURCE_DIR) / "tests/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kManual)) {
    if (entry.path().extension() == ".md") {
      pages.push_back(entry.path());
    }
  }
  EXPECT_GT(pages.size(), 30U);
  for (const fs::path& page : pages) {
    const std::string text = page_text(page);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link);
         it != std::sregex_iterator(); ++it) {
      EXPECT_TRUE(fs::exists(page.parent_path() / (*it)[1].str())) << page << ": " << (*it)[1];
    }
  }
}

using nlohmann::json;

bool is_type(const json& value, const std::string& type) {
  return type == "integer"   ? value.is_number_integer()
         : type == "number"  ? value.is_number()
         : type == "boolean" ? value.is_boolean()
         : type == "array"   ? value.is_array()
         : type == "object"  ? value.is_object()
         : type == "null"    ? value.is_null()
                             : value.is_string();
}

// The part of JSON Schema that the manual's schemas use. A key that its object's schema does not
// name is wrong too: the schemas are complete.
void expect_valid(const json& value, const json& schema, const json& root, const std::string& at) {
  if (schema.contains("$ref")) {
    const std::string reference = schema.at("$ref").get<std::string>().substr(1);
    return expect_valid(value, root.at(json::json_pointer(reference)), root, at);
  }
  if (schema.contains("enum")) {
    const json& all = schema.at("enum");
    EXPECT_NE(std::find(all.begin(), all.end(), value), all.end()) << at << ": " << value;
  }
  if (schema.contains("type")) {
    const json& type = schema.at("type");
    bool right = false;
    for (const json& one : type.is_array() ? type : json::array({type})) {
      right = right || is_type(value, one);
    }
    EXPECT_TRUE(right) << at << ": " << value.dump().substr(0, 80) << " is no " << type;
  }
  if (schema.contains("properties") && value.is_object()) {
    for (const json& key : schema.value("required", json::array())) {
      EXPECT_TRUE(value.contains(key.get<std::string>())) << at << " lacks " << key;
    }
    for (const auto& [key, inner] : value.items()) {
      if (schema.at("properties").contains(key)) {
        expect_valid(inner, schema.at("properties").at(key), root, at + "." + key);
      } else {
        ADD_FAILURE() << at << "." << key << " is not in the schema";
      }
    }
  }
  if (schema.contains("items") && value.is_array()) {
    for (const json& inner : value) {
      expect_valid(inner, schema.at("items"), root, at + "[]");
    }
  }
}

void expect_valid(const std::string& call, const char* schema_file) {
  const tests::Finished done = tests::run(call + " --json");
  if (done.status == 3) {
    GTEST_SKIP() << done.err;
  }
  const json schema = json::parse(page_text(kManual / "reference/schema" / schema_file));
  expect_valid(json::parse(done.out), schema, schema, call);
}

TEST(Schemas, DescribeTheReportsOfCheck) {
  const std::string probes = TILESCOPE_SOURCE_DIR "/tests/probes/";
  expect_valid("check matmul/tiled --size 20,20,20 --barrier 1=off", "check.schema.json");
  for (const char* kernel :
       {"divergence/divergent-if.comp", "bounds/bounds-halving-start.comp",
        "init/init-shared-half.comp", "race-buffers/buffer-next-workgroup.comp"}) {
    expect_valid("check " + probes + kernel, "check.schema.json");
  }
}

TEST(Schemas, DescribeTheResultsOfRun) {
  expect_valid(
      "run matmul/tiled --size 20,20,20 --repeat 1 --warm-up 0 --probe races,trace,banks,"
      "timeline",
      "run.schema.json");
}

TEST(Explain, PrintsFindingsVerdictsAndTerms) {
  const tests::Finished race = tests::run("explain race");
  EXPECT_EQ(race.status, 0);
  EXPECT_TRUE(race.out.starts_with("race (finding)\n")) << race.out;
  EXPECT_NE(race.out.find("memoryBarrierBuffer()"), std::string::npos);
  EXPECT_TRUE(tests::run("explain raw").out.starts_with("RAW (term)\n"));
  EXPECT_TRUE(tests::run("explain incomplete").out.starts_with("incomplete (verdict)\n"));
  const auto json = nlohmann::json::parse(tests::run("explain out-of-bounds --json").out);
  EXPECT_EQ(json.at("kind"), "finding");
  EXPECT_FALSE(json.at("fix").get<std::string>().empty());
}

TEST(Explain, ListsItsWordsAndRefusesOthers) {
  const tests::Finished all = tests::run("explain");
  EXPECT_EQ(all.status, 0);
  EXPECT_NE(all.out.find("verdict: clean, racy"), std::string::npos) << all.out;
  const tests::Finished none = tests::run("explain nonsense");
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("unknown word \"nonsense\""), std::string::npos) << none.err;
}

}  // namespace
