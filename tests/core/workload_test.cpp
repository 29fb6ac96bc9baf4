#include "core/catalogue/workload.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/core/built_in.h"

namespace core {
namespace {

Problem problem_of(const std::string& name, const Sizes& sizes, const Settings& options = {}) {
  return built_in(name)->resolve(sizes, options, 7).value();
}

// The answer in double, the plainest way, rounded to float.
HostBuffers multiply(const Problem& p, const HostBuffers& before) {
  const auto [m, n, w] = std::array{p.sizes[0], p.sizes[1], p.sizes[2]};
  HostBuffers after(3);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < w; ++k) {
        sum +=
            static_cast<double>(before[0][i * w + k]) * static_cast<double>(before[1][k * n + j]);
      }
      after[2].push_back(static_cast<float>(sum));
    }
  }
  return after;
}

TEST(Matmul, AcceptsTheRightAnswerAndNoOther) {
  const Workload& matmul = *built_in("matmul");
  const Problem p = problem_of("matmul", {17, 23, 31});
  const HostBuffers before = matmul.inputs(p);
  HostBuffers after = multiply(p, before);
  const Check right = matmul.verify(p, before, after);
  EXPECT_TRUE(right.correct) << right.worst;
  EXPECT_EQ(right.compared, 17U * 23U);

  // One product left out of one element.
  HostBuffers dropped = after;
  dropped[2][5 * 23 + 7] -= before[0][5 * 31 + 3] * before[1][3 * 23 + 7];
  const Check wrong = matmul.verify(p, before, dropped);
  EXPECT_FALSE(wrong.correct);
  EXPECT_TRUE(wrong.worst.starts_with("C[5][7] is ")) << wrong.worst;

  after[2].back() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(matmul.verify(p, before, after).correct);
}

// Beyond the size of a complete check, a wrong tile anywhere must still be found: here one of 16×16
// that misses the last 16 products, away from all edges and most likely from all samples.
TEST(Matmul, FindsAWrongTileInALargeMatrix) {
  const Workload& matmul = *built_in("matmul");
  const Problem p = problem_of("matmul", {800, 800, 800});
  const HostBuffers before = matmul.inputs(p);
  HostBuffers after(3);
  after[2].assign(800 * 800, 0.0F);
  for (std::size_t i = 0; i < 800; ++i) {
    std::vector<double> row(800, 0.0);
    for (std::size_t k = 0; k < 800; ++k) {
      for (std::size_t j = 0; j < 800; ++j) {
        row[j] += static_cast<double>(before[0][i * 800 + k]) *
                  static_cast<double>(before[1][k * 800 + j]);
      }
    }
    for (std::size_t j = 0; j < 800; ++j) {
      after[2][i * 800 + j] = static_cast<float>(row[j]);
    }
  }
  const Check right = matmul.verify(p, before, after);
  EXPECT_TRUE(right.correct) << right.max_error << " of " << right.tolerance;
  EXPECT_LT(right.compared, right.elements);
  for (std::size_t i = 320; i < 336; ++i) {
    for (std::size_t j = 480; j < 496; ++j) {
      for (std::size_t k = 784; k < 800; ++k) {
        after[2][i * 800 + j] -= before[0][i * 800 + k] * before[1][k * 800 + j];
      }
    }
  }
  EXPECT_FALSE(matmul.verify(p, before, after).correct);
}

TEST(Transpose, AcceptsOnlyExactCopies) {
  const Workload& transpose = *built_in("transpose");
  const Problem p = problem_of("transpose", {3, 5});
  const HostBuffers before = transpose.inputs(p);
  HostBuffers after(2);
  for (std::size_t c = 0; c < 5; ++c) {
    for (std::size_t r = 0; r < 3; ++r) {
      after[1].push_back(before[0][r * 5 + c]);
    }
  }
  EXPECT_TRUE(transpose.verify(p, before, after).correct);
  after[1][4] = std::nextafter(after[1][4], 2.0F);
  const Check wrong = transpose.verify(p, before, after);
  EXPECT_FALSE(wrong.correct);
  EXPECT_TRUE(wrong.worst.starts_with("At[1][1] is ")) << wrong.worst;
}

TEST(NBody, StartsWithTheMassAndOptionsAskedFor) {
  const Workload& nbody = *built_in("nbody");
  for (const std::string start : {"galaxies", "ball"}) {
    const Problem p = problem_of("nbody", {501}, {{"start", start}});
    const HostBuffers before = nbody.inputs(p);
    double mass = 0.0;
    for (std::size_t i = 0; i < 501; ++i) {
      mass += static_cast<double>(before[0][4 * i + 3]);
    }
    EXPECT_NEAR(mass, start == "ball" ? 1.0 : 2.0, 1e-4) << start;
  }
}

TEST(NBody, TwoBodiesFallTowardsEachOther) {
  const Workload& nbody = *built_in("nbody");
  const Problem p = problem_of("nbody", {2}, {{"softening", "0.0001"}, {"dt", "0.5"}});
  const HostBuffers before{{-1, 0, 0, 3, 1, 0, 0, 5}, {0, 0, 0, 0, 0, 0, 0, 0}, {}, {}};
  // a = m/r² with r = 2: 5/4 and 3/4 towards the other.
  const HostBuffers after{
      {}, {}, {-1 + 0.3125F, 0, 0, 3, 1 - 0.1875F, 0, 0, 5}, {0.625F, 0, 0, 0, -0.375F, 0, 0, 0}};
  const Check check = nbody.verify(p, before, after);
  EXPECT_TRUE(check.correct) << check.worst;
  HostBuffers wrong = after;
  wrong[3][0] = 0.62F;
  EXPECT_FALSE(nbody.verify(p, before, wrong).correct);
}

TEST(Workload, NamesTheSizeOrOptionThatIsWrong) {
  const Workload& matmul = *built_in("matmul");
  EXPECT_EQ(matmul.resolve({1, 2}, {}, 1).error().message, "matmul takes 3 sizes (M,N,W), not 2");
  EXPECT_EQ(matmul.resolve({1, 0, 3}, {}, 1).error().message, "size N is 0; it must be at least 1");
  const Workload& nbody = *built_in("nbody");
  EXPECT_EQ(nbody.resolve({}, {{"start", "x"}}, 1).error().message,
            "\"x\" is not a value of start; choose from galaxies, ball, random");
  EXPECT_FALSE(nbody.resolve({}, {{"dt", "-1"}}, 1).has_value());
  EXPECT_FALSE(nbody.resolve({}, {{"dt", "nan"}}, 1).has_value());
}

TEST(Workload, TilesReadAndWriteTheirBands) {
  const Workload& matmul = *built_in("matmul");
  const Box items{{16, 32, 0}, {32, 48, 1}};
  EXPECT_EQ(matmul.writes({100, 200, 300}, items), (Region{2, 32, 48, 16, 32}));
  EXPECT_EQ(matmul.reads({100, 200, 300}, items),
            (std::vector<Region>{{0, 32, 48, 0, 300}, {1, 0, 300, 16, 32}}));
  EXPECT_EQ(built_in("transpose")->writes({100, 200}, items), (Region{1, 16, 32, 32, 48}));
}

}  // namespace
}  // namespace core
