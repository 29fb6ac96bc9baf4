#include "cli/bench/million.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <utility>

#include <fmt/format.h>

#include "cli/json/result_json.h"
#include "core/base/random.h"
#include "core/catalogue/workload.h"
#include "core/report/timeline.h"
#include "studio/studio.h"

namespace cli {
namespace {

constexpr std::uint32_t kSide = 8192;  // of C; 1024 × 1024 tiles of 8 × 8
constexpr std::uint32_t kMultiprocessors = 132;
constexpr std::uint32_t kPlaces = 8;  // on each

// Each place takes the next tile as soon as it is free.
core::Timeline made_up_timeline(std::uint64_t tiles) {
  core::Timeline t;
  t.tells_multiprocessor = true;
  t.multiprocessors = kMultiprocessors;
  t.warps_per_multiprocessor = 64;
  t.tick_source = "made up";
  using Place = std::pair<std::uint64_t, std::uint32_t>;  // free from; number
  std::priority_queue<Place, std::vector<Place>, std::greater<>> places;
  for (std::uint32_t n = 0; n < kMultiprocessors * kPlaces; ++n) {
    places.emplace(5000 + core::mix(n) % 1000, n);
  }
  for (std::uint64_t tile = 0; tile < tiles; ++tile) {
    const auto [free, place] = places.top();
    places.pop();
    const std::uint64_t end = free + 20'000 + core::mix(tile) % 10'000;
    t.tiles.push_back({free, end, place % kMultiprocessors, place / kMultiprocessors * 8});
    t.length = std::max(t.length, end + 2000);
    places.emplace(end + 500, place);
  }
  core::derive(t);
  return t;
}

core::Result made_up(core::Result r) {
  const core::Workload& workload = *r.work;
  r.experiment.size = r.problem.sizes = {kSide, kSide, 8};
  r.buffers = workload.buffers(r.problem.sizes);
  r.tiles.extent = workload.extent(r.problem.sizes);
  for (std::size_t i = 0; i < r.fields.size(); ++i) {
    if (r.fields[i]) {
      core::Field field = *r.fields[i];
      field.rows = r.buffers[i].rows;
      field.columns = r.buffers[i].columns;
      r.fields[i] = std::make_shared<const core::Field>(std::move(field));
    }
  }
  r.launches.clear();
  r.groups_done = r.tiles.group_count();
  r.races.reset();
  r.trace.reset();
  r.timeline = std::make_shared<const core::Timeline>(made_up_timeline(r.tiles.group_count()));
  return r;
}

}  // namespace

core::Expected<std::vector<MillionFrames>> measure_million(const core::Result& like,
                                                           const Surroundings& surroundings) {
  const core::Result result = made_up(like);
  std::vector<MillionFrames> all;
  for (const char* view : {"grid", "timeline"}) {
    for (const bool played : {false, true}) {
      core::Scene scene;
      scene.experiment = result.experiment;
      scene.view.name = view;
      scene.view.settings["coloured_by"] = "duration";
      auto spread = studio::measure_frames({result, surroundings.catalogue, surroundings.devices},
                                           scene, 300, {.play = played});
      if (!spread) {
        return std::unexpected(spread.error());
      }
      all.push_back({view, played, result.tiles.group_count(), *spread});
    }
  }
  return all;
}

void print_million(const std::vector<MillionFrames>& all) {
  for (const MillionFrames& m : all) {
    fmt::print(
        "UI: the same, {} tiles with a made-up timeline, {}{}: median {:.3f} ms, p95 {:.3f}\n",
        m.tiles, m.view, m.played ? " played back" : "", m.ms.median, m.ms.p95);
  }
}

nlohmann::ordered_json to_json(const std::vector<MillionFrames>& all) {
  auto json = nlohmann::ordered_json::array();
  for (const MillionFrames& m : all) {
    json.push_back({{"view", m.view},
                    {"played_back", m.played},
                    {"tiles", m.tiles},
                    {"made_up", true},
                    {"ui_frame_cpu_ms", to_json(m.ms)}});
  }
  return json;
}

}  // namespace cli
