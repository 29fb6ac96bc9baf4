#include "lab/run/launch.h"

#include <algorithm>
#include <numeric>

namespace lab {
namespace {

// An untried kernel starts with so many workgroups and grows from there.
constexpr std::uint64_t kFirstSlice = 4;
constexpr std::uint64_t kGrowth = 8;

}  // namespace

core::Box next_slice(const glm::uvec3& groups, std::uint64_t done, std::uint64_t most) {
  const std::uint64_t row = groups.x;
  const std::uint64_t plane = row * groups.y;
  const glm::uvec3 first{static_cast<std::uint32_t>(done % row),
                         static_cast<std::uint32_t>(done / row % groups.y),
                         static_cast<std::uint32_t>(done / plane)};
  const auto clamp = [](std::uint64_t wanted, std::uint32_t left) {
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, 1, left));
  };
  glm::uvec3 size{1, 1, 1};
  if (first.x == 0 && first.y == 0 && most >= plane) {
    size = {groups.x, groups.y, clamp(most / plane, groups.z - first.z)};
  } else if (first.x == 0 && most >= row) {
    size = {groups.x, clamp(most / row, groups.y - first.y), 1};
  } else {
    size = {clamp(most, groups.x - first.x), 1, 1};
  }
  return {first, first + size};
}

core::Box next_slice(const core::Box& groups, std::uint64_t done, std::uint64_t most) {
  const core::Box slice = next_slice(groups.size(), done, most);
  return {groups.first + slice.first, groups.first + slice.last};
}

std::uint64_t NumberedGroups::first() const {
  const glm::uvec3 size = box_.size();
  return box_.first.x + size.x * (box_.first.y + std::uint64_t{size.y} * box_.first.z);
}

glm::uvec3 NumberedGroups::group(std::uint64_t number) const {
  const core::TileMap inside{box_.size(), {1, 1, 1}, {1, 1, 1}};
  return box_.first + inside.group_at(number - first());
}

Launcher::Launcher(gpu::Device& device, std::vector<KernelLaunch> launches,
                   std::vector<std::uint32_t> push_constants, double budget_ms)
    : device_(device),
      launches_(std::move(launches)),
      push_constants_(std::move(push_constants)),
      budget_ms_(budget_ms) {}

std::uint64_t Launcher::group_count() const {
  return std::accumulate(
      launches_.begin(), launches_.end(), std::uint64_t{0},
      [](std::uint64_t sum, const KernelLaunch& launch) { return sum + launch.groups.count(); });
}

// A slice never reaches into the next launch.
KernelLaunch Launcher::slice_at(std::uint64_t done, std::uint64_t most) const {
  auto launch = launches_.begin();
  for (; done >= launch->groups.count(); ++launch) {
    done -= launch->groups.count();
  }
  return {launch->kernel, next_slice(launch->groups, done, most)};
}

double Launcher::expected_ms() const {
  return ms_per_group_ * static_cast<double>(group_count());
}

bool Launcher::fits_budget() const {
  return ms_per_group_ > 0.0 && expected_ms() <= budget_ms_;
}

std::uint64_t Launcher::slice_size(std::uint64_t last) const {
  if (ms_per_group_ <= 0.0) {
    return kFirstSlice;
  }
  const double fits = std::min(budget_ms_ / ms_per_group_, 1e15);
  const auto wanted = std::max<std::uint64_t>(static_cast<std::uint64_t>(fits), 1);
  return last == 0 ? wanted : std::min(wanted, last * kGrowth);
}

core::Expected<void> Launcher::clear_scratch() {
  if (scratch_is_clear_ || scratch_.empty()) {
    return {};
  }
  gpu::Commands zeros;
  for (const gpu::Buffer* buffer : scratch_) {
    zeros.fill(*buffer, 0);
  }
  const auto done = device_.submit(zeros);
  return done ? core::Expected<void>() : std::unexpected(done.error());
}

core::Expected<LaunchTime> Launcher::launch(const std::vector<const gpu::Buffer*>& buffers,
                                            const SliceObserver& observer) {
  if (auto ok = clear_scratch(); !ok) {
    return std::unexpected(ok.error());
  }
  scratch_is_clear_ = false;
  const bool known = ms_per_group_ > 0.0;
  const std::uint64_t total = group_count();
  LaunchTime time;
  std::uint64_t done = 0;
  std::uint64_t last = 0;
  while (done < total) {
    const auto [kernel, slice] = slice_at(done, slice_size(known ? 0 : last));
    gpu::Commands commands;
    commands.begin_timed();
    commands.dispatch(*kernel, buffers, push_constants_, slice.first, slice.size());
    commands.end_timed();
    const auto ms = device_.submit(commands);
    if (!ms) {
      return std::unexpected(ms.error());
    }
    last = slice.count();
    done += last;
    time.ms += ms->front();
    ++time.slices;
    ms_per_group_ = std::max(ms->front(), 1e-6) / static_cast<double>(last);
    if (!observer(done)) {
      return time;
    }
  }
  ms_per_group_ = std::max(time.ms, 1e-6) / static_cast<double>(total);
  time.finished = true;
  scratch_is_clear_ = true;
  return time;
}

core::Expected<std::vector<double>> Launcher::launch_many(
    const std::vector<const gpu::Buffer*>& buffers, std::uint32_t count) {
  if (auto ok = clear_scratch(); !ok) {
    return std::unexpected(ok.error());
  }
  scratch_is_clear_ = false;
  gpu::Commands commands;
  for (std::uint32_t i = 0; i < count; ++i) {
    commands.begin_timed();
    for (const auto& [kernel, groups] : launches_) {
      commands.dispatch(*kernel, buffers, push_constants_, groups.first, groups.size());
    }
    commands.end_timed();
  }
  auto ms = device_.submit(commands);
  scratch_is_clear_ = ms.has_value();
  if (ms && !ms->empty()) {
    const auto shortest = std::ranges::min_element(*ms);
    ms_per_group_ = std::max(*shortest, 1e-6) / static_cast<double>(group_count());
  }
  return ms;
}

}  // namespace lab
