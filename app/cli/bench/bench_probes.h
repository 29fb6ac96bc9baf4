// `bench probes`: what checking and tracing cost on this device.
#pragma once

#include "cli/command.h"

namespace cli {

[[nodiscard]] Outcome bench_probes(const Common& common, const Library& library,
                                   const std::string& device);

}  // namespace cli
