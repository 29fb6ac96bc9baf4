#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/json/result_json.h"
#include "cli/output.h"
#include "lab/files/open.h"
#include "lab/files/scene_file.h"
#include "lab/plan/kernel_module.h"
#include "lab/probe/writer_search.h"
#include "lab/run/capture.h"
#include "studio/pictures/drawing.h"
#include "studio/pictures/render.h"
#include "studio/studio.h"
#include "ui/edits.h"
#include "ui/film.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kDefaultStep = 100;

// A flag that sets one of a view's settings.
struct ViewFlag {
  core::ViewField field;
  std::string text;
  std::uint32_t number = 0;
  bool on = false;

  [[nodiscard]] core::ViewSetting value() const {
    switch (field.kind) {
      case core::ViewField::Kind::truth:
        return on;
      case core::ViewField::Kind::whole:
        return std::int64_t{number};
      case core::ViewField::Kind::number:
      case core::ViewField::Kind::text:
        break;
    }
    return text;
  }
};

struct ShotFlags {
  Common common;
  ExperimentFlags experiment;  // its variant may be a scene file
  fs::path output;
  std::string view;
  std::string resolution;
  std::string theme;
  float scale = 1.0F;
  std::uint64_t step = kDefaultStep;
  std::string workgroup;
  std::string beside;
  std::size_t launch = 1;
  std::string film;
  std::size_t frames = 48;
  std::vector<ViewFlag> views;  // of settings of the views, as their rows name them
  bool bare = false;
  bool present = false;
  bool ladder = false;
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
    return core::usage_error(
        fmt::format("{} takes X,Y,Z, each counted from 0, not \"{}\"", flag, text));
  }
  return place;
}

core::Expected<std::uint64_t> index_in(const char* what, glm::uvec3 place, glm::uvec3 size) {
  if (place.x >= size.x || place.y >= size.y || place.z >= size.z) {
    return core::usage_error(
        fmt::format("{} {},{},{} does not exist: this launch has {} × {} × {}, counted from 0",
                    what, place.x, place.y, place.z, size.x, size.y, size.z));
  }
  return place.x + std::uint64_t{size.x} * (place.y + std::uint64_t{size.y} * place.z);
}

// The view that the flags are about where none is named; of several, the last registered.
std::string view_of(const ShotFlags& flags, const std::string& otherwise) {
  std::string view = flags.given("--workgroup") ? "tile" : otherwise;
  for (const ViewFlag& flag : flags.views) {
    view =
        flags.given(flag.field.flag.c_str()) && !flag.field.view.empty() ? flag.field.view : view;
  }
  return flags.given("--view") ? flags.view : view;
}

core::Expected<void> known_view(const std::string& name) {
  const auto views = ui::all_views();
  if (!name.empty() && std::ranges::find(views, name) == views.end()) {
    return core::usage_error(
        fmt::format("unknown view \"{}\"; choose from {}", name, fmt::join(views, ", ")));
  }
  return {};
}

core::Expected<core::Scene> scene_of(const ShotFlags& flags) {
  core::Scene scene;
  scene.step = kDefaultStep;
  const bool is_scene = flags.experiment.is_scene();
  if (is_scene) {
    auto read = lab::read_scene(flags.experiment.variant, ui::view_fields());
    if (!read) {
      return read;
    }
    scene = std::move(*read);
    lab::find_kernels_of(flags.experiment.variant, scene);
  }
  scene.experiment =
      TRY(is_scene ? flags.experiment.over(scene.experiment) : flags.experiment.experiment());
  if (flags.given("--resolution")) {
    const auto size = TRY(parse_resolution(flags.resolution));
    scene.view.width = size.x;
    scene.view.height = size.y;
  }
  scene.view.name = view_of(flags, scene.view.name);
  if (flags.given("--animate")) {
    scene.view.name = ui::view_of_film(flags.film, scene.view.name);
  }
  TRY(known_view(scene.view.name));
  scene.view.theme = flags.given("--theme") ? flags.theme : scene.view.theme;
  scene.view.scale = flags.given("--scale") ? flags.scale : scene.view.scale;
  for (const ViewFlag& flag : flags.views) {
    if (flags.given(flag.field.flag.c_str()) && !flag.field.place) {
      scene.view.settings[flag.field.key] = flag.value();
    }
  }
  scene.view.launch = flags.given("--launch") ? flags.launch - 1 : scene.view.launch;
  scene.step = flags.given("--step") ? flags.step : scene.step;
  scene.view.chrome = scene.view.chrome && !flags.bare;
  scene.view.beside = flags.given("--beside") ? flags.beside : scene.view.beside;
  return scene;
}

