#include "cli/text/banks_text.h"

#include <string>

#include <fmt/format.h>

namespace cli {
namespace {

std::string what(const core::Trace& trace, const core::SiteInstructions& instructions) {
  const core::TracedSite& site = trace.sites[instructions.site];
  return fmt::format("{:>5}  {:<12} {:<6}  {:>5}", site.at.line,
                     trace.variables[site.variable].name, core::to_string(site.access),
                     instructions.lanes);
}

void print_shared(const core::Trace& trace, const core::LaneReport& report) {
  if (report.shared.empty()) {
    return;
  }
  fmt::print(
      "    shared: line  variable     access  lanes  instructions   ways:  most    mean  "
      "transactions   conflicts  with other row lengths\n");
  for (std::size_t i = 0; i < report.shared.size(); ++i) {
    const core::SharedSite& site = report.shared[i];
    const core::PaddedSite& other = report.padded[i];
    fmt::print("            {}  {:>12}  {:>12}  {:>6.2f}  {:>12}  {:>10}  {}\n",
               what(trace, site.instructions), site.instructions.count(), site.worst_ways,
               site.mean_ways, site.passes, site.extra(),
               other.columns == 0
                   ? std::string()
                   : fmt::format("{:+} per row: {} {}", other.columns, other.site.worst_ways,
                                 other.site.worst_ways == 1 ? "way" : "ways"));
  }
}

void print_global(const core::Trace& trace, const core::LaneReport& report) {
  if (report.global.empty()) {
    return;
  }
  fmt::print(
      "    global: line  variable     access  lanes  instructions   bytes: requested    used      "
      "sectors    used/fetched\n");
  for (const core::GlobalSite& site : report.global) {
    fmt::print("            {}  {:>12}  {:>12}  {:>10}  {:>10}  {:>12.1f} %\n",
               what(trace, site.instructions), site.instructions.count(), site.asked, site.used,
               site.sectors, 100.0 * site.efficiency());
  }
}

void print_lanes(const core::Trace& trace, const core::LaneReport& report, const char* who) {
  fmt::print("  {} (modelled: {} banks of {} bytes, sectors of {} bytes)\n", who, core::kBanks,
             core::kBankBytes, core::kSectorBytes);
  print_shared(trace, report);
  print_global(trace, report);
}

}  // namespace

void print_banks(const core::Trace& trace, const core::BankReport& report) {
  fmt::print("  instrumented: accesses of workgroup {},{},{}: {} scalars\n", trace.workgroup[0],
             trace.workgroup[1], trace.workgroup[2], trace.accesses.size());
  print_lanes(
      trace, *report.subgroups,
      fmt::format("grouped by subgroups of {}, the size on this device", trace.subgroup_size)
          .c_str());
  if (report.of_32 != report.subgroups) {
    print_lanes(trace, *report.of_32, "grouped as subgroups of 32 consecutive invocations");
  }
  for (const core::Reuse& reuse : report.reuse) {
    fmt::print("    reuse: {} scalars of {} are read {:.2f} times on average, at most {} times\n",
               reuse.elements, trace.variables[reuse.variable].name, reuse.mean(), reuse.most);
  }
  for (const std::string& why : trace.incomplete) {
    fmt::print("    incomplete: {}\n", why);
  }
}

}  // namespace cli
