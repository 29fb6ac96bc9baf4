// What a window of a projector, 1280 × 720 at scale 2, still shows and says; and that sentences
// which come and go cover nothing that they speak of.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/model/time_bound.h"
#include "core/report/advice.h"
#include "core/report/banks.h"
#include "ui/canvas/layout.h"
#include "ui/copy.h"
#include "ui/editor/editor.h"
#include "ui/fixture.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/traces.h"

namespace {

core::Scene on_projector(const core::Result& result, const char* view) {
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.name = view;
  scene.view.width = 1280;
  scene.view.height = 720;
  scene.view.scale = 2.0F;
  return scene;
}

void draw(tests::Stage& stage, const core::Result& result) {
  for (int i = 0; i < 4; ++i) {
    stage.draw(result);
  }
}

TEST(Projector, AStreamHasItsPicture) {
  core::Result result = tests::result_of("matmul/tiled", {256, 192, 200}, 16);
  result.stream = tests::stream({256, 192, 200}, 2, false);
  tests::Stage stage(on_projector(result, "stream"));
  draw(stage, result);
  EXPECT_TRUE(tests::shows(stage.trace(), "host clock"));
  EXPECT_TRUE(tests::shows(stage.trace(), "C, 256×192"));
  EXPECT_TRUE(tests::shows(stage.trace(), "C is right"));
  EXPECT_TRUE(tests::shows(stage.trace(), "overlap"));
  for (const auto& entry : stage.trace().entries) {
    EXPECT_EQ(entry.text.find("accele…"), std::string::npos) << entry.text;
  }
}

// Of names that are as long as their column the end is what tells them apart.
TEST(Projector, RungsOfOneVariantAreToldApart) {
  core::Result result = tests::result_of("transpose/tiled", {64, 64}, 32);
  core::Rung rung = result.ladder.front();
  result.ladder.clear();
  for (const std::uint32_t tile : {8U, 16U, 32U}) {
    rung.title = "Tiled, and a column more";
    rung.tile = tile;
    result.ladder.push_back(rung);
  }
  tests::Stage stage(on_projector(result, "compare"));
  draw(stage, result);
  EXPECT_FALSE(std::ranges::any_of(stage.trace().entries, [](const auto& e) {
    return (e.text.starts_with("measured") || e.text.starts_with("ms;")) && e.text.ends_with("…");
  })) << "how they were measured is said in the room that there is";
  for (const char* tile : {" 8", " 16", " 32"}) {
    EXPECT_TRUE(std::ranges::any_of(stage.trace().entries, [&](const auto& e) {
      return e.text.starts_with("Tiled") && e.text.ends_with(tile);
    })) << tile;
  }
}

TEST(Projector, TheLadderKeepsItsTiles) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 16);
  core::Scene scene;
  scene.experiment = result.experiment;
  core::Catalogue catalogue = tests::catalogue();
  std::vector<core::Variant> all(catalogue.all().begin(), catalogue.all().end());
  for (core::Variant& variant : all) {
    if (variant.id() == "matmul/tiled") {
      variant.title = "Tiled, with a column more than before";
    }
  }
  scene.view.width = 1024;
  scene.view.height = 768;
  tests::Stage stage(
      scene, {std::move(all), {catalogue.workloads().begin(), catalogue.workloads().end()}});
  draw(stage, result);
  EXPECT_TRUE(std::ranges::any_of(stage.trace().entries, [](const auto& e) {
    return e.text.starts_with("Tiled,") && e.text.find("…") != std::string::npos &&
           e.text.ends_with(" 16");
  }));
}

TEST(Projector, WaysToLaunchHaveNamesThatAreRead) {
  const core::Result result = tests::result_of("transpose/padded", {99, 66}, 16);
  tests::Stage stage(on_projector(result, "extents"));
  draw(stage, result);
  EXPECT_TRUE(tests::shows(stage.trace(), "Four ways"));
  for (const auto& entry : stage.trace().entries) {
    EXPECT_FALSE(entry.text.starts_with("Padded") && entry.text.ends_with("…")) << entry.text;
    EXPECT_FALSE(entry.text.starts_with("Four") && entry.text.ends_with("…")) << entry.text;
  }
}

