// The project file of a code base: how its kernels are compiled and launched.
//   tilescope_project       1, the version of the format
//   kernels                 globs: the kernels that `check` without a kernel checks
//   include_dirs, defines   lists of texts: -I and -D of all kernels
//   compilers               table: LANGUAGE = COMMAND, as --compiler
//   [[launch]]              a launch of some kernels
//     kernel                a glob, or a list of globs
//     name                  text; names the launch in reports and for --launch-name
//     sizes                 table: NAME = number, for expressions
//     set                   table: NAME = number or text, as --set
//     expect                the right verdict: "clean" (default), "racy", "divergent", "faulty" or
//                           "incomplete"
//     allow                 accepted findings: "KIND" or "KIND on VARIABLE"
//     ...                   the keys of choices_toml.h
// {EXPRESSION} in a text of sizes, set, groups, items, local_size, push, spec and buffers stands
// for its value; it may use the names of sizes and set. Paths and globs are relative to the file's
// folder. In a glob, * and ? stay within a folder, ** does not.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/findings/allowances.h"
#include "core/work/experiment.h"

namespace lab {

inline constexpr const char* kProjectFile = "tilescope.toml";

struct Glob {
  std::string text;
  int line = 0;
};

struct ProjectLaunch {
  std::string name;  ///< may be empty
  int line = 0;
  std::vector<Glob> kernels;
  core::KernelChoices choices;
  core::Settings settings;
  std::string expect = "clean";
  std::vector<core::Allowance> allow;
};

struct Project {
  std::filesystem::path file;
  std::filesystem::path folder;
  std::vector<Glob> kernels;  ///< empty: all kernels
  std::vector<ProjectLaunch> launches;
  core::KernelChoices all;             ///< include folders and macros of all kernels
  std::vector<std::string> compilers;  ///< "LANGUAGE=COMMAND"; run only with the user's consent
};

/// Reads a project file. Fails with a sentence that names the file and the line.
[[nodiscard]] core::Expected<Project> read_project(const std::filesystem::path& file);

/// Returns the nearest project file at or above a folder. Empty if there is none.
[[nodiscard]] std::filesystem::path find_project(const std::filesystem::path& folder);

/// Returns the project file of a kernel. Empty if there is none, or if `kernel` is no file or a
/// saved launch.
[[nodiscard]] std::filesystem::path project_file_of(const std::string& kernel);

/// Returns the project's kernels, as paths relative to the current folder, in order. Hidden folders
/// and folders with a project file of their own are excluded, and X.spv beside its source X unless
/// the project names it. Fails if a glob matches no kernel, or if kernels are each other's
/// references.
[[nodiscard]] core::Expected<std::vector<std::string>> kernels_of(const Project& project);

/// Returns the launches of a kernel's file, with the project's include folders and macros. One
/// without a name and values if the file has no launch for it. Fails if two have the same name.
[[nodiscard]] core::Expected<std::vector<ProjectLaunch>> launches_of(
    const Project& project, const std::filesystem::path& kernel);

/// Returns the launch of that name among those of a kernel. An empty name: the first.
[[nodiscard]] core::Expected<ProjectLaunch> launch_of(const Project& project,
                                                      const std::filesystem::path& kernel,
                                                      const std::string& name);

/// Adds the project's compilers to the choices for a kernel; those that are in the choices already
/// stay first. Fails if the kernel needs a command that the user did not allow: neither by
/// `allowed` nor before (lab/files/consent.h).
[[nodiscard]] core::Expected<void> add_compilers(const Project& project,
                                                 const std::filesystem::path& kernel, bool allowed,
                                                 core::KernelChoices& choices);

/// Returns the project whose commands the user must allow first: of a kernel's file that needs one
/// of them, or of a folder. Nothing if there is none.
[[nodiscard]] std::optional<Project> project_to_allow(const std::string& name);

/// Returns the experiment of a kernel's file as its project file describes it. Nothing if it has no
/// project file.
[[nodiscard]] core::Expected<std::optional<core::Experiment>> experiment_of_project(
    const std::string& kernel);

/// Returns true if a path matches a glob.
[[nodiscard]] bool matches_glob(std::string_view path, std::string_view glob);

}  // namespace lab
