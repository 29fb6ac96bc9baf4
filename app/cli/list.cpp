#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/capture/captured.h"
#include "cli/command.h"
#include "cli/json/answer.h"
#include "core/catalogue/workload.h"
#include "core/work/needs.h"
#include "lab/files/capture_file.h"

namespace cli {
namespace {

nlohmann::ordered_json variant_json(const core::Variant& variant) {
  nlohmann::ordered_json json{
      {"variant", variant.id()},       {"title", variant.title},
      {"claim", variant.claim},        {"expect", core::to_string(variant.expect)},
      {"file", variant.file.string()}, {"precision", core::to_string(variant.precision)},
      {"requires", variant.needs},     {"tune", variant.tune}};
  json["tile"] = variant.has_tile() ? nlohmann::ordered_json{{"constant", variant.tile.constant},
                                                             {"values", variant.tile.values},
                                                             {"default", variant.tile.preset}}
                                    : nlohmann::ordered_json{};
  json["extent"] =
      variant.extent.empty() ? nlohmann::ordered_json{} : nlohmann::ordered_json(variant.extent);
  json["launches"] = nlohmann::ordered_json::array();
  for (const core::LaunchPlan& launch : variant.launches) {
    nlohmann::ordered_json sections = nlohmann::ordered_json::array();
    for (const core::Section section : launch.sections) {
      sections.push_back(core::to_string(section));
    }
    const std::string kernel = launch.kernel.empty() ? variant.name : launch.kernel;
    json["launches"].push_back(
        {{"kernel", variant.workload + "/" + kernel}, {"sections", sections}});
  }
  json["error"] =
      variant.broken ? nlohmann::ordered_json(variant.broken->message) : nlohmann::ordered_json{};
  return json;
}

nlohmann::ordered_json workload_json(const core::Workload& workload,
                                     const core::Catalogue& catalogue) {
  nlohmann::ordered_json json{{"workload", workload.name()},
                              {"title", workload.title()},
                              {"about", workload.about()},
                              {"sizes", workload.size_names()},
                              {"default_sizes", workload.default_sizes()}};
  json["options"] = nlohmann::ordered_json::array();
  for (const core::OptionSpec& option : workload.options()) {
    json["options"].push_back({{"name", option.name},
                               {"default", option.preset},
                               {"choices", option.choices},
                               {"meaning", option.meaning}});
  }
  json["variants"] = nlohmann::ordered_json::array();
  for (const core::Variant& variant : catalogue.of(workload.name())) {
    json["variants"].push_back(variant_json(variant));
  }
  return json;
}

// What the kernel needs that not every device has, and which of those here do not have it.
void print_needs(const core::Variant& variant, std::span<const core::DeviceInfo> devices) {
  for (const std::string& need : variant.needs) {
    fmt::print("  {:<24}needs {}\n", "", core::need_in_words(need));
  }
  for (const core::DeviceInfo& device : devices) {
    if (const auto why = core::missing(variant, device)) {
      fmt::print("  {:<24}{}: {}\n", "", device.name, *why);
    }
  }
}

void print_text(const core::Workload& workload, const core::Catalogue& catalogue,
                std::span<const core::DeviceInfo> devices) {
  fmt::print("{}: {}; sizes {}", workload.title(), workload.about(),
             fmt::join(workload.size_names(), ","));
  fmt::print(" (default: {})\n", core::to_string(workload.default_sizes()));
  for (const core::Variant& variant : catalogue.of(workload.name())) {
    fmt::print("  {:<23} {}\n", variant.id(),
               variant.broken ? "broken: " + variant.broken->message : variant.claim);
    if (variant.has_tile()) {
      fmt::print("  {:<24}tile {} (default: {})\n", "", fmt::join(variant.tile.values, ", "),
                 variant.tile.preset);
    }
    print_needs(variant, devices);
  }
  for (const core::OptionSpec& option : workload.options()) {
    fmt::print("  --set {:<18}{}{}\n", option.name + "=" + option.preset, option.meaning,
               option.choices.empty() ? "" : fmt::format(": {}", fmt::join(option.choices, ", ")));
  }
}

Outcome list_capture(const Common& common, const std::string& folder) {
  const auto capture = TRY(lab::read_capture(folder));
  if (common.json) {
    print(capture_json(capture));
  } else {
    print_capture_sums(capture);
    print_captured_launches(capture);
  }
  return ok;
}

struct ListFlags {
  Common common;
  std::string capture;
};

Outcome list(const ListFlags& flags) {
  const Common& common = flags.common;
  if (!flags.capture.empty()) {
    return list_capture(common, flags.capture);
  }
  const auto library = TRY(open_library());
  // The catalogue can be listed where there is no Vulkan at all.
  const auto driver = open_driver(common);
  const auto devices = driver ? (*driver)->devices() : std::span<const core::DeviceInfo>();
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const core::WorkloadPtr& workload : library.catalogue.workloads()) {
    if (common.json) {
      all.push_back(workload_json(*workload, library.catalogue));
    } else {
      print_text(*workload, library.catalogue, devices);
    }
  }
  if (common.json) {
    print({{"workloads", all}});
  }
  return ok;
}

}  // namespace

void add_list(CLI::App& app) {
  auto flags = std::make_shared<ListFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments =
      add_command(app, "list", "List the catalogue, or the launches of a capture", common,
                  [flags] { return list(*flags); });
  arguments.option("CAPTURE", flags->capture,
                   "The folder of a capture (default: the workloads and their variants)");
}

}  // namespace cli
