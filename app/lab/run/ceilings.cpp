#include "lab/run/ceilings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <span>

#include "core/base/ceil_div.h"
#include "lab/ready/support.h"

namespace lab {

struct CeilingsMeter::Load {
  gpu::Kernel kernel;
  std::vector<gpu::Buffer> buffers;
  std::vector<std::uint32_t> push;  ///< with `work_a_round` the first is the number of rounds
  glm::uvec3 groups{1};
  double work = 0.0;          ///< bytes or flop a launch
  double work_a_round = 0.0;  ///< 0: a launch has no rounds
  double launch_ms = 0.0;     ///< as the last launches took
  core::Expected<void> (*check)(gpu::Device& device, const Load& load) = nullptr;
};

namespace {

using Load = CeilingsMeter::Load;
using Made = core::Expected<std::unique_ptr<Load>>;

constexpr std::size_t kSamples = 11;
constexpr double kWarmUpMs = 300.0;  // an idle GPU takes its time to come up to its clocks
constexpr double kEmulatedWarmUpMs = 50.0;
constexpr double kPieceMs = 20.0;
constexpr double kLaunchMs = 5.0;  // of a launch whose rounds can be chosen
constexpr std::uint32_t kGroup = 256;
constexpr std::uint32_t kGroups = 8192;
constexpr std::uint32_t kEmulatedGroups = 64;
constexpr std::uint32_t kFirstRounds = 256;
constexpr std::uint32_t kMostRounds = 1U << 18U;  // sums of 8 a round stay exact in a float

constexpr double kFlopsARound = 4.0 * 4.0 * 2.0;   // four vec4 multiply-adds
constexpr double kSharedBytesARound = 4.0 * 16.0;  // four vec4 reads
constexpr std::uint32_t kSharedFactor = 13;

// What does not go on: of several things that were made, the first error.
template <class... Things>
std::optional<core::Error> first_error(const Things&... things) {
  std::optional<core::Error> error;
  const auto look = [&error](const auto& thing) {
    if (!thing && !error) {
      error = thing.error();
    }
  };
  (look(things), ...);
  return error;
}

// A kernel that copies, not vkCmdCopyBuffer: drivers may hand that to a copy engine, which on an
// NVIDIA H200 reaches a fifth of the memory's bandwidth.
Made make_copy(gpu::Device& device, const std::filesystem::path& shaders) {
  const core::DeviceInfo& info = device.info();
  const std::uint64_t wanted = info.emulated() ? 64ULL << 20U : 1ULL << 30U;
  const std::uint64_t bytes =
      std::min({wanted, info.memory_bytes / 8, info.max_buffer_bytes}) & ~std::uint64_t{0xFFFF};
  auto from = device.buffer(bytes, "the source of the copy");
  auto to = device.buffer(bytes, "the target of the copy");
  auto kernel = support_kernel(device, shaders, "copy", 2, 4);
  if (const auto error = first_error(from, to, kernel)) {
    return std::unexpected(*error);
  }
  gpu::Commands fill;
  fill.fill(*from, 0x3F9E0652U);
  TRY(device.submit(fill));
  auto load = std::make_unique<Load>();
  const auto count = static_cast<std::uint32_t>(bytes / 16);
  const std::uint32_t groups = (count + kGroup - 1) / kGroup;
  const std::uint32_t columns = std::min(groups, 32768U);
  load->kernel = std::move(*kernel);
  load->buffers.push_back(std::move(*from));
  load->buffers.push_back(std::move(*to));
  load->push = {count};
  load->groups = {columns, core::ceil_div(groups, columns), 1};
  load->work = 2.0 * static_cast<double>(bytes);
  return load;
}

// A loop over `push`'s first number of rounds, one 32-bit result an invocation.
Made make_loop(gpu::Device& device, const std::filesystem::path& shaders, const char* name,
               double work_a_round, std::uint32_t factor) {
  const std::uint32_t groups = device.info().emulated() ? kEmulatedGroups : kGroups;
  const std::uint64_t invocations = std::uint64_t{groups} * kGroup;
  auto out =
      device.buffer(invocations * sizeof(std::uint32_t), "the result of a ceiling measurement");
  auto kernel = support_kernel(device, shaders, name, 1, 8);
  if (const auto error = first_error(out, kernel)) {
    return std::unexpected(*error);
  }
  auto load = std::make_unique<Load>();
  load->kernel = std::move(*kernel);
  load->buffers.push_back(std::move(*out));
  load->push = {kFirstRounds, factor};
  load->groups = {groups, 1, 1};
  load->work_a_round = work_a_round * static_cast<double>(invocations);
  load->work = load->work_a_round * kFirstRounds;
  return load;
}

Made make_fma(gpu::Device& device, const std::filesystem::path& shaders) {
  return make_loop(device, shaders, "fma", kFlopsARound, std::bit_cast<std::uint32_t>(0.01F));
}

// What each invocation of a workgroup must have summed up.
std::array<std::uint32_t, kGroup> shared_sums(std::uint32_t rounds) {
  constexpr std::uint32_t kScalars = 4;
  constexpr std::uint32_t kRows = 4;
  std::array<std::uint32_t, kGroup> a_round{};  // at a cell: the four reads of a round
  for (std::uint32_t i = 0; i < kRows * kGroup * kScalars; ++i) {
    a_round[i / kScalars % kGroup] += i * kSharedFactor & 7U;
  }
  const std::uint32_t all = std::accumulate(a_round.begin(), a_round.end(), 0U);
  std::array<std::uint32_t, kGroup> sums{};
  for (std::uint32_t local = 0; local < kGroup; ++local) {
    sums[local] = rounds / kGroup * all;
    for (std::uint32_t round = 0; round < rounds % kGroup; ++round) {
      sums[local] += a_round[(local + round) % kGroup];
    }
  }
  return sums;
}

core::Expected<void> check_shared(gpu::Device& device, const Load& load) {
  std::vector<std::uint32_t> got(load.buffers.front().bytes() / sizeof(std::uint32_t));
  if (auto done = device.download(load.buffers.front(), std::as_writable_bytes(std::span(got)));
      !done) {
    return done;
  }
  const auto want = shared_sums(load.push.front());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != want[i % kGroup]) {
      return core::device_error("the kernel that measures shared memory gave a wrong sum on " +
                                device.info().name);
    }
  }
  return {};
}