// A column that has no room is told of, and what all are compared with is once as fast as itself.
TEST(Projector, BarriersThatHaveNoRoomAreCounted) {
  core::Result result = tests::result_of("matmul/tiled", {256, 192, 200}, 16);
  core::KernelFacts facts;
  facts.barriers.resize(5);
  result.facts = std::make_shared<const core::KernelFacts>(facts);
  tests::add_trials(result);
  tests::Stage stage(on_projector(result, "barriers"));
  draw(stage, result);
  const auto& entries = stage.trace().entries;
  const auto columns = std::ranges::count_if(entries, [](const auto& e) {
    return e.text.size() == std::string("barrier 1").size() && e.text.starts_with("barrier ") &&
           e.layer == 0;
  });
  EXPECT_TRUE(tests::shows(stage.trace(), "all barriers"));
  EXPECT_TRUE(tests::shows(stage.trace(),
                           fmt::format("and each of {} more barriers by itself", 5 - columns)));
  EXPECT_EQ(std::ranges::count(entries, "1×", &ui::TextTrace::Entry::text), 1);
  const bool all = std::ranges::count(entries, "off", &ui::TextTrace::Entry::text) > 0;
  EXPECT_TRUE(all || tests::shows(stage.trace(), "more kinds"));
}

// The title gives way to what is chosen beside it, how the figures came about does not.
TEST(Projector, ATimelineIsToldToBeInstrumented) {
  core::Result result = tests::result_of("matmul/tiled", {256, 192, 200}, 16);
  core::Timeline timeline = *tests::timeline(result.tiles.group_count(), false);
  timeline.length *= 3;
  core::derive(timeline);
  result.timeline = std::make_shared<const core::Timeline>(timeline);
  core::Scene scene = on_projector(result, "timeline");
  for (const int width : {1280, 800}) {
    scene.view.width = static_cast<std::uint32_t>(width);
    tests::Stage stage(scene);
    draw(stage, result);
    EXPECT_TRUE(std::ranges::any_of(stage.trace().entries, [](const auto& e) {
      return e.text.starts_with("instrumented: ");
    })) << width;
  }
  scene.view.width = 1280;
  scene.view.scale = 1.0F;
  tests::Stage stage(scene);
  draw(stage, result);
  EXPECT_TRUE(tests::shows(stage.trace(), "tiles ran for "));
}

// Nobody guesses which of three stripes is which.
TEST(Projector, AStreamsRowsHaveTheirNames) {
  core::Result result = tests::result_of("matmul/tiled", {256, 192, 200}, 16);
  result.stream = tests::stream({256, 192, 200}, 2, false);
  core::Scene scene = on_projector(result, "stream");
  tests::Stage narrow(scene);
  draw(narrow, result);
  EXPECT_TRUE(tests::shows(narrow.trace(), "rows: upload, compute, download"));
  EXPECT_TRUE(tests::shows(narrow.trace(), "device 0"));
  EXPECT_TRUE(tests::shows(narrow.trace(), "device 1"));
  scene.view.scale = 1.0F;
  tests::Stage stage(scene);
  draw(stage, result);
  EXPECT_EQ(std::ranges::count_if(stage.trace().entries,
                                  [](const auto& e) { return e.text == "upload" && !e.scrolls; }),
            2)
      << "the times' panel has one of its own, which scrolls";
  EXPECT_FALSE(tests::shows(stage.trace(), "rows: upload"));
}

// Where nothing is shared the buffers are what there is to see.
TEST(Projector, AKernelWithoutSharedMemoryHasItsBuffers) {
  core::Result result = tests::result_of("matmul/naive", {128, 128, 128}, 16);
  result.trace = tests::naive_trace();
  tests::Stage stage(on_projector(result, "tile"));
  draw(stage, result);
  for (const std::string name : {"a", "b", "c"}) {
    EXPECT_TRUE(std::ranges::any_of(stage.trace().entries, [&name](const auto& e) {
      return e.text == name && e.rect.high.x < 712.0F;  // in the view, not in the source
    })) << name;
  }
}

