#include "cli/ci/baseline.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/files.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kBaselineKey = "tilescope_baseline";
constexpr int kBaselineVersion = 1;

void remove_if(core::CheckReport& report, const auto& is_known) {
  report.known += static_cast<std::uint32_t>(std::erase_if(report.findings, is_known));
  report.judge();
}

}  // namespace

core::Expected<Baseline> read_baseline(const std::filesystem::path& file) {
  const auto text = TRY(core::read_file(file));
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains(kBaselineKey) ||
      !json.at(kBaselineKey).is_number_integer()) {
    return core::usage_error(
        fmt::format("{} is not a baseline; create one with check --write-baseline", file.string()));
  }
  if (const auto version = json.at(kBaselineKey).get<std::int64_t>(); version > kBaselineVersion) {
    return core::usage_error(
        fmt::format("{} has version {} of the baseline format, but this Tilescope reads versions "
                    "up to {}; use a newer Tilescope",
                    file.string(), version, kBaselineVersion));
  }
  Baseline baseline;
  const Json findings = json.value("findings", Json::array());
  for (const Json& finding : findings.is_array() ? findings : Json::array()) {
    if (finding.is_object() && finding.contains("fingerprint") &&
        finding.at("fingerprint").is_string()) {
      baseline.insert(finding.at("fingerprint").get<std::string>());
    }
  }
  return baseline;
}

core::Expected<void> write_baseline(const std::filesystem::path& file,
                                    const std::vector<Checked>& all) {
  Json findings = Json::array();
  for (const Checked& checked : all) {
    if (!checked.report) {
      continue;
    }
    for (const core::Finding& f : checked.report->findings) {
      findings.push_back({{"fingerprint", f.fingerprint},
                          {"kernel", checked.kernel},
                          {"kind", core::to_string(f.kind)},
                          {"sentence", f.sentence()}});
    }
  }
  const Json json{{kBaselineKey, kBaselineVersion}, {"findings", findings}};
  const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  return core::write_file(file, std::as_bytes(std::span(text)));
}

void remove_known(const Baseline& baseline, core::CheckReport& report) {
  remove_if(report, [&](const core::Finding& f) { return baseline.contains(f.fingerprint); });
}

void remove_all(core::CheckReport& report) {
  remove_if(report, [](const core::Finding&) { return true; });
}

}  // namespace cli
