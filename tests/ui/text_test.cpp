// No text of the interface is cut off or lies over another one, at any size and scale.
#include <gtest/gtest.h>

#include "core/report/advice.h"
#include "core/report/banks.h"
#include "ui/fixture.h"
#include "ui/traces.h"

namespace {

struct Run {
  const char* variant;
  core::Sizes sizes;
  std::uint32_t tile;
};

struct Case {
  const char* name;
  Run run;
  std::int64_t pointed = -1;
  bool help = false;
  bool error = false;
  const char* view = "";
  bool races = false;
  std::int64_t finding = -1;
  std::shared_ptr<const core::Trace> (*trace)() = nullptr;
  std::uint32_t moment = 0;
  bool by_bank = false;
  std::uint32_t site = 0;
  bool gaps = false;   // in the ladder: rungs that are missing, can't run, are refused, are due
  bool known = false;  // the device's multiprocessors, in the occupancy view
  std::shared_ptr<const core::Timeline> (*timeline)() = nullptr;
  float played = -1.0F;
  std::uint32_t lanes = 0;  // of a stream
  bool streaming = false;   // half of it
};

const Case kCases[] = {
    {.name = "matmul", .run = {"matmul/tiled", {512, 512, 512}, 16}},
    {.name = "pointed", .run = {"matmul/tiled", {200, 333, 120}, 16}, .pointed = 57},
    {.name = "transpose", .run = {"transpose/tiled", {999, 666}, 32}, .pointed = 300},
    {.name = "four ways", .run = {"transpose/divided", {999, 666}, 16}, .view = "extents"},
    {.name = "divided", .run = {"transpose/divided", {999, 666}, 16}, .pointed = 45},
    {.name = "bodies", .run = {"nbody/tiled", {1000}, 64}},
    {.name = "nbody grid", .run = {"nbody/tiled", {1000}, 64}, .pointed = 5, .view = "grid"},
    {.name = "lattice", .run = {"lavamd/tiled", {3, 100}, 64}, .races = true},
    {.name = "lattice of one box", .run = {"lavamd/tiled", {1, 7}, 32}, .races = true},
    {.name = "lattice untiled", .run = {"lavamd/naive", {9, 300}, 64}, .pointed = 711},
    {.name = "help", .run = {"matmul/naive", {64, 64, 64}, 8}, .help = true},
    {.name = "races", .run = {"matmul/tiled", {512, 512, 512}, 16}, .races = true},
    {.name = "chosen finding",
     .run = {"matmul/tiled", {64, 48, 80}, 16},
     .races = true,
     .finding = 0},
    {.name = "error", .run = {"matmul/tiled", {64, 64, 64}, 8}, .error = true},
    {.name = "inside",
     .run = {"matmul/tiled", {128, 128, 128}, 16},
     .pointed = 19,
     .view = "tile",
     .trace = [] { return tests::matmul_trace(16, 8); }},
    {.name = "inside moment",
     .run = {"matmul/tiled", {256, 256, 256}, 32},
     .pointed = 19,
     .view = "tile",
     .trace = [] { return tests::matmul_trace(32, 2); },
     .moment = 3},
    {.name = "inside race",
     .run = {"matmul/tiled", {128, 128, 128}, 16},
     .pointed = 19,
     .view = "tile",
     .trace = [] { return tests::matmul_trace(16, 3, false); }},
    {.name = "inside naive",
     .run = {"matmul/naive", {128, 128, 128}, 16},
     .pointed = 19,
     .view = "tile",
     .trace = tests::naive_trace},
    {.name = "inside transpose",
     .run = {"transpose/tiled", {512, 512}, 32},
     .pointed = 35,
     .view = "tile",
     .trace = tests::transpose_trace},
    {.name = "inside nbody",
     .run = {"nbody/tiled", {1024}, 64},
     .pointed = 3,
     .view = "tile",
     .trace = [] { return tests::nbody_trace(64); }},
    {.name = "inside by bank",
     .run = {"transpose/tiled", {512, 512}, 32},
     .pointed = 35,
     .view = "tile",
     .trace = tests::transpose_trace,
     .moment = 2,
     .by_bank = true},
    {.name = "banks",
     .run = {"transpose/tiled", {512, 512}, 32},
     .pointed = 35,
     .view = "banks",
     .trace = tests::transpose_trace},
    {.name = "banks of matmul",
     .run = {"matmul/tiled", {128, 128, 128}, 16},
     .view = "banks",
     .trace = [] { return tests::matmul_trace(16, 2); }},
    {.name = "banks of vectors",
     .run = {"nbody/tiled", {1024}, 64},
     .view = "banks",
     .trace = [] { return tests::nbody_trace(64); }},
    {.name = "sectors",
     .run = {"matmul/naive", {128, 128, 128}, 16},
     .view = "banks",
     .trace = tests::naive_trace,
     .site = 2},
    {.name = "banks nothing", .run = {"matmul/tiled", {64, 64, 64}, 16}, .view = "banks"},
    {.name = "inside nothing", .run = {"matmul/tiled", {64, 64, 64}, 16}, .view = "tile"},
    {.name = "roofline", .run = {"matmul/tiled", {4096, 4096, 4096}, 16}, .view = "roofline"},
    {.name = "roofline nbody", .run = {"nbody/tiled", {1000}, 64}, .view = "roofline"},
    {.name = "bandwidth", .run = {"transpose/tiled", {999, 666}, 32}, .view = "roofline"},
    {.name = "compare", .run = {"matmul/tiled", {512, 512, 512}, 16}, .view = "compare"},
    {.name = "compare gaps",
     .run = {"matmul/tiled", {512, 512, 512}, 16},
     .view = "compare",
     .gaps = true},
    {.name = "occupancy",
     .run = {"matmul/tiled", {512, 512, 512}, 16},
     .view = "occupancy",
     .known = true},
    {.name = "occupancy of an impossible tile",
     .run = {"matmul/tiled", {512, 512, 512}, 32},
     .view = "occupancy",
     .known = true},
    {.name = "occupancy without a tile",
     .run = {"matmul/registers", {512, 512, 512}, 16},
     .view = "occupancy",
     .known = true},
    {.name = "occupancy not known", .run = {"nbody/tiled", {1024}, 64}, .view = "occupancy"},
    {.name = "advice",
     .run = {"matmul/naive", {128, 128, 128}, 16},
     .view = "advice",
     .trace = tests::naive_trace},
    {.name = "advice staged",
     .run = {"nbody/tiled", {1024}, 64},
     .view = "advice",
     .trace = [] { return tests::nbody_trace(64); }},
    {.name = "barriers",
     .run = {"matmul/tiled", {64, 48, 80}, 16},
     .view = "barriers",
     .races = true},
    {.name = "timeline",
     .run = {"matmul/tiled", {512, 512, 512}, 16},
     .pointed = 57,
     .view = "timeline",
     .timeline = [] { return tests::timeline(1024, true); }},
    {.name = "timeline lanes played",
     .run = {"matmul/tiled", {128, 128, 128}, 16},
     .view = "timeline",
     .timeline = [] { return tests::timeline(64, false); },
     .played = 0.4F},
    {.name = "timeline nothing", .run = {"matmul/tiled", {64, 64, 64}, 16}, .view = "timeline"},
    {.name = "values", .run = {"matmul/tiled", {64, 48, 80}, 16}, .view = "values"},
    {.name = "values of vectors", .run = {"lavamd/tiled", {3, 100}, 64}, .view = "values"},
    {.name = "values nothing", .run = {"nbody/tiled", {1024}, 64}, .view = "values"},
    {.name = "stream",
     .run = {"matmul/tiled", {4096, 2048, 4096}, 16},
     .view = "stream",
     .lanes = 2},
    {.name = "stream under way",
     .run = {"matmul/tiled", {999, 4666, 333}, 16},
     .view = "stream",
     .lanes = 9,
     .streaming = true},
    {.name = "stream nothing", .run = {"matmul/tiled", {64, 64, 64}, 16}, .view = "stream"},
    {.name = "grid played",
     .run = {"matmul/tiled", {128, 128, 128}, 16},
     .pointed = 5,
     .timeline = [] { return tests::timeline(64, true); },
     .played = 0.4F},
    {.name = "long ladder",
     .run = {"matmul/tiled", {4096, 4096, 4096}, 16},
     .view = "roofline",
     .gaps = true},
};

constexpr float kSlack = 1.5F;  // pixels: glyphs' bounds are rounded

void check(const ui::TextTrace& trace, const std::string& what) {
  const auto& all = trace.entries;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ui::Rect inside = all[i].rect.inset(kSlack, kSlack);
    if (!all[i].scrolls && !inside.empty()) {
      EXPECT_TRUE(all[i].clip.contains(inside)) << what << ": \"" << all[i].text << "\" is cut off";
    }
    for (std::size_t j = 0; j < i; ++j) {
      const bool together = all[i].layer == all[j].layer && !all[i].scrolls && !all[j].scrolls;
      const ui::Rect other = all[j].rect.inset(kSlack, kSlack);
      EXPECT_FALSE(together && !inside.empty() && !other.empty() && inside.overlaps(other))
          << what << ": \"" << all[i].text << "\" lies over \"" << all[j].text << "\"";
    }
  }
}

