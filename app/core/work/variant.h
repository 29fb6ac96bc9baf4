// A variant: one kernel file of a workload. Its first comment lines (`//!`) are TOML and say what
// it is; the rest is GLSL. lab/catalogue.h reads the files.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/work/precision.h"
#include "core/work/sections.h"

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

/// Device memory that a kernel's workgroups use between them, bound after the workload's buffers.
/// All zeros when a launch begins; a launch that ends leaves what counts at zero.
struct ScratchSpec {
  std::string name;                ///< "partial"
  std::vector<std::string> words;  ///< of 32 bits: numbers and constants, multiplied
  bool for_all = false;            ///< that many in all, not a workgroup
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
  std::vector<ScratchSpec> scratch;
  std::filesystem::path file;
  std::string source;           ///< the whole file
  std::optional<Error> broken;  ///< why the file can't be used; the rest may then be empty

  /// A kernel that belongs to no workload is known by its path.
  [[nodiscard]] std::string id() const {
    return workload.empty() ? file.string() : workload + "/" + name;
  }
  [[nodiscard]] bool truncated() const { return extent == "truncated"; }
  [[nodiscard]] bool has_tile() const { return !tile.values.empty(); }
};

[[nodiscard]] std::string to_string(Expectation expectation);

}  // namespace core
