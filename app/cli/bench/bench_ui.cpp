#include "cli/bench/bench_ui.h"

#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/bench/million.h"
#include "cli/json/answer.h"
#include "cli/json/result_json.h"
#include "lab/live/lab.h"
#include "lab/run/capture.h"
#include "studio/studio.h"

namespace cli {
namespace {

// The first sample's time at these sizes; negative when there is none in a minute.
double wait_for_sample(const lab::Lab& lab, const core::Sizes& sizes) {
  for (int tenths = 0; tenths < 600; ++tenths) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto result = lab.latest();
    if (result->experiment.size == sizes && !result->timing.samples_ms.empty()) {
      return result->timing.samples_ms.front();
    }
  }
  return -1.0;
}

struct Busy {
  double kernel_ms;
  core::Spread gaps;
};

// Frames of the interface while a launch of about two seconds runs again and again beside it.
core::Expected<Busy> frames_while_busy(const Library& library, const gpu::Driver& driver,
                                       core::Scene scene) {
  lab::Lab lab(library.catalogue, {.ladder = false});
  // Which size takes so long is found by trying.
  std::uint32_t size = 512;
  scene.experiment.variant = "matmul/naive";
  for (double ms = 0.0; ms < 1500.0 && size < 40000; size = size * 5 / 4) {
    scene.experiment.size = {size, size, size};
    scene.experiment.tile = 0;
    lab.request(scene.experiment);
    ms = wait_for_sample(lab, scene.experiment.size);
    if (ms < 0.0) {
      return core::device_error("the kernel to be watched did not run");
    }
  }
  const auto devices = driver.devices();
  auto gaps =
      studio::measure_gaps(lab, library.catalogue, {devices.begin(), devices.end()}, scene, 8.0);
  if (!gaps) {
    return std::unexpected(gaps.error());
  }
  return Busy{lab.latest()->timing.spread.median, *gaps};
}

// A click on a barrier's dot, and the sizes that it was measured at.
struct Click {
  core::Sizes size;
  core::Spread ms;
};

core::Expected<Click> time_clicks(const Library& library, const gpu::Driver& driver,
                                  const core::DeviceInfo& device, core::Scene scene) {
  constexpr std::size_t kClicks = 9;
  const std::uint32_t size = device.emulated() ? 256 : 1024;
  scene.experiment.size = {size, size, size};
  scene.experiment.tile = 16;
  scene.experiment.device = device.name;
  lab::Lab lab(library.catalogue, {.ladder = false});
  const auto devices = driver.devices();
  auto ms = studio::measure_clicks(lab, library.catalogue, {devices.begin(), devices.end()}, scene,
                                   kClicks);
  return ms ? core::Expected<Click>({scene.experiment.size, *ms}) : std::unexpected(ms.error());
}

}  // namespace

// 256×256 tiles of 8×8, cheap to compute: it is the interface that is measured.
Outcome bench_ui(const Common& common, const Library& library, const core::Experiment& given) {
  const auto bench = open_bench(common, given.device);
  if (!bench) {
    return std::unexpected(bench.error());
  }
  core::Scene scene;
  scene.experiment.variant = "matmul/tiled";
  scene.experiment.size = given.size.empty() ? core::Sizes{2048, 2048, 8} : given.size;
  scene.experiment.tile = 8;
  const auto result =
      lab::capture(*bench->workbench, library.catalogue, library.shaders, scene, {.ladder = false});
  if (!result) {
    return std::unexpected(result.error());
  }
  const auto spread =
      studio::measure_frames({*result, library.catalogue, bench->driver->devices()}, scene);
  if (!spread) {
    return std::unexpected(spread.error());
  }
  const auto million = measure_million(*result, {library.catalogue, bench->driver->devices()});
  if (!million) {
    return std::unexpected(million.error());
  }
  const auto busy = frames_while_busy(library, *bench->driver, scene);
  if (!busy) {
    return std::unexpected(busy.error());
  }
  const auto click = time_clicks(library, *bench->driver, bench->workbench->info(), scene);
  if (!click) {
    return std::unexpected(click.error());
  }
  if (common.json) {
    print({{"ui_frame_cpu_ms", cli::to_json(*spread)},
           {"tiles", result->tiles.group_count()},
           {"million", to_json(*million)},
           {"kernel_ms", busy->kernel_ms},
           {"frame_gap_ms", cli::to_json(busy->gaps)},
           {"click_to_races_ms", cli::to_json(click->ms)},
           {"click_size", click->size}});
    return ok;
  }
  fmt::print(
      "UI: CPU time to build and record one frame, {} tiles: median {:.3f} ms, p95 {:.3f}, "
      "{} frames\n",
      result->tiles.group_count(), spread->median, spread->p95, spread->count);
  print_million(*million);
  fmt::print(
      "UI: while a launch of {:.0f} ms runs, a frame every {:.1f} ms (median), at the longest "
      "{:.1f} ms, {} frames\n",
      busy->kernel_ms, busy->gaps.median, busy->gaps.high, busy->gaps.count);
  fmt::print(
      "UI: from a click on a barrier's dot to its races on screen, {} at {}: {:.0f} ms "
      "(median), at the longest {:.0f} ms, {} clicks\n",
      scene.experiment.variant, core::to_string(click->size), click->ms.median, click->ms.high,
      click->ms.count);
  return ok;
}

}  // namespace cli
