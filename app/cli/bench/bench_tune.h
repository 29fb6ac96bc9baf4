// `bench --tune`: the best tile and constants of a kernel on this device, found and remembered.
#pragma once

#include "cli/command.h"

namespace cli {

/// `names` are variants, or workloads for all their variants that leave something to choose.
[[nodiscard]] Outcome bench_tune(const Common& common, const Library& library,
                                 const std::vector<std::string>& names,
                                 const core::Experiment& experiment, std::uint32_t repeat);

}  // namespace cli
