#include "lab/run/lead_in.h"

#include <algorithm>

#include "lab/plan/plan.h"

namespace lab {
namespace {

constexpr double kSliceMs = 100.0;

}  // namespace

core::Expected<LeadIn> LeadIn::make(gpu::Device& device, std::span<const Turn> before,
                                    const Memory& memory) {
  LeadIn lead_in;
  std::vector<KernelLaunch> launches;
  for (const Turn& turn : before) {
    const core::Dispatch& dispatch = turn.specimen->dispatch();
    const auto plain = plain_kernel(dispatch);
    auto kernel = TRY(plain ? device.kernel(plain->spec()) : std::unexpected(plain.error()));
    lead_in.kernels_.push_back(std::make_unique<gpu::Kernel>(std::move(kernel)));
    launches.push_back({lead_in.kernels_.back().get(), turn.groups,
                        memory.push_constants(dispatch.push_constants)});
  }
  if (!launches.empty()) {
    lead_in.launcher_ = std::make_unique<Launcher>(device, std::move(launches), kSliceMs);
  }
  return lead_in;
}

core::Expected<void> LeadIn::prepare(Memory& memory) const {
  if (auto ok = memory.fill(); !ok || !launcher_) {
    return ok;
  }
  const auto done = launcher_->launch(memory.buffers(), [](std::uint64_t) { return true; });
  return done ? core::Expected<void>() : std::unexpected(done.error());
}

std::span<const Turn> before_grid(const Turns& turns, std::size_t grid) {
  const auto first = std::ranges::find(turns, grid, &Turn::grid);
  return {turns.begin(), first};
}

}  // namespace lab
