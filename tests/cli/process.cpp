#include "tests/cli/process.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include <sys/wait.h>
#include <unistd.h>

#include "core/base/files.h"

namespace tests {
namespace {

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  std::filesystem::remove(file);
  return text.str();
}

// A new folder, which is removed at the end of this process: the commands find nothing that earlier
// ones kept of kernels and tuning. Only the front end's results are shared with other tests.
class Place {
 public:
  Place() {
    std::string name = (std::filesystem::temp_directory_path() / "tilescope-run-XXXXXX").string();
    folder_ = ::mkdtemp(name.data()) != nullptr ? name : std::string();
    const auto shared = core::cache_file("compiled");
    std::error_code ignored;
    std::filesystem::create_directories(shared, ignored);
    std::filesystem::create_directories(folder_ / "cache" / "tilescope", ignored);
    std::filesystem::create_directory_symlink(shared, folder_ / "cache" / "tilescope" / "compiled",
                                              ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    std::error_code ignored;
    if (!folder_.empty()) {
      std::filesystem::remove_all(folder_, ignored);
    }
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

// A launch is warmed up and repeated for seconds, which only its times need.
std::string without_warm_up(const std::string& arguments) {
  constexpr std::string_view kRun = "run ";
  if (!arguments.starts_with(kRun) || arguments.find("--help") != std::string::npos) {
    return arguments;
  }
  const auto lacks = [&](const char* flag) { return arguments.find(flag) == std::string::npos; };
  return std::string(kRun) + (lacks("--warm-up") ? "--warm-up 0 " : "") +
         (lacks("--repeat") ? "--repeat 1 " : "") + arguments.substr(kRun.size());
}

}  // namespace

Finished run(const std::string& arguments, const std::map<std::string, std::string>& environment) {
  static const Place place;
  const auto out = place.folder() / "out";
  const auto err = place.folder() / "err";
  std::string taken;
  // Without what was tuned here before, unless the environment says otherwise.
  std::string given = " XDG_CACHE_HOME='" + (place.folder() / "cache").string() + "'";
  for (const auto& [name, value] : environment) {
    (value.empty() ? taken : given) +=
        value.empty() ? " -u " + name : " " + name + "='" + value + "'";
  }
  std::string command = "env" + taken + given;
  command += std::string(" '") + TILESCOPE_PROGRAM + "' " + without_warm_up(arguments) + " >'" +
             out.string() + "' 2>'" + err.string() + "' </dev/null";
  // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(out), read(err)};
}

}  // namespace tests
