#include "lab/probe/check.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/bundle.h"
#include "cli/check_files.h"
#include "cli/ci/baseline.h"
#include "cli/ci/code_hosts.h"
#include "cli/ci/fingerprint.h"
#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/json/report_json.h"
#include "cli/json/result_json.h"
#include "cli/output.h"
#include "cli/process/deadline.h"
#include "cli/process/each.h"
#include "cli/process/guard.h"
#include "cli/process/streams.h"
#include "cli/project/changed.h"
#include "cli/project/check_cache.h"
#include "cli/project/check_items.h"
#include "cli/text/excerpt.h"
#include "core/base/files.h"
#include "core/base/new_folder.h"
#include "core/base/scratch.h"
#include "lab/files/capture_file.h"
#include "lab/files/dispatch_file.h"
#include "lab/plan/kernel_module.h"
#include "lab/probe/longer_buffers.h"
#include "lab/probe/mending.h"
#include "lab/probe/search.h"
#include "lab/ready/reference.h"
#include "lab/ready/workbench.h"
#include "lab/run/barrier_trials.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kNotTried = "not run: --timeout was reached";
constexpr double kWhole = 1e9;            // ms: launches go as one dispatch
constexpr double kLongestSlice = 1000.0;  // ms, where there is a limit of time

struct CheckFlags {
  Common common;
  ExperimentFlags experiment;
  std::vector<std::string> kernels;
  std::string save;
  std::string sarif;
  std::string junit;
  std::string tiles;
  std::string report;
  std::string bundle;
  std::string only;
  std::string format = "text";
  std::string baseline;
  std::string new_baseline;
  std::string since;
  std::uint32_t jobs = 1;
  bool no_cache = false;

  [[nodiscard]] bool prints_text() const { return !common.json && format == "text"; }
  /// The result of an unchanged kernel is the same: it is no time and writes no file.
  [[nodiscard]] bool is_repeatable() const {
    return !no_cache && !time && !common.validation && bundle.empty() && experiment.unsaved.empty();
  }
  bool notes = false;
  bool notes_ok = false;
  bool no_proofs = false;
  bool fix = false;
  bool time = false;
  bool experiments = false;
  bool exact = false;
};

void print_exercise(const core::CheckReport& r) {
  if (const std::string lines = r.not_executed(); !lines.empty()) {
    fmt::print("  {}\n", lines);
  }
  for (const core::NeverTaken& never : r.never_taken) {
    fmt::print("  line {}: {}{}\n", never.line,
               never.loop ? "the loop body was never executed" : "a branch was never taken",
               never.behind == never.line ? std::string()
                                          : fmt::format(" (code from line {} on)", never.behind));
  }
  for (const core::ConvergedBarrier& barrier : r.converged) {
    fmt::print(
        "  line {}: all invocations reached the barrier in this run, but the condition at line {} "
        "does not guarantee this\n",
        barrier.line, barrier.condition_line);
  }
}

// The line that a barrier before mends all races; 0: there is none.
std::uint32_t mended_before(const core::CheckReport& r) {
  const auto found =
      std::ranges::find_if(r.findings, [](const core::Finding& f) { return f.mended_before != 0; });
  return found == r.findings.end() ? 0 : found->mended_before;
}

void print_tried(const core::CheckReport& r) {
  for (const core::TriedLaunch& tried : r.tried) {
    fmt::print("  also tried: {}: {}{}\n", tried.what,
               tried.errors == 0
                   ? "no further error"
                   : fmt::format("{} error{}", tried.errors, tried.errors == 1 ? "" : "s"),
               tried.assumed.empty() ? ""
                                     : "; other faults of this launch may come from contents that "
                                       "the kernel does not expect");
  }
  for (const std::string& what : r.not_tried) {
    fmt::print("  not tried: {}\n", what);
  }
}

// "1 access", "4 accesses".
std::string counted(std::uint32_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    result += "    " + line + "\n";
  }
  return result;
}

bool is_decompiled(const std::vector<core::SourceFile>& sources) {
  return !sources.empty() && sources.front().decompiled;
}

bool is_assembly(const std::vector<core::SourceFile>& sources) {
  return !sources.empty() && !sources.front().decompiled &&
         (sources.front().path.ends_with(".spv") || sources.front().path.ends_with(".spvasm"));
}

