// No text of the interface is cut off or lies over another one, at any size and scale.
#include <gtest/gtest.h>

#include "core/banks.h"
#include "ui/fixture.h"
#include "ui/traces.h"

namespace {

struct Case {
  const char* name;
  const char* variant;
  core::Sizes sizes;
  std::uint32_t tile;
  std::int64_t pointed;
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
    {"matmul", "matmul/tiled", {512, 512, 512}, 16, -1},
    {"pointed", "matmul/tiled", {200, 333, 120}, 16, 57},
    {"transpose", "transpose/tiled", {999, 666}, 32, 300},
    {"bodies", "nbody/tiled", {1000}, 64, -1},
    {"nbody grid", "nbody/tiled", {1000}, 64, 5, false, false, "grid"},
    {"help", "matmul/naive", {64, 64, 64}, 8, -1, true},
    {"races", "matmul/tiled", {512, 512, 512}, 16, -1, false, false, "", true},
    {"chosen finding", "matmul/tiled", {64, 48, 80}, 16, -1, false, false, "", true, 0},
    {"error", "matmul/tiled", {64, 64, 64}, 8, -1, false, true},
    {"inside",
     "matmul/tiled",
     {128, 128, 128},
     16,
     19,
     false,
     false,
     "tile",
     false,
     -1,
     [] { return tests::matmul_trace(16, 8); }},
    {"inside moment",
     "matmul/tiled",
     {256, 256, 256},
     32,
     19,
     false,
     false,
     "tile",
     false,
     -1,
     [] { return tests::matmul_trace(32, 2); },
     3},
    {"inside race",
     "matmul/tiled",
     {128, 128, 128},
     16,
     19,
     false,
     false,
     "tile",
     false,
     -1,
     [] { return tests::matmul_trace(16, 3, false); }},
    {"inside naive",
     "matmul/naive",
     {128, 128, 128},
     16,
     19,
     false,
     false,
     "tile",
     false,
     -1,
     tests::naive_trace},
    {"inside transpose",
     "transpose/tiled",
     {512, 512},
     32,
     35,
     false,
     false,
     "tile",
     false,
     -1,
     tests::transpose_trace},
    {"inside nbody",
     "nbody/tiled",
     {1024},
     64,
     3,
     false,
     false,
     "tile",
     false,
     -1,
     [] { return tests::nbody_trace(64); }},
    {"inside by bank",
     "transpose/tiled",
     {512, 512},
     32,
     35,
     false,
     false,
     "tile",
     false,
     -1,
     tests::transpose_trace,
     2,
     true},
    {"banks",
     "transpose/tiled",
     {512, 512},
     32,
     35,
     false,
     false,
     "banks",
     false,
     -1,
     tests::transpose_trace},
    {"banks of matmul",
     "matmul/tiled",
     {128, 128, 128},
     16,
     -1,
     false,
     false,
     "banks",
     false,
     -1,
     [] { return tests::matmul_trace(16, 2); }},
    {"banks of vectors",
     "nbody/tiled",
     {1024},
     64,
     -1,
     false,
     false,
     "banks",
     false,
     -1,
     [] { return tests::nbody_trace(64); }},
    {"sectors",
     "matmul/naive",
     {128, 128, 128},
     16,
     -1,
     false,
     false,
     "banks",
     false,
     -1,
     tests::naive_trace,
     0,
     false,
     2},
    {"banks nothing", "matmul/tiled", {64, 64, 64}, 16, -1, false, false, "banks"},
    {"inside nothing", "matmul/tiled", {64, 64, 64}, 16, -1, false, false, "tile"},
    {"roofline", "matmul/tiled", {4096, 4096, 4096}, 16, -1, false, false, "roofline"},
    {"roofline nbody", "nbody/tiled", {1000}, 64, -1, false, false, "roofline"},
    {"bandwidth", "transpose/tiled", {999, 666}, 32, -1, false, false, "roofline"},
    {"compare", "matmul/tiled", {512, 512, 512}, 16, -1, false, false, "compare"},
    {"compare gaps",
     "matmul/tiled",
     {512, 512, 512},
     16,
     -1,
     false,
     false,
     "compare",
     false,
     -1,
     nullptr,
     0,
     false,
     0,
     true},
    {.name = "occupancy",
     .variant = "matmul/tiled",
     .sizes = {512, 512, 512},
     .tile = 16,
     .pointed = -1,
     .view = "occupancy",
     .known = true},
    {.name = "occupancy of an impossible tile",
     .variant = "matmul/tiled",
     .sizes = {512, 512, 512},
     .tile = 32,
     .pointed = -1,
     .view = "occupancy",
     .known = true},
    {.name = "occupancy without a tile",
     .variant = "matmul/registers",
     .sizes = {512, 512, 512},
     .tile = 16,
     .pointed = -1,
     .view = "occupancy",
     .known = true},
    {.name = "occupancy not known",
     .variant = "nbody/tiled",
     .sizes = {1024},
     .tile = 64,
     .pointed = -1,
     .view = "occupancy"},
    {.name = "timeline",
     .variant = "matmul/tiled",
     .sizes = {512, 512, 512},
     .tile = 16,
     .pointed = 57,
     .view = "timeline",
     .timeline = [] { return tests::timeline(1024, true); }},
    {.name = "timeline lanes played",
     .variant = "matmul/tiled",
     .sizes = {128, 128, 128},
     .tile = 16,
     .pointed = -1,
     .view = "timeline",
     .timeline = [] { return tests::timeline(64, false); },
     .played = 0.4F},
    {.name = "timeline nothing",
     .variant = "matmul/tiled",
     .sizes = {64, 64, 64},
     .tile = 16,
     .pointed = -1,
     .view = "timeline"},
    {.name = "stream",
     .variant = "matmul/tiled",
     .sizes = {4096, 2048, 4096},
     .tile = 16,
     .pointed = -1,
     .view = "stream",
     .lanes = 2},
    {.name = "stream under way",
     .variant = "matmul/tiled",
     .sizes = {999, 4666, 333},
     .tile = 16,
     .pointed = -1,
     .view = "stream",
     .lanes = 9,
     .streaming = true},
    {.name = "stream nothing",
     .variant = "matmul/tiled",
     .sizes = {64, 64, 64},
     .tile = 16,
     .pointed = -1,
     .view = "stream"},
    {.name = "grid played",
     .variant = "matmul/tiled",
     .sizes = {128, 128, 128},
     .tile = 16,
     .pointed = 5,
     .timeline = [] { return tests::timeline(64, true); },
     .played = 0.4F},
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
                               "tile 64 needs 4096 invocations a workgroup; this device allows "
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
  core::Result result = tests::result_of(c.variant, c.sizes, c.tile);
  if (c.error) {
    result.error = core::Error{core::Fault::usage,
                               "tile 64 needs 4096 invocations a workgroup; this device allows "
                               "1024, so choose a tile of at most 32",
                               9};
  }
  if (c.races) {
    tests::add_races(result);
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
  scene.view.moment = c.moment;
  scene.view.by_bank = c.by_bank;
  scene.view.site = c.site;
  if (c.trace != nullptr) {
    result.trace = c.trace();
    result.banks = std::make_shared<const core::BankReport>(core::bank_report(*result.trace));
  }
  if (scene.view.name == "occupancy") {
    tests::add_occupancy(result, c.known);
  }
  result.timeline = c.timeline != nullptr ? c.timeline() : nullptr;
  scene.view.played = c.played;
  result.stream = c.lanes > 0 ? tests::stream(c.sizes, c.lanes, c.streaming) : nullptr;
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