// Below its name, where the map is not too low for a third line.
TEST(Projector, EveryBufferHasItsSize) {
  core::Result result = tests::result_of("matmul/naive", {128, 128, 128}, 16);
  result.trace = tests::naive_trace();
  core::Scene scene = on_projector(result, "tile");
  scene.view.height = 1440;
  tests::Stage stage(scene);
  draw(stage, result);
  const auto sizes = std::ranges::count_if(stage.trace().entries, [](const auto& e) {
    return e.text == "128 × 128" || e.text == "128×128";
  });
  EXPECT_EQ(sizes, 3);
}

TEST(Projector, BuffersThatHaveNoRoomAreCounted) {
  core::Result result = tests::result_of("matmul/naive", {128, 128, 128}, 16);
  auto trace = std::make_shared<core::Trace>(*tests::naive_trace());
  const core::TracedVariable one = trace->variables.back();
  for (int i = 0; i < 60; ++i) {
    trace->variables.push_back(one);
    trace->variables.back().name = "more" + std::to_string(i);
  }
  result.trace = trace;
  tests::Stage stage(on_projector(result, "tile"));
  draw(stage, result);
  const auto& entries = stage.trace().entries;
  const auto shown = std::ranges::count_if(entries, [](const auto& e) {
    return e.text == "a" || e.text == "b" || e.text == "c" || e.text.starts_with("more");
  });
  const auto told = std::ranges::count_if(entries, [](const auto& e) {
    return (e.text.starts_with("and ") && e.text.find(" more") != std::string::npos) ||
           (e.text.starts_with("+") && e.text.size() > 2 && e.text[1] >= '4');
  });
  ASSERT_LT(shown, 63);
  EXPECT_EQ(told, 1);
}

// A is narrow here, and its caption as wide as it is long.
TEST(Projector, EveryMatrixHasItsName) {
  const core::Result result = tests::result_of("matmul/tiled", {512, 512, 64}, 16);
  tests::Stage stage(on_projector(result, "grid"));
  draw(stage, result);
  for (const char* name : {"A", "B", "C"}) {
    const auto named = [name](const auto& e) {
      return e.text == name && e.rect.height() > 40.0F;  // as a title
    };
    EXPECT_TRUE(std::ranges::any_of(stage.trace().entries, named)) << name;
  }
}

// In words that are shorter before there are none: whoever compares two needs both.
TEST(Projector, EveryMatrixHasItsSize) {
  const core::Result result = tests::result_of("matmul/tiled", {512, 512, 64}, 16);
  tests::Stage stage(on_projector(result, "grid"));
  draw(stage, result);
  for (const std::string size : {"512 512", "512 64", "64 512"}) {
    const auto says = [&size](const auto& e) {
      std::string words = e.text.substr(0, e.text.find(','));
      std::erase(words, ' ');
      std::string wanted = size;
      wanted.replace(wanted.find(' '), 1, "×");
      return words == wanted;
    };
    EXPECT_TRUE(std::ranges::any_of(stage.trace().entries, says)) << size;
  }
}

TEST(Projector, ABanksConflictIsNotCutBeforeItsBank) {
  core::Result result = tests::result_of("transpose/tiled", {512, 512}, 32);
  result.trace = tests::transpose_trace();
  result.banks = std::make_shared<const core::BankReport>(core::bank_report(*result.trace));
  tests::Stage stage(on_projector(result, "banks"));
  draw(stage, result);
  for (const auto& entry : stage.trace().entries) {
    const bool way = entry.text.find("way") != std::string::npos ||
                     entry.text.find("Workgroup") != std::string::npos;
    EXPECT_FALSE(way && entry.text.ends_with("…")) << entry.text;
  }
}

