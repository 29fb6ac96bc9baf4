// The source panel: words of the language, and a kernel whose barriers and accesses are in a file
// that it includes: the panel shows that file.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/report/advice.h"
#include "ui/canvas/theme.h"
#include "ui/fixture.h"
#include "ui/panels/source/source_gutter.h"
#include "ui/panels/source/source_rows.h"
#include "ui/traces.h"
#include "ui/widgets/glsl_tokens.h"
#include "ui/widgets/names.h"

namespace {

using ui::TokenKind;

std::string joined(const ui::GlslLine& line) {
  std::string text;
  for (const ui::Token& token : line.tokens) {
    text += token.text;
  }
  return text;
}

TokenKind kind_of(const ui::GlslLine& line, std::string_view word) {
  for (const ui::Token& token : line.tokens) {
    if (token.text == word) {
      return token.kind;
    }
  }
  ADD_FAILURE() << "no token " << word;
  return TokenKind::plain;
}

constexpr std::string_view kSource =
    "//! title = \"T\"\n"
    "#version 450\n"
    "\n"
    "shared vec4 tile[16];\n"
    "void main() {\n"
    "  tile[k] = a[i] * 2.5e3; /* two\n"
    "  lines */ barrier(); // done a[0]\n"
    "  float at_rest = tile[k];\n"
    "}";

TEST(GlslTokens, JoinToTheSource) {
  const auto listing = ui::tokenize_glsl(kSource, {"A"});
  std::string all;
  for (const ui::GlslLine& line : listing.lines) {
    all += (all.empty() ? "" : "\n") + joined(line);
  }
  EXPECT_EQ(all, kSource);
  EXPECT_EQ(listing.header_lines, 3U);
}

// Where a text's buffers are not named as the workload's are.
TEST(GlslTokens, ArraysOfBufferBlocksAreTold) {
  EXPECT_EQ(ui::buffer_arrays("layout(binding = 2) writeonly buffer Out { float result[]; };\n"
                              "buffer Two { uint n; vec4 a[3]; float b[]; } two;\n"
                              "buffer Ahead;\nuniform U { float u[4]; };"),
            (std::vector<std::string>{"result", "a", "b"}));
}

TEST(GlslTokens, ANamedBlockIsGlobalMemory) {
  const auto listing =
      ui::tokenize_glsl("buffer Data { float x[]; } data;\nv = data.x[i] + datum.x[i];", {});
  std::vector<std::string_view> global;
  for (const ui::Token& token : listing.lines[1].tokens) {
    if (token.kind == TokenKind::global) {
      global.push_back(token.text);
    }
  }
  EXPECT_EQ(global, (std::vector<std::string_view>{"data"}));
}

TEST(GlslTokens, AComponentIsNoVariableOfItsName) {
  const auto listing = ui::tokenize_glsl("shared float x[4];\nv = p.x + x[0];\nw = p.\nx[1];", {});
  const auto& line = listing.lines[1].tokens;
  std::vector<TokenKind> kinds;
  for (const ui::Token& token : line) {
    if (token.text == "x") {
      kinds.push_back(token.kind);
    }
  }
  EXPECT_EQ(kinds, (std::vector{TokenKind::plain, TokenKind::shared}));
}

TEST(GlslTokens, TellMemoriesApart) {
  const auto listing = ui::tokenize_glsl(kSource, {"A"});
  EXPECT_EQ(kind_of(listing.lines[3], "shared"), TokenKind::shared);
  EXPECT_EQ(kind_of(listing.lines[3], "vec4"), TokenKind::type);
  EXPECT_EQ(kind_of(listing.lines[5], "tile"), TokenKind::shared);
  EXPECT_EQ(kind_of(listing.lines[5], "a"), TokenKind::global);
  EXPECT_EQ(kind_of(listing.lines[5], "2.5e3"), TokenKind::number);
  EXPECT_EQ(listing.lines[5].globals, std::vector<std::string>{"a"});
  EXPECT_EQ(kind_of(listing.lines[6], "barrier"), TokenKind::barrier);
  EXPECT_TRUE(listing.lines[6].globals.empty()) << "a comment reads nothing";
  EXPECT_EQ(kind_of(listing.lines[7], "at_rest"), TokenKind::plain);
}

TEST(GlslTokens, EndAtAnyTruncation) {
  for (std::size_t length = 0; length <= kSource.size(); ++length) {
    const auto listing = ui::tokenize_glsl(kSource.substr(0, length), {"A"});
    std::size_t characters = 0;
    for (const ui::GlslLine& line : listing.lines) {
      characters += joined(line).size() + 1;
    }
    EXPECT_GE(characters + 1, length);
  }
}

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

// Of many phases, those that are about the file that is seen.
TEST(IncludedSource, BandsAreOfThePhasesThatTheFileHasTheMostOf) {
  core::Result result = result_with_include();
  core::KernelFacts facts = *result.facts;
  facts.phases = {{.opened_by = 0, .lines = {1, 2}}};
  for (std::uint32_t k = 1; k <= 7; ++k) {
    core::KernelPhase phase{.opened_by = k, .lines = {9}, .included = {{"a/body.glsl", {k}}}};
    if (k > 5) {
      phase.lines = {7, 8, 9};
      phase.included.clear();
    }
    facts.phases.push_back(phase);
  }
  result.launches[0].facts = result.facts = std::make_shared<const core::KernelFacts>(facts);
  core::Scene scene;
  scene.experiment = result.experiment;
  tests::Stage stage(scene);
  ui::State& state = stage.app().state();
  state.source_path = "a/kernel.comp";
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(ui::banded_phases(ui::shown_kernel(state, result)), (Places{0, 1, 2, 3, 6, 7}));
  EXPECT_EQ(ui::source_notes(result, state)[8].phases, 0b110000U);
  state.source_path = "a/body.glsl";
  EXPECT_EQ(ui::banded_phases(ui::shown_kernel(state, result)), (Places{0, 1, 2, 3, 4, 5}));
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

// A line that the view lights is seen to its end.
TEST(IncludedSource, ALineThatIsLitHasAsManyRowsAsItTakes) {
  core::Result result = result_with_include();
  const std::string end = "the_end_of_it";
  std::string text = "#version 450\nfloat sum = 0.0";
  for (int k = 0; k < 30; ++k) {
    text += fmt::format(" + tile[{}]", k);
  }
  text += " + " + end + ";\n";
  result.launches[0].source = text;
  result.launches[0].sources[0].text = text;
  auto trace = *tests::matmul_trace(8, 1);
  for (const bool lit : {false, true}) {
    for (core::TracedSite& site : trace.sites) {
      site.at = {.line = lit ? 2U : 1U, .column = 1, .file = "a/kernel.comp"};
    }
    result.trace = std::make_shared<const core::Trace>(trace);
    core::Scene scene;
    scene.experiment = result.experiment;
    scene.view.name = "tile";
    tests::Stage stage(scene);
    stage.draw(result);
    const auto& entries = stage.trace().entries;
    const bool seen = std::ranges::any_of(entries, [&end](const ui::TextTrace::Entry& e) {
      return e.text.find(end) != std::string::npos && e.clip.contains(e.rect);
    });
    EXPECT_EQ(seen, lit);
  }
}

// Not to any file that something is read in.
TEST(IncludedSource, TheAdviceThatIsAskedForTurnsToItsFile) {
  core::Result result = result_with_include();
  auto trace = *tests::naive_trace();
  trace.sites[0].at = {.line = 2, .column = 1, .file = "a/body.glsl"};
  trace.sites[1].at = {.line = 1, .column = 1, .file = "a/kernel.comp"};
  result.advice = std::make_shared<const core::Advice>(core::advice_of(trace, 64));
  result.trace = std::make_shared<const core::Trace>(std::move(trace));
  for (const auto& [array, file] : {std::pair{"a", "a/body.glsl"}, {"b", "a/kernel.comp"}}) {
    core::Scene scene;
    scene.experiment = result.experiment;
    scene.view.name = "advice";
    scene.view.settings["advice_of"] = std::string(array);
    tests::Stage stage(scene);
    stage.draw(result);
    ASSERT_EQ(stage.app().state().lit_lines.size(), 1U) << array;
    EXPECT_EQ(stage.app().state().lit_lines.front().file, file);
    EXPECT_EQ(ui::shown_kernel(stage.app().state(), result).path(), file);
  }
}

TEST(LinesName, NamesTheFileThatIsNotTheKernels) {
  const auto at = [](std::uint32_t line, const char* file) {
    return core::SourcePlace{.line = line, .file = file};
  };
  EXPECT_EQ(ui::lines_name({at(12, "a/k.comp")}, "a/k.comp"), "line 12");
  EXPECT_EQ(ui::lines_name({at(14, ""), at(12, ""), at(14, "")}, ""), "lines 12, 14");
  EXPECT_EQ(ui::lines_name({at(3, "b/states.glsl"), at(9, "b/states.glsl")}, "a/k.comp"),
            "states.glsl lines 3, 9");
  EXPECT_EQ(ui::lines_name({at(3, "b/states.glsl"), at(12, "a/k.comp")}, "a/k.comp"),
            "line 12; states.glsl line 3");
}

using Parts = std::vector<ui::RowPart>;

TEST(RowParts, BreakBehindSpacesAndJoinToTheLine) {
  EXPECT_EQ(ui::row_parts("", 40), (Parts{{0, 0, 0}}));
  EXPECT_EQ(ui::row_parts("  short", 40), (Parts{{0, 7, 0}}));
  //                       0         1         2         3
  const std::string line = "  sum += first[at] * second[at] + third[at];";
  EXPECT_EQ(ui::row_parts(line, line.size()), (Parts{{0, line.size(), 0}}));
  EXPECT_EQ(ui::row_parts(line, 24), (Parts{{0, 21, 0}, {21, 34, 6}, {34, line.size(), 6}}));
  EXPECT_EQ(ui::row_parts(line, 3), (Parts{{0, line.size(), 0}})) << "too narrow for rows";
}

TEST(RowParts, CutAWordThatIsTooLongBetweenLetters) {
  const std::string word(30, 'a');
  EXPECT_EQ(ui::row_parts(word, 20), (Parts{{0, 20, 0}, {20, 30, 4}}));
  const std::string wide = "××××××××××××××××××××";  // two bytes a letter
  EXPECT_EQ(ui::row_parts(wide, 16), (Parts{{0, 32, 0}, {32, 40, 4}}));
  // An indent that leaves no room for a word is not kept.
  EXPECT_EQ(ui::row_parts(std::string(10, ' ') + word, 14).back().indent, 0U);
}

TEST(RowParts, TearNoNameWhereThereIsABracket) {
  //                       0         1         2         3
  const std::string line = "  atomicAdd(bins[bitfieldExtract(word,8)],1);";
  EXPECT_EQ(ui::row_parts(line, 28), (Parts{{0, 17, 0}, {17, 38, 6}, {38, line.size(), 6}}));
}

TEST(RowParts, LeaveRoomBehindTheLastOne) {
  const std::string line = "  x = prepare(items[row + i]);";
  EXPECT_EQ(ui::row_parts(line, 40, 10), (Parts{{0, 30, 0}})) << "it has room";
  EXPECT_EQ(ui::row_parts(line, 36, 10), (Parts{{0, 26, 0}, {26, 30, 6}}));
  EXPECT_EQ(ui::row_parts("  barrier();", 14, 10), (Parts{{0, 12, 0}})) << "one word";
}

// Not what the text says of it, which is only what it would be if nobody chose.
TEST(SourcePanel, AConstantThatIsChosenSaysItsValue) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  tests::add_races(result);
  core::Scene scene;
  scene.experiment = result.experiment;
  for (const auto& [width, scale] : {std::pair{1920U, 1.0F}, {800U, 2.0F}}) {
    scene.view.width = width;
    scene.view.scale = scale;
    for (const bool chosen : {false, true}) {
      core::KernelFacts facts = *result.facts;
      facts.barriers.clear();
      facts.chosen.clear();
      if (chosen) {
        facts.chosen = {{"TILE", "8"}, {"global_row", "1"}};
      }
      result.facts = std::make_shared<const core::KernelFacts>(facts);
      result.races.reset();
      tests::Stage stage(scene);
      stage.draw(result);
      EXPECT_EQ(tests::shows(stage.trace(), "TILE = 8 here"), chosen)
          << width << ": its name may lie below the words";
      EXPECT_FALSE(tests::shows(stage.trace(), "= 1 here")) << "it declares no constant";
    }
  }
}

// Of a tree there are more phases than bands; in a narrow window even less of them are named.
TEST(SourcePanel, PhasesThatAreNotNamedAreCounted) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  tests::add_races(result);
  core::KernelFacts facts = *result.facts;
  facts.phases.resize(6, facts.phases.back());
  result.facts = std::make_shared<const core::KernelFacts>(facts);
  core::Scene scene;
  scene.experiment = result.experiment;
  for (const std::uint32_t width : {1280U, 640U}) {
    scene.view.width = width;
    tests::Stage stage(scene);
    stage.draw(result);
    const auto& all = stage.trace().entries;
    const auto first = std::ranges::find_if(
        all, [](const auto& e) { return e.text.starts_with("from the start:"); });
    ASSERT_NE(first, all.end()) << width;
    std::size_t named = 1;
    std::size_t counted = 0;
    for (const auto& e : all) {
      if (e.rect.low.y != first->rect.low.y) {
        continue;
      }
      named += e.text.starts_with("after barrier 1:") ? 1 : 0;
      const std::size_t digit = e.text.find_first_of("123456789");
      if (e.text.starts_with("and ") || e.text.starts_with('+')) {
        counted = std::stoul(e.text.substr(digit));
      }
    }
    EXPECT_LT(named, 6U) << width;
    EXPECT_EQ(named + counted, 6U) << width;
  }
}

