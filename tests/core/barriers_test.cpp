#include "core/work/barriers.h"

#include <gtest/gtest.h>

namespace core {
namespace {

TEST(Barriers, AnEditIsNumberAndKind) {
  for (const BarrierKind kind : barrier_kinds()) {
    const auto edit = parse_barrier_edit("12=" + to_string(kind));
    ASSERT_TRUE(edit);
    EXPECT_EQ(edit->first, 12U);
    EXPECT_EQ(edit->second, kind);
  }
}

TEST(Barriers, AnythingElseIsAnError) {
  for (const char* text : {"", "1", "=off", "1=", "0=off", "-1=off", "1=of", "1=off ", "x=off",
                           "1x=off", "99999999999=off"}) {
    const auto edit = parse_barrier_edit(text);
    ASSERT_FALSE(edit) << text;
    EXPECT_EQ(edit.error().fault, Fault::usage);
  }
}

}  // namespace
}  // namespace core
