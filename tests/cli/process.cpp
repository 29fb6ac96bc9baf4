#include "tests/cli/process.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

namespace tests {
namespace {

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  std::filesystem::remove(file);
  return text.str();
}

}  // namespace

Finished run(const std::string& arguments, const std::map<std::string, std::string>& environment) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string stem = "tilescope-run-" + std::to_string(::getpid());
  const auto out = folder / (stem + ".out");
  const auto err = folder / (stem + ".err");
  std::string taken;
  // Without what was tuned here before, unless the environment says otherwise.
  std::string given = " XDG_CACHE_HOME='" + (folder / (stem + "-cache")).string() + "'";
  for (const auto& [name, value] : environment) {
    (value.empty() ? taken : given) +=
        value.empty() ? " -u " + name : " " + name + "='" + value + "'";
  }
  std::string command = "env" + taken + given;
  command += std::string(" '") + TILESCOPE_PROGRAM + "' " + arguments + " >'" + out.string() +
             "' 2>'" + err.string() + "' </dev/null";
  // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c,bugprone-command-processor)
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(out), read(err)};
}

}  // namespace tests
