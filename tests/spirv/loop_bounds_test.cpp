// Which loops count from a constant to a constant, to where, and which are given a way out.
#include "spirv/analysis/values/loop_bounds.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "spirv/analysis/values/counted_loop.h"
#include "spirv/compile.h"
#include "spirv/module/canonical.h"

namespace {

std::unique_ptr<spirv::Examination> examine_loops(const std::string& loop) {
  const std::string source =
      "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "layout(local_size_x = 8) in;\n"
      "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
      "void main() {\n" +
      loop + "\n}\n";
  auto result = spirv::Examination::of(test::compile(source), {});
  EXPECT_TRUE(result) << result.error().message;
  return std::move(*result);
}

std::optional<spirv::CountedLoop> counted(const std::string& loop) {
  const auto x = examine_loops(loop);
  EXPECT_EQ(x->program.flow.loops().size(), 1U) << loop;
  if (x->program.flow.loops().empty()) {
    return std::nullopt;
  }
  return spirv::counted_loop(x->program, x->program.flow.loops().front());
}

TEST(CountedLoop, TellsWhereItEnds) {
  const auto plain = counted("for (uint k = 0; k < 4; ++k) data[k] = k;");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->iterations(), 4U);
  EXPECT_EQ(plain->exit(), 4U);
  EXPECT_NE(plain->inside, spirv::ControlFlow::none);
  const auto far = counted("for (int k = 1; k <= 10; k += 4) data[k] = k;");
  ASSERT_TRUE(far);
  EXPECT_EQ(far->iterations(), 3U);
  EXPECT_EQ(far->exit(), 13U);
}

TEST(CountedLoop, IsReadInEveryFormOfItsTest) {
  for (const std::string test : {"if (k >= 6) break;", "if (!(k < 6)) break;", "if (6 <= k) break;",
                                 "if (k > 5) break;", "if (5 < k) break;"}) {
    const auto loop = counted("for (uint k = 0;; k += 4) { data[k] = k; " + test + " }");
    ASSERT_TRUE(loop) << test;
    EXPECT_EQ(loop->exit(), 8U) << test;
    EXPECT_TRUE(loop->only_way_out) << test;
  }
  const auto left =
      counted("for (uint k = 0; k < 6; ++k) { if (data[k] == 3) break; data[k] = k; }");
  ASSERT_TRUE(left);
  EXPECT_FALSE(left->only_way_out);
}

TEST(CountedLoop, IsNotOneThatWraps) {
  EXPECT_FALSE(
      counted("for (uint8_t k = uint8_t(0); k < uint8_t(250); k += uint8_t(100))"
              " data[k] = 1;"));
  EXPECT_TRUE(
      counted("for (uint8_t k = uint8_t(0); k < uint8_t(200); k += uint8_t(10))"
              " data[k] = 1;"));
  EXPECT_FALSE(
      counted("for (int8_t k = int8_t(0); k < int8_t(120); k += int8_t(50))"
              " data[int(k)] = 1;"));
  EXPECT_FALSE(counted("for (int k = -5; k < 4; ++k) data[k + 5] = 1;"));
  EXPECT_FALSE(counted("for (uint k = 0; k < data[0]; ++k) data[k] = 1;"));
  EXPECT_FALSE(counted("for (uint k = 0; k < 4; k += data[0]) data[k] = 1;"));
}

TEST(LoopBounds, LeaveCountedLoopsAlone) {
  const auto none =
      spirv::bound_loops(*examine_loops("for (uint k = 0; k < 4; ++k) data[k] = 1;"), {});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->loops.empty());
  const auto one = spirv::bound_loops(*examine_loops("while (data[0] > 3) data[1] = 1;"), {});
  ASSERT_TRUE(one);
  ASSERT_EQ(one->loops.size(), 1U);
  EXPECT_EQ(one->loops.front().at.line, 6U);
  EXPECT_TRUE(spirv::validate(one->words));
}

