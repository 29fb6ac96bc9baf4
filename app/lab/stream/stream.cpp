#include "lab/stream/stream.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "core/base/bytes.h"
#include "core/base/field.h"
#include "core/base/files.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/stream/product_check.h"
#include "lab/stream/stream_lane.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using Devices = std::vector<core::DeviceInfo>;

constexpr auto kLook = std::chrono::milliseconds(5);  // at the lanes
constexpr auto kPublish = std::chrono::milliseconds(40);
constexpr std::uint32_t kMostLanes = 64;

double ms_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

core::Error cancelled() {
  return {core::Fault::device, "cancelled; nothing was written"};
}

core::Expected<Devices> named_devices(const gpu::Driver& driver,
                                      const std::vector<std::string>& names) {
  Devices devices;
  for (const std::string& name : names) {
    const auto info = TRY(driver.pick(name));
    if (std::ranges::find(devices, info.index, &core::DeviceInfo::index) != devices.end()) {
      return core::usage_error(fmt::format(
          "device {} is named twice; name it once, or use --emulate to use one device as several",
          info.name));
    }
    devices.push_back(info);
  }
  return devices;
}

// CPUs that play a GPU only where they are asked for.
core::Expected<Devices> devices_of(const gpu::Driver& driver, const core::StreamRequest& request) {
  auto devices = named_devices(driver, request.devices);
  if (!devices) {
    return devices;
  }
  if (request.emulate > kMostLanes) {
    return core::usage_error(fmt::format("--emulate must be at most {}", kMostLanes));
  }
  if (request.emulate > 0) {
    if (devices->size() > 1) {
      return core::usage_error("--emulate works with one device, but --devices names more");
    }
    return Devices(request.emulate, devices->empty() ? driver.devices().front() : devices->front());
  }
  if (!devices->empty()) {
    return devices;
  }
  std::ranges::copy_if(driver.devices(), std::back_inserter(*devices),
                       [](const core::DeviceInfo& info) { return !info.emulated(); });
  if (devices->empty()) {
    return core::device_error(
        fmt::format("no GPU found; to use the CPU device {}, name it with --devices {}, or use it "
                    "as two with --emulate 2",
                    driver.devices().front().name, driver.devices().front().index));
  }
  return devices;
}

std::uint64_t budget_of(const core::DeviceInfo& info, const core::StreamRequest& request) {
  if (request.memory > 0) {
    return request.memory;
  }
  // A CPU's memory holds the matrices too.
  const std::uint64_t most = info.emulated() ? info.memory_bytes / 4 : info.memory_bytes / 5 * 4;
  return most / std::max(request.emulate, 1U);
}

core::Expected<core::StreamPlan> plan_for(const Devices& devices,
                                          const core::StreamRequest& request,
                                          const core::Catalogue& catalogue) {
  const core::Sizes& s = request.size;
  core::StreamWork work{.m = s[0], .n = s[1], .w = s[2], .width = request.width};
  // Small products fall into a few pieces too. A CPU is kept busy by less.
  const std::uint32_t side = std::max(s[0] / static_cast<std::uint32_t>(devices.size()), s[1]);
  const bool cpus = std::ranges::all_of(devices, &core::DeviceInfo::emulated);
  work.side = cpus ? std::clamp((side / 8 + 63) / 64 * 64, 128U, 512U)
                   : std::clamp((side / 2 + 255) / 256 * 256, 256U, 4096U);
  if (!cpus) {
    const glm::uvec2 tile = stream_tile(catalogue, devices.front());
    work.tile_rows = tile.y;
    work.tile_columns = tile.x;
  }
  std::vector<core::StreamRoom> rooms;
  for (const core::DeviceInfo& info : devices) {
    rooms.push_back({budget_of(info, request), info.max_buffer_bytes, info.multiprocessors});
  }
  return core::plan_stream(work, rooms);
}

// The inputs' files; empty matrices where they are to be made.
core::Expected<StreamMatrices> map_inputs(const core::StreamRequest& request) {
  const core::Sizes& s = request.size;
  StreamMatrices matrices;
  const auto map = [](HostMatrix& matrix, const std::filesystem::path& file, const char* name,
                      std::uint32_t rows, std::uint32_t columns) -> core::Expected<void> {
    if (file.empty()) {
      return {};
    }
    matrix = TRY(HostMatrix::map(file, name, rows, columns));
    return {};
  };
  auto ok = map(matrices.a, request.a, "A", s[0], s[2]);
  ok = ok ? map(matrices.b, request.b, "B", s[2], s[1]) : ok;
  return ok ? core::Expected<StreamMatrices>(std::move(matrices)) : std::unexpected(ok.error());
}