TEST(Projector, EveryModelledGpuCanBeChosen) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 16);
  tests::add_occupancy(result, false);
  tests::Stage stage(on_projector(result, "occupancy"));
  draw(stage, result);
  for (const char* gpu : {"this device", "H200", "RTX 4090", "RX 7900"}) {
    EXPECT_TRUE(tests::shows(stage.trace(), gpu)) << gpu;
  }
  for (const auto& entry : stage.trace().entries) {
    EXPECT_FALSE(entry.text.starts_with("Occupa") && entry.text.ends_with("…")) << entry.text;
  }
}

// "Both lines are marked in the source": they are, below the lesson that says so.
TEST(Projector, ALessonLeavesBothLinesOfItsRaceInSight) {
  core::Result result = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  core::LessonStep step;
  step.text = "What happens without barrier 1?";
  step.experiment = {.variant = "matmul/tiled", .size = {64, 48, 80}, .tile = 16};
  step.experiment.barriers = {{1, core::BarrierKind::off}};
  step.fact = "verdict";
  step.choices = {"nothing at all, they run in step anyway", "a race"};
  step.means = {{"clean", 1}, {"racy", 2}};
  step.told =
      "Both lines of the race are marked in the source: one writes, the other one reads, and "
      "nothing says which comes first. The arrows show two invocations that meet in one "
      "cell. Even where the answer is right it was lucky.";
  tests::Stage stage(on_projector(result, "tile"));
  auto& lessons = stage.app().state().of<ui::LessonState>();
  lessons.lessons = {{.name = "l", .title = "Barriers", .about = "", .steps = {step}}};
  stage.draw(result);
  stage.app().press(ui::letter('N'));
  draw(stage, result);
  lessons.answer = 2;
  stage.draw(result);
  tests::add_races(result);
  result.experiment.barriers = step.experiment.barriers;
  draw(stage, result);
  stage.app().press(ui::letter('c'));
  draw(stage, result);
  ASSERT_TRUE(tests::shows(stage.trace(), "Correct"));
  const core::Finding& race = result.races->findings[0];
  for (const std::uint32_t line : {race.first.line, race.second.line}) {
    EXPECT_TRUE(std::ranges::any_of(stage.trace().entries, [line](const auto& e) {
      return e.text == std::to_string(line) && e.clip.contains(e.rect.inset(1.5F, 1.5F));
    })) << line;
  }
}

// A kernel of so many lines, "float v17;" the seventeenth.
core::Result of_lines(int count) {
  core::Result result = tests::result_of("matmul/tiled", {64, 48, 80}, 16);
  tests::add_races(result);
  result.races = nullptr;
  result.variant.source.clear();
  for (int i = 1; i <= count; ++i) {
    result.variant.source += fmt::format("float v{};\n", i);
  }
  return result;
}

std::vector<int> lines_in_sight(const tests::Stage& stage) {
  std::vector<int> lines;
  for (const auto& e : stage.trace().entries) {
    int line = 0;
    const std::size_t at = e.text.find('v');
    if (at != std::string::npos && at + 1 < e.text.size() &&
        std::from_chars(&e.text[at + 1], e.text.data() + e.text.size(), line).ec == std::errc()) {
      lines.push_back(line);
    }
  }
  return lines;
}

// A narrow A stands left of C: its name is no other matrix's, but at its own lower end.
TEST(Projector, ANarrowMatrixHasItsOwnName) {
  const core::Result result = tests::result_of("matmul/tiled", {512, 512, 16}, 16);
  core::Scene scene = on_projector(result, "grid");
  scene.view.width = 1920;
  scene.view.height = 1080;
  tests::Stage stage(scene);
  draw(stage, result);
  const auto at = [&stage](const std::string& name) {
    return std::ranges::find(stage.trace().entries, name, &ui::TextTrace::Entry::text);
  };
  const auto end = stage.trace().entries.end();
  ASSERT_TRUE(at("A") != end && at("B") != end && at("C") != end);
  EXPECT_EQ(at("A")->rect.low.y, at("C")->rect.low.y);
  EXPECT_LT(at("A")->rect.high.x, at("C")->rect.low.x);
  EXPECT_LT(at("B")->rect.low.y, at("A")->rect.low.y);
}

