// Memory that the workgroups of a launch use between them: nbody/slices counts in it who is last.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"
#include "tests/lab/on_device.h"

namespace lab {
namespace {

class Scratch : public test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    variant = read_variant(find_shaders().value() / "nbody/slices.comp");
  }
  core::Expected<std::unique_ptr<lab::Setup>> set_up(double budget_ms) {
    return bench->set_up(variant, {.variant = variant.id(), .size = {1000}}, budget_ms);
  }

  core::Variant variant;
};

TEST_F(Scratch, IsAsLargeAsTheHeaderSays) {
  const auto setup = set_up(1e9);
  ASSERT_TRUE(setup) << setup.error().message;
  const std::uint64_t groups = (*setup)->tiles().group_count();
  EXPECT_EQ(groups, 125U);  // 8 bodies each
  ASSERT_TRUE(bench->load(**setup));
  const Buffers scratch = (*setup)->scratch.buffers();
  ASSERT_EQ(scratch.size(), 2U);
  EXPECT_EQ(scratch[0]->bytes(), groups * 128 * 16);
  EXPECT_EQ(scratch[1]->bytes(), groups * 4);
  EXPECT_EQ((*setup)->buffers().size(), 6U);
}

// A launch that is left after a few of a block's sixteen workgroups leaves them counted.
TEST_F(Scratch, IsClearedAfterALaunchThatWasLeft) {
  const auto setup = set_up(1e-6);  // a workgroup or a few a slice
  ASSERT_TRUE(setup) << setup.error().message;
  ASSERT_TRUE(bench->load(**setup));
  for (int i = 0; i < 2; ++i) {
    const auto left = (*setup)->launcher->launch((*setup)->buffers(),
                                                 [](std::uint64_t /*done*/) { return false; });
    ASSERT_TRUE(left) << left.error().message;
    EXPECT_FALSE(left->finished);
  }
  const auto check = bench->verify(**setup, [](std::uint64_t /*done*/) { return true; });
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_TRUE(check->correct) << check->worst;
  // And one that ended leaves zeros.
  ASSERT_TRUE((*setup)->launcher->launch_many((*setup)->buffers(), 3));
  const auto arrived = bench->download(*(*setup)->scratch.buffers()[1]);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(*arrived, std::vector<float>(arrived->size(), 0.0F));
}

TEST_F(Scratch, OfACopyIsZeros) {
  const auto setup = set_up(1e9);
  ASSERT_TRUE(setup) << setup.error().message;
  ASSERT_TRUE(bench->load(**setup));
  auto copies = Memory::make(bench->device(), (*setup)->dispatch().resources, 1, (*setup)->lent());
  ASSERT_TRUE(copies);
  ASSERT_TRUE(copies->fill());
  const Buffers buffers = copies->buffers();
  ASSERT_EQ(buffers.size(), 6U);
  EXPECT_NE(buffers[5], (*setup)->scratch.buffers()[1]);
  const auto arrived = bench->download(*buffers[5]);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(*arrived, std::vector<float>(125, 0.0F));
}

TEST_F(Scratch, OfUnknownConstantsIsRefused) {
  variant.scratch[0].words = {"4", "ROWS"};
  const auto setup = set_up(1e9);
  ASSERT_FALSE(setup);
  EXPECT_EQ(setup.error().fault, core::Fault::usage);
  EXPECT_NE(setup.error().message.find("scratch partial: \"ROWS\""), std::string::npos)
      << setup.error().message;
}

}  // namespace
}  // namespace lab
