#include "lab/probe/check.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/limits.h"
#include "core/base/watched_step.h"
#include "core/catalogue/tile_map.h"
#include "core/findings/allowances.h"
#include "core/report/timing.h"
#include "lab/plan/plan.h"
#include "lab/probe/beside_plain.h"
#include "lab/read/assumptions.h"
#include "lab/read/cut_loops.h"
#include "lab/read/exercise.h"
#include "lab/read/order_findings.h"
#include "lab/read/order_remarks.h"
#include "lab/read/race_findings.h"
#include "lab/read/run_limits.h"
#include "lab/read/told_findings.h"
#include "lab/run/following.h"
#include "lab/run/launch.h"
#include "lab/run/lead_in.h"
#include "lab/run/outputs.h"
#include "spirv/analysis/examination.h"
#include "spirv/analysis/values/facts.h"
#include "spirv/module/canonical.h"
#include "spirv/probes/race/race_probe.h"
#include "spirv/reflection/addresses.h"

namespace lab {
namespace {

using core::Expected;

constexpr std::uint32_t kTryingTurns = 3;  // of the probe's loop that finds out whether loops turn
constexpr std::uint64_t kFewWorkgroups =
    8;  // that are all run although a loop was cut in the first

std::string lines_of(std::vector<std::uint32_t> lines) {
  std::ranges::sort(lines);
  const auto same = std::ranges::unique(lines);
  lines.erase(same.begin(), same.end());
  return fmt::format("line{} {}", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

class Check {
 public:
  Check(gpu::Device& device, const Turns& turns, std::size_t turn, const CheckOptions& options)
      : device_(device),
        specimen_(*turns[turn].specimen),
        launched_(turns[turn].groups),
        before_(std::span(turns).first(turn)),
        options_(options),
        alone_(turns.size() == 1) {
    report_.kernel = dispatch().module->name;
    report_.device = device.info().name;
  }

  Expected<core::CheckReport> run();
  /// Proofs went by something that run() has shown not to be so.
  [[nodiscard]] bool belied() const { return belied_; }
  /// The device ended loops that the probe had not bounded closely enough.
  [[nodiscard]] bool device_ended_loops() const { return device_ended_loops_; }

 private:
  void refuse();
  Expected<void> make_probe();
  Expected<double> launch(const gpu::Kernel& kernel, bool probed);
  struct Times {
    std::vector<double> plain;
    std::vector<double> checked;
  };
  [[nodiscard]] bool goes_on(std::uint64_t done) const {
    return !options_.observer || options_.observer(done);
  }
  [[nodiscard]] bool may_wait_for_others() const;
  [[nodiscard]] std::uint64_t slice_size(std::uint64_t last, double last_ms) const;
  Expected<void> measure(const gpu::Kernel& kernel);
  Expected<void> time_once(const gpu::Kernel& plain, const gpu::Kernel& probed, Times& times);
  Expected<void> make_blank();
  Expected<bool> all_loops_ended();
  Expected<void> bound_loops();
  void count_accesses();
  void count_reads();
  void add_vacuous();
  void choose_findings();
  [[nodiscard]] bool is_explained(const core::Finding& f,
                                  const std::vector<std::optional<std::size_t>>& causes) const;
  [[nodiscard]] bool uses_subgroups() const;
  [[nodiscard]] bool has_no_size() const;
  void add_not_looked_at();
  Expected<double> launch_checked(const gpu::Kernel& kernel);
  Expected<bool> counts_from_zero();
  Expected<void> read_findings();
  void conclude();
  [[nodiscard]] const core::Dispatch& dispatch() const { return specimen_.dispatch(); }
  [[nodiscard]] NumberedGroups numbers() const { return NumberedGroups(launched_); }
  using Header = std::array<std::uint32_t, spirv::FindingsLayout::given>;
  [[nodiscard]] Header header(std::uint64_t done) const;

  gpu::Device& device_;
  Specimen& specimen_;
  core::Box launched_;
  std::span<const Turn> before_;
  LeadIn lead_in_;
  const CheckOptions& options_;
  bool alone_ = true;
  std::vector<spirv::DivergentBarrier> divergent_;  // by the text
  std::optional<Outputs> outputs_;
  core::CheckReport report_;
  spirv::Examination* examination_ = nullptr;     // with loops bounded, once they are
  std::unique_ptr<spirv::Examination> unproven_;  // the same without proofs, where none are wanted
  Memory memory_;
  bool loops_end_ = false;  // seen on the first workgroup
  bool measuring_ = false;
  bool belied_ = false;
  bool device_ended_loops_ = false;
  std::uint64_t checked_ = 0;
  spirv::RaceProbe probe_;
  gpu::Buffer findings_;
  gpu::Buffer blank_;
  gpu::Buffer shadow_;
  Following following_;
  std::uint64_t slice_groups_ = 0;
};

Expected<core::CheckReport> Check::run() {
  examination_ = TRY(specimen_.examination());
  count_accesses();
  report_.incomplete = examination_->sites.not_understood();
  if (!examination_->proofs.complete()) {
    report_.incomplete.push_back(fmt::format(
        "{} accesses to shared memory make too many pairs to compare; the limits are {} pairs, and "
        "{} pairs to check during the run",
        examination_->sites.all().size(), core::limits::pairs, core::limits::open_pairs));
  }
  add_vacuous();
  divergent_ = examination_->uniformity.divergent_barriers();
  if (!divergent_.empty() && !spirv::can_vote(*examination_, device_.info().shared_memory_bytes)) {
    refuse();
    return std::move(report_);
  }
  if (const auto& why = specimen_.not_possible(); !why.empty()) {
    report_.incomplete.insert(report_.incomplete.end(), why.begin(), why.end());
    return std::move(report_);
  }
  if (!device_.info().int64_atomics && spirv::has_addresses(examination_->program.module)) {
    report_.incomplete.emplace_back(
        "this device has no 64-bit atomics, which are needed to check accesses by address");
    return std::move(report_);
  }
  for (const auto& step : {&Check::bound_loops, &Check::make_probe}) {
    TRY((this->*step)());
  }
  const auto kernel = TRY(specimen_.probe_kernel(device_, probe_.words, "checked",
                                                 2 + following_.buffers(), probe_.address_table));
  report_.checked_ms = TRY(launch_checked(kernel));
  if (belied_) {
    return std::move(report_);
  }
  TRY(read_findings());
  if (belied_) {
    return std::move(report_);
  }
  if (options_.measure && goes_on(checked_)) {
    TRY(measure(kernel));
  }
  conclude();
  return std::move(report_);
}

// On memory as it is when the launch begins; outputs tell afterwards who wrote them.
Expected<double> Check::launch_checked(const gpu::Kernel& kernel) {
  TRY(lead_in_.prepare(memory_));
  if (alone_ && options_.checks.init && options_.outputs) {
    outputs_.emplace(specimen_);
    TRY(outputs_->fill(device_, memory_));
  }
  const auto from_zero = TRY(counts_from_zero());
  belied_ = !from_zero;
  return belied_ ? Expected<double>(0.0) : launch(kernel, true);
}

// What proofs go by: OrderPlan::Guesses::counter.
Expected<bool> Check::counts_from_zero() {
  const auto& counter = probe_.order.guesses.counter;
  if (!counter) {
    return true;
  }
  const gpu::Buffer& buffer = *memory_.buffers()[counter->binding];
  const std::uint64_t last = counter->offset + (counter->count - 1) * counter->stride;
  if (last + 4 > buffer.bytes()) {
    return false;
  }
  std::vector<std::uint32_t> words(last / 4 + 1);
  TRY(device_.download(buffer, std::as_writable_bytes(std::span(words))));
  for (std::uint64_t n = 0; n < counter->count; ++n) {
    if (words[(counter->offset + n * counter->stride) / 4] != 0) {
      return false;
    }
  }
  return true;
}

bool Check::has_no_size() const {
  return !specimen_.size_constants().empty() && examination_->program.invocations() == 1;
}

bool Check::uses_subgroups() const {
  return std::ranges::any_of(
      examination_->program.module.preamble, [](const spirv::Instruction& i) {
        return i.op == spv::Op::OpCapability &&
               i.word(0) == static_cast<std::uint32_t>(spv::Capability::GroupNonUniform);
      });
}

// Where a read races with the write that it should see, whether it comes first is chance: the race
// says it all, unless the write is only there because of an index out of bounds.
// Nor is it told of a workgroup that only has one invocation because no one gave it its size, which
// cells it leaves unwritten.
bool Check::is_explained(const core::Finding& f,
                         const std::vector<std::optional<std::size_t>>& causes) const {
  // A lane that the subgroup does not have is reported as an index.
  const auto is_index_here = [&](const core::Finding& index) {
    return index.kind == core::FindingKind::out_of_bounds && index.line == f.line &&
           index.file == f.file;
  };
  if (f.kind != core::FindingKind::uninitialized) {
    return f.kind == core::FindingKind::inactive_lane &&
           std::ranges::any_of(report_.findings, is_index_here);
  }
  const auto races_here = [&](std::size_t n) {
    const core::Finding& race = report_.findings[n];
    const auto here = [&](const core::RaceSide& side) {
      return side.line == f.line && side.file == f.file;
    };
    return !causes[n] && race.kind == core::FindingKind::race && race.memory == f.memory &&
           (race.variable == f.variable || race.variable.empty()) &&
           (here(race.first) || here(race.second));
  };
  return has_no_size() || std::ranges::any_of(std::views::iota(0U, causes.size()), races_here);
}

// What was found and is wanted, but for what comments in the source allow.
void Check::choose_findings() {
  const auto causes = causes_of(*examination_, report_);
  std::vector<core::Finding> kept;
  std::ranges::copy_if(report_.findings, std::back_inserter(kept),
                       [&](const core::Finding& f) { return !is_explained(f, causes); });
  report_.findings = std::move(kept);
  std::erase_if(report_.findings, [&](const core::Finding& f) {
    switch (f.kind) {
      case core::FindingKind::race:
        return !options_.checks.races;
      case core::FindingKind::divergent_barrier:
        return !options_.checks.sync;
      case core::FindingKind::out_of_bounds:
      case core::FindingKind::inactive_lane:
      case core::FindingKind::misaligned:
        return !options_.checks.bounds;
      case core::FindingKind::uninitialized:
        return !options_.checks.init;
      case core::FindingKind::arithmetic:
        return !options_.checks.arithmetic;
      case core::FindingKind::unfinished_loop:
        break;
    }
    return false;
  });
  core::allow(core::allowances_in(dispatch().module->sources), report_);
}

void Check::add_not_looked_at() {
  report_.not_looked_at = probe_.not_covered;
  std::ranges::copy(probe_.not_understood, std::back_inserter(report_.incomplete));
  if (specimen_.dispatch().module->no_local_size) {
    report_.remarks.emplace_back(
        "the kernel declares no workgroup size, so 1,1,1 is used; set another with --local-size "
        "X,Y,Z");
  }
  const auto add = [&](bool asked, const char* what) {
    if (!asked) {
      report_.not_looked_at.emplace_back(what);
    }
  };
  add(options_.checks.races, "races (--only)");
  add(options_.checks.bounds, "bounds (--only)");
  add(options_.checks.init, "initialization (--only)");
  add(options_.checks.sync, "divergent barriers (--only)");
  add(options_.checks.arithmetic, "arithmetic (--only)");
}

// What the launch leaves out of the text, for reasons that something given could mend.
void Check::add_vacuous() {
  const auto& removed = examination_->removed;
  const bool none = examination_->sites.all().empty();
  if (none && !removed.empty() && report_.incomplete.empty()) {
    const bool one = removed.size() == 1;
    const std::string names = deciding_constants(*dispatch().module);
    report_.incomplete.push_back(fmt::format(
        "{} {} to shared memory {} in code that the constants remove ({}), so {} "
        "not checked; set other values of {} with --spec",
        removed.size(), one ? "access" : "accesses", one ? "is" : "are", lines_of(removed),
        one ? "it was" : "they were", names.empty() ? "constants" : names));
  } else if (alone_ && report_.incomplete.empty()) {
    add_nothing_stored(*examination_, dispatch(), report_);
  }
  const auto& ids = specimen_.size_constants();
  if (has_no_size() && !(none && removed.empty())) {
    report_.incomplete.push_back(
        fmt::format("a workgroup has only 1 invocation, so it has no races: constant {} is its "
                    "size; set another with --spec {}=64",
                    ids.front(), ids.front()));
  }
  const auto& others = specimen_.other_entries();
  if (!others.empty() && dispatch().module->entry_point.empty()) {
    report_.incomplete.push_back(
        fmt::format("entry point {} was checked, not {}; choose one with --entry",
                    examination_->program.interface.entry_point, fmt::join(others, ", ")));
  }
}

void Check::count_accesses() {
  report_.workgroups = launched_.count();
  checked_ =
      options_.tiles == 0 ? report_.workgroups : std::min(options_.tiles, report_.workgroups);
  report_.accesses = static_cast<std::uint32_t>(examination_->sites.all().size());
  report_.accesses_proven = examination_->proofs.proven_sites();
}

void Check::count_reads() {
  if (probe_.initialization == nullptr) {
    return;
  }
  report_.reads = static_cast<std::uint32_t>(
      std::ranges::count_if(probe_.initialization->all(), &spirv::FollowedAccess::reads));
  for (const spirv::CheckedRead& read : probe_.reads) {
    const core::CheckedReads here{probe_.initialization->variables()[read.variable].name,
                                  read.at.line, examination_->program.file(read.at), 1};
    const auto known = std::ranges::find_if(report_.reads_checked, [&](const auto& other) {
      return other.variable == here.variable && other.line == here.line && other.file == here.file;
    });
    if (known == report_.reads_checked.end()) {
      report_.reads_checked.push_back(here);
    } else {
      ++known->count;
    }
  }
}

Expected<void> Check::bound_loops() {
  const auto bounded = TRY(specimen_.bounded());
  if (!specimen_.not_bounded().empty()) {
    report_.incomplete.push_back(specimen_.not_bounded());
  }
  examination_ = bounded;
  if (!options_.proofs) {
    spirv::Launch launch = bounded->program.launch;
    launch.proofs = false;
    unproven_ = TRY(
        spirv::Examination::of_canonical(spirv::write(bounded->program.module), std::move(launch)));
    unproven_->removed = bounded->removed;
    examination_ = unproven_.get();
  }
  count_accesses();
  memory_ = TRY(Memory::make(device_, dispatch().resources, options_.seed, options_.lent));
  lead_in_ = TRY(LeadIn::make(device_, before_, memory_));
  return {};
}

// Whether invocations part in this launch can't be found out.
void Check::refuse() {
  for (const spirv::DivergentBarrier& b : divergent_) {
    report_.findings.push_back(
        spirv::divergent_finding(examination_->program, b.barrier, b.condition));
  }
  choose_findings();
  report_.verdict = report_.findings.empty() ? core::Verdict::incomplete : core::Verdict::divergent;
  if (report_.findings.empty()) {
    report_.incomplete.emplace_back(
        "not all invocations reach every barrier, so the kernel was not run");
  }
}

Expected<void> Check::make_probe() {
  spirv::RaceProbeOptions options;
  options.shared_memory_bytes = device_.info().shared_memory_bytes;
  options.shadow_in_buffer = options_.shadow_in_buffer;
  options.findings_binding = static_cast<std::uint32_t>(dispatch().resources.size());
  options.shadow_binding = options.findings_binding + 1;
  options.loops = static_cast<std::uint32_t>(specimen_.loops().size());
  options.order =
      following_.options(device_.info(), dispatch(), launched_,
                         memory_.push_constants(dispatch().push_constants), numbers().end());
  options.order.wanted = options_.checks.races;
  options.order.guesses = options_.guesses && options_.proofs;
  options.order.fences_yield = device_.info().emulated();
  options.order.compact = options.compact = options_.compact.value_or(device_.info().emulated());
  options.idle_lanes = options.truth_as_mask = device_.info().emulated();
  options.all_branches = options.no_fences = device_.info().emulated();
  // Of reads of what nothing wrote, those that race with the write are told as that.
  options.races = options_.checks.races || options_.checks.init;
  options.bounds = options_.checks.bounds;
  options.initialization = options_.checks.init;
  options.arithmetic = options_.checks.arithmetic;
  options.address_binding = options.order.cells_binding + 1;
  options.address_ranges = by_address(memory_.buffers());
  options.workgroup = {launched_.first.x, launched_.first.y, launched_.first.z};
  options.tries_loops = device_.info().emulated() && !examination_->program.flow.loops().empty();
  probe_ = TRY(spirv::make_race_probe(*examination_, options));
  if (probe_.idle) {
    const auto plain = TRY(plain_kernel(dispatch()));
    probe_.words = plain.words;
  }
  report_.indices_checked = static_cast<std::uint32_t>(probe_.indices.size());
  report_.indices = report_.indices_checked + probe_.indices_proven;
  count_reads();
  if (options_.checks.bounds) {
    report_.indices_checked += probe_.accesses_by_address - probe_.accesses_by_address_proven;
    report_.indices += probe_.accesses_by_address;
  }
  if (const auto valid = spirv::validate(probe_.words); !valid) {
    return std::unexpected(
        core::Error{core::Fault::device,
                    "the instrumented kernel is not valid SPIR-V: " + valid.error().message});
  }
  findings_ = TRY(device_.buffer(probe_.findings.words(numbers().end()) * 4, "the findings"));
  if (auto ok = following_.make(device_, probe_.order); !ok) {
    return ok;
  }
  // Without a shadow in a buffer all workgroups go at once.
  slice_groups_ = std::clamp<std::uint64_t>(following_.at_once(), 1, checked_);
  std::uint64_t shadow_bytes = 4;
  if (probe_.shadow_in_buffer) {
    const std::uint64_t budget =
        std::min(core::limits::shared_shadow_bytes, device_.info().max_buffer_bytes);
    slice_groups_ = std::clamp<std::uint64_t>(budget / (probe_.shadow_words * 4), 1, slice_groups_);
    shadow_bytes = slice_groups_ * probe_.shadow_words * 4;
  }
  shadow_ = TRY(device_.buffer(shadow_bytes, "the shadow memory of the race check"));
  return {};
}

// One that another piece holds would be waited for without end.
bool Check::may_wait_for_others() const {
  return std::ranges::any_of(examination_->synchronization.sites(), [&](const spirv::SyncSite& s) {
    return !s.fence && s.reads && s.memory != core::MemoryClass::shared &&
           std::ranges::any_of(examination_->program.flow.loops(),
                               [&](const auto& loop) { return loop.contains[s.block]; });
  });
}

// As many workgroups as go into the time for a slice, judged by the last slice.
std::uint64_t Check::slice_size(std::uint64_t last, double last_ms) const {
  if (options_.slice_ms <= 0.0 || may_wait_for_others()) {
    return slice_groups_;
  }
  const double each = last == 0 ? 0.0 : std::max(last_ms, 1e-3) / static_cast<double>(last);
  return std::min(SliceGrowth::next(options_.slice_ms, each, last), slice_groups_);
}

// What the probe counts workgroups by, and the first of a slice.
Check::Header Check::header(std::uint64_t done) const {
  const glm::uvec3 size = launched_.size();
  return {size.x, size.y, static_cast<std::uint32_t>(numbers().first() + done), size.z,
          kTryingTurns};
}

Expected<double> Check::launch(const gpu::Kernel& kernel, bool probed) {
  std::vector<const gpu::Buffer*> buffers = memory_.buffers();
  if (probed) {
    buffers.push_back(&findings_);
    buffers.push_back(&shadow_);
    following_.add_to(buffers);
    gpu::Commands clear;
    clear.fill(findings_, 0);
    following_.clear(clear);
    TRY(device_.submit(clear));
  }
  double ms = 0.0;
  double last_ms = 0.0;
  std::uint64_t last = 0;
  for (std::uint64_t done = 0; done < checked_;) {
    // The first workgroup goes alone where a loop may not end. If it does not, others are run only
    // if there are few.
    const bool alone = probed && !specimen_.loops().empty() && !loops_end_ && done == 0;
    const core::Box slice = next_slice(
        launched_, done, alone ? 1 : std::min(slice_size(last, last_ms), checked_ - done));
    if (probed) {
      const auto words = header(done);
      TRY(device_.upload(findings_, std::as_bytes(std::span(words))));
    }
    gpu::Commands commands;
    commands.begin_timed();
    commands.dispatch(kernel, buffers, memory_.push_constants(dispatch().push_constants),
                      slice.first, slice.size());
    commands.end_timed();
    const auto time = TRY(device_.submit(commands));
    last_ms = time.front();
    last = slice.count();
    ms += last_ms;
    done += last;
    if (probed) {
      core::tell_progress("checking", static_cast<double>(done) / static_cast<double>(checked_));
    }
    if (probed && !measuring_ && !goes_on(done)) {
      checked_ = done;
    }
    if (alone) {
      loops_end_ = TRY(all_loops_ended());
      if (!loops_end_ && checked_ > kFewWorkgroups) {
        checked_ = done;
      }
    }
  }
  return ms;
}

Expected<bool> Check::all_loops_ended() {
  std::vector<std::uint32_t> words(probe_.findings.loop(probe_.findings.loops));
  TRY(device_.download(findings_, std::as_writable_bytes(std::span(words))));
  return std::all_of(words.begin() + probe_.findings.loop(0), words.end(),
                     [](std::uint32_t hits) { return hits == 0; });
}

Expected<void> Check::measure(const gpu::Kernel& kernel) {
  const auto described = TRY(plain_kernel(dispatch()));
  const auto plain = TRY(device_.kernel(described.spec()));
  for (const auto& ok : {lead_in_.prepare(memory_), make_blank()}) {
    if (!ok) {
      return ok;
    }
  }
  measuring_ = true;
  Times times;
  for (double warm = 0.0; warm < warm_up_beside_plain(device_.info()) && goes_on(checked_);) {
    times = {};
    if (const auto ok = time_once(plain, kernel, times); !ok) {
      return ok;
    }
    warm += std::max(times.plain.back() + times.checked.back(), 0.02);
  }
  times = {};
  for (std::uint32_t n = 0; n < launches_beside_plain(device_.info()); ++n) {
    if (n > 0 && !goes_on(checked_)) {
      break;
    }
    if (const auto ok = time_once(plain, kernel, times); !ok) {
      return ok;
    }
  }
  report_.plain_ms = core::spread_of(times.plain).median;
  report_.checked_ms = core::spread_of(times.checked).median;
  return {};
}

// One plain and one checked launch, one behind the other where both go as one dispatch.
Expected<void> Check::time_once(const gpu::Kernel& plain, const gpu::Kernel& probed, Times& times) {
  if (slice_groups_ < checked_ || checked_ < report_.workgroups) {
    const auto without = launch(plain, false);
    const auto with = TRY(without ? launch(probed, true) : without);
    times.plain.push_back(*without);
    times.checked.push_back(with);
    return {};
  }
  std::vector<const gpu::Buffer*> buffers = memory_.buffers();
  gpu::Commands commands;
  commands.copy(blank_, findings_);
  following_.clear(commands);
  for (const bool with : {false, true}) {
    if (with) {
      buffers.push_back(&findings_);
      buffers.push_back(&shadow_);
      following_.add_to(buffers);
    }
    commands.begin_timed();
    commands.dispatch(with ? probed : plain, buffers,
                      memory_.push_constants(dispatch().push_constants), launched_.first,
                      launched_.size());
    commands.end_timed();
  }
  const auto ms = TRY(device_.submit(commands));
  times.plain.push_back(ms[0]);
  times.checked.push_back(ms[1]);
  return {};
}

// Findings as they are before a launch of all workgroups at once.
Expected<void> Check::make_blank() {
  blank_ = TRY(device_.buffer(findings_.bytes(), "empty findings"));
  gpu::Commands clear;
  clear.fill(blank_, 0);
  TRY(device_.submit(clear));
  const auto words = header(0);
  return device_.upload(blank_, std::as_bytes(std::span(words)));
}

Expected<void> Check::read_findings() {
  std::vector<std::uint32_t> words(probe_.findings.words(numbers().end()));
  if (const auto ok = device_.download(findings_, std::as_writable_bytes(std::span(words))); !ok) {
    return ok;
  }
  const CutLoops cut(*examination_, probe_, specimen_.loops(), words);
  device_ended_loops_ = cut.by_device();
  add_exercise(*examination_, probe_, words, cut, report_);
  add_votes(*examination_, probe_, divergent_, words, report_);
  cut.add_findings(specimen_.loop_limits().loop, device_.info().emulated(), report_);
  if (alone_ && !cut.any()) {
    const auto marks = words.begin() + probe_.findings.mark(0);
    add_no_store(*examination_, *probe_.coverage, {marks, marks + probe_.findings.marks}, report_);
  }
  add_told_findings(*examination_, dispatch(), probe_, numbers(), words, cut, report_);
  add_race_findings(*examination_, probe_, dispatch().groups, numbers(), words, cut, report_);
  const auto order = TRY(following_.read(device_));
  belied_ = probe_.order.guesses.probed() && order[spirv::OrderLayout::belied] != 0;
  add_order_findings(*examination_, probe_, dispatch().groups, numbers(), order, cut, report_);
  add_decided_by_atomics(*examination_, report_);
  add_order_remarks(*examination_, report_);
  return outputs_ && checked_ == report_.workgroups && !cut.any()
             ? outputs_->read(device_, memory_, report_)
             : Expected<void>();
}

void Check::conclude() {
  report_.workgroups_checked = checked_;
  report_.accesses_checked = report_.accesses - report_.accesses_proven;
  if (checked_ < report_.workgroups) {
    report_.incomplete.push_back(fmt::format("{} of {} workgroups were not run",
                                             report_.workgroups - checked_, report_.workgroups));
  }
  add_not_looked_at();
  choose_findings();
  const auto any = [&](core::FindingKind kind) {
    return std::ranges::any_of(report_.findings, [kind](const core::Finding& f) {
      return f.kind == kind && f.severity() == core::Severity::error;
    });
  };
  fold_consequences(*examination_, report_);
  mark_assumed(*examination_, dispatch(), report_);
  if (!any(core::FindingKind::race) && any(core::FindingKind::out_of_bounds)) {
    report_.incomplete.push_back(
        "the behaviour of a kernel after an access out of bounds is undefined, so other findings "
        "may "
        "be missing" +
        (uses_subgroups() ? fmt::format("; subgroups have {} invocations on this device, but the "
                                        "kernel may be written for another size",
                                        device_.info().subgroup_size)
                          : ""));
  }
  report_.sort_findings();
  report_.judge();
}

// Once more without what the run has shown to be wrong.
Expected<core::CheckReport> check_launch(gpu::Device& device, const Turns& turns, std::size_t turn,
                                         CheckOptions options) {
  for (;;) {
    Check attempt(device, turns, turn, options);
    auto report = attempt.run();
    if (!report) {
      return report;
    }
    if (attempt.belied() && options.guesses) {
      options.guesses = false;
    } else if (!attempt.device_ended_loops() || !turns[turn].specimen->bound_all_loops()) {
      return report;
    }
  }
}

// Of launches that are not looked at.
void leave_out(std::span<const Turn> turns, core::CheckReport& report) {
  for (const Turn& turn : turns) {
    report.workgroups += turn.groups.count();
  }
  report.incomplete.push_back(fmt::format("{} of its launches {} not checked", turns.size(),
                                          turns.size() == 1 ? "was" : "were"));
  if (report.verdict == core::Verdict::clean) {
    report.verdict = core::Verdict::incomplete;
  }
}

}  // namespace

Expected<core::CheckReport> check(gpu::Device& device, const Turns& turns,
                                  const CheckOptions& options) {
  if (turns.size() == 1) {
    auto report = check_launch(device, turns, 0, options);
    if (report) {
      report->judge_exercise();
    }
    return report;
  }
  core::CheckReport all;
  all.device = device.info().name;
  all.verdict = core::Verdict::clean;
  std::uint64_t done = 0;
  bool going = true;
  std::set<std::string> kernels;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    CheckOptions own = options;
    if (options.observer) {
      own.observer = [&](std::uint64_t groups) {
        going = going && options.observer(done + groups);
        return going;
      };
    }
    auto report = check_launch(device, turns, i, own);
    if (!report) {
      return report;
    }
    done += report->workgroups;
    const std::string kernel = report->kernel;
    all.add(std::move(*report),
            {.number = i + 1, .grid = turns[i].grid, .again = !kernels.insert(kernel).second});
    if (!going && i + 1 < turns.size()) {
      leave_out(std::span(turns).subspan(i + 1), all);
      break;
    }
  }
  all.judge_exercise();
  return all;
}

Expected<std::vector<core::Finding>> unfinished_loops(gpu::Device& device, const Turns& turns,
                                                      CheckOptions options) {
  bool may_be = false;
  for (const Turn& turn : turns) {
    const auto here = turn.specimen->device_may_end_loops();
    may_be = may_be || (here && *here);  // what can't be examined is run without a probe
  }
  std::vector<core::Finding> found;
  if (!may_be) {
    return found;
  }
  options.checks = {
      .races = false, .bounds = false, .init = false, .sync = false, .arithmetic = false};
  options.outputs = false;
  auto report = TRY(check(device, turns, options));
  std::ranges::copy_if(report.findings, std::back_inserter(found), [](const core::Finding& f) {
    return f.kind == core::FindingKind::unfinished_loop;
  });
  return found;
}

Expected<void> look_at_barriers(gpu::Device& device, const Turns& turns, CheckOptions options) {
  const auto open = [](const Turn& turn) {
    return !turn.specimen->facts()->divergent.empty() && !turn.specimen->barriers_seen();
  };
  if (std::ranges::none_of(turns, open)) {
    return {};
  }
  options.checks = {.races = false, .bounds = false, .init = false, .arithmetic = false};
  options.outputs = false;
  auto report = check(device, turns, options);
  if (!report) {
    return report.error().device_lost ? std::unexpected(report.error()) : Expected<void>();
  }
  if (report->workgroups_checked < report->workgroups) {
    return {};  // those that were not run may diverge
  }
  for (const Turn& turn : turns) {
    std::vector<core::Finding> found;
    for (core::Finding finding : report->findings) {
      const bool own =
          turns.size() == 1 || finding.kernel == turn.specimen->dispatch().module->name;
      if (own && finding.kind == core::FindingKind::divergent_barrier &&
          finding.severity() == core::Severity::error) {
        finding.kernel.clear();
        finding.launch = 0;
        found.push_back(std::move(finding));
      }
    }
    turn.specimen->keep_divergent(std::move(found));
  }
  return {};
}

}  // namespace lab