TEST(LoopBounds, ACountUpToWhatIsSmallEndsByItself) {
  const auto left = [](const std::string& loop) {
    const auto bounded = spirv::bound_loops(*examine_loops(loop), {});
    EXPECT_TRUE(bounded) << bounded.error().message;
    return bounded ? bounded->loops.size() : 99;
  };
  EXPECT_EQ(left("for (uint k = 0; k < min(data[0], 64u); ++k) data[k] = k;"), 0U);
  EXPECT_EQ(left("uint n = data[0] % 100; for (uint k = gl_LocalInvocationID.x; k <= n; k += 8) "
                 "data[k] = k;"),
            0U);
  EXPECT_EQ(left("uint n = data[0]; if (n < 100) for (uint k = 0; k < n; ++k) data[k] = k;"), 0U);
  EXPECT_EQ(left("for (uint k = gl_LocalInvocationID.x; k < min(data[0], 1u << 24); k += 256) "
                 "data[k] = k;"),
            0U)
      << "as many steps as a loop may have";
  EXPECT_EQ(left("for (uint k = 0; k < min(data[0], 1u << 24); k += 255) data[k] = k;"), 1U);
  EXPECT_EQ(left("for (uint k = 0; k <= min(data[0], 0xFFFFFF00u); k += 65536) data[k] = k;"), 1U)
      << "it may wrap";
  EXPECT_EQ(left("for (uint k = 0; k < data[0]; ++k) data[k] = k;"), 1U);
  EXPECT_EQ(left("for (uint k = data[1]; k < min(data[0], 64u); k += 7) data[k] = k;"), 1U)
      << "it may begin near the largest number";
  EXPECT_EQ(left("for (int k = 0; k < min(int(data[0]), 64); k -= 1) data[3] = 1;"), 1U);
}

// The ids of the module change on the way.
TEST(LoopBounds, NameTheHeadersOfTheBoundedModule) {
  const auto x = examine_loops(
      "if (gl_LocalInvocationID.x == 3) data[9] = 1;\nbarrier();\n"
      "uint n = data[0];\nwhile (n != 0) n = n * 2 + 1;\n"
      "for (uint k = 0; k < data[1]; ++k) if (data[k] == 7) break;\ndata[2] = n;");
  const auto bounded = spirv::bound_loops(*x, {});
  ASSERT_TRUE(bounded) << bounded.error().message;
  const auto again = spirv::Examination::of_canonical(bounded->words);
  ASSERT_TRUE(again) << again.error().message;
  const spirv::ControlFlow& flow = (*again)->program.flow;
  ASSERT_EQ(bounded->loops.size(), 2U);
  ASSERT_EQ(flow.loops().size(), 2U);
  for (const spirv::BoundedLoop& loop : bounded->loops) {
    EXPECT_EQ(std::ranges::count(flow.loops(), flow.index(loop.header),
                                 &spirv::ControlFlow::Loop::header),
              1);
  }
}

TEST(LoopBounds, CountTheMostIterations) {
  const auto most = [](const std::string& loop) {
    return spirv::most_iterations(examine_loops(loop)->program);
  };
  // 200 times 100, and the tests of both loops.
  const auto nested = most(
      "for (uint k = 0; k < 200; ++k) for (uint i = 0; i < 100; ++i) "
      "data[k] += i;");
  ASSERT_TRUE(nested);
  EXPECT_GE(*nested, 20000U);
  EXPECT_LE(*nested, 21000U);
  EXPECT_FALSE(most("for (uint k = 0; k < data[1]; ++k) data[k] = k;"));
  EXPECT_EQ(most("data[0] = 1;"), 0U);
}

TEST(LoopBounds, BoundEveryLoopIfAsked) {
  const auto x = examine_loops(
      "for (uint k = 0; k < 1000; ++k)\n for (uint i = 0; i < 1000; ++i)\n data[k] += i;");
  const auto some = spirv::bound_loops(*x, {});
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_TRUE(some->loops.empty());
  const auto all = spirv::bound_loops(*x, {.loop = 3000, .total = 3000, .all = true});
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->loops.size(), 2U);
  // The outer loop is the one to look at: each of them ends by itself.
  EXPECT_EQ(all->loops[0].at.line, all->loops[1].at.line);
  EXPECT_TRUE(spirv::Examination::of_canonical(all->words));
}

}  // namespace
