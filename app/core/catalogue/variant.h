// A variant: one kernel file of a workload. Its first comment lines (`//!`) are TOML and say what
// it is; the rest is GLSL. lab/ready/catalogue_files.h reads the files.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/precision.h"
#include "core/catalogue/sections.h"
#include "core/catalogue/wave_offers.h"

namespace core {

class Workload;

/// What a kernel's header promises of it; the tests hold it to that.
enum class Expectation { correct, races, diverges };

/// The tile sizes that a kernel is made for. `constant` names the specialization constant.
struct TileRange {
  std::string constant;
  std::vector<std::uint32_t> values;  ///< ascending; empty: the kernel has no tile to choose
  std::uint32_t preset = 0;           ///< the one taken when nothing is said
  std::uint32_t multiple_of = 1;      ///< what other sizes must be multiples of; 0: no others
};

/// One dimension of what a workgroup covers: a number, or the name of a constant of the kernel.
using Covers = std::string;

/// Device memory that a variant's kernels use between their workgroups, and pass on from launch to
/// launch, bound after the workload's buffers. All zeros when a run begins; a run that ends leaves
/// what counts at zero. Where workgroups share tiles it is for those alone, in their order.
struct ScratchSpec {
  std::string name;  ///< "partial"
  /// Words of 32 bits: expressions (core/catalogue/expression.h) of the names of LaunchPlan, of all
  /// launches, multiplied.
  std::vector<std::string> words;
  bool for_all = false;  ///< that many in all, not for each workgroup of the first launch
};

/// One launch of a variant. Either each launch does some sections of one extent, or each is a
/// launch of its own, on a grid of its own. Texts are expressions (core/catalogue/expression.h) of
/// the sizes, of the constants of its kernel and of those of the launches before it, and of
/// groups1, groups1_x, groups1_y, groups1_z, groups2 …: the workgroups of launches before it.
struct LaunchPlan {
  std::string kernel;  ///< a kernel of the variant's folder, "three/softmax"; empty: its own file
  std::string title;   ///< empty: the kernel's own
  std::vector<Section> sections;
  std::vector<std::string> extent;  ///< work items in x, y, z; empty: as the workload says
  std::vector<std::string> groups;  ///< workgroups instead
  std::vector<std::string> push;    ///< words of push constants; empty: as the workload says
  std::map<std::string, std::string> constants;  ///< of the kernel, by name; whole numbers
  bool operator==(const LaunchPlan&) const = default;
};

/// Numbers and names of constants, multiplied: {"UNROLL", "SHARES"}.
using Factors = std::vector<std::string>;

/// What a constant of a kernel may be. An empty product is no rule.
struct ConstantRule {
  Factors least;
  Factors most;
  Factors multiple_of;
  Factors divides;
  bool power_of_two = false;
};

struct Variant {
  std::string workload;                  ///< folder name, "matmul"
  std::shared_ptr<const Workload> work;  ///< what its folder's kernels do; null: nobody knows
  std::string name;                      ///< file name without suffix, "tiled"
  std::string title;                     ///< a few words for menus
  std::string claim;  ///< one line: what this kernel does differently, in numbers where possible
  Expectation expect = Expectation::correct;
  int order = 0;  ///< place in the ladder; the smallest is what speed-ups are measured against
  TileRange tile;
  std::vector<std::string> transposed;    ///< inputs that this kernel finds stored transposed, "B"
  Precision precision = Precision::fp32;  ///< of the inputs, as this kernel finds them stored
  std::vector<std::string> needs;         ///< of a device, see core/work/needs.h
  /// Constants that the tuner may choose, beside the tile, and the values to try.
  std::map<std::string, std::vector<std::uint32_t>> tune;
  /// What specialization constants, and constants that follow from them, may be; by name.
  std::map<std::string, ConstantRule> constants;
  std::array<Covers, 3>
      covers;  ///< work items a workgroup covers in x, y, z; empty: its local size
  /// How it deals with sizes that tiles do not divide, where it is made to show that: "untiled",
  /// "padded", "truncated" (its launch is rounded down to whole tiles) or "divided" (it has
  /// `launches`).
  std::string extent;
  std::vector<LaunchPlan> launches;  ///< in turn; empty: one, of this kernel on all of it
  std::map<std::string, std::string>
      texts;  ///< of kernels that it launches, instead of their files'
  std::vector<ScratchSpec> scratch;
  WaveOffers model;  ///< what it can be launched like, for a model to choose among
  std::filesystem::path file;
  std::string source;           ///< the whole file
  std::optional<Error> broken;  ///< why the file can't be used; the rest may then be empty

  /// A kernel that belongs to no workload is known by its path.
  [[nodiscard]] std::string id() const {
    return workload.empty() ? file.string() : workload + "/" + name;
  }
  /// It launches a kernel of that id, which is not its own.
  [[nodiscard]] bool launches_kernel(const std::string& kernel_id) const {
    return std::ranges::any_of(launches, [&](const LaunchPlan& launch) {
      return !launch.kernel.empty() && workload + "/" + launch.kernel == kernel_id;
    });
  }
  [[nodiscard]] bool truncated() const { return extent == "truncated"; }
  [[nodiscard]] bool has_tile() const { return !tile.values.empty(); }
};

[[nodiscard]] std::string to_string(Expectation expectation);

}  // namespace core
