// Every view has a chapter of the manual, and a chapter is cut out whole.
#include "studio/manual.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "ui/views.h"

namespace {

std::string page(const std::string& file) {
  std::ifstream stream(TILESCOPE_SOURCE_DIR "/assets/manual/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Manual, EveryViewHasAChapter) {
  for (const ui::CentreView& view : ui::centre_views()) {
    const std::string chapter =
        studio::chapter_of(page(view.manual.file()), view.manual.chapter, "/manual");
    EXPECT_TRUE(chapter.starts_with("# " + view.manual.chapter + "\n")) << view.name;
    EXPECT_GT(chapter.size(), 200U) << view.name;
  }
}

TEST(Manual, AChapterEndsWhereTheNextBegins) {
  const std::string text =
      "# All\n\n## One\nSee [it](../a.png), [x](#y) and [that](https://z).\n### Inner\ni\n"
      "## Two\nrest\n";
  EXPECT_EQ(studio::chapter_of(text, "One", "/m/reference"),
            "# One\n\nA section of [the manual](/m/index.md).\nSee [it](/m/reference/../a.png), "
            "[x](#y) and [that](https://z).\n### Inner\ni");
  EXPECT_TRUE(studio::chapter_of(text, "Inner", "/m").ends_with("\ni"));
  EXPECT_TRUE(studio::chapter_of(text, "Two", "/m").ends_with("\nrest\n"));
  EXPECT_EQ(studio::chapter_of(text, "Three", "/m"), "");
}

}  // namespace
