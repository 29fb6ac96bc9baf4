// Reads the catalogue from a folder of kernels: shaders/<workload>/<variant>.comp.
#pragma once

#include <filesystem>
#include <optional>

#include "core/catalogue/catalogue.h"

namespace lab {

/// Where the kernels are: $TILESCOPE_SHADERS, or `shaders` beside the folder of the program (a
/// build), or `../share/tilescope/shaders` (an installation). Fault::usage when none of them is
/// there.
[[nodiscard]] core::Expected<std::filesystem::path> find_shaders();

/// A folder of kernels with a workload.toml (lab/files/workload_file.h), wherever it lies.
struct WorkloadFolder {
  core::WorkloadPtr work;
  int order = 0;  ///< in menus, after the workloads in C++
  std::vector<core::Variant> variants;
};
/// The error is the first that keeps the folder from being a workload; kernels may still be broken.
[[nodiscard]] core::Expected<WorkloadFolder> read_workload_folder(
    const std::filesystem::path& folder);

/// Every `.comp` file in a folder that is named like a workload in C++ or has a workload.toml. A
/// file that can't be read or whose
/// header is broken stays in the catalogue, with the reason in Variant::broken.
[[nodiscard]] core::Catalogue read_catalogue(const std::filesystem::path& shaders);

/// One kernel file. The header is the run of `//!` lines at the top, TOML without them:
///   title, claim   text; required
///   expect         "correct", "races" or "diverges"; "correct" when left out
///   order          place in the ladder, from 0
///   covers         work items a workgroup covers in x, y, z: numbers or names of constants
///   extent         how the kernel shows what to do with sizes that tiles do not divide: "untiled",
///                  "padded" (the launch is rounded up to whole tiles, as when left out),
///                  "truncated" (rounded down; the kernel's edge does what is left over) or
///                  "divided" (by launches)
///   [[launch]]     launches in turn (core::LaunchPlan). kernel: a file of the folder without its
///                  suffix, "three/softmax", which may include what lies in this one; this file
///                  when left out. title: a few words, the kernel's when left out. Either sections
///                  (of "M", "R", "B", "C"; core/catalogue/sections.h): the launches together do
///                  all of them, each on the workgroups of its own. Or each launch has a grid of
///                  its own: extent* or groups*, push*, and [launch.constants] NAME = *; a launch
///                  whose groups are 0 by sizes, facts and launches before it is left out; what is
///                  left out is as the workload and the kernel's header say. Texts marked * are
///                  expressions
///   [[scratch]]    name, and words* (of 32 bits, for each workgroup of the first launch) or total*
///                  (for all together); lists are multiplied: buffers of the variant's own, bound
///                  after the workload's in all of its kernels
///   [constants]    NAME = { least, most, multiple_of, divides, power_of_two }: what a constant of
///                  the kernel may be. Each of the first four is a number, the name of another
///                  constant, or a list of them, multiplied; the last is true or false. NAME may be
///                  a constant that follows from others. Checked before anything is made of the
///                  values (lab/ready/constant_limits.h). Of the tile's constant, where it is not
///                  there: from 1 to twice the largest of tile.values, and tile.multiple_of
///   [tile]         constant (name), values (ascending numbers), preset (one of them), and
///                  multiple_of (what any other size must be a multiple of; 1 when left out,
///                  0: no other size)
/// `work` null: what its folder's name or its folder's workload.toml says.
/// `text` stands in the file's place, for one that is being edited.
[[nodiscard]] core::Variant read_variant(const std::filesystem::path& file,
                                         core::WorkloadPtr work = nullptr,
                                         std::optional<std::string> text = std::nullopt);

}  // namespace lab