// Pages are found when they are first written to: a machine that has not so many would end us then.
core::Expected<void> check_host_memory(const core::StreamRequest& request) {
  const core::Sizes& s = request.size;
  const auto bytes = [](std::uint32_t rows, std::uint32_t columns) {
    return static_cast<double>(rows) * columns * sizeof(float);
  };
  const double needed = (request.a.empty() ? bytes(s[0], s[2]) : 0.0) +
                        (request.b.empty() ? bytes(s[2], s[1]) : 0.0) + bytes(s[0], s[1]);
  const std::uint64_t there = core::available_memory();
  if (there > 0 && needed > static_cast<double>(there)) {
    return core::device_error(
        fmt::format("the matrices need {:.1f} GiB of memory; {} are free; choose smaller sizes",
                    needed / 1073741824.0, core::bytes_in_words(there)));
  }
  return {};
}

core::Expected<void> make_inputs(const core::StreamRequest& request, StreamMatrices& matrices) {
  const core::Sizes& s = request.size;
  const auto make = [&](HostMatrix& matrix, const char* name, std::uint32_t rows,
                        std::uint32_t columns, const auto& fill) -> core::Expected<void> {
    if (matrix.rows() > 0) {
      return {};
    }
    matrix = TRY(HostMatrix::make(name, rows, columns));
    fill(matrix.values());
    return {};
  };
  const auto random = [&](std::uint32_t columns, std::uint64_t number) {
    return [&request, columns, number](std::span<float> values) {
      core::fill_random(values, columns, request.seed, number);
    };
  };
  // Written once, so that no page of it has to be found while the stream is timed.
  const auto poison = [](std::span<float> values) {
    core::parallel_for(values.size(), 1U << 20U, [values](std::size_t first, std::size_t last) {
      std::ranges::fill(values.subspan(first, last - first),
                        std::bit_cast<float>(core::kUnwritten));
    });
  };
  auto ok = make(matrices.a, "A", s[0], s[2], random(s[2], 0));
  ok = ok ? make(matrices.b, "B", s[2], s[1], random(s[1], 1)) : ok;
  return ok ? make(matrices.c, "C", s[0], s[1], poison) : ok;
}

// A run, from its plan to its last lane.
class Run {
 public:
  Run(const core::StreamRequest& request, const StreamObserver& observer) : observer_(observer) {
    report_.request = request;
  }

  core::Expected<core::StreamReport> run(const std::shared_ptr<gpu::Driver>& driver,
                                         const core::Catalogue& catalogue) {
    TRY(check_host_memory(report_.request));
    matrices_ = TRY(map_inputs(report_.request));
    for (const auto& step : std::initializer_list<std::function<core::Expected<void>()>>{
             [&] { return open_lanes(driver, catalogue); },
             [&] { return make_inputs(report_.request, matrices_); }, [&] { return stream(); },
             [&] { return verify(); }, [&] { return inputs_were_whole(); },
             [&] { return write(); }}) {
      if (!publish()) {
        return std::unexpected(cancelled());
      }
      TRY(step());
    }
    report_.phase = core::StreamPhase::done;
    publish();
    return std::move(report_);
  }

 private:
  bool publish() { return observer_(report_); }

  core::Expected<void> open_lanes(const std::shared_ptr<gpu::Driver>& driver,
                                  const core::Catalogue& catalogue) {
    const auto devices = TRY(devices_of(*driver, report_.request));
    auto plan = TRY(plan_for(devices, report_.request, catalogue));
    report_.plan = std::make_shared<const core::StreamPlan>(std::move(plan));
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const StreamLane::Threads threads{
        .upload = std::clamp<std::size_t>(cores * 3 / (4 * devices.size()), 1, 12),
        .download = std::clamp<std::size_t>(cores / (2 * devices.size()), 1, 8)};
    for (std::size_t d = 0; d < devices.size(); ++d) {
      const core::StreamShare& share = report_.plan->shares[d];
      const core::DeviceInfo& info = devices[d];
      if (share.jobs.empty()) {  // more devices than rows
        report_.lanes.push_back(
            {.device = info.name, .index = info.index, .emulated = info.emulated()});
        lanes_.push_back(nullptr);
        continue;
      }
      auto lane =
          TRY(StreamLane::open(driver, info, catalogue, share, report_.plan->padded_w, threads));
      report_.lanes.push_back(lane->describe());
      report_.lanes.back().budget = budget_of(info, report_.request);
      lanes_.push_back(std::move(lane));
      if (!publish()) {
        return std::unexpected(cancelled());
      }
    }
    return {};
  }

