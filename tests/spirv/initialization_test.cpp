// Reads that are proven to be behind a write, and what must not be.
#include "spirv/analysis/memory/initialization.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "spirv/analysis/examination.h"
#include "spirv/analysis/memory/bounds.h"
#include "spirv/compile.h"

namespace {

bool all_read_after_writing(const std::string& body) {
  const std::string source =
      "#version 450\nlayout(local_size_x = 64) in;\n"
      "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
      "layout(push_constant) uniform Push { uint count; };\n"
      "shared uint tile[256];\nvoid main() {\nconst uint i = gl_LocalInvocationID.x;\nuint k;\n"
      "uint own[8];\n" +
      body + "\n}\n";
  const auto x = spirv::Examination::of(test::compile(source), {});
  EXPECT_TRUE(x) << x.error().message;
  const spirv::Bounds bounds((*x)->program);
  const spirv::Initialization analysis((*x)->program, bounds.intervals());
  EXPECT_TRUE(std::ranges::any_of(analysis.all(), &spirv::FollowedAccess::reads));
  return std::ranges::all_of(analysis.all(), [](const spirv::FollowedAccess& access) {
    return !access.reads || access.proven;
  });
}

constexpr const char* read_tile = "barrier(); data[i] = tile[(i * 37) % 256];";
constexpr const char* read_own = "data[i] = own[(i * 37) % 8];";

TEST(Initialization, ATestBehindTheBodyLetsItRunOnceMore) {
  EXPECT_TRUE(all_read_after_writing(
      std::string("k = 0; do { tile[k * 64 + i] = k; ++k; } while (k < 4);") + read_tile));
  EXPECT_FALSE(all_read_after_writing(
      std::string("k = 0; do { tile[k * 64 + i] = k; ++k; } while (k < 3);") + read_tile));
}

TEST(Initialization, ATestInTheMiddleLetsWhatIsBeforeItRunOnceMore) {
  EXPECT_TRUE(all_read_after_writing(
      std::string("for (k = 0;; ++k) { own[k] = k; if (k >= 7) break; data[i] = k; }") + read_own));
  EXPECT_FALSE(all_read_after_writing(
      std::string("for (k = 0;; ++k) { data[i] = k; if (k >= 7) break; own[k] = k; }") + read_own));
}

// An endless loop: 7, 4, 2, 1, and 1 for ever.
TEST(Initialization, ACounterThatStandsStillWritesNothingMore) {
  const std::string loop = "for (k = 7; k > 0; k = (k + 1) / 2) own[k] = k;";
  EXPECT_TRUE(all_read_after_writing(loop + "data[i] = own[i % 2 + 1];"));
  EXPECT_FALSE(all_read_after_writing(loop + read_own));
}

TEST(Initialization, ASecondWayOutMayBeTaken) {
  EXPECT_FALSE(all_read_after_writing(
      std::string("for (k = 0; k < 8; ++k) { if (data[k] == 3) break; own[k] = k; }") + read_own));
}

TEST(Initialization, ATurnThatGoesOnEarlierWritesNothing) {
  EXPECT_FALSE(all_read_after_writing(
      std::string("for (k = 0; k < 8; ++k) { if (k == 5) continue; own[k] = k; }") + read_own));
  EXPECT_TRUE(all_read_after_writing(
      std::string("for (k = 0; k < 9; ++k) { if (k == 8) continue; own[k] = k; }") + read_own));
}

TEST(Initialization, TwoCountersAreFollowedTogether) {
  EXPECT_TRUE(all_read_after_writing(
      std::string("uint down = 7; for (k = 0; k < 8; ++k) { own[down] = k; --down; }") + read_own));
  EXPECT_FALSE(all_read_after_writing(
      std::string("uint down = 7; for (k = 0; k < 8; ++k) { own[down] = k; down ^= 1; }") +
      read_own));
}

TEST(Initialization, ATurnThatDataMayEndIsTheFirstAlone) {
  EXPECT_FALSE(all_read_after_writing(
      std::string("k = 0; do { own[k % 8] = k; ++k; } while (data[k] != 3);") + read_own));
  EXPECT_TRUE(all_read_after_writing(
      "k = 0; do { own[k] = k; ++k; } while (k < 8 && data[k] != 3); data[i] = own[0];"));
}

TEST(Initialization, WhatIsWrittenWhicheverWayABranchGoesIsWritten) {
  const std::string fills = "for (k = 0; k < 8; ++k) own[k] = k;";
  const std::string others = "for (k = 8; k > 0; --k) own[k - 1] = data[k];";
  const std::string but_one = "for (k = 0; k < 7; ++k) own[k] = data[k];";
  const auto either = [&](const std::string& one, const std::string& other) {
    return all_read_after_writing("if (data[0] == 3) {" + one + "} else {" + other + "}" +
                                  read_own);
  };
  EXPECT_TRUE(either(fills, others));
  EXPECT_TRUE(either(fills, "own = uint[8](1, 2, 3, 4, 5, 6, 7, 8);"));
  EXPECT_FALSE(either(fills, but_one));
  EXPECT_FALSE(either(but_one, fills));
  EXPECT_FALSE(either(fills, ""));
  EXPECT_FALSE(either(fills, "if (data[1] == 4) {" + others + "}"));
  EXPECT_FALSE(either(but_one, but_one + "own[7] = 1;"));
  EXPECT_TRUE(all_read_after_writing("own[7] = 1; if (data[0] == 3) {" + but_one + "} else {" +
                                     fills + "}" + read_own));
  // Two branches ask the same, and are not known to answer alike.
  EXPECT_FALSE(all_read_after_writing("if (data[0] == 3) {" + fills + "} if (data[0] != 3) {" +
                                      others + "}" + read_own));
}

TEST(Initialization, ABranchInALoopGoesAnotherWayEachTurn) {
  EXPECT_FALSE(all_read_after_writing(
      std::string(
          "for (k = 0; k < 8; ++k) { if (data[k] == 3) own[k] = 1; else own[7 - k] = 2; }") +
      read_own));
  EXPECT_FALSE(all_read_after_writing(
      std::string("for (uint j = 0; j < count; ++j) { if (data[j] == 3) for (k = 0; k < 8; ++k) "
                  "own[k] = k; else for (k = 0; k < 8; ++k) own[k] = j; }") +
      read_own));
}

// Breaks and continues in a loop around a barrier: the first turn that is whole counts, no other.
TEST(Initialization, WritesInTheLoopAroundTheBarrierCountByItsFirstTurn) {
  const std::string behind = "barrier(); data[i] += tile[(i * 37) % 64]; barrier(); }";
  EXPECT_TRUE(
      all_read_after_writing("for (k = 0; k < count; ++k) { if (k == 0) tile[i] = i;" + behind));
  EXPECT_FALSE(
      all_read_after_writing("for (k = 0; k < count; ++k) { if (k == 1) tile[i] = i;" + behind));
  EXPECT_FALSE(all_read_after_writing(
      "for (k = 0; k < count; ++k) { if (k == 0) continue; if (k == 0) tile[i] = i;" + behind));
}

// The loop with the barrier may have no turn at all; whoever comes to the barrier came by the
// writes.
TEST(Initialization, WritesOfSomeInvocationsInFrontOfALoopCount) {
  const std::string loop =
      "for (k = 0; k < count; ++k) { barrier(); data[i] += tile[(i * 37) % 64]; barrier(); }";
  EXPECT_TRUE(all_read_after_writing("if (i < 32) { tile[i] = 1; tile[i + 32] = 2; }" + loop));
  EXPECT_FALSE(all_read_after_writing("if (i < 31) { tile[i] = 1; tile[i + 32] = 2; }" + loop));
  EXPECT_FALSE(
      all_read_after_writing("if (i < data[k]) { tile[i] = 1; tile[i + 32] = 2; }" + loop));
}

// What a turn writes in front of the barrier that it ends with is there in the turns behind it, and
// behind the loop.
TEST(Initialization, TurnsThatWriteTheSameAreOne) {
  const std::string turns = "for (uint t = 0; t < 60000; ++t) { ";
  const std::string all = "for (k = 0; k < 4; ++k) tile[k * 64 + i] = t; ";
  EXPECT_TRUE(all_read_after_writing(turns + all + "barrier(); }" + read_tile));
  EXPECT_TRUE(
      all_read_after_writing(turns + all + "barrier(); data[i] = tile[255 - i]; barrier(); }"));
  EXPECT_FALSE(
      all_read_after_writing(turns + "if (t > 59998) { " + all + "} barrier(); }" + read_tile))
      << "the last turn alone writes: more turns than are gone through";
  EXPECT_TRUE(
      all_read_after_writing("for (uint t = 0; t < 4; ++t) { for (k = 0; k < 64; ++k) "
                             "tile[t * 64 + (i + k) % 64] = k; barrier(); }" +
                             std::string(read_tile)));
  EXPECT_FALSE(
      all_read_after_writing("for (uint t = 0; t < 3; ++t) { for (k = 0; k < 64; ++k) "
                             "tile[t * 64 + (i + k) % 64] = k; barrier(); }" +
                             std::string(read_tile)));
}

TEST(Initialization, WhatEarlierTurnsWroteIsThere) {
  const auto scan = [](const std::string& condition, const std::string& place,
                       const std::string& behind) {
    return all_read_after_writing(
        "uint now = 0; if (i < 32) tile[i] = i; barrier(); for (k = 1; k < 32; k *= 2) {"
        "if (" +
        condition + ") tile[(1 - now) * 32 + i] = tile[" + place +
        "];"
        "now = 1 - now; barrier(); } data[i] = tile[" +
        behind + "];");
  };
  EXPECT_TRUE(scan("i < 32", "now * 32 + (i ^ 1)", "now * 32 + 31"));
  EXPECT_FALSE(scan("i < 31", "now * 32 + (i ^ 1)", "now * 32 + 31"));
  EXPECT_FALSE(scan("i < 32", "(1 - now) * 32 + (i ^ 1)", "now * 32 + 31"));
  EXPECT_FALSE(scan("k != 1", "now * 32 + (i ^ 1)", "now * 32 + 31"));
  // Who reads nothing need not find it; a turn's own writes are behind its barrier.
  EXPECT_TRUE(
      all_read_after_writing("if (i < 8) tile[i] = i; barrier(); for (k = 8; k < 64; k *= 2) {"
                             "if (i - k < k) tile[i] = tile[i - k]; barrier();"
                             "if (i - k < k) data[i] = tile[2 * k - 1]; }"));
  EXPECT_FALSE(
      all_read_after_writing("if (i < 8) tile[i] = i; barrier(); for (k = 8; k < 64; k *= 2) {"
                             "if (i - k < k) tile[i] = tile[i - k]; barrier();"
                             "if (i - k < k) data[i] = tile[(2 * k) % 64]; }"));
  // Without a barrier nobody knows what the others wrote.
  EXPECT_FALSE(
      all_read_after_writing("if (i < 8) tile[i] = i; barrier(); for (k = 8; k < 64; k *= 2) {"
                             "if (i - k < k) tile[i] = tile[i - k]; }"));
}

}  // namespace
