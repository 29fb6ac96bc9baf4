#include "lab/probe/timeline.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <numeric>
#include <span>
#include <thread>
#include <utility>

#include "core/base/ceil_div.h"
#include "lab/plan/plan.h"
#include "lab/probe/beside_plain.h"
#include "lab/run/lead_in.h"
#include "spirv/module/canonical.h"

namespace lab {
namespace {

using spirv::TimelineLayout;

constexpr double kAgainBelowMs = 500.0;                  // longer launches are kept as they come
constexpr auto kApart = std::chrono::milliseconds(200);  // launches, to measure a clock by

class Recorder {
 public:
  Recorder(gpu::Device& device, const Turns& turns, const TimelineOptions& options)
      : device_(device), before_(before_grid(turns, options.grid)), options_(options) {
    std::ranges::copy_if(turns, std::back_inserter(turns_),
                         [&](const Turn& turn) { return turn.grid == options.grid; });
    ms_per_group_ = options.expected_ms / static_cast<double>(groups());
  }

  core::Expected<void> open();
  core::Expected<TimelineRecord> record();
  core::Expected<TimelineCost> measure();

 private:
  [[nodiscard]] const core::Dispatch& first() const { return turns_.front().specimen->dispatch(); }
  [[nodiscard]] std::uint64_t groups() const {
    return std::accumulate(
        turns_.begin(), turns_.end(), std::uint64_t{0},
        [](std::uint64_t sum, const Turn& turn) { return sum + turn.groups.count(); });
  }
  [[nodiscard]] double expected_ms() const { return ms_per_group_ * static_cast<double>(groups()); }
  core::Expected<void> make_probes();
  core::Expected<gpu::Kernel> make_probe(Specimen& specimen);
  core::Expected<void> warm_up();
  core::Expected<bool> launch();
  core::Expected<bool> launch(const KernelLaunch& part, std::uint64_t before);
  core::Expected<void> run(const KernelLaunch& part, const core::Box& box, TimelineSlice& slice);
  core::Expected<void> prepare(const core::Box& launched, std::uint64_t done);
  void place(const core::Box& box, TimelineSlice& slice) const;
  [[nodiscard]] std::uint64_t slice_size(std::uint64_t last) const;
  [[nodiscard]] std::vector<const gpu::Buffer*> buffers() const;
  [[nodiscard]] ClockPoint end_of_launch() const;