void print_text(const core::CheckReport& r, const std::vector<core::SourceFile>& sources) {
  fmt::print("{} on {}: {}\n", r.kernel, r.device, core::to_string(r.verdict));
  fmt::print(
      "  {} of {} workgroups checked; {} to shared memory: {} executed, {} proven race-free, {} "
      "checked during the run\n",
      r.workgroups_checked, r.workgroups, counted(r.accesses, "access", "accesses"),
      r.accesses_executed, r.accesses_proven, r.accesses_checked);
  if (r.buffer_accesses > 0) {
    fmt::print("  {} to buffers that the kernel writes: {} proven race-free\n",
               counted(r.buffer_accesses, "access", "accesses"), r.buffers_proven);
  }
  if (r.indices > 0) {
    fmt::print("  {}: {} proven in bounds, {} checked during the run\n",
               counted(r.indices, "array index", "array indices"), r.indices - r.indices_checked,
               r.indices_checked);
  }
  if (r.reads > 0) {
    std::uint32_t checked = 0;
    for (const core::CheckedReads& reads : r.reads_checked) {
      checked += reads.count;
    }
    fmt::print(
        "  {} of shared memory and private arrays: {} proven to follow a write, {} checked during "
        "the run\n",
        counted(r.reads, "read", "reads"), r.reads - checked, checked);
  }
  if (is_decompiled(sources) && !r.findings.empty()) {
    fmt::print("  lines are those of GLSL that SPIRV-Cross decompiled from the module\n");
  }
  for (const core::Finding& f : r.findings) {
    fmt::print("  {}{}\n{}", f.label(), f.sentence(), excerpt(f, sources));
    for (const core::Finding& consequence : f.consequences) {
      fmt::print("    consequence: {}\n", consequence.sentence());
    }
    if (!f.flags.empty()) {
      fmt::print("    repeat with: {}\n", fmt::join(f.flags, " "));
    }
  }
  if (const std::uint32_t line = mended_before(r); line != 0) {
    fmt::print("  with a barrier before line {} the kernel is clean (tried)\n", line);
  }
  if (const auto edits = lab::all_repairs(r); !edits.empty()) {
    fmt::print("  repair (tried; {}):\n{}",
               is_decompiled(sources) ? "in the decompiled text" : "--fix writes it to a copy",
               indented(lab::diff_of(edits)));
  }
  if (r.hidden > 0) {
    fmt::print("  not shown: {} note{}; --notes shows them\n", r.hidden, r.hidden == 1 ? "" : "s");
  }
  if (r.known > 0) {
    fmt::print("  not shown: {} finding{} in the baseline\n", r.known, r.known == 1 ? "" : "s");
  }
  if (r.allowed > 0) {
    fmt::print("  allowed by comments in the source or by the project file: {} finding{}\n",
               r.allowed, r.allowed == 1 ? "" : "s");
  }
  for (const std::string& remark : r.remarks) {
    fmt::print("  remark: {}\n", remark);
  }
  for (const std::string& why : r.incomplete) {
    fmt::print("  not fully checked: {}\n", why);
  }
  print_exercise(r);
  for (const core::OutputCover& output : r.outputs) {
    if (output.unwritten > 0) {
      fmt::print("  outputs: {} of {} elements of {} were not written; the first is element {}\n",
                 output.unwritten, output.elements, output.variable, output.first_unwritten);
    }
  }
  for (const std::string& what : r.not_looked_at) {
    fmt::print("  not checked: {}\n", what);
  }
  print_tried(r);
  if (r.plain_ms > 0.0) {
    fmt::print("  measured: plain {:.4f} ms, instrumented {:.4f} ms: {:.2f}× as long\n", r.plain_ms,
               r.checked_ms, r.checked_ms / r.plain_ms);
  }
}

int status_of_verdict(const Checked& checked, bool notes_ok) {
  const core::CheckReport& report = *checked.report;
  if (checked.answer && !checked.answer->correct) {
    return findings;
  }
  if (!checked.expected.empty()) {
    return checked.is_as_expected() ? ok : findings;
  }
  if (report.counts_as_found(notes_ok)) {
    return findings;
  }
  switch (report.verdict) {
    case core::Verdict::clean:
      return ok;
    case core::Verdict::incomplete:
      return unavailable;
    default:
      return findings;
  }
}

std::string row_name(const core::BarrierTrial& trial) {
  if (!trial.kind) {
    return "unchanged";
  }
  return fmt::format("{}={}", trial.barrier == 0 ? "all" : std::to_string(trial.barrier),
                     core::to_string(*trial.kind));
}

void print_trial(const core::BarrierTrial& trial) {
  const auto relative = trial.relative();
  fmt::print("  {:<18}{:<12}{:<16}{:>12}{:>9}  {}\n", row_name(trial), trial.verdict(),
             trial.hazards(),
             trial.spread.count > 0 ? fmt::format("{:.4f} ms", trial.spread.median) : "-",
             relative ? fmt::format("{:.2f}×", *relative) : "", trial.impossible);
}

Json trial_json(const core::BarrierTrial& trial) {
  const auto relative = trial.relative();
  const auto empty = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"barrier", !trial.kind          ? Json()
                      : trial.barrier == 0 ? Json("all")
                                           : Json(trial.barrier)},
          {"kind", trial.kind ? Json(core::to_string(*trial.kind)) : Json()},
          {"verdict", empty(trial.verdict())},
          {"hazards", empty(trial.hazards())},
          {"ms", trial.spread.count > 0 ? to_json(trial.spread) : Json()},
          {"written_ms", trial.written.count > 0 ? to_json(trial.written) : Json()},
          {"relative", relative ? Json(*relative) : Json()},
          {"error", empty(trial.impossible)}};
}

void print_trials(const lab::Workbench& bench, const core::Variant& variant,
                  const core::BarrierTrials& trials) {
  fmt::print("{} on {}: each barrier with each kind\n", variant.id(), bench.info().name);
  fmt::print("  {:<18}{:<12}{:<16}{:>12}{:>9}\n", "barrier=kind", "verdict", "hazards", "measured",
             "relative");
  for (const core::BarrierTrial& trial : trials.list) {
    print_trial(trial);
  }
  for (std::uint32_t k = 1; k <= trials.barriers; ++k) {
    if (const std::string words = core::conclusion(trials, k); !words.empty()) {
      fmt::print("  barrier {} is {}\n", k, words);
    }
  }
}

