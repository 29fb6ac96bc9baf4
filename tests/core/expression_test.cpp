#include "core/catalogue/expression.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "core/source/index_parts.h"

namespace core {
namespace {

const std::array<std::string, 2> kNames{"N", "M"};

Number value(const std::string& text, std::int64_t n = 10, std::int64_t m = 3) {
  const auto parsed = Expression::parse(text, kNames);
  EXPECT_TRUE(parsed) << parsed.error().message;
  const auto result = parsed->evaluate(std::array<Number, 2>{n, m});
  EXPECT_TRUE(result) << result.error().message;
  return result.value_or(Number(-1.0));
}

std::int64_t whole(const std::string& text, std::int64_t n = 10, std::int64_t m = 3) {
  const Number number = value(text, n, m);
  EXPECT_TRUE(std::holds_alternative<std::int64_t>(number)) << text;
  return static_cast<std::int64_t>(to_double(number));
}

std::string wrong(const std::string& text) {
  const auto parsed = Expression::parse(text, kNames);
  return parsed ? "" : parsed.error().message;
}

std::string fails(const std::string& text) {
  const auto result =
      Expression::parse(text, kNames).value().evaluate(std::array<Number, 2>{10, 3});
  return result ? "" : result.error().message;
}

TEST(Expression, HasTheOrderOfOperationsOfC) {
  EXPECT_EQ(whole("1 + 2 * N"), 21);
  EXPECT_EQ(whole("(1 + 2) * N"), 30);
  EXPECT_EQ(whole("N - M - 1"), 6);
  EXPECT_EQ(whole("N / M * M + N % M"), 10);
  EXPECT_EQ(whole("-N + 1"), -9);
  EXPECT_EQ(whole("N < 11 && M == 3 || 0"), 1);
  EXPECT_EQ(whole("!(N >= 10)"), 0);
  EXPECT_EQ(whole("N != 10 ? 1 : M <= 3 ? 2 : 3"), 2);
}

TEST(Expression, StaysWholeUntilAFractionComesIn) {
  EXPECT_EQ(whole("N / 4"), 2);
  EXPECT_DOUBLE_EQ(to_double(value("N / 4.0")), 2.5);
  EXPECT_DOUBLE_EQ(to_double(value("0.5 * N")), 5.0);
  EXPECT_EQ(whole("9000000000 * 1000000000", 0), 9'000'000'000'000'000'000);
  EXPECT_DOUBLE_EQ(to_double(value("9000000000 * 10000000000")), 9e19) << "too large for 64 bits";
  EXPECT_TRUE(std::holds_alternative<double>(value("1e3")));
}

TEST(Expression, HasFunctions) {
  EXPECT_EQ(whole("min(N, M, 7)"), 3);
  EXPECT_EQ(whole("max(N, M, 7)"), 10);
  EXPECT_EQ(whole("ceil_div(N, M)"), 4);
  EXPECT_EQ(whole("ceil_div(9, M)"), 3);
  EXPECT_EQ(whole("round_up(N, 4)"), 12);
  EXPECT_EQ(whole("pow2(N)"), 16);
  EXPECT_EQ(whole("pow2(16)"), 16);
  EXPECT_EQ(whole("pow2_in(12)"), 4);
  EXPECT_EQ(whole("pow2_in(0)"), 1);
  EXPECT_DOUBLE_EQ(to_double(value("log2(8)")), 3.0);
  EXPECT_DOUBLE_EQ(to_double(value("1 / sqrt(4)")), 0.5);
}

TEST(Expression, DoesNotEvaluateWhatIsNotChosen) {
  EXPECT_EQ(whole("N > 0 ? 5 : 5 / 0"), 5);
  EXPECT_EQ(whole("N == 0 && 1 / 0"), 0);
  EXPECT_EQ(whole("N == 10 || 1 / 0"), 1);
}

TEST(Expression, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(wrong("3 +"), "\"3 +\": a value is missing at the end");
  EXPECT_EQ(wrong("K * 2"), "\"K * 2\": unknown name \"K\"; choose from N, M");
  EXPECT_EQ(wrong("N 2"),
            "\"N 2\": \"2\" follows a complete expression; add an operator or remove it");
  EXPECT_EQ(wrong("(N"), "\"(N\": \"(\" needs a \")\"");
  EXPECT_EQ(wrong("N ? 1"), "\"N ? 1\": \"?\" needs a \":\"");
  EXPECT_EQ(wrong("ceil_div(N)"), "\"ceil_div(N)\": ceil_div takes 2 values, not 1");
  EXPECT_EQ(wrong("sin(N)"), "\"sin(N)\": unknown function \"sin\"");
  EXPECT_EQ(wrong("$"), "\"$\": \"$\" is not a value");
  EXPECT_EQ(wrong(""), "\"\": a value is missing at the end");
  EXPECT_NE(wrong(std::string(5000, '(')), "") << "deep, but no crash";
  EXPECT_NE(wrong(std::string(5000, '-') + "1"), "");
}

TEST(Expression, FailsWhereThereIsNoValue) {
  EXPECT_EQ(fails("N / (M - 3)"), "\"N / (M - 3)\" divides by zero");
  EXPECT_EQ(fails("N % 0"), "\"N % 0\" divides by zero");
  EXPECT_NE(fails("pow2(0.5)"), "");
  EXPECT_NE(fails("sqrt(0 - 1)"), "");
  EXPECT_NE(fails("ceil_div(N, 0)"), "");
}

TEST(Expression, CountsAreWholeAndInRange) {
  const std::array<Number, 2> values{10, 3};
  EXPECT_EQ(Expression::parse("N * 2.0", kNames)->count(values), 20U);
  EXPECT_EQ(Expression::parse("M - N", kNames)->count(values).error().message,
            "\"M - N\" is -7, but it must be a whole number from 0 to 4294967295");
  EXPECT_FALSE(Expression::parse("N / 4.0", kNames)->count(values).has_value());
  EXPECT_FALSE(Expression::parse("N", kNames)->count(values, 9).has_value());
}

// An index of the source is such an expression, too (core/source/index_parts.h).
std::string parts_of(const std::string& text, std::uint32_t line, std::int64_t outside,
                     const std::string& variable = "c") {
  core::Finding f;
  f.kind = core::FindingKind::out_of_bounds;
  f.variable = variable;
  f.line = line;
  f.outside = outside;
  f.limit = 18;
  f.workgroup = {3, 0, 0};
  f.first.invocation = {15, 0, 0};
  const std::vector<core::SourceFile> sources{{"", text}};
  return core::index_parts(f, sources, {16, 1, 1});
}

TEST(IndexParts, FollowFromTheDefinitionsInTheSource) {
  EXPECT_EQ(parts_of("const uint i = gl_LocalInvocationID.x;\n"
                     "const uint row = gl_WorkGroupID.x;\n"
                     "c[i + row] = sum;\n",
                     3, 18),
            "i + row = 18 (i = 15, row = 3)");
  EXPECT_EQ(
      parts_of("#define W 4\nuint g = gl_GlobalInvocationID.x;\nc[g * W + 2u] = 1;\n", 3, 254),
      "g * W + 2u = 254 (g = 63, W = 4)");
}

TEST(IndexParts, OneThatALoopCountsFollowsFromTheRest) {
  EXPECT_EQ(parts_of("uint i = gl_LocalInvocationID.x;\n"
                     "for (uint k = 0; k < 8; ++k) {\n"
                     "  c[4 * k + i] = 1;\n",
                     3, 27),
            "4 * k + i = 27 (k = 3, i = 15)");
}

TEST(IndexParts, SayNoMoreThanIsKnown) {
  const std::string two = "uint i = 1;\ni = a;\nuint j = b;\n";
  EXPECT_EQ(parts_of(two + "c[i + j] = 1;\n", 4, 18), "i + j = 18");
  EXPECT_EQ(parts_of("uint i = 2;\nc[i + 1] = 1;\n", 2, 18), "i + 1 = 18") << "it is another i";
  EXPECT_EQ(parts_of("c[i] = 1;\n", 1, 18), "i = 18");
  EXPECT_EQ(parts_of("c[i][j] = 1;\n", 1, 18), "") << "which of the two is not known";
  EXPECT_EQ(parts_of("f(x);\n", 1, 18), "");
}

}  // namespace
}  // namespace core