enum class Kind { pixels, drawing, film };

Kind kind_of(const fs::path& file) {
  const fs::path suffix = file.extension();
  return suffix == ".webp" || suffix == ".gif"  ? Kind::film
         : suffix == ".svg" || suffix == ".pdf" ? Kind::drawing
                                                : Kind::pixels;
}

core::Expected<void> check_picture(const ShotFlags& flags) {
  const fs::path& file = flags.output;
  const Kind kind = kind_of(file);
  if (kind == Kind::pixels && file.extension() != ".png") {
    return core::usage_error(
        fmt::format("{} has no known extension; use .png, .svg or .pdf for a picture, .webp or "
                    ".gif for an animation",
                    file.string()));
  }
  if ((kind == Kind::film) != flags.given("--animate")) {
    return core::usage_error(
        kind == Kind::film
            ? fmt::format("{} is an animation: add --animate with {}", file.string(),
                          fmt::join(ui::films(), ", "))
            : fmt::format("--animate writes .webp or .gif files, not {}", file.string()));
  }
  return check_output(file);
}

core::Expected<void> check_view(const core::Scene& scene, const core::Result& result) {
  const auto views = ui::views_of(result);
  if (!scene.view.name.empty() && std::ranges::find(views, scene.view.name) == views.end()) {
    return core::usage_error(fmt::format("{} has no view \"{}\"; choose from {}",
                                         result.variant.workload, scene.view.name,
                                         fmt::join(views, ", ")));
  }
  return {};
}

// The workgroup that writes an element of memory.
core::Expected<glm::uvec3> writer_of(const std::string& element, const Library& library,
                                     lab::Workbench& bench, const core::Scene& scene) {
  constexpr double kDispatchBudgetMs = 500.0;
  auto name = TRY(core::parse_element(element));
  const auto variant = TRY(lab::find_kernel(library.catalogue, scene.experiment.variant));
  const auto setup = TRY(bench.set_up(variant, scene.experiment, kDispatchBudgetMs));
  const auto found = TRY(lab::find_writer(bench, *setup, {.element = std::move(name)}));
  if (!found.provenance) {
    return core::usage_error(
        fmt::format("none of the {} traced workgroups writes {}", found.traced, element));
  }
  const auto& at = found.trace->workgroup;
  return glm::uvec3(at[0], at[1], at[2]);
}

using Moments = std::vector<std::shared_ptr<const core::Bodies>>;

// The result, with the places that only its sizes tell put into the scene's view.
core::Expected<core::Result> run_scene(const ShotFlags& flags, const Library& library,
                                       lab::Workbench& bench, core::Scene& scene,
                                       Moments& moments) {
  lab::CaptureOptions options{.ladder = flags.ladder, .needs = ui::needs_of(scene.view)};
  if (flags.given("--animate")) {
    options.needs.merge(ui::film_of(scene.view.name).needs);
    options.moment_every = std::max<std::uint64_t>(scene.step / flags.frames, 1);
    options.moment = [&moments](auto bodies) { moments.push_back(std::move(bodies)); };
  }
  options.suits = [&](const core::Result& so_far) { return check_view(scene, so_far); };
  if (flags.given("--workgroup")) {
    options.workgroup = TRY(parse_place("--workgroup", flags.workgroup));
  } else if (flags.given("--element")) {
    options.workgroup = TRY(
        writer_of(std::get<std::string>(scene.view.settings.at("element")), library, bench, scene));
  }
  std::map<std::string, glm::uvec3> places;
  for (const ViewFlag& flag : flags.views) {
    if (flag.field.place && flags.given(flag.field.flag.c_str())) {
      places[flag.field.key] = TRY(parse_place(flag.field.flag.c_str(), flag.text));
    }
  }
  auto result = lab::capture(bench, library.catalogue, library.shaders, scene, options);
  if (!result) {
    return result;
  }
  if (options.workgroup) {
    const auto tile = TRY(index_in("workgroup", *options.workgroup, result->tiles.groups()));
    scene.view.tile = static_cast<std::int64_t>(tile);
  }
  for (const auto& [key, place] : places) {
    const auto index = TRY(index_in(key.c_str(), place, result->tiles.local_size));
    scene.view.settings[key] = static_cast<std::int64_t>(index);
  }
  return result;
}

