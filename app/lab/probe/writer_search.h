// Finds the workgroup that writes an element of a buffer, by tracing workgroups until one does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <glm/vec3.hpp>

#include "core/provenance/element.h"
#include "core/provenance/provenance.h"
#include "core/work/result.h"
#include "lab/ready/workbench.h"
#include "lab/run/launch.h"

namespace lab {

struct WriterSearch {
  core::ElementName element;
  std::optional<glm::uvec3> workgroup = {};  ///< the only one to trace
  std::uint64_t most_traces = 4096;
  SliceObserver observer = {};  ///< asked after each trace; false: stop
};

/// Result of the search for the workgroup that writes an element.
struct FoundWriter {
  std::size_t launch = 0;                    ///< of a launch sequence, from 0
  std::shared_ptr<const core::Trace> trace;  ///< of the workgroup that writes the element
  core::TracedScalar scalar;
  std::optional<core::Provenance> provenance;  ///< nothing: no traced workgroup writes it
  std::uint64_t traced = 0;                    ///< workgroups
  bool all = false;                            ///< all workgroups were traced
};
/// Looks through the launches from the last to the first. Usage error: no launch has that variable.
[[nodiscard]] core::Expected<FoundWriter> find_writer(Workbench& bench, Setup& setup,
                                                      const WriterSearch& search);

}  // namespace lab
