#include "cli/window.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cli/lsp/kernel_check.h"
#include "cli/output.h"
#include "cli/process/guard.h"
#include "cli/process/supervised.h"
#include "cli/project/consent.h"
#include "core/base/files.h"
#include "core/work/needs.h"
#include "lab/files/catalogue_watch.h"
#include "lab/files/lesson_file.h"
#include "lab/files/lesson_progress.h"
#include "lab/files/open.h"
#include "lab/files/scene_file.h"
#include "lab/files/settings.h"
#include "lab/files/window_state.h"
#include "lab/plan/kernel_module.h"
#include "lab/run/capture.h"
#include "studio/studio.h"
#include "ui/model.h"
#include "ui/panels/panel_sizes.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

bool has_display() {
  // NOLINTBEGIN(concurrency-mt-unsafe): nothing here sets the environment.
  const char* x11 = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  // NOLINTEND(concurrency-mt-unsafe)
  return (x11 != nullptr && *x11 != '\0') || (wayland != nullptr && *wayland != '\0');
}

// Whatever a name opens; nothing named: what the scene shows. The scenes of a folder of them.
core::Expected<std::vector<lab::SceneFile>> put_first(const ExperimentFlags& flags,
                                                      Library& library, core::Scene& scene) {
  const core::View view = scene.view;
  const bool named = !flags.variant.empty();
  auto opened =
      TRY(lab::open_anything(std::move(library.catalogue),
                             named ? flags.variant : scene.experiment.variant, ui::view_fields()));
  library.catalogue = std::move(opened.catalogue);
  const std::string variant = opened.scene.experiment.variant;
  if (opened.is_scene) {
    scene = std::move(opened.scene);
  }
  auto experiment =
      TRY(opened.is_scene || !named ? flags.over(scene.experiment) : flags.experiment());
  scene.experiment = std::move(experiment);
  scene.experiment.variant = variant;
  return std::move(opened.scenes);
}

// As the window was left, where that can still be shown; else the first start's.
core::Scene last_scene(const Library& library, const gpu::Driver& driver) {
  const fs::path file = lab::last_scene_file();
  std::error_code ignored;
  if (file.empty() || !fs::exists(file, ignored)) {
    return {};
  }
  auto scene = lab::read_scene(file, ui::view_fields());
  if (!scene) {
    spdlog::warn(scene.error().message);
    return {};
  }
  if (!lab::find_kernel(library.catalogue, scene->experiment.variant)) {
    return {};
  }
  if (!driver.pick(scene->experiment.device)) {
    scene->experiment.device.clear();
  }
  return *scene;
}

void keep_last_scene(const core::Scene& scene) {
  const fs::path file = lab::last_scene_file();
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  if (file.empty()) {
    return;
  }
  if (const auto kept = lab::write_scene(file, scene); !kept) {
    spdlog::warn(kept.error().message);
  }
}

// It may have kernels, but no scenes.
bool is_looked_into(const std::string& name) {
  return lab::is_plain_folder(name) && lab::scenes_in(name, ui::view_fields()).empty();
}

std::string told_at_start(const WindowStart& start) {
  if (start.ended.empty()) {
    return "";
  }
  return "T" + start.ended.substr(1) +
         (start.bare
              ? ", twice in a row right after opening. The window did not reopen your kernel. "
                "The text that you typed is kept and appears when you open that kernel again."
              : ", probably in the driver. The window reopened in its state of a few "
                "seconds before. The text that you typed is kept.");
}

// Checks kernels on the CPU device if there is one: the other devices draw the window.
studio::CheckKernel checker_of(std::span<const core::DeviceInfo> devices) {
  const auto cpu = std::ranges::find_if(devices, &core::DeviceInfo::emulated);
  CheckSettings settings;
  settings.device = cpu != devices.end() ? cpu->name : devices.empty() ? "" : devices.front().name;
  return [settings](const std::string& kernel, const std::function<bool()>& go_on) {
    const auto checks = CheckProcess(settings, {}, go_on).check(kernel);
    studio::KernelVerdict result{.verdict = verdict_words(checks)};
    for (const LaunchCheck& check : checks) {
      const auto& report = check.checked.report;
      result.findings += report ? report->findings.size() : 0;
      result.why = report || !result.why.empty() ? result.why : report.error().message;
    }
    return result;
  };
}

