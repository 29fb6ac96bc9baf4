#include "cli/bench/frames.h"

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
#include "ui/model.h"

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
  t.tick_source = "synthetic";
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

// One scene and what is done in it.
struct Shot {
  std::string name;
  const core::Result& result;
  core::Scene scene;
  studio::StudioOptions options;
  // Fewer of those that take a CPU that plays a GPU long to raster, which is not what is measured.
  [[nodiscard]] std::size_t frames() const { return scene.view.width > 1920 ? 60 : 300; }
};

core::Scene on_4k(core::Scene scene) {
  scene.view.width = 3840;
  scene.view.height = 2160;
  scene.view.scale = 2.0F;
  return scene;
}

studio::StudioOptions in_lesson(std::span<const core::Lesson> lessons) {
  studio::StudioOptions options;
  options.lessons.assign(lessons.begin(), lessons.begin() + 1);
  options.stand = studio::LessonStand{};
  return options;
}

std::vector<Shot> shots(const RunScene& as_it_opens, const RunScene& traced,
                        const core::Result& million, std::span<const core::Lesson> lessons) {
  const auto& [like, scene] = as_it_opens;
  const studio::StudioOptions edit{.edit = true};
  const studio::StudioOptions type{.edit = true, .type = true};
  const studio::StudioOptions play{.play = true};
  std::vector<Shot> all{{"first screen", like, scene, {}},
                        {"editor", like, scene, edit},
                        {"editor, a key typed in each frame", like, scene, type},
                        {"4K", like, on_4k(scene), {}},
                        {"4K, editor, a key typed in each frame", like, on_4k(scene), type}};
  if (!lessons.empty()) {
    all.push_back({"lesson", like, scene, in_lesson(lessons)});
    all.push_back({"4K, lesson", like, on_4k(scene), in_lesson(lessons)});
  }
  all.push_back({"a race", traced.result, traced.scene, {}});
  all.push_back({"4K, a race", traced.result, on_4k(traced.scene), {}});
  for (const char* view : {"grid", "timeline"}) {
    core::Scene many;
    many.experiment = million.experiment;
    many.view.name = view;
    many.view.settings["coloured_by"] = "duration";
    all.push_back({"a million tiles", million, many, {}});
    all.push_back({"a million tiles, played back", million, many, play});
    all.push_back({"4K, a million tiles, played back", million, on_4k(many), play});
  }
  return all;
}

}  // namespace

core::Expected<void> measure_scenes(const RunScene& like, const RunScene& traced,
                                    const Surroundings& surroundings,
                                    const std::function<void(const SceneFrames&)>& take) {
  const core::Result million = made_up(like.result);
  for (const Shot& shot : shots(like, traced, million, surroundings.lessons)) {
    const core::View& view = shot.scene.view;
    const auto cost =
        TRY(studio::measure_frames({shot.result, surroundings.catalogue, surroundings.devices},
                                   shot.scene, shot.frames(), shot.options));
    take({.scene = shot.name,
          .view = ui::current_view(view, shot.result),
          .width = view.width,
          .height = view.height,
          .tiles = shot.result.tiles.group_count(),
          .played = shot.options.play,
          .made_up = &shot.result == &million,
          .ms = cost.ms,
          .record_ms = cost.record_ms});
  }
  return {};
}

void print_scene(const SceneFrames& s) {
  fmt::print(
      "  {:<40} {:<8} {:>4} x {:<4} {:>9} tiles{}: median {:.3f} ms, p95 {:.3f}, recording "
      "{:.3f}\n",
      s.scene, s.view, s.width, s.height, s.tiles, s.made_up ? " (synthetic)" : "", s.ms.median,
      s.ms.p95, s.record_ms.median);
}

nlohmann::ordered_json to_json(std::span<const SceneFrames> all) {
  auto json = nlohmann::ordered_json::array();
  for (const SceneFrames& s : all) {
    json.push_back({{"scene", s.scene},
                    {"view", s.view},
                    {"resolution", {s.width, s.height}},
                    {"played_back", s.played},
                    {"tiles", s.tiles},
                    {"made_up", s.made_up},
                    {"ui_frame_cpu_ms", to_json(s.ms)},
                    {"record_cpu_ms", to_json(s.record_ms)}});
  }
  return json;
}

}  // namespace cli