// What was found is the answer, not a fault: the status is 0.
Outcome try_barriers(const CheckFlags& flags) {
  const auto chosen = TRY(choose(flags.experiment));
  const auto bench = TRY(open_bench(flags.common, flags.experiment.device));
  lab::Workbench& workbench = *bench.workbench;
  auto trials = TRY(lab::plan_trials(workbench, chosen.variant, chosen.experiment));
  const Deadline deadline(flags.common, {flags.experiment.variant});
  for (core::BarrierTrial& trial : trials.list) {
    if (deadline.is_over()) {
      trial.impossible = kNotTried;
      continue;
    }
    TRY(lab::run_trial(workbench, chosen.variant, chosen.experiment,
                       lab::trial_times(workbench.info()), deadline.observer(), trial));
    if (!trial.done) {
      trial.impossible = kNotTried;
    }
  }
  core::derive(trials);
  if (flags.common.json) {
    Json json{{"variant", chosen.variant.id()},
              {"device", workbench.info().name},
              {"emulated", workbench.info().emulated()},
              {"verdicts", "instrumented"},
              {"times", "measured"},
              {"trials", Json::array()},
              {"conclusions", Json::array()}};
    for (const core::BarrierTrial& trial : trials.list) {
      json["trials"].push_back(trial_json(trial));
    }
    for (std::uint32_t k = 1; k <= trials.barriers; ++k) {
      json["conclusions"].push_back(core::conclusion(trials, k));
    }
    print(json);
  } else {
    print_trials(workbench, chosen.variant, trials);
  }
  return bench.silent() ? ok : findings;
}

struct Done {
  core::CheckReport report;
  std::vector<core::SourceFile> sources;
  std::vector<std::string> chosen;
  std::optional<Answer> answer;
  std::string expected;  ///< Checked::expected
};

core::Expected<Done> check_one(const CheckFlags& flags, const Chosen& chosen,
                               lab::Workbench& workbench, std::uint64_t tiles);

// Every entry point of a module that has several, where none was chosen.
core::Expected<Done> check_entries(const CheckFlags& flags, const Chosen& chosen,
                                   lab::Workbench& workbench, std::uint64_t tiles,
                                   const std::vector<std::string>& entries) {
  Done all;
  all.report.kernel = chosen.variant.id();
  all.report.device = workbench.info().name;
  all.report.verdict = core::Verdict::clean;
  std::size_t number = 0;
  const Deadline deadline(flags.common, {flags.experiment.variant});
  for (const std::string& entry : entries) {
    if (number > 0 && deadline.is_over()) {
      all.report.incomplete.push_back("entry point " + entry + " was not checked");
      if (all.report.verdict == core::Verdict::clean) {
        all.report.verdict = core::Verdict::incomplete;
      }
      continue;
    }
    Chosen one = chosen;
    one.experiment.choices.entry = entry;
    CheckFlags own = flags;
    own.bundle += own.bundle.empty() ? "" : "/" + entry;
    auto done = check_one(own, one, workbench, tiles);
    if (!done) {
      return done;
    }
    done->report.kernel = entry;
    if (done->answer && (!all.answer || all.answer->correct)) {
      all.answer = done->answer;
    }
    all.report.add(std::move(done->report), {.number = ++number});
    all.chosen = std::move(done->chosen);
  }
  all.report.judge_exercise();
  return all;
}

// As they are counted when all is seen; `tiles` of the last launch at most, 0: all.
std::uint64_t groups_of(const lab::Turns& turns, std::uint64_t tiles) {
  std::uint64_t all = 0;
  for (const lab::Turn& turn : turns) {
    all += turn.groups.count();
  }
  const std::uint64_t last = turns.back().groups.count();
  return tiles == 0 ? all : all - last + std::min(tiles, last);
}

// The outputs of a plain launch against those of --reference. A launch that was refused has none.
core::Expected<std::optional<Answer>> compare_answer(const Deadline& deadline,
                                                     lab::Workbench& workbench, lab::Setup& setup,
                                                     const core::CheckReport& report) {
  const std::string& reference = setup.experiment.choices.reference;
  if (reference.empty() || deadline.is_over() || report.workgroups_checked == 0) {
    return std::nullopt;
  }
  const auto compared = workbench.verify(setup, [&](std::uint64_t) { return !deadline.is_over(); });
  if (!compared) {
    return std::unexpected(compared.error());
  }
  if (!compared->done) {
    return std::nullopt;
  }
  return Answer{.reference = reference,
                .correct = compared->correct,
                .max_error = compared->max_error,
                .tolerance = compared->tolerance,
                .worst = compared->worst};
}

core::Expected<lab::CheckOptions> check_options(const CheckFlags& flags, const Chosen& chosen,
                                                std::uint64_t tiles) {
  const auto checks = TRY(core::parse_checks(flags.only));
  return lab::CheckOptions{.tiles = tiles,
                           .measure = flags.time,
                           .seed = chosen.experiment.seed,
                           .checks = checks,
                           .proofs = !flags.no_proofs};
}