Outcome open_window(Library& library, const Common& common, const ExperimentFlags& flags,
                    std::optional<float> scale, const WindowStart& start) {
  const auto driver = TRY(open_driver(common));
  const auto devices = driver->devices();
  const fs::path settings = lab::settings_file();
  library.catalogue = lab::with_own_kernels(std::move(library.catalogue));
  std::error_code ignored;
  const bool never_closed = !fs::exists(lab::last_scene_file(), ignored);
  const bool no_scale = never_closed && !fs::exists(settings, ignored);
  core::Scene first = start.bare ? core::Scene{} : last_scene(library, *driver);
  if (const auto kept = lab::read_settings(settings, ui::view_fields(), first.view); !kept) {
    spdlog::warn(kept.error().message);
  }
  ExperimentFlags named = start.bare ? ExperimentFlags{} : flags;
  std::string folder;  // that is looked into, where it is nothing by itself
  if (is_looked_into(named.variant)) {
    folder = std::exchange(named.variant, {});
  }
  if (!named.variant.empty()) {
    first.view.name.clear();
    std::erase_if(first.view.settings,
                  [](const auto& s) { return !s.first.starts_with(ui::panel_sizes); });
    first.view.beside.clear();
    first.view.tile = first.view.finding = -1;
  }
  auto scenes = TRY(put_first(named, library, first));
  if (!named.variant.empty()) {
    static_cast<void>(lab::keep_recent(named.variant));
  }
  lab::LabOptions options{.validation = common.validation,
                          .tuned = true,
                          .probation = common.in_process ? "" : "/proc/self/exe"};
  lab::Lab lab(library.catalogue, options);
  options.ladder = false;
  std::vector<std::string> warnings;
  auto lessons = lab::read_lessons(lessons_folder(library), warnings);
  std::ranges::for_each(warnings, [](const std::string& warning) { spdlog::warn(warning); });
  const bool first_start = flags.variant.empty() && never_closed;
  const fs::path progress_file = lab::lesson_progress_file();
  const auto progress = lab::read_progress(progress_file);
  if (!progress) {
    spdlog::warn(progress.error().message);
  }
  const core::LessonProgress so_far = progress.value_or(core::LessonProgress{});
  const auto keep_progress = [&progress_file](const core::LessonProgress& now) {
    if (const auto kept = lab::write_progress(progress_file, now); !kept) {
      spdlog::warn(kept.error().message);
    }
  };
  first.view.scale = scale.value_or(first.view.scale);
  const auto closed = studio::open_window(
      lab, library.catalogue, {devices.begin(), devices.end()}, first,
      {.validation = common.validation,
       .save_measurements = write_measurements,
       .lessons = std::move(lessons),
       .offer_lesson = first_start && !so_far.declined,
       .told = told_at_start(start),
       .scale = scale      ? studio::StudioOptions::Scale::asked
                : no_scale ? studio::StudioOptions::Scale::first
                           : studio::StudioOptions::Scale::kept,
       .progress = so_far,
       .keep_progress = keep_progress,
       .another_lab = [&library,
                       options] { return std::make_unique<lab::Lab>(library.catalogue, options); },
       .keep_scene = keep_last_scene,
       .count_frames = common.count_frames,
       .scenes = std::move(scenes),
       .folder = std::move(folder),
       .check_kernel = checker_of(devices)});
  if (!closed) {
    return std::unexpected(closed.error());
  }
  if (const auto kept = lab::write_settings(settings, ui::view_fields(), closed->view); !kept) {
    spdlog::warn(kept.error().message);
  }
  keep_last_scene(*closed);
  return ok;
}