// Of the kernel beside, on the same work; nothing: there is none.
core::Expected<std::optional<core::Result>> run_beside(const Library& library,
                                                       lab::Workbench& bench,
                                                       const core::Scene& scene,
                                                       const core::Result& first) {
  if (scene.view.beside.empty()) {
    return std::nullopt;
  }
  core::Scene second = scene;
  second.experiment = ui::beside_of(first.experiment, library.catalogue, scene.view.beside);
  const lab::CaptureOptions options{.needs = ui::needs_of(scene.view), .like = &first};
  auto result = lab::capture(bench, library.catalogue, library.shaders, second, options);
  return result ? core::Expected<std::optional<core::Result>>(std::move(*result))
                : std::unexpected(result.error());
}

// The frames that it has.
core::Expected<std::size_t> write_film(const ShotFlags& flags, const core::Scene& scene,
                                       const ui::Model& model, const Moments& moments) {
  const auto stills =
      ui::film_of(scene.view.name)
          .stills({.result = model.result, .most = flags.frames, .moments = moments});
  if (stills.empty()) {
    return core::usage_error(
        fmt::format("{} has no {} to animate; choose another kernel or animation",
                    model.result.experiment.variant, flags.film));
  }
  const auto file = studio::film_file(flags.output);
  const auto written =
      studio::render_film(model, scene, stills, *file,
                          {.validation = flags.common.validation, .present = flags.present});
  return written ? core::Expected<std::size_t>(stills.size()) : std::unexpected(written.error());
}

core::Expected<std::size_t> write(const ShotFlags& flags, const core::Scene& scene,
                                  const ui::Model& model, const Moments& moments) {
  const studio::StudioOptions options{.validation = flags.common.validation,
                                      .present = flags.present};
  core::Expected<void> written;
  switch (kind_of(flags.output)) {
    case Kind::film:
      return write_film(flags, scene, model, moments);
    case Kind::drawing:
      if (const auto drawing = studio::render_drawing(model, scene, options)) {
        written = studio::write_drawing(flags.output, *drawing);
      } else {
        written = std::unexpected(drawing.error());
      }
      break;
    case Kind::pixels:
      if (const auto picture = studio::render_picture(model, scene, options)) {
        written = studio::write_png(flags.output, *picture);
      } else {
        written = std::unexpected(picture.error());
      }
      break;
  }
  return written ? core::Expected<std::size_t>(1) : std::unexpected(written.error());
}

Outcome shot(const ShotFlags& flags) {
  auto scene = scene_of(flags);
  auto library = open_library();
  const auto writable = check_picture(flags);
  if (!scene || !library || !writable) {
    return std::unexpected(!scene ? scene.error() : !library ? library.error() : writable.error());
  }
  for (std::string* kernel : {&scene->experiment.variant, &scene->view.beside}) {
    if (kernel->empty()) {
      continue;
    }
    auto id = TRY(adopt(library->catalogue, *kernel));
    *kernel = std::move(id);
  }
  const auto variant = lab::find_kernel(library->catalogue, scene->experiment.variant);
  if (!variant) {
    return std::unexpected(variant.error());
  }
  const auto bench = open_bench(flags.common, scene->experiment.device, {.robust = !variant->work});
  if (!bench) {
    return std::unexpected(bench.error());
  }
  Moments moments;
  const auto result = TRY(run_scene(flags, *library, *bench->workbench, *scene, moments));
  const auto beside = TRY(run_beside(*library, *bench->workbench, *scene, result));
  const ui::Model model{result, library->catalogue, bench->driver->devices(),
                        beside ? &*beside : nullptr};
  const auto written = TRY(write(flags, *scene, model, moments));
  const core::View& view = scene->view;
  if (flags.common.json) {
    auto json = to_json(result);
    json["picture"] = {
        {"file", flags.output.string()}, {"width", view.width}, {"height", view.height}};
    if (beside) {
      json["beside"] = to_json(*beside);
    }
    if (kind_of(flags.output) == Kind::film) {
      json["picture"]["frames"] = written;
    }
    print(json);
  } else if (kind_of(flags.output) == Kind::film) {
    fmt::print("{} ({}×{}, {} frames)\n", flags.output.string(), view.width, view.height, written);
  } else {
    fmt::print("{} ({}×{})\n", flags.output.string(), view.width, view.height);
  }
  return right(result) && bench->silent() ? ok : findings;
}