// One launch, as it was chosen. Fills `longer` and stops there if a buffer has to be longer;
// `longer` may be null. Fills `more` with the launches to try after this one.
core::Expected<Done> check_launch(const CheckFlags& flags, const Chosen& chosen,
                                  lab::Workbench& workbench, std::uint64_t tiles,
                                  const Deadline& deadline, lab::LongerBuffers* longer,
                                  std::vector<lab::LaunchToTry>& more) {
  const auto setup = TRY(workbench.set_up(chosen.variant, chosen.experiment, kWhole));
  TRY(save_dispatch(*setup, flags.save));
  if (!flags.bundle.empty() && setup->launches.front().sections.empty()) {
    TRY(save_dispatch(*setup, launch_of_bundle(flags.bundle).string()));
  }
  lab::Specimen& specimen = *setup->turns().front().specimen;
  const auto examination = specimen.examination();
  if (chosen.experiment.choices.entry.empty() && !specimen.other_entries().empty() && examination) {
    std::vector<std::string> entries{(*examination)->program.interface.entry_point};
    entries.insert(entries.end(), specimen.other_entries().begin(), specimen.other_entries().end());
    return check_entries(flags, chosen, workbench, tiles, entries);
  }
  auto wanted = TRY(check_options(flags, chosen, tiles));
  lab::CheckOptions& options = wanted;
  const lab::Turns turns = setup->turns();
  bool stopped = false;
  if (deadline.is_set()) {
    options.slice_ms = deadline.slice_ms(kLongestSlice);
    options.observer = [&, groups = groups_of(turns, tiles)](std::uint64_t done) {
      stopped = stopped || (done < groups && deadline.is_over());
      return !deadline.is_over();
    };
  }
  auto report = TRY(lab::check(workbench.device(), turns, options));
  if (stopped) {
    report.incomplete.insert(report.incomplete.begin(),
                             deadline.sentence() + ": the report has the results up to this time");
  }
  if (longer != nullptr && turns.size() == 1 && !deadline.is_over()) {
    *longer = lab::longer_buffers(specimen, report);
    if (!longer->empty()) {
      return Done{std::move(report), {}, {}, {}};
    }
  }
  const bool saved_launch = chosen.variant.file.filename() == lab::kDispatchFile;
  if (!chosen.variant.work && !saved_launch && turns.size() == 1 && options.checks.bounds) {
    lab::add_too_long(specimen, report);
  }
  if (!chosen.variant.work && turns.size() == 1 && !flags.exact && !flags.time) {
    more = lab::launches_to_try(specimen, chosen.experiment, report);
  }
  // What was found stands, whatever comes of the rest.
  const auto left_out = [&](const std::string& what, const core::Error& error) {
    report.incomplete.push_back(what + ": " + error.message);
    if (report.verdict == core::Verdict::clean) {
      report.verdict = core::Verdict::incomplete;
    }
  };
  if (const auto tried = lab::suggest_repairs(workbench.device(), turns, options, report); !tried) {
    left_out("no repairs of the races were tried", tried.error());
  }
  const auto& sources = turns.front().specimen->dispatch().module->sources;
  if (is_assembly(sources)) {
    std::ranges::for_each(report.findings, [](core::Finding& f) { f.repair.clear(); });
  }
  auto answer = compare_answer(deadline, workbench, *setup, report);
  if (!answer) {
    if (answer.error().fault == core::Fault::usage) {
      return std::unexpected(answer.error());
    }
    left_out("the outputs were not compared", answer.error());
    answer = std::optional<Answer>();
  }
  return Done{std::move(report), sources, setup->chosen, std::move(*answer)};
}

// A line of a text, without the blanks before it; empty if the text is shorter.
std::string line_of(const std::string& text, std::uint32_t number) {
  std::istringstream lines(text);
  std::string line;
  for (std::uint32_t n = 0; n < number && std::getline(lines, line); ++n) {
  }
  return lines && number > 0 ? line.substr(std::min(line.size(), line.find_first_not_of(' ')))
                             : std::string();
}

// A module without lines has those of decompiled GLSL or of its assembly: what is there is named,
// too.
void quote_lines(Json& findings, const std::vector<core::SourceFile>& sources) {
  if (!is_decompiled(sources) && !is_assembly(sources)) {
    return;
  }
  const char* field = is_decompiled(sources) ? "statement" : "instruction";
  const auto name = [&](Json& place) {
    if (place.contains("line")) {
      place[field] = line_of(sources.front().text, place["line"].get<std::uint32_t>());
    }
  };
  for (Json& finding : findings) {
    name(finding);
    for (const char* side : {"first", "second"}) {
      if (finding.contains(side)) {
        name(finding[side]);
      }
    }
  }
}

