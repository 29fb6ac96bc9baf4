// The steps that a Result is made by, in their order. Whoever shows one says which it needs, and
// nothing else runs.
#pragma once

#include <set>

namespace core {

enum class Step {
  verify,     ///< one launch, compared with the reference
  measure,    ///< plain launches, timed
  fields,     ///< heat maps of the buffers
  occupancy,  ///< with what the driver tells of each tile
  check,      ///< the sanitizer
  trace,      ///< of one workgroup: traffic, banks, advice
  timeline,   ///< of all workgroups
  trials,     ///< every barrier as every kind
  stream,     ///< the work from host memory
  ceilings,   ///< of the device
  simulate,   ///< chained launches
  ladder,     ///< the workload's other variants, timed
};

using Steps = std::set<Step>;

}  // namespace core