// Its lines are there when it is asked for, and what was learned when it is done.
TEST(Projector, AKernelToBeMendedShowsWhereAndThenWhatItWas) {
  core::Result result = of_lines(80);
  core::LessonStep step;
  step.text = "Somebody has broken it. Mend it.";
  step.experiment = result.experiment;
  step.mend = true;
  step.given = {{"float v60;\n", "float broken;\n"}};
  step.told = "That was line 60.";
  const core::Catalogue known = tests::catalogue();
  std::vector<core::Variant> variants(known.all().begin(), known.all().end());
  const std::string file = result.variant.source;
  for (core::Variant& variant : variants) {
    variant.source = variant.id() == "matmul/tiled" ? file : variant.source;
  }
  tests::Stage stage(on_projector(result, "grid"),
                     core::Catalogue(variants, core::built_in_workloads()));
  auto& lessons = stage.app().state().of<ui::LessonState>();
  lessons.lessons = {{.name = "l", .title = "Mending", .about = "", .steps = {step}}};
  stage.draw(result);
  stage.app().press(ui::letter('N'));
  draw(stage, result);
  EXPECT_TRUE(std::ranges::count(lines_in_sight(stage), 59) > 0) << "beside what is broken";
  ui::Sheet& sheet = *stage.app().state().of<ui::Editor>().sheet_of("matmul/tiled");
  sheet.buffer = ui::TextBuffer(file + "// mine\n");
  sheet.sent = sheet.buffer.text();
  result.variant.source = file + "// mine\n";
  core::CheckReport clean;
  clean.verdict = core::Verdict::clean;
  result.races = std::make_shared<const core::CheckReport>(clean);
  draw(stage, result);
  const auto at = [&](const std::string& words) {
    const auto found = std::ranges::find_if(stage.trace().entries, [&](const auto& e) {
      return e.text.find(words) != std::string::npos;
    });
    return found == stage.trace().entries.end() ? -1.0F : found->rect.low.y;
  };
  EXPECT_GT(at("That was line 60."), 0.0F);
  EXPECT_LT(at("That was line 60."), at("Somebody has broken it."));
}

// A step of a lesson asks about one array: its card is the first, and the one that is seen where
// there is room for one.
TEST(Projector, TheAdviceThatIsAskedForComesFirst) {
  core::Result result = tests::result_of("matmul/naive", {128, 128, 128}, 16);
  result.trace = tests::naive_trace();
  result.advice = std::make_shared<const core::Advice>(
      core::advice_of(*result.trace, result.tiles.group_count()));
  for (const auto& [first, second] : {std::pair{"a", "b"}, {"b", "a"}}) {
    core::Scene scene = on_projector(result, "advice");
    scene.view.settings["advice_of"] = std::string(first);
    tests::Stage narrow(scene);
    draw(narrow, result);
    const auto card = [](const tests::Stage& stage, const std::string& name) {
      const float below = 0.6F * ImGui::GetIO().DisplaySize.y;  // lies the source
      const auto found = std::ranges::find_if(stage.trace().entries, [&](const auto& entry) {
        return entry.text == name && entry.rect.high.y < below;
      });
      return found == stage.trace().entries.end() ? -1.0F : found->rect.low.x;
    };
    EXPECT_GE(card(narrow, first), 0.0F) << first;
    EXPECT_LT(card(narrow, second), 0.0F) << second << " is only named";
    EXPECT_TRUE(tests::shows(narrow.trace(), "(modelled)")) << "what is saved is read in full";
    scene.view.scale = 1.0F;
    scene.view.height = 800;
    tests::Stage wide(scene);
    draw(wide, result);
    EXPECT_GE(card(wide, first), 0.0F) << first;
    EXPECT_LT(card(wide, first), card(wide, second)) << first;
    EXPECT_TRUE(tests::shows(wide.trace(), "readers of one element: the "));
  }
}

