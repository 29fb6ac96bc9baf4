#include "cli/json/banks_json.h"

#include <string>

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

Json site_json(const core::Trace& trace, const core::SiteInstructions& instructions) {
  const core::TracedSite& site = trace.sites[instructions.site];
  return {{"line", site.at.line},
          {"column", site.at.column},
          {"file", site.at.file},
          {"variable", trace.variables[site.variable].name},
          {"access", core::to_string(site.access)},
          {"bytes", site.scalar_bytes * site.scalars},
          {"lanes", instructions.lanes},
          {"instructions", instructions.count()}};
}

Json report_json(const core::Trace& trace, const core::LaneReport& report) {
  Json json{
      {"width", report.instructions.width}, {"shared", Json::array()}, {"global", Json::array()}};
  for (std::size_t i = 0; i < report.shared.size(); ++i) {
    const core::SharedSite& site = report.shared[i];
    const core::PaddedSite& other = report.padded[i];
    Json row = site_json(trace, site.instructions);
    row["worst_ways"] = site.worst_ways;
    row["mean_ways"] = site.mean_ways;
    row["transactions"] = site.passes;
    row["extra_transactions"] = site.extra();
    row["padded"] = other.columns == 0 ? Json()
                                       : Json{{"columns", other.columns},
                                              {"worst_ways", other.site.worst_ways},
                                              {"mean_ways", other.site.mean_ways},
                                              {"extra_transactions", other.site.extra()}};
    json["shared"].push_back(row);
  }
  for (const core::GlobalSite& site : report.global) {
    Json row = site_json(trace, site.instructions);
    row["bytes_asked"] = site.asked;
    row["bytes_used"] = site.used;
    row["sectors"] = site.sectors;
    row["bytes_fetched"] = site.fetched();
    row["efficiency"] = site.efficiency();
    row["worst_efficiency"] = site.worst;
    json["global"].push_back(row);
  }
  return json;
}

}  // namespace

Json to_json(const core::Trace& trace, const core::BankReport& report) {
  Json json{{"accesses", "instrumented"},
            {"rules", "modelled"},
            {"banks", core::kBanks},
            {"bank_bytes", core::kBankBytes},
            {"sector_bytes", core::kSectorBytes},
            {"workgroup", trace.workgroup},
            {"subgroup_size", trace.subgroup_size},
            {"lost", trace.lost},
            {"incomplete", trace.incomplete},
            {"by_subgroup", report_json(trace, *report.subgroups)},
            {"by_32_invocations", report_json(trace, *report.of_32)},
            {"reuse", Json::array()}};
  for (const core::Reuse& reuse : report.reuse) {
    json["reuse"].push_back({{"variable", trace.variables[reuse.variable].name},
                             {"elements", reuse.elements},
                             {"reads", reuse.reads},
                             {"mean", reuse.mean()},
                             {"max", reuse.most}});
  }
  return json;
}

}  // namespace cli
