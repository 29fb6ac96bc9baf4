#include "lab/run/launch.h"

#include <algorithm>

#include "core/base/watched_step.h"

namespace lab {

std::uint64_t SliceGrowth::next(double budget_ms, double ms_per_group, std::uint64_t last) {
  if (ms_per_group <= 0.0) {
    return first;
  }
  const auto fits = static_cast<std::uint64_t>(std::clamp(budget_ms / ms_per_group, 1.0, 1e15));
  return last == 0 ? fits : std::min(fits, last * growth);
}

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

Launcher::Launcher(gpu::Device& device, std::vector<KernelLaunch> launches, double budget_ms)
    : device_(device),
      launches_(std::move(launches)),
      ms_per_group_(launches_.size()),
      budget_ms_(budget_ms) {}

double Launcher::expected_ms() const {
  double ms = 0.0;
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    if (ms_per_group_[i] <= 0.0) {
      return 0.0;
    }
    ms += ms_per_group_[i] * static_cast<double>(launches_[i].groups.count());
  }
  return ms;
}

bool Launcher::fits_budget() const {
  const double ms = expected_ms();
  return ms > 0.0 && ms <= budget_ms_;
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

// False: the observer stopped it. A slice never reaches into the next launch.
core::Expected<bool> Launcher::launch_one(std::size_t number,
                                          const std::vector<const gpu::Buffer*>& buffers,
                                          const SliceObserver& observer, LaunchTime& time) {
  const auto& [kernel, groups, push_constants] = launches_[number];
  double& ms_per_group = ms_per_group_[number];
  const bool known = ms_per_group > 0.0;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < number; ++i) {
    before += launches_[i].groups.count();
  }
  double own_ms = 0.0;
  std::uint64_t last = 0;
  for (std::uint64_t done = 0; done < groups.count();) {
    const core::Box slice =
        next_slice(groups, done, SliceGrowth::next(budget_ms_, ms_per_group, known ? 0 : last));
    gpu::Commands commands;
    commands.begin_timed();
    commands.dispatch(*kernel, buffers, push_constants, slice.first, slice.size());
    commands.end_timed();
    const auto ms = TRY(device_.submit(commands));
    last = slice.count();
    done += last;
    own_ms += ms.front();
    ++time.slices;
    ms_per_group = std::max(ms.front(), 1e-6) / static_cast<double>(last);
    core::tell_progress("launching",
                        static_cast<double>(done) / static_cast<double>(groups.count()));
    if (!observer(before + done)) {
      return false;
    }
  }
  time.each.push_back(own_ms);
  return true;
}

void Launcher::learn(const LaunchTime& time) {
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const double ms = time.each.empty() ? time.ms : time.each[i];
    ms_per_group_[i] = std::max(ms, 1e-6) / static_cast<double>(launches_[i].groups.count());
  }
}

core::Expected<LaunchTime> Launcher::launch(const std::vector<const gpu::Buffer*>& buffers,
                                            const SliceObserver& observer) {
  TRY(clear_scratch());
  scratch_is_clear_ = false;
  LaunchTime time;
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const auto going = TRY(launch_one(i, buffers, observer, time));
    if (!going) {
      return time;
    }
    time.ms += time.each.back();
  }
  learn(time);
  if (launches_.size() == 1) {
    time.each.clear();
  }
  time.finished = true;
  scratch_is_clear_ = true;
  return time;
}

core::Expected<std::vector<LaunchTime>> Launcher::launch_many(
    const std::vector<const gpu::Buffer*>& buffers, std::uint32_t count) {
  TRY(clear_scratch());
  scratch_is_clear_ = false;
  gpu::Commands commands;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const auto& [kernel, groups, push_constants] : launches_) {
      commands.begin_timed();
      commands.dispatch(*kernel, buffers, push_constants, groups.first, groups.size());
      commands.end_timed();
    }
  }
  const auto stamps = device_.submit_stamped(commands);
  scratch_is_clear_ = stamps.has_value();
  if (!stamps) {
    return std::unexpected(stamps.error());
  }
  const double tick_ms = device_.info().timestamp_period_ns * 1e-6;
  const auto ms = [&](std::size_t from, std::size_t to) {
    return static_cast<double>((*stamps)[to] - (*stamps)[from]) * tick_ms;
  };
  std::vector<LaunchTime> times;
  for (std::size_t at = 0; at < stamps->size(); at += 2 * launches_.size()) {
    LaunchTime time{
        .ms = ms(at, at + 2 * launches_.size() - 1), .each = {}, .slices = 1, .finished = true};
    for (std::size_t i = 0; i < launches_.size() && launches_.size() > 1; ++i) {
      time.each.push_back(ms(at + 2 * i, at + 2 * i + 1));
    }
    times.push_back(std::move(time));
  }
  if (!times.empty()) {
    learn(*std::ranges::min_element(times, {}, &LaunchTime::ms));
  }
  return times;
}

}  // namespace lab