// That a copy gains nothing says little where other kernels are faster.
TEST(Projector, AdviceSaysHowFarTheTimeIsFromItsBound) {
  core::Result result = tests::result_of("nbody/tiled", {1024}, 64);
  result.trace = tests::nbody_trace(64);
  result.advice = std::make_shared<const core::Advice>(
      core::advice_of(*result.trace, result.tiles.group_count()));
  ASSERT_FALSE(core::advises(*result.advice));
  tests::add_ceilings(result);
  const double least = core::time_bound(result)->ms;
  for (const auto type : {core::DeviceType::discrete, core::DeviceType::cpu}) {
    result.device.type = type;
    for (const double times : {1.1, 20.0}) {
      result.timing.spread.median = times * least;
      tests::Stage stage(on_projector(result, "advice"));
      draw(stage, result);
      EXPECT_EQ(tests::shows(stage.trace(), "Little left to gain"),
                times < 2.0 && type == core::DeviceType::discrete)
          << "times of a CPU device say nothing of that";
      EXPECT_EQ(tests::shows(stage.trace(), fmt::format("{} times", times)),
                type == core::DeviceType::discrete)
          << times;
      EXPECT_EQ(tests::shows(stage.trace(), "CPU device"), type == core::DeviceType::cpu);
    }
  }
}

// Figures that would cover the bodies are two lines above them.
TEST(Projector, FiguresDoNotLieOverTheBodies) {
  const core::Result result = tests::result_of("nbody/tiled", {1000}, 64);
  tests::Stage stage(on_projector(result, "bodies"));
  draw(stage, result);
  EXPECT_TRUE(tests::shows(stage.trace(), "1,000 bodies, step 1,234, time 4.936"));
  EXPECT_TRUE(tests::shows(stage.trace(), "energy -1.382560, drift"));
  core::Result fresh = result;
  auto bodies = std::make_shared<core::Bodies>(*result.bodies);
  bodies->drift.clear();
  bodies->energy = bodies->first_energy = 0.0;
  fresh.bodies = bodies;
  draw(stage, fresh);
  EXPECT_FALSE(tests::shows(stage.trace(), "energy")) << "nothing was weighed yet";
  draw(stage, result);
  EXPECT_FALSE(tests::shows(stage.trace(), "energy drift"));
  core::Scene large = on_projector(result, "bodies");
  large.view.scale = 1.0F;
  tests::Stage usual(large);
  draw(usual, result);
  EXPECT_TRUE(tests::shows(usual.trace(), "energy drift"));
}

TEST(Grid, CellsOfALineOfWorkgroupsSayWhatTheyAre) {
  const core::Result result = tests::result_of("nbody/tiled", {1000}, 64);  // with idle invocations
  for (const bool narrow : {false, true}) {
    core::Scene scene = on_projector(result, "grid");
    scene.view.scale = narrow ? 2.0F : 1.0F;
    tests::Stage stage(scene);
    draw(stage, result);
    EXPECT_TRUE(tests::shows(stage.trace(), "one cell is a workgroup of 64")) << narrow;
    EXPECT_TRUE(tests::shows(stage.trace(), "in launch order")) << narrow;
  }
}

// Of the sentence's words, those that are on screen.
std::vector<ui::Rect> places_of(const tests::Stage& stage, const std::string& words) {
  std::vector<ui::Rect> places;
  for (const auto& entry : stage.trace().entries) {
    if (entry.text.find(words) != std::string::npos) {
      places.push_back(entry.rect);
    }
  }
  return places;
}

TEST(Notice, ThatAPictureIsSavedDoesNotCoverTheView) {
  const core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  for (const float scale : {1.0F, 2.0F}) {
    core::Scene scene = on_projector(result, "grid");
    scene.view.scale = scale;
    tests::Stage stage(scene);
    draw(stage, result);
    stage.app().tell("Saved pictures/tilescope-1.png");
    stage.draw(result);
    const ui::Layout layout = ui::arrange({1280.0F, 720.0F}, scale, true);
    const auto places = places_of(stage, "Saved");
    ASSERT_FALSE(places.empty()) << scale;
    EXPECT_FALSE(places.front().overlaps(layout.view)) << scale;
    stage.app().press(ui::letter('s'));
    EXPECT_TRUE(stage.draw(result).save_picture);
    EXPECT_TRUE(places_of(stage, "Saved").empty()) << "it is no part of the next picture";
  }
}

