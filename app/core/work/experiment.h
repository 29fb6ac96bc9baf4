// An experiment: plain data that determines a run completely. An empty or zero field stands for the
// workload's or the variant's own choice; lab/ready/workbench.h resolves them, so that the
// experiment inside a Result has every field filled in.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/work/barriers.h"

namespace core {

/// Sizes of a workload in the order of its size names, "M,N,W". Each is at least 1.
using Sizes = std::vector<std::uint32_t>;

/// `--set NAME=VALUE`: a specialization constant of the kernel, or an option of the workload
/// ("start=ball"). Which of the two a name is, the variant and the workload decide.
using Settings = std::map<std::string, std::string>;

struct Experiment {
  std::string variant = "matmul/tiled";  ///< "workload/name"
  Sizes size;                            ///< empty: the workload's default
  std::uint32_t tile = 0;                ///< 0: the variant's default
  Settings settings;
  BarrierEdits barriers;  ///< of the kernel, before anything else is done with it
  std::string device;     ///< index, or part of the name; empty: the first, real GPUs before CPUs
  std::uint64_t seed = 1;

  bool operator==(const Experiment&) const = default;
  [[nodiscard]] std::string workload() const { return variant.substr(0, variant.find('/')); }
};

/// "512,512,512"; the error names the part that is not a number of at least 1.
[[nodiscard]] std::string to_string(const Sizes& sizes);

}  // namespace core
