#include "lab/run/check.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/report/timing.h"
#include "core/work/tile_map.h"
#include "lab/read/race_findings.h"
#include "lab/ready/specimen.h"
#include "lab/ready/workbench.h"
#include "lab/run/launch.h"
#include "spirv/analysis/examination.h"
#include "spirv/module/canonical.h"
#include "spirv/probes/race_probe.h"

namespace lab {
namespace {

using core::Expected;

constexpr std::uint64_t kShadowBudget = std::uint64_t{256} << 20U;  // bytes, in storage buffers
constexpr std::uint32_t kTimedLaunches = 7;  // on emulated devices; five times as many on others
constexpr double kTimingWarmUpMs = 300.0;    // device time
// Slices of a check that is observed start small and grow.
constexpr std::uint64_t kFirstSlice = 4;
constexpr std::uint64_t kGrowth = 8;

class Check {
 public:
  Check(gpu::Device& device, const CheckRequest& request) : device_(device), request_(request) {
    report_.kernel = request.kernel;
    report_.device = device.info().name;
  }

  Expected<core::CheckReport> run();

 private:
  void refuse(const std::vector<spirv::DivergentBarrier>& barriers);
  Expected<void> make_probe();
  Expected<gpu::Kernel> make_kernel(std::span<const std::uint32_t> words, bool probed,
                                    const std::string& entry);
  Expected<double> launch(const gpu::Kernel& kernel, bool probed);
  struct Times {
    std::vector<double> plain;
    std::vector<double> checked;
  };
  [[nodiscard]] std::uint64_t slice_size(std::uint64_t last, double last_ms) const;
  Expected<void> measure(const gpu::Kernel& kernel);
  Expected<void> time_once(const gpu::Kernel& plain, const gpu::Kernel& probed, Times& times);
  Expected<void> make_blank();
  Expected<bool> all_loops_ended();
  Expected<void> bound_loops();
  void count_accesses();
  Expected<void> read_findings();
  void conclude();
  [[nodiscard]] spirv::Examination& examination() { return specimen_->examination(); }
  [[nodiscard]] const core::TileMap& tiles() const { return specimen_->tiles(); }
  [[nodiscard]] core::Box launched() const {
    return request_.launched.count() > 0 ? request_.launched
                                         : core::Box{{0, 0, 0}, tiles().groups()};
  }
  [[nodiscard]] NumberedGroups numbers() const { return NumberedGroups(launched()); }
  [[nodiscard]] std::array<std::uint32_t, 5> header(std::uint64_t done) const;

