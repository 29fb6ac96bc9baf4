// What the commands share: the catalogue and driver they open, the flags that describe an
// experiment, how errors are reported and how results are printed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/kernel_flags.h"
#include "core/catalogue/catalogue.h"
#include "core/work/experiment.h"
#include "gpu/driver.h"
#include "lab/plan/project_file.h"
#include "lab/ready/workbench.h"

namespace cli {

/// The folder of kernels and what is in it.
struct Library {
  std::filesystem::path shaders;
  core::Catalogue catalogue;
};
[[nodiscard]] core::Expected<Library> open_library();
[[nodiscard]] core::Expected<std::shared_ptr<gpu::Driver>> open_driver(const Common& common);

/// A workbench on one device, and the driver that it came from.
struct Bench {
  std::shared_ptr<gpu::Driver> driver;
  std::unique_ptr<lab::Workbench> workbench;
  [[nodiscard]] bool silent() const { return driver->validation_messages().empty(); }
};
[[nodiscard]] core::Expected<Bench> open_bench(const Common& common, const std::string& device,
                                               gpu::DeviceOptions options = {});

/// The flags of the window, run, shot, check and bench that make up an experiment.
struct ExperimentFlags {
  std::string variant;
  std::string size;
  std::uint32_t tile = 0;
  std::vector<std::string> settings;
  std::vector<std::string> barriers;
  std::string device;
  std::uint64_t seed = 1;
  KernelFlags kernel;
  std::string launch_name;
  bool no_project = false;
  bool allow_commands = false;
  std::vector<std::string> unsaved;  ///< FILE=COPY

  void add_to(const Arguments& arguments);
  /// Adds --unsaved, for the commands that get their kernel from choose().
  void add_unsaved_to(const Arguments& arguments);
  /// The experiment of the project file for the kernel, with the given flags applied.
  [[nodiscard]] core::Expected<core::Experiment> experiment() const;
  /// The same for a launch of a project file that was read before.
  [[nodiscard]] core::Expected<core::Experiment> experiment(const lab::Project& project,
                                                            lab::ProjectLaunch launch) const;
  /// Returns the project file of the kernel. Nothing if it has none, or with --no-project.
  [[nodiscard]] core::Expected<std::optional<lab::Project>> project() const;
  /// What is named is a scene's file.
  [[nodiscard]] bool is_scene() const;
  /// A scene's experiment, changed by the flags that were given.
  [[nodiscard]] core::Expected<core::Experiment> over(core::Experiment scene) const;

 private:
  [[nodiscard]] core::Expected<core::Experiment> from_flags() const;

  std::optional<Arguments> arguments_;
};

/// What run and check need before a device: the flags' experiment and its variant, whose source
/// compiles.
struct Chosen {
  Library library;
  core::Experiment experiment;
  core::Variant variant;
  /// A stranger's kernel may index anything; ours are tested.
  [[nodiscard]] gpu::DeviceOptions device_options() const { return {.robust = !variant.work}; }
};
[[nodiscard]] core::Expected<Chosen> choose(const ExperimentFlags& flags);
/// Puts what a path names into the catalogue (lab::adopt): the kernel's id. That it is one of many
/// is said on stderr.
[[nodiscard]] core::Expected<std::string> adopt(core::Catalogue& catalogue,
                                                const std::string& name);
/// Writes the setup's dispatch into a folder; no name: nothing.
[[nodiscard]] core::Expected<void> save_dispatch(const lab::Setup& setup,
                                                 const std::string& folder);

/// "512,512,512" to numbers. The error names the part that is no whole number of at least 1.
[[nodiscard]] core::Expected<core::Sizes> parse_sizes(const std::string& text);

// The commands; each adds itself to the app.
void add_list(CLI::App& app);
void add_devices(CLI::App& app);
void add_run(CLI::App& app);
void add_check(CLI::App& app);
void add_capture(CLI::App& app);
void add_bench(CLI::App& app);
void add_shot(CLI::App& app);
void add_stream(CLI::App& app);
void add_lesson(CLI::App& app);
void add_probation(CLI::App& app);
void add_why(CLI::App& app);
void add_explain(CLI::App& app);
void add_init(CLI::App& app);
void add_lsp(CLI::App& app);
/// After the others: it prints what they are.
void add_reference(CLI::App& app);

/// Where the program's lessons lie.
[[nodiscard]] std::filesystem::path lessons_folder(const Library& library);

}  // namespace cli