// A sentence's lines, however wide its letters are.
std::vector<ui::Rect> lines_of(const tests::Stage& stage, const std::string& sentence) {
  constexpr std::size_t a_few_letters = 6;
  std::vector<ui::Rect> places;
  for (const auto& entry : stage.trace().entries) {
    if (entry.text.size() > a_few_letters && sentence.find(entry.text) != std::string::npos) {
      places.push_back(entry.rect);
    }
  }
  return places;
}

TEST(Notice, AnErrorStandsAboveTheViewAndNotOverIt) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  tests::Stage stage(on_projector(result, "grid"));
  draw(stage, result);
  result.error = core::Error{core::Fault::usage,
                             "tile 64 needs 4096 invocations per workgroup; this device allows "
                             "1024, so choose a tile of at most 32"};
  draw(stage, result);
  const auto error = lines_of(stage, result.error->message);
  ASSERT_FALSE(error.empty());
  for (const std::string name : {"view: grid", "C", "64 × 64"}) {
    for (const ui::Rect& place : places_of(stage, name)) {
      const bool in_view = place.high.x <= error.front().high.x + 600.0F;
      EXPECT_FALSE(in_view && place.overlaps(error.front())) << name;
    }
  }
  const auto names = places_of(stage, "view: grid");
  ASSERT_FALSE(names.empty());
  EXPECT_GT(names.front().low.y, error.back().high.y) << "the view begins below it";
}

TEST(Tiles, AreNotToldBeforeTheKernelIsKnown) {
  core::Result nothing;
  nothing.stage = core::Stage::compiling;
  core::Scene scene;
  scene.view.width = 1280;
  scene.view.height = 800;
  tests::Stage stage(scene);
  draw(stage, nothing);
  EXPECT_FALSE(std::ranges::any_of(stage.trace().entries, [](const auto& e) {
    return e.text == "workgroups" || e.text == "invocations each";
  }));
}

// The name of a device is told as far as it matters; of a file both ends are.
// Charts and figures give way to the time itself, and are scrolled to.
TEST(Timing, WhatHasNoRoomIsScrolledTo) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 16);
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.width = 1280;
  scene.view.height = 720;
  tests::Stage low(scene);
  low.draw(result);
  EXPECT_TRUE(tests::shows(low.trace(), "Time of a launch"));
  EXPECT_FALSE(tests::shows(low.trace(), "more part")) << "nothing is left out";
  EXPECT_TRUE(tests::shows(low.trace(), "compile")) << "it is below what is seen";
  scene.view.height = 2000;
  tests::Stage high(scene);
  high.draw(result);
  EXPECT_TRUE(tests::shows(high.trace(), "compile"));
  EXPECT_FALSE(tests::shows(high.trace(), "more parts"));
}

// Of a hundred launches seven took a hundred times as long: the others are still told apart.
TEST(Timing, ChartsAreNotRuledByOutliers) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 16);
  result.timing.samples_ms.assign(93, 0.05);
  result.timing.samples_ms.resize(100, 5.0);
  result.timing.spread = core::spread_of(result.timing.samples_ms);
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.width = 1280;
  scene.view.height = 2000;
  tests::Stage stage(scene);
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "7 above"));
  EXPECT_TRUE(tests::shows(stage.trace(), "count of launches"));
  EXPECT_TRUE(tests::shows(stage.trace(), "dot: launch")) << "the legend stays";
  EXPECT_EQ(std::ranges::count(stage.trace().entries, "7 above", &ui::TextTrace::Entry::text), 2);
}

TEST(Names, AreNotCutAtTheirEnds) {
  const core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  core::Scene scene = on_projector(result, "grid");
  scene.view.scale = 1.0F;
  tests::Stage stage(scene);
  draw(stage, result);
  for (const auto& entry : stage.trace().entries) {
    EXPECT_FALSE(entry.rect.high.y < 45.0F && entry.text.ends_with("…")) << entry.text;
  }
  EXPECT_TRUE(tests::shows(stage.trace(), "llvmpipe"));
}

