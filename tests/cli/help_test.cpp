// `--help` of each command: at most 100 columns; each flag has its value's form and its default.
#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/process.h"

namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

// Characters of UTF-8, not bytes.
std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// The entries of a help text: a flag or an argument with the lines of its meaning, in one line.
std::vector<std::string> entries_of(const std::string& help) {
  std::vector<std::string> entries;
  for (const std::string& line : lines_in(help)) {
    if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ') {
      entries.push_back(line.substr(2));
    } else if (line.starts_with("   ") && !entries.empty()) {
      entries.back() += " " + line.substr(line.find_first_not_of(' '));
    }
  }
  return entries;
}

std::vector<std::string> commands() {
  std::vector<std::string> names{""};
  bool listed = false;
  for (const std::string& line : lines_in(tests::run("--help").out)) {
    listed = listed || line.contains("Subcommands:");
    if (listed && line.starts_with("  ") && line[2] != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

TEST(Help, FitsAHundredColumnsAndGivesFormsAndDefaults) {
  const std::regex form(R"(^(-[-a-zA-Z,]+) [A-Z]\S* )");
  const std::vector<std::string> names = commands();
  EXPECT_GT(names.size(), 8U);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const tests::Finished help = tests::run(name + " --help");
    ASSERT_EQ(help.status, 0) << help.err;
    for (const std::string& line : lines_in(help.out)) {
      EXPECT_LE(columns_of(line), 100U) << line;
    }
    for (const std::string& entry : entries_of(help.out)) {
      if (!entry.starts_with('-')) {
        continue;
      }
      const bool takes_value = std::regex_search(entry, form);
      const bool has_default = entry.contains("(default: ") || entry.contains("(required)");
      EXPECT_EQ(takes_value, has_default) << entry;
    }
  }
}

TEST(Help, ShowsTheFormOfAValueOnce) {
  const tests::Finished help = tests::run("check --help");
  EXPECT_TRUE(help.out.contains("--groups X,Y,Z ")) << help.out;
  for (const char* word : {"TEXT", "UINT", "FLOAT", "INT in", "POSITIVE"}) {
    EXPECT_FALSE(help.out.contains(word)) << word;
  }
}

}  // namespace
