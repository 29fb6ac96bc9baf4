#include "core/base/field.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/parallel.h"
#include "core/report/difference.h"
#include "core/work/comparison.h"
#include "core/workloads/workloads.h"

namespace core {
namespace {

TEST(Field, KeepsSmallMatricesAsTheyAre) {
  std::vector<float> data(6);
  std::iota(data.begin(), data.end(), 0.0F);
  const Field field = reduce("C", data, 2, 3);
  EXPECT_EQ(field.texels, data);
  EXPECT_EQ(field.low, 0.0F);
  EXPECT_EQ(field.high, 5.0F);
  EXPECT_EQ(field.at(0.99, 0.5), 4.0F);
  EXPECT_TRUE(std::isnan(field.at(1.0, 0.5)));
}

TEST(Field, MeansOverWhatATexelCovers) {
  // 999 columns on 100 texels: every column counts once, so the weighted mean stays the same.
  std::vector<float> data(std::size_t{3} * 999);
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] = static_cast<float>(i % 999);
  }
  const Field field = reduce("C", data, 3, 999, 100);
  EXPECT_EQ(field.texel_rows, 3U);
  EXPECT_EQ(field.texel_columns, 100U);
  EXPECT_FLOAT_EQ(field.texels.front(), 4.0F);
  EXPECT_NEAR(field.texels[99], 993.5F, 0.6F);
}

TEST(Field, CountsWhatIsNotFinite) {
  const std::vector<float> data{1.0F, std::numeric_limits<float>::quiet_NaN(), 3.0F};
  const Field field = reduce("C", data, 1, 3);
  EXPECT_EQ(field.not_finite, 1U);
  EXPECT_EQ(field.low, 1.0F);
  EXPECT_EQ(field.high, 3.0F);
}

TEST(Field, UnwrittenElementsAreNoData) {
  const auto unwritten = std::bit_cast<float>(core::kUnwritten);
  const auto word = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  core::BufferSpec spec{.name = "c", .rows = 1, .columns = 4, .whole = true};
  const std::vector<float> words{word(8), unwritten, word(0xFFFFFFFCU), word(0)};
  Field field = reduce(spec, words);
  EXPECT_EQ(field.unwritten, 1U);
  EXPECT_EQ(field.not_finite, 0U);
  EXPECT_TRUE(core::is_unwritten(field.texels[1]));
  EXPECT_EQ(field.low, 0.0F);
  EXPECT_EQ(field.high, 4294967292.0F);

  spec.is_signed = true;
  field = reduce(spec, words);
  EXPECT_EQ(field.low, -4.0F);
  EXPECT_EQ(field.high, 8.0F);

  const std::vector<float> floats{1.0F, unwritten, 3.0F, 5.0F};
  field = reduce("C", floats, 1, 4, 2);
  EXPECT_TRUE(core::is_unwritten(field.texels[0])) << "a part of what it covers";
  EXPECT_EQ(field.texels[1], 4.0F);
  EXPECT_EQ(field.unwritten, 1U);
  EXPECT_EQ(field.low, 4.0F);
}

}  // namespace
using core::Role;

TEST(Difference, IsWhatTheComparisonSaw) {
  const std::vector<core::BufferSpec> buffers{{"A", Role::input, 2, 3},
                                              {"C", Role::output, 40, 30}};
  core::DifferenceRecorder recorder(buffers);
  const auto part = [](std::size_t first, std::size_t last, core::Comparison& mine) {
    for (std::size_t i = first; i < last; ++i) {
      mine.add(1, i, i == 77 ? 5.0 : 2.0, 2.0, 1.0);
    }
  };
  EXPECT_EQ(core::compare_parts(&recorder, 1200, 1, part).max_error(), 3.0);
  const core::Differences all = recorder.differences();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], nullptr) << "an input";
  ASSERT_NE(all[1], nullptr);
  EXPECT_EQ(all[1]->compared, 1200U);
  EXPECT_EQ(all[1]->field.texels[77], 3.0F);
  EXPECT_EQ(all[1]->got[77], 5.0F);
  EXPECT_EQ(all[1]->wanted[77], 2.0F);
  EXPECT_EQ(all[1]->field.texels[78], 0.0F);
  EXPECT_EQ(all[1]->field.high, 3.0F);
  EXPECT_EQ(all[1]->field.low, -3.0F);
}

TEST(Difference, ATexelIsItsWorstElementAndWhatWasNotComparedIsNone) {
  const std::vector<core::BufferSpec> buffers{{"C", Role::output, 4, 4}};
  core::DifferenceRecorder recorder(buffers);
  recorder.note(0, 0, 1.0, 2.0);
  recorder.note(0, 5, 9.0, 2.0);  // the same texel
  recorder.note(0, 15, std::numeric_limits<double>::quiet_NaN(), 2.0);
  const auto difference = recorder.differences(2)[0];
  ASSERT_NE(difference, nullptr);
  EXPECT_EQ(difference->field.texels[0], 7.0F);
  EXPECT_EQ(difference->wanted[0], 2.0F);
  EXPECT_TRUE(std::isnan(difference->field.texels[1]));
  EXPECT_TRUE(std::isinf(difference->field.texels[3])) << "no number is as wrong as can be";
  EXPECT_EQ(difference->field.not_finite, 1U);
  EXPECT_EQ(difference->compared, 3U);
}

// The product's own reference, and what another workload's compares.
TEST(Difference, OfAProductIsInItsOwnBuffer) {
  const core::Workload& matmul = *core::matmul();
  const core::Problem problem{.sizes = {5, 7, 3}, .options = {}, .seed = 3};
  core::HostBuffers buffers = matmul.inputs(problem);
  buffers[2].assign(35, 0.0F);
  core::DifferenceRecorder recorder(matmul.buffers(problem.sizes));
  EXPECT_FALSE(matmul.verify(problem, buffers, buffers, &recorder).correct);
  const auto all = recorder.differences();
  ASSERT_NE(all[2], nullptr);
  EXPECT_EQ(all[2]->compared, 35U);
  double wanted = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    wanted += static_cast<double>(buffers[0][3 + k]) * static_cast<double>(buffers[1][7 * k + 4]);
  }
  EXPECT_NEAR(static_cast<double>(all[2]->wanted[7 + 4]), wanted, 1e-6);
  EXPECT_NEAR(static_cast<double>(all[2]->field.texels[7 + 4]), -wanted, 1e-6);
}

}  // namespace core
