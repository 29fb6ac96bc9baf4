// A kernel whose barriers and accesses are in a file that it includes: the source panel shows that
// file.
#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/traces.h"

namespace {

core::Result result_with_include() {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  core::KernelFacts facts;
  facts.file = "a/kernel.comp";
  facts.barriers = {{.at = {3, 1, "a/body.glsl"},
                     .written = core::BarrierKind::shared,
                     .now = core::BarrierKind::shared}};
  facts.phases = {{.opened_by = 0, .lines = {1}, .included = {{"a/body.glsl", {2, 3}}}},
                  {.opened_by = 1, .lines = {}, .included = {{"a/body.glsl", {3, 4}}}}};
  core::Launch launch;
  launch.kernel = "matmul/tiled";
  launch.source = "#include \"body.glsl\"\n";
  launch.sources = {{"a/kernel.comp", launch.source},
                    {"a/body.glsl", "void body() {\n  first();\n  barrier();\n  last();\n}\n"}};
  launch.groups = {{0, 0, 0}, result.tiles.groups()};
  launch.facts = std::make_shared<const core::KernelFacts>(facts);
  result.facts = launch.facts;
  result.launches = {launch};
  return result;
}

TEST(IncludedSource, TheFileWithTheBarriersIsShownFirst) {
  const core::Result result = result_with_include();
  core::Scene scene;
  scene.experiment = result.experiment;
  tests::Stage stage(scene);
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "body.glsl")) << "a tab";
  EXPECT_TRUE(tests::shows(stage.trace(), "last"));
  stage.app().state().source_path = "a/kernel.comp";
  stage.draw(result);
  EXPECT_FALSE(tests::shows(stage.trace(), "last"));
  const auto own = ui::shown_kernel(stage.app().state(), result);
  EXPECT_TRUE(own.shows("")) << "places without a file are the kernel's own";
  EXPECT_TRUE(own.shows("a/kernel.comp"));
  EXPECT_FALSE(own.shows("a/body.glsl"));
}

TEST(IncludedSource, ItIsTurnedToWhereAFindingIs) {
  core::Result result = result_with_include();
  tests::add_races(result);
  core::CheckReport report = *result.races;
  for (core::RaceSide* side : {&report.findings[0].first, &report.findings[0].second}) {
    side->file = "a/body.glsl";
    side->line = 4;
  }
  result.races = std::make_shared<const core::CheckReport>(report);
  core::Scene scene;
  scene.experiment = result.experiment;
  tests::Stage stage(scene);
  stage.draw(result);
  stage.app().state().source_path = "a/kernel.comp";
  stage.app().press(ui::letter('c'));
  stage.draw(result);
  EXPECT_EQ(stage.app().state().source_path, "a/body.glsl");
}

// In the first frame already: a picture has no other.
TEST(IncludedSource, AViewThatShowsAccessesTurnsToTheirFile) {
  core::Result result = result_with_include();
  auto trace = *tests::matmul_trace(8, 1);
  for (core::TracedSite& site : trace.sites) {
    site.at = {.line = 1, .column = 1, .file = "a/kernel.comp"};
  }
  result.trace = std::make_shared<const core::Trace>(std::move(trace));
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.name = "tile";
  tests::Stage stage(scene);
  stage.draw(result);
  ASSERT_FALSE(stage.app().state().lit_lines.empty());
  EXPECT_EQ(stage.app().state().source_path, "a/kernel.comp");
}

}  // namespace
