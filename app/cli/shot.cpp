#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/result_json.h"
#include "lab/files/scene_file.h"
#include "lab/run/capture.h"
#include "studio/studio.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kDefaultStep = 100;

struct ShotFlags {
  Common common;
  ExperimentFlags experiment;  // its variant may be a scene file
  fs::path output;
  std::string view;
  std::string resolution;
  std::string theme;
  std::string colours;
  float scale = 1.0F;
  std::uint64_t step = kDefaultStep;
  std::string workgroup;
  std::string invocation;
  std::uint32_t phase = 0;
  std::uint32_t moment = 0;
  std::string lanes;
  std::uint32_t site = 0;
  std::uint32_t instruction = 0;
  bool by_bank = false;
  bool bare = false;
  std::optional<Arguments> arguments;

  [[nodiscard]] bool given(const char* flag) const { return arguments->given(flag); }
};

core::Expected<glm::uvec2> parse_resolution(const std::string& text) {
  glm::uvec2 size{0};
  char rest = 0;
  // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion,cert-err34-c)
  if (std::sscanf(text.c_str(), "%ux%u%c", &size.x, &size.y, &rest) != 2 || size.x < 320 ||
      size.y < 240 || size.x > 16384 || size.y > 16384) {
    return core::usage_error(fmt::format(
        "--resolution takes WIDTHxHEIGHT from 320x240 to 16384x16384, not \"{}\"", text));
  }
  return size;
}

// "X,Y,Z", "X,Y" or "X", each from 0 to below what there is.
core::Expected<glm::uvec3> parse_place(const char* flag, const std::string& text) {
  glm::uvec3 place{0};
  char rest = 0;
  // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion,cert-err34-c)
  const int read = std::sscanf(text.c_str(), "%u,%u,%u%c", &place.x, &place.y, &place.z, &rest);
  const auto commas = std::ranges::count(text, ',');
  if (read < 1 || read > 3 || commas != read - 1 || text.find('-') != std::string::npos) {
    return core::usage_error(fmt::format("{} takes X,Y,Z from 0, not \"{}\"", flag, text));
  }
  return place;
}

core::Expected<std::uint64_t> index_in(const char* what, glm::uvec3 place, glm::uvec3 size) {
  if (place.x >= size.x || place.y >= size.y || place.z >= size.z) {
    return core::usage_error(fmt::format("there is no {} {},{},{}: there are {} × {} × {}", what,
                                         place.x, place.y, place.z, size.x, size.y, size.z));
  }
  return place.x + std::uint64_t{size.x} * (place.y + std::uint64_t{size.y} * place.z);
}

bool is_scene(const std::string& name) {
  return name.ends_with(".toml");
}

// A scene file's experiment, changed by the flags that were given.
core::Expected<core::Experiment> experiment_of(const ShotFlags& flags, core::Experiment base) {
  auto given = flags.experiment.experiment();
  if (!given || !is_scene(flags.experiment.variant)) {
    return given;
  }
  if (flags.given("--size")) {
    base.size = given->size;
  }
  if (flags.given("--tile")) {
    base.tile = given->tile;
  }
  if (flags.given("--device")) {
    base.device = given->device;
  }
  if (flags.given("--seed")) {
    base.seed = given->seed;
  }
  for (const auto& [name, value] : given->settings) {
    base.settings[name] = value;
  }
  for (const auto& [number, kind] : given->barriers) {
    base.barriers.insert_or_assign(number, kind);
  }
  return base;
}

bool looks_into_tile(const ShotFlags& flags) {
  return flags.given("--workgroup") || flags.given("--phase") || flags.given("--moment") ||
         flags.given("--invocation") || flags.by_bank;
}

bool looks_into_banks(const ShotFlags& flags) {
  return flags.given("--lanes") || flags.given("--site") || flags.given("--instruction");
}

core::Expected<core::Scene> scene_of(const ShotFlags& flags) {
  core::Scene scene;
  scene.step = kDefaultStep;
  if (is_scene(flags.experiment.variant)) {
    auto read = lab::read_scene(flags.experiment.variant);
    if (!read) {
      return read;
    }
    scene = std::move(*read);
  }
  auto experiment = experiment_of(flags, scene.experiment);
  if (!experiment) {
    return std::unexpected(experiment.error());
  }
  scene.experiment = std::move(*experiment);
  if (flags.given("--resolution")) {
    const auto size = parse_resolution(flags.resolution);
    if (!size) {
      return std::unexpected(size.error());
    }
    scene.view.width = size->x;
    scene.view.height = size->y;
  }
  scene.view.name = flags.given("--view")     ? flags.view
                    : looks_into_banks(flags) ? "banks"
                    : looks_into_tile(flags)  ? "tile"
                                              : scene.view.name;
  scene.view.phase = flags.given("--phase") ? flags.phase : scene.view.phase;
  scene.view.moment = flags.given("--moment") ? flags.moment : scene.view.moment;
  scene.view.coloured_by = flags.given("--colours") ? flags.colours : scene.view.coloured_by;
  scene.view.theme = flags.given("--theme") ? flags.theme : scene.view.theme;
  scene.view.scale = flags.given("--scale") ? flags.scale : scene.view.scale;
  scene.view.lanes = flags.given("--lanes") ? flags.lanes : scene.view.lanes;
  scene.view.site = flags.given("--site") ? flags.site : scene.view.site;
  scene.view.instruction =
      flags.given("--instruction") ? flags.instruction : scene.view.instruction;
  scene.view.by_bank = scene.view.by_bank || flags.by_bank;
  scene.step = flags.given("--step") ? flags.step : scene.step;
  scene.view.chrome = scene.view.chrome && !flags.bare;
  return scene;
}

