// `why`: which invocation wrote an element, and from which values it was computed.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/process/deadline.h"
#include "core/model/instructions.h"
#include "core/provenance/traced_values.h"
#include "lab/probe/writer_search.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

struct WhyFlags {
  Common common;
  ExperimentFlags experiment;
  std::string element;
  std::vector<std::uint32_t> workgroup;
};

Json number_json(const core::Trace& trace, std::size_t access) {
  const core::TracedAccess& a = trace.accesses[access];
  const core::TracedSite& site = trace.sites[a.site];
  const double value = core::number_of(a.value, site.scalar, site.scalar_bytes);
  return std::isfinite(value) ? Json(value)
                              : Json(core::value_text(a.value, site.scalar, site.scalar_bytes));
}

Json access_json(const core::Trace& trace, std::size_t access) {
  const core::TracedAccess& a = trace.accesses[access];
  const core::TracedSite& site = trace.sites[a.site];
  const core::TracedVariable& v = trace.variables[site.variable];
  return {{"element", core::element_name(v, a.offset / core::element_bytes(v))},
          {"value", number_json(trace, access)},
          {"memory", v.memory == core::MemoryKind::shared ? "shared" : "buffer"},
          {"access", core::to_string(site.access)},
          {"line", site.at.line},
          {"file", site.at.file},
          {"phase", a.phase + 1},
          {"invocation", core::invocation_at(trace, a.invocation)}};
}

// Each write once, by its number; reads name the write that they got their value from.
Json writes_json(const core::Trace& trace, const core::Provenance& p) {
  Json writes = Json::array();
  for (const core::ValueWrite& write : p.writes) {
    Json json = access_json(trace, write.access);
    json["reads"] = Json::array();
    for (const core::ValueRead& read : write.reads) {
      Json one = access_json(trace, read.access);
      one["written_by"] = read.write ? Json(*read.write) : Json();
      json["reads"].push_back(std::move(one));
    }
    writes.push_back(std::move(json));
  }
  return writes;
}

Json document_of(const WhyFlags& flags, const Chosen& chosen, const Bench& bench,
                 const lab::FoundWriter& found, const std::string& sentence) {
  const bool written = found.provenance.has_value();
  Json document{{"kernel", chosen.variant.id()},     {"device", bench.workbench->info().name},
                {"element", flags.element},          {"written", written},
                {"workgroups_traced", found.traced}, {"sentence", sentence}};
  if (!written) {
    return document;
  }
  const core::Trace& trace = *found.trace;
  document["launch"] = found.launch + 1;
  document["workgroup"] = trace.workgroup;
  document["value"] = number_json(trace, found.provenance->writes.front().access);
  document["lines"] = Json::array();
  for (const core::ProvenanceLine& line : core::in_words(trace, *found.provenance)) {
    document["lines"].push_back({{"depth", line.depth}, {"text", line.text}});
  }
  if (const auto& strange = found.provenance->strange) {
    document["not_finite"] = access_json(trace, strange->access);
    document["not_finite"]["computed"] = strange->computed;
  }
  document["writes"] = writes_json(trace, *found.provenance);
  document["cut"] = found.provenance->cut;
  document["incomplete"] = trace.incomplete;
  return document;
}

// Why nothing is known of an element that no traced workgroup writes.
std::string unwritten_words(const WhyFlags& flags, const lab::FoundWriter& found) {
  const bool only_read = found.trace == nullptr;
  return only_read   ? fmt::format("{} is an input: the kernel does not write it", flags.element)
         : found.all ? fmt::format("{} is not written by any of the {} workgroups", flags.element,
                                   found.traced)
                     : fmt::format(
                           "{} is not written by the {} workgroups that were traced; choose "
                           "another one with --workgroup",
                           flags.element, found.traced);
}

std::string sentence_of(const WhyFlags& flags, const lab::FoundWriter& found) {
  if (!found.provenance) {
    return unwritten_words(flags, found);
  }
  const std::string strange = core::strange_words(*found.trace, *found.provenance);
  return strange.empty() ? core::in_words(*found.trace, *found.provenance).front().text : strange;
}

void print_text(const Chosen& chosen, const Bench& bench, const lab::FoundWriter& found,
                const std::string& sentence) {
  fmt::print("{} on {}\n", chosen.variant.id(), bench.workbench->info().name);
  if (!found.provenance) {
    fmt::print("  {}\n", sentence);
    return;
  }
  const core::Trace& trace = *found.trace;
  for (const core::ProvenanceLine& line : core::in_words(trace, *found.provenance)) {
    fmt::print("  {}{}\n", std::string(2 * line.depth, ' '), line.text);
  }
  if (const std::string strange = core::strange_words(trace, *found.provenance); !strange.empty()) {
    fmt::print("  {}\n", strange);
  }
  if (found.provenance->cut) {
    fmt::print("  incomplete: more than {} writes led to this value\n",
               core::Provenance::most_writes);
  }
  for (const std::string& why : trace.incomplete) {
    fmt::print("  incomplete: {}\n", why);
  }
}

Outcome why(const WhyFlags& flags) {
  auto element = TRY(core::parse_element(flags.element));
  const auto chosen = TRY(choose(flags.experiment));
  const auto bench =
      TRY(open_bench(flags.common, chosen.experiment.device, chosen.device_options()));
  const Deadline deadline(flags.common, {flags.experiment.variant});
  constexpr double kDispatchBudgetMs = 500.0;
  const auto setup = TRY(bench.workbench->set_up(chosen.variant, chosen.experiment,
                                                 deadline.slice_ms(kDispatchBudgetMs)));
  lab::WriterSearch search{.element = std::move(element)};
  if (deadline.is_set()) {
    search.observer = deadline.observer();
  }
  if (!flags.workgroup.empty()) {
    glm::uvec3 at{0};
    for (std::size_t d = 0; d < flags.workgroup.size(); ++d) {
      at[static_cast<int>(d)] = flags.workgroup[d];
    }
    search.workgroup = at;
  }
  const auto found = TRY(lab::find_writer(*bench.workbench, *setup, search));
  const std::string sentence = sentence_of(flags, found);
  if (flags.common.json) {
    print(document_of(flags, chosen, bench, found, sentence));
  } else {
    print_text(chosen, bench, found, sentence);
  }
  const bool known = found.provenance || found.all || found.trace == nullptr;
  return known ? ok : unavailable;
}

}  // namespace

void add_why(CLI::App& app) {
  auto flags = std::make_shared<WhyFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments = add_command(
      app, "why", "Show which invocation wrote an element, and from which values it was computed",
      common, [flags] { return why(*flags); });
  arguments.option("KERNEL", flags->experiment.variant, "The kernel: WORKLOAD/NAME or a file")
      .required();
  flags->experiment.add_to(arguments);
  arguments
      .option("--element NAME[I]...", flags->element,
              "The element: a variable of the kernel, such as c[1155], or a buffer of the "
              "workload, such "
              "as C[18][3]")
      .required();
  arguments
      .option("--workgroup X,Y,Z", flags->workgroup,
              "Trace only this workgroup (default: the workgroups that may write the element)")
      .with_commas()
      .values(1, 3);
}

}  // namespace cli
