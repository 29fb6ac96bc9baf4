// The scripts that check user-facing texts, lessons, documents and commits. Each prints what is
// wrong.
#include <array>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace {

struct Ended {
  int status = -1;
  std::string out;
};

Ended script(const std::string& call) {
  std::FILE* pipe = ::popen((TILESCOPE_SOURCE_DIR "/tests/project/" + call + " 2>&1").c_str(), "r");
  std::string out;
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) {
    out += part.data();
  }
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out};
}

TEST(Language, OfTextsLessonsDocumentsAndCommits) {
  const Ended ended = script("language.py");
  EXPECT_EQ(ended.status, 0) << ended.out;
}

TEST(Language, ExamplesShowWhatTheProgramPrints) {
  const Ended ended = script("examples.py '" TILESCOPE_PROGRAM "'");
  EXPECT_EQ(ended.status, 0) << ended.out
                             << "tests/project/examples.py build/tilescope --update writes them";
}

}  // namespace
