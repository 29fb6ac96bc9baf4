#include "probes/labelled.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace test {

namespace fs = std::filesystem;

std::vector<fs::path> labelled_kernels() {
  std::vector<fs::path> found;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(TILESCOPE_SOURCE_DIR) / "tests/probes")) {
    if (entry.path().extension() == ".comp") {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

core::Experiment labelled_experiment(const std::string& source) {
  core::Experiment experiment = labelled_choices(source);
  experiment.size = {3, 1, 1};
  return experiment;
}

core::Experiment labelled_choices(const std::string& source) {
  core::Experiment experiment;
  for (const char* binding : {"0.0", "0.1", "0.2"}) {
    if (source.contains("//! zero = \"" + std::string(binding) + "\"")) {
      experiment.choices.buffers[binding] = "65536:zero";
    }
  }
  const std::string groups = "//! groups = ";
  if (const std::size_t at = source.find(groups); at != std::string::npos) {
    const auto count = std::stoul(source.substr(at + groups.size()));
    experiment.choices.groups = {static_cast<std::uint32_t>(count), 1, 1};
  }
  const std::string given = "//! buffer = \"";
  for (std::size_t at = 0; (at = source.find(given, at)) != std::string::npos;) {
    at += given.size();
    const std::size_t is = source.find('=', at);
    experiment.choices.buffers[source.substr(at, is - at)] =
        source.substr(is + 1, source.find('"', is) - is - 1);
  }
  const std::string set = "//! set = \"";
  for (std::size_t at = 0; (at = source.find(set, at)) != std::string::npos;) {
    at += set.size();
    const std::size_t is = source.find('=', at);
    experiment.settings[source.substr(at, is - at)] =
        source.substr(is + 1, source.find('"', is) - is - 1);
  }
  return experiment;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace test
