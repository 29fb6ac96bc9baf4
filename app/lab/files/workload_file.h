// Reads `workload.toml`, which makes a folder of kernels a workload. Its keys; texts marked * are
// expressions of the sizes (core/catalogue/expression.h), and may be written as numbers:
//   title, about       required; the folder's name is the workload's
//   order              place in menus, after those in C++
//   extent             [x*, y*, z*], the work items of a launch; left out ones are 1
//   push               [word*, ...], the push constants; options that are numbers may be used too
//   flop, bytes        * of the answer; 0, and each buffer once, when left out
//   [[size]]           name, default, largest
//   [[option]]         name, default, meaning, and choices = [texts] or range = [low, high]
//   [[buffer]]         name; role = "input" or "output"; rows*, columns* (1 when left out);
//                      type = "float" or "uint"; components (1 to 4), drawn (of them), drawn_as;
//                      content (core::kContents, or an option that chooses one), factor* of random
//   [facts]            CONSTANT = *: what kernels may be specialized on
//   [items]            one, many, axes = [x, y, z]: what work items are called
//   [[writes]] (one), [[reads]]    buffer, rows = [first*, last*], columns = [first*, last*]: what
//   a
//                      box of work items from x0, y0, z0 to x1, y1, z1 (outside) touches
//   [reference]        name (core/workloads/references) with arguments = [*], or kernel (one of the
//                      folder's) with tolerance
//   [tests]            sizes = [[...], ...]: awkward ones
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/variant.h"
#include "core/catalogue/workload.h"

namespace lab {

/// The file's name in its folder.
inline constexpr const char* kWorkloadFile = "workload.toml";

struct WorkloadFile {
  core::WorkloadPtr work;
  int order = 0;
};

/// An error is one sentence that begins with file and line.
[[nodiscard]] core::Expected<WorkloadFile> read_workload_file(const std::filesystem::path& file);

}  // namespace lab
