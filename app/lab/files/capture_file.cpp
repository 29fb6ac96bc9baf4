#include "lab/files/capture_file.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/base/files.h"
#include "core/report/measurement_table.h"
#include "lab/files/toml_text.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kCaptureVersion = 1;
constexpr const char* kLaunchesFile = "launches.toml";
constexpr std::size_t kMostLaunches = 5'000'000;
constexpr std::size_t kLongestBlock = 65536;

std::string text_at(const toml::table& table, const char* key) {
  return table[key].value_or<std::string>("");
}

std::uint64_t number_at(const toml::table& table, const char* key) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(table[key].value_or<std::int64_t>(0), 0));
}

// "launch-N": a name of the capture's own folders, never a path that leads out of it.
bool is_launch_folder(const std::string& name) {
  constexpr std::string_view kPrefix = "launch-";
  return name.starts_with(kPrefix) && name.size() > kPrefix.size() && name.size() < 20 &&
         std::ranges::all_of(
             name.substr(kPrefix.size()), [](char c) { return c >= '0' && c <= '9'; });
}

// Empty: it was read. Otherwise what is wrong.
std::string take_launch(const toml::table& table, Capture& capture) {
  CapturedLaunch launch;
  launch.number = number_at(table, "number");
  launch.process = number_at(table, "process");
  launch.seconds = table["time"].value_or(0.0);
  launch.seconds = std::isfinite(launch.seconds) ? launch.seconds : 0.0;
  launch.queue = text_at(table, "queue");
  launch.pipeline = text_at(table, "pipeline");
  launch.label = text_at(table, "label");
  launch.folder = text_at(table, "folder");
  launch.reason = text_at(table, "reason");
  const toml::array* groups = table["groups"].as_array();
  if (groups == nullptr || groups->size() != 3) {
    return "groups must be three numbers";
  }
  for (std::size_t d = 0; d < 3; ++d) {
    const auto count = groups->get(d)->value<std::int64_t>();
    if (!count || *count < 0 || *count > 0xFFFFFFFF) {
      return "groups must be three numbers";
    }
    launch.groups[d] = static_cast<std::uint32_t>(*count);
  }
  if (!launch.folder.empty() && !is_launch_folder(launch.folder)) {
    return "folder must be launch-N, with a number N";
  }
  capture.launches.push_back(std::move(launch));
  return "";
}

std::string take_process(const toml::table& table, Capture& capture) {
  CapturedProcess& process = capture.processes[number_at(table, "process")];
  process.launches = number_at(table, "launches");
  process.captured = number_at(table, "captured");
  process.bytes = number_at(table, "bytes");
  process.waited = table["waited"].value_or(0.0);
  return "";
}

// One [[launches]] or [[processes]].
std::string take_block(const std::string& block, Capture& capture) {
  if (too_deep(block) > 0) {
    return "tables are nested too deeply";
  }
  try {
    const toml::table root = toml::parse(block);
    for (const auto& [key, node] : root) {
      const toml::array* list = node.as_array();
      if (list == nullptr && (key == "launches" || key == "processes")) {
        return "it must be a list of tables";
      }
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const toml::table* table = list->get(i)->as_table();
        const std::string_view name = key;
        std::string wrong = table == nullptr      ? "it must be a list of tables"
                            : name == "launches"  ? take_launch(*table, capture)
                            : name == "processes" ? take_process(*table, capture)
                                                  : "";
        if (!wrong.empty()) {
          return wrong;
        }
      }
    }
  } catch (const toml::parse_error& error) {
    return std::string(error.description());
  }
  return "";
}

// Blocks are read one by one: an index has millions of lines.
core::Expected<void> read_launches(const fs::path& file, Capture& capture) {
  if (!core::is_file(file)) {
    return {};  // the program launched nothing
  }
  const auto text = TRY(core::read_file(file, std::size_t{1} << 30U));
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find("\n\n", at);
    if (std::min(end, text.size()) - at > kLongestBlock) {
      return core::usage_error(fmt::format("{}:{}: a launch has more than {} bytes", file.string(),
                                           line, kLongestBlock));
    }
    if (end == std::string::npos) {
      break;  // it was not written to its end
    }
    const std::string block = text.substr(at, end - at);
    if (const std::string wrong = take_block(block, capture); !wrong.empty()) {
      return core::usage_error(fmt::format("{}:{}: {}", file.string(), line, wrong));
    }
    if (capture.launches.size() > kMostLaunches) {
      return core::usage_error(
          fmt::format("{} has more than {} launches", file.string(), kMostLaunches));
    }
    line += static_cast<std::size_t>(std::ranges::count(block, '\n')) + 2;
    at = end + 2;
  }
  return {};
}

}  // namespace

std::vector<std::string> Capture::distinct() const {
  std::vector<std::string> folders;
  std::set<std::string> seen;
  for (const CapturedLaunch& launch : launches) {
    if (!launch.folder.empty() && seen.insert(launch.folder).second) {
      folders.push_back(launch.folder);
    }
  }
  return folders;
}

bool is_capture(const fs::path& folder) {
  return core::is_file(folder / kCaptureFile);
}

core::Expected<Capture> read_capture(const fs::path& folder) {
  const fs::path file = folder / kCaptureFile;
  if (!core::is_file(file)) {
    return core::usage_error(fmt::format(
        "{} is not a captured program: {} is missing; `tilescope capture` makes such a folder",
        folder.string(), kCaptureFile));
  }
  const auto text = TRY(read_toml(file));
  Capture capture;
  capture.folder = folder;
  try {
    const toml::table root = toml::parse(text);
    if (!root.contains("tilescope_capture")) {
      return core::usage_error(
          fmt::format("{}: tilescope_capture, the format version, is missing", file.string()));
    }
    if (const std::string why = newer_version(root, "tilescope_capture", kCaptureVersion);
        !why.empty()) {
      return core::usage_error(file.string() + ": " + why);
    }
    capture.started = text_at(root, "started");
    const toml::array* words = root["program"].as_array();
    for (std::size_t i = 0; words != nullptr && i < words->size(); ++i) {
      capture.program.push_back(words->get(i)->value_or<std::string>(""));
    }
  } catch (const toml::parse_error& error) {
    return core::usage_error(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
  TRY(read_launches(folder / kLaunchesFile, capture));
  // The layer writes a launch when its copies are there, which may be out of order.
  std::ranges::stable_sort(capture.launches, {}, [](const auto& launch) {
    return std::tuple(launch.seconds, launch.process, launch.number);
  });
  return capture;
}

core::Expected<void> write_capture(const fs::path& folder,
                                   const std::vector<std::string>& program) {
  toml::array words;
  for (const std::string& word : program) {
    words.push_back(word);
  }
  std::ostringstream text;
  text << toml::table{{"tilescope_capture", kCaptureVersion},
                      {"program", words},
                      {"started", core::utc_now()}}
       << "\n";
  const std::string bytes = text.str();
  const auto written =
      core::write_file(folder / kCaptureFile, std::as_bytes(std::span(bytes.data(), bytes.size())));
  std::error_code ignored;
  fs::permissions(folder / kCaptureFile, fs::perms::owner_read | fs::perms::owner_write, ignored);
  return written;
}

}  // namespace lab
