#include "core/base/field.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/parallel.h"
#include "core/catalogue/precision.h"
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

template <typename T>
std::vector<float> words_of(const std::vector<T>& values) {
  std::vector<float> words((values.size() * sizeof(T) + 3) / 4);
  std::memcpy(words.data(), values.data(), values.size() * sizeof(T));
  return words;
}

template <typename T>
Check compare(NumberKind number, const std::vector<T>& got, const std::vector<T>& want) {
  const HostBuffers after{words_of(got)};
  const BufferSpec spec{.name = "O",
                        .role = Role::output,
                        .rows = 1,
                        .columns = static_cast<std::uint32_t>(after[0].size()),
                        .whole = number != NumberKind::floating};
  const BlockLayout layout{.fixed = {},
                           .array = "counts",
                           .array_offset = 0,
                           .stride = sizeof(T),
                           .element = {{"", 0, number, 8 * sizeof(T)}}};
  return compare_typed({spec}, {layout}, {words_of(want)}, after, 1e-5);
}

TEST(TypedComparison, NamesTheElementAsTheKernelDoes) {
  std::vector<std::uint32_t> got(400);
  std::vector<std::uint32_t> want(400);
  got[300] = 7;
  const Check check = compare(NumberKind::whole, got, want);
  EXPECT_FALSE(check.correct);
  EXPECT_EQ(check.worst, "counts[300] is 7, should be 0");
  EXPECT_EQ(check.max_error, 7.0);
  EXPECT_EQ(check.compared, 400U);
}

TEST(TypedComparison, HalvesAreNotPairs) {
  std::vector<std::uint16_t> got(128);
  for (std::size_t i = 0; i < got.size(); ++i) {
    got[i] = to_half(static_cast<float>(i));
  }
  auto want = got;
  EXPECT_TRUE(compare(NumberKind::floating, got, want).correct);
  got[70] = to_half(2.0F);  // the low half of a word
  const Check check = compare(NumberKind::floating, got, want);
  EXPECT_FALSE(check.correct);
  EXPECT_EQ(check.worst, "counts[70] is 2, should be 70");
  got[70] = to_half(70.0625F);  // a rounding error away
  EXPECT_TRUE(compare(NumberKind::floating, got, want).correct);
}

TEST(TypedComparison, IntegersAndDoublesHaveTheirOwnWidths) {
  EXPECT_EQ(compare<std::int16_t>(NumberKind::signed_whole, {1, -4}, {1, 9}).worst,
            "counts[1] is -4, should be 9");
  EXPECT_EQ(compare<std::int8_t>(NumberKind::signed_whole, {1, -4, 3, 3}, {1, 9, 3, 3}).worst,
            "counts[1] is -4, should be 9");
  const std::int64_t large = std::numeric_limits<std::int64_t>::max();
  const Check whole = compare<std::int64_t>(NumberKind::signed_whole, {large}, {large - 1});
  EXPECT_FALSE(whole.correct) << "a double has no such difference";
  EXPECT_EQ(whole.worst, "counts[0] is 9223372036854775807, should be 9223372036854775806");
  EXPECT_TRUE(compare<double>(NumberKind::floating, {1.0, 2.0}, {1.0, 2.0 + 1e-9}).correct);
  EXPECT_EQ(compare<double>(NumberKind::floating, {1.0, 2.5}, {1.0, 2.0}).worst,
            "counts[1] is 2.5, should be 2");
}

TEST(TypedComparison, UnwrittenElementsAreSaid) {
  EXPECT_EQ(compare<std::uint32_t>(NumberKind::whole, {kUnwritten}, {3}).worst,
            "counts[0] is not written, should be 3");
  EXPECT_TRUE(compare<std::uint32_t>(NumberKind::whole, {kUnwritten}, {kUnwritten}).correct);
  // Unwritten elements hold a finite double, which is no scale for the written ones.
  const double unwritten = std::bit_cast<double>((std::uint64_t{kUnwritten} << 32U) | kUnwritten);
  ASSERT_TRUE(std::isfinite(unwritten));
  EXPECT_EQ(compare<double>(NumberKind::floating, {1.0, unwritten}, {2.0, unwritten}).worst,
            "counts[0] is 1, should be 2");
  EXPECT_FALSE(compare<double>(NumberKind::floating, {1.0, unwritten}, {2.0, unwritten}).correct);
  EXPECT_EQ(compare<double>(NumberKind::floating, {1.0, unwritten}, {1.0, 2.0}).worst,
            "counts[1] is not written, should be 2");
  const double nan = std::nan("");
  EXPECT_TRUE(compare<double>(NumberKind::floating, {nan}, {-nan}).correct);
  EXPECT_FALSE(compare<double>(NumberKind::floating, {nan}, {1.0}).correct);
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