// A kernel that exceeds the length that Tilescope chose for a buffer is checked again with a longer
// one. Then other launches are tried.
core::Expected<Done> check_one(const CheckFlags& flags, const Chosen& chosen,
                               lab::Workbench& workbench, std::uint64_t tiles) {
  constexpr int kMostRuns = 6;
  const Deadline deadline(flags.common, {flags.experiment.variant});
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  Chosen one = chosen;
  for (int run = 1;; ++run) {
    lab::LongerBuffers longer;
    std::vector<lab::LaunchToTry> more;
    auto done = check_launch(flags, one, workbench, tiles, deadline,
                             run < kMostRuns ? &longer : nullptr, more);
    if (done && longer.empty() && !more.empty()) {
      auto options = check_options(flags, one, tiles);
      options->slice_ms = deadline.slice_ms(kLongestSlice);
      options->observer = deadline.observer();
      const auto tried = lab::try_launches(
          workbench, one.variant, one.experiment, *options,
          lab::search_budget(
              std::chrono::duration<double, std::milli>(Clock::now() - start).count()),
          more, done->report);
      if (!tried) {
        done->report.incomplete.push_back("other launches were not tried: " +
                                          tried.error().message);
        done->report.sort_findings();
        done->report.judge();
      }
    }
    if (!done || longer.empty()) {
      return done;
    }
    for (const auto& [place, bytes] : longer) {
      one.experiment.choices.longer[place] = bytes;
    }
  }
}

Json report_json(const Done& done) {
  Json json = to_json(done.report);
  json["schema_version"] = kSchemaVersion;
  quote_lines(json["findings"], done.sources);
  if (is_decompiled(done.sources)) {
    json["decompiled"] = true;
  }
  if (!done.chosen.empty()) {
    json["chosen"] = done.chosen;
  }
  if (!done.expected.empty()) {
    json["expected"] = done.expected;
  }
  if (done.answer) {
    json["answer"] = {{"reference", done.answer->reference},
                      {"correct", done.answer->correct},
                      {"max_error", done.answer->max_error},
                      {"tolerance", done.answer->tolerance},
                      {"worst", done.answer->worst}};
  }
  return json;
}

core::Expected<void> write_text(const std::string& file, const std::string& text) {
  return file.empty() ? core::Expected<void>()
                      : core::write_file(file, std::as_bytes(std::span(text)));
}

// Writes each source that the repairs change to a copy beside it, "sum.fixed.comp".
void write_fixed(const Done& done) {
  if (is_decompiled(done.sources)) {
    return complain("--fix needs the source of the kernel; the text of this one is decompiled");
  }
  const std::vector<core::LineEdit> edits = lab::all_repairs(done.report);
  for (const core::SourceFile& source : done.sources) {
    std::vector<core::LineEdit> own;
    std::ranges::copy_if(edits, std::back_inserter(own), [&](const core::LineEdit& edit) {
      return edit.file == source.path || (edit.file.empty() && &source == &done.sources.front());
    });
    std::filesystem::path file = source.path;
    if (own.empty() || !std::filesystem::exists(file)) {
      continue;
    }
    file.replace_filename(file.stem().string() + ".fixed" + file.extension().string());
    const auto written = write_text(file.string(), lab::repaired(source.text, own));
    fmt::print(stderr, "{}\n", written ? "wrote " + file.string() : written.error().message);
  }
}

void print_one(const CheckFlags& flags, const Done& done) {
  if (flags.fix) {
    write_fixed(done);
  }
  if (flags.common.json) {
    return print(report_json(done));
  }
  if (!flags.prints_text()) {
    return;  // print_for_code_host() follows
  }
  print_text(done.report, done.sources);
  if (done.answer) {
    fmt::print("  outputs: {}{}, compared with {}\n", done.answer->correct ? "correct" : "WRONG: ",
               done.answer->correct ? std::string() : done.answer->worst, done.answer->reference);
  }
  if (!done.expected.empty()) {
    fmt::print("  expected verdict: {} ({})\n", done.expected,
               core::to_string(done.report.verdict) == done.expected ? "as found" : "not found");
  }
  if (!done.chosen.empty()) {
    fmt::print("  launched with {}\n", fmt::join(done.chosen, " "));
  }
}

core::Expected<void> write_report(const CheckFlags& flags, const Done& done) {
  return flags.report.empty()
             ? core::Expected<void>()
             : write_text(flags.report,
                          report_json(done).dump(2, ' ', false, Json::error_handler_t::replace));
}

core::Expected<void> write_files(const CheckFlags& flags, const std::vector<Checked>& all) {
  if (auto ok = write_text(flags.sarif,
                           sarif_of(all).dump(2, ' ', false, Json::error_handler_t::replace));
      !ok) {
    return ok;
  }
  if (!flags.new_baseline.empty()) {
    if (auto ok = write_baseline(flags.new_baseline, all); !ok) {
      return ok;
    }
  }
  return write_text(flags.junit, junit_of(all, flags.notes_ok));
}

void print_for_code_host(const CheckFlags& flags, const std::vector<Checked>& all) {
  if (flags.format == "github") {
    fmt::print("{}", github_annotations(all));
  } else if (flags.format == "gitlab") {
    print(gitlab_report(all));
  }
}