// Each view's own, as its row names them.
void add_view_flags(const Arguments& arguments, std::vector<ViewFlag>& flags) {
  for (core::ViewField& field : ui::view_fields()) {
    if (!field.flag.empty()) {
      flags.push_back({.field = std::move(field)});
    }
  }
  for (ViewFlag& flag : flags) {  // they stay where they are from now on
    const core::ViewField& field = flag.field;
    if (field.kind == core::ViewField::Kind::truth) {
      arguments.flag(field.flag, flag.on, field.meaning);
    } else if (field.kind == core::ViewField::Kind::whole && !field.place) {
      arguments.option(field.flag + " N", flag.number, field.meaning);
    } else if (const Argument option = arguments.option(
                   field.flag + (field.place ? " X,Y,Z" : " NAME"), flag.text, field.meaning);
               !field.choices.empty()) {
      std::vector<std::string> choices = field.choices;
      std::erase(choices, "");
      option.one_of(choices);
    }
  }
}

}  // namespace

void add_shot(CLI::App& app) {
  auto flags = std::make_shared<ShotFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments =
      add_command(app, "shot", "Write a picture or an animation of the window without a display",
                  common, [flags] { return shot(*flags); }, {.whole_or_nothing = true});
  flags->arguments = arguments;
  arguments
      .option("SCENE.toml|KERNEL", flags->experiment.variant,
              "The content of the picture: a scene file, WORKLOAD/NAME or a kernel file")
      .required();
  arguments
      .option("-o,--output FILE", flags->output,
              "Write the picture to FILE: .png, .svg or .pdf; with --animate: .webp or .gif")
      .required();
  flags->experiment.add_to(arguments);
  arguments.option("--view NAME", flags->view,
                   "Show this view, such as grid, tile, occupancy, banks or roofline (default: the "
                   "view of the scene, else grid)");
  arguments.option("--workgroup X,Y,Z", flags->workgroup,
                   "Show this workgroup in the tile and banks views (default: that of the scene, "
                   "else the view chooses)");
  arguments
      .option("--launch N", flags->launch,
              "Show the N-th launch of a launch sequence, from 1 (default: 1)")
      .within(1, 1000);
  arguments.option("--beside KERNEL", flags->beside,
                   "Compare with KERNEL on the same inputs; if KERNEL is the kernel itself, it "
                   "runs without --barrier (default: no comparison)");
  arguments
      .option("--animate NAME", flags->film,
              fmt::format("Animate {} (default: a still picture)", fmt::join(ui::films(), " or ")))
      .one_of(ui::films());
  arguments
      .option("--frames N", flags->frames, "Write at most N frames, with --animate (default: 48)")
      .within(2, 1000);
  add_view_flags(arguments, flags->views);
  arguments.option("--resolution WIDTHxHEIGHT", flags->resolution,
                   "Set the size of the picture in pixels (default: 1280x800)");
  arguments.option("--scale S", flags->scale, "Scale text and panels, 0.5 to 4 (default: 1)")
      .within(0.5, 4.0);
  arguments
      .option("--theme NAME", flags->theme,
              "Draw with the theme light or dark (default: the theme of the scene, else dark)")
      .one_of({"light", "dark"});
  arguments
      .option("--step N", flags->step,
              fmt::format("Draw the state after N launches of a workload that advances in steps, "
                          "such as bodies (default: {})",
                          kDefaultStep))
      .within(0, static_cast<int>(core::kMostSteps));
  arguments.flag("--ladder", flags->ladder,
                 "Also time the other variants, to show them in the panel on the left");
  arguments.flag("--present", flags->present,
                 "Draw large text for a projector: at least 24 pixels high at 1280x720");
  arguments.flag("--bare", flags->bare, "Draw only the view, without the panels around it");
}

}  // namespace cli
