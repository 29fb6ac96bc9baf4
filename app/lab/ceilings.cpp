#include "lab/ceilings.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "lab/support.h"

namespace lab {
namespace {

constexpr int kSamples = 11;
constexpr double kWarmUpMs = 300.0;  // an idle GPU takes its time to come up to its clocks
constexpr std::uint32_t kFmaGroups = 8192;
constexpr double kFlopsARound = 4.0 * 4.0 * 2.0;  // four vec4 multiply-adds

using Samples = core::Expected<std::vector<double>>;

template <class Record>
Samples sample(gpu::Device& device, Record&& record) {
  gpu::Commands commands;
  for (int i = 0; i < kSamples; ++i) {
    commands.begin_timed();
    record(commands);
    commands.end_timed();
  }
  Samples ms;
  for (double warm = 0.0; warm < kWarmUpMs;) {
    ms = device.submit(commands);
    if (!ms) {
      return ms;
    }
    warm += std::accumulate(ms->begin(), ms->end(), 0.01);
  }
  return ms;
}

// A kernel that copies, not vkCmdCopyBuffer: drivers may hand that to a copy engine, which on an
// NVIDIA H200 reaches a fifth of the memory's bandwidth.
core::Expected<void> measure_copy(gpu::Device& device, const std::filesystem::path& shaders,
                                  core::Ceilings& ceilings) {
  const core::DeviceInfo& info = device.info();
  const std::uint64_t wanted = info.emulated() ? 64ULL << 20U : 1ULL << 30U;
  const std::uint64_t bytes =
      std::min({wanted, info.memory_bytes / 8, info.max_buffer_bytes}) & ~std::uint64_t{0xFFFF};
  const auto from = device.buffer(bytes, "the copy's source");
  const auto to = device.buffer(bytes, "the copy's target");
  const auto kernel = support_kernel(device, shaders, "copy", 2, 4);
  if (!from || !to || !kernel) {
    return std::unexpected(!from ? from.error() : !to ? to.error() : kernel.error());
  }
  gpu::Commands fill;
  fill.fill(*from, 0x3F9E0652U);
  if (auto done = device.submit(fill); !done) {
    return std::unexpected(done.error());
  }
  const auto count = static_cast<std::uint32_t>(bytes / 16);
  const std::uint32_t groups = (count + 255) / 256;
  const std::uint32_t columns = std::min(groups, 32768U);
  const Samples ms = sample(device, [&](gpu::Commands& c) {
    c.dispatch(*kernel, {&*from, &*to}, {count}, {0, 0, 0},
               {columns, (groups + columns - 1) / columns, 1});
  });
  if (!ms) {
    return std::unexpected(ms.error());
  }
  ceilings.copy_ms = core::spread_of(*ms);
  ceilings.copy_bytes = 2.0 * static_cast<double>(bytes);
  ceilings.copy_gbps = ceilings.copy_bytes / ceilings.copy_ms.median * 1e-6;
  return {};
}

core::Expected<void> measure_fma(gpu::Device& device, const std::filesystem::path& shaders,
                                 core::Ceilings& ceilings) {
  const std::uint32_t groups = device.info().emulated() ? 64 : kFmaGroups;
  const std::uint32_t rounds = device.info().emulated() ? 1024 : 4096;
  const std::uint64_t invocations = std::uint64_t{groups} * 256;
  const auto out = device.buffer(invocations * sizeof(float), "the arithmetic's result");
  const auto kernel = support_kernel(device, shaders, "fma", 1, 8);
  if (!out || !kernel) {
    return std::unexpected(out ? kernel.error() : out.error());
  }
  const std::vector<std::uint32_t> push{rounds, std::bit_cast<std::uint32_t>(0.01F)};
  const Samples ms = sample(device, [&](gpu::Commands& c) {
    c.dispatch(*kernel, {&*out}, push, {0, 0, 0}, {groups, 1, 1});
  });
  if (!ms) {
    return std::unexpected(ms.error());
  }
  ceilings.fma_ms = core::spread_of(*ms);
  ceilings.fma_flops = kFlopsARound * rounds * static_cast<double>(invocations);
  ceilings.fma_gflops = ceilings.fma_flops / ceilings.fma_ms.median * 1e-6;
  return {};
}

}  // namespace

core::Expected<core::Ceilings> measure_ceilings(gpu::Device& device,
                                                const std::filesystem::path& shaders) {
  core::Ceilings ceilings;
  for (const auto& ok :
       {measure_copy(device, shaders, ceilings), measure_fma(device, shaders, ceilings)}) {
    if (!ok) {
      return std::unexpected(ok.error());
    }
  }
  return ceilings;
}

}  // namespace lab