  core::Expected<void> stream() {
    report_.phase = core::StreamPhase::streaming;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (lanes_[i]) {  // the clocks, before anything moves
        if (auto ok = lanes_[i]->look(report_.lanes[i]); !ok) {
          return ok;
        }
      }
    }
    tell_clock();
    const auto zero = Clock::now();
    for (const auto& lane : lanes_) {
      if (lane) {
        lane->start(matrices_, zero);
      }
    }
    auto ok = follow(zero);
    lanes_.clear();
    return ok;
  }

  core::Expected<void> follow(Clock::time_point zero) {
    auto published = zero;
    for (;;) {
      std::this_thread::sleep_for(kLook);
      const auto now = Clock::now();
      const bool all =
          std::ranges::all_of(lanes_, [](const auto& lane) { return !lane || lane->finished(); });
      if (!all && now - published < kPublish) {
        continue;
      }
      published = now;
      for (std::size_t i = 0; i < lanes_.size(); ++i) {
        if (lanes_[i]) {
          if (auto ok = lanes_[i]->look(report_.lanes[i]); !ok) {
            return ok;
          }
        }
      }
      sum_up(zero, now, all);
      if (!publish()) {
        return std::unexpected(cancelled());
      }
      if (all) {
        return {};
      }
    }
  }

  void sum_up(Clock::time_point zero, Clock::time_point now, bool all) {
    std::size_t jobs = 0;
    std::size_t home = 0;
    double left = 0.0;
    std::vector<core::StreamFigures> figures;
    report_.elapsed_ms = all ? 0.0 : ms_between(zero, now);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (!lanes_[i]) {
        continue;
      }
      core::StreamLane& lane = report_.lanes[i];
      const std::size_t mine = report_.plan->shares[i].jobs.size();
      jobs += mine;
      home += lane.jobs_home;
      const double share = static_cast<double>(lane.jobs_home) / static_cast<double>(mine);
      left = std::max(left, share > 0.0 ? report_.elapsed_ms * (1.0 - share) / share : 1e300);
      lane.figures = core::figures_of(lane.spans);
      if (all) {
        lane.figures.ms = ms_between(zero, lanes_[i]->finished_at());
        report_.elapsed_ms = std::max(report_.elapsed_ms, lane.figures.ms);
      }
      figures.push_back(lane.figures);
    }
    report_.progress = static_cast<double>(home) / static_cast<double>(jobs);
    report_.left_ms = left < 1e300 ? std::optional(left) : std::nullopt;
    report_.figures = core::sum_of(figures);
    report_.figures.ms = report_.elapsed_ms;
    report_.figures.gflops =
        report_.flops() * report_.progress / std::max(report_.elapsed_ms, 1e-6) * 1e-6;
  }

  void tell_clock() {
    const auto first =
        std::ranges::find_if(lanes_, [](const auto& lane) { return lane != nullptr; });
    std::int64_t uncertain = 0;
    for (const auto& lane : lanes_) {
      uncertain = std::max(uncertain, lane ? lane->clock().uncertain_ns : 0);
    }
    report_.clock = fmt::format(
        "device timestamps, converted to the monotonic clock of the host with {}, ±{:.1f} µs; time "
        "0 is the start of packing the first piece of A",
        (*first)->calibrated() ? "calibrated timestamps" : "an empty submission",
        static_cast<double>(uncertain) * 1e-3);
  }

  core::Expected<void> verify() {
    report_.phase = core::StreamPhase::verifying;
    if (!publish()) {
      return std::unexpected(cancelled());
    }
    const core::Sizes& s = report_.request.size;
    report_.check = core::check_product(
        {s[0], s[1], s[2], std::as_const(matrices_.a).values(), std::as_const(matrices_.b).values(),
         std::as_const(matrices_.c).values()},
        report_.request.seed);
    return {};
  }

  core::Expected<void> inputs_were_whole() {
    for (const auto& [matrix, file] : {std::pair(&matrices_.a, &report_.request.a),
                                       std::pair(&matrices_.b, &report_.request.b)}) {
      if (!matrix->whole()) {
        return core::usage_error(fmt::format(
            "{} became shorter while it was read, so the product is not kept", file->string()));
      }
    }
    return {};
  }

  // A wrong answer is not kept.
  core::Expected<void> write() {
    if (report_.request.output.empty() || !report_.check.correct) {
      return {};
    }
    report_.phase = core::StreamPhase::writing;
    return core::write_file(report_.request.output,
                            std::as_bytes(std::as_const(matrices_.c).values()),
                            [this] { return publish(); });
  }

  const StreamObserver& observer_;
  core::StreamReport report_;
  StreamMatrices matrices_;
  std::vector<std::unique_ptr<StreamLane>> lanes_;  // null where the share is empty
};

}  // namespace

core::Expected<core::StreamReport> stream(const std::shared_ptr<gpu::Driver>& driver,
                                          const core::Catalogue& catalogue,
                                          const core::StreamRequest& request,
                                          const StreamObserver& observer) {
  assert(request.size.size() == 3);
  return Run(request, observer).run(driver, catalogue);
}

core::StreamRequest stream_of(const core::Experiment& experiment, const gpu::Driver& driver,
                              const core::DeviceInfo& device) {
  core::StreamRequest request{.size = experiment.size, .seed = experiment.seed};
  const auto real = std::ranges::count_if(
      driver.devices(), [](const core::DeviceInfo& info) { return !info.emulated(); });
  if (device.emulated() || real < 2) {
    request.devices = {std::to_string(device.index)};
    request.emulate = 2;
  }
  return request;
}

core::StreamReport failed(core::StreamReport last, const core::Error& error) {
  last.phase = core::StreamPhase::failed;
  last.error = error;
  last.left_ms.reset();
  return last;
}

}  // namespace lab
