#include "cli/project/check_cache.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "lab/files/scene_file.h"
#include "lab/plan/external_compiler.h"
#include "lab/plan/kernel_files.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kCacheVersion = "tilescope_check_result";
constexpr std::size_t kMostResults = 4000;
constexpr std::size_t kMostContent = 16U << 20U;  // bytes of a file whose text is part of the key

// A program as it is now: another version of it has another size or time.
std::string identity_of_program(const fs::path& program) {
  std::error_code failed;
  const auto size = fs::file_size(program, failed);
  const auto time = fs::last_write_time(program, failed);
  return failed ? std::string() : fmt::format("{} {}", size, time.time_since_epoch().count());
}

// The path of a command's program.
fs::path path_of_program(const std::string& command) {
  const lab::CommandWords words = lab::split_command(command);
  const std::string program = words.empty() ? std::string() : words.front();
  if (program.contains('/')) {
    return program;
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (core::is_file(fs::path(folder) / program)) {
      return fs::path(folder) / program;
    }
  }
  return {};
}

}  // namespace

CheckCache::CheckCache(const Common& common, const ExperimentFlags& flags,
                       const std::vector<std::string>& arguments)
    : flags_(flags) {
  const fs::path folder = core::cache_file("checks");
  const std::string program = identity_of_program("/proc/self/exe");
  if (folder.empty() || program.empty()) {
    return;
  }
  const auto driver = open_driver(common);
  const auto device = driver ? (*driver)->pick(flags.device) : std::unexpected(driver.error());
  if (!device) {
    return;  // the check says why
  }
  folder_ = folder;
  base_ = fmt::format("{}\n{}\n{}\n{}\n", program, device->name, device->driver,
                      fmt::join(arguments, "\n"));
}

std::string CheckCache::print_of(const fs::path& file) {
  const auto found = prints_.find(file.string());
  if (found != prints_.end()) {
    return found->second;
  }
  const auto text = core::read_file(file, kMostContent);
  return prints_[file.string()] = text ? core::fingerprint(*text) : std::string();
}

std::string CheckCache::key_of(const CheckItem& item) {
  const auto experiment = folder_.empty() || !core::is_file(item.kernel) ? core::usage_error("")
                                                                         : item.experiment(flags_);
  if (!experiment) {
    return "";
  }
  const lab::KernelFiles files = lab::files_of_kernel(item.kernel, experiment->choices);
  if (!files.complete) {
    return "";
  }
  std::string text = base_ + item.name() + "\n" + lab::format_scene({.experiment = *experiment});
  for (const std::string& compiler : experiment->choices.compilers) {
    const std::string command = compiler.substr(compiler.find('=') + 1);
    text += fmt::format("{}\n{}\n", compiler, identity_of_program(path_of_program(command)));
  }
  if (item.launch) {
    text += item.launch->expect + "\n";
    for (const core::Allowance& allowance : item.launch->allow) {
      text += fmt::format("{} {}\n", allowance.kind, allowance.variable);
    }
  }
  text += fmt::format("{}\n", fmt::join(files.missing, "\n"));
  for (const fs::path& file : files.files) {
    const std::string print = print_of(file);
    if (print.empty()) {
      return "";
    }
    text += fmt::format("{} {}\n", file.string(), print);
  }
  return core::fingerprint(text);
}

std::optional<CheckRecord> CheckCache::find(const std::string& key) const {
  const auto text =
      key.empty() ? core::usage_error("") : core::read_file(folder_ / (key + ".json"));
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object() || json.value(kCacheVersion, Json()) != 1) {
    return std::nullopt;
  }
  CheckRecord record;
  for (const auto& [name, to] : {std::pair("out", &record.out), std::pair("report", &record.report),
                                 std::pair("error", &record.error)}) {
    if (!json.contains(name) || !json.at(name).is_string()) {
      return std::nullopt;
    }
    *to = json.at(name).get<std::string>();
  }
  return record;
}

void CheckCache::keep(const std::string& key, const CheckItem& item,
                      const CheckRecord& record) const {
  if (key.empty()) {
    return;
  }
  std::error_code failed;
  fs::create_directories(folder_, failed);
  const Json json{{kCacheVersion, 1},
                  {"kernel", item.name()},
                  {"out", record.out},
                  {"report", record.report},
                  {"error", record.error}};
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  // A result that cannot be kept is found again.
  static_cast<void>(core::write_file(folder_ / (key + ".json"), std::as_bytes(std::span(text))));
}

void CheckCache::trim() const {
  core::keep_newest(folder_, kMostResults);
}

}  // namespace cli
