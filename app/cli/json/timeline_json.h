// A timeline as JSON: its figures, and arrays with one entry a workgroup, in launch order.
#pragma once

#include <nlohmann/json.hpp>

#include "core/catalogue/tile_map.h"
#include "core/report/timeline.h"

namespace cli {

[[nodiscard]] nlohmann::ordered_json to_json(const core::Timeline& timeline,
                                             const core::TileMap& tiles);

}  // namespace cli
