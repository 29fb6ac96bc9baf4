#include "lab/check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/random.h"
#include "core/tile_map.h"
#include "lab/launch.h"
#include "lab/race_findings.h"
#include "lab/workbench.h"
#include "spirv/canonical.h"
#include "spirv/examination.h"
#include "spirv/flat_bindings.h"
#include "spirv/loop_bounds.h"
#include "spirv/race_probe.h"
#include "spirv/reflect.h"

namespace lab {
namespace {

using core::Expected;

constexpr std::uint64_t kShadowBudget = std::uint64_t{256} << 20U;  // bytes, in storage buffers
constexpr std::uint64_t kLargestDefaultBuffer = std::uint64_t{64} << 20U;
constexpr std::uint32_t kTimedLaunches = 7;
// Slices of a check that is observed start small and grow.
constexpr std::uint64_t kFirstSlice = 4;
constexpr std::uint64_t kGrowth = 8;
// Mesa's llvmpipe leaves any loop silently after 65535 iterations.
constexpr std::uint32_t kEmulatedLoopLimit = 65000;

class Check {
 public:
  Check(gpu::Device& device, const CheckRequest& request) : device_(device), request_(request) {
    report_.kernel = request.kernel;
    report_.device = device.info().name;
  }

  Expected<core::CheckReport> run();

 private:
  Expected<void> prepare();
  void choose_constants(const spirv::Interface& interface);
  void choose_groups();
  void choose_push_constants();
  void refuse(const std::vector<spirv::DivergentBarrier>& barriers);
  Expected<void> make_buffers();
  Expected<void> fill_buffers();
  [[nodiscard]] std::vector<std::uint32_t> fill_of(const spirv::Binding& binding,
                                                   std::uint64_t bytes, std::size_t number) const;
  [[nodiscard]] std::uint64_t buffer_bytes(const spirv::Binding& binding) const;
  [[nodiscard]] CheckBuffer wanted(const spirv::Binding& binding) const;
  Expected<void> make_probe();
  Expected<gpu::Kernel> make_kernel(std::span<const std::uint32_t> words, bool probed,
                                    const std::string& entry);
  Expected<double> launch(const gpu::Kernel& kernel, bool probed);
  [[nodiscard]] std::uint64_t slice_size(std::uint64_t last, double last_ms) const;
  Expected<void> measure(const gpu::Kernel& kernel);
  Expected<bool> all_loops_ended();
  Expected<void> bound_loops();
  Expected<void> read_findings();
  void conclude();