// The most severe status: findings, then a wrong call or source, then a failed check. The findings
// of a baseline that was just written are known.
int status_of_all(std::vector<Checked> all, const CheckFlags& flags) {
  const bool notes_ok = flags.notes_ok;
  std::set<int> seen;
  for (Checked& one : all) {
    if (one.report && !flags.new_baseline.empty()) {
      remove_all(*one.report);
    }
  }
  for (const Checked& one : all) {
    seen.insert(one.report                                       ? status_of_verdict(one, notes_ok)
                : one.report.error().fault == core::Fault::usage ? usage
                                                                 : unavailable);
  }
  for (const int status : {findings, usage, unavailable}) {
    if (seen.contains(status)) {
      return status;
    }
  }
  return ok;
}

void print_summary(const std::vector<Checked>& all, std::size_t unchanged) {
  std::map<std::string, int> verdicts;
  for (const Checked& one : all) {
    ++verdicts[one.report ? core::to_string(one.report->verdict) : "not checked"];
  }
  if (all.empty()) {
    fmt::print("no kernel has changed\n");
    return;
  }
  fmt::print("{} kernel{}:", all.size(), all.size() == 1 ? "" : "s");
  for (const char* before = " "; const auto& [verdict, count] : verdicts) {
    fmt::print("{}{} {}", std::exchange(before, ", "), count, verdict);
  }
  if (unchanged > 0) {
    fmt::print("; {} unchanged since an earlier run (--no-cache checks them again)", unchanged);
  }
  fmt::print("\n");
}

Json summary_json(const std::vector<Checked>& all, const Json& reports, std::size_t unchanged) {
  Json verdicts = Json::object();
  for (const Checked& one : all) {
    const std::string verdict = one.report ? core::to_string(one.report->verdict) : "not checked";
    verdicts[verdict] = verdicts.value(verdict, 0) + 1;
  }
  return {{"kernels", all.size()},
          {"verdicts", verdicts},
          {"unchanged", unchanged},
          {"reports", reports}};
}

// The result of the process that checked one kernel.
core::Expected<CheckRecord> record_of(const std::string& kernel, const std::string& file,
                                      const core::Expected<core::ChildEnd>& end,
                                      const core::ChildLimits& limits) {
  if (!end) {
    return std::unexpected(end.error());
  }
  if (!end->exited()) {
    return core::device_error(end->sentence(kernel, limits));
  }
  const auto written = core::read_file(file);
  if (written && !written->empty()) {
    return CheckRecord{end->out, *written, {}};
  }
  std::string why = last_line_of(end->err);
  why = why.empty() ? "the process that checked this kernel ended without a report" : why;
  return end->status == usage ? core::Expected<CheckRecord>(CheckRecord{end->out, {}, why})
                              : core::device_error(why);
}

core::Expected<core::CheckReport> report_of(const core::Expected<CheckRecord>& record) {
  return !record                 ? std::unexpected(record.error())
         : record->error.empty() ? report_from(record->report)
                                 : core::usage_error(record->error);
}

// False if the same check may end in another way the next time: one that time may have cut.
bool is_repeatable(const core::Expected<core::CheckReport>& report, const core::ChildEnd& end,
                   double limit) {
  constexpr double kLittle = 0.1;  // of the limit
  return !report || report->verdict != core::Verdict::incomplete || limit <= 0.0 ||
         end.seconds < kLittle * limit;
}

// The file that a kernel's lines are of. It is not compiled: what crashes or stalls its own process
// would do the same here.
std::string file_of(const Library& library, const std::string& kernel) {
  if (core::is_file(kernel)) {
    return kernel;
  }
  const auto adopted = lab::adopt(library.catalogue, kernel);
  const auto variant = adopted ? lab::find_kernel(adopted->catalogue, adopted->id)
                               : std::unexpected(adopted.error());
  return variant ? variant->file.string() : kernel;
}

// The last report of a captured launch stays in its folder, where `list` finds its verdict.
void keep_report(const std::string& kernel, const Json& report) {
  const std::filesystem::path folder = kernel;
  if (core::is_folder(folder) && lab::is_capture(folder.parent_path())) {
    const std::string text = report.dump(-1, ' ', false, Json::error_handler_t::replace);
    static_cast<void>(core::write_file(folder / lab::kReportFile, std::as_bytes(std::span(text))));
  }
}

