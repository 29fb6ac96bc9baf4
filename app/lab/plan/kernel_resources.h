// What a kernel without a workload is given, chosen from its interface.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/tile_map.h"
#include "core/work/dispatch.h"
#include "core/work/experiment.h"
#include "spirv/reflection/reflect.h"

namespace lab {

struct ChosenResources {
  std::vector<core::Resource> resources;  ///< by set, binding, element; addressed ones last
  std::vector<std::string> members;       ///< of uniform blocks: "n=1000"
};

/// Buffers with an element for each invocation and more, images as large as the launch, in the
/// kernel's format or floats where it leaves that open; runtime arrays of descriptors with four, or
/// as many as `--buffer NAME[I]` names; memory for every address. `taken` gets the names of the
/// settings that are members of blocks.
[[nodiscard]] core::Expected<ChosenResources> choose_resources(const core::Experiment& experiment,
                                                               const spirv::Interface& interface,
                                                               const core::TileMap& tiles,
                                                               std::set<std::string>& taken);

}  // namespace lab
