#include "cli/lsp/kernel_check.h"

#include <algorithm>
#include <cctype>
#include <mutex>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cli/json/report_json.h"
#include "cli/lsp/kernel_text.h"
#include "cli/process/each.h"
#include "core/base/child.h"
#include "core/base/files.h"
#include "lab/plan/kernel_files.h"
#include "lab/plan/kernel_module.h"
#include "lab/plan/project_file.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kGraceSeconds = 10.0;  // for a report after --timeout

// The name of the first CPU device, found once by a child process.
core::Expected<std::string> cpu_device(const std::function<bool()>& go_on) {
  static std::mutex mutex;
  static std::optional<std::string> known;
  const std::scoped_lock lock(mutex);
  if (known) {
    return *known;
  }
  core::ChildCall call{.arguments = {"devices", "--json"}, .environment = {}, .keep_output = true};
  call.go_on = go_on;
  const auto limits = core::stranger_limits(kGraceSeconds);
  const auto end = TRY(core::run_child(call, limits));
  if (!end.exited()) {
    return core::device_error(end.sentence("the list of devices", limits));
  }
  const Json json = Json::parse(end.out, nullptr, false);
  if (json.is_object()) {
    for (const Json& device : json.value("devices", Json::array())) {
      if (device.value("emulated", false)) {
        known = device.value("name", std::string());
        return *known;
      }
    }
  }
  return core::device_error(
      "found no CPU device for checks in the background: install mesa-vulkan-drivers, or choose a "
      "device with the setting \"device\"");
}

fs::path whole(const fs::path& path) {
  std::error_code failed;
  const fs::path found = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal() : found;
}

// Returns why the project's commands may not run for a kernel. Empty if they may, or if it needs
// none.
std::string missing_consent(const std::string& kernel) {
  const auto project = lab::project_to_allow(kernel);
  core::KernelChoices choices;
  const auto allowed =
      project ? lab::add_compilers(*project, kernel, false, choices) : core::Expected<void>();
  return allowed ? "" : allowed.error().message;
}

bool includes_file(const CheckItem& item, const fs::path& file) {
  const lab::KernelFiles files =
      lab::files_of_kernel(item.kernel, item.launch ? item.launch->choices : core::KernelChoices());
  return std::ranges::any_of(files.files,
                             [&](const fs::path& other) { return whole(other) == file; });
}

}  // namespace

std::optional<CompileMessage> compile_message(const std::string& message) {
  for (std::size_t at = message.find(':'); at != std::string::npos;
       at = message.find(':', at + 1)) {
    std::size_t end = at + 1;
    while (end < message.size() && std::isdigit(static_cast<unsigned char>(message[end])) != 0) {
      ++end;
    }
    if (end == at + 1 || end >= message.size() || message[end] != ':' || end - at > 9) {
      continue;
    }
    CompileMessage found{message.substr(0, at),
                         static_cast<std::uint32_t>(std::stoul(message.substr(at + 1))),
                         message.substr(end + 1)};
    if (const std::size_t other = found.file.rfind(": "); other != std::string::npos) {
      found.file.erase(0, other + 2);
    }
    found.text.erase(0, std::min(found.text.find_first_not_of(": 0123456789"), found.text.size()));
    return found;
  }
  return std::nullopt;
}

std::string verdict_words(const std::vector<LaunchCheck>& checks) {
  std::string verdict = "clean";
  std::size_t findings = 0;
  for (const auto& [checked, launch, error_kind] : checks) {
    if (!checked.report) {
      return error_kind == "compile" ? "does not compile" : "not checked";
    }
    std::string own = core::to_string(checked.report->verdict);
    if (checked.is_as_expected()) {
      own += ", as expected";
    } else if (checked.answer && !checked.answer->correct) {
      own += ", wrong outputs";
    }
    verdict = verdict == "clean" ? own : verdict;
    findings += checked.report->findings.size();
  }
  return findings == 0
             ? verdict
             : fmt::format("{}, {} finding{}", verdict, findings, findings == 1 ? "" : "s");
}

CheckProcess::CheckProcess(const CheckSettings& settings, const EditedTexts& texts,
                           std::function<bool()> go_on)
    : settings_(settings), go_on_(std::move(go_on)) {
  std::size_t number = 0;
  for (const auto& [path, text] : texts) {
    if (const auto saved = core::read_file(path); saved && *saved == text) {
      continue;
    }
    const fs::path copy = scratch_.path() / (std::to_string(number++) + ".txt");
    if (!scratch_.path().empty() && core::write_file(copy, std::as_bytes(std::span(text)))) {
      unsaved_.insert(unsaved_.end(), {"--unsaved", path + "=" + copy.string()});
    }
  }
}