// The picture of one variant, with a ladder that was measured for its workload before.
core::Expected<void> paint(lab::Workbench& bench, const Library& library, const gpu::Driver& driver,
                           const core::Variant& variant, std::vector<core::Rung>& ladder,
                           const fs::path& file) {
  core::Scene scene;
  scene.experiment.variant = variant.id();
  scene.step = 100;
  if (bench.info().emulated()) {  // a ladder at full size would take minutes
    scene.experiment.size = variant.work->default_sizes();
    std::ranges::for_each(scene.experiment.size,
                          [](std::uint32_t& size) { size = (size + 1) / 2; });
  }
  lab::CaptureOptions options;
  options.ladder = ladder.empty();
  auto result = TRY(lab::capture(bench, library.catalogue, library.shaders, scene, options));
  if (options.ladder) {
    ladder = result.ladder;
  } else {
    result.ladder = ladder;
  }
  const auto picture = studio::render_picture({result, library.catalogue, driver.devices()}, scene);
  return picture ? studio::write_png(file, *picture) : std::unexpected(picture.error());
}

}  // namespace

Outcome write_gallery(const Library& library, const Common& common, const fs::path& folder) {
  const auto bench = TRY(open_bench(common, ""));
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    return core::usage_error(
        fmt::format("cannot create the gallery {}: {}", folder.string(), failed.message()));
  }
  for (const core::WorkloadPtr& workload : library.catalogue.workloads()) {
    std::vector<core::Rung> ladder;
    for (const core::Variant& variant : library.catalogue.of(workload->name())) {
      if (const auto why = core::missing(variant, bench.workbench->info())) {
        fmt::print(stderr, "tilescope: no picture of {}: {}\n", variant.id(), *why);
        continue;
      }
      const fs::path file = folder / fmt::format("{}-{}.png", variant.workload, variant.name);
      TRY(paint(*bench.workbench, library, *bench.driver, variant, ladder, file));
      fmt::print(stderr, "tilescope: {}\n", file.string());
    }
  }
  fmt::print("the gallery is in {}\n", fs::absolute(folder).lexically_normal().string());
  return ok;
}

// With no display: the picture of what the window would open on.
Outcome paint_one(Library& library, const Common& common, const ExperimentFlags& flags) {
  core::Scene scene;
  TRY(put_first(flags, library, scene));
  const auto bench = TRY(open_bench(common, scene.experiment.device, {.robust = true}));
  const auto result = TRY(lab::capture(*bench.workbench, library.catalogue, library.shaders, scene,
                                       {.needs = ui::needs_of(scene.view)}));
  const auto picture =
      TRY(studio::render_picture({result, library.catalogue, bench.driver->devices()}, scene));
  const fs::path file = fs::path("gallery") /
                        (fs::path(scene.experiment.variant).filename().stem().string() + ".png");
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  TRY(studio::write_png(file, picture));
  fmt::print("no display found; wrote a picture of the window: {}\n", file.string());
  return ok;
}

Outcome start(const Common& common, const ExperimentFlags& flags, std::optional<float> scale) {
  if (!in_child() && !flags.no_project && !flags.allow_commands && !flags.variant.empty()) {
    ask_for_consent({flags.variant});
  }
  if (has_display() && !common.in_process) {
    return supervised([&](const WindowStart& again) -> Outcome {
      auto library = open_library();
      return library ? open_window(*library, common, flags, scale, again)
                     : std::unexpected(library.error());
    });
  }
  auto library = TRY(open_library());
  if (has_display()) {
    return open_window(library, common, flags, scale, {});
  }
  if (!flags.variant.empty()) {
    return paint_one(library, common, flags);
  }
  fmt::print(stderr, "tilescope: no display found; writing the gallery\n");
  return write_gallery(library, common, "gallery");
}

}  // namespace cli