// Warp slots as a figure, or in words where there is no room for one; and what is left out of the
// resources is counted.
TEST(Projector, WhatAMultiprocessorHoldsIsTold) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  tests::add_occupancy(result, false);
  core::Scene scene = on_projector(result, "occupancy");
  scene.view.settings["as_on"] = std::string("H200");
  for (const std::uint32_t height : {720U, 640U, 560U}) {
    scene.view.height = height;
    tests::Stage stage(scene);
    draw(stage, result);
    EXPECT_TRUE(tests::shows(stage.trace(), "warp slots")) << height;
    if (tests::shows(stage.trace(), "8 fit") && !tests::shows(stage.trace(), "76 fit")) {
      EXPECT_TRUE(tests::shows(stage.trace(), " more")) << height;
    }
  }
}

// The file that is shown is named, whatever its name's length; others are counted where there is
// no room.
TEST(Names, OfTheFileThatIsShownIsThere) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  core::Launch launch;
  launch.kernel = "a-long-name-of-a-workload/and-a-kernel-with-another";
  launch.source = result.variant.source;
  launch.sources = {{"/k/and-a-kernel-with-another.comp", launch.source},
                    {"/k/bindings-that-are-common.glsl", "float one;\n"},
                    {"/k/last-but-not-least.glsl", "float two;\n"}};
  launch.tiles = result.tiles;
  launch.facts = result.facts;
  result.launches = {launch};
  tests::Stage stage(on_projector(result, "grid"));
  draw(stage, result);
  EXPECT_TRUE(tests::shows(stage.trace(), "and-a-kernel-with-another"));
  EXPECT_TRUE(tests::shows(stage.trace(), "and 2 more") || tests::shows(stage.trace(), "+2"));
  stage.app().state().source_path = "/k/last-but-not-least.glsl";
  draw(stage, result);
  EXPECT_TRUE(tests::shows(stage.trace(), "last-but-not-least.glsl"));
}

// In the very first frame: there may be no other for a while.
TEST(Projector, TheSourceIsThereInTheFrameInWhichItsTextGetsSmaller) {
  const core::Result result = of_lines(25);
  core::Scene scene = on_projector(result, "grid");
  scene.view.width = 1920;
  scene.view.height = 1080;
  for (const bool had_no_room : {false, true}) {
    tests::Stage stage(scene);
    ui::State& state = stage.app().state();
    draw(stage, result);
    state.scroll_lines = 1000;
    draw(stage, result);
    ASSERT_EQ(lines_in_sight(stage).back(), 25);
    if (had_no_room) {
      state.view.chrome = false;
      draw(stage, result);
      ASSERT_TRUE(lines_in_sight(stage).empty());
      state.view.chrome = true;
    }
    state.view.scale = 1.0;
    stage.draw(result);
    const auto first = lines_in_sight(stage);
    EXPECT_EQ(std::ranges::count(first, 25), 1) << had_no_room;
    draw(stage, result);
    EXPECT_EQ(lines_in_sight(stage), first) << had_no_room;
  }
}

// Rows that come above it, or go, move no line that is read.
TEST(Projector, TheLineAtTheTopStaysWhereTheHeaderIsUnfolded) {
  core::Result result = of_lines(60);
  result.variant.source =
      "//! title = 'of many lines'\n//! claim = 'none'\n" + result.variant.source;
  core::Scene scene = on_projector(result, "grid");
  scene.view.width = 1920;
  scene.view.height = 1080;
  tests::Stage stage(scene);
  ui::State& state = stage.app().state();
  draw(stage, result);
  state.scroll_lines = 20;
  draw(stage, result);
  const int first = lines_in_sight(stage).front();
  ASSERT_GT(first, 10);
  for (const bool folded : {false, true}) {
    state.header_folded = folded;
    draw(stage, result);
    EXPECT_EQ(lines_in_sight(stage).front(), first) << folded;
  }
}

}  // namespace
