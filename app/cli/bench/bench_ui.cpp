#include "cli/bench/bench_ui.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/bench/frames.h"
#include "cli/json/answer.h"
#include "cli/json/result_json.h"
#include "lab/files/lesson_file.h"
#include "lab/live/lab.h"
#include "lab/ready/catalogue_files.h"
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

constexpr double kBusyMs = 1500.0;

// Of a kernel whose time grows with the cube of its size, what would take a third more than
// kBusyMs; four times as large at the most, since the smallest take what a launch takes.
std::uint32_t larger(std::uint32_t size, double ms) {
  const double factor = std::cbrt(kBusyMs * 4.0 / 3.0 / std::max(ms, 0.01));
  return static_cast<std::uint32_t>(size * std::clamp(factor, 1.1, 4.0));
}

// Frames of the interface while a launch of about two seconds runs again and again beside it.
core::Expected<Busy> frames_while_busy(const Library& library, const gpu::Driver& driver,
                                       core::Scene scene) {
  lab::Lab lab(library.catalogue, {.ladder = false});
  // Which size takes so long is found by trying.
  std::uint32_t size = 512;
  // The slowest of its ladder.
  scene.experiment.variant = library.catalogue.of(scene.experiment.workload()).front().id();
  for (double ms = 0.0; ms < kBusyMs && size < 40000;) {
    size = ms > 0.0 ? larger(size, ms) : size;
    scene.experiment.size = {size, size, size};
    scene.experiment.tile = 0;
    lab.request(scene.experiment);
    ms = wait_for_sample(lab, scene.experiment.size);
    if (ms < 0.0) {
      return core::device_error("the kernel of the benchmark did not run");
    }
  }
  const auto devices = driver.devices();
  auto gaps = TRY(
      studio::measure_gaps(lab, library.catalogue, {devices.begin(), devices.end()}, scene, 8.0));
  return Busy{lab.latest()->timing.spread.median, gaps};
}

// What somebody does, and the sizes that its answer was waited for at.
struct Waited {
  core::Sizes size;
  core::Spread ms;
  core::Spread frame_ms;  // meanwhile; of saves alone
};

// A click on a barrier's dot.
core::Expected<Waited> time_clicks(const Library& library, const gpu::Driver& driver,
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
  return ms ? core::Expected<Waited>({scene.experiment.size, *ms, {}})
            : std::unexpected(ms.error());
}

// A kernel that is saved in an editor: a copy of the catalogue's, which the window tries in a
// process of its own first, as it does with whatever was changed.
core::Expected<Waited> time_saves(const Library& library, const gpu::Driver& driver,
                                  const core::DeviceInfo& device, core::Scene scene) {
  constexpr std::size_t kSaves = 5;
  namespace fs = std::filesystem;
  const std::uint32_t size = device.emulated() ? 256 : 1024;
  scene.experiment.size = {size, size, size};
  scene.experiment.tile = 16;
  scene.experiment.device = device.name;
  const auto shaders = library.shaders / scene.experiment.workload();
  const fs::path folder = fs::temp_directory_path() / fmt::format("tilescope-saves-{}", ::getpid());
  std::error_code failed;
  fs::create_directories(folder, failed);
  fs::copy(shaders, folder / shaders.filename(), fs::copy_options::recursive, failed);
  if (failed) {
    return core::usage_error(fmt::format("cannot write {}: {}", folder.string(), failed.message()));
  }
  const auto known = library.catalogue.workloads();
  const core::Catalogue copies(
      {lab::read_variant(folder / (scene.experiment.variant + ".comp"),
                         library.catalogue.workload(scene.experiment.workload()))},
      {known.begin(), known.end()});
  const auto devices = driver.devices();
  core::Expected<studio::Saves> ms;
  {
    lab::Lab lab(copies, {.ladder = false, .probation = "/proc/self/exe"});
    ms = studio::measure_saves(lab, copies, {devices.begin(), devices.end()}, scene, kSaves);
  }
  fs::remove_all(folder, failed);
  return ms ? core::Expected<Waited>({scene.experiment.size, ms->answer, ms->frame})
            : std::unexpected(ms.error());
}

