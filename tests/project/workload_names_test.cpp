// No workload is named outside its own files: a view, a step or a command asks for facts. A folder
// of kernels is then as good a workload as those that come with the program.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

// Folders of kernels; but for `support`, whose are the program's own.
std::string names_of_workloads(const std::set<std::string>& without) {
  std::string names;
  for (const auto& entry : fs::directory_iterator(fs::path(TILESCOPE_SOURCE_DIR) / "shaders")) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && name != "support" && !without.contains(name)) {
      names += (names.empty() ? "" : "|") + name;
    }
  }
  return names;
}

TEST(WorkloadNames, AreInTheirOwnFilesAlone) {
  const std::string names = names_of_workloads({});
  ASSERT_NE(names.find("matmul"), std::string::npos);
  // In a string: the beginning of a variant's, or the name alone where it is no other word too.
  const std::regex named("\"([^\"]* )?(" + names + ")/[^\"]*\"|\"(" +
                         names_of_workloads({"barrier"}) + ")\"");
  const std::regex comment("\\s*//.*");
  const fs::path app = fs::path(TILESCOPE_SOURCE_DIR) / "app";
  std::set<std::string> found;
  for (const char* layer : {"ui", "lab", "cli", "studio"}) {
    for (const auto& entry : fs::recursive_directory_iterator(app / layer)) {
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
        if (!std::regex_match(line, comment) && std::regex_search(line, named)) {
          found.insert(fs::relative(entry.path(), app).string() + ": " + line);
        }
      }
    }
  }
  for (const std::string& line : found) {
    ADD_FAILURE() << "a workload is named in " << line;
  }
}

}  // namespace
