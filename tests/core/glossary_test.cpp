// The terms of the interface: two sentences each, found in what panels say, and printed in the
// manual.
#include "core/base/glossary.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace {

TEST(Glossary, HasWhatPanelsSayInTwoSentences) {
  for (const core::Term& term : core::glossary()) {
    EXPECT_EQ(std::ranges::count(term.says, '.'), 2) << term.word;
    EXPECT_TRUE(term.says.ends_with('.')) << term.word;
    EXPECT_LT(term.says.size(), 200U) << term.word << ": a tooltip";
  }
  for (const char* wanted : {"RAW", "WAR", "WAW", "phase", "instrumented", "modelled", "ways",
                             "sectors", "waves", "occupancy", "race", "barrier"}) {
    ASSERT_NE(core::term_in(wanted), nullptr) << wanted;
    EXPECT_EQ(core::term_in(wanted)->word, wanted);
  }
}

TEST(Glossary, FindsTheLongestTermInWholeWords) {
  EXPECT_EQ(core::term_in("accesses to shared memory")->word, "shared memory");
  EXPECT_EQ(core::term_in("Findings: 2 races")->word, "race");
  EXPECT_EQ(core::term_in("Instrumented: it ran once more")->word, "instrumented");
  EXPECT_EQ(core::term_in("p5 – p95")->word, "p5");
  EXPECT_EQ(core::term_in("always"), nullptr) << "no ways in it";
  EXPECT_EQ(core::term_in("traceless"), nullptr) << "no race in it";
  EXPECT_EQ(core::term_in(""), nullptr);
}

TEST(Glossary, SaysWhatItIsCalledElsewhere) {
  EXPECT_NE(core::explained(*core::term_in("workgroup")).find("CUDA: block · C++ AMP: tile"),
            std::string::npos);
}

// TILESCOPE_UPDATE_GLOSSARY=1 writes the chapter.
TEST(Glossary, IsAChapterOfTheManual) {
  const std::string file = TILESCOPE_SOURCE_DIR "/assets/manual/glossary.md";
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  if (std::getenv("TILESCOPE_UPDATE_GLOSSARY") != nullptr) {
    std::ofstream(file) << core::glossary_chapter();
  }
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, core::glossary_chapter());
}

}  // namespace
