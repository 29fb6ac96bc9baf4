#include "core/workloads/references/references.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "core/stream/product_check.h"
#include "core/work/comparison.h"
#include "core/workloads/described.h"

namespace core {
namespace {

// A workload whose inputs are what `contents` say, with a reference and shapes from the size N.
WorkloadDescription description_of(const std::string& reference,
                                   std::vector<DescribedBuffer> buffers) {
  return {.name = reference,
          .title = "t",
          .about = "a",
          .sizes = {{.name = "N", .preset = 8}},
          .options = {},
          .buffers = std::move(buffers),
          .push = {},
          .facts = {},
          .extent = {"N", "1", "1"},
          .bytes = "",
          .items = {},
          .writes = {},
          .reads = {},
          .reference = reference,
          .arguments = {},
          .reference_kernel = "",
          .tests = {}};
}

struct Subject {
  WorkloadPtr work;
  Problem problem;
  HostBuffers before;
};

Subject subject_of(const WorkloadDescription& description, std::uint32_t n) {
  const auto work = make_workload(description);
  EXPECT_TRUE(work) << work.error().message;
  const auto problem = (*work)->resolve({n}, {}, 7);
  EXPECT_TRUE(problem) << problem.error().message;
  return {*work, *problem, (*work)->inputs(*problem)};
}

// The right answer is taken, and not with one word of it changed by `by`.
void expect_exacting(const Subject& subject, HostBuffers after, std::size_t output,
                     std::size_t word, float by) {
  const Check right = subject.work->verify(subject.problem, subject.before, after);
  EXPECT_TRUE(right.correct) << right.worst << ", " << right.max_error;
  after[output][word] += by;
  EXPECT_FALSE(subject.work->verify(subject.problem, subject.before, after).correct);
  after[output][word] = std::nanf("");
  EXPECT_FALSE(subject.work->verify(subject.problem, subject.before, after).correct);
}

TEST(References, TheSumOfWholeNumbersIsExact) {
  auto description = description_of("sum", {{.name = "A", .columns = "N", .content = "integers"},
                                            {.name = "Sum", .role = Role::output}});
  const Subject subject = subject_of(description, 3'000'000);
  const double sum = std::accumulate(subject.before[0].begin(), subject.before[0].end(), 0.0);
  EXPECT_EQ(std::ranges::count(subject.before[0], 0.0F), 0);
  expect_exacting(subject, {{}, {static_cast<float>(sum)}}, 1, 0, 1.0F);
}

TEST(References, TheSumOfFractionsHasRoomForRounding) {
  auto description =
      description_of("sum", {{.name = "A", .columns = "N"}, {.name = "Sum", .role = Role::output}});
  const Subject subject = subject_of(description, 1000);
  const float sum = std::accumulate(subject.before[0].begin(), subject.before[0].end(), 0.0F);
  expect_exacting(subject, {{}, {sum}}, 1, 0, 0.5F);
}

TEST(References, PrefixSumsAreComparedOneByOne) {
  auto description =
      description_of("prefix_sum", {{.name = "A", .columns = "N", .content = "integers"},
                                    {.name = "S", .role = Role::output, .columns = "N"}});
  const Subject subject = subject_of(description, 600'001);
  std::vector<float> sums(subject.before[0].size());
  std::partial_sum(subject.before[0].begin(), subject.before[0].end(), sums.begin());
  expect_exacting(subject, {{}, sums}, 1, 600'000, 1.0F);
  expect_exacting(subject, {{}, sums}, 1, 300'000, -1.0F);
}

TEST(References, HistogramsCountTheBytesThereAre) {
  auto description = description_of(
      "byte_histogram",
      {{.name = "Bytes", .columns = "ceil_div(N, 4)", .whole = true, .content = "bell-bytes"},
       {.name = "Counts", .role = Role::output, .columns = "256", .whole = true}});
  description.arguments = {"N"};
  const Subject subject = subject_of(description, 4003);
  std::vector<std::uint32_t> counts(256);
  for (std::size_t i = 0; i < 4003; ++i) {
    ++counts[std::bit_cast<std::uint32_t>(subject.before[0][i / 4]) >> (8 * (i % 4)) & 0xFFU];
  }
  EXPECT_GT(counts[128], 8 * std::max(counts[0], 1U)) << "a bell";
  HostBuffers after{{}, std::vector<float>(256)};
  std::ranges::transform(counts, after[1].begin(),
                         [](std::uint32_t count) { return std::bit_cast<float>(count); });
  EXPECT_TRUE(subject.work->verify(subject.problem, subject.before, after).correct);
  after[1][200] = std::bit_cast<float>(counts[200] + 1);
  EXPECT_FALSE(subject.work->verify(subject.problem, subject.before, after).correct);
}

// As convolution_reference says, the plainest way.
TEST(References, ConvolutionsHaveZerosAround) {
  auto description = description_of(
      "convolution", {{.name = "Image", .rows = "N", .columns = "N + 2"},
                      {.name = "W", .rows = "3", .columns = "4"},
                      {.name = "Out", .role = Role::output, .rows = "N", .columns = "N + 2"}});
  const Subject subject = subject_of(description, 9);
  std::vector<float> out;
  for (int y = 0; y < 9; ++y) {
    for (int x = 0; x < 11; ++x) {
      double sum = 0.0;
      for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 4; ++i) {
          const int row = y + j - 1;
          const int column = x + i - 2;
          if (row >= 0 && row < 9 && column >= 0 && column < 11) {
            const int cell = row * 11 + column;
            const int weight = j * 4 + i;
            sum += static_cast<double>(subject.before[0][static_cast<std::size_t>(cell)]) *
                   static_cast<double>(subject.before[1][static_cast<std::size_t>(weight)]);
          }
        }
      }
      out.push_back(static_cast<float>(sum));
    }
  }
  expect_exacting(subject, {{}, {}, out}, 2, 98, 1e-3F);
}

TEST(References, AttentionIsSoftmaxOfScoresTimesValues) {
  std::vector<DescribedBuffer> buffers;
  for (const char* name : {"Q", "K", "V", "O"}) {
    buffers.push_back({.name = name, .rows = "2 * N", .columns = "5", .factor = "2"});
  }
  buffers.back().role = Role::output;
  auto description = description_of("attention", buffers);
  description.arguments = {"2"};
  const Subject subject = subject_of(description, 7);
  const auto at = [&](std::size_t b, std::size_t row, std::size_t d) {
    return static_cast<double>(subject.before[b][row * 5 + d]);
  };
  std::vector<float> out(70);
  for (std::size_t row = 0; row < 14; ++row) {
    std::vector<double> sums(5);
    double total = 0.0;
    for (std::size_t key = row / 7 * 7; key < row / 7 * 7 + 7; ++key) {
      double score = 0.0;
      for (std::size_t d = 0; d < 5; ++d) {
        score += at(0, row, d) * at(1, key, d);
      }
      const double weight = std::exp(score / std::sqrt(5.0));
      total += weight;
      for (std::size_t d = 0; d < 5; ++d) {
        sums[d] += weight * at(2, key, d);
      }
    }
    for (std::size_t d = 0; d < 5; ++d) {
      out[row * 5 + d] = static_cast<float>(sums[d] / total);
    }
  }
  expect_exacting(subject, {{}, {}, {}, out}, 3, 69, 1e-3F);
}

TEST(References, RefuseBuffersThatDoNotFit) {
  auto description = description_of(
      "prefix_sum", {{.name = "A", .columns = "N"}, {.name = "S", .role = Role::output}});
  EXPECT_EQ(make_workload(description).error().message,
            "at the default sizes, the reference prefix_sum does not fit the buffers: the output "
            "must have as many elements as the input");
}

TEST(Comparison, WhatFollowsFromInputsThatAreNotFiniteIsRight) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto error = [](double got, double want) {
    Comparison one;
    one.add(0, 0, got, want, 1.0);
    return one.max_error();
  };
  EXPECT_EQ(error(kNaN, kNaN), 0.0);
  EXPECT_EQ(error(-kInfinity, -kInfinity), 0.0);
  EXPECT_EQ(error(kInfinity, -kInfinity), kInfinity);
  EXPECT_EQ(error(kNaN, 1.0), kInfinity);
  EXPECT_EQ(error(1.0, kNaN), kInfinity);
  EXPECT_EQ(error(1.0, kInfinity), kInfinity);
}

// Large enough for samples and Freivalds' check.
TEST(ProductCheck, TakesRowsThatAreNotFiniteAndFindsTheOnesThatShouldNotBe) {
  constexpr std::size_t kSide = 800;
  std::vector<float> a(kSide * kSide, 0.5F);
  std::vector<float> b(kSide * kSide, 0.25F);
  std::vector<float> c(kSide * kSide, 0.125F * kSide);
  const auto fill_row = [&](std::size_t row, float with) {
    std::fill_n(c.begin() + static_cast<std::ptrdiff_t>(row * kSide), kSide, with);
  };
  a[3 * kSide + 7] = std::numeric_limits<float>::infinity();
  fill_row(3, std::numeric_limits<float>::infinity());
  a[4 * kSide + 7] = std::numeric_limits<float>::quiet_NaN();
  fill_row(4, std::numeric_limits<float>::quiet_NaN());
  const Product product{.m = kSide, .n = kSide, .w = kSide, .a = a, .b = b, .c = c};
  EXPECT_TRUE(check_product(product, 1).correct) << check_product(product, 1).worst;
  fill_row(4, 0.125F * kSide);
  EXPECT_FALSE(check_product(product, 1).correct);
  fill_row(4, std::numeric_limits<float>::quiet_NaN());
  fill_row(5, std::numeric_limits<float>::quiet_NaN());
  EXPECT_FALSE(check_product(product, 1).correct);
}

}  // namespace
}  // namespace core
