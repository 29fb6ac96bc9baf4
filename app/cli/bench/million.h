// What a frame costs with a million tiles: their numbers are made up, since no device at hand need
// be able to launch so many in good time; what is drawn and how is not.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/report/timing.h"
#include "core/work/result.h"

namespace cli {

/// CPU time of frames, ms.
struct MillionFrames {
  std::string view;     ///< "grid" or "timeline"
  bool played = false;  ///< the launch is played back meanwhile
  std::uint64_t tiles = 0;
  core::Spread ms;
};

struct Surroundings {
  const core::Catalogue& catalogue;
  std::span<const core::DeviceInfo> devices;
};

/// `like` is a run of matmul/tiled, whose other parts are kept.
[[nodiscard]] core::Expected<std::vector<MillionFrames>> measure_million(
    const core::Result& like, const Surroundings& surroundings);
void print_million(const std::vector<MillionFrames>& all);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<MillionFrames>& all);

}  // namespace cli
