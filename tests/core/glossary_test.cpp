// The terms of the interface: two sentences each, found in the texts of panels.
#include "core/base/glossary.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/findings/finding_kinds.h"
#include "core/report/check_report.h"

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

TEST(Glossary, ExplainsEachKindOfFindingAndVerdict) {
  for (const core::FindingRow& row : core::finding_kinds()) {
    const core::Term* term = core::find_term(row.name);
    ASSERT_NE(term, nullptr) << row.name;
    EXPECT_FALSE(term->remedy.empty()) << row.name;
    EXPECT_EQ(core::to_string(row.kind), row.name);
  }
  using enum core::Verdict;
  for (const auto verdict : {clean, racy, divergent, incomplete, faulty}) {
    const core::Term* term = core::find_term(core::to_string(verdict));
    ASSERT_NE(term, nullptr) << core::to_string(verdict);
    EXPECT_EQ(term->subject, core::Subject::verdict);
  }
}

TEST(Glossary, AWordIsFoundInAnySpelling) {
  EXPECT_EQ(core::find_term("raw")->word, "RAW");
  EXPECT_EQ(core::find_term("Shared_Memory")->word, "shared memory");
  EXPECT_EQ(core::find_term("out of bounds")->word, "out-of-bounds");
  EXPECT_EQ(core::find_term("rac"), nullptr);
}

// Words of lessons and pages that a newcomer looks up.
TEST(Glossary, HasTheWordsOfTheManual) {
  for (const char* word : {"atomic",
                           "bank",
                           "binding",
                           "catalogue",
                           "ceiling",
                           "cell",
                           "checked",
                           "fence",
                           "finding",
                           "halo",
                           "hazard",
                           "host",
                           "ladder",
                           "lane",
                           "launch",
                           "module",
                           "multiprocessor",
                           "order",
                           "p95",
                           "poison",
                           "probe",
                           "push constants",
                           "reference",
                           "sanitizer",
                           "scene",
                           "tile",
                           "trace",
                           "saved launch",
                           "standalone kernel",
                           "variant",
                           "verdict",
                           "workload"}) {
    ASSERT_NE(core::find_term(word), nullptr) << word;
    EXPECT_EQ(core::find_term(word)->subject, core::Subject::word) << word;
    EXPECT_EQ(core::term_in(word), nullptr) << word << ": has a tooltip";
    EXPECT_NE(core::glossary_page().find(core::find_term(word)->says), std::string::npos) << word;
  }
}

TEST(Glossary, PanelsExplainTermsOnly) {
  EXPECT_EQ(core::term_in("clean"), nullptr);
  EXPECT_EQ(core::term_in("arithmetic or memory"), nullptr);
}

}  // namespace
