#include "gpu/streams.h"

#include <chrono>
#include <deque>
#include <mutex>

#include "gpu/device_impl.h"
#include "gpu/driver_impl.h"

namespace gpu {

// What a submission needs until it is done.
struct StreamSubmission {
  std::uint64_t count;
  vk::raii::DescriptorPool sets;
  vk::raii::CommandBuffer commands;
};

struct StreamLine {
  QueuePlace place;
  vk::raii::Queue queue{nullptr};
  vk::raii::CommandPool pool{nullptr};
  vk::raii::Semaphore timeline{nullptr};
  vk::raii::QueryPool queries{nullptr};
  std::uint64_t submitted = 0;
  std::deque<StreamSubmission> in_flight;  // after the pool: destroyed before it
};

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr auto kClock = static_cast<Stream>(kStreams);  // a line of its own, for empty submissions
constexpr std::uint64_t kReadings = 8;                  // of the clock, at most

vk::raii::Semaphore make_timeline(const vk::raii::Device& device) {
  const vk::SemaphoreTypeCreateInfo type{vk::SemaphoreType::eTimeline, 0};
  vk::SemaphoreCreateInfo info;
  info.pNext = &type;
  return {device, info};
}

StreamLine open_line(const Device::Impl& device, const QueuePlace& place, std::uint64_t most,
                     bool timed) {
  StreamLine line{.place = place};
  line.queue = vk::raii::Queue(device.device, place.family, place.index);
  line.pool = vk::raii::CommandPool(device.device,
                                    {vk::CommandPoolCreateFlagBits::eTransient, place.family});
  line.timeline = make_timeline(device.device);
  if (timed) {
    const auto count = static_cast<std::uint32_t>(2 * std::max<std::uint64_t>(most, 1));
    line.queries = vk::raii::QueryPool(device.device, {{}, vk::QueryType::eTimestamp, count});
    // By the host: queues that only copy can't.
    line.queries.reset(0, count);
  }
  return line;
}

std::int64_t host_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

struct Streams::Impl {
  Device::Impl* device = nullptr;
  std::array<StreamLine, kStreams + 1> lines;
  bool timed = false;
  bool calibrated = false;
  mutable std::mutex mutex;  // of all lines: they may share a queue

  StreamLine& line(Stream stream) { return lines[static_cast<std::size_t>(stream)]; }

  void forget_done(StreamLine& line) const {
    const std::uint64_t done = line.timeline.getCounterValue();
    while (!line.in_flight.empty() && line.in_flight.front().count <= done) {
      line.in_flight.pop_front();
    }
  }

