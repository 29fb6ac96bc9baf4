#include "lab/plan/typed_values.h"

#include <bit>

#include <gtest/gtest.h>

namespace lab {
namespace {

using Values = std::vector<std::uint32_t>;

std::string why(const std::string& text, const std::string& type) {
  const auto value = typed_value("n", text, type);
  return value ? "" : value.error().message;
}

TEST(TypedValues, AreTheWordsOfTheirType) {
  EXPECT_EQ(typed_value("n", "1000", "uint").value(), (Values{1000}));
  EXPECT_EQ(typed_value("n", "0x10", "uint").value(), (Values{16}));
  EXPECT_EQ(typed_value("n", "-3", "int").value(), (Values{0xFFFFFFFD}));
  EXPECT_EQ(typed_value("n", "true", "bool").value(), (Values{1}));
  EXPECT_EQ(typed_value("n", "0.5", "float").value(), (Values{std::bit_cast<std::uint32_t>(0.5F)}));
  EXPECT_EQ(typed_value("n", "1,2,3", "uvec3").value(), (Values{1, 2, 3}));
  EXPECT_EQ(typed_value("n", "1", "double").value(), (Values{0, 0x3FF00000}));
  EXPECT_EQ(typed_value("n", "4294967296", "uint64_t").value(), (Values{0, 1}));
}

TEST(TypedValues, OutsideOfTheirTypeAreRefused) {
  EXPECT_EQ(why("-1", "uint"), "n is a uint; \"-1\" is not a value of this type");
  EXPECT_EQ(why("2147483648", "int"), "n is an int; \"2147483648\" is not a value of this type");
  EXPECT_EQ(why("4294967296", "uint"), "n is a uint; \"4294967296\" is not a value of this type");
  EXPECT_EQ(why("", "float"), "n is a float; \"\" is not a value of this type");
  EXPECT_EQ(why("1,2", "vec3"), "n is a vec3, which needs 3 numbers; \"1,2\" has 2");
}

TEST(TypedValues, NamesAreShortWhereThatIsPlain) {
  spirv::Interface interface;
  interface.push_constants = {{.name = "p.n", .type = "uint"},
                              {.name = "p.by", .type = "float"},
                              {.name = "q.by", .type = "float"},
                              {.name = "size", .type = "uint"},
                              {.name = "p.size", .type = "uint"}};
  EXPECT_EQ(with_full_names({{"n", "5"}, {"by", "2"}, {"size", "7"}, {"none", "1"}}, interface),
            (core::Settings{{"p.n", "5"}, {"by", "2"}, {"size", "7"}, {"none", "1"}}))
      << "of two of a name neither is meant";
  EXPECT_EQ(with_full_names({{"q.n", "5"}, {"p.size", "7"}}, interface),
            (core::Settings{{"p.n", "5"}, {"p.size", "7"}}));
}

}  // namespace
}  // namespace lab
