// `bench ui`: what a frame of the window costs, also while a kernel runs, and how long a click on a
// barrier takes until its races are on screen, and a saved kernel until its answer is.
#pragma once

#include "cli/command.h"

namespace cli {

[[nodiscard]] Outcome bench_ui(const Common& common, const Library& library,
                               const core::Experiment& given);

}  // namespace cli