core::Expected<CheckProcess::Output> CheckProcess::call(std::vector<std::string> arguments,
                                                        const std::string& kernel,
                                                        const std::string& launch) {
  const auto device = TRY(settings_.device.empty() ? cpu_device(go_on_) : settings_.device);
  arguments.insert(arguments.end(), {"--json", "--device", device, "--timeout",
                                     fmt::format("{}", settings_.timeout)});
  arguments.insert(arguments.end(), unsaved_.begin(), unsaved_.end());
  if (!launch.empty()) {
    arguments.insert(arguments.end(), {"--launch-name", launch});
  }
  arguments.insert(arguments.end(), {"--", kernel});
  core::ChildCall call{.arguments = std::move(arguments), .environment = {}, .keep_output = true};
  call.go_on = go_on_;
  const core::ChildLimits limits =
      core::stranger_limits(settings_.timeout > 0.0 ? settings_.timeout + kGraceSeconds : 0.0);
  const auto end = core::run_child(call, limits);
  if (!end) {
    return std::unexpected(end.error());
  }
  Output output;
  output.last_line = last_line_of(end->err);
  if (!end->exited()) {
    output.crash = end->sentence(fs::path(kernel).filename().string(), limits);
    return output;
  }
  output.json = Json::parse(end->out, nullptr, false);
  if (!output.json.is_object()) {
    output.json = nullptr;
  }
  return output;
}

LaunchCheck CheckProcess::check_launch(const CheckItem& item) {
  LaunchCheck result{
      {item.name(), item.kernel, core::device_error("")}, item.launch_name(), "check"};
  const auto output = call({"check", "--no-cache"}, item.kernel, result.launch);
  if (!output) {
    result.checked.report = std::unexpected(output.error());
    return result;
  }
  if (!output->crash.empty()) {
    result.checked.report = core::device_error(output->crash);
    result.error_kind = "crash";
    return result;
  }
  if (output->json.is_null()) {
    result.checked.report = core::device_error(
        output->last_line.empty() ? "the process that checked this kernel ended without a report"
                                  : output->last_line);
    return result;
  }
  if (output->json.contains("error")) {
    const std::string message = output->json.value("error", std::string());
    const bool of_source = output->json.value("status", 0) == usage &&
                           (compile_message(message) || message.starts_with(item.kernel));
    result.error_kind = of_source ? "compile" : "check";
    result.checked.report = core::usage_error(message);
    return result;
  }
  result.checked.report = report_from(output->json.dump());
  add_from_report(output->json, result.checked);
  return result;
}

std::vector<LaunchCheck> CheckProcess::check(const std::string& kernel) {
  const auto failed = [&](const std::string& kind, const std::string& message) {
    return std::vector<LaunchCheck>{{{kernel, kernel, core::usage_error(message)}, "", kind}};
  };
  if (const std::string why = missing_consent(kernel); !why.empty()) {
    return failed("consent", why);
  }
  const auto items = check_items({kernel}, {});
  if (!items) {
    return failed("check", items.error().message);
  }
  std::vector<LaunchCheck> all;
  for (const CheckItem& item : *items) {
    all.push_back(check_launch(item));
    if (!go_on_()) {
      return {};
    }
  }
  return all;
}

Json CheckProcess::run(const std::string& kernel, const std::string& launch) {
  auto output =
      call({"run", "--probe", "banks", "--repeat", "3", "--warm-up", "0"}, kernel, launch);
  return output && !output->json.contains("error") ? std::move(output->json) : Json();
}

std::vector<std::string> kernels_that_include(const fs::path& file, const fs::path& root,
                                              std::size_t most,
                                              const std::function<bool()>& go_on) {
  const fs::path wanted = whole(file);
  const auto among = [&](const core::Expected<std::vector<std::string>>& kernels) {
    std::vector<std::string> found;
    const auto items = kernels ? check_items(*kernels, {}) : std::unexpected(kernels.error());
    for (const CheckItem& item : items.value_or(std::vector<CheckItem>())) {
      if (found.size() == most || !go_on()) {
        break;
      }
      const std::string path = fs::absolute(item.kernel).lexically_normal().string();
      if (std::ranges::find(found, path) == found.end() && whole(path) != wanted &&
          includes_file(item, wanted)) {
        found.push_back(path);
      }
    }
    return found;
  };
  if (const fs::path project_file = lab::find_project(file.parent_path()); !project_file.empty()) {
    const auto project = lab::read_project(project_file);
    return among(project ? lab::kernels_of(*project) : std::unexpected(project.error()));
  }
  auto found = among(lab::kernels_in(file.parent_path().string(), go_on));
  return found.empty() && !root.empty() ? among(lab::kernels_in(root.string(), go_on)) : found;
}

}  // namespace cli