// Without the first barrier, seen inside of a workgroup.
core::Scene race_scene() {
  core::Scene scene;
  scene.experiment.size = {64, 64, 64};
  scene.experiment.tile = 16;
  scene.experiment.barriers[1] = core::BarrierKind::off;
  scene.view.name = "tile";
  return scene;
}

}  // namespace

// 256×256 tiles of 8×8, cheap to compute: it is the interface that is measured.
Outcome bench_ui(const Common& common, const Library& library, const core::Experiment& given) {
  const auto bench = TRY(open_bench(common, given.device));
  core::Scene scene;  // of the kernel that the window begins with
  scene.experiment.size = given.size.empty() ? core::Sizes{2048, 2048, 8} : given.size;
  scene.experiment.tile = 8;
  const auto result = TRY(
      lab::capture(*bench.workbench, library.catalogue, library.shaders, scene, {.ladder = false}));
  const core::Scene race = race_scene();
  const auto traced = TRY(
      lab::capture(*bench.workbench, library.catalogue, library.shaders, race, {.ladder = false}));
  std::vector<std::string> warnings;
  const auto lessons = lab::read_lessons(lessons_folder(library), warnings);
  std::vector<SceneFrames> scenes;
  if (!common.json) {
    fmt::print("UI: CPU time to build and record one frame\n");
  }
  const auto measured = measure_scenes({result, scene}, {traced, race},
                                       {library.catalogue, bench.driver->devices(), lessons},
                                       [&](const SceneFrames& frames) {
                                         scenes.push_back(frames);
                                         if (!common.json) {
                                           print_scene(frames);
                                           std::fflush(stdout);
                                         }
                                       });
  if (!measured) {
    return std::unexpected(measured.error());
  }
  const auto busy = TRY(frames_while_busy(library, *bench.driver, scene));
  const auto click = TRY(time_clicks(library, *bench.driver, bench.workbench->info(), scene));
  const auto save = TRY(time_saves(library, *bench.driver, bench.workbench->info(), scene));
  if (common.json) {
    // The fields of one scene and of a million tiles stand where they always stood.
    std::vector<SceneFrames> million;
    std::ranges::copy_if(scenes, std::back_inserter(million), &SceneFrames::made_up);
    print({{"ui_frame_cpu_ms", cli::to_json(scenes.front().ms)},
           {"tiles", result.tiles.group_count()},
           {"million", to_json(million)},
           {"scenes", to_json(scenes)},
           {"kernel_ms", busy.kernel_ms},
           {"frame_gap_ms", cli::to_json(busy.gaps)},
           {"click_to_races_ms", cli::to_json(click.ms)},
           {"click_size", click.size},
           {"save_to_picture_ms", cli::to_json(save.ms)},
           {"save_frame_ms", cli::to_json(save.frame_ms)},
           {"save_size", save.size}});
    return ok;
  }
  fmt::print(
      "UI: time between frames while a launch of {:.0f} ms runs: {:.1f} ms (median), {:.1f} ms "
      "(longest), {} frames\n",
      busy.kernel_ms, busy.gaps.median, busy.gaps.high, busy.gaps.count);
  fmt::print(
      "UI: from a click on the dot of a barrier until its races are on screen, {} at {}: {:.0f} ms "
      "(median), {:.0f} ms (longest), {} clicks\n",
      scene.experiment.variant, core::to_string(click.size), click.ms.median, click.ms.high,
      click.ms.count);
  fmt::print(
      "UI: from saving a changed kernel until its result is on screen, {} at {}: {:.0f} ms "
      "(median), {:.0f} ms (shortest), {:.0f} ms (longest), {} times; each frame meanwhile takes "
      "{:.1f} ms, {:.1f} ms (longest)\n",
      scene.experiment.variant, core::to_string(save.size), save.ms.median, save.ms.low,
      save.ms.high, save.ms.count, save.frame_ms.median, save.frame_ms.high);
  return ok;
}

}  // namespace cli