  StreamSubmission record_timed(StreamLine& line, const Commands& list) const {
    vk::raii::CommandBuffers buffers(device->device,
                                     {*line.pool, vk::CommandBufferLevel::ePrimary, 1});
    const vk::raii::CommandBuffer& commands = buffers.front();
    const auto query = static_cast<std::uint32_t>(2 * line.submitted);
    constexpr auto kStamp = vk::PipelineStageFlagBits::eBottomOfPipe;
    commands.begin({vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
    if (timed) {
      commands.writeTimestamp(kStamp, *line.queries, query);
    }
    auto sets = record(device->device, commands, list, line.place.copies_only);
    if (timed) {
      commands.writeTimestamp(kStamp, *line.queries, query + 1);
    }
    commands.end();
    return {line.submitted + 1, std::move(sets), std::move(buffers.front())};
  }

  void submit(StreamLine& line, StreamSubmission flight, std::span<const Reached> after) {
    std::vector<vk::Semaphore> semaphores;
    std::vector<std::uint64_t> counts;
    for (const Reached& reached : after) {
      semaphores.push_back(*this->line(reached.stream).timeline);
      counts.push_back(reached.count);
    }
    const std::vector<vk::PipelineStageFlags> stages(semaphores.size(),
                                                     vk::PipelineStageFlagBits::eAllCommands);
    const vk::Semaphore signal = *line.timeline;
    const vk::TimelineSemaphoreSubmitInfo timeline{counts, flight.count};
    const vk::CommandBuffer commands = *flight.commands;
    vk::SubmitInfo info{semaphores, stages, commands, signal};
    info.pNext = &timeline;
    line.queue.submit(info);
    line.submitted = flight.count;
    line.in_flight.push_back(std::move(flight));
  }
};

core::Expected<std::unique_ptr<Streams>> Streams::open(
    Device& device, const std::array<std::uint64_t, kStreams>& most) {
  return guard("to open the queues of " + device.info().name, [&] {
    auto impl = std::make_unique<Impl>();
    impl->device = &device.impl();
    const auto& physical = *impl->device->physical;
    impl->timed = device.info().timestamp_period_ns > 0.0;
    impl->calibrated = has_extension(physical, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
    const auto& places = impl->device->places;
    for (std::size_t i = 0; i < kStreams; ++i) {
      impl->lines[i] = open_line(*impl->device, places[i], most[i], impl->timed);
    }
    impl->line(kClock) = open_line(*impl->device, places[1], kReadings, impl->timed);
    return std::unique_ptr<Streams>(new Streams(std::move(impl)));
  });
}

Streams::Streams(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Streams::~Streams() {
  try {
    impl_->device->device.waitIdle();
  } catch (const vk::SystemError&) {
    // A lost device has nothing left to wait for.
  }
}

core::Expected<std::uint64_t> Streams::submit(Stream stream, const Commands& commands,
                                              std::span<const Reached> after) {
  return guard("to run on " + impl_->device->info.name, [&] {
    const std::scoped_lock lock(impl_->mutex);
    StreamLine& line = impl_->line(stream);
    impl_->forget_done(line);
    impl_->submit(line, impl_->record_timed(line, commands), after);
    return line.submitted;
  });
}

core::Expected<void> Streams::wait(const Reached& reached) const {
  return guard("to wait for " + impl_->device->info.name, [&] {
    const vk::Semaphore semaphore = *impl_->line(reached.stream).timeline;
    const vk::SemaphoreWaitInfo info{{}, semaphore, reached.count};
    while (impl_->device->device.waitSemaphores(info, kSecond) == vk::Result::eTimeout) {
    }
  });
}

core::Expected<std::uint64_t> Streams::done(Stream stream) const {
  return guard("to query " + impl_->device->info.name,
               [&] { return impl_->line(stream).timeline.getCounterValue(); });
}

core::Expected<std::vector<Ran>> Streams::ran(Stream stream, std::uint64_t first,
                                              std::uint64_t last) const {
  return guard("to read the timestamps of " + impl_->device->info.name, [&] {
    std::vector<Ran> ran;
    if (!impl_->timed || first >= last) {
      return ran;
    }
    const std::size_t count = 2 * (last - first);
    const auto stamps = value_of(impl_->line(stream).queries.getResults<std::uint64_t>(
        static_cast<std::uint32_t>(2 * first), static_cast<std::uint32_t>(count),
        count * sizeof(std::uint64_t), sizeof(std::uint64_t),
        vk::QueryResultFlagBits::e64 | vk::QueryResultFlagBits::eWait));
    for (std::size_t i = 0; i < count; i += 2) {
      ran.push_back({stamps[i], stamps[i + 1]});
    }
    return ran;
  });
}

core::Expected<ClockReading> Streams::read_clocks() {
  if (impl_->calibrated) {
    return guard("to read the clock of " + impl_->device->info.name, [&] {
      const std::array infos{vk::CalibratedTimestampInfoEXT{vk::TimeDomainEXT::eDevice},
                             vk::CalibratedTimestampInfoEXT{vk::TimeDomainEXT::eClockMonotonic}};
      const auto [stamps, deviation] = impl_->device->device.getCalibratedTimestampsEXT(infos);
      return ClockReading{stamps[0], static_cast<std::int64_t>(stamps[1]),
                          static_cast<std::int64_t>(deviation)};
    });
  }
  const std::int64_t before = host_now();
  const auto count = TRY(submit(kClock, Commands{}, {}));
  TRY(wait({kClock, count}));
  const std::int64_t after = host_now();
  const auto stamps = TRY(ran(kClock, count - 1, count));
  return ClockReading{stamps.empty() ? 0 : stamps.front().end, (before + after) / 2,
                      (after - before) / 2};
}

bool Streams::calibrated() const {
  return impl_->calibrated;
}

std::string Streams::in_words() const {
  const auto& [up, compute, down] = impl_->device->places;
  if (up == compute && down == compute) {
    return "one queue for everything, so nothing overlaps";
  }
  if (up.copies_only && down.copies_only) {
    return "copy engines for uploads and downloads";
  }
  return up.copies_only ? "a copy engine for uploads, another queue for downloads"
                        : "separate queues for uploads and downloads";
}

}  // namespace gpu
