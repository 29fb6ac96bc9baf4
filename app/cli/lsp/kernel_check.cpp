#include "cli/lsp/kernel_check.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cli/json/report_json.h"
#include "cli/lsp/kernel_text.h"
#include "cli/project/check_items.h"
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
core::Expected<std::string> cpu_device() {
  static std::mutex mutex;
  static std::optional<std::string> known;
  const std::scoped_lock lock(mutex);
  if (known) {
    return *known;
  }
  const core::ChildCall call{
      .arguments = {"devices", "--json"}, .environment = {}, .keep_output = true};
  const auto end = TRY(core::run_child(call, core::stranger_limits(kGraceSeconds)));
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

std::string last_line_of(std::string text) {
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  text = text.substr(text.rfind('\n') + 1);
  const std::string prefix = "tilescope: ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

fs::path whole(const fs::path& path) {
  std::error_code failed;
  const fs::path found = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal() : found;
}

// Why the project's commands may not run for a kernel; empty: they may, or it needs none.
std::string missing_consent(const std::string& kernel) {
  const fs::path file = lab::project_file_of(kernel);
  const auto project = file.empty() ? core::usage_error("") : lab::read_project(file);
  if (!project) {
    return "";
  }
  core::KernelChoices choices;
  const auto allowed = lab::add_compilers(*project, kernel, false, choices);
  return allowed ? "" : allowed.error().message;
}

bool includes_file(const std::string& kernel, const fs::path& file) {
  const auto items = check_items({kernel}, {});
  core::KernelChoices choices;
  if (items && items->front().launch) {
    choices = items->front().launch->choices;
  }
  const lab::KernelFiles files = lab::files_of_kernel(kernel, choices);
  return std::ranges::any_of(files.files,
                             [&](const fs::path& other) { return whole(other) == file; });
}

}  // namespace

CheckProcess::CheckProcess(const LspSettings& settings, const EditedTexts& texts,
                           std::function<bool()> go_on)
    : settings_(settings), go_on_(std::move(go_on)) {
  std::size_t number = 0;
  for (const auto& [path, text] : texts) {
    const fs::path copy = scratch_.path() / (std::to_string(number++) + ".txt");
    if (!scratch_.path().empty() && core::write_file(copy, std::as_bytes(std::span(text)))) {
      unsaved_.insert(unsaved_.end(), {"--unsaved", path + "=" + copy.string()});
    }
  }
}

core::Expected<CheckProcess::Output> CheckProcess::call(std::vector<std::string> arguments,
                                                        const std::string& kernel,
                                                        const std::string& launch) {
  const auto device = TRY(settings_.device.empty() ? cpu_device() : settings_.device);
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
  output.stopped = end->why == core::ChildEnd::Why::stopped;
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

LaunchCheck CheckProcess::check_launch(const std::string& kernel, const std::string& name,
                                       const std::string& launch, bool& stopped) {
  LaunchCheck result{{name, kernel, core::device_error("")}, "check", nullptr};
  auto output = call({"check", "--no-cache"}, kernel, launch);
  if (!output) {
    result.checked.report = std::unexpected(output.error());
    return result;
  }
  stopped = output->stopped;
  if (!output->crash.empty()) {
    result.checked.report = core::device_error(output->crash);
    result.error_kind = "crash";
    return result;
  }
  if (output->json.is_null()) {
    result.checked.report = core::device_error(
        output->last_line.empty() ? "the process that checks it ended without a report"
                                  : output->last_line);
    return result;
  }
  if (output->json.contains("error")) {
    const bool source = output->json.value("status", 0) == usage;
    const std::string message = output->json.value("error", std::string());
    result.error_kind = source ? "compile" : "check";
    result.checked.report = source ? core::Expected<core::CheckReport>(core::usage_error(message))
                                   : core::device_error(message);
    return result;
  }
  result.checked.report = report_from(output->json.dump());
  result.checked.expected = output->json.value("expected", std::string());
  result.report = std::move(output->json);
  return result;
}

std::vector<LaunchCheck> CheckProcess::check(const std::string& kernel) {
  const auto failed = [&](const std::string& kind, const std::string& message) {
    return std::vector<LaunchCheck>{{{kernel, kernel, core::usage_error(message)}, kind, nullptr}};
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
    bool stopped = false;
    all.push_back(check_launch(kernel, item.name(), item.launch_name(), stopped));
    if (stopped) {
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
                                              std::size_t most) {
  const fs::path wanted = whole(file);
  const auto among = [&](const core::Expected<std::vector<std::string>>& kernels) {
    std::vector<std::string> found;
    for (const std::string& kernel : kernels.value_or(std::vector<std::string>())) {
      const std::string path = fs::absolute(kernel).lexically_normal().string();
      if (found.size() < most && whole(path) != wanted && includes_file(path, wanted)) {
        found.push_back(path);
      }
    }
    return found;
  };
  if (const fs::path project_file = lab::find_project(file.parent_path()); !project_file.empty()) {
    const auto project = lab::read_project(project_file);
    return among(project ? lab::kernels_of(*project) : std::unexpected(project.error()));
  }
  auto found = among(lab::kernels_in(file.parent_path().string()));
  return found.empty() && !root.empty() ? among(lab::kernels_in(root.string())) : found;
}

}  // namespace cli