core::Expected<void> check_picture(const fs::path& file) {
  if (file.extension() != ".png") {
    return core::usage_error(
        fmt::format("a picture's name must end in .png; {} does not", file.string()));
  }
  return check_output(file);
}

core::Expected<void> check_view(const core::Scene& scene, const core::Result& result) {
  const auto views = ui::views_of(result);
  if (!scene.view.name.empty() && std::ranges::find(views, scene.view.name) == views.end()) {
    return core::usage_error(fmt::format("{} has no view \"{}\"; there is {}",
                                         result.variant.workload, scene.view.name,
                                         fmt::join(views, ", ")));
  }
  return {};
}

// The result, with the places that only its sizes tell put into the scene's view.
core::Expected<core::Result> run_scene(const ShotFlags& flags, const Library& library,
                                       lab::Workbench& bench, core::Scene& scene) {
  lab::CaptureOptions options{.ladder = !flags.bare};
  options.suits = [&](const core::Result& so_far) { return check_view(scene, so_far); };
  if (flags.given("--workgroup")) {
    const auto place = parse_place("--workgroup", flags.workgroup);
    if (!place) {
      return std::unexpected(place.error());
    }
    options.workgroup = *place;
  }
  const auto invocation = parse_place("--invocation", flags.invocation);
  if (flags.given("--invocation") && !invocation) {
    return std::unexpected(invocation.error());
  }
  auto result = lab::capture(bench, library.catalogue, library.shaders, scene, options);
  if (!result) {
    return result;
  }
  if (options.workgroup) {
    const auto tile = index_in("workgroup", *options.workgroup, result->tiles.groups());
    if (!tile) {
      return std::unexpected(tile.error());
    }
    scene.view.tile = static_cast<std::int64_t>(*tile);
  }
  if (flags.given("--invocation")) {
    const auto index = index_in("invocation", *invocation, result->tiles.local_size);
    if (!index) {
      return std::unexpected(index.error());
    }
    scene.view.invocation = static_cast<std::int64_t>(*index);
  }
  return result;
}

Outcome shot(const ShotFlags& flags) {
  auto scene = scene_of(flags);
  const auto library = open_library();
  const auto writable = check_picture(flags.output);
  if (!scene || !library || !writable) {
    return std::unexpected(!scene ? scene.error() : !library ? library.error() : writable.error());
  }
  const auto bench = open_bench(flags.common, scene->experiment.device);
  if (!bench) {
    return std::unexpected(bench.error());
  }
  const auto result = run_scene(flags, *library, *bench->workbench, *scene);
  if (!result) {
    return std::unexpected(result.error());
  }
  const auto picture =
      studio::render_picture({*result, library->catalogue, bench->driver->devices()}, *scene,
                             {.validation = flags.common.validation});
  if (!picture) {
    return std::unexpected(picture.error());
  }
  if (auto written = studio::write_png(flags.output, *picture); !written) {
    return std::unexpected(written.error());
  }
  if (flags.common.json) {
    auto json = to_json(*result);
    json["picture"] = {
        {"file", flags.output.string()}, {"width", picture->width}, {"height", picture->height}};
    print(json);
  } else {
    fmt::print("{} ({}×{})\n", flags.output.string(), picture->width, picture->height);
  }
  return result->check.correct && bench->silent() ? ok : findings;
}

}  // namespace

void add_shot(CLI::App& app) {
  auto flags = std::make_shared<ShotFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments = add_command(app, "shot", "A picture of what the window would show",
                                          common, [flags] { return shot(*flags); });
  flags->arguments = arguments;
  arguments.option("SCENE.toml|VARIANT", flags->experiment.variant, "a saved scene or a variant")
      .required();
  arguments.option("-o,--output", flags->output, "the PNG to write").required();
  flags->experiment.add_to(arguments);
  arguments.option("--view", flags->view,
                   "the view in the centre, such as grid, tile, occupancy, banks or roofline");
  arguments.option("--workgroup", flags->workgroup,
                   "the tile and banks views: whose inside, X,Y,Z");
  arguments.option("--phase", flags->phase,
                   "the tile view: as lived through, from 1; 0: the view's own choice");
  arguments.option("--moment", flags->moment,
                   "the tile view: of the phase, from 1; 0: the phase as a whole");
  arguments.option("--invocation", flags->invocation,
                   "the tile view: whose accesses stand out, X,Y,Z");
  arguments.flag("--by-bank", flags->by_bank, "the tile view: cells coloured by bank");
  arguments
      .option("--lanes", flags->lanes,
              "the banks view: who shares an instruction, subgroups or 32 invocations")
      .one_of({"subgroups", "32"});
  arguments.option("--site", flags->site, "the banks view: row of its table; 0: the worst");
  arguments.option("--instruction", flags->instruction,
                   "the banks view: of the site, from 1; 0: the worst");
  arguments.option("--resolution", flags->resolution, "WIDTHxHEIGHT in pixels, 1280x800");
  arguments.option("--scale", flags->scale, "of text and panels").within(0.5, 4.0);
  arguments.option("--theme", flags->theme).one_of({"light", "dark"});
  arguments
      .option("--colours", flags->colours,
              "what tiles are coloured by: output, start order, duration or multiprocessor")
      .one_of({"output", "start order", "duration", "multiprocessor"});
  arguments.option("--step", flags->step, "chained workloads: launches before the picture");
  arguments.flag("--bare", flags->bare, "the centre alone, without the panels around it");
}

}  // namespace cli