  gpu::Device& device_;
  std::span<const Turn> before_;
  Turns turns_;  // of the grid
  LeadIn lead_in_;
  const TimelineOptions& options_;
  Memory memory_;
  std::map<const Specimen*, gpu::Kernel> kernels_;
  std::vector<KernelLaunch> launches_;  // probed
  gpu::Buffer rows_;
  std::uint64_t most_groups_ = 0;  // that the buffer has rows for
  double ms_per_group_ = 0.0;
  TimelineRecord record_;
};

core::Expected<void> Recorder::open() {
  const core::DeviceInfo& info = device_.info();
  if (!info.shader_clock) {
    return std::unexpected(core::Error{
        core::Fault::device,
        "no timeline: " + info.name + " has no clock that kernels can read (VK_KHR_shader_clock)"});
  }
  record_.groups = groups();
  record_.launches = static_cast<std::uint32_t>(turns_.size());
  record_.timestamp_period_ns = info.timestamp_period_ns;
  record_.tells_multiprocessor = info.sm_builtins;
  record_.multiprocessors = info.multiprocessors;
  record_.warps_per_multiprocessor = info.warps_per_multiprocessor;
  record_.subgroup_size = info.subgroup_size;
  memory_ = TRY(Memory::make(device_, first().resources, options_.seed, options_.lent));
  lead_in_ = TRY(LeadIn::make(device_, before_, memory_));
  if (const auto ok = make_probes(); !ok) {
    return ok;
  }
  const std::uint64_t group_bytes = record_.layout.words(1) * 4 - TimelineLayout::header * 4;
  const std::uint64_t most =
      std::min({options_.most_bytes, info.max_buffer_bytes, info.memory_bytes / 8});
  most_groups_ = std::clamp<std::uint64_t>(most / group_bytes, 1, groups());
  rows_ = TRY(device_.buffer(record_.layout.words(most_groups_) * 4, "the timeline"));
  return {};
}

// Kernels of one variant have workgroups of one size, so their rows are laid out alike.
core::Expected<void> Recorder::make_probes() {
  for (const Turn& turn : turns_) {
    auto known = kernels_.find(turn.specimen.get());
    if (known == kernels_.end()) {
      auto kernel = TRY(make_probe(*turn.specimen));
      known = kernels_.emplace(turn.specimen.get(), std::move(kernel)).first;
    }
    launches_.push_back({&known->second, turn.groups, turn.specimen->dispatch().push_constants});
  }
  return {};
}

core::Expected<gpu::Kernel> Recorder::make_probe(Specimen& specimen) {
  if (!specimen.not_possible().empty()) {
    return core::device_error("no timeline: " + specimen.not_possible().front());
  }
  const auto examination = TRY(specimen.examination());
  const core::DeviceInfo& info = device_.info();
  const std::uint32_t lanes = std::max(info.subgroup_size, 1U);
  const auto places = !info.sm_builtins        ? spirv::PlaceBuiltIns::none
                      : info.arm_core_builtins ? spirv::PlaceBuiltIns::arm
                                               : spirv::PlaceBuiltIns::nv;
  const auto probe = spirv::make_timeline_probe(
      *examination, {.set = 0,
                     .binding = static_cast<std::uint32_t>(first().resources.size()),
                     .rows = core::ceil_div(examination->program.invocations(), lanes),
                     .places = places});
  if (const auto valid = spirv::validate(probe.words); !valid) {
    return core::device_error("the kernel instrumented for the timeline is not valid SPIR-V: " +
                              valid.error().message);
  }
  record_.layout = probe.layout;
  return specimen.probe_kernel(device_, probe.words, "timeline", 1);
}

std::vector<const gpu::Buffer*> Recorder::buffers() const {
  std::vector<const gpu::Buffer*> all = memory_.buffers();
  all.push_back(&rows_);
  return all;
}

std::uint64_t Recorder::slice_size(std::uint64_t last) const {
  return std::min(SliceGrowth::next(options_.slice_ms, ms_per_group_, last), most_groups_);
}

// Rows are the workgroups' of a launch that are not done yet.
core::Expected<void> Recorder::prepare(const core::Box& launched, std::uint64_t done) {
  gpu::Commands clear;
  clear.fill(rows_, 0);
  TRY(device_.submit(clear));
  const glm::uvec3 g = launched.size();
  const std::array<std::uint32_t, TimelineLayout::header> header{
      g.x, g.y, g.z, static_cast<std::uint32_t>(NumberedGroups(launched).first() + done)};
  return device_.upload(rows_, std::as_bytes(std::span(header)));
}

// Workgroups of one launch of several need not follow each other in the whole.
void Recorder::place(const core::Box& box, TimelineSlice& slice) const {
  const glm::uvec3 all = first().groups;
  const NumberedGroups numbers(box);
  for (std::uint64_t n = numbers.first(); launches_.size() > 1 && n < numbers.end(); ++n) {
    const glm::uvec3 group = numbers.group(n);
    slice.places.push_back(group.x + all.x * (group.y + all.y * group.z));
  }
}

core::Expected<void> Recorder::run(const KernelLaunch& part, const core::Box& box,
                                   TimelineSlice& slice) {
  if (const auto ok = prepare(part.groups, slice.first_group); !ok) {
    return ok;
  }
  gpu::Commands commands;
  commands.begin_timed();
  commands.dispatch(*part.kernel, buffers(), memory_.push_constants(part.push_constants), box.first,
                    box.size());
  commands.end_timed();
  const auto stamps = TRY(device_.submit_stamped(commands));
  slice.groups = box.count();
  slice.begin = stamps.front();
  slice.end = stamps.back();
  std::vector<std::uint32_t> words(record_.layout.words(slice.groups));
  if (const auto ok = device_.download(rows_, std::as_writable_bytes(std::span(words))); !ok) {
    return ok;
  }
  words.erase(words.begin(), words.begin() + TimelineLayout::header);
  slice.words = std::move(words);
  widen_clock(record_.layout, record_.timestamp_period_ns, slice);
  place(box, slice);
  return {};
}

// Drivers compile a pipeline when it is first launched: a workgroup of each kernel, so that no
// compiler's time is in a launch that is recorded once.
core::Expected<void> Recorder::warm_up() {
  if (const auto ok = lead_in_.prepare(memory_); !ok) {
    return ok;
  }
  for (const KernelLaunch& part : launches_) {
    TimelineSlice one{.first_group = 0};
    if (const auto ok = run(part, next_slice(part.groups, 0, 1), one); !ok) {
      return ok;
    }
  }
  return {};
}

// False: the observer stopped it.
core::Expected<bool> Recorder::launch() {
  record_.slices.clear();
  TRY(lead_in_.prepare(memory_));
  std::uint64_t before = 0;
  for (const KernelLaunch& part : launches_) {
    if (const auto going = launch(part, before); !going || !*going) {
      return going;
    }
    before += part.groups.count();
  }
  double ms = 0.0;
  for (const TimelineSlice& slice : record_.slices) {
    ms += static_cast<double>(slice.end - slice.begin) * record_.timestamp_period_ns * 1e-6;
  }
  ms_per_group_ = std::max(ms, 1e-6) / static_cast<double>(groups());
  return true;
}

core::Expected<bool> Recorder::launch(const KernelLaunch& part, std::uint64_t before) {
  const bool known = ms_per_group_ > 0.0;
  std::uint64_t last = 0;
  for (std::uint64_t done = 0; done < part.groups.count();) {
    TimelineSlice slice{.first_group = done};
    const core::Box box = next_slice(part.groups, done, slice_size(known ? 0 : last));
    TRY(run(part, box, slice));
    const double took =
        static_cast<double>(slice.end - slice.begin) * record_.timestamp_period_ns * 1e-6;
    last = slice.groups;
    done += last;
    ms_per_group_ = std::max(took, 1e-6) / static_cast<double>(last);
    record_.slices.push_back(std::move(slice));
    if (options_.observer && !options_.observer(before + done)) {
      return false;
    }
  }
  return true;
}

ClockPoint Recorder::end_of_launch() const {
  const TimelineSlice& last = record_.slices.back();
  return {last.end, span_of(record_.layout, last).last};
}

core::Expected<TimelineRecord> Recorder::record() {
  TRY(warm_up());
  auto finished = launch();
  if (finished && *finished && expected_ms() < kAgainBelowMs) {
    record_.before.push_back(end_of_launch());
    if (!one_clock(record_)) {
      std::this_thread::sleep_for(kApart);
    }
    finished = launch();
  }
  if (!finished) {
    return std::unexpected(finished.error());
  }
  if (!*finished) {
    record_.slices.clear();
  }
  return std::move(record_);
}

core::Expected<TimelineCost> Recorder::measure() {
  if (most_groups_ < groups() || launches_.size() > 1) {
    return core::device_error("the timeline of this launch does not fit into one dispatch");
  }
  const auto described = plain_kernel(first());
  const auto unprobed =
      TRY(described ? device_.kernel(described->spec()) : std::unexpected(described.error()));
  const auto& [probe, all, push_constants] = launches_.front();
  for (const auto& ok : {lead_in_.prepare(memory_), prepare(all, 0)}) {
    if (!ok) {
      return std::unexpected(ok.error());
    }
  }
  std::vector<double> plain;
  std::vector<double> probed;
  const std::uint32_t wanted = launches_beside_plain(device_.info());
  double warm = warm_up_beside_plain(device_.info());
  for (std::uint32_t n = 0; n < wanted && (!options_.observer || options_.observer(all.count()));) {
    gpu::Commands commands;
    for (const bool with : {false, true}) {
      commands.begin_timed();
      commands.dispatch(with ? *probe : unprobed, with ? buffers() : memory_.buffers(),
                        memory_.push_constants(push_constants), all.first, all.size());
      commands.end_timed();
    }
    const auto ms = TRY(device_.submit(commands));
    if (warm > 0.0) {
      warm -= std::max(ms[0] + ms[1], 0.02);
      continue;
    }
    plain.push_back(ms[0]);
    probed.push_back(ms[1]);
    ++n;
  }
  return TimelineCost{core::spread_of(plain).median, core::spread_of(probed).median};
}

}  // namespace

core::Expected<TimelineRecord> record_launch(gpu::Device& device, const Turns& turns,
                                             const TimelineOptions& options) {
  Recorder recorder(device, turns, options);
  TRY(recorder.open());
  return recorder.record();
}

core::Expected<TimelineCost> time_timeline(gpu::Device& device, const Turns& turns,
                                           const TimelineOptions& options) {
  Recorder recorder(device, turns, options);
  TRY(recorder.open());
  return recorder.measure();
}

}  // namespace lab
