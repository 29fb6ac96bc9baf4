#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/json/occupancy_json.h"
#include "cli/json/result_json.h"
#include "cli/output.h"
#include "cli/process/deadline.h"
#include "cli/text/banks_text.h"
#include "core/model/wave_model.h"
#include "core/report/advice.h"
#include "core/report/timeline.h"
#include "lab/run/measure.h"
#include "lab/run/steps.h"

namespace cli {
namespace {

// What whole tiles leave over, and who does it.
void print_sections(const core::Result& r) {
  const auto sections = core::sections_of(r.tiles);
  const auto left_over = [](const core::SectionFigures& s) {
    return s.section != core::Section::middle;
  };
  for (const core::SectionFigures& s : sections) {
    if (std::ranges::none_of(sections, left_over)) {
      break;
    }
    const core::Launch* launch = r.launch_of(s.items.first / r.tiles.covers);
    const bool edge = core::edge_worker(r.tiles, s.items.first).has_value();
    fmt::print("    {}: {} cells by {} invocations{}\n", core::to_string(s.section), s.cells,
               s.invocations,
               edge ? " at the edge, in addition to their own cells"
               : r.launches.size() > 1 && launch
                   ? fmt::format(" in {} workgroups, launch {}, {}", s.workgroups,
                                 launch - r.launches.data() + 1, launch->kernel)
                   : fmt::format(" in {} workgroups", s.workgroups));
  }
}

// ", tile 128 BN=256, tuned on this device".
std::string tile_text(const core::Result& r) {
  const bool chosen = r.waves && r.waves->by == core::ChosenBy::model;
  std::string text = r.experiment.tile == 0 ? "" : fmt::format(", tile {}", r.experiment.tile);
  for (const auto& [name, value] : r.experiment.settings) {
    const bool own = (r.tuned && r.variant.tune.contains(name)) ||
                     (chosen && r.waves->now->settings.contains(name));
    text += own ? fmt::format(" {}={}", name, value) : "";
  }
  return text + (r.tuned ? ", tuned on this device" : chosen ? ", chosen by the wave model" : "");
}

// How the launch fills the device, and what other tiles would.
void print_waves(const core::Result& r) {
  if (!r.waves || !r.waves->now) {
    return;
  }
  const core::WavePlan& now = *r.waves->now;
  fmt::print("  modelled: {}\n", core::sentence(now));
  for (const core::WavePlan& plan : core::best_of_each(r.waves->offers, r.variant)) {
    fmt::print("    {:<56} {:.2f}× the time, {:.0f} % filled\n", core::choice_words(plan),
               plan.cost / now.cost, 100.0 * plan.filled);
  }
}

void print_answer(const core::Result& r) {
  if (!r.check.done) {
    fmt::print("  outputs: {}\n", r.check.method);
    return;
  }
  fmt::print("  {}: max error {:.3g} (tolerance {:.3g}), {}\n",
             r.check.correct ? "correct" : "WRONG", r.check.max_error, r.check.tolerance,
             r.check.method);
  if (!r.check.correct) {
    fmt::print("  worst: {}\n", r.check.worst);
  }
}

void print_text(const core::Result& r) {
  const core::TileMap& t = r.tiles;
  const glm::uvec3 g = t.groups();
  fmt::print("{} {}{}, on {}{}\n", r.variant.id(), core::to_string(r.experiment.size), tile_text(r),
             r.device.name, r.device.emulated() ? " (emulated)" : "");
  if (!r.chosen.empty()) {
    fmt::print("  launched with {}\n", fmt::join(r.chosen, " "));
  }
  for (const auto& [number, kind] : r.experiment.barriers) {
    fmt::print("  barrier {}: {}\n", number, core::to_string(kind));
  }
  if (r.refused()) {
    for (const core::Finding& f : r.races->findings) {
      fmt::print("  refused: {}\n", f.sentence());
    }
    return;
  }
  for (const core::Finding& f : r.unfinished) {
    fmt::print("  {}; the outputs and the times are those of the shortened loop\n", f.sentence());
  }
  print_answer(r);
  const core::Spread& s = r.timing.spread;
  if (s.count == 0) {
    fmt::print("  not measured\n");
  } else {
    fmt::print(
        "  measured: median {:.4f} ms, p5 {:.4f}, p95 {:.4f}; {} samples after {} warm-up "
        "launches{}{}\n",
        s.median, s.p5, s.p95, s.count, r.timing.warm_up, s.unsteady() ? ", unsteady" : "",
        r.sliced ? fmt::format(", {} slices each", r.timing.slices) : "");
  }
  for (std::size_t i = 0; i < r.timing.each_ms.size(); ++i) {
    const core::Launch& launch = r.launches[i];
    const glm::uvec3 groups = launch.groups.size();
    fmt::print("    launch {}: median {:.4f} ms, {}×{}×{} workgroups, {}\n", i + 1,
               core::spread_of(r.timing.each_ms[i]).median, groups.x, groups.y, groups.z,
               launch.kernel);
  }
  fmt::print("  {:.1f} GFLOP/s, {:.1f} GB/s; compile {:.1f} ms, upload {:.1f} ms (wall clock)\n",
             r.gflops(), r.gbps(), r.timing.compile_ms, r.timing.upload_ms);
  if (r.grids().size() > 1) {
    fmt::print("  of launch {}, {}:\n", r.launch + 1, r.launches[r.launch].kernel);
  }
  fmt::print(
      "  tiles: {}×{}×{} of {}×{}×{} invocations; {} of {} invocations useful ({:.1f}%)\n", g.x,
      g.y, g.z, t.local_size.x, t.local_size.y, t.local_size.z, t.useful_invocations(),
      t.invocations(),
      100.0 * static_cast<double>(t.useful_invocations()) / static_cast<double>(t.invocations()));
  const core::IdleTiles idle = t.idle_tiles();
  if (idle.partly + idle.wholly > 0) {
    fmt::print("    {} tiles are whole, {} partly idle, {} wholly idle\n", idle.whole, idle.partly,
               idle.wholly);
  }
  print_sections(r);
  print_waves(r);
  print_occupancy(r);
}

// How often each phase touched each variable, shared and global.
void print_trace(const core::Trace& trace) {
  fmt::print("  instrumented: trace of workgroup {},{},{}: {} scalars accessed in {} phase{}\n",
             trace.workgroup[0], trace.workgroup[1], trace.workgroup[2], trace.accesses.size(),
             trace.phases.size(), trace.phases.size() == 1 ? "" : "s");
  std::map<std::tuple<std::uint32_t, bool>, std::uint64_t> counts;
  for (const core::TracedAccess& a : trace.accesses) {
    const core::TracedSite& site = trace.sites[a.site];
    ++counts[{site.variable, site.writes}];
  }
  for (const auto& [key, count] : counts) {
    const auto& [number, writes] = key;
    const core::TracedVariable& v = trace.variables[number];
    fmt::print("    {} {:<12} {:<16} {} {} times\n",
               v.memory == core::MemoryKind::shared ? "shared" : "global", v.name, v.type,
               writes ? "written" : "read", count);
  }
  for (const std::string& why : trace.incomplete) {
    fmt::print("    incomplete: {}\n", why);
  }
}

void print_advice(const core::Advice& advice) {
  fmt::print("  advice: {}\n", core::headline(advice));
  for (const core::ArrayAdvice& array : advice.arrays) {
    fmt::print("    {:<12} {}\n", array.name, core::sentence(array, advice));
    std::vector<std::uint32_t> lines;
    std::ranges::transform(array.reads, std::back_inserter(lines),
                           [](const core::ArrayRead& read) { return read.at.line; });
    fmt::print(
        "    {:<12} line{} {}: the workgroup reads {} bytes at {} different addresses "
        "(instrumented)\n",
        "", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "), array.asked, array.distinct);
    if (array.tiling == core::Tiling::worth) {
      fmt::print(
          "    {:<12} copying to shared memory saves {} bytes per workgroup, {} per launch "
          "(modelled)\n",
          "", array.saved(), array.saved() * advice.workgroups);
    }
  }
  if (advice.lost > 0) {
    fmt::print("    based on the recorded accesses; {} more did not fit into the record\n",
               advice.lost);
  }
}

void print_timeline(const core::Timeline& t, const core::TileMap& tiles) {
  const core::TimelineWords words = core::words_of(t);
  fmt::print("  instrumented: timeline of {} tiles; the instrumented launch took {:.4f} ms{}\n",
             t.tiles.size(), t.figures.launch_ms,
             t.launches > 1        ? fmt::format(", {} launches in sequence", t.launches)
             : t.slices.size() > 1 ? fmt::format(", in {} slices", t.slices.size())
                                   : "");
  for (const std::string* line : {&words.resident, &words.waves, &words.tail, &words.duration}) {
    fmt::print("    {}\n", *line);
  }
  if (t.tells_multiprocessor) {
    fmt::print("    {} of {} multiprocessors used; {}\n", t.figures.multiprocessors_used,
               std::max(t.multiprocessors, t.figures.multiprocessors_used),
               t.slot_overlaps == 0 ? "no two subgroups overlapped in a warp slot"
                                    : fmt::format("{} pairs of subgroups overlapped in a warp slot",
                                                  t.slot_overlaps));
  } else {
    fmt::print("    multiprocessor: not reported by this device\n");
  }
  for (const std::uint32_t tile : t.figures.slowest) {
    const glm::uvec3 at = tiles.group_at(tile);
    fmt::print("    slowest: workgroup {},{},{} from {:.4f} to {:.4f} ms\n", at.x, at.y, at.z,
               t.ms(t.tiles[tile].start), t.ms(t.tiles[tile].end));
  }
  fmt::print("    clock: length of a tick {}; resolution {:g} ns; time 0 is {}\n", t.tick_source,
             t.ms(t.clock_steps) * 1e6,
             t.zero_is_launch ? "the start of the launch" : "the start of the first tile");
  for (const std::string& why : t.incomplete) {
    fmt::print("    incomplete: {}\n", why);
  }
}

void print_probes(const core::Result& r) {
  if (r.races && !r.refused()) {
    fmt::print("  instrumented: {}, {} of {} workgroups, {} of {} accesses\n",
               core::to_string(r.races->verdict), r.races->workgroups_checked, r.races->workgroups,
               r.races->accesses_checked + r.races->accesses_proven, r.races->accesses);
    for (const core::Finding& f : r.races->findings) {
      fmt::print("    {}{}\n", f.label(), f.sentence());
    }
  }
  if (r.banks) {
    print_banks(*r.trace, *r.banks);
  } else if (r.trace) {
    print_trace(*r.trace);
  }
  if (r.advice) {
    print_advice(*r.advice);
  }
  if (r.timeline) {
    print_timeline(*r.timeline, r.tiles);
  }
}

struct RunFlags {
  Common common;
  ExperimentFlags experiment;
  std::string save;
  std::uint32_t repeat = 0;
  std::vector<std::string> probes;
  std::vector<std::uint32_t> workgroup;
  std::size_t launch = 1;
  std::uint32_t warm_up = 1000;
  std::string csv;
};

const std::map<std::string, core::Step> kProbes{{"races", core::Step::check},
                                                {"trace", core::Step::trace},
                                                {"banks", core::Step::trace},
                                                {"timeline", core::Step::timeline}};

core::Expected<lab::StepOptions> step_options(const RunFlags& flags) {
  using core::Step;
  lab::StepOptions options{
      .steps = {Step::verify, Step::measure, Step::fields, Step::occupancy},
      .measure = {.repeat = flags.repeat, .warm_up_ms = static_cast<double>(flags.warm_up)},
      .loops = true,
      .strict = true};
  for (const std::string& name : flags.probes) {
    options.steps.insert(kProbes.at(name));
  }
  if (!flags.workgroup.empty() && !options.steps.contains(Step::trace)) {
    return core::usage_error("--workgroup needs --probe trace or --probe banks; add one of them");
  }
  options.launch = flags.launch - 1;
  for (std::size_t d = 0; d < flags.workgroup.size(); ++d) {
    options.workgroup[static_cast<int>(d)] = flags.workgroup[d];
  }
  return options;
}

// Of a trace what was asked for: the accesses and the advice, or the banks.
void leave_out(const RunFlags& flags, core::Result& result) {
  const auto wanted = [&](const char* name) {
    return std::ranges::find(flags.probes, name) != flags.probes.end();
  };
  if (!wanted("banks")) {
    result.banks.reset();
  }
  if (!wanted("trace")) {
    result.advice.reset();
  }
}

// What --timeout left no time for.
struct Stopped {
  std::string sentence;
  std::uint32_t wanted = 0;         // samples
  std::vector<std::string> probes;  // not made, or not to their end
  bool lacks = false;               // something that was asked for: fewer samples are samples
};

std::optional<Stopped> stopped_of(const RunFlags& flags, const Deadline& deadline,
                                  const core::Result& r) {
  Stopped stopped{.sentence = deadline.sentence(), .wanted = r.timing.wanted};
  std::ranges::copy_if(
      flags.probes, std::back_inserter(stopped.probes),
      [&](const std::string& name) { return r.left_out.contains(kProbes.at(name)); });
  const std::size_t samples = r.timing.spread.count;
  const bool fewer = r.left_out.contains(core::Step::measure);
  if (!fewer && stopped.probes.empty()) {
    return std::nullopt;
  }
  if (fewer) {
    stopped.sentence += stopped.wanted == 0
                            ? ", before the first sample"
                            : fmt::format(", after {} of {} samples", samples, stopped.wanted);
  }
  if (!stopped.probes.empty()) {
    stopped.sentence += fmt::format("; no time was left for {}", fmt::join(stopped.probes, ", "));
  }
  stopped.lacks = (fewer && samples == 0) || !stopped.probes.empty();
  return stopped;
}

// A result whose first launch has ended, so that its answer is known.
core::Expected<core::Result> make(const RunFlags& flags, const Chosen& chosen, const Bench& bench,
                                  const Deadline& deadline, lab::StepOptions options) {
  constexpr double kDispatchBudgetMs = 500.0;
  const double slice_ms = deadline.slice_ms(kDispatchBudgetMs);
  const auto setup = TRY(bench.workbench->set_up(chosen.variant, chosen.experiment, slice_ms));
  TRY(save_dispatch(*setup, flags.save));
  if (deadline.is_set()) {
    options.observer = deadline.observer();
    options.slice_ms = slice_ms;
  }
  auto result = lab::make_result(
      *bench.workbench, {chosen.library.catalogue, chosen.library.shaders}, *setup, options);
  if (result && result->left_out.contains(core::Step::verify)) {
    return core::device_error(fmt::format("{}: {}, before its first launch ended",
                                          chosen.variant.id(), deadline.sentence()));
  }
  return result;
}

void print_all(const RunFlags& flags, const core::Result& result,
               const std::optional<Stopped>& stopped) {
  if (!flags.common.json) {
    print_text(result);
    print_probes(result);
    if (stopped) {
      fmt::print("  {}\n", stopped->sentence);
    }
    return;
  }
  auto document = to_json(result, result.advice != nullptr);
  if (stopped) {
    document["stopped"] = {{"sentence", stopped->sentence},
                           {"samples", result.timing.spread.count},
                           {"wanted", stopped->wanted},
                           {"left_out", stopped->probes}};
  }
  print(document);
}

Outcome run(const RunFlags& flags) {
  const auto chosen = TRY(choose(flags.experiment));
  const auto options = step_options(flags);
  const auto writable =
      check_output(flags.csv, {flags.experiment.variant, flags.experiment.kernel.reference});
  if (!options || !writable) {
    return std::unexpected(options ? writable.error() : options.error());
  }
  const auto bench = open_bench(flags.common, chosen.experiment.device, chosen.device_options());
  if (!bench) {
    return std::unexpected(bench.error());
  }
  const Deadline deadline(flags.common, {flags.experiment.variant});
  auto result = make(flags, chosen, *bench, deadline, *options);
  if (!result) {
    return std::unexpected(result.error());
  }
  leave_out(flags, *result);
  core::MeasurementTable table(result->device, core::utc_now());
  table.add_kernel(*result);
  TRY(write_table(flags.csv, table));
  const auto stopped = stopped_of(flags, deadline, *result);
  print_all(flags, *result, stopped);
  const bool races = result->races && !result->races->findings.empty();
  if (!right(*result) || !result->unfinished.empty() || !bench->silent() || races) {
    return findings;
  }
  return stopped && stopped->lacks ? unavailable : ok;
}

}  // namespace

void add_run(CLI::App& app) {
  auto flags = std::make_shared<RunFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments = add_command(app, "run", "Run a kernel, check its outputs and time it",
                                          common, [flags] { return run(*flags); });
  arguments.option("KERNEL", flags->experiment.variant, "The kernel: WORKLOAD/NAME or a file")
      .required();
  flags->experiment.add_to(arguments);
  flags->experiment.add_unsaved_to(arguments);
  arguments.option("--save FOLDER", flags->save,
                   "Write the complete launch into FOLDER (default: not saved)");
  arguments
      .option("--repeat N", flags->repeat,
              "Time the launch N times, 1 to 100000 (default: as many as fit in 1.5 s)")
      .within(1, 100000);
  arguments
      .option("--warm-up MS", flags->warm_up,
              "Launch for at least MS milliseconds before the first sample (default: 1000)")
      .within(0, 600000);
  arguments
      .option("--probe NAME,...", flags->probes,
              "Also run these probes: races, trace, banks, timeline (default: none)")
      .with_commas()
      .one_of({"races", "trace", "banks", "timeline"});
  arguments
      .option("--workgroup X,Y,Z", flags->workgroup,
              "Trace this workgroup; needs --probe trace or --probe banks (default: 0,0,0)")
      .with_commas()
      .values(1, 3);
  arguments
      .option("--launch N", flags->launch,
              "Report and probe the N-th launch of a launch sequence, from 1 (default: 1)")
      .within(1, 1000);
  add_csv(arguments, flags->csv);
}

}  // namespace cli