Made make_shared(gpu::Device& device, const std::filesystem::path& shaders) {
  auto load = make_loop(device, shaders, "shared", kSharedBytesARound, kSharedFactor);
  if (load) {
    (*load)->check = check_shared;
  }
  return load;
}

core::Expected<std::vector<double>> launch(gpu::Device& device, const Load& load,
                                           std::size_t count) {
  std::vector<const gpu::Buffer*> buffers;
  for (const gpu::Buffer& buffer : load.buffers) {
    buffers.push_back(&buffer);
  }
  gpu::Commands commands;
  for (std::size_t i = 0; i < count; ++i) {
    commands.begin_timed();
    commands.dispatch(load.kernel, buffers, load.push, {0, 0, 0}, load.groups);
    commands.end_timed();
  }
  return device.submit(commands);
}

// After a first short launch: so many rounds that one takes a few milliseconds.
void choose_rounds(Load& load) {
  if (load.work_a_round <= 0.0) {
    return;
  }
  const double longer = kLaunchMs / std::max(load.launch_ms, 1e-3);
  load.push.front() = static_cast<std::uint32_t>(
      std::clamp(longer * load.push.front(), 1.0, static_cast<double>(kMostRounds)));
  load.launch_ms *= static_cast<double>(load.push.front()) * load.work_a_round / load.work;
  load.work = load.work_a_round * load.push.front();
}

constexpr std::array kLoads{make_copy, make_fma, make_shared};

}  // namespace

CeilingsMeter::CeilingsMeter(gpu::Device& device, std::filesystem::path shaders)
    : device_(device), shaders_(std::move(shaders)) {}
CeilingsMeter::~CeilingsMeter() = default;

core::Expected<bool> CeilingsMeter::step() {
  if (!load_) {
    auto made = TRY(kLoads[done_](device_, shaders_));
    const auto first = TRY(launch(device_, *made, 1));
    load_ = std::move(made);
    load_->launch_ms = first.front();
    choose_rounds(*load_);
    return false;
  }
  const double fit = kPieceMs / std::max(load_->launch_ms, 1e-3);
  const auto ms = TRY(
      launch(device_, *load_, static_cast<std::size_t>(std::clamp(fit, 1.0, double{kSamples}))));
  if (warm_ms_ < (device_.info().emulated() ? kEmulatedWarmUpMs : kWarmUpMs)) {
    warm_ms_ += std::accumulate(ms.begin(), ms.end(), 0.01);
    load_->launch_ms = core::spread_of(ms).median;
    return false;
  }
  samples_.insert(samples_.end(), ms.begin(), ms.end());
  if (samples_.size() < kSamples) {
    return false;
  }
  TRY(finish_load());
  return done_ == kLoads.size();
}

core::Expected<void> CeilingsMeter::finish_load() {
  if (load_->check != nullptr) {
    if (auto right = load_->check(device_, *load_); !right) {
      return right;
    }
  }
  const core::Spread ms = core::spread_of(samples_);
  const double rate = load_->work / ms.median * 1e-6;
  const auto keep = [&](double& to_rate, double& to_work, core::Spread& to_ms) {
    to_rate = rate;
    to_work = load_->work;
    to_ms = ms;
  };
  if (kLoads[done_] == make_copy) {
    keep(ceilings_.copy_gbps, ceilings_.copy_bytes, ceilings_.copy_ms);
  } else if (kLoads[done_] == make_fma) {
    keep(ceilings_.fma_gflops, ceilings_.fma_flops, ceilings_.fma_ms);
  } else {
    keep(ceilings_.shared_gbps, ceilings_.shared_bytes, ceilings_.shared_ms);
  }
  ++done_;
  let_go();
  return {};
}

void CeilingsMeter::let_go() {
  load_.reset();
  samples_.clear();
  warm_ms_ = 0.0;
}

core::Expected<core::Ceilings> measure_ceilings(gpu::Device& device,
                                                const std::filesystem::path& shaders) {
  CeilingsMeter meter(device, shaders);
  for (;;) {
    const auto done = TRY(meter.step());
    if (done) {
      return meter.ceilings();
    }
  }
}

}  // namespace lab
