// A workbench on whatever device is there, with Vulkan's validation, which has to stay silent.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "lab/ready/workbench.h"

namespace lab::test {

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = gpu::Driver::open({.validation = true});
    if (!opened) {
      opened = gpu::Driver::open({});
    }
    if (!opened) {
      GTEST_SKIP() << "no Vulkan device";
    }
    driver = *opened;
    auto workbench = Workbench::open(driver, "");
    ASSERT_TRUE(workbench) << workbench.error().message;
    bench = std::move(*workbench);
  }
  void TearDown() override {
    if (driver) {
      EXPECT_TRUE(driver->validation_messages().empty()) << driver->validation_messages().front();
    }
  }

  std::shared_ptr<gpu::Driver> driver;
  std::unique_ptr<Workbench> bench;
};

}  // namespace lab::test
