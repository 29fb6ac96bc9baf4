#include "cli/capture/captured.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/files.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Distinct {
  const lab::CapturedLaunch* first = nullptr;
  std::uint64_t count = 0;
};

std::vector<Distinct> distinct_of(const lab::Capture& capture) {
  std::vector<Distinct> all;
  std::map<std::string, std::size_t> places;
  for (const lab::CapturedLaunch& launch : capture.launches) {
    if (launch.folder.empty()) {
      continue;
    }
    const auto [at, added] = places.emplace(launch.folder, all.size());
    if (added) {
      all.push_back({&launch, 0});
    }
    ++all[at->second].count;
  }
  return all;
}

// The size of all files in a launch's folder.
std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; entry != end && !failed;
       entry.increment(failed)) {
    std::error_code unknown;
    const auto size = entry->file_size(unknown);
    bytes += unknown ? 0 : size;
  }
  return bytes;
}

// The verdict of the last check. Empty if the launch was not checked.
std::string verdict_of(const fs::path& folder) {
  const fs::path file = folder / lab::kReportFile;
  if (!core::is_file(file)) {
    return "";
  }
  const auto text = core::read_file(file);
  const Json report = text ? Json::parse(*text, nullptr, false) : Json();
  return report.is_object() && report.contains("verdict") && report.at("verdict").is_string()
             ? report.at("verdict").get<std::string>()
             : "";
}

std::map<std::string, std::uint64_t> reasons_of(const lab::Capture& capture) {
  std::map<std::string, std::uint64_t> reasons;
  for (const lab::CapturedLaunch& launch : capture.launches) {
    if (!launch.reason.empty()) {
      ++reasons[launch.reason];
    }
  }
  return reasons;
}

std::uint64_t not_selected(const lab::Capture& capture) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(capture.launches, [](const lab::CapturedLaunch& launch) {
        return launch.folder.empty() && launch.reason.empty();
      }));
}

double waited_for(const lab::Capture& capture) {
  double seconds = 0.0;
  for (const auto& [id, process] : capture.processes) {
    seconds += process.waited;
  }
  return seconds;
}

std::size_t pipelines_of(const lab::Capture& capture) {
  std::set<std::string> names;
  for (const lab::CapturedLaunch& launch : capture.launches) {
    names.insert(launch.pipeline);
  }
  return names.size();
}

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "es");
}

}  // namespace

Json capture_json(const lab::Capture& capture) {
  Json json{{"folder", capture.folder.string()},  {"program", capture.program},
            {"started", capture.started},         {"launches", capture.launches.size()},
            {"pipelines", pipelines_of(capture)}, {"distinct", Json::array()},
            {"not_captured", Json::array()},      {"not_selected", not_selected(capture)},
            {"waited_s", waited_for(capture)}};
  for (const Distinct& one : distinct_of(capture)) {
    const fs::path folder = capture.folder / one.first->folder;
    const std::string verdict = verdict_of(folder);
    json["distinct"].push_back({{"folder", one.first->folder},
                                {"pipeline", one.first->pipeline},
                                {"label", one.first->label},
                                {"time_s", one.first->seconds},
                                {"queue", one.first->queue},
                                {"count", one.count},
                                {"groups", one.first->groups},
                                {"bytes", bytes_in(folder)},
                                {"verdict", verdict.empty() ? Json() : Json(verdict)}});
  }
  for (const auto& [reason, count] : reasons_of(capture)) {
    json["not_captured"].push_back({{"reason", reason}, {"count", count}});
  }
  return json;
}

void print_capture_sums(const lab::Capture& capture) {
  const std::size_t pipelines = pipelines_of(capture);
  fmt::print("{}: {} of {} pipeline{}; {} captured (equal launches are stored once)\n",
             capture.folder.string(), counted(capture.launches.size(), "launch"), pipelines,
             pipelines == 1 ? "" : "s", distinct_of(capture).size());
  for (const auto& [reason, count] : reasons_of(capture)) {
    fmt::print("  not captured: {}: {}\n", counted(count, "launch"), reason);
  }
  if (const std::uint64_t count = not_selected(capture); count > 0) {
    fmt::print("  not selected by the flags: {}\n", counted(count, "launch"));
  }
  if (const double seconds = waited_for(capture); seconds > 0.0) {
    fmt::print("  the program waited {:.3f} s for the capture\n", seconds);
  }
}

void print_captured_launches(const lab::Capture& capture) {
  const auto all = distinct_of(capture);
  if (all.empty()) {
    return;
  }
  fmt::print("  {:<12}{:>8}{:>12}{:>18}{:>14}  {:<12}{}\n", "launch", "count", "time", "workgroups",
             "bytes", "verdict", "pipeline");
  for (const Distinct& one : all) {
    const fs::path folder = capture.folder / one.first->folder;
    const std::string verdict = verdict_of(folder);
    fmt::print("  {:<12}{:>8}{:>10.4f} s{:>18}{:>14}  {:<12}{}{}\n", one.first->folder, one.count,
               one.first->seconds, fmt::format("{}", fmt::join(one.first->groups, ",")),
               bytes_in(folder), verdict.empty() ? "-" : verdict, one.first->pipeline,
               one.first->label.empty() ? "" : "  " + one.first->label);
  }
}

}  // namespace cli