// Each in a process of its own: a crash of one does not end the others.
Outcome check_each(const CheckFlags& flags, const std::vector<CheckItem>& items) {
  const core::Scratch scratch;
  if (scratch.path().empty()) {
    return core::device_error("cannot create a temporary folder; set TMPDIR to a writable folder");
  }
  const auto library = TRY(open_library());
  core::NewFolder bundles;
  if (!flags.bundle.empty()) {
    TRY(bundles.make(flags.bundle));
    bundles.keep();
  }
  const auto file = [&](std::size_t n) {
    return (scratch.path() / (std::to_string(n) + ".json")).string();
  };
  EachCall call;
  call.names = flags.kernels;
  call.without = {"--sarif",          "--junit", "--report", "--save-report", "--format",
                  "--write-baseline", "--jobs",  "-j",       "--launch-name", "--since"};
  std::vector<std::string> keys(items.size());
  std::vector<std::optional<CheckRecord>> known(items.size());
  std::optional<CheckCache> cache;
  if (flags.is_repeatable()) {
    std::vector<std::string> base =
        arguments_without(call_arguments(), flags.kernels, call.without);
    base.push_back(core::read_file(flags.baseline).value_or(""));
    cache.emplace(flags.common, flags.experiment, base);
    for (std::size_t n = 0; n < items.size(); ++n) {
      keys[n] = cache->key_of(items[n]);
      known[n] = cache->find(keys[n]);
    }
  }
  std::vector<std::size_t> open;  // items without a known result
  for (std::size_t n = 0; n < items.size(); ++n) {
    if (!known[n]) {
      open.push_back(n);
    }
  }
  call.arguments = [&](std::size_t part) {
    const std::size_t n = open[part];
    std::vector<std::string> own{"--report", file(n)};
    if (!flags.bundle.empty()) {
      std::string name = fmt::format("{:03}-{}", n + 1, items[n].name());
      std::ranges::replace(name, '/', '-');
      own.insert(own.end(), {"--save-report", flags.bundle + "/" + name});
    }
    if (!items[n].launch_name().empty()) {
      own.insert(own.end(), {"--launch-name", items[n].launch_name()});
    }
    own.insert(own.end(), {"--", items[n].kernel});
    return own;
  };
  call.jobs = flags.jobs;
  call.seconds = static_cast<double>(flags.common.timeout);
  std::vector<Checked> all;
  Json reports = Json::array();
  const auto add = [&](const core::Expected<CheckRecord>& record) {
    const CheckItem& item = items[all.size()];
    const std::string kernel = item.name();
    auto report = report_of(record);
    if (report) {
      reports.push_back(Json::parse(record->report, nullptr, false));
      keep_report(item.kernel, reports.back());
    } else {
      complain(report.error().message);
      reports.push_back({{"kernel", kernel}, {"error", report.error().message}});
    }
    if (flags.prints_text() && record) {
      fmt::print("{}", record->out);
    }
    all.push_back({kernel, file_of(library, item.kernel), std::move(report)});
    if (all.back().report) {
      add_from_report(reports.back(), all.back());
    }
  };
  const auto add_known_until = [&](std::size_t end) {
    while (all.size() < end) {
      add(*known[all.size()]);
    }
  };
  call_each(call, open.size(), [&](std::size_t part, const core::Expected<core::ChildEnd>& end) {
    const std::size_t n = open[part];
    add_known_until(n);
    const auto record =
        record_of(items[n].name(), file(n), end, core::stranger_limits(call.seconds));
    add(record);
    if (cache && record && is_repeatable(all.back().report, *end, call.seconds)) {
      cache->keep(keys[n], items[n], *record);
    }
  });
  add_known_until(items.size());
  if (cache && !open.empty()) {
    cache->trim();
  }
  const std::size_t unchanged = items.size() - open.size();
  if (flags.common.json) {
    print(summary_json(all, reports, unchanged));
  } else if (flags.prints_text()) {
    print_summary(all, unchanged);
  }
  print_for_code_host(flags, all);
  TRY(write_files(flags, all));
  return status_of_all(all, flags);
}

Outcome check(const CheckFlags& flags) {
  const auto tiles = parse_tiles(flags.tiles);
  auto items = check_items(flags.kernels, flags.experiment);
  TRY(core::parse_checks(flags.only));
  if (!items || !tiles) {
    return std::unexpected(items ? tiles.error() : items.error());
  }
  if (!flags.since.empty()) {
    TRY(keep_changed(flags.since, flags.experiment, *items));
  }
  std::vector<std::string> kernels;
  std::ranges::transform(*items, std::back_inserter(kernels), &CheckItem::kernel);
  if (const std::string& name = flags.experiment.kernel.reference; !name.empty()) {
    TRY(lab::reference_named(name));
  }
  if (flags.common.json && flags.format != "text") {
    return core::usage_error("--json and --format cannot be combined; remove one of them");
  }
  if (!flags.baseline.empty() && !flags.new_baseline.empty()) {
    return core::usage_error(
        "--baseline and --write-baseline cannot be combined; remove one of them");
  }
  const auto known = flags.baseline.empty() ? Baseline() : read_baseline(flags.baseline);
  if (!known) {
    return std::unexpected(known.error());
  }
  for (const std::string& file : {flags.sarif, flags.junit, flags.report, flags.new_baseline}) {
    TRY(check_output(file, kernels));
  }
  if (items->size() != 1 || flags.kernels.empty() || !flags.since.empty()) {
    if (flags.experiments || !flags.save.empty()) {
      return core::usage_error("--experiments and --save work with one kernel; name only one");
    }
    if (!flags.report.empty()) {
      return core::usage_error(
          "--report works with one kernel; use --json to print the reports of several kernels");
    }
    return check_each(flags, *items);
  }
  CheckFlags one = flags;
  const std::string name = items->front().name();
  const std::optional<lab::ProjectLaunch>& launch = items->front().launch;
  one.experiment.variant = kernels.front();
  one.experiment.launch_name = items->front().launch_name();
  if (flags.experiments) {
    return try_barriers(one);
  }
  core::NewFolder bundle;
  if (!flags.bundle.empty()) {
    TRY(bundle.make(flags.bundle));
  }
  // What is wrong with the call or the source is said before a device is asked for.
  const auto chosen = choose(one.experiment);
  // Whoever reads the files is told why nothing was checked.
  const auto failed = [&](const core::Error& error) -> core::Expected<int> {
    const std::string file = chosen ? chosen->variant.file.string() : kernels.front();
    if (!flags.bundle.empty()) {
      const auto bundled =
          write_bundle(flags.bundle, name, file, nullptr, {{"error", error.message}});
      if (!bundled) {
        return std::unexpected(bundled.error());
      }
      bundle.keep();
    }
    const std::vector<Checked> none{{name, file, std::unexpected(error)}};
    print_for_code_host(flags, none);
    const auto written = write_files(flags, none);
    return std::unexpected(written ? error : written.error());
  };
  if (!chosen) {
    return failed(chosen.error());
  }
  const auto bench = open_bench(flags.common, flags.experiment.device, chosen->device_options());
  if (!bench) {
    return failed(bench.error());
  }
  auto done = check_one(flags, *chosen, *bench->workbench, *tiles);
  if (!done) {
    return failed(done.error());
  }
  done->report.kernel = name;
  set_fingerprints(identity_of(chosen->variant), done->sources, done->report);
  if (!flags.notes) {
    done->report.hide_optional();
  }
  if (launch && !launch->allow.empty()) {
    core::allow(launch->allow, done->report);
    done->report.judge();
  }
  if (!known->empty()) {
    remove_known(*known, done->report);
  }
  done->expected = launch && launch->expect != "clean" ? launch->expect : "";
  if (!flags.bundle.empty()) {
    const core::DeviceInfo& device = bench->workbench->info();
    TRY(write_bundle(flags.bundle, name, chosen->variant.file, &device, report_json(*done)));
    bundle.keep();
  }
  print_one(flags, *done);
  TRY(write_report(flags, *done));
  keep_report(kernels.front(), report_json(*done));
  const std::vector<Checked> all{{name, chosen->variant.file.string(), std::move(done->report),
                                  std::move(done->answer), done->expected}};
  print_for_code_host(flags, all);
  TRY(write_files(flags, all));
  return status_of_all(all, flags);
}

}  // namespace