  gpu::Device& device_;
  const CheckRequest& request_;
  core::CheckReport report_;
  std::unique_ptr<Specimen> specimen_;
  bool loops_end_ = false;  // seen on the first workgroup
  std::uint64_t checked_ = 0;
  spirv::RaceProbe probe_;
  gpu::Buffer findings_;
  gpu::Buffer blank_;
  gpu::Buffer shadow_;
  std::uint64_t slice_groups_ = 0;
};

Expected<core::CheckReport> Check::run() {
  auto specimen = Specimen::of(device_, request_);
  if (!specimen) {
    return std::unexpected(specimen.error());
  }
  specimen_ = std::move(*specimen);
  count_accesses();
  report_.incomplete = examination().sites.not_understood();
  const auto divergent = examination().uniformity.divergent_barriers();
  if (!divergent.empty()) {
    refuse(divergent);
    return std::move(report_);
  }
  if (const auto& why = specimen_->not_possible(); !why.empty()) {
    report_.incomplete.insert(report_.incomplete.end(), why.begin(), why.end());
    return std::move(report_);
  }
  for (const auto& step : {&Check::bound_loops, &Check::make_probe}) {
    if (const auto ok = (this->*step)(); !ok) {
      return std::unexpected(ok.error());
    }
  }
  const auto kernel = make_kernel(probe_.words, true, examination().program.interface.entry_point);
  if (!kernel) {
    return std::unexpected(kernel.error());
  }
  if (const auto ok = specimen_->fill_buffers(); !ok) {
    return std::unexpected(ok.error());
  }
  const auto time = launch(*kernel, true);
  if (!time) {
    return std::unexpected(time.error());
  }
  report_.checked_ms = *time;

  if (const auto ok = read_findings(); !ok) {
    return std::unexpected(ok.error());
  }
  if (request_.measure) {
    if (const auto ok = measure(*kernel); !ok) {
      return std::unexpected(ok.error());
    }
  }
  conclude();
  return std::move(report_);
}

void Check::count_accesses() {
  report_.workgroups = launched().count();
  checked_ =
      request_.tiles == 0 ? report_.workgroups : std::min(request_.tiles, report_.workgroups);
  report_.accesses = static_cast<std::uint32_t>(examination().sites.all().size());
  report_.accesses_proven = examination().proofs.proven_sites();
}

Expected<void> Check::bound_loops() {
  const auto problem = specimen_->bound_loops();
  if (!problem) {
    return std::unexpected(problem.error());
  }
  if (!problem->empty()) {
    report_.incomplete.push_back(*problem);
  }
  count_accesses();
  return specimen_->make_buffers();
}

void Check::refuse(const std::vector<spirv::DivergentBarrier>& barriers) {
  for (const spirv::DivergentBarrier& b : barriers) {
    core::Finding finding;
    finding.kind = core::FindingKind::divergent_barrier;
    finding.line = b.barrier.line;
    finding.condition_line = b.condition.line;
    finding.entry_line = b.entry_line;
    report_.findings.push_back(finding);
  }
  report_.verdict = core::Verdict::divergent;
}

Expected<void> Check::make_probe() {
  spirv::RaceProbeOptions options;
  options.shared_memory_bytes = device_.info().shared_memory_bytes;
  options.shadow_in_buffer = request_.shadow_in_buffer;
  options.findings_binding = static_cast<std::uint32_t>(specimen_->buffers().size());
  options.shadow_binding = options.findings_binding + 1;
  options.loops = static_cast<std::uint32_t>(specimen_->loops().size());
  auto probe = spirv::make_race_probe(examination(), options);
  if (!probe) {
    return std::unexpected(probe.error());
  }
  probe_ = std::move(*probe);
  if (const auto valid = spirv::validate(probe_.words); !valid) {
    return std::unexpected(
        core::Error{core::Fault::device, "the probe is not valid: " + valid.error().message});
  }
  auto findings = device_.buffer(probe_.findings.words(numbers().end()) * 4, "the findings");
  if (!findings) {
    return std::unexpected(findings.error());
  }
  findings_ = std::move(*findings);
  // Without a shadow in a buffer all workgroups go at once.
  slice_groups_ = checked_;
  std::uint64_t shadow_bytes = 4;
  if (probe_.shadow_in_buffer) {
    const std::uint64_t budget = std::min(kShadowBudget, device_.info().max_buffer_bytes);
    slice_groups_ = std::clamp<std::uint64_t>(budget / (probe_.shadow_words * 4), 1, checked_);
    shadow_bytes = slice_groups_ * probe_.shadow_words * 4;
  }
  auto shadow = device_.buffer(shadow_bytes, "the race check's shadow");
  if (!shadow) {
    return std::unexpected(shadow.error());
  }
  shadow_ = std::move(*shadow);
  return {};
}

Expected<gpu::Kernel> Check::make_kernel(std::span<const std::uint32_t> words, bool probed,
                                         const std::string& entry) {
  std::vector<std::uint32_t> bindings(specimen_->buffers().size() + (probed ? 2 : 0));
  std::iota(bindings.begin(), bindings.end(), 0U);
  return device_.kernel(
      {.name = request_.kernel + (probed ? " (checked)" : ""),
       .spirv = words,
       .entry_point = entry,
       .constants = probed ? spirv::SpecValues{} : specimen_->constants(),
       .bindings = bindings,
       .push_constant_bytes = static_cast<std::uint32_t>(specimen_->push_constants().size() * 4)});
}

// As many workgroups as go into the time for a slice, judged by the last slice.
std::uint64_t Check::slice_size(std::uint64_t last, double last_ms) const {
  if (request_.slice_ms <= 0.0) {
    return slice_groups_;
  }
  if (last == 0) {
    return std::min(kFirstSlice, slice_groups_);
  }
  const double fits = request_.slice_ms / std::max(last_ms, 1e-3) * static_cast<double>(last);
  const auto most = static_cast<std::uint64_t>(std::clamp(fits, 1.0, 1e15));
  return std::min({most, last * kGrowth, slice_groups_});
}

// What the probe counts workgroups by, and the first of a slice.
std::array<std::uint32_t, 5> Check::header(std::uint64_t done) const {
  const glm::uvec3 size = launched().size();
  return {size.x, size.y, static_cast<std::uint32_t>(numbers().first() + done), 0, size.z};
}

Expected<double> Check::launch(const gpu::Kernel& kernel, bool probed) {
  std::vector<const gpu::Buffer*> buffers = specimen_->buffers();
  if (probed) {
    buffers.push_back(&findings_);
    buffers.push_back(&shadow_);
    gpu::Commands clear;
    clear.fill(findings_, 0);
    if (const auto done = device_.submit(clear); !done) {
      return std::unexpected(done.error());
    }
  }
  double ms = 0.0;
  double last_ms = 0.0;
  std::uint64_t last = 0;
  for (std::uint64_t done = 0; done < checked_;) {
    // The first workgroup goes alone where a loop may not end: if it does not, the rest are spared.
    const bool alone = probed && !specimen_->loops().empty() && !loops_end_ && done == 0;
    const core::Box slice = next_slice(
        launched(), done, alone ? 1 : std::min(slice_size(last, last_ms), checked_ - done));
    if (probed) {
      const auto words = header(done);
      if (const auto ok = device_.upload(findings_, std::as_bytes(std::span(words))); !ok) {
        return std::unexpected(ok.error());
      }
    }
    gpu::Commands commands;
    commands.begin_timed();
    commands.dispatch(kernel, buffers, specimen_->push_constants(), slice.first, slice.size());
    commands.end_timed();
    const auto time = device_.submit(commands);
    if (!time) {
      return std::unexpected(time.error());
    }
    last_ms = time->front();
    last = slice.count();
    ms += last_ms;
    done += last;
    if (probed && request_.observer && !request_.observer(done)) {
      checked_ = done;
    }
    if (alone) {
      const auto ended = all_loops_ended();
      if (!ended) {
        return std::unexpected(ended.error());
      }
      loops_end_ = *ended;
      if (!loops_end_) {
        checked_ = done;
      }
    }
  }
  return ms;
}

Expected<bool> Check::all_loops_ended() {
  std::vector<std::uint32_t> words(probe_.findings.loop(probe_.findings.loops));
  if (const auto ok = device_.download(findings_, std::as_writable_bytes(std::span(words))); !ok) {
    return std::unexpected(ok.error());
  }
  return std::all_of(words.begin() + probe_.findings.loop(0), words.end(),
                     [](std::uint32_t hits) { return hits == 0; });
}

Expected<void> Check::measure(const gpu::Kernel& kernel) {
  auto plain_module = spirv::parse(specimen_->words());
  if (!plain_module) {
    return std::unexpected(plain_module.error());
  }
  if (const auto edited = spirv::edit_barriers(*plain_module, request_.barriers); !edited) {
    return std::unexpected(edited.error());
  }
  const auto plain =
      make_kernel(spirv::write(*plain_module), false, examination().program.interface.entry_point);
  if (!plain) {
    return std::unexpected(plain.error());
  }
  for (const auto& ok : {specimen_->fill_buffers(), make_blank()}) {
    if (!ok) {
      return ok;
    }
  }
  Times times;
  // An idle GPU takes its time to come up to its clocks.
  const bool emulated = device_.info().emulated();
  for (double warm = 0.0; warm < (emulated ? 1.0 : kTimingWarmUpMs);) {
    times = {};
    if (const auto ok = time_once(*plain, kernel, times); !ok) {
      return ok;
    }
    warm += std::max(times.plain.back() + times.checked.back(), 0.02);
  }
  times = {};
  for (std::uint32_t n = 0; n < (emulated ? kTimedLaunches : 5 * kTimedLaunches); ++n) {
    if (const auto ok = time_once(*plain, kernel, times); !ok) {
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
    const auto with = without ? launch(probed, true) : without;
    if (!with) {
      return std::unexpected(with.error());
    }
    times.plain.push_back(*without);
    times.checked.push_back(*with);
    return {};
  }
  std::vector<const gpu::Buffer*> buffers = specimen_->buffers();
  gpu::Commands commands;
  commands.copy(blank_, findings_);
  for (const bool with : {false, true}) {
    if (with) {
      buffers.push_back(&findings_);
      buffers.push_back(&shadow_);
    }
    commands.begin_timed();
    commands.dispatch(with ? probed : plain, buffers, specimen_->push_constants(), launched().first,
                      launched().size());
    commands.end_timed();
  }
  const auto ms = device_.submit(commands);
  if (!ms) {
    return std::unexpected(ms.error());
  }
  times.plain.push_back((*ms)[0]);
  times.checked.push_back((*ms)[1]);
  return {};
}

// Findings as they are before a launch of all workgroups at once.
Expected<void> Check::make_blank() {
  auto blank = device_.buffer(findings_.bytes(), "empty findings");
  if (!blank) {
    return std::unexpected(blank.error());
  }
  blank_ = std::move(*blank);
  gpu::Commands clear;
  clear.fill(blank_, 0);
  if (const auto done = device_.submit(clear); !done) {
    return std::unexpected(done.error());
  }
  const auto words = header(0);
  return device_.upload(blank_, std::as_bytes(std::span(words)));
}

Expected<void> Check::read_findings() {
  std::vector<std::uint32_t> words(probe_.findings.words(numbers().end()));
  if (const auto ok = device_.download(findings_, std::as_writable_bytes(std::span(words))); !ok) {
    return ok;
  }
  add_race_findings(examination(), probe_, tiles(), numbers(), words, report_);
  for (std::uint32_t n = 0; n < specimen_->loops().size(); ++n) {
    if (const std::uint32_t count = words[probe_.findings.loop(n)]; count != 0) {
      core::Finding finding;
      finding.kind = core::FindingKind::unfinished_loop;
      finding.line = specimen_->loops()[n].at.line;
      finding.limit = specimen_->loop_limits().loop;
      finding.count = count;
      report_.findings.push_back(finding);
    }
  }
  return {};
}

void Check::conclude() {
  report_.workgroups_checked = checked_;
  report_.accesses_checked = report_.accesses - report_.accesses_proven;
  if (checked_ < report_.workgroups) {
    report_.incomplete.push_back(fmt::format("{} of {} workgroups were not run",
                                             report_.workgroups - checked_, report_.workgroups));
  }
  const auto& found = report_.findings;
  const bool races =
      std::ranges::find(found, core::FindingKind::race, &core::Finding::kind) != found.end();
  if (!races && !found.empty()) {
    report_.incomplete.emplace_back(
        "what a kernel does behind an index outside its array, or a loop cut short, is undefined");
  }
  report_.verdict = races                        ? core::Verdict::racy
                    : report_.incomplete.empty() ? core::Verdict::clean
                                                 : core::Verdict::incomplete;
}

}  // namespace

std::vector<CheckRequest> describe_check(const Setup& setup, const CheckRequest& like) {
  std::vector<CheckRequest> requests;
  for (const SetupLaunch& launch : setup.launches) {
    CheckRequest& request = requests.emplace_back(like);
    const Setup& kernel = *launch.kernel;
    request.kernel = kernel.variant.id();
    request.keeps = setup.data;
    request.spirv = kernel.spirv;
    request.constants = kernel.constants;
    request.barriers = kernel.experiment.barriers;
    request.push_constants = kernel.push_constants;
    const glm::uvec3 groups = setup.tiles.groups();
    request.groups = {groups.x, groups.y, groups.z};
    request.launched = launch.groups;
    for (std::uint32_t i = 0; i < setup.data->inputs.size(); ++i) {
      CheckBuffer buffer;
      buffer.content = setup.data->content(i);
      buffer.bytes = setup.data->buffers[i].bytes();
      buffer.fill = Fill::zero;
      request.buffers[{0, i}] = buffer;
    }
    for (const gpu::Buffer& scratch : kernel.scratch) {
      const auto binding = static_cast<std::uint32_t>(request.buffers.size());
      request.buffers[{0, binding}] = {.bytes = scratch.bytes(), .fill = Fill::zero, .content = {}};
    }
  }
  return requests;
}

Expected<core::CheckReport> check(gpu::Device& device, const CheckRequest& request) {
  return Check(device, request).run();
}

Expected<core::CheckReport> check(gpu::Device& device, const std::vector<CheckRequest>& launches) {
  if (launches.size() == 1) {
    return check(device, launches.front());
  }
  core::CheckReport all;
  all.device = device.info().name;
  all.verdict = core::Verdict::clean;
  std::uint64_t done = 0;
  bool going = true;
  std::set<std::string> kernels;
  for (CheckRequest request : launches) {
    if (const SliceObserver observer = request.observer) {
      request.observer = [&, observer](std::uint64_t groups) {
        going = going && observer(done + groups);
        return going;
      };
    }
    // Once it was told to stop, a launch is left after its first slice.
    auto report = check(device, request);
    if (!report) {
      return report;
    }
    done += report->workgroups;
    all.add(std::move(*report), !kernels.insert(request.kernel).second);
  }
  return all;
}

Expected<core::CheckReport> check_setup(gpu::Device& device, const Setup& setup, double slice_ms,
                                        const SliceObserver& observer) {
  CheckRequest like;
  like.slice_ms = slice_ms;
  like.observer = observer;
  std::uint64_t bytes = 0;
  for (const gpu::Buffer* buffer : setup.buffers()) {
    bytes += buffer->bytes();
  }
  // What is on the device stays there beside what the check needs.
  auto report = 2 * bytes <= device.info().memory_bytes
                    ? check(device, describe_check(setup, like))
                    : core::device_error(
                          "this device has no room for a second set of buffers, "
                          "which a check needs");
  if (report) {
    report->kernel = setup.variant.id();
  }
  if (report || report.error().device_lost) {
    return report;
  }
  core::CheckReport unchecked;
  unchecked.kernel = setup.variant.id();
  unchecked.device = device.info().name;
  unchecked.workgroups = setup.tiles.group_count();
  unchecked.accesses = static_cast<std::uint32_t>(setup.facts->accesses.size());
  unchecked.incomplete.push_back(report.error().message);
  return unchecked;
}

}  // namespace lab
