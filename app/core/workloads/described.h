// A workload that is data: a folder's workload.toml (lab/files/workload_file.h reads it) or
// whatever else describes one. All formulas are expressions (core/catalogue/expression.h) of the
// sizes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/workload.h"

namespace core {

struct DescribedSize {
  std::string name;
  std::uint32_t preset = 1;
  std::uint32_t largest = UINT32_MAX;
};

/// What an input holds. Random: core::fill_random, times a factor; integers: whole numbers from −4
/// to 4 without 0, which float32 adds exactly; rank-one: one random column times one random row
/// of numbers from 1/4 to 1; bytes, same-bytes and bell-bytes: four a word, uniform, all the same
/// or around the middle.
inline constexpr std::array<const char*, 8> kContents{
    "random", "integers", "rank-one", "zero", "iota", "bytes", "same-bytes", "bell-bytes"};

struct DescribedBuffer {
  std::string name;
  Role role = Role::input;
  std::string rows = "1", columns = "1";
  bool whole = false;  ///< words are unsigned integers
  std::uint32_t components = 1;
  std::uint32_t drawn = 0;
  std::string drawn_as = "value";
  std::string content = "random";  ///< one of kContents, or the name of an option that chooses one
  std::string factor = "1";        ///< of random contents
};

/// Part of a buffer that the work items of a box touch: expressions of the sizes and of x0, x1, y0,
/// y1, z0, z1, the box's first and last (outside) items. An empty one: from the start, to the end.
struct DescribedRegion {
  std::string buffer;
  std::array<std::string, 2> rows, columns;
};

struct WorkloadDescription {
  std::string name, title, about;
  std::vector<DescribedSize> sizes;
  std::vector<OptionSpec> options;
  std::vector<DescribedBuffer> buffers;
  std::vector<std::string> push;             ///< one a word; fractions become float32
  std::map<std::string, std::string> facts;  ///< specialization constants by name
  std::array<std::string, 3> extent{"1", "1", "1"};
  std::string flops = "0";
  std::string bytes;  ///< empty: each buffer once
  ItemNames items;
  std::vector<DescribedRegion> writes, reads;  ///< at most one of writes
  std::string reference;                       ///< one of core/workloads/references
  std::vector<std::string> arguments;          ///< of the reference
  std::string reference_kernel;                ///< instead: one of the folder's kernels
  double tolerance = 1e-5;   ///< with a reference kernel: of the largest magnitude
  std::vector<Sizes> tests;  ///< Workload::awkward_sizes
};

/// Errors are one sentence that names the part which is wrong: what can't be parsed, a name that
/// nothing has, a formula that fails at the sizes' defaults, shapes that the reference does not
/// fit.
[[nodiscard]] Expected<WorkloadPtr> make_workload(WorkloadDescription description);

}  // namespace core