void add_check(CLI::App& app) {
  auto flags = std::make_shared<CheckFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments = add_command(
      app, "check", "Check compute kernels for races, divergent barriers and other faults", common,
      [flags] { return check(*flags); });
  arguments.option(
      "KERNEL", flags->kernels,
      "The kernels: WORKLOAD/NAME, a workload, a file (.comp, .glsl, .hlsl, .wgsl, .slang, .spv, "
      ".spvasm), a saved launch, or a folder of files or launches (default: those of "
      "tilescope.toml)");
  flags->experiment.add_to(arguments);
  flags->experiment.add_unsaved_to(arguments);
  arguments.option("--save FOLDER", flags->save,
                   "Write the complete launch into FOLDER (default: not saved)");
  arguments.option("--sarif FILE", flags->sarif,
                   "Also write the findings to FILE as SARIF 2.1.0 (default: not written)");
  arguments.option("--junit FILE", flags->junit,
                   "Also write the verdicts to FILE as JUnit XML (default: not written)");
  arguments.option("--report FILE", flags->report,
                   "Also write the report of one kernel to FILE as JSON (default: not written)");
  arguments
      .option("--format NAME", flags->format,
              "Print plain text (text), annotations for GitHub (github) or a Code Quality report "
              "for GitLab (gitlab); not with --json (default: text)")
      .one_of({"text", "github", "gitlab"});
  arguments.option("--baseline FILE", flags->baseline,
                   "Report only findings that FILE does not list (default: all)");
  arguments.option("--write-baseline FILE", flags->new_baseline,
                   "Write all findings to FILE as the baseline, and exit with 0 even if there are "
                   "findings (default: not written)");
  arguments.option("--save-report FOLDER", flags->bundle,
                   "Write everything needed to repeat the check into FOLDER: command line, device, "
                   "report, launch and sources (default: not written)");
  arguments.option("--since REV", flags->since,
                   "Check only kernels whose file, or a file that they include, differs from the "
                   "revision REV of git (default: all)");
  arguments.flag("--no-cache", flags->no_cache,
                 "Check all kernels again, also those that have not changed since an earlier run");
  arguments.option("-j,--jobs N", flags->jobs, "Check N kernels at the same time (default: 1)")
      .positive();
  arguments.option("--tiles N|all", flags->tiles,
                   "Check only the first N workgroups of a launch (default: all)");
  arguments.flag("--experiments", flags->experiments,
                 "Change each barrier to each kind in turn, and check and time the kernel");
  arguments.option("--only CHECK,...", flags->only,
                   "Run only these checks: races, bounds, init, sync, arithmetic (default: all)");
  arguments.flag(
      "--no-proofs", flags->no_proofs,
      "Check every access while the kernel runs, even if it can be proven before the run");
  arguments.flag("--exact", flags->exact,
                 "Check one launch; do not try other values where none are given");
  arguments.flag("--fix", flags->fix,
                 "Write a copy of the kernel with the repairs that removed races");
  arguments.flag("--notes-ok", flags->notes_ok, "Exit with 0 if no finding is an error");
  arguments.flag("--notes", flags->notes, "Also report reads of texels outside an image");
  arguments.flag("--time", flags->time, "Time the launch with and without the checks");
}

}  // namespace cli