// Who reads on reads the name of what stands there, not of what is above it.
TEST(SourcePanel, PhasesInSightAreNamedFirst) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  tests::add_races(result);
  core::KernelFacts facts = *result.facts;
  ASSERT_EQ(facts.phases.size(), 2U);
  facts.phases[0].lines = {2};
  facts.phases[1].lines = {198};
  result.facts = std::make_shared<const core::KernelFacts>(facts);
  result.races = nullptr;
  result.variant.source = "//! a header\n";
  for (int i = 1; i < 200; ++i) {
    result.variant.source += "x = " + std::to_string(i) + ";\n";
  }
  result.launches.clear();
  core::Scene scene;
  scene.experiment = result.experiment;
  tests::Stage stage(scene);
  const auto named_at = [&](const std::string& words) {
    const auto found = std::ranges::find_if(
        stage.trace().entries, [&](const auto& e) { return e.text.starts_with(words); });
    return found == stage.trace().entries.end() ? 1e6F : found->rect.low.x;
  };
  const auto draw = [&](int lines) {
    stage.app().state().scroll_lines = lines;
    stage.draw(result);
    stage.draw(result);
  };
  draw(-300);
  draw(-300);
  EXPECT_LT(named_at("from the start: "), named_at("after barrier "));
  draw(300);
  draw(300);
  EXPECT_LT(named_at("after barrier "), named_at("from the start: "));
}