// A long ladder, at work.
void add_gaps(core::Result& result) {
  result.comparing = true;
  for (std::uint32_t i = 0; i < 9; ++i) {
    core::Rung rung = result.ladder[1];
    rung.tile = 8 + i;
    rung.due = true;
    rung.measured = i % 3 != 0;
    if (i % 3 == 0) {
      rung.error = core::Error{core::Fault::usage,
                               "tile 64 needs 4096 invocations per workgroup; this device allows "
                               "1024, so choose a tile of at most 32"};
      rung.refused = i == 3;
    }
    result.ladder.push_back(rung);
  }
  result.ladder.push_back({.variant = "matmul/registers", .name = "registers"});
}

class Text : public testing::TestWithParam<Case> {};

TEST_P(Text, FitsAtEverySizeAndScale) {
  const Case& c = GetParam();
  core::Result result = tests::result_of(c.run.variant, c.run.sizes, c.run.tile);
  if (c.error) {
    result.error = core::Error{core::Fault::usage,
                               "tile 64 needs 4096 invocations per workgroup; this device allows "
                               "1024, so choose a tile of at most 32",
                               9};
  }
  if (c.races) {
    tests::add_races(result);
    tests::add_trials(result);
  }
  tests::add_ceilings(result);
  if (c.gaps) {
    add_gaps(result);
  }
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.finding = c.finding;
  scene.view.tile = c.pointed;
  scene.view.name = c.view;
  scene.view.settings["moment"] = std::int64_t{c.moment};
  scene.view.settings["by_bank"] = c.by_bank;
  scene.view.settings["site"] = std::int64_t{c.site};
  if (c.trace != nullptr) {
    result.trace = c.trace();
    result.banks = std::make_shared<const core::BankReport>(core::bank_report(*result.trace));
    result.advice = std::make_shared<const core::Advice>(
        core::advice_of(*result.trace, result.tiles.group_count()));
  }
  if (scene.view.name == "occupancy") {
    tests::add_occupancy(result, c.known);
  }
  result.timeline = c.timeline != nullptr ? c.timeline() : nullptr;
  scene.view.settings["played"] = static_cast<double>(c.played);
  result.stream = c.lanes > 0 ? tests::stream(c.run.sizes, c.lanes, c.streaming) : nullptr;
  for (const float scale : {0.75F, 1.0F, 1.5F, 2.0F, 3.0F}) {
    for (const glm::uvec2 size : {glm::uvec2(1024, 640), {1280, 800}, {1920, 1080}, {3840, 2160}}) {
      scene.view.scale = scale;
      scene.view.width = size.x;
      scene.view.height = size.y;
      tests::Stage stage(scene);
      stage.app().state().help = c.help;
      stage.draw(result);
      stage.draw(result);
      EXPECT_GE(stage.trace().entries.size(), 5U);
      check(stage.trace(), std::string(c.name) + ", " + std::to_string(size.x) + " × " +
                               std::to_string(size.y) + " at " + std::to_string(scale));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Text, testing::ValuesIn(kCases), [](const auto& given) {
  std::string name = given.param.name;
  std::erase(name, ' ');
  return name;
});

}  // namespace
