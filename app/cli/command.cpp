#include "cli/command.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/spelling.h"
#include "lab/files/dispatch_file.h"
#include "lab/plan/kernel_module.h"
#include "lab/ready/catalogue_files.h"

namespace cli {
namespace {

core::Expected<std::pair<std::string, std::string>> parse_setting(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return core::usage_error(
        fmt::format("--set takes NAME=VALUE, not \"{}\"", core::shortened(text)));
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

}  // namespace

core::Expected<Library> open_library() {
  const auto shaders = TRY(lab::find_shaders());
  return Library{shaders, lab::read_catalogue(shaders)};
}

core::Expected<std::shared_ptr<gpu::Driver>> open_driver(const Common& common) {
  return gpu::Driver::open({.validation = common.validation});
}

core::Expected<Bench> open_bench(const Common& common, const std::string& device,
                                 gpu::DeviceOptions options) {
  auto driver = TRY(open_driver(common));
  auto workbench = TRY(lab::Workbench::open(driver, device, options));
  std::string warning;
  workbench->use(lab::Tunings::read(lab::tunings_file(), warning));
  if (!warning.empty()) {
    fmt::print(stderr, "tilescope: {}\n", warning);
  }
  return Bench{std::move(driver), std::move(workbench)};
}

core::Expected<core::Sizes> parse_sizes(const std::string& text) {
  core::Sizes sizes;
  if (text.empty()) {
    return sizes;
  }
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::uint32_t value = 0;
    const char* last = text.data() + end;
    const auto [rest, status] = std::from_chars(text.data() + begin, last, value);
    if (status == std::errc::result_out_of_range) {
      return core::usage_error(fmt::format("the size {} is larger than any device can hold",
                                           core::shortened(text.substr(begin, end - begin))));
    }
    if (status != std::errc{} || rest != last || value == 0) {
      return core::usage_error(
          fmt::format("a size must be a whole number of at least 1, not \"{}\"",
                      core::shortened(text.substr(begin, end - begin))));
    }
    sizes.push_back(value);
    begin = end + 1;
  }
  return sizes;
}

void ExperimentFlags::add_to(const Arguments& arguments) {
  arguments_ = arguments;
  const Arguments group = arguments.in_group("Kernel and launch");
  group.option("--size M,N,...", size,
               "Set the sizes of a workload, such as 512,512,512 (default: the workload's own)");
  group.option("--tile T", tile, "Set the tile size (default: the kernel's own)").positive();
  group.option(
      "--set NAME=VALUE", settings,
      "Set a specialization constant, a member of a push-constant or uniform block, or an option "
      "of a workload by its name (default: the kernel's own, else Tilescope chooses)");
  group.option("--barrier K=KIND", barriers,
               "Change the kind of the K-th barrier, counted from 1 in source order, included "
               "files last; KIND is off, all, global, shared, fence-all, fence-global or "
               "fence-shared (default: unchanged)");
  group.option("--device INDEX|NAME", device,
               "Run on the device with this index or with this text in its name; `tilescope "
               "devices` lists the devices (default: the first)");
  group.option("--seed N", seed, "Generate the random inputs from the seed N (default: 1)");
  group.option("--launch-name NAME", launch_name,
               "Use the launch of this name in tilescope.toml (default: the kernel's first)");
  group.flag("--no-project", no_project, "Ignore tilescope.toml");
  group.flag("--allow-commands", allow_commands,
             "Run the compilers that tilescope.toml names without asking");
  kernel.add_to(group);
}

void ExperimentFlags::add_unsaved_to(const Arguments& arguments) {
  arguments.in_group("Kernel and launch")
      .option("--unsaved FILE=COPY", unsaved,
              "Use the text of COPY in place of FILE, also where FILE is included; for editors "
              "(default: the text of FILE)");
}

core::Expected<std::optional<lab::Project>> ExperimentFlags::project() const {
  const std::filesystem::path file =
      no_project || is_scene() ? std::filesystem::path() : lab::project_file_of(variant);
  if (file.empty()) {
    return launch_name.empty() ? core::Expected<std::optional<lab::Project>>(std::nullopt)
                               : core::usage_error(fmt::format("--launch-name {}: {} has no {}",
                                                               core::shortened(launch_name),
                                                               variant, lab::kProjectFile));
  }
  auto project = lab::read_project(file);
  return project ? core::Expected<std::optional<lab::Project>>(std::move(*project))
                 : std::unexpected(project.error());
}

core::Expected<core::Experiment> ExperimentFlags::experiment() const {
  const auto of_kernel = TRY(project());
  if (!of_kernel) {
    return from_flags();
  }
  auto launch = lab::launch_of(*of_kernel, variant, launch_name);
  return launch ? experiment(*of_kernel, std::move(*launch)) : std::unexpected(launch.error());
}

core::Expected<core::Experiment> ExperimentFlags::experiment(const lab::Project& project,
                                                             lab::ProjectLaunch launch) const {
  const auto given = from_flags();
  if (!given) {
    return given;
  }
  core::Experiment base;
  base.variant = variant;
  base.tile = given->tile;
  base.settings = std::move(launch.settings);
  base.choices = launch.choices;
  auto experiment = over(std::move(base));
  if (!experiment) {
    return experiment;
  }
  // Macros and folders of the call are added to those of the project.
  const auto add = [](auto& to, const auto& of_project, const auto& of_call) {
    to = of_project;
    to.insert(to.end(), of_call.begin(), of_call.end());
  };
  core::KernelChoices& choices = experiment->choices;
  add(choices.defines, launch.choices.defines, given->choices.defines);
  add(choices.include_dirs, launch.choices.include_dirs, given->choices.include_dirs);
  TRY(lab::add_compilers(project, variant, allow_commands, choices));
  return experiment;
}

core::Expected<core::Experiment> ExperimentFlags::from_flags() const {
  core::Experiment experiment;
  experiment.variant = variant;
  experiment.tile = tile;
  experiment.device = device;
  experiment.seed = seed;
  experiment.choices = TRY(kernel.choices());
  experiment.size = TRY(parse_sizes(size));
  for (const std::string& text : settings) {
    auto setting = TRY(parse_setting(text));
    experiment.settings.insert(std::move(setting));
  }
  for (const std::string& text : barriers) {
    const auto edit = TRY(core::parse_barrier_edit(text));
    experiment.barriers.insert_or_assign(edit.first, edit.second);
  }
  return experiment;
}

bool ExperimentFlags::is_scene() const {
  return variant.ends_with(".toml") &&
         std::filesystem::path(variant).filename() != lab::kDispatchFile;
}

core::Expected<core::Experiment> ExperimentFlags::over(core::Experiment scene) const {
  auto given = from_flags();
  if (!given) {
    return given;
  }
  const auto take = [&](const char* flag, auto& to, auto& from) {
    if (arguments_ && arguments_->given(flag)) {
      to = std::move(from);
    }
  };
  take("--size", scene.size, given->size);
  take("--tile", scene.tile, given->tile);
  take("--device", scene.device, given->device);
  take("--seed", scene.seed, given->seed);
  for (const auto& [name, value] : given->settings) {
    scene.settings[name] = value;
  }
  for (const auto& [number, kind] : given->barriers) {
    scene.barriers.insert_or_assign(number, kind);
  }
  core::KernelChoices& to = scene.choices;
  core::KernelChoices& from = given->choices;
  take("-D", to.defines, from.defines);
  take("-I", to.include_dirs, from.include_dirs);
  take("--prelude", to.prelude, from.prelude);
  take("--language", to.language, from.language);
  take("--compiler", to.compilers, from.compilers);
  take("--local-size", to.local_size, from.local_size);
  take("--entry", to.entry, from.entry);
  if (!from.groups.empty() || !from.items.empty()) {
    to.groups.clear();
    to.items.clear();
  }
  take("--groups", to.groups, from.groups);
  take("--items", to.items, from.items);
  take("--push", to.push, from.push);
  take("--reference", to.reference, from.reference);
  for (const auto& [id, value] : from.spec) {
    to.spec[id] = value;
  }
  for (auto& [name, content] : from.buffers) {
    to.buffers[name] = content;
  }
  return scene;
}

core::Expected<std::string> adopt(core::Catalogue& catalogue, const std::string& name) {
  auto adopted = TRY(lab::adopt(catalogue, name));
  if (adopted.of > 1) {
    fmt::print(stderr,
               "tilescope: {} has {} kernels; this command uses only {}, but check and bench use "
               "all of them\n",
               name, adopted.of, adopted.id);
  }
  catalogue = std::move(adopted.catalogue);
  return std::move(adopted.id);
}

namespace {

std::filesystem::path full_path(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal();
}

// The kernel with the texts of --unsaved. A file that an editor has not saved once is a kernel,
// too.
core::Expected<core::Variant> kernel_with_texts(const core::Catalogue& catalogue,
                                                const std::string& name,
                                                const std::vector<std::string>& unsaved) {
  auto variant = lab::find_kernel(catalogue, name);
  for (const std::string& pair : unsaved) {
    const std::size_t equals = pair.rfind('=');
    if (equals == std::string::npos || equals == 0) {
      return core::usage_error(
          fmt::format("--unsaved takes FILE=COPY, not \"{}\"", core::shortened(pair)));
    }
    const std::string file = pair.substr(0, equals);
    auto text = TRY(core::read_file(pair.substr(equals + 1)));
    const bool own =
        full_path(variant ? variant->file : std::filesystem::path(name)) == full_path(file);
    if (own && !variant) {
      variant.emplace();
      variant->name = variant->title = std::filesystem::path(file).filename().string();
      variant->file = name;
    }
    if (own) {
      variant->source = std::move(text);
    } else if (variant) {
      // Include folders of a project are relative to the current folder.
      std::error_code ignored;
      const std::filesystem::path whole = full_path(file);
      for (const auto& path : {whole, std::filesystem::proximate(whole, ignored)}) {
        variant->texts[lab::included_key(path.string())] = text;
      }
    }
  }
  return variant;
}

}  // namespace

core::Expected<Chosen> choose(const ExperimentFlags& flags) {
  auto experiment = flags.experiment();
  auto library = open_library();
  if (!experiment || !library) {
    return std::unexpected(experiment ? library.error() : experiment.error());
  }
  experiment->variant = TRY(adopt(library->catalogue, experiment->variant));
  auto variant = TRY(kernel_with_texts(library->catalogue, experiment->variant, flags.unsaved));
  TRY(lab::load_module(variant, experiment->choices));
  return Chosen{std::move(*library), std::move(*experiment), std::move(variant)};
}

core::Expected<void> save_dispatch(const lab::Setup& setup, const std::string& folder) {
  if (folder.empty()) {
    return {};
  }
  std::vector<const core::Dispatch*> launches;
  for (std::size_t i = 0; i < setup.launches.size(); ++i) {
    if (!setup.launches[i].sections.empty()) {
      return core::usage_error(fmt::format(
          "cannot save {}: it launches kernels on parts of one grid; choose another kernel",
          setup.variant.id()));
    }
    launches.push_back(&setup.dispatch(i));
  }
  return lab::write_dispatch(folder, launches, setup.experiment.barriers, setup.experiment.seed);
}

}  // namespace cli
