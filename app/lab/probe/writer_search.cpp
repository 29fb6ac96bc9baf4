#include "lab/probe/writer_search.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/provenance/likely_writers.h"
#include "lab/probe/check.h"
#include "lab/probe/trace.h"

namespace lab {
namespace {

using core::usage_error;

class Searcher {
 public:
  Searcher(Workbench& bench, Setup& setup, const WriterSearch& search)
      : bench_(bench), setup_(setup), search_(search) {}

  core::Expected<FoundWriter> run() {
    core::Result result = describe(setup_, bench_.info());
    auto grids = result.grids();
    std::ranges::reverse(grids);
    std::set<std::string> names;
    bool known = false;
    for (const std::size_t grid : grids) {
      show_launch(setup_, bench_.info(), grid, result);
      const auto done = TRY(search_grid(result, names, known));
      if (done) {
        return std::move(found_);
      }
    }
    if (!known) {
      return usage_error(fmt::format("the kernel has no variable \"{}\"; it has {}",
                                     search_.element.name, fmt::join(names, ", ")));
    }
    found_.all = all_;
    return std::move(found_);
  }

 private:
  // True: found, or there is no time for more.
  core::Expected<bool> search_grid(const core::Result& result, std::set<std::string>& names,
                                   bool& known) {
    std::vector<std::uint64_t> groups{0};
    if (search_.workgroup) {
      const glm::uvec3 of = result.tiles.groups();
      const glm::uvec3 at = *search_.workgroup;
      if (at.x >= of.x || at.y >= of.y || at.z >= of.z) {
        return usage_error(
            fmt::format("workgroup {},{},{} is outside of the launch, which has "
                        "{}×{}×{} workgroups",
                        at.x, at.y, at.z, of.x, of.y, of.z));
      }
      groups = {at.x + std::uint64_t{of.x} * (at.y + std::uint64_t{of.y} * at.z)};
    }
    bool ordered = search_.workgroup.has_value();
    std::set<std::uint64_t> seen;
    for (std::size_t n = 0; n < groups.size(); ++n) {
      if (!seen.insert(groups[n]).second) {
        continue;
      }
      auto trace = TRY(traced(result, result.tiles.group_at(groups[n])));
      for (const core::TracedVariable& v : trace->variables) {
        names.insert(v.name);
      }
      const auto scalar = TRY(core::scalar_named(*trace, result.buffers, search_.element));
      if (!scalar) {
        return false;
      }
      known = true;
      if (!is_written_in_text(*trace, scalar->variable)) {
        return false;
      }
      auto provenance = core::provenance_of(*trace, scalar->variable, scalar->offset);
      const bool here = provenance.has_value();
      if (here || !found_.trace) {
        found_.launch = setup_.launch_of(result.launch, result.tiles.group_at(groups[n]));
        found_.trace = trace;
        found_.scalar = *scalar;
        found_.provenance = std::move(provenance);
      }
      if (here) {
        return true;
      }
      if (found_.traced >= search_.most_traces ||
          (search_.observer && !search_.observer(found_.traced))) {
        all_ = false;
        return true;
      }
      if (!ordered) {
        ordered = true;
        const auto& v = trace->variables[scalar->variable];
        const auto likely = v.memory == core::MemoryKind::shared
                                ? std::vector<std::uint64_t>()
                                : core::likely_writers(result, v, scalar->offset);
        groups.insert(groups.end(), likely.begin(), likely.end());
      }
    }
    all_ = all_ && groups.size() >= result.tiles.group_count();
    return false;
  }

  static bool is_written_in_text(const core::Trace& trace, std::uint32_t variable) {
    return std::ranges::any_of(trace.sites, [variable](const core::TracedSite& s) {
      return s.variable == variable && s.writes;
    });
  }

  core::Expected<std::shared_ptr<const core::Trace>> traced(const core::Result& result,
                                                            glm::uvec3 group) {
    const std::size_t launch = setup_.launch_of(result.launch, group);
    const Turns turns = setup_.turns();
    auto trace = TRY(trace_workgroup(bench_.device(), *turns[launch].specimen, group,
                                     {.seed = setup_.experiment.seed,
                                      .lent = setup_.lent(),
                                      .before = std::span(turns).first(launch)}));
    ++found_.traced;
    return std::make_shared<const core::Trace>(std::move(trace));
  }

  Workbench& bench_;
  Setup& setup_;
  const WriterSearch& search_;
  FoundWriter found_;
  bool all_ = true;
};

}  // namespace

core::Expected<FoundWriter> find_writer(Workbench& bench, Setup& setup,
                                        const WriterSearch& search) {
  TRY(look_at_barriers(bench.device(), setup.turns(), {.seed = setup.experiment.seed}));
  TRY(bench.load(setup));
  return Searcher(bench, setup, search).run();
}

}  // namespace lab