TEST(SourcePanel, ABarrierThatIsOffIsStruckOut) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  tests::add_races(result);
  core::Scene scene;
  scene.experiment = result.experiment;
  tests::Stage stage(scene);
  stage.draw(result);
  const auto has_ground = [&] {
    const ui::Colour ground = ui::fade(ui::make_theme(true, 1.0F, {}).colours.barrier, 0.16F);
    return std::ranges::any_of(stage.trace().entries, [&](const ui::TextTrace::Entry& entry) {
      return entry.text == "barrier" && tests::draws(ground, entry.rect.inset(-4.0F, -4.0F));
    });
  };
  EXPECT_TRUE(has_ground());
  stage.app().press(ui::letter('1'));
  stage.draw(result);
  ASSERT_TRUE(stage.app().state().wanted.barriers.contains(1));
  EXPECT_FALSE(has_ground());
}

// On a projector no line of a race is cut off before what is written there.
TEST(SourcePanel, TheLinesOfARaceAreSeenWhole) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  tests::add_races(result);
  result.variant.source.clear();
  for (int line = 1; line <= 14; ++line) {
    result.variant.source += "  sum += before[at] + last_of_" + std::to_string(line) + ";\n";
  }
  result.launches.clear();
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.width = 1280;
  scene.view.height = 720;
  scene.view.scale = 2.0F;
  tests::Stage stage(scene);
  stage.draw(result);
  stage.draw(result);
  std::string whole;
  for (const auto& entry : stage.trace().entries) {
    if (entry.scrolls && entry.rect.high.x <= entry.clip.high.x) {
      whole += entry.text;
    }
  }
  EXPECT_NE(whole.find("last_of_11"), std::string::npos) << whole;
  EXPECT_NE(whole.find("last_of_13"), std::string::npos);
  EXPECT_EQ(whole.find("last_of_12"), std::string::npos) << "no race's";
}

// No letter is cut through: a line that goes on ends with dots, all of it left of the scrollbar.
TEST(SourcePanel, CodeIsCutAtALetter) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  result.variant.source = "float a;\n";
  for (int line = 0; line < 40; ++line) {
    result.variant.source += "float b = " + std::string(30 + line, '1') + ";\n";
  }
  result.launches.clear();
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.width = 640;
  scene.view.height = 1200;
  tests::Stage stage(scene);
  stage.draw(result);
  stage.draw(result);
  std::size_t cut = 0;
  float end = 0.0F;
  for (const auto& entry : stage.trace().entries) {
    if (entry.scrolls && entry.text == "…") {
      ++cut;
      end = entry.rect.high.x;
      EXPECT_LE(entry.rect.high.x, entry.clip.high.x);
    }
  }
  EXPECT_GT(cut, 0U);
  for (const auto& entry : stage.trace().entries) {
    if (entry.scrolls && entry.text.starts_with("111") && entry.rect.high.x > end) {
      const float letters = (entry.clip.high.x - entry.rect.low.x) /
                            (entry.rect.width() / static_cast<float>(entry.text.size()));
      EXPECT_NEAR(letters, std::round(letters), 0.02F);
    }
  }
}

}  // namespace
