// The diagram of layers, held against what the sources include. The build guards our own headers;
// this guards the libraries' too, which are all in the same system folders.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::string>& forbidden() {
  static const std::string upper_faces = "ui/|studio/|cli/";
  static const std::map<std::string, std::string> rules{
      {"core", "vulkan|imgui|GLFW|shaderc|spirv|gpu/|lab/|" + upper_faces},
      // The rooms of this layer: each reads those above it.
      {"spirv/module", "spirv/reflection/|spirv/decompile/|spirv/analysis/|spirv/probes/"},
      {"spirv/reflection", "spirv/decompile/|spirv/analysis/|spirv/probes/"},
      {"spirv/decompile", "spirv/analysis/|spirv/probes/"},
      {"spirv/analysis", "spirv/probes/"},
      {"spirv", "vulkan|imgui|GLFW|shaderc|gpu/|lab/|" + upper_faces},
      // Loaded into other programs: it must not bring the rest with it.
      {"capture", "imgui|GLFW|shaderc|fmt|spdlog|toml|core/|gpu/|lab/|" + upper_faces},
      {"gpu", "imgui|GLFW|lab/|" + upper_faces},
      {"lab", "vulkan|imgui|GLFW|" + upper_faces},
      {"ui", "vulkan|GLFW|shaderc|spirv|gpu/|lab/|studio/|cli/"},
      {"studio", "cli/"},
      {"cli", "vulkan|imgui|GLFW|shaderc"},
  };
  return rules;
}

std::vector<std::string> broken_rules(const fs::path& app) {
  const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<std::string> broken;
  for (const auto& [layer, pattern] : forbidden()) {
    const std::regex unwanted("^(" + pattern + ").*");
    for (const auto& entry : fs::recursive_directory_iterator(app / layer)) {
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        std::smatch match;
        if (std::regex_search(line, match, include) && std::regex_match(match[1].str(), unwanted) &&
            !match[1].str().starts_with(layer + "/")) {
          broken.push_back(entry.path().string() + " includes " + match[1].str());
        }
      }
    }
  }
  return broken;
}

TEST(Layers, IncludeOnlyWhatTheyMay) {
  for (const std::string& rule : broken_rules(fs::path(TILESCOPE_SOURCE_DIR) / "app")) {
    ADD_FAILURE() << rule;
  }
}

TEST(Layers, ABrokenRuleIsFound) {
  const fs::path app = fs::temp_directory_path() / "tilescope-layers-test";
  fs::remove_all(app);
  for (const auto& [layer, pattern] : forbidden()) {
    fs::create_directories(app / layer);
  }
  EXPECT_TRUE(broken_rules(app).empty());
  std::ofstream(app / "core/a.h") << "#include <vulkan/vulkan.h>\n";
  std::ofstream(app / "spirv/a.h") << "#  include <imgui.h>\n";
  std::ofstream(app / "ui/a.cpp") << "#include <GLFW/glfw3.h>\n#include \"lab/live/lab.h\"\n";
  EXPECT_EQ(broken_rules(app).size(), 4U);
  fs::remove_all(app);
}

// "Some 25" is what one reads at a glance; past it a folder is two rooms.
TEST(Folders, AreReadAtAGlance) {
  std::map<std::string, int> files;
  for (const char* part : {"app", "tests"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(TILESCOPE_SOURCE_DIR) / part)) {
      const fs::path extension = entry.path().extension();
      if (extension == ".cpp" || extension == ".h") {
        ++files[entry.path().parent_path().string()];
      }
    }
  }
  EXPECT_FALSE(files.empty());
  for (const auto& [folder, count] : files) {
    EXPECT_LE(count, 28) << folder;
  }
}

}  // namespace