  gpu::Device& device_;
  const CheckRequest& request_;
  core::CheckReport report_;
  std::vector<std::uint32_t> words_;
  spirv::FlatBindings bindings_;
  spirv::SpecValues constants_;
  std::unique_ptr<spirv::Examination> examination_;
  std::vector<spirv::BoundedLoop> loops_;
  spirv::LoopLimits loop_limits_;
  bool loops_end_ = false;  // seen on the first workgroup
  core::TileMap tiles_;     // of the whole launch
  std::uint64_t checked_ = 0;
  std::vector<std::uint32_t> push_constants_;
  std::vector<gpu::Buffer> buffers_;
  std::vector<std::vector<std::uint32_t>> fills_;  // of buffers without a given content
  spirv::RaceProbe probe_;
  gpu::Buffer findings_;
  gpu::Buffer shadow_;
  std::uint64_t slice_groups_ = 0;
};

Expected<core::CheckReport> Check::run() {
  if (const auto ok = prepare(); !ok) {
    return std::unexpected(ok.error());
  }
  if (const auto divergent = examination_->uniformity.divergent_barriers(); !divergent.empty()) {
    refuse(divergent);
    return std::move(report_);
  }
  if (!bindings_.not_possible.empty() || report_.workgroups == 0) {
    report_.incomplete.insert(report_.incomplete.end(), bindings_.not_possible.begin(),
                              bindings_.not_possible.end());
    report_.verdict = core::Verdict::incomplete;
    return std::move(report_);
  }
  for (const auto& step : {&Check::bound_loops, &Check::make_buffers, &Check::make_probe}) {
    if (const auto ok = (this->*step)(); !ok) {
      return std::unexpected(ok.error());
    }
  }
  const auto kernel = make_kernel(probe_.words, true, examination_->program.interface.entry_point);
  if (!kernel) {
    return std::unexpected(kernel.error());
  }
  if (const auto ok = fill_buffers(); !ok) {
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

Expected<void> Check::prepare() {
  if (const auto valid = spirv::validate(request_.spirv); !valid) {
    return std::unexpected(valid.error());
  }
  auto module = spirv::parse(request_.spirv);
  if (!module) {
    return std::unexpected(module.error());
  }
  const auto interface = spirv::reflect(*module, {});
  if (!interface) {
    return std::unexpected(interface.error());
  }
  choose_constants(*interface);
  auto flat = spirv::flatten_bindings(*module, constants_);
  if (!flat) {
    return std::unexpected(flat.error());
  }
  bindings_ = std::move(*flat);
  words_ = spirv::write(*module);
  auto examination = spirv::Examination::of(words_, constants_, request_.barriers);
  if (!examination) {
    return std::unexpected(examination.error());
  }
  examination_ = std::move(*examination);
  const spirv::Interface& frozen = examination_->program.interface;
  for (const auto& [place, buffer] : request_.buffers) {
    if (std::ranges::none_of(bindings_.buffers, [&](const spirv::Binding& b) {
          return std::pair(b.set, b.binding) == place;
        })) {
      return core::usage_error(
          fmt::format("the kernel has no buffer {}.{}", place.first, place.second));
    }
  }
  tiles_.local_size =
      tiles_.covers = {frozen.local_size[0], frozen.local_size[1], frozen.local_size[2]};
  choose_groups();
  choose_push_constants();
  report_.accesses = static_cast<std::uint32_t>(examination_->sites.all().size());
  report_.accesses_proven = examination_->proofs.proven_sites();
  report_.incomplete = examination_->sites.not_understood();
  const std::uint32_t invocations = examination_->program.invocations();
  if (invocations > device_.info().max_workgroup_invocations ||
      frozen.shared_bytes > device_.info().shared_memory_bytes) {
    report_.incomplete.push_back(fmt::format(
        "a workgroup of {} invocations and {} bytes of shared memory does not fit this device",
        invocations, frozen.shared_bytes));
    report_.workgroups = 0;
  }
  return {};
}

void Check::choose_constants(const spirv::Interface& interface) {
  // Nameless constants of `local_size_x_id` take the value of the named one that shares their id.
  for (const spirv::SpecConstant& c : interface.spec_constants) {
    if (c.width <= 32) {
      constants_[c.id] = static_cast<std::uint32_t>(c.default_value);
    }
  }
  for (const auto& [id, value] : request_.constants) {
    constants_[id] = value;
  }
}

void Check::choose_groups() {
  glm::uvec3 groups{request_.groups[0], request_.groups[1], request_.groups[2]};
  const glm::uvec3 local = tiles_.local_size;
  if (groups.x == 0) {
    groups = {4, local.y > 1 ? 4 : 1, local.z > 1 ? 2 : 1};
  }
  groups = glm::max(groups, glm::uvec3{1});
  tiles_.extent = groups * local;
  report_.workgroups = tiles_.group_count();
  checked_ =
      request_.tiles == 0 ? report_.workgroups : std::min(request_.tiles, report_.workgroups);
}

void Check::choose_push_constants() {
  const spirv::Interface& interface = examination_->program.interface;
  push_constants_.assign((interface.push_constant_bytes + 3) / 4, tiles_.extent.x);
  for (const spirv::BlockMember& member : interface.push_constants) {
    const bool floating = !member.type.starts_with("int") && !member.type.starts_with("uint") &&
                          !member.type.starts_with("ivec") && !member.type.starts_with("uvec") &&
                          !member.type.starts_with("bool");
    for (std::uint32_t w = member.offset / 4; w < (member.offset + member.bytes) / 4; ++w) {
      push_constants_[w] = floating ? std::bit_cast<std::uint32_t>(1.0F) : push_constants_[w];
    }
  }
  for (std::size_t i = 0; i < std::min(push_constants_.size(), request_.push_constants.size());
       ++i) {
    push_constants_[i] = request_.push_constants[i];
  }
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

CheckBuffer Check::wanted(const spirv::Binding& binding) const {
  const auto found = request_.buffers.find({binding.set, binding.binding});
  return found != request_.buffers.end() ? found->second : CheckBuffer{};
}

std::uint64_t Check::buffer_bytes(const spirv::Binding& binding) const {
  const CheckBuffer buffer = wanted(binding);
  if (!buffer.content.empty()) {
    return (buffer.content.size() + 3) / 4 * 4;
  }
  if (buffer.bytes != 0) {
    return (buffer.bytes + 3) / 4 * 4;
  }
  // One element an invocation, and as many as a square matrix as wide as the launch.
  const std::uint64_t wide = tiles_.extent.x;
  const std::uint64_t elements = std::max({tiles_.invocations(), wide * wide, std::uint64_t{4096}});
  const std::uint64_t bytes = binding.bytes + elements * binding.runtime_stride;
  return std::max<std::uint64_t>(std::min(bytes, binding.bytes + kLargestDefaultBuffer), 16);
}

// What a buffer without a content of its own holds; nothing for zeros.
std::vector<std::uint32_t> Check::fill_of(const spirv::Binding& binding, std::uint64_t bytes,
                                          std::size_t number) const {
  const Fill kind = wanted(binding).fill;
  std::vector<std::uint32_t> fill(kind == Fill::zero ? 0 : bytes / 4);
  const bool floats = binding.runtime_type == "float" || binding.runtime_type.starts_with("vec") ||
                      binding.runtime_type.starts_with("mat");
  const std::uint64_t stream = core::mix(request_.seed + number);
  for (std::size_t i = 0; i < fill.size(); ++i) {
    if (kind == Fill::iota) {
      const auto whole = static_cast<std::uint32_t>(i);
      fill[i] = floats ? std::bit_cast<std::uint32_t>(static_cast<float>(i)) : whole;
    } else {
      const auto random = static_cast<std::uint32_t>(core::mix(stream + i));
      fill[i] = floats ? std::bit_cast<std::uint32_t>(static_cast<float>(random % 1024)) : random;
    }
  }
  return fill;
}

Expected<void> Check::make_buffers() {
  for (const spirv::Binding& binding : bindings_.buffers) {
    const std::uint64_t bytes = buffer_bytes(binding);
    auto buffer = device_.buffer(bytes, binding.name);
    if (!buffer) {
      return std::unexpected(buffer.error());
    }
    buffers_.push_back(std::move(*buffer));
    fills_.push_back(wanted(binding).content.empty() ? fill_of(binding, bytes, buffers_.size())
                                                     : std::vector<std::uint32_t>{});
  }
  return {};
}

Expected<void> Check::fill_buffers() {
  gpu::Commands zero;
  for (const gpu::Buffer& buffer : buffers_) {
    zero.fill(buffer, 0);
  }
  if (const auto done = device_.submit(zero); !done) {
    return std::unexpected(done.error());
  }
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const auto given = wanted(bindings_.buffers[i]).content;
    const auto content = given.empty() ? std::as_bytes(std::span(fills_[i])) : given;
    if (const auto ok = device_.upload(buffers_[i], content); !ok) {
      return ok;
    }
  }
  return {};
}

// Divergence is judged on the kernel as it is; races on the kernel with its loops bounded.
Expected<void> Check::bound_loops() {
  if (device_.info().emulated()) {
    loop_limits_.loop = kEmulatedLoopLimit;
  }
  auto bounded = spirv::bound_loops(*examination_, loop_limits_);
  if (!bounded) {
    report_.incomplete.push_back("its loops are not bounded: " + bounded.error().message);
    return {};
  }
  if (bounded->loops.empty()) {
    return {};
  }
  auto examination = spirv::Examination::of_canonical(bounded->words);
  if (!examination) {
    return std::unexpected(examination.error());
  }
  examination_ = std::move(*examination);
  loops_ = std::move(bounded->loops);
  report_.accesses = static_cast<std::uint32_t>(examination_->sites.all().size());
  report_.accesses_proven = examination_->proofs.proven_sites();
  return {};
}

Expected<void> Check::make_probe() {
  spirv::RaceProbeOptions options;
  options.shared_memory_bytes = device_.info().shared_memory_bytes;
  options.shadow_in_buffer = request_.shadow_in_buffer;
  options.findings_binding = static_cast<std::uint32_t>(buffers_.size());
  options.shadow_binding = options.findings_binding + 1;
  options.loops = static_cast<std::uint32_t>(loops_.size());
  auto probe = spirv::make_race_probe(*examination_, options);
  if (!probe) {
    return std::unexpected(probe.error());
  }
  probe_ = std::move(*probe);
  if (const auto valid = spirv::validate(probe_.words); !valid) {
    return std::unexpected(
        core::Error{core::Fault::device, "the probe is not valid: " + valid.error().message});
  }
  auto findings = device_.buffer(probe_.findings.words(report_.workgroups) * 4, "the findings");
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
  std::vector<std::uint32_t> bindings(buffers_.size() + (probed ? 2 : 0));
  std::iota(bindings.begin(), bindings.end(), 0U);
  return device_.kernel(
      {.name = request_.kernel + (probed ? " (checked)" : ""),
       .spirv = words,
       .entry_point = entry,
       .constants = probed ? spirv::SpecValues{} : constants_,
       .bindings = bindings,
       .push_constant_bytes = static_cast<std::uint32_t>(push_constants_.size() * 4)});
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

Expected<double> Check::launch(const gpu::Kernel& kernel, bool probed) {
  std::vector<const gpu::Buffer*> buffers;
  for (const gpu::Buffer& b : buffers_) {
    buffers.push_back(&b);
  }
  const glm::uvec3 groups = tiles_.groups();
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
    const bool alone = probed && !loops_.empty() && !loops_end_ && done == 0;
    const core::Box slice =
        next_slice(groups, done, alone ? 1 : std::min(slice_size(last, last_ms), checked_ - done));
    if (probed) {
      const std::array<std::uint32_t, 5> header{groups.x, groups.y,
                                                static_cast<std::uint32_t>(done), 0, groups.z};
      if (const auto ok = device_.upload(findings_, std::as_bytes(std::span(header))); !ok) {
        return std::unexpected(ok.error());
      }
    }
    gpu::Commands commands;
    commands.begin_timed();
    commands.dispatch(kernel, buffers, push_constants_, slice.first, slice.size());
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
  auto plain_module = spirv::parse(words_);
  if (!plain_module) {
    return std::unexpected(plain_module.error());
  }
  if (const auto edited = spirv::edit_barriers(*plain_module, request_.barriers); !edited) {
    return std::unexpected(edited.error());
  }
  const auto plain =
      make_kernel(spirv::write(*plain_module), false, examination_->program.interface.entry_point);
  if (!plain) {
    return std::unexpected(plain.error());
  }
  std::vector<double> with;
  std::vector<double> without;
  for (std::uint32_t n = 0; n < kTimedLaunches; ++n) {
    if (const auto ok = fill_buffers(); !ok) {
      return ok;
    }
    for (const bool probed : {false, true}) {
      const auto time = launch(probed ? kernel : *plain, probed);
      if (!time) {
        return std::unexpected(time.error());
      }
      (probed ? with : without).push_back(*time);
    }
  }
  std::ranges::sort(with);
  std::ranges::sort(without);
  report_.checked_ms = with[with.size() / 2];
  report_.plain_ms = without[without.size() / 2];
  return {};
}

Expected<void> Check::read_findings() {
  std::vector<std::uint32_t> words(probe_.findings.words(report_.workgroups));
  if (const auto ok = device_.download(findings_, std::as_writable_bytes(std::span(words))); !ok) {
    return ok;
  }
  add_race_findings(*examination_, probe_, tiles_, words, report_);
  for (std::uint32_t n = 0; n < loops_.size(); ++n) {
    if (const std::uint32_t count = words[probe_.findings.loop(n)]; count != 0) {
      core::Finding finding;
      finding.kind = core::FindingKind::unfinished_loop;
      finding.line = loops_[n].at.line;
      finding.limit = loop_limits_.loop;
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

void describe_check(const Setup& setup, CheckRequest& request) {
  request.kernel = setup.variant.id();
  request.spirv = setup.spirv;
  request.constants = setup.constants;
  request.barriers = setup.experiment.barriers;
  request.push_constants = setup.push_constants;
  const glm::uvec3 groups = setup.tiles.groups();
  request.groups = {groups.x, groups.y, groups.z};
  for (std::uint32_t i = 0; i < setup.data->inputs.size(); ++i) {
    CheckBuffer buffer;
    buffer.content = std::as_bytes(std::span(setup.data->inputs[i]));
    buffer.bytes = setup.data->buffers[i].bytes();
    buffer.fill = Fill::zero;
    request.buffers[{0, i}] = buffer;
  }
}

Expected<core::CheckReport> check(gpu::Device& device, const CheckRequest& request) {
  return Check(device, request).run();
}

Expected<core::CheckReport> check_setup(gpu::Device& device, const Setup& setup, double slice_ms,
                                        const SliceObserver& observer) {
  CheckRequest request;
  describe_check(setup, request);
  request.slice_ms = slice_ms;
  request.observer = observer;
  std::uint64_t bytes = 0;
  for (const gpu::Buffer& buffer : setup.data->buffers) {
    bytes += buffer.bytes();
  }
  // What is on the device stays there beside what the check needs.
  auto report = 2 * bytes <= device.info().memory_bytes
                    ? check(device, request)
                    : core::device_error(
                          "this device has no room for a second set of buffers, "
                          "which a check needs");
  if (report || report.error().device_lost) {
    return report;
  }
  core::CheckReport unchecked;
  unchecked.kernel = request.kernel;
  unchecked.device = device.info().name;
  unchecked.workgroups = setup.tiles.group_count();
  unchecked.accesses = static_cast<std::uint32_t>(setup.facts->accesses.size());
  unchecked.incomplete.push_back(report.error().message);
  return unchecked;
}

}  // namespace lab
